use std::fs;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ProtocolVersion, ReadResourceRequestParams,
    SubscriptionFilter,
};
use rmcp::service::{
    ClientCacheConfig, NotificationContext, RunningService, ServiceError, Subscription,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::process::Command;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::session::{Instruction, RpcError};
use crate::{Era, Reach};

/// `rmcp`'s client, in this process.
#[derive(Debug)]
pub(crate) struct Rust {
    era: Era,
    reach: Reach,
    client: RunningService<RoleClient, Notices>,
    /// Modern: notices come to who has subscribed.
    subscription: Option<Subscription>,
    /// The call that was started.
    started: Option<JoinHandle<Result<CallToolResult, ServiceError>>>,
    errors: NamedTempFile,
}

/// Legacy: notices come to the handler.
#[derive(Debug, Clone, Default)]
struct Notices(Arc<Notify>);

impl ClientHandler for Notices {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.notify_one();
    }
}

impl Rust {
    pub(crate) async fn open(era: Era, reach: Reach) -> Self {
        let errors = NamedTempFile::new().expect("a temporary file");
        let client = connect(era, &reach, &errors).await;
        let changes = client.peer_info().is_some_and(|server| {
            server.capabilities.tools.as_ref().is_some_and(|tools| tools.list_changed == Some(true))
        });
        let subscription =
            if era == Era::Modern && changes { Some(subscribe(&client).await) } else { None };
        Self { era, reach, client, subscription, started: None, errors }
    }

    pub(crate) async fn answer(&mut self, instruction: Instruction<'_>) -> Result<Value, RpcError> {
        match instruction {
            Instruction::Hello => {
                let server = self.client.peer_info().expect("the client is connected");
                let server = serde_json::to_value(server).expect("what was read can be written");
                Ok(json!({
                    "protocol": server["protocolVersion"],
                    "server": server["serverInfo"],
                    "capabilities": server["capabilities"],
                    "instructions": server["instructions"],
                }))
            }
            Instruction::Tools => read(self.client.list_tools(None).await),
            Instruction::Call { name, arguments } => {
                read(self.client.call_tool(call(name, arguments)).await)
            }
            Instruction::Resources => read(self.client.list_resources(None).await),
            Instruction::Read { uri } => {
                read(self.client.read_resource(ReadResourceRequestParams::new(uri)).await)
            }
            Instruction::Changed => {
                match &mut self.subscription {
                    // Who was cut off listens again, which `rmcp` leaves to the application. What has
                    // changed until then is not told, so it counts as a change.
                    Some(subscription) => match subscription.next().await {
                        Ok(Some(_)) => {}
                        Ok(None) | Err(_) => *subscription = subscribe(&self.client).await,
                    },
                    None => self.client.service().0.notified().await,
                }
                Ok(json!({}))
            }
            Instruction::Start { name, arguments } => {
                let (peer, call) = (self.client.peer().clone(), call(name, arguments));
                self.started = Some(tokio::spawn(async move { peer.call_tool(call).await }));
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

    pub(crate) async fn close(self) {
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
) -> RunningService<RoleClient, Notices> {
    let lifecycle = match era {
        Era::Legacy => ClientLifecycleMode::Initialize,
        Era::Modern => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    };
    let notices = Notices::default();
    let client = match reach {
        Reach::Stdio(served) => {
            let mut command = Command::new(&served.program);
            command.args(&served.arguments).envs(served.environment.iter().cloned());
            let (server, _) = TokioChildProcess::builder(command)
                .stderr(errors.reopen().expect("a temporary file"))
                .spawn()
                .unwrap_or_else(|error| panic!("{}: {error}", served.program.display()));
            notices.serve_with_lifecycle(server, lifecycle).await
        }
        Reach::Http { url, token } => {
            let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                .auth_header(token.as_str());
            let server = StreamableHttpClientTransport::from_config(config);
            notices.serve_with_lifecycle(server, lifecycle).await
        }
    };
    let client = client.unwrap_or_else(|error| panic!("rmcp cannot connect: {error}"));
    // A server's cache hint must not hide a change from the test.
    client.set_response_cache_config(ClientCacheConfig::disabled()).await;
    client
}

async fn subscribe(client: &RunningService<RoleClient, Notices>) -> Subscription {
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    client.listen(filter).await.expect("the server takes the subscription")
}

fn call(name: &str, arguments: Value) -> CallToolRequestParams {
    let call = CallToolRequestParams::new(name.to_owned());
    match arguments {
        Value::Object(arguments) => call.with_arguments(arguments),
        other => panic!("arguments are an object, not {other}"),
    }
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
