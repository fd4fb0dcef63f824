//! A todo list, served to agents and used by hand: `todo --help` shows how.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use agent_mcp::BoxError;
use agent_mcp::cli::{self, Cli};
use clap::{CommandFactory, Parser, Subcommand};
use todo::storage::Storage;
use todo::user::{User, Users};
use todo::{App, app, keep, over_http, write_down};

/// A todo list that people and agents share
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The list, a Markdown file; without one it lives as long as the program
    #[arg(long, env = "TODO_FILE", global = true)]
    file: Option<PathBuf>,
    /// Who uses it, other than over HTTP
    #[arg(long, env = "TODO_USER", default_value = "owner", global = true)]
    user: String,
    /// What that person may do: `edit`, `delete`, `admin`, joined by commas
    #[arg(long, env = "TODO_RIGHTS", default_value = "edit,delete", global = true)]
    rights: String,
    /// A file of those who may use it over HTTP, each with a token; without it, three for a demo
    #[arg(long, env = "TODO_USERS", global = true)]
    users: Option<PathBuf>,
    /// How slow the storage is, to see how an agent waits
    #[arg(long, env = "TODO_DELAY_MS", default_value_t = 0, global = true)]
    delay_ms: u64,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Write something down and save the list
    Write {
        /// What is to be done
        #[arg(required = true)]
        title: Vec<String>,
    },
    #[command(flatten)]
    Agent(cli::Command),
}

#[tokio::main]
async fn main() -> ExitCode {
    // What breaks inside is told here, with the reference number that the agent reads.
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    match start(Arguments::parse()).await {
        Ok(code) => code,
        Err(error) => {
            // Standard output belongs to the protocol.
            eprintln!("todo: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn start(arguments: Arguments) -> Result<ExitCode, BoxError> {
    let Arguments { file, user, rights, users, delay_ms, command } = arguments;
    let storage = file.map_or_else(Storage::default, Storage::in_file);
    let app = app(storage.slowed(Duration::from_millis(delay_ms)))?;
    let user = User::new(user).with_rights(&rights)?;
    let command = match command {
        Some(Command::Write { title }) => {
            write_down(app, user, title.join(" ")).await?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Command::Agent(command)) => Some(command),
        None => None,
    };
    let is_one_call = matches!(command, Some(cli::Command::Call { .. }));
    let App { store, server } = app;
    let code = Cli::new(server.principal(user))
        .program(Arguments::command())
        .http(|http, address| Ok(over_http(http, everybody(users, address)?)))
        .run(command)
        .await;
    if is_one_call {
        keep(&store).await?;
    }
    Ok(code)
}

/// Those who may use it at that address.
fn everybody(file: Option<PathBuf>, address: SocketAddr) -> Result<Users, BoxError> {
    match file {
        Some(file) => Users::read(file),
        None if address.ip().is_loopback() => Ok(Users::demo()?),
        None => Err("everybody knows the tokens of the demo users: let --users name a file of \
                     your own, or listen on 127.0.0.1"
            .into()),
    }
}
