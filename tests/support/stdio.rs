//! A client for servers over standard input and output that takes nothing for granted: it sends bytes and
//! reads lines.

use std::{
    process::{ExitStatus, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::witness::Witness;

/// `initialize` and `notifications/initialized`, as one client writes them.
pub const HANDSHAKE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);

/// No answer takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(30);

/// A line that calls a tool.
#[must_use]
pub fn call(id: u64, tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string() + "\n"
}

/// A line that asks whether anybody is there.
#[must_use]
pub fn ping(id: u64) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string() + "\n"
}

/// A line that cancels a call.
#[must_use]
pub fn cancel(id: u64) -> String {
    let params = json!({"requestId": id, "reason": "a test"});
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string()
        + "\n"
}

/// The text of a result.
#[must_use]
pub fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// A server that runs as a child, and our ends of its streams. What it says is held to the published schemas.
pub struct Process {
    witness: Witness,
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Process {
    /// Starts a program.
    ///
    /// # Panics
    ///
    /// It cannot be started.
    #[must_use]
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = child.stdout.take().map(BufReader::new);
        Self { witness: Witness::default(), child, input, output }
    }

    /// Starts a program and shakes hands with it.
    pub async fn ready(program: &str, arguments: &[&str]) -> Self {
        let mut process = Self::start(program, arguments);
        process.send(HANDSHAKE).await;
        let welcome = process.message().await;
        assert_eq!(welcome["result"]["protocolVersion"], "2025-11-25", "{welcome}");
        process
    }

    /// The process's id.
    ///
    /// # Panics
    ///
    /// It has ended.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id().expect("the process runs")
    }

    /// Writes to its input.
    ///
    /// # Panics
    ///
    /// It is closed, or is not read.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        for line in bytes.as_ref().split(|byte| *byte == b'\n') {
            if let Ok(message) = serde_json::from_slice(line) {
                self.witness.client(&message);
            }
        }
        let input = self.input.as_mut().expect("the input is open");
        let written = timeout(PATIENCE, input.write_all(bytes.as_ref())).await;
        written.expect("the input is read").expect("the input is open");
    }

    /// The input, to be written to by another task.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes its output.
    pub fn close_output(&mut self) {
        self.output = None;
    }

    /// The next line of its output, with its end; `None` at the end.
    ///
    /// # Panics
    ///
    /// None comes.
    pub async fn line(&mut self) -> Option<String> {
        let output = self.output.as_mut().expect("the output is open");
        let mut line = String::new();
        let read = timeout(PATIENCE, output.read_line(&mut line)).await;
        let count = read.expect("there is a line").expect("the output is UTF-8");
        (count > 0).then_some(line)
    }

    /// The next message of its output, which must be one line.
    ///
    /// # Panics
    ///
    /// It is not.
    pub async fn message(&mut self) -> Value {
        let line = self.line().await.expect("the server is there");
        assert!(line.ends_with('\n') && !line.ends_with("\r\n"), "{line:?}");
        let message: Value = serde_json::from_str(&line).expect("each line is a message");
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        self.witness.server(&message);
        message
    }

    /// The messages up to the one that answers `id`, which is the last of them.
    pub async fn until(&mut self, id: u64) -> Vec<Value> {
        let mut messages = Vec::new();
        loop {
            let message = self.message().await;
            let last = message["id"] == id;
            messages.push(message);
            if last {
                return messages;
            }
        }
    }

    /// The answer to `id`; others before it are left out.
    ///
    /// # Panics
    ///
    /// There is none.
    pub async fn answer(&mut self, id: u64) -> Value {
        self.until(id).await.pop().expect("there is an answer")
    }

    /// The messages up to the end of the output.
    pub async fn rest(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Some(line) = self.line().await {
            assert!(line.ends_with('\n'), "the last line is whole: {line:?}");
            messages.push(serde_json::from_str(&line).expect("each line is a message"));
        }
        messages
    }

    /// Waits for the process's end; gives its status and what it wrote to standard error.
    ///
    /// # Panics
    ///
    /// It does not end within `limit`.
    pub async fn ended_within(mut self, limit: Duration) -> (ExitStatus, String) {
        let status = timeout(limit, self.child.wait()).await;
        let status = status.expect("the process ends in time").expect("the process is ours");
        let mut errors = String::new();
        let mut stderr = self.child.stderr.take().expect("standard error is ours");
        stderr.read_to_string(&mut errors).await.expect("standard error is UTF-8");
        (status, errors)
    }
}
