//! The clients that people use, made to do the same things to one of the examples.
//!
//! A test is written once, against [`Session`], and runs with every [`Client`]. The clients that are not
//! Rust run in a process of their own, the *driver*: it reads one instruction a line (they are in
//! `src/instruction.rs`) and answers each with one line, `{"ok": ...}` or the protocol's
//! `{"error": {"code", "message", "data"}}`.
//!
//! Behind each client sits a person, with a model, that the test has told what to [answer](Session::will_answer).
//!
//! # What the clients can do
//!
//! All of them use tools, prompts, suggestions (with what is chosen already), resources, templates, subscriptions,
//! forms, sampling, roots, progress and log messages. They differ in this, by their sources:
//!
//! | | `rmcp` 3.11.0 | `mcp` 2.3.0 | `@modelcontextprotocol/client` 2.4.0 | `@modelcontextprotocol/sdk` 1.32.2 |
//! | --- | --- | --- | --- | --- |
//! | 2026-07-28 | yes | yes | yes | no: its newest revision is 2025-11-25 |
//! | tasks, at 2026-07-28 | yes; whoever calls the tool asks for the task | by an extension of the application, for which the SDK has the place (`ResultClaim`) | no: any result that is neither complete nor asks for input is an error (`UnsupportedResultType`) | no: it has those of 2025-11-25, an experiment that the server does not offer |
//! | a question goes away with a call that is given up, before 2026-07-28 | over stdio; over HTTP it stops to read (`run_response_stream`) | yes | yes | yes |
//! | news of tasks by subscription | no: its filter has no `taskIds` | no: `listen` has none | no tasks | no tasks |

mod driver;
mod install;
mod instruction;
mod relay;
#[expect(deprecated, reason = "the legacy era has what the modern one does in other ways")]
mod rust;
mod server;
mod session;

pub use install::{SKIP, is_left_out, left_out, packages};
pub use instruction::{Notice, Question};
pub use relay::Relay;
pub use server::Server;
pub use session::{Called, RpcError, Session};

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

/// A client, and the era of the protocol that it is told to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// `rmcp`.
    Rust(Era),
    /// The Python package `mcp`.
    Python(Era),
    /// The npm package `@modelcontextprotocol/client`.
    TypeScript(Era),
    /// The npm package `@modelcontextprotocol/sdk`, the 1.x line, which knows the legacy era only.
    TypeScript1,
}

/// How a client opens the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// With `initialize`.
    Legacy,
    /// With `server/discover`; every request says its own version.
    Modern,
}

impl Client {
    /// The revision of the protocol that the conversation must be in: the newest that both sides know.
    pub fn revision(self) -> &'static str {
        match self.era() {
            Era::Legacy => "2025-11-25",
            Era::Modern => "2026-07-28",
        }
    }

    /// The era of the conversation.
    pub fn era(self) -> Era {
        match self {
            Self::Rust(era) | Self::Python(era) | Self::TypeScript(era) => era,
            Self::TypeScript1 => Era::Legacy,
        }
    }

    /// Whether it takes a task for an answer.
    pub fn keeps_tasks(self) -> bool {
        matches!(self, Self::Rust(Era::Modern) | Self::Python(Era::Modern))
    }

    /// The program that this client needs on the machine; the word that leaves the client out.
    fn needs(self) -> Option<&'static str> {
        match self {
            Self::Rust(_) => None,
            Self::Python(_) => Some("python"),
            Self::TypeScript(_) | Self::TypeScript1 => Some("node"),
        }
    }
}

/// A server to start: one of the examples.
#[derive(Debug, Clone)]
pub struct Served {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What its environment has in addition.
    pub environment: Vec<(String, String)>,
    /// A folder that it works in, kept until the test is over.
    pub folder: Option<Arc<TempDir>>,
}

impl Served {
    /// Serves with `program`.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            folder: None,
        }
    }

    /// With one more argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Working on this folder, which is its next argument, or on a file in it.
    #[must_use]
    pub fn on(mut self, folder: Arc<TempDir>, file: &str) -> Self {
        self.arguments.push(folder.path().join(file).display().to_string());
        self.folder = Some(folder);
        self
    }

    /// With one more variable in its environment.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }
}

/// What carries the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Standard input and output.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// How a client gets to its server.
#[derive(Debug, Clone)]
pub enum Reach {
    /// It starts one, and talks to it over standard input and output.
    Stdio(Served),
    /// One is there already, behind a URL, and asks for a token.
    Http {
        /// The URL.
        url: String,
        /// The token.
        token: String,
    },
}

impl Reach {
    /// What listens at `address`, with `token`.
    pub fn http(address: SocketAddr, token: &str) -> Self {
        Self::Http { url: format!("http://{address}/mcp"), token: token.to_owned() }
    }
}

/// A temporary folder that holds these files.
///
/// # Panics
///
/// When it cannot be made.
pub fn folder(files: &[(&str, &str)]) -> Arc<TempDir> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in files {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(folder.path()))
            .expect("a temporary folder");
        std::fs::write(file, content).expect("a temporary folder");
    }
    Arc::new(folder)
}

/// Runs a scenario, which may wait again and again for something that does not come.
///
/// # Panics
///
/// When it is not over in five minutes.
pub async fn in_time(client: Client, scenario: impl Future<Output = ()>) {
    let limit = Duration::from_secs(300);
    let ended = tokio::time::timeout(limit, scenario).await;
    assert!(ended.is_ok(), "{client:?}: the scenario does not end");
}

/// Makes one test for each client out of `async fn scenario(client, ..)`, which gets the other arguments too.
#[macro_export]
macro_rules! with_every_client {
    ($scenario:path $(, $argument:expr)*) => {
        $crate::with_every_client! { @each $scenario, ($($argument),*);
            rmcp_legacy: Rust(Legacy),
            rmcp_modern: Rust(Modern),
            python_legacy: Python(Legacy),
            python_modern: Python(Modern),
            typescript_client_legacy: TypeScript(Legacy),
            typescript_client_modern: TypeScript(Modern),
            typescript_sdk_1: TypeScript1,
        }
    };
    (@each $scenario:path, $arguments:tt; $($name:ident: $client:ident $(($era:ident))?,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                let client = $crate::Client::$client $(($crate::Era::$era))?;
                if !$crate::left_out(client) {
                    let scenario = $crate::with_every_client!(@call $scenario, client, $arguments);
                    $crate::in_time(client, scenario).await;
                }
            }
        )*
    };
    (@call $scenario:path, $client:ident, ($($argument:expr),*)) => {
        $scenario($client $(, $argument)*)
    };
}

/// Makes the tests of `async fn scenario(client, transport)` for every client over each transport.
#[macro_export]
macro_rules! over_every_transport {
    ($scenario:ident) => {
        mod over_stdio {
            $crate::with_every_client!(super::$scenario, $crate::Transport::Stdio);
        }
        mod over_http {
            $crate::with_every_client!(super::$scenario, $crate::Transport::Http);
        }
    };
}
