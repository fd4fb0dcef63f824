//! A reader of event streams.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::Value;

/// An event: its id, and its message where it has one.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) message: Option<Value>,
}

/// A stream, and the connection that it comes over.
pub(crate) struct Events {
    body: Incoming,
    rest: Vec<u8>,
    /// The connection ends with the stream.
    _connection: super::client::Connection,
}

impl Events {
    pub(crate) fn new(body: Incoming, connection: super::client::Connection) -> Self {
        Self { body, rest: Vec::new(), _connection: connection }
    }

    /// The next event; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.rest.windows(2).position(|pair| pair == b"\n\n") {
                let event: Vec<u8> = self.rest.drain(..end + 2).collect();
                let text = String::from_utf8(event).unwrap();
                if text.starts_with(':') {
                    continue;
                }
                return Some(parse(&text));
            }
            let frame = self.body.frame().await?.expect("the connection holds");
            let data: Bytes = frame.into_data().unwrap_or_default();
            self.rest.extend_from_slice(&data);
        }
    }

    /// The next event, if there is one in that time.
    pub(crate) async fn soon(&mut self, time: Duration) -> Option<Event> {
        tokio::time::timeout(time, self.next()).await.ok().flatten()
    }
}

fn parse(text: &str) -> Event {
    let mut event = Event { id: None, message: None };
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("id", id)) => event.id = Some(id.to_owned()),
            Some(("data", data)) if !data.is_empty() => {
                event.message = Some(serde_json::from_str(data).unwrap());
            }
            _ => {}
        }
    }
    event
}
