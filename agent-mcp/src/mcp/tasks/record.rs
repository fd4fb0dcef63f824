//! The state of one task.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    mcp::writer::Writer,
    runtime::{PrincipalId, Rfc3339},
};

/// Everything that is kept of a task: data for a [`TaskStore`](super::TaskStore), which need not look into it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    #[serde(with = "owner")]
    owner: PrincipalId,
    version: u64,
    /// Milliseconds since 1970.
    created: u64,
    updated: u64,
    ttl_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// What is asked of the owner, each under a key that is used once in the life of the task (TSK-9): the JSON text
    /// of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) inputs: Vec<(String, Arc<str>)>,
    /// What was answered and has not reached the method.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) answers: Vec<(String, Value)>,
    /// Whether the owner wants it to end.
    #[serde(default)]
    pub(super) cancel: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<Ending>,
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ending {
    /// With a result, as the call would have had it (TSK-7): its JSON text.
    Result(Arc<str>),
    /// With an error of the protocol: its JSON text.
    Error(Arc<str>),
    /// It was cancelled.
    Cancelled,
}

impl TaskRecord {
    pub(super) fn new(owner: PrincipalId, now: Duration, ttl: Duration) -> Self {
        let now = millis(now);
        Self {
            owner,
            version: 1,
            created: now,
            updated: now,
            ttl_ms: millis(ttl),
            message: None,
            inputs: Vec::new(),
            answers: Vec::new(),
            cancel: false,
            ending: None,
        }
    }

    /// Whose it is. Nobody else can see it (TSK-14).
    #[must_use]
    pub fn owner(&self) -> &PrincipalId {
        &self.owner
    }

    /// How often it was written: 1 when it is new.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How long it is to be kept, counted from its beginning (TSK-13).
    #[must_use]
    pub fn lifetime(&self) -> Duration {
        Duration::from_millis(self.ttl_ms)
    }

    /// Whether it has ended; then it never changes (TSK-17).
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// The next version, written at `now`.
    pub(super) fn touch(&mut self, now: Duration) {
        self.version += 1;
        self.updated = millis(now).max(self.updated);
    }

    pub(super) fn end(&mut self, ending: Ending) {
        if let Ending::Error(error) = &ending {
            let error = serde_json::from_str::<Value>(error).unwrap_or_default();
            self.message = error["message"].as_str().map(str::to_owned);
        }
        self.ending = Some(ending);
        self.inputs.clear();
        self.answers.clear();
    }

    fn status(&self) -> &'static str {
        match &self.ending {
            Some(Ending::Result(_)) => "completed",
            Some(Ending::Error(_)) => "failed",
            Some(Ending::Cancelled) => "cancelled",
            None if self.inputs.is_empty() => "working",
            None => "input_required",
        }
    }

    /// Writes what every state of a task has (TSK-4).
    pub(super) fn write(&self, id: &str, poll_ms: u64, writer: &mut Writer) {
        let time = |ms| {
            let since = Duration::from_millis(ms);
            Rfc3339(SystemTime::UNIX_EPOCH + since).to_string()
        };
        writer.key("taskId").text(id);
        writer.key("status").word(self.status());
        if let Some(message) = &self.message {
            writer.key("statusMessage").text(message);
        }
        writer.key("createdAt").text(&time(self.created));
        writer.key("lastUpdatedAt").text(&time(self.updated));
        writer.key("ttlMs").value(&self.ttl_ms);
        if !self.is_over() {
            writer.key("pollIntervalMs").value(&poll_ms);
        }
    }

    /// Writes what belongs to the state that it is in (TSK-6).
    pub(super) fn write_details(&self, writer: &mut Writer) {
        match &self.ending {
            Some(Ending::Result(result)) => {
                writer.key("result").json(result);
            }
            Some(Ending::Error(error)) => {
                writer.key("error").json(error);
            }
            Some(Ending::Cancelled) => {}
            None if self.inputs.is_empty() => {}
            None => {
                let inputs = writer.key("inputRequests").open('{');
                for (key, request) in &self.inputs {
                    inputs.comma().text(key).raw(":").json(request);
                }
                inputs.close('}');
            }
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A principal's two parts, so that no two owners are taken for one.
mod owner {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::runtime::PrincipalId;

    pub(super) fn serialize<S: Serializer>(id: &PrincipalId, to: S) -> Result<S::Ok, S::Error> {
        let parts = (*id != PrincipalId::anonymous()).then(|| (id.issuer(), id.subject()));
        parts.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PrincipalId, D::Error> {
        let parts = Option::<(String, String)>::deserialize(from)?;
        Ok(parts.map_or_else(PrincipalId::anonymous, |(issuer, subject)| {
            PrincipalId::new(&issuer, &subject)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tsk_14_an_owner_survives_a_store() {
        for owner in
            [PrincipalId::anonymous(), PrincipalId::new("a b", "c"), PrincipalId::new("a", "b c")]
        {
            let task = TaskRecord::new(owner.clone(), Duration::ZERO, Duration::from_secs(1));
            let json = serde_json::to_string(&task).unwrap();
            let read: TaskRecord = serde_json::from_str(&json).unwrap();
            assert_eq!(*read.owner(), owner);
            assert_eq!(read, task);
        }
    }
}
