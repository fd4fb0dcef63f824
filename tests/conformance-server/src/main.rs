//! Serves what the official conformance suite asks for.
//!
//!     conformance-server http 127.0.0.1:8001
//!
//! Port 0 takes a free one. The address is printed when the server listens: `http://127.0.0.1:8001/mcp`.
//! `--always-stream` after it answers every request with a stream of events.

mod asking;
mod changes;
mod content;
mod jobs;
mod prompts;
mod replies;
mod resources;
mod rounds;
mod skills;
mod state;

use std::process::ExitCode;

use agent_mcp::{BoxError, Server, Store};

use crate::{
    asking::Asking,
    changes::Changing,
    content::Contents,
    jobs::Jobs,
    prompts::Prompts,
    replies::Replies,
    resources::Resources,
    rounds::Rounds,
    state::{Model, update},
};

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("conformance-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (address, always_stream) = match arguments[..] {
        ["http", address] => (address, false),
        ["http", address, "--always-stream"] => (address, true),
        _ => return Err("say `http ADDRESS`, as in `http 127.0.0.1:8001`".into()),
    };
    let mut http = server().skills(skills::skills()?).http();
    if always_stream {
        http = http.always_stream();
    }
    let listening = http.listen(address).await?;
    println!("http://{}/mcp", listening.address()?);
    listening.serve().await?;
    Ok(())
}

/// The order of the agents and of what each declares is that of the lists, and the suite depends on it: it
/// calls the first tool without arguments and reads the first resource.
fn server() -> Server {
    let store = Store::new(Model::default(), update);
    Server::new(Contents)
        .with_bound(Resources, store.clone())
        .with(Prompts)
        .with(Replies)
        .with(Asking)
        .with(Rounds)
        .with(Jobs)
        .with_bound(Changing, store)
        .name("conformance-server")
        .version(env!("CARGO_PKG_VERSION"))
}
