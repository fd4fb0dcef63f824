//! What can be said of a server without calling it.

use std::io::{ErrorKind, Write};

use serde_json::json;

use super::exit::{Exit, broken};
use crate::contract::{Contract, LintLevel};

/// Prints to standard output. Whoever reads no more is done.
pub(super) fn print(text: &str) -> Exit {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => broken(&error),
        _ => Exit::Fine,
    }
}

pub(super) fn lint(contract: &Contract, json: bool) -> Exit {
    let lints = contract.lint();
    let level = |level| if level == LintLevel::Advice { "advice" } else { "warning" };
    let text = if json {
        let lints = lints.iter().map(|lint| {
            json!({
                "code": lint.code,
                "level": level(lint.level),
                "subject": lint.subject,
                "message": lint.message,
            })
        });
        format!("{}\n", lints.collect::<serde_json::Value>())
    } else {
        lints.iter().map(|lint| format!("{}: {lint}\n", level(lint.level))).collect()
    };
    match print(&text) {
        Exit::Fine if !lints.is_empty() => Exit::Failed,
        exit => exit,
    }
}
