mod call;
mod person;

use std::collections::HashMap;
use std::fs;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, CompleteRequestParams, GetPromptRequestParams,
    LoggingLevel, ProtocolVersion, ReadResourceRequestParams, ServerNotification,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{ClientCacheConfig, RunningService, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::process::Command;
use tokio::task::{AbortHandle, JoinHandle};

use self::person::Person;
use crate::instruction::Instruction;
use crate::session::RpcError;
use crate::{Era, Notice, Reach};

/// `rmcp`'s client, in this process.
#[derive(Debug)]
pub(crate) struct Rust {
    era: Era,
    reach: Reach,
    client: RunningService<RoleClient, Person>,
    /// Modern: notices come to who has subscribed; by the URI of the resource, the list of tools under none.
    subscriptions: HashMap<String, AbortHandle>,
    /// Modern: each request says it.
    log_level: Option<LoggingLevel>,
    /// The call that was started.
    started: Option<JoinHandle<Result<CallToolResult, ServiceError>>>,
    errors: NamedTempFile,
}

impl Rust {
    pub(crate) async fn open(era: Era, reach: Reach) -> Self {
        let errors = NamedTempFile::new().expect("a temporary file");
        let client = connect(era, &reach, &errors).await;
        let changes = client.peer_info().is_some_and(|server| {
            server.capabilities.tools.as_ref().is_some_and(|tools| tools.list_changed == Some(true))
        });
        let subscriptions = HashMap::new();
        let mut opened =
            Self { era, reach, client, subscriptions, log_level: None, started: None, errors };
        if era == Era::Modern && changes {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            opened.listen("", filter, Notice::Tools).await;
        }
        opened
    }

    pub(crate) async fn answer(&mut self, instruction: Instruction<'_>) -> Result<Value, RpcError> {
        // The client runs on the thread of the test, which may ask for the same thing again and again.
        tokio::task::yield_now().await;
        let (client, person) = (&self.client, self.client.service());
        match instruction {
            Instruction::Hello => {
                let server = client.peer_info().expect("the client is connected");
                let server = serde_json::to_value(server).expect("what was read can be written");
                Ok(json!({
                    "protocol": server["protocolVersion"],
                    "server": server["serverInfo"],
                    "capabilities": server["capabilities"],
                    "instructions": server["instructions"],
                }))
            }
            Instruction::Tools => read(client.list_tools(None).await),
            Instruction::Call { name, arguments } => read(self.call(name, arguments).await),
            Instruction::Prompts => read(client.list_prompts(None).await),
            Instruction::Prompt { name, arguments } => {
                let get = GetPromptRequestParams::new(name).with_arguments(object(arguments));
                read(client.get_prompt(get).await)
            }
            Instruction::Complete { of, argument, typed, chosen } => {
                let mut complete = json!({
                    "ref": of,
                    "argument": {"name": argument, "value": typed},
                });
                if let Some(chosen) = chosen {
                    complete["context"] = json!({"arguments": chosen});
                }
                let complete: CompleteRequestParams = typed_as(complete);
                read(client.complete(complete).await)
            }
            Instruction::Resources => read(client.list_resources(None).await),
            Instruction::Templates => read(client.list_resource_templates(None).await),
            Instruction::Read { uri } => {
                read(client.read_resource(ReadResourceRequestParams::new(uri)).await)
            }
            Instruction::Subscribe { uri } => match self.era {
                Era::Legacy => read(client.subscribe(SubscribeRequestParams::new(uri)).await),
                Era::Modern => {
                    let filter = SubscriptionFilter::builder().resource_subscription(uri).build();
                    self.listen(uri, filter, Notice::Updated).await;
                    Ok(json!({}))
                }
            },
            Instruction::Unsubscribe { uri } => match self.subscriptions.remove(uri) {
                Some(subscription) => {
                    // `rmcp` ends a subscription that is dropped.
                    subscription.abort();
                    Ok(json!({}))
                }
                None => read(client.unsubscribe(UnsubscribeRequestParams::new(uri)).await),
            },
            Instruction::LogFrom { level } => {
                let level: LoggingLevel = typed_as(level.into());
                match self.era {
                    Era::Legacy => read(client.set_level(SetLevelRequestParams::new(level)).await),
                    Era::Modern => {
                        self.log_level = Some(level);
                        Ok(json!({}))
                    }
                }
            }
            Instruction::Heard { notice } => Ok(person.hears(notice).await),
            Instruction::WillAnswer { question, answer } => {
                person.will_answer(question, answer);
                Ok(json!({}))
            }
            Instruction::Asked { question } => Ok(json!({"asked": person.asked(question)})),
            Instruction::Start { name, arguments } => {
                self.started = Some(tokio::spawn(self.call(name, arguments)));
                // On one thread, which is that of the test, it is sent before anything that follows.
                tokio::task::yield_now().await;
                Ok(json!({}))
            }
            Instruction::Finish => {
                let started = self.started.take().expect("a call was started");
                read(started.await.expect("the call does not panic"))
            }
            Instruction::GiveUp => {
                let started = self.started.take().expect("a call was started");
                // `rmcp` cancels a call that is dropped.
                started.abort();
                match started.await {
                    Ok(result) => Ok(json!({"answered": [read(result)?]})),
                    Err(_) => Ok(json!({"answered": []})),
                }
            }
            Instruction::Reopen => {
                *self = Self::open(self.era, self.reach.clone()).await;
                Ok(json!({}))
            }
        }
    }

    fn call(
        &self,
        name: &str,
        arguments: Value,
    ) -> impl Future<Output = Result<CallToolResult, ServiceError>> + Send + use<> {
        let mut call =
            CallToolRequestParams::new(name.to_owned()).with_arguments(object(arguments));
        if let Some(level) = self.log_level {
            call.meta.get_or_insert_default().set_log_level(level);
        }
        call::call(self.client.peer().clone(), self.client.service().clone(), call)
    }

    /// Modern: tells the person what a subscription brings, until it is ended.
    async fn listen(&mut self, to: &str, filter: SubscriptionFilter, notice: Notice) {
        let (peer, person) = (self.client.peer().clone(), self.client.service().clone());
        let mut subscription =
            peer.listen(filter.clone()).await.expect("the server takes the subscription");
        let lost = json!({"uri": to});
        let listening = tokio::spawn(async move {
            loop {
                match subscription.next().await {
                    Ok(Some(ServerNotification::ResourceUpdatedNotification(updated))) => {
                        person.tell(notice, updated.params);
                    }
                    Ok(Some(_)) => person.tell(notice, Value::Null),
                    // Who was cut off listens again, which `rmcp` leaves to the application. What has changed
                    // until then is not told, so it counts as a change.
                    Ok(None) | Err(_) => {
                        let Ok(again) = peer.listen(filter.clone()).await else { return };
                        subscription = again;
                        person.tell(notice, &lost);
                    }
                }
            }
        });
        self.subscriptions.insert(to.to_owned(), listening.abort_handle());
    }

    pub(crate) async fn close(self) {
        self.subscriptions.values().for_each(AbortHandle::abort);
        self.client.cancel().await.expect("the client ends");
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.errors.path()).unwrap_or_default()
    }
}

async fn connect(
    era: Era,
    reach: &Reach,
    errors: &NamedTempFile,
) -> RunningService<RoleClient, Person> {
    let lifecycle = match era {
        Era::Legacy => ClientLifecycleMode::Initialize,
        Era::Modern => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    };
    let person = Person::new(era);
    let client = match reach {
        Reach::Stdio(served) => {
            let mut command = Command::new(&served.program);
            command.args(&served.arguments).envs(served.environment.iter().cloned());
            let (server, _) = TokioChildProcess::builder(command)
                .stderr(errors.reopen().expect("a temporary file"))
                .spawn()
                .unwrap_or_else(|error| panic!("{}: {error}", served.program.display()));
            person.serve_with_lifecycle(server, lifecycle).await
        }
        Reach::Http { url, token } => {
            let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                .auth_header(token.as_str());
            let server = StreamableHttpClientTransport::from_config(config);
            person.serve_with_lifecycle(server, lifecycle).await
        }
    };
    let client = client.unwrap_or_else(|error| panic!("rmcp cannot connect: {error}"));
    // A server's cache hint must not hide a change from the test.
    client.set_response_cache_config(ClientCacheConfig::disabled()).await;
    client
}

fn object(arguments: Value) -> serde_json::Map<String, Value> {
    match arguments {
        Value::Object(arguments) => arguments,
        other => panic!("arguments are an object, not {other}"),
    }
}

fn typed_as<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the test says what rmcp has a type for")
}

/// What the SDK read, as it is on the wire.
fn read<T: serde::Serialize>(result: Result<T, ServiceError>) -> Result<Value, RpcError> {
    match result {
        Ok(value) => Ok(serde_json::to_value(value).expect("what was read can be written")),
        Err(ServiceError::McpError(error)) => Err(RpcError {
            code: error.code.0.into(),
            message: error.message.into_owned(),
            data: error.data.unwrap_or_default(),
        }),
        // The code that other SDKs give to a connection that ended before its answer.
        Err(closed @ ServiceError::TransportClosed) => {
            Err(RpcError { code: -32000, message: closed.to_string(), data: Value::Null })
        }
        Err(other) => panic!("rmcp: {other}"),
    }
}
