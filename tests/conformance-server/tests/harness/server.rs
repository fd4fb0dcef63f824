use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use tempfile::NamedTempFile;

/// A server of its own for each pass, so that passes may run at the same time.
pub(super) struct Server {
    process: Child,
    /// The address that it prints.
    pub(super) address: String,
    errors: NamedTempFile,
}

impl Server {
    pub(super) fn start(always_stream: bool) -> Self {
        let errors = NamedTempFile::new().expect("a temporary file");
        let mut process = Command::new(env!("CARGO_BIN_EXE_conformance-server"))
            .args(["http", "127.0.0.1:0"])
            .args(always_stream.then_some("--always-stream"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors.reopen().expect("a temporary file"))
            .spawn()
            .expect("the server can be started");
        let mut address = String::new();
        let output = process.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut address).expect("the server prints its address");
        let server = Self { process, address: address.trim_end().to_owned(), errors };
        assert!(!server.address.is_empty(), "the server ended: {}", server.log());
        server
    }

    /// What the server wrote to standard error.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.errors.path()).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that has ended already is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
