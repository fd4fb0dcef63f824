//! A client that writes bytes to a real socket and reads what comes back.

use std::{io, net::SocketAddr, time::Duration};

use agent_mcp::{
    Principal,
    transport::http::{Authenticate, Closer, Http},
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
    time::timeout,
};

use crate::client::{MODERN, enveloped};

/// Nothing takes longer.
pub(crate) const SOON: Duration = Duration::from_secs(2);

/// A server that listens.
pub(crate) struct Listening {
    pub(crate) address: SocketAddr,
    pub(crate) closer: Closer,
    pub(crate) serving: JoinHandle<agent_mcp::Result<()>>,
}

pub(crate) async fn listen<P: Principal, A: Authenticate<P>>(http: Http<P, A>) -> Listening {
    let listening = http.listen("127.0.0.1:0").await.unwrap();
    let (address, closer) = (listening.address().unwrap(), listening.closer());
    Listening { address, closer, serving: tokio::spawn(listening.serve()) }
}

/// A request, byte by byte.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    line: Vec<u8>,
    headers: Vec<(Vec<u8>, Vec<u8>)>,
    body: Vec<u8>,
}

impl Raw {
    pub(crate) fn new(line: impl Into<Vec<u8>>) -> Self {
        let raw = Self { line: line.into(), headers: Vec::new(), body: Vec::new() };
        raw.add("Host", "localhost")
    }

    /// A POST of that message.
    pub(crate) fn post(message: impl Into<Vec<u8>>) -> Self {
        Self::new("POST /mcp HTTP/1.1")
            .add("Content-Type", "application/json")
            .add("Accept", "application/json, text/event-stream")
            .body(message)
    }

    /// A good request at the modern revision.
    pub(crate) fn modern(method: &str, params: Value) -> Self {
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        Self::post(enveloped(method, params).to_string())
            .add("MCP-Protocol-Version", MODERN)
            .add("Mcp-Method", method)
            .add("Mcp-Name", name)
    }

    pub(crate) fn line(mut self, line: impl Into<Vec<u8>>) -> Self {
        self.line = line.into();
        self
    }

    /// One more header, whatever there is already.
    pub(crate) fn add(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(given, _)| !given.eq_ignore_ascii_case(name.as_bytes()));
        self
    }

    pub(crate) fn set(self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.without(name).add(name, value)
    }

    /// A body and its length.
    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.set("Content-Length", length)
    }

    /// A body in this form, in place of one with a length.
    pub(crate) fn coded(mut self, coding: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.without("Content-Length").add("Transfer-Encoding", coding)
    }

    /// The body in one chunk.
    pub(crate) fn chunked(self) -> Self {
        let mut body = format!("{:x}\r\n", self.body.len()).into_bytes();
        body.extend_from_slice(&self.body);
        body.extend_from_slice(b"\r\n0\r\n\r\n");
        self.coded("chunked", body)
    }

    /// The headers in the opposite order.
    pub(crate) fn reversed(mut self) -> Self {
        self.headers.reverse();
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.line.clone();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(&[b"\r\n", &**name, b": ", value].concat());
        }
        bytes.extend_from_slice(b"\r\n\r\n");
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

/// One connection.
pub(crate) struct Socket {
    stream: TcpStream,
    read: Vec<u8>,
}

/// One answer: its status, and its head and body as text.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Socket {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), read: Vec::new() }
    }

    /// Writes, as far as the server lets it.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Ends the connection without a farewell.
    pub(crate) fn cut(self) {
        self.stream.set_zero_linger().unwrap();
    }

    /// Reads until `wanted` finds what it looks for; `None` at the end of the connection.
    async fn until(&mut self, wanted: impl Fn(&[u8]) -> Option<usize>) -> Option<Vec<u8>> {
        loop {
            if let Some(end) = wanted(&self.read) {
                return Some(self.read.drain(..end).collect());
            }
            match self.stream.read_buf(&mut self.read).await {
                Ok(1..) => {}
                // A connection that was cut is as good as one that was closed.
                Ok(0) | Err(_) => return None,
            }
        }
    }

    /// The next answer that is not only on the way; `None` where the connection ends before it.
    pub(crate) async fn reply(&mut self) -> Option<Reply> {
        loop {
            let end =
                |read: &[u8]| read.windows(4).position(|it| it == b"\r\n\r\n").map(|at| at + 4);
            let head = String::from_utf8(self.until(end).await?).unwrap().to_ascii_lowercase();
            let status = head.split(' ').nth(1).unwrap().parse().unwrap();
            if status == 100 {
                continue;
            }
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            let whole = |read: &[u8]| (read.len() >= length).then_some(length);
            let body = String::from_utf8(self.until(whole).await?).unwrap();
            return Some(Reply { status, head, body });
        }
    }

    /// All that comes until the connection ends.
    pub(crate) async fn rest(&mut self) -> String {
        self.until(|_| None).await;
        String::from_utf8(std::mem::take(&mut self.read)).unwrap()
    }
}

/// Sends bytes over a connection of their own and gives the answer, if there is one, before `SOON` is over.
pub(crate) async fn exchange(address: SocketAddr, bytes: &[u8]) -> Option<Reply> {
    let exchange = async {
        let mut socket = Socket::connect(address).await;
        // A server that has read enough does not wait for the rest.
        let _ = socket.send(bytes).await;
        socket.reply().await
    };
    timeout(SOON, exchange).await.expect("it comes back in time")
}
