//! Whatever comes in, and in whatever pieces.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    task::{Context, Poll},
};

use agent_mcp::{Server, agent};
use agent_mcp_tests::stdio::{HANDSHAKE, call, ping};
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, ReadBuf};

struct Echo;

/// Echoes.
#[agent]
impl Echo {
    /// At once.
    #[capability]
    async fn now(&self) -> String {
        "now".to_owned()
    }

    /// When others have had their turn.
    #[capability]
    async fn later(&self) -> String {
        tokio::task::yield_now().await;
        "later".to_owned()
    }
}

/// An input that comes in pieces, with a pause before each.
struct Pieces {
    pieces: VecDeque<Vec<u8>>,
    paused: bool,
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.paused = !self.paused;
        if self.paused {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if let Some(mut piece) = self.pieces.pop_front() {
            let rest = piece.split_off(piece.len().min(into.remaining()));
            into.put_slice(&piece);
            if !rest.is_empty() {
                self.pieces.push_front(rest);
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[derive(Clone, Debug)]
enum Line {
    Ping,
    Now,
    Later,
    Garbage(Vec<u8>),
}

fn line() -> impl Strategy<Value = Line> {
    let byte = any::<u8>().prop_filter("one line", |byte| *byte != b'\n');
    prop_oneof![
        Just(Line::Ping),
        Just(Line::Now),
        Just(Line::Later),
        prop::collection::vec(byte, 0..40).prop_map(Line::Garbage),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn b136_every_request_is_answered_once_whatever_is_around_it(
        lines in prop::collection::vec(line(), 0..60),
        sizes in prop::collection::vec(1_usize..200, 1..20),
        in_flight in 1_usize..4,
        is_ended in any::<bool>(),
    ) {
        let mut input = HANDSHAKE.as_bytes().to_vec();
        let mut asked = vec![0];
        let mut garbage = 0;
        for (line, id) in lines.iter().zip(1..) {
            match line {
                Line::Ping => input.extend(ping(id).bytes()),
                Line::Now => input.extend(call(id, "now", &json!({})).bytes()),
                Line::Later => input.extend(call(id, "later", &json!({})).bytes()),
                Line::Garbage(bytes) => {
                    garbage += 1;
                    input.extend_from_slice(bytes);
                    input.push(b'\n');
                    continue;
                }
            }
            asked.push(id);
        }
        input.extend(ping(1_000).bytes());
        asked.push(1_000);
        if !is_ended {
            input.pop();
        }

        let mut pieces = VecDeque::new();
        let mut sizes = sizes.into_iter().cycle();
        while !input.is_empty() {
            let rest = input.split_off(sizes.next().unwrap().min(input.len()));
            pieces.push_back(std::mem::replace(&mut input, rest));
        }
        let mut output = Vec::new();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let server = Server::new(Echo).limits(|limits| limits.calls_in_flight = in_flight);
        // B141: any streams will do.
        runtime.block_on(server.serve_on(Pieces { pieces, paused: false }, &mut output)).unwrap();

        let output = String::from_utf8(output).unwrap();
        let messages: Vec<Value> =
            output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut answered: Vec<_> = messages.iter().filter_map(|it| it["id"].as_u64()).collect();
        answered.sort_unstable();
        prop_assert_eq!(answered, asked);
        prop_assert!(messages.iter().filter(|it| it["id"].is_null()).count() <= garbage);
    }
}
