//! A call that became a task is followed to its end.

use std::{pin::pin, sync::Arc, time::Duration};

use serde_json::{Value, json};

use super::{Client, Inbox, Nobody, Notice, Person, Reply, answers};
use crate::{mcp::Outbox, runtime::Principal};

impl<P: Principal> Client<P> {
    /// Hears what the task says, answers what it asks, and gives what it comes to.
    pub(super) async fn follow(&self, begun: Reply, person: &impl Person) -> Reply {
        let id = &begun.message["result"]["taskId"].clone();
        let inbox = Arc::new(Inbox::default());
        let outbox: Arc<dyn Outbox> = inbox.clone();
        let mut stream = match self.stream(json!({"taskIds": [id]}), &outbox).await {
            Ok(stream) => stream,
            Err(failed) => return begun.broken(failed.code, &failed.text),
        };
        // What it has said until now; whatever it says later is on the stream.
        let first = self.reply("tasks/get", json!({ "taskId": id }), &Nobody).await;
        let Some(mut task) = first.result().cloned() else { return first };
        // What is not kept any more is not told of either.
        let kept = Duration::from_millis(task["ttlMs"].as_u64().unwrap_or(u64::MAX / 2));
        let mut expired = pin!(tokio::time::sleep(kept));
        let mut message = Value::Null;
        loop {
            if task["statusMessage"] != message {
                message = task["statusMessage"].clone();
                if let Some(message) = message.as_str() {
                    person.hears(Notice::Task(message.to_owned()));
                }
            }
            match task["status"].as_str() {
                Some("working") => {}
                Some("input_required") => {
                    let answers = answers(&task["inputRequests"], person).await;
                    let update = json!({"taskId": id, "inputResponses": answers});
                    let reply = self.reply("tasks/update", update, &Nobody).await;
                    if reply.result().is_none() {
                        return reply;
                    }
                }
                Some("completed") => return begun.instead(json!({"result": task["result"]})),
                Some("failed") => return begun.instead(json!({"error": task["error"]})),
                _ => return begun.broken(None, "The task was cancelled"),
            }
            task = loop {
                let mut said = tokio::select! {
                    biased;
                    said = inbox.next() => said,
                    _ = &mut stream => return begun.broken(None, "The server ended before the task did"),
                    () = &mut expired => {
                        return begun.broken(None, "The task was not done in the time for which it is kept");
                    }
                };
                if said["method"] == "notifications/tasks" {
                    break said["params"].take();
                }
            };
        }
    }
}
