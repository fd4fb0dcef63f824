use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::driver::Driver;
use crate::instruction::Instruction;
use crate::rust::Rust;
use crate::{Client, Era, Notice, Question, Reach, install};

/// How long a client may take for one thing before the test fails. Generous: other tests run beside it.
const PATIENCE: Duration = Duration::from_secs(60);

/// An error of the protocol.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RpcError {
    /// JSON-RPC's code, or the status of HTTP where a client reports that.
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
    /// What it works on is kept until it is over.
    _reach: Reach,
    speaker: Speaker,
}

#[derive(Debug)]
enum Speaker {
    Rust(Box<Rust>),
    Driver(Box<Driver>),
}

impl Session {
    /// Connects a client to a server. The client is installed below `build` first if it has to be.
    pub async fn open(client: Client, reach: Reach, build: &Path) -> Self {
        let (interpreter, driver) = match client {
            Client::Rust(era) => {
                let rust = Rust::open(era, reach.clone()).await;
                return Self { client, _reach: reach, speaker: Speaker::Rust(Box::new(rust)) };
            }
            Client::Python(_) => install::python(build),
            Client::TypeScript(_) => ("node".into(), install::node(build, "driver-client.mjs")),
            Client::TypeScript1 => ("node".into(), install::node(build, "driver-sdk.mjs")),
        };
        let mode = if client.era() == Era::Legacy { "legacy" } else { "modern" };
        let driver = Driver::start(&interpreter, &driver, mode, &reach);
        Self { client, _reach: reach, speaker: Speaker::Driver(Box::new(driver)) }
    }

    /// What the conversation was opened with: `protocol`, `server`, `capabilities`, `instructions`.
    pub async fn hello(&mut self) -> Value {
        self.expect(Instruction::Hello).await
    }

    /// The tools, by the client's own types.
    pub async fn tools(&mut self) -> Vec<Value> {
        list(self.expect(Instruction::Tools).await, "tools")
    }

    /// Lists the tools.
    ///
    /// # Errors
    ///
    /// What the client reports.
    pub async fn try_tools(&mut self) -> Result<Vec<Value>, RpcError> {
        self.ask(Instruction::Tools).await.map(|result| list(result, "tools"))
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

    /// The prompts, by the client's own types.
    pub async fn prompts(&mut self) -> Vec<Value> {
        list(self.expect(Instruction::Prompts).await, "prompts")
    }

    /// Gets a prompt.
    ///
    /// # Errors
    ///
    /// The protocol's.
    pub async fn prompt(&mut self, name: &str, arguments: Value) -> Result<Vec<Value>, RpcError> {
        let result = self.ask(Instruction::Prompt { name, arguments }).await;
        result.map(|result| list(result, "messages"))
    }

    /// What is suggested for an argument of `of`, a prompt or a template, when that is typed and the others are
    /// `chosen`.
    pub async fn suggestions(
        &mut self,
        of: Value,
        argument: &str,
        typed: &str,
        chosen: Option<Value>,
    ) -> Vec<Value> {
        let complete = Instruction::Complete { of, argument, typed, chosen };
        list(self.expect(complete).await["completion"].take(), "values")
    }

    /// The templates of resources, by the client's own types.
    pub async fn templates(&mut self) -> Vec<Value> {
        list(self.expect(Instruction::Templates).await, "resourceTemplates")
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

    /// Subscribes to a resource.
    pub async fn subscribe(&mut self, uri: &str) {
        self.expect(Instruction::Subscribe { uri }).await;
    }

    /// Ends that subscription.
    pub async fn unsubscribe(&mut self, uri: &str) {
        self.expect(Instruction::Unsubscribe { uri }).await;
    }

    /// Wants log messages from this level on.
    pub async fn log_from(&mut self, level: &str) {
        self.expect(Instruction::LogFrom { level }).await;
    }

    /// Waits for the next notice of a kind; one that came earlier counts.
    pub async fn heard(&mut self, notice: Notice) -> Value {
        self.expect(Instruction::Heard { notice }).await
    }

    /// Waits for the notice that a call is as far as `message` says, and gives the numbers: how far, of how much.
    pub async fn progressed(&mut self, message: &str) -> (Option<f64>, Option<f64>) {
        loop {
            // `@modelcontextprotocol/client` tells of the rounds of questions in this way, too.
            let heard = self.heard(Notice::Progress).await;
            if heard["message"] == message {
                return (heard["progress"].as_f64(), heard["total"].as_f64());
            }
        }
    }

    /// Waits for the notice that the list of tools has changed.
    pub async fn changed(&mut self) {
        self.heard(Notice::Tools).await;
    }

    /// Prepares what is answered to a question. Several to one are given in turn.
    pub async fn will_answer(&mut self, question: Question, answer: Value) {
        self.expect(Instruction::WillAnswer { question, answer: Some(answer) }).await;
    }

    /// Lets a question wait until the server takes it back.
    pub async fn will_not_answer(&mut self, question: Question) {
        self.expect(Instruction::WillAnswer { question, answer: None }).await;
    }

    /// What the server has asked in this way since the last time, as the client read it.
    pub async fn asked(&mut self, question: Question) -> Vec<Value> {
        list(self.expect(Instruction::Asked { question }).await, "asked")
    }

    /// Starts a call, to [`finish`](Self::finish) it or to [give it up](Self::give_up).
    pub async fn start(&mut self, name: &str, arguments: Value) {
        self.expect(Instruction::Start { name, arguments }).await;
    }

    /// Waits for the answer to the call that was started.
    ///
    /// # Errors
    ///
    /// What the client reports.
    pub async fn finish(&mut self) -> Result<Called, RpcError> {
        self.ask(Instruction::Finish).await.map(Called::read)
    }

    /// Gives up the call that was started. It must not have been answered by then.
    pub async fn give_up(&mut self) {
        let said = self.expect(Instruction::GiveUp).await;
        assert_eq!(said, json!({"answered": []}), "{:?}: the call did not wait", self.client);
    }

    /// Opens another conversation with the same server, in place of one that is lost.
    pub async fn reopen(&mut self) {
        self.expect(Instruction::Reopen).await;
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
