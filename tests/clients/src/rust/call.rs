use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, GetTaskParams,
    InputRequests, InputResponses, Task, TaskPayload, UpdateTaskParams,
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
                call = call.with_input_responses(answers(&person, asked)?);
                call.request_state = needs.request_state;
            }
            CallToolResponse::Task(begun) => return outcome(&peer, &person, begun.task).await,
            other => panic!("rmcp: {other:?}"),
        }
    }
}

/// What a task comes to.
async fn outcome(
    peer: &Peer<RoleClient>,
    person: &Person,
    mut task: Task,
) -> Result<CallToolResult, ServiceError> {
    let id = task.task_id.clone();
    loop {
        // It is the server that says how often it wants to be asked.
        tokio::time::sleep(Duration::from_millis(task.poll_interval_ms.unwrap_or_default())).await;
        let now = peer.get_task(GetTaskParams::new(&id)).await?.task;
        task = now.task;
        person.tell(Notice::Task, json!({"status": task.status, "message": task.status_message}));
        match now.payload {
            TaskPayload::Working => {}
            TaskPayload::InputRequired { input_requests } => {
                let answers = answers(person, input_requests)?;
                peer.update_task(UpdateTaskParams::new(&id, answers)).await?;
            }
            TaskPayload::Completed { result } => {
                let result = serde_json::from_value(Value::Object(result));
                return Ok(result.expect("the result is that of a call"));
            }
            other => panic!("the task ended: {other:?}"),
        }
    }
}

fn answers(person: &Person, asked: InputRequests) -> Result<InputResponses, ServiceError> {
    let answer = |(key, request)| {
        let request = serde_json::to_value(request).expect("what was read can be written");
        let of = |question: &Question| request["method"] == question.method();
        let kinds = [Question::Form, Question::Sampling, Question::Roots];
        let question = kinds.into_iter().find(of).expect("rmcp knows these three");
        let answer: Result<Value, ErrorData> = person.answer(question, &request["params"]);
        Ok((key, answer.map_err(ServiceError::McpError)?))
    };
    asked.into_iter().map(answer).collect()
}
