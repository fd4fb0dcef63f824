use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, DetailedTask,
    GetTaskParams, InputRequests, InputResponses, Task, TaskPayload, UpdateTaskParams,
};
use rmcp::service::{Peer, ServiceError};
use serde_json::{Value, json};

use super::person::Person;
use crate::{Notice, Question};

/// Calls a tool, answers what it asks and takes a task for an answer. `rmcp`'s own `call_tool` takes none, and
/// leaves this to whoever keeps tasks.
pub(super) async fn call(
    peer: Peer<RoleClient>,
    person: Person,
    mut call: CallToolRequestParams,
) -> Result<CallToolResult, ServiceError> {
    loop {
        match peer.call_tool_once(call.clone()).await? {
            CallToolResponse::Complete(result) => return Ok(result),
            CallToolResponse::InputRequired(needs) => {
                let asked = needs.input_requests.unwrap_or_default();
                call = call.with_input_responses(answers(&person, asked).await?);
                call.request_state = needs.request_state;
            }
            CallToolResponse::Task(begun) => {
                let id = begun.task.task_id.clone();
                return Awaited { peer, person, id, is_over: false }.outcome(begun.task).await;
            }
            other => panic!("rmcp: {other:?}"),
        }
    }
}

/// A task that somebody waits for. Whoever gives up waiting cancels it.
struct Awaited {
    peer: Peer<RoleClient>,
    person: Person,
    id: String,
    is_over: bool,
}

impl Awaited {
    /// Asks what has become of it, as often as the server wants to be asked.
    async fn next(&mut self, last: &Task) -> Result<DetailedTask, ServiceError> {
        let pause = Duration::from_millis(last.poll_interval_ms.unwrap_or_default());
        tokio::time::sleep(pause).await;
        let now = self.peer.get_task(GetTaskParams::new(&self.id)).await?.task;
        let said = json!({"status": now.task.status, "message": now.task.status_message});
        self.person.tell(Notice::Task, said);
        self.is_over = now.status().is_terminal();
        Ok(now)
    }

    async fn outcome(&mut self, mut task: Task) -> Result<CallToolResult, ServiceError> {
        loop {
            let now = self.next(&task).await?;
            task = now.task;
            match now.payload {
                TaskPayload::Working => {}
                TaskPayload::InputRequired { input_requests } => {
                    let answers = answers(&self.person, input_requests).await?;
                    self.peer.update_task(UpdateTaskParams::new(&self.id, answers)).await?;
                }
                TaskPayload::Completed { result } => {
                    let result = serde_json::from_value(Value::Object(result));
                    return Ok(result.expect("the result is that of a call"));
                }
                other => panic!("the task ended: {other:?}"),
            }
        }
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let (peer, person, id) = (self.peer.clone(), self.person.clone(), self.id.clone());
        tokio::spawn(async move {
            peer.cancel_task(CancelTaskParams::new(&id)).await?;
            let mut task = Self { peer, person, id, is_over: true };
            let mut now = task.next(&Task::default()).await?;
            while !task.is_over {
                now = task.next(&now.task).await?;
            }
            Ok::<_, ServiceError>(())
        });
    }
}

async fn answers(person: &Person, asked: InputRequests) -> Result<InputResponses, ServiceError> {
    let mut answers = InputResponses::new();
    for (key, request) in asked {
        let request = serde_json::to_value(request).expect("what was read can be written");
        let of = |question: &Question| request["method"] == question.method();
        let kinds = [Question::Form, Question::Sampling, Question::Roots];
        let question = kinds.into_iter().find(of).expect("rmcp knows these three");
        // Such a question is withdrawn by whoever gives the call up, and the rest of it is not run any more.
        let answer = person.answer(question, &request["params"], std::future::pending());
        answers.insert(key, answer.await.map_err(ServiceError::McpError)?);
    }
    Ok(answers)
}
