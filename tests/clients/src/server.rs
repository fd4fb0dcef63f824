use std::fs;
use std::net::SocketAddr;
use std::process::Stdio;

use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::{Reach, Served};

/// A server over HTTP, which ends with this value.
#[derive(Debug)]
pub struct Server {
    process: Child,
    address: SocketAddr,
    errors: NamedTempFile,
}

impl Server {
    /// Starts one, which prints its URL when it listens.
    ///
    /// # Panics
    ///
    /// When it does not listen.
    pub async fn start(served: &Served) -> Self {
        let errors = NamedTempFile::new().expect("a temporary file");
        let mut process = Command::new(&served.program)
            .args(&served.arguments)
            .envs(served.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors.reopen().expect("a temporary file"))
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", served.program.display()));
        let output = process.stdout.take().expect("it is piped");
        let url = BufReader::new(output).lines().next_line().await.ok().flatten();
        let address = url.as_deref().and_then(|url| {
            url.strip_prefix("http://")?.strip_suffix("/mcp")?.parse::<SocketAddr>().ok()
        });
        let log = fs::read_to_string(errors.path()).unwrap_or_default();
        let address = address.unwrap_or_else(|| panic!("the server said {url:?}\n{log}"));
        Self { process, address, errors }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The way to it, for whoever has that token.
    pub fn reach(&self, token: &str) -> Reach {
        Reach::http(self.address, token)
    }

    /// Ends it as a crash does.
    ///
    /// # Panics
    ///
    /// When it cannot be ended.
    pub async fn kill(mut self) {
        self.process.kill().await.expect("it can be ended");
    }

    /// What it wrote to standard error.
    pub fn log(&self) -> String {
        fs::read_to_string(self.errors.path()).unwrap_or_default()
    }
}
