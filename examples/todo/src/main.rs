//! Serves a todo list, over standard input and output or over HTTP.
//!
//!     todo [FILE [TITLE..]]
//!     todo http ADDRESS [FILE]
//!
//! With a title it writes that down, saves the list and ends. Without a file the list lives as long as the
//! program. `TODO_DELAY_MS` makes the storage slow, to see how an agent waits.
//!
//! `TODO_USER` says whose agent it is, `TODO_RIGHTS` what that person may do (`edit,delete,admin`; the last is
//! not given by itself). Over HTTP there are several people, each with a token; `TODO_USERS` names their file.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use agent_mcp::BoxError;
use todo::storage::Storage;
use todo::user::{User, Users};
use todo::{App, app, over_http, write_down};
use tokio::signal::ctrl_c;

#[tokio::main]
async fn main() -> ExitCode {
    // What breaks inside is told here, with the reference number that the agent reads.
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard output belongs to the protocol.
            eprintln!("todo: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), BoxError> {
    let delay = Duration::from_millis(variable("TODO_DELAY_MS", "0").parse()?);
    let mut words = std::env::args_os().skip(1).peekable();
    // A list in a file of that name is `./http`.
    let over_http = words.next_if(|word| word == "http").is_some();
    let address = if over_http { words.next() } else { None };
    let storage = words.next().map_or_else(Storage::default, Storage::in_file);
    let title: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let app = app(storage.slowed(delay))?;
    if over_http {
        let address = address.as_ref().and_then(|address| address.to_str()?.parse().ok());
        let address = address.filter(|_| title.is_empty());
        let address = address.ok_or("say `todo http 127.0.0.1:8787`, and a file after it")?;
        return serve_http(app, address).await;
    }
    let user = User::new(variable("TODO_USER", "owner"))
        .with_rights(&variable("TODO_RIGHTS", "edit,delete"))?;
    if title.is_empty() {
        app.server.principal(user).serve_stdio().await?;
    } else {
        write_down(app, user, title.join(" ")).await?;
    }
    Ok(())
}

async fn serve_http(app: App, address: SocketAddr) -> Result<(), BoxError> {
    let users = match std::env::var_os("TODO_USERS") {
        Some(file) => Users::read(file)?,
        None if address.ip().is_loopback() => Users::demo()?,
        None => {
            return Err("everybody knows the tokens of the demo users: let TODO_USERS name \
                        a file of your own, or listen on 127.0.0.1"
                .into());
        }
    };
    let listening = over_http(app, users).listen(address).await?;
    println!("http://{}/mcp", listening.address()?);
    let closer = listening.closer();
    // The first Ctrl-C lets calls come to their end, the second does not wait for them.
    tokio::spawn(async move {
        if ctrl_c().await.is_ok() {
            closer.close();
        }
        if ctrl_c().await.is_ok() {
            closer.abort();
        }
    });
    Ok(listening.serve().await?)
}

fn variable(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}
