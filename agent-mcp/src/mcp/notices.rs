//! What a running call says to its caller before its result: progress and log messages.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::Value;

use super::{
    envelope::Raw, exchange::Outbox, id::Id, revision::Revision, session::Threshold, writer::Writer,
};
use crate::{
    contract::MetaMap,
    runtime::{LogLevel, Port, ProgressReport},
};

/// Which log messages a request wants.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// Those that the session wants at the moment (LOG-2).
    Session(Arc<Threshold>),
    /// Those from this level on (LOG-5).
    From(LogLevel),
    /// None (LOG-4).
    Nothing,
}

/// The caller's side of one request.
pub(crate) struct Notices {
    outbox: Arc<dyn Outbox>,
    /// The JSON text of the caller's token (PRG-1).
    token: Option<Box<str>>,
    revision: Revision,
    wanted: Wanted,
    /// What was reported; nothing once the reply is on its way.
    state: Mutex<Option<Reported>>,
    /// What the method adds to the result's `_meta`.
    meta: Mutex<MetaMap>,
}

/// What was reported of a call.
struct Reported {
    /// The last value.
    last: f64,
    /// Whether the method has reported something itself.
    by_method: bool,
}

impl Reported {
    const NOTHING: Self = Self { last: f64::NEG_INFINITY, by_method: false };
}

impl Notices {
    pub(crate) fn new(
        outbox: Arc<dyn Outbox>,
        token: Raw<'_>,
        revision: Revision,
        wanted: Wanted,
    ) -> Self {
        let token =
            token.map(serde_json::value::RawValue::get).filter(|raw| is_token(raw)).map(Into::into);
        let state = Mutex::new(Some(Reported::NOTHING));
        Self { outbox, token, revision, wanted, state, meta: Mutex::default() }
    }

    /// Nothing is said from now on (PRG-2): the reply follows.
    pub(crate) fn close(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// What the method has added to the result's `_meta`.
    pub(crate) fn take_meta(&self) -> MetaMap {
        std::mem::take(&mut self.meta.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reports what is more than before. It is under the lock, so that the reply cannot overtake it.
    fn report(&self, reported: &mut Reported, report: ProgressReport<'_>) {
        let Some(token) = &self.token else { return };
        // PRG-2: values rise. What is no number never does.
        if !report.done.is_finite() || report.done <= reported.last {
            return;
        }
        reported.last = report.done;
        let mut notice = Writer::notification("notifications/progress");
        notice.key("progressToken").json(token);
        number(notice.key("progress"), report.done);
        if let Some(total) = report.total.filter(|total| total.is_finite()) {
            number(notice.key("total"), total);
        }
        if let Some(message) = report.message.filter(|_| self.revision.has_progress_messages()) {
            notice.key("message").text(message);
        }
        self.outbox.send(notice.end());
    }

    fn wants(&self, level: LogLevel) -> bool {
        match &self.wanted {
            Wanted::Session(threshold) => threshold.admits(level),
            Wanted::From(least) => level >= *least,
            Wanted::Nothing => false,
        }
    }
}

/// What a heartbeat says.
pub(crate) fn running_for(running: Duration) -> String {
    format!("Running for {} s", running.as_secs())
}

/// A token is a string or a number.
fn is_token(raw: &str) -> bool {
    Id::new(raw).is_some() || serde_json::from_str::<f64>(raw).is_ok()
}

impl Port for Notices {
    fn progress(&self, report: ProgressReport<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(reported) = &mut *state else { return };
        reported.by_method = true;
        self.report(reported, report);
    }

    fn beat(&self, running: Duration) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *state {
            Some(reported) if self.token.is_some() && !reported.by_method => {
                // What it is a part of is not known, and what the method may report later must be more
                // (PRG-2): millionths, one for each second.
                let done = running.as_secs_f64() / 1e6;
                let message = running_for(running);
                let message = Some(&*message);
                self.report(reported, ProgressReport { done, total: None, message });
                true
            }
            _ => false,
        }
    }

    fn log(&self, level: LogLevel, data: Value) {
        if !self.wants(level) {
            return;
        }
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_none() {
            return;
        }
        let mut notice = Writer::notification("notifications/message");
        notice.key("level").value(&level);
        notice.key("data").value(&data);
        self.outbox.send(notice.end());
    }

    fn meta(&self, key: &str, value: Value) {
        let mut meta = self.meta.lock().unwrap_or_else(PoisonError::into_inner);
        meta.insert(key.to_owned(), value);
    }

    fn release(&self, retry: Duration) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_some() && self.revision.primes_streams() {
            self.outbox.release(retry);
        }
    }
}

/// Whole numbers are written without a fraction.
fn number(writer: &mut Writer, value: f64) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        writer.number(value as i64);
    } else {
        writer.value(&value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use serde_json::{json, value::RawValue};

    /// A revision whose progress comes with words.
    const WORDS: Revision = Revision::V2026_07_28;

    #[derive(Default)]
    struct Heard(Mutex<Vec<Value>>);

    impl Outbox for Heard {
        fn send(&self, message: Bytes) {
            self.0.lock().unwrap().push(serde_json::from_slice(&message).unwrap());
        }
    }

    impl Heard {
        fn params(&self) -> Vec<Value> {
            self.0.lock().unwrap().iter().map(|message| message["params"].clone()).collect()
        }
    }

    fn notices(token: Option<&str>, revision: Revision, wanted: Wanted) -> (Arc<Heard>, Notices) {
        let heard = Arc::new(Heard::default());
        let token = token.map(|token| RawValue::from_string(token.to_owned()).unwrap());
        let notices = Notices::new(heard.clone(), token.as_deref(), revision, wanted);
        (heard, notices)
    }

    fn report(done: f64) -> ProgressReport<'static> {
        ProgressReport { done, total: None, message: None }
    }

    #[test]
    fn cancel_ffb_progress_rises_and_ends_with_the_reply() {
        for (token, kept) in [("0", json!(0)), ("\"t\"", json!("t"))] {
            let (heard, notices) = notices(Some(token), WORDS, Wanted::Nothing);
            for done in [1.0, 2.0, 2.0, f64::NAN, f64::INFINITY, 3.5] {
                notices.progress(report(done));
            }
            notices.close();
            notices.progress(report(9.0));
            let reported: Vec<_> =
                heard.params().iter().map(|params| params["progress"].clone()).collect();
            assert_eq!(reported, [json!(1), json!(2), json!(3.5)]);
            assert!(heard.params().iter().all(|params| params["progressToken"] == kept));
        }
    }

    #[test]
    fn cancel_ffb_without_a_token_there_is_no_progress() {
        for token in [None, Some("null"), Some("{}"), Some("true")] {
            let (heard, notices) = notices(token, WORDS, Wanted::Nothing);
            notices.progress(report(1.0));
            assert!(heard.params().is_empty());
        }
    }

    #[test]
    fn ver_21_words_come_with_the_revisions_that_know_them() {
        for (revision, expected) in [
            (
                Revision::V2025_03_26,
                json!({"progressToken": 1, "progress": 1, "total": 4, "message": "one"}),
            ),
            (Revision::V2024_11_05, json!({"progressToken": 1, "progress": 1, "total": 4})),
        ] {
            let (heard, notices) = notices(Some("1"), revision, Wanted::Nothing);
            let message = Some("one");
            notices.progress(ProgressReport { done: 1.0, total: Some(4.0), message });
            assert_eq!(heard.params(), [expected]);
        }
    }

    #[test]
    fn log_4_and_5_only_what_is_wanted_and_only_before_the_reply() {
        let (heard, silent) = notices(None, WORDS, Wanted::Nothing);
        silent.log(LogLevel::Emergency, json!("x"));
        assert!(heard.params().is_empty());

        let (heard, notices) = notices(None, WORDS, Wanted::From(LogLevel::Warning));
        notices.log(LogLevel::Notice, json!("too low"));
        notices.log(LogLevel::Warning, json!({"n": 1}));
        notices.close();
        notices.log(LogLevel::Error, json!("too late"));
        assert_eq!(heard.params(), [json!({"level": "warning", "data": {"n": 1}})]);
    }

    #[test]
    fn log_2_a_session_may_change_its_mind_during_a_call() {
        let threshold = Arc::new(Threshold::new(LogLevel::Error));
        let (heard, notices) = notices(None, WORDS, Wanted::Session(threshold.clone()));
        notices.log(LogLevel::Info, json!(1));
        threshold.set(LogLevel::Debug);
        notices.log(LogLevel::Info, json!(2));
        assert_eq!(heard.params(), [json!({"level": "info", "data": 2})]);
    }
}
