//! Calls, reads and prompts, by a client in this process.

use std::{process::ExitCode, sync::Arc};

use serde_json::{Value, json};

use super::{
    arguments,
    console::Console,
    contract::print,
    exit::{Exit, broken, finish, usage},
    show,
};
use crate::{
    client::{Client, Introduction, Reply},
    contract::{Contract, TaskMode},
    mcp::{Handler, Handlers},
    runtime::{LogLevel, Principal},
    schema::nearest,
};

/// The code of the protocol for a client that lacks something.
const NOBODY: i64 = -32021;

/// What is asked of the server.
pub(super) enum Wanted {
    /// The list, or one of it.
    Tools(Option<String>),
    /// A call, with arguments.
    Call(String, Option<String>),
    /// A resource.
    Read(String),
    /// A prompt, with arguments.
    Prompt(String, Option<String>),
}

/// Asks the server, until it has answered or somebody interrupts it.
pub(super) async fn make<P: Principal>(
    handlers: &Handlers<P>,
    principal: Arc<P>,
    wanted: Wanted,
    json: bool,
) -> ExitCode {
    // Before anything listens for Ctrl-C: standard input may have to be read to its end.
    let request = match request(&wanted) {
        Ok(request) => request,
        Err(error) => return usage(&error).code(),
    };
    let handler = match handlers.shared() {
        Some(handler) => handler,
        None => match handlers.make(&principal).await {
            Ok(handler) => handler,
            Err(failure) => return broken(&failure.into_cause()).code(),
        },
    };
    let console = Console::new();
    let exit = tokio::select! {
        exit = ask(&handler, principal, &wanted, request, json, &console) => exit,
        // The call is dropped with its client, and so cancelled.
        _ = tokio::signal::ctrl_c() => Exit::Interrupted,
    };
    console.clear();
    finish(handler.runtime(), exit).await
}

async fn ask<P: Principal>(
    handler: &Handler<P>,
    principal: Arc<P>,
    wanted: &Wanted,
    (method, params): (&'static str, Value),
    json: bool,
    console: &Console,
) -> Exit {
    let contract = handler.runtime().contract();
    let Some(revision) = handler.offered().iter().max().copied() else {
        return broken(&"the server speaks no revision of the protocol");
    };
    let says = Introduction {
        name: "agent-mcp-cli",
        revision,
        capabilities: capabilities(contract, wanted, console),
        log_level: LogLevel::Info,
    };
    let client = match Client::connect(handler, principal, says).await {
        Ok(client) => client,
        Err(failed) => return broken(&failed),
    };
    if let Wanted::Tools(name) = wanted {
        return match client.list(method, "tools").await {
            Ok(tools) => list(contract, &tools, name.as_deref(), json),
            Err(failed) => broken(&failed),
        };
    }
    let reply = client.request(method, params, console).await;
    console.clear();
    let exit = answered(&reply, wanted, json);
    if exit == Exit::Usage {
        help(&client, contract, wanted).await;
    }
    if reply.failure().is_some_and(|failed| failed.code == Some(NOBODY)) && !console.asks() {
        eprintln!("on a terminal it can ask for a form");
    }
    exit
}

/// The request for what is wanted.
fn request(wanted: &Wanted) -> Result<(&'static str, Value), String> {
    Ok(match wanted {
        Wanted::Tools(_) => ("tools/list", json!({})),
        Wanted::Read(uri) => ("resources/read", json!({ "uri": uri })),
        Wanted::Call(name, typed) => {
            let arguments = arguments::read(typed.clone())?;
            ("tools/call", with(name, arguments))
        }
        Wanted::Prompt(name, typed) => {
            let arguments = arguments::as_texts(arguments::read(typed.clone())?);
            ("prompts/get", with(name, arguments))
        }
    })
}

fn with(name: &str, arguments: Value) -> Value {
    match arguments {
        Value::Null => json!({ "name": name }),
        arguments => json!({ "name": name, "arguments": arguments }),
    }
}

/// What this client can do: what is asked, where there is somebody to ask; tasks, where there is no other way.
fn capabilities(contract: &Contract, wanted: &Wanted, console: &Console) -> Value {
    let mut capabilities = json!({});
    if console.asks() {
        capabilities["elicitation"] = json!({"form": {}});
    }
    if let Wanted::Call(name, _) = wanted
        && contract.capability(name).is_some_and(|it| it.task == Some(TaskMode::Required))
    {
        capabilities["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
    }
    capabilities
}

/// Prints the reply.
fn answered(reply: &Reply, wanted: &Wanted, json: bool) -> Exit {
    let failure = reply.failure();
    let exit = failure.as_ref().map_or(Exit::Fine, Exit::of);
    let printed = match &failure {
        _ if json => print(&format!("{}\n", show::bare(reply))),
        Some(failed) => {
            let status = failed.status.as_ref().map(|status| format!(" [{status}]"));
            eprintln!("error: {failed}{}", status.unwrap_or_default());
            Exit::Fine
        }
        None => print(&show::result(reply, matches!(wanted, Wanted::Prompt(..)))),
    };
    if printed == Exit::Fine { exit } else { printed }
}

/// Says what could be typed instead.
async fn help<P: Principal>(client: &Client<P>, contract: &Contract, wanted: &Wanted) {
    let meant = |name: &str, names: Vec<String>| {
        // What is there was not taken for something else.
        let is_there = names.iter().any(|it| it == name);
        let near = nearest(name, names.iter().map(String::as_str)).filter(|_| !is_there);
        if let Some(near) = near {
            eprintln!("did you mean `{near}`?");
        }
    };
    let listed = |entries: Vec<Value>, key: &str| -> Vec<String> {
        entries.iter().filter_map(|entry| entry[key].as_str().map(str::to_owned)).collect()
    };
    match wanted {
        Wanted::Call(name, _) if contract.capability(name).is_some() => {
            eprintln!("`tools {name}` shows its arguments");
        }
        Wanted::Read(uri) => {
            let entries = client.list("resources/list", "resources").await.unwrap_or_default();
            meant(uri, listed(entries, "uri"));
        }
        Wanted::Prompt(name, _) => {
            let entries = client.list("prompts/list", "prompts").await.unwrap_or_default();
            meant(name, listed(entries, "name"));
        }
        // The server itself names the tool that was meant.
        Wanted::Call(..) | Wanted::Tools(_) => {}
    }
}

/// Prints the tools, or one of them.
fn list(contract: &Contract, tools: &[Value], name: Option<&str>, json: bool) -> Exit {
    let Some(name) = name else {
        return print(&match json {
            true => format!("{}\n", Value::from(tools)),
            false => show::tools(tools),
        });
    };
    if let Some(tool) = tools.iter().find(|tool| tool["name"] == name) {
        return print(&match json {
            true => format!("{tool}\n"),
            false => show::tool(tool),
        });
    }
    if contract.capability(name).is_some() {
        return usage(&format_args!("the tool `{name}` is not there now"));
    }
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    let meant = nearest(name, names).map(|near| format!(", did you mean `{near}`?"));
    usage(&format_args!("there is no tool `{name}`{}", meant.unwrap_or_default()))
}
