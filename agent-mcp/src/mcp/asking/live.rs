//! Questions as requests of the server's own (legacy).

use serde_json::Value;
use tokio::sync::oneshot;

use super::question::Request;
use crate::{
    mcp::{envelope::Raw, exchange::Outbox, state::Shared, tree, writer::Writer},
    runtime::{Answer, InvocationId},
};

/// A question on its way. Its caller is told when nobody waits for the answer any more.
pub(crate) struct Open<'a> {
    id: String,
    answer: oneshot::Receiver<Answer>,
    shared: &'a Shared,
    outbox: &'a dyn Outbox,
    asked: bool,
    answered: bool,
}

impl<'a> Open<'a> {
    /// Sends `request`, a method and its params (LSR-2: on the stream of the request that needs it). `None`
    /// where there is no room to keep it until it is answered.
    pub(crate) fn put(
        shared: &'a Shared,
        outbox: &'a dyn Outbox,
        request: &Request<'_>,
    ) -> Option<Self> {
        // No other process of the same session has the same.
        let id = InvocationId::fresh().to_string();
        let (answering, answer) = oneshot::channel();
        let mut message = Writer::new(256);
        message.raw(r#"{"jsonrpc":"2.0","id":"#).text(&id);
        message.key("method").word(request.method);
        if let Some(params) = &request.params {
            message.key("params").value(params);
        }
        message.raw("}");
        let mut state = shared.lock();
        let asked = !state.closed && !state.is_over;
        if asked {
            // Under the lock, so that it is sent before it is forgotten.
            if !outbox.ask(message.finish()) {
                return None;
            }
            state.questions.insert(id.clone(), answering);
        }
        drop(state);
        Some(Self { id, answer, shared, outbox, asked, answered: false })
    }

    /// The answer. It is a failure where the session ends, or the input of the client.
    pub(crate) async fn answer(&mut self) -> Answer {
        let answer = (&mut self.answer).await;
        self.answered = true;
        answer.unwrap_or_else(|_| Answer::Failed {
            code: 0,
            message: "it has ended the session".into(),
        })
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.asked {
            self.outbox.settled();
        }
        if !self.answered && self.shared.lock().questions.remove(&self.id).is_some() {
            let mut notice = Writer::notification("notifications/cancelled");
            notice.key("requestId").text(&self.id);
            self.outbox.send(notice.end());
        }
    }
}

/// A client's answer, where it is one.
pub(crate) fn read(result: Raw<'_>, error: Raw<'_>) -> Answer {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Error {
        code: i64,
        message: String,
    }
    match (result, error) {
        (_, Some(error)) => {
            let Error { code, message } = serde_json::from_str(error.get()).unwrap_or_default();
            Answer::Failed { code, message }
        }
        (Some(result), None) if tree::is_larger(result.get(), tree::MOST) => {
            let message = format!("the answer has more than {} values", tree::MOST);
            Answer::Failed { code: 0, message }
        }
        (Some(result), None) => {
            Answer::Given(serde_json::from_str(result.get()).unwrap_or(Value::Null))
        }
        (None, None) => Answer::Given(Value::Null),
    }
}
