use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{
    ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ErrorData, Implementation, ListRootsResult, LoggingMessageNotificationParam,
    ProgressNotificationParam, ResourceUpdatedNotificationParam,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::{Era, Notice, Question};

/// Who sits behind the client: hears what the server says, and answers what it asks.
#[derive(Debug, Clone)]
pub(super) struct Person {
    era: Era,
    mind: Arc<Mutex<Mind>>,
    told: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Mind {
    heard: Vec<(Notice, Value)>,
    answers: Vec<(Question, Option<Value>)>,
    asked: Vec<(Question, Value)>,
}

impl Person {
    pub(super) fn new(era: Era) -> Self {
        Self { era, mind: Arc::default(), told: Arc::default() }
    }

    fn mind(&self) -> MutexGuard<'_, Mind> {
        self.mind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self, notice: Notice, what: impl Serialize) {
        self.mind().heard.push((notice, written(what)));
        self.told.notify_one();
    }

    /// Waits for the next notice of a kind.
    pub(super) async fn hears(&self, notice: Notice) -> Value {
        loop {
            if let Some(what) = first(&mut self.mind().heard, notice) {
                return what;
            }
            self.told.notified().await;
        }
    }

    pub(super) fn will_answer(&self, question: Question, answer: Option<Value>) {
        self.mind().answers.push((question, answer));
    }

    pub(super) fn asked(&self, question: Question) -> Vec<Value> {
        let asked = &mut self.mind().asked;
        std::iter::from_fn(|| first(asked, question)).collect()
    }

    /// Gives the answer that is prepared, or waits until nobody asks any more.
    pub(super) async fn answer<T: DeserializeOwned>(
        &self,
        question: Question,
        params: impl Serialize,
        withdrawn: impl Future<Output = ()>,
    ) -> Result<T, ErrorData> {
        let answer = {
            let mut mind = self.mind();
            mind.asked.push((question, written(params)));
            first(&mut mind.answers, question)
        };
        match answer {
            Some(Some(answer)) => {
                Ok(serde_json::from_value(answer).expect("the test prepares answers"))
            }
            Some(None) => {
                withdrawn.await;
                self.tell(Notice::Withdrawn, Value::Null);
                Err(ErrorData::internal_error("nobody asks any more", None))
            }
            None => Err(ErrorData::internal_error("the test expects no question", None)),
        }
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut can = json!({"elicitation": {"form": {}}, "sampling": {"tools": {}}, "roots": {}});
        if self.era == Era::Modern {
            can["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
        }
        let can = serde_json::from_value(can).expect("these are capabilities");
        ClientConfig::new(can, Implementation::new("agent-mcp-tests", "1.0.0"))
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.answer(Question::Form, params, context.ct.cancelled()).await
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.answer(Question::Sampling, params, context.ct.cancelled()).await
    }

    async fn list_roots(
        &self,
        context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        self.answer(Question::Roots, Value::Null, context.ct.cancelled()).await
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tell(Notice::Tools, Value::Null);
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.tell(Notice::Updated, params);
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.tell(Notice::Progress, params);
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.tell(Notice::Log, params);
    }
}

/// Takes the first of a kind out of a list.
fn first<K: Copy + PartialEq, T>(list: &mut Vec<(K, T)>, kind: K) -> Option<T> {
    let place = list.iter().position(|(of, _)| *of == kind)?;
    Some(list.remove(place).1)
}

fn written(what: impl Serialize) -> Value {
    serde_json::to_value(what).expect("what was read can be written")
}
