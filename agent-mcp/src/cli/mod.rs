//! A command line for a server (feature `cli`): its tools in the hands of people and scripts.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use agent_mcp::{Server, agent, cli};
//!
//! struct Words;
//!
//! /// Looks at texts word by word.
//! #[agent]
//! impl Words {
//!     /// Count the words of a text.
//!     #[capability(read_only)]
//!     async fn count(&self, text: String) -> usize { text.split_whitespace().count() }
//! }
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     cli::run(Server::new(Words)).await
//! }
//! ```
//!
//! | command | does |
//! | --- | --- |
//! | none | serves over standard input and output, as clients start it; on a terminal it shows the help |
//! | `stdio` | the same, on a terminal too |
//! | `http [ADDRESS]` | serves over HTTP (with the feature `http`), and prints the URL |
//! | `tools [NAME]` | lists the tools that are there now, or shows one with its arguments |
//! | `call NAME [JSON]` | calls a tool; `-` reads the arguments from standard input |
//! | `read URI` | reads a resource |
//! | `prompt NAME [JSON]` | gets a prompt |
//! | `manifest`, `docs` | the contract as JSON and as Markdown |
//! | `lint` | what some client or model stumbles on |
//! | `completions SHELL` | a script for the completions of a shell |
//!
//! `call`, `read` and `prompt` are made by a client in this process, so they pass what every call passes: availability,
//! authorization, limits, audit. They are made by the server's [principal](crate::Server::principal). Results go to standard
//! output. Standard error has what is said on the way: log messages, and on a terminal a bar that shows the progress.
//! A method that asks for a form asks on the terminal; where there is none it is refused, as with every client that cannot
//! be asked. With `--json`, standard output has the result (or the error) as the protocol has it, on one line.
//!
//! # Exit codes
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | it went well |
//! | 1 | the tool failed or refused, or `lint` has findings |
//! | 2 | the command line, the name or the arguments are wrong |
//! | 3 | the server cannot be built or served |
//! | 130 | it was interrupted (Ctrl-C) |
//!
//! # Beside arguments of your own
//!
//! [`Command`] is a `clap` subcommand, and [`Cli`] does what it says:
//!
//! ```no_run
//! use std::{path::PathBuf, process::ExitCode};
//!
//! use agent_mcp::{Server, agent, cli::{self, Cli}};
//! use clap::{CommandFactory, Parser};
//!
//! # struct Notes { folder: PathBuf }
//! # #[agent]
//! # impl Notes {
//! #     /// The folder.
//! #     #[capability(read_only)]
//! #     async fn folder(&self) -> String { self.folder.display().to_string() }
//! # }
//! /// Notes in a folder.
//! #[derive(Parser)]
//! struct Arguments {
//!     /// The folder.
//!     #[arg(long)]
//!     folder: PathBuf,
//!     #[command(subcommand)]
//!     command: Option<cli::Command>,
//! }
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     let arguments = Arguments::parse();
//!     let server = Server::new(Notes { folder: arguments.folder });
//!     Cli::new(server).program(Arguments::command()).run(arguments.command).await
//! }
//! ```
//!
//! It can also be one of several variants of an enum of your own, with `#[command(flatten)]`.

mod arguments;
mod ask;
mod call;
mod command;
mod console;
mod contract;
mod exit;
mod serve;
mod show;

#[cfg(feature = "http")]
use std::net::SocketAddr;
use std::{io::IsTerminal, process::ExitCode, sync::Arc};

use clap::{CommandFactory, FromArgMatches};

pub use self::command::Command;
use self::{call::Wanted, command::Alone, exit::Exit};
#[cfg(feature = "http")]
use crate::{
    host::BoxError,
    transport::http::{Authenticate, Http},
};
use crate::{
    mcp::Handlers,
    runtime::{BuildError, PerCaller, Principal},
    server::{Identity, Server},
};

/// Does what the arguments of the program say with `server`. [The module](self) lists the commands and exit codes.
pub async fn run<P, I, B>(server: Server<P, I, B>) -> ExitCode
where
    P: Principal,
    I: Identity<P>,
    B: Into<PerCaller<P>> + Send + 'static,
{
    Cli::new(server).main().await
}

/// Builds the server.
type Build<P> = dyn FnOnce() -> Result<(Handlers<P>, Arc<P>), BuildError> + Send;

/// A server with a command line.
#[must_use = "it does nothing before it is run"]
pub struct Cli<P: Principal> {
    /// Over standard input and output, the server is built when these are the protocol's alone.
    build: Box<Build<P>>,
    program: Option<clap::Command>,
    #[cfg(feature = "http")]
    http: serve::Listen<P>,
}

impl<P: Principal> Cli<P> {
    /// The command line of `server`.
    pub fn new<I, B>(server: Server<P, I, B>) -> Self
    where
        I: Identity<P>,
        B: Into<PerCaller<P>> + Send + 'static,
    {
        Self {
            build: Box::new(|| {
                let (handlers, caller) = server.handlers()?;
                Ok((handlers, caller.principal()))
            }),
            program: None,
            #[cfg(feature = "http")]
            http: serve::to_everybody(),
        }
    }

    /// Says which command line it is a part of, for the help and the completions.
    pub fn program(mut self, program: clap::Command) -> Self {
        self.program = Some(program);
        self
    }

    /// Says who may call over HTTP, and all else that is to be said of that. `make` gets the address that was asked for.
    ///
    /// A server whose callers are told apart is not served over HTTP without it.
    ///
    /// ```no_run
    /// # use agent_mcp::{Principal, PrincipalId, Server, agent, cli::Cli, transport::http::bearer};
    /// # #[derive(Clone)]
    /// # struct User(String);
    /// # impl Principal for User { fn id(&self) -> PrincipalId { PrincipalId::local(&self.0) } }
    /// # fn find(token: &str) -> Option<User> { (token == "secret").then(|| User("ada".into())) }
    /// # async fn run(server: Server<User>) -> std::process::ExitCode {
    /// Cli::new(server.principal(User("owner".into())))
    ///     .http(|http, _address| Ok(http.authenticate(bearer(|token| std::future::ready(find(&token))))))
    ///     .main()
    ///     .await
    /// # }
    /// ```
    #[cfg(feature = "http")]
    pub fn http<F, A>(mut self, make: F) -> Self
    where
        F: FnOnce(Http<P>, SocketAddr) -> Result<Http<P, A>, BoxError> + Send + 'static,
        A: Authenticate<P>,
    {
        self.http = serve::to(make);
        self
    }

    /// Does what the arguments of the program say. Wrong ones end the program with code 2.
    pub async fn main(self) -> ExitCode {
        let program = self.program.clone().unwrap_or_else(Alone::command);
        if let Ok(arguments) = program.clone().try_get_matches() {
            return self.run(Command::from_arg_matches(&arguments).ok()).await;
        }
        // The help and what is wrong are said in the name of the server, and end the program.
        let program = match (self.program, (self.build)()) {
            (None, Ok((handlers, _))) => command::of(handlers.contract()),
            _ => program,
        };
        program.get_matches();
        Exit::Usage.code()
    }

    /// Does what `command` says. Without one it serves over standard input and output, as clients start it, or shows the
    /// help to whoever is at a terminal.
    pub async fn run(self, command: Option<Command>) -> ExitCode {
        let is_nobody_there = !std::io::stdin().is_terminal();
        if matches!(command, Some(Command::Stdio)) || command.is_none() && is_nobody_there {
            return serve::stdio(self.build).await.code();
        }
        let (handlers, principal) = match (self.build)() {
            Ok(built) => built,
            Err(error) => return exit::broken(&error).code(),
        };
        let contract = handlers.contract();
        let program = self.program.unwrap_or_else(|| command::of(contract));
        let (wanted, json) = match command {
            None | Some(Command::Stdio) => return command::help(program).code(),
            #[cfg(feature = "http")]
            Some(Command::Http { address }) => {
                return serve::http(handlers, self.http, address).await.code();
            }
            Some(Command::Manifest) => return contract::print(&contract.manifest()).code(),
            Some(Command::Docs) => return contract::print(&contract.markdown()).code(),
            Some(Command::Lint { json }) => return contract::lint(contract, json).code(),
            Some(Command::Completions { shell }) => {
                return command::completions(shell, program, contract).code();
            }
            Some(Command::Tools { name, json }) => (Wanted::Tools(name), json),
            Some(Command::Call { name, arguments, json }) => (Wanted::Call(name, arguments), json),
            Some(Command::Read { uri, json }) => (Wanted::Read(uri), json),
            Some(Command::Prompt { name, arguments, json }) => {
                (Wanted::Prompt(name, arguments), json)
            }
        };
        call::make(&handlers, principal, wanted, json).await
    }
}
