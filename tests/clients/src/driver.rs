use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde::Deserialize;
use serde_json::Value;
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::Reach;
use crate::instruction::Instruction;
use crate::session::RpcError;

/// A client in a process of its own.
#[derive(Debug)]
pub(crate) struct Driver {
    process: Child,
    instructions: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    /// What the driver and the server write to standard error.
    errors: NamedTempFile,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Ok(Value),
    Error(RpcError),
}

impl Driver {
    pub(crate) fn start(interpreter: &Path, driver: &Path, mode: &str, reach: &Reach) -> Self {
        let errors = NamedTempFile::new().expect("a temporary file");
        let mut command = Command::new(interpreter);
        command.arg(driver).arg(mode);
        match reach {
            Reach::Stdio(served) => command
                .arg("stdio")
                .arg(&served.program)
                .args(&served.arguments)
                .envs(served.environment.iter().cloned()),
            Reach::Http { url, token } => command.args(["http", url, token]),
        };
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.reopen().expect("a temporary file"))
            // The server ends with its client, as its standard input does.
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", interpreter.display()));
        let (Some(instructions), Some(answers)) = (process.stdin.take(), process.stdout.take())
        else {
            unreachable!("both are piped")
        };
        Self { process, instructions, answers: BufReader::new(answers).lines(), errors }
    }

    pub(crate) async fn answer(&mut self, instruction: Instruction<'_>) -> Result<Value, RpcError> {
        let mut line = serde_json::to_vec(&instruction).expect("instructions are JSON");
        line.push(b'\n');
        // A driver that has ended says why below.
        let _ = self.instructions.write_all(&line).await;
        let Ok(Some(line)) = self.answers.next_line().await else {
            panic!("the client ended at {instruction:?}\n{}", self.log())
        };
        match serde_json::from_str(&line) {
            Ok(Answer::Ok(value)) => Ok(value),
            Ok(Answer::Error(error)) => Err(error),
            Err(error) => panic!("{error}: {line}\n{}", self.log()),
        }
    }

    pub(crate) async fn close(self) {
        let Self { mut process, instructions, errors, .. } = self;
        drop(instructions);
        let status = process.wait().await.expect("the process can be waited for");
        let log = fs::read_to_string(errors.path()).unwrap_or_default();
        assert!(status.success(), "the client ended with {status}\n{log}");
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.errors.path()).unwrap_or_default()
    }
}
