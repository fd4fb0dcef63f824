use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::driver::Driver;
use crate::rust::Rust;
use crate::{Client, Era, Served, install};

/// How long a client may take for one thing before the test fails. Generous: other tests run beside it.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a client is told to do.
#[derive(Debug, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum Instruction<'a> {
    /// Say what the conversation was opened with.
    Hello,
    /// List the tools.
    Tools,
    /// Call a tool.
    Call { name: &'a str, arguments: Value },
    /// List the resources.
    Resources,
    /// Read a resource.
    Read { uri: &'a str },
    /// Wait for the notice that the list of tools has changed; one that came earlier counts.
    Changed,
    /// Start a call and give it up once the server has it.
    Cancel { name: &'a str, arguments: Value },
}

/// An error of the protocol.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RpcError {
    /// JSON-RPC's code.
    pub code: i64,
    /// Its text.
    pub message: String,
    /// What else there is to say.
    #[serde(default)]
    pub data: Value,
}

/// The result of a call, as far as the tests look at it.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// The text blocks, joined.
    pub text: String,
    /// `structuredContent`.
    pub structured: Option<Value>,
    /// `isError`.
    pub is_error: bool,
}

/// A conversation between a client and a server that was started for it.
#[derive(Debug)]
pub struct Session {
    client: Client,
    speaker: Speaker,
}

#[derive(Debug)]
enum Speaker {
    Rust(Box<Rust>),
    Driver(Box<Driver>),
}

impl Session {
    /// Starts a server and connects a client, which is installed below `build` first if it has to be.
    pub async fn open(client: Client, served: &Served, build: &Path) -> Self {
        let era = |era| if era == Era::Legacy { "legacy" } else { "modern" };
        let speaker = match client {
            Client::Rust(era) => Speaker::Rust(Box::new(Rust::open(era, served).await)),
            Client::Python(mode) => {
                let (python, driver) = install::python(build);
                Speaker::Driver(Box::new(Driver::start(&python, &driver, era(mode), served)))
            }
            Client::TypeScript(mode) => {
                let driver = install::node(build, "driver-client.mjs");
                Speaker::Driver(Box::new(Driver::start(
                    "node".as_ref(),
                    &driver,
                    era(mode),
                    served,
                )))
            }
            Client::TypeScript1 => {
                let driver = install::node(build, "driver-sdk.mjs");
                Speaker::Driver(Box::new(Driver::start("node".as_ref(), &driver, "legacy", served)))
            }
        };
        Self { client, speaker }
    }

    /// What the conversation was opened with: `protocol`, `server`, `capabilities`, `instructions`.
    pub async fn hello(&mut self) -> Value {
        self.expect(Instruction::Hello).await
    }

    /// The tools, by the client's own types.
    pub async fn tools(&mut self) -> Vec<Value> {
        list(self.expect(Instruction::Tools).await, "tools")
    }

    /// The names of the tools.
    pub async fn tool_names(&mut self) -> Vec<String> {
        let tools = self.tools().await;
        tools.iter().filter_map(|tool| tool["name"].as_str()).map(str::to_owned).collect()
    }

    /// Calls a tool.
    ///
    /// # Errors
    ///
    /// The protocol's; a tool's own error is a [`Called`].
    pub async fn try_call(&mut self, name: &str, arguments: Value) -> Result<Called, RpcError> {
        self.ask(Instruction::Call { name, arguments }).await.map(Called::read)
    }

    /// Calls a tool, which must answer.
    pub async fn call(&mut self, name: &str, arguments: Value) -> Called {
        match self.try_call(name, arguments).await {
            Ok(called) => called,
            Err(error) => panic!("{:?}: `{name}` failed: {error}", self.client),
        }
    }

    /// The URIs of the resources.
    pub async fn resources(&mut self) -> Vec<String> {
        let resources = list(self.expect(Instruction::Resources).await, "resources");
        resources
            .iter()
            .filter_map(|resource| resource["uri"].as_str())
            .map(str::to_owned)
            .collect()
    }

    /// Reads a resource that is JSON text.
    ///
    /// # Errors
    ///
    /// The protocol's.
    pub async fn try_read(&mut self, uri: &str) -> Result<Value, RpcError> {
        let result = self.ask(Instruction::Read { uri }).await?;
        let [content] = &list(result, "contents")[..] else {
            panic!("`{uri}` has not one content")
        };
        let text =
            content["text"].as_str().unwrap_or_else(|| panic!("`{uri}` is no text: {content}"));
        Ok(serde_json::from_str(text).unwrap_or_else(|error| panic!("`{uri}`: {error}: {text}")))
    }

    /// Reads a resource that is there.
    pub async fn read(&mut self, uri: &str) -> Value {
        match self.try_read(uri).await {
            Ok(value) => value,
            Err(error) => panic!("{:?}: reading `{uri}` failed: {error}", self.client),
        }
    }

    /// Waits for the notice that the list of tools has changed.
    pub async fn changed(&mut self) {
        self.expect(Instruction::Changed).await;
    }

    /// Starts a call and gives it up once the server has it. It must not have been answered by then.
    pub async fn cancel(&mut self, name: &str, arguments: Value) {
        let said = self.expect(Instruction::Cancel { name, arguments }).await;
        assert_eq!(said, json!({"answered": []}), "{:?}: `{name}` did not wait", self.client);
    }

    /// Ends the conversation; the client must do so without complaint.
    pub async fn close(self) {
        let closed = async {
            match self.speaker {
                Speaker::Rust(rust) => rust.close().await,
                Speaker::Driver(driver) => driver.close().await,
            }
        };
        if tokio::time::timeout(PATIENCE, closed).await.is_err() {
            panic!("{:?}: the conversation does not end", self.client);
        }
    }

    async fn expect(&mut self, instruction: Instruction<'_>) -> Value {
        let shown = format!("{instruction:?}");
        match self.ask(instruction).await {
            Ok(value) => value,
            Err(error) => panic!("{:?}: {shown} failed: {error}", self.client),
        }
    }

    async fn ask(&mut self, instruction: Instruction<'_>) -> Result<Value, RpcError> {
        let shown = format!("{instruction:?}");
        let answer = async {
            match &mut self.speaker {
                Speaker::Rust(rust) => rust.answer(instruction).await,
                Speaker::Driver(driver) => driver.answer(instruction).await,
            }
        };
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(answer) => answer,
            Err(_) => panic!("{:?}: no answer to {shown}\n{}", self.client, self.log()),
        }
    }

    fn log(&self) -> String {
        match &self.speaker {
            Speaker::Rust(rust) => rust.log(),
            Speaker::Driver(driver) => driver.log(),
        }
    }
}

impl Called {
    fn read(result: Value) -> Self {
        let text = result["content"].as_array().into_iter().flatten();
        let text: Vec<_> = text.filter_map(|content| content["text"].as_str()).collect();
        Self {
            text: text.join("\n"),
            structured: result.get("structuredContent").cloned(),
            is_error: result["isError"] == true,
        }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

fn list(mut result: Value, member: &str) -> Vec<Value> {
    match result[member].take() {
        Value::Array(list) => list,
        other => panic!("`{member}` is {other}"),
    }
}
