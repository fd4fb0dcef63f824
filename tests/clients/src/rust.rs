use std::fs;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, ProtocolVersion, ReadResourceRequestParams, SubscriptionFilter,
};
use rmcp::service::{
    ClientCacheConfig, NotificationContext, RunningService, ServiceError, Subscription,
};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::process::Command;
use tokio::sync::Notify;

use crate::session::{Instruction, RpcError};
use crate::{Era, Served};

/// `rmcp`'s client, in this process.
#[derive(Debug)]
pub(crate) struct Rust {
    client: RunningService<RoleClient, Notices>,
    /// Modern: notices come to who has subscribed.
    subscription: Option<Subscription>,
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
    pub(crate) async fn open(era: Era, served: &Served) -> Self {
        let errors = NamedTempFile::new().expect("a temporary file");
        let mut command = Command::new(&served.program);
        command.args(&served.arguments).envs(served.environment.iter().cloned());
        let (server, _) = TokioChildProcess::builder(command)
            .stderr(errors.reopen().expect("a temporary file"))
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", served.program.display()));
        let lifecycle = match era {
            Era::Legacy => ClientLifecycleMode::Initialize,
            Era::Modern => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        };
        let client = Notices::default()
            .serve_with_lifecycle(server, lifecycle)
            .await
            .unwrap_or_else(|error| panic!("rmcp cannot connect: {error}"));
        // A server's cache hint must not hide a change from the test.
        client.set_response_cache_config(ClientCacheConfig::disabled()).await;
        let changes = client.peer_info().is_some_and(|server| {
            server.capabilities.tools.as_ref().is_some_and(|tools| tools.list_changed == Some(true))
        });
        let subscription = if era == Era::Modern && changes {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            Some(client.listen(filter).await.expect("the server takes the subscription"))
        } else {
            None
        };
        Self { client, subscription, errors }
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
                    Some(subscription) => {
                        let notice = subscription.next().await.expect("the subscription goes on");
                        assert!(notice.is_some(), "the server ended the subscription");
                    }
                    None => self.client.service().0.notified().await,
                }
                Ok(json!({}))
            }
            Instruction::Cancel { name, arguments } => {
                let call = self.client.call_tool(call(name, arguments));
                // Polled first, so it is sent first; `rmcp` cancels a call that is dropped. What is
                // answered after the call was sent proves that the server has read it.
                tokio::select! {
                    biased;
                    result = call => Ok(json!({"answered": [read(result)?]})),
                    tools = self.client.list_tools(None) => read(tools).map(|_| json!({"answered": []})),
                }
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
        Err(other) => panic!("rmcp: {other}"),
    }
}
