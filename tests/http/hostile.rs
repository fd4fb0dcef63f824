//! Attempts on a server, over a real socket. Each names what comes of it, comes back in time, and leaves a
//! server that answers the next good request.

use std::time::Duration;

use agent_mcp::{Server, transport::http::bearer};
use serde_json::json;
use tokio::time::{interval, timeout};

use crate::{
    client::message,
    identity::{Office, User},
    sessions::{LIST, initialize},
    socket::{Listening, Raw, SOON, Socket, exchange, listen},
};

/// What comes of an attempt: a status, or a connection that ends without an answer.
const CLOSED: u16 = 0;

const APP: &str = "https://app.example";

/// The office, whose callers show a token. It waits for nobody, and each caller has but one call at a time: a
/// place that an attempt has left taken would be missing for the next request.
async fn office() -> Listening {
    let server = Server::new(Office).limits(|limits| {
        limits.http_read = Duration::from_millis(700);
        limits.calls_in_flight = 1;
    });
    let check = bearer(|token| async move { User::of(&token) });
    listen(server.http().authenticate(check).allowed_origins([APP])).await
}

fn ada(request: Raw) -> Raw {
    request.add("Authorization", "Bearer token-of-ada")
}

/// A good request.
fn good() -> Raw {
    ada(Raw::modern("tools/call", json!({"name": "who"})))
}

/// A good request for a stream.
fn get() -> Raw {
    ada(Raw::new("GET /mcp HTTP/1.1").add("Accept", "text/event-stream"))
}

async fn is_well(server: &Listening, after: &str) {
    let reply = exchange(server.address, &good().bytes()).await.expect(after);
    assert_eq!(reply.status, 200, "{after}: {}", reply.body);
    assert!(reply.body.contains(r#""text":"ada""#), "{after}: {}", reply.body);
}

/// Makes every attempt, and lists what did not come of it as it should.
async fn attempt(attempts: impl IntoIterator<Item = (&'static str, u16, Vec<u8>)>) {
    let server = office().await;
    is_well(&server, "the start").await;
    let mut wrong = Vec::new();
    for (name, expected, bytes) in attempts {
        let reply = exchange(server.address, &bytes).await;
        let status = reply.as_ref().map_or(CLOSED, |reply| reply.status);
        if status != expected {
            wrong.push(format!("{name}: {status} in place of {expected}: {reply:?}"));
        }
        if let Some(reply) = reply {
            // No attempt is a way to say something in the server's name.
            assert!(!reply.head.contains("x-evil"), "{name}: {}", reply.head);
            assert!(!reply.body.to_ascii_lowercase().contains("evil"), "{name}: {}", reply.body);
        }
        is_well(&server, name).await;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.closer.close();
    timeout(SOON, server.serving).await.expect("nothing is left behind").unwrap().unwrap();
}

#[tokio::test]
async fn hostile_heads() {
    let with = |name: &str, value: &[u8]| good().add(name, value).bytes();
    let line = |line: &str| good().line(line).bytes();
    let many = |count| (0..count).fold(good(), |raw, n| raw.add(format!("X-{n}"), "1")).bytes();
    attempt([
        ("nothing at all", CLOSED, Vec::new()),
        ("a head that stops", CLOSED, b"POST /mcp HTTP/1.1\r\nHost: loc".to_vec()),
        ("a head without its end", CLOSED, b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n".to_vec()),
        ("empty lines without end", 431, b"\r\n".repeat(1 << 16)),
        ("a header line of 100 KB", 431, with("X-Long", &[b'x'; 100_000])),
        ("a header name of 100 KB", 431, with(&"x".repeat(100_000), b"1")),
        ("80 headers", 200, many(80)),
        ("1,000 headers", 431, many(1_000)),
        ("an address of 70 KB", 431, line(&format!("POST /{} HTTP/1.1", "x".repeat(70_000)))),
        ("an address of 30 KB", 404, line(&format!("POST /{} HTTP/1.1", "x".repeat(30_000)))),
        ("an address that climbs", 404, line("POST /mcp/../mcp HTTP/1.1")),
        ("an address in disguise", 404, line("POST /%6dcp HTTP/1.1")),
        ("a zero byte in the address", 400, line("POST /mcp\0 HTTP/1.1")),
        ("a zero byte in a value", 400, with("X-Zero", b"a\0b")),
        ("a zero byte in a name", 400, with("X-Ze\0ro", b"a")),
        ("a line that is folded", 400, with("X-Fold", b"a\r\n b: c")),
        ("a carriage return alone", 400, with("X-Return", b"a\rX-Evil: b")),
        ("a blank before the colon", 400, with("X-Blank ", b"a")),
        ("a header without a name", 400, with("", b"a")),
        ("a header without a colon", 400, with("X-A", b"a\r\nnothing")),
        ("a bell in a value", 400, with("X-Bell", b"a\x07b")),
        ("lines that end as on Unix", 200, {
            let text = String::from_utf8(good().bytes()).unwrap();
            text.replace("\r\n", "\n").into_bytes()
        }),
        ("HTTP/0.9", 400, b"GET /mcp\r\n\r\n".to_vec()),
        ("HTTP/1.0", 200, line("POST /mcp HTTP/1.0")),
        ("HTTP/1.2", 400, line("POST /mcp HTTP/1.2")),
        ("HTTP/2 without being asked", CLOSED, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec()),
        ("TLS", 400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec()),
        ("TRACE", 405, line("TRACE /mcp HTTP/1.1")),
        ("CONNECT", 404, line("CONNECT localhost:80 HTTP/1.1")),
        ("OPTIONS for all", 404, line("OPTIONS * HTTP/1.1")),
        ("an unknown method", 405, line("STEAL /mcp HTTP/1.1")),
        ("a method in small letters", 405, line("post /mcp HTTP/1.1")),
        ("a method that is none", 400, line("PO ST /mcp HTTP/1.1")),
        ("a websocket", 400, {
            let upgrade = get().add("Connection", "Upgrade").add("Upgrade", "websocket");
            upgrade.add("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==").bytes()
        }),
        ("HTTP/2 by upgrade", 200, {
            let upgrade = good().add("Connection", "Upgrade, HTTP2-Settings").add("Upgrade", "h2c");
            upgrade.add("HTTP2-Settings", "AAMAAABkAAQAAP__").bytes()
        }),
        ("to be waited for", 200, with("Expect", b"100-continue")),
        ("to be waited for, without a token", 401, {
            good().without("Authorization").add("Expect", "100-continue").bytes()
        }),
        ("two tokens", 400, with("Authorization", b"Bearer token-of-bob")),
        ("a token in the address", 400, line("POST /mcp?access_token=token-of-ada HTTP/1.1")),
        ("a token with a comma", 401, {
            good().set("Authorization", "Bearer token-of-ada, Bearer token-of-bob").bytes()
        }),
        ("two media types", 415, with("Content-Type", b"application/json")),
        ("a media type like a form", 415, good().set("Content-Type", "text/plain").bytes()),
    ])
    .await;
}

#[tokio::test]
async fn hostile_lengths_and_bodies() {
    let list = || Raw::modern("tools/list", json!({}));
    let sized = |length: &str| ada(list()).set("Content-Length", length).bytes();
    let coded = |coding: &str, body: &[u8]| ada(list()).coded(coding, body).bytes();
    let body = |body: &[u8]| good().body(body).bytes();
    let text = |change: fn(String) -> Vec<u8>| {
        let raw = ada(list());
        let text = String::from_utf8(raw.clone().bytes()).unwrap();
        let text = text.split_once("\r\n\r\n").unwrap().1.to_owned();
        raw.body(change(text)).bytes()
    };
    let deep = |message: &str| body(message.replace("$", &"[".repeat(100_000)).as_bytes());
    attempt([
        ("a body that stops", 408, sized("1000")),
        ("no length at all", 400, ada(list()).without("Content-Length").bytes()),
        ("a length of 4 GiB", 413, sized("4294967296")),
        ("a length beyond all numbers", 400, sized("99999999999999999999999999")),
        ("a negative length", 400, sized("-1")),
        ("a length with a plus", 400, sized("+10")),
        ("a length in hexadecimal", 400, sized("0x10")),
        ("a length with a list", 400, sized("10, 11")),
        ("no length in its header", 400, sized("")),
        ("two lengths", 400, ada(list()).add("Content-Length", "1").bytes()),
        ("chunks", 200, ada(list()).chunked().bytes()),
        // RFC 9112, 6.3: the chunks count, and the connection ends.
        ("a length and then chunks", 200, {
            ada(list()).chunked().add("Content-Length", "3").reversed().bytes()
        }),
        ("chunks and then a length", 200, ada(list()).chunked().add("Content-Length", "3").bytes()),
        ("chunks in HTTP/1.0", 400, ada(list()).chunked().line("POST /mcp HTTP/1.0").bytes()),
        ("chunks that are none", 400, coded("chunked", b"zz\r\n{}\r\n0\r\n\r\n")),
        ("a chunk of a negative size", 400, coded("chunked", b"-1\r\n{}\r\n0\r\n\r\n")),
        (
            "a chunk beyond all numbers",
            400,
            coded("chunked", b"FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n"),
        ),
        ("a chunk that is the largest", 408, coded("chunked", b"7FFFFFFFFFFFFFFF\r\n{}")),
        ("a chunk that is longer than it says", 400, coded("chunked", b"1\r\n{}\r\n0\r\n\r\n")),
        ("a chunk with a long extension", 400, {
            coded("chunked", &[b"1;".as_slice(), &[b'x'; 100_000], b"\r\n1\r\n0\r\n\r\n"].concat())
        }),
        ("chunks without end", 408, coded("chunked", b"1\r\n1\r\n")),
        ("a trailer of 100 KB", 400, {
            coded(
                "chunked",
                &[b"1\r\n1\r\n0\r\nX: ".as_slice(), &[b'x'; 100_000], b"\r\n\r\n"].concat(),
            )
        }),
        ("a coding that is none", 400, coded("identity", b"{}")),
        ("a coding like chunks", 400, coded("xchunked", b"0\r\n\r\n")),
        ("a coding after the chunks", 400, coded("chunked, identity", b"0\r\n\r\n")),
        ("a coding behind a tab", 200, {
            let raw = ada(list()).chunked();
            raw.set("Transfer-Encoding", "\tchunked").bytes()
        }),
        ("a body that is compressed", 415, {
            good().add("Content-Encoding", "gzip").body(*b"\x1f\x8b\x08\0\0\0\0\0\0\x03").bytes()
        }),
        ("a body that says it is not", 200, good().add("Content-Encoding", "identity").bytes()),
        ("a charset", 200, {
            good().set("Content-Type", "application/json; charset=\"UTF-8\"").bytes()
        }),
        ("another media type in a parameter", 415, {
            good().set("Content-Type", "text/plain; a=application/json").bytes()
        }),
        ("UTF-16", 400, text(|text| text.encode_utf16().flat_map(u16::to_be_bytes).collect())),
        ("a mark of the order of bytes", 400, text(|text| format!("\u{feff}{text}").into())),
        ("what is not UTF-8", 400, body(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}")),
        ("half a character", 400, body(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\"}")),
        ("no body", 400, body(b"")),
        ("a zero byte behind the body", 400, text(|text| format!("{text}\0").into())),
        ("two bodies", 400, text(|text| text.repeat(2).into())),
        ("depth", 400, deep("$")),
        (
            "depth in the parameters",
            400,
            deep(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":$"#),
        ),
        ("depth in the id", 400, deep(r#"{"jsonrpc":"2.0","method":"x","id":$"#)),
        ("a number beyond all numbers", 400, {
            body(
                format!(r#"{{"jsonrpc":"2.0","method":"x","id":{}}}"#, "9".repeat(100_000))
                    .as_bytes(),
            )
        }),
        ("a key a thousand times", 400, {
            body(format!("{{{}\"id\":1}}", r#""id":1,"#.repeat(1_000)).as_bytes())
        }),
    ])
    .await;
}

// SEC-1, HTTP-2, HTTP-3
#[tokio::test]
async fn hostile_hosts_and_origins() {
    let host = |host: &str| good().set("Host", host).bytes();
    let origin = |origin: &[u8]| good().add("Origin", origin).bytes();
    let target = |target: &str| good().line(format!("POST {target} HTTP/1.1")).bytes();
    let mut attempts = vec![
        ("no host", 403, good().without("Host").bytes()),
        ("two hosts", 403, good().add("Host", "localhost").bytes()),
        ("a foreign host behind a good one", 403, good().add("Host", "evil.example").bytes()),
        ("a foreign target", 403, target("http://evil.example/mcp")),
        ("a foreign target with a good user", 403, target("http://localhost@evil.example/mcp")),
        ("a good target with a user", 403, target("http://evil@localhost/mcp")),
        ("a good target", 200, target("http://localhost/mcp")),
        ("a good target, foreign host", 403, {
            good().line("POST http://localhost/mcp HTTP/1.1").set("Host", "evil.example").bytes()
        }),
        ("a proxy that knows better", 200, {
            good()
                .add("X-Forwarded-Host", "evil.example")
                .add("Forwarded", "host=evil.example")
                .bytes()
        }),
        ("a foreign host, excused by a proxy", 403, {
            let evil = good().set("Host", "evil.example").add("X-Forwarded-Host", "localhost");
            evil.add("Forwarded", "host=localhost").bytes()
        }),
        ("a good origin", 200, origin(b"http://localhost")),
        ("a listed origin", 200, origin(APP.as_bytes())),
        ("two good origins", 403, good().add("Origin", APP).add("Origin", APP).bytes()),
        ("a list of origins", 403, origin(b"https://app.example https://app.example")),
        ("an origin that is no text", 403, origin(b"https://app.ex\xe4mple")),
        ("an origin for another port of ours", 403, {
            good().set("Host", "localhost:80").add("Origin", "http://localhost:8080").bytes()
        }),
    ];
    for (name, given) in [
        ("an empty host", ""),
        ("a host of another site", "evil.example"),
        ("a host with a dot at its end", "localhost."),
        ("a host with a user", "evil@localhost"),
        ("a host as a user", "localhost@evil.example"),
        ("a host in front of another", "localhost.evil.example"),
        ("a host with two ports", "localhost:80:80"),
        ("a host with a strange port", "localhost:80a"),
        ("hosts in a list", "localhost, evil.example"),
        ("an address as a number", "2130706433"),
        ("an address in hexadecimal", "0x7f000001"),
        ("an address cut short", "127.1"),
        ("an address that is any", "0.0.0.0"),
        ("another address of the loop", "127.0.0.2"),
        ("an address of six that is any", "[::]"),
        ("an address of six written out", "[0:0:0:0:0:0:0:1]"),
        ("an address of four in one of six", "[::ffff:127.0.0.1]"),
        ("an address of six with a zone", "[::1%25lo]"),
        ("an address of six without its end", "[::1"),
        ("an address of six without brackets", "::1"),
    ] {
        attempts.push((name, 403, host(given)));
    }
    for (name, given) in [
        ("port 0", "localhost:0"),
        ("a name in capitals", "LOCALHOST:8787"),
        ("an address of four", "127.0.0.1:1"),
        ("an address of six", "[::1]"),
        ("an address of six with a port", "[::1]:8787"),
    ] {
        attempts.push((name, 200, host(given)));
    }
    for (name, given) in [
        ("an origin that is none", "null"),
        ("an empty origin", ""),
        ("an origin of another site", "https://evil.example"),
        ("an origin with a dot at its end", "https://app.example."),
        ("an origin with a slash at its end", "https://app.example/"),
        ("an origin with the usual port", "https://app.example:443"),
        ("an origin with another port", "https://app.example:8443"),
        ("an origin with a user", "https://evil@app.example"),
        ("an origin as a user", "https://app.example@evil.example"),
        ("an origin in front of another", "https://app.example.evil.example"),
        ("an origin behind another", "https://evil-app.example"),
        ("an origin without encryption", "http://app.example"),
        ("an origin in capitals", "HTTPS://APP.EXAMPLE"),
        ("an origin with a look-alike", "https://аpp.example"),
        ("a star", "*"),
        ("an origin of a file", "file://"),
        ("an origin of an extension", "chrome-extension://app.example"),
        ("an own origin with a dot", "http://localhost."),
        ("an own origin with a user", "http://evil@localhost"),
        ("an own origin as an address", "http://127.0.0.1"),
    ] {
        attempts.push((name, 403, origin(given.as_bytes())));
    }
    attempt(attempts).await;
}

/// Asks for a session, and gives its id.
async fn session(server: &Listening, token: &str) -> String {
    let request = Raw::post(initialize("2025-11-25")).add("Authorization", token);
    let reply = exchange(server.address, &request.bytes()).await.unwrap();
    let id = reply.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
    id.unwrap().to_owned()
}

// B151, B152, SEC-5
#[tokio::test]
async fn hostile_session_ids() {
    let server = office().await;
    let mine = session(&server, "Bearer token-of-ada").await;
    let ended = session(&server, "Bearer token-of-ada").await;
    let bobs = session(&server, "Bearer token-of-bob").await;
    let delete = ada(Raw::new("DELETE /mcp HTTP/1.1"));
    let list = |id: &[u8]| ada(Raw::post(LIST)).add("Mcp-Session-Id", id);
    let end = delete.clone().add("Mcp-Session-Id", &*ended).bytes();
    assert_eq!(exchange(server.address, &end).await.unwrap().status, 204);
    let stream =
        |id: &[u8], last: &[u8]| get().add("Mcp-Session-Id", id).add("Last-Event-ID", last);
    let ids = [
        ("an empty id", Vec::new()),
        ("a guessed id", b"00000000000000000000000000000000".to_vec()),
        ("an id that has ended", ended.clone().into()),
        ("another caller's id", bobs.clone().into()),
        ("an id in capitals", mine.to_ascii_uppercase().into()),
        ("an id that is cut", mine[..mine.len() - 1].into()),
        ("an id that goes on", format!("{mine}0").into()),
        ("an id and another", format!("{mine},{mine}").into()),
        ("an id in quotes", format!("\"{mine}\"").into()),
        ("an id that is a path", b"../../etc/passwd".to_vec()),
        ("an id that is a pattern", b"*".to_vec()),
        ("an id that is a query", b"' OR '1'='1".to_vec()),
        ("an id with another header", b"a%0d%0aX-Evil: 1".to_vec()),
        ("an id that is no text", b"\xff\xfe".to_vec()),
        ("an id with a tab", b"a\tb".to_vec()),
        ("an id of 20 KB", vec![b'x'; 20_000]),
    ];
    for (name, id) in ids {
        let attempts = [
            list(&id),
            stream(&id, b"1"),
            delete.clone().add("Mcp-Session-Id", &*id),
            list(&id).add("Mcp-Session-Id", &*mine),
            list(mine.as_bytes()).add("Mcp-Session-Id", &*id),
        ];
        for attempt in attempts {
            let reply = exchange(server.address, &attempt.bytes()).await.expect(name);
            assert_eq!(reply.status, 404, "{name}: {}", reply.body);
            assert!(!reply.head.contains("x-evil") && !reply.body.contains("evil"), "{name}");
        }
    }
    // What an event id may be is known to nobody else; what is none opens a new stream with nothing in it.
    for last in
        [&b""[..], b"0", b"1-1", b"-1", b"99999999999999999999", b"a%0d%0aX-Evil: 1", b"\xff"]
    {
        let mut socket = Socket::connect(server.address).await;
        socket.send(&stream(mine.as_bytes(), last).bytes()).await.unwrap();
        let reply = timeout(SOON, socket.reply()).await.unwrap().unwrap();
        assert_eq!((reply.status, reply.head.contains("x-evil")), (200, false), "{last:?}");
    }
    // All of it has changed nothing for those whose sessions they are.
    for (id, token) in [(&mine, "Bearer token-of-ada"), (&bobs, "Bearer token-of-bob")] {
        let request = Raw::post(LIST).add("Mcp-Session-Id", &**id).add("Authorization", token);
        assert_eq!(exchange(server.address, &request.bytes()).await.unwrap().status, 200);
    }
    is_well(&server, "all ids").await;
}

#[tokio::test]
async fn hostile_pace() {
    let server = office().await;
    // One byte after the other, for ever: the whole has to come in time, not each piece.
    let bytes = good().bytes();
    let head = bytes.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
    for (begin, expected) in [(0, None), (head, Some(408))] {
        let drip = async {
            let mut socket = Socket::connect(server.address).await;
            socket.send(&bytes[..begin]).await.unwrap();
            let mut pace = interval(Duration::from_millis(50));
            for byte in bytes[begin..].iter().cycle() {
                tokio::select! {
                    reply = socket.reply() => return reply.map(|reply| reply.status),
                    _ = pace.tick() => {}
                }
                if socket.send(&[*byte]).await.is_err() {
                    break;
                }
            }
            None
        };
        assert_eq!(timeout(SOON, drip).await.expect("it ends in time"), expected);
        is_well(&server, "drops").await;
    }
    // Connections that are cut, wherever they are.
    for end in [0, 10, head - 2, head, head + 10, bytes.len()] {
        let mut socket = Socket::connect(server.address).await;
        socket.send(&bytes[..end]).await.unwrap();
        socket.cut();
    }
    // A call that was cut has its time to clean up; its caller's one place is free again at once after.
    let well = async {
        while exchange(server.address, &good().bytes()).await.unwrap().status == 429 {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, well).await.expect("the place of a call that was cut is free again");
    is_well(&server, "cut connections").await;
}

#[tokio::test]
async fn hostile_requests_one_after_the_other() {
    let server = office().await;
    // Many at once are answered in their order, and each for itself.
    let mut socket = Socket::connect(server.address).await;
    let refused = good().without("Authorization");
    let broken = good().body("{");
    let requests = [good(), refused.clone(), good(), broken, good()];
    let bytes: Vec<u8> = requests.iter().flat_map(Raw::bytes).collect();
    socket.send(&bytes).await.unwrap();
    let mut seen = Vec::new();
    for _ in &requests {
        seen.push(timeout(SOON, socket.reply()).await.unwrap().map_or(CLOSED, |it| it.status));
    }
    assert_eq!(seen, [200, 401, 200, 400, 200]);
    // A body that hides a request is a body, however its length is given; what is behind it counts for
    // itself, with its own token or none.
    let hidden = String::from_utf8(good().bytes()).unwrap();
    let behind = refused.bytes();
    for (outer, expected) in [
        (refused.clone().body(hidden.clone()), vec![401, 401]),
        (good().body(hidden.clone()), vec![400, 401]),
        (good().chunked().add("Content-Length", "4"), vec![200, CLOSED]),
    ] {
        let mut socket = Socket::connect(server.address).await;
        socket.send(&[outer.bytes(), behind.clone()].concat()).await.unwrap();
        for expected in expected {
            let reply = timeout(SOON, socket.reply()).await.unwrap();
            assert_eq!(reply.map_or(CLOSED, |reply| reply.status), expected);
        }
    }
    is_well(&server, "many requests").await;
    // What a caller has no right to is not had by a message that names two methods.
    let twice = message(1, "tools/list", json!({})).to_string().replace('}', r#","method":"x"}"#);
    assert_eq!(exchange(server.address, &good().body(twice).bytes()).await.unwrap().status, 400);
}
