//! Streams that outlive their connections: GET, `Last-Event-ID`, `retry`.

use std::{collections::HashSet, time::Duration};

use agent_mcp::{Limits, Server};
use http::{Method, Request};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    client::{Event, Reading, Served, message, post, request, serve, serve_with},
    desk::{Gate, Message},
    sessions::{LIST, initialize, open, with},
    walker::Walker,
};

/// The desk and a walker.
struct Walked {
    served: Served,
    walker: Walker,
    session: String,
}

async fn walked() -> Walked {
    walked_with(|_| {}).await
}

async fn walked_with(change: impl FnOnce(&mut Limits)) -> Walked {
    let walker = Walker::default();
    let served = serve_with(|server| server.with(walker.clone()).limits(change), |http| http);
    let session = open(&served.client, &[]).await;
    Walked { served, walker, session }
}

impl Walked {
    async fn get(&self, headers: &[(&str, &str)]) -> Reading {
        self.served.client.stream(get(&with(&self.session, headers))).await
    }

    async fn resume(&self, last: &str) -> Reading {
        self.get(&[("last-event-id", last)]).await
    }

    async fn call(&self, id: i64, tool: &str) -> Reading {
        let params = json!({"name": tool, "_meta": {"progressToken": id}});
        let call = message(id, "tools/call", params).to_string();
        self.served.client.stream(post(&with(&self.session, &[]), call)).await
    }

    fn step(&self) {
        self.walker.gate.open.add_permits(1);
    }

    async fn list(&self) {
        self.served.client.post(&with(&self.session, &[]), LIST).await.result();
    }

    /// Changes what is on offer.
    fn change(&self, open: bool) {
        self.served.shop.send(Message::Open(open)).unwrap();
    }
}

fn get(headers: &[(&str, &str)]) -> Request<Full<bytes::Bytes>> {
    let headers: Vec<_> =
        headers.iter().copied().chain([("accept", "text/event-stream")]).collect();
    request(Method::GET, &headers, "")
}

fn progress(event: &Event) -> (&str, &Value) {
    let data = event.data.as_ref().unwrap().as_ref().unwrap();
    (event.id.as_deref().unwrap(), &data["params"]["progress"])
}

fn is_list_changed(event: &Event) -> bool {
    let data = event.data.as_ref().unwrap().as_ref().unwrap();
    data["method"] == "notifications/tools/list_changed"
}

fn result(event: &Event) -> &Value {
    &event.data.as_ref().unwrap().as_ref().unwrap()["result"]["content"][0]["text"]
}

// B161, B162
#[tokio::test]
async fn sse_ca6_replay_only_of_the_same_stream() {
    let walked = walked().await;
    walked.list().await;
    let mut standing = walked.get(&[]).await;
    let mut ids = HashSet::new();
    walked.step();
    let mut first = walked.call(1, "walk").await;
    let mut second = walked.call(2, "walk").await;
    // They go by turns.
    walked.step();
    walked.step();
    let mut last = Vec::new();
    for stream in [&mut first, &mut second] {
        let events = stream.frames().await;
        assert_eq!(progress(&events[0]).1, 1);
        last.push(events[0].id.clone().unwrap());
    }
    walked.change(false);
    let notice = standing.frames().await;
    assert!(is_list_changed(&notice[0]));
    ids.extend(last.iter().cloned().chain(notice[0].id.clone()));
    // All three are cut, and the calls go on.
    drop((first, second, standing));
    for _ in 0..5 {
        walked.step();
    }
    for _ in 0..6 {
        Gate::pass(&walked.walker.gate.begun).await;
    }
    let mut resumed = walked.resume(&last[0]).await;
    let rest = resumed.rest().await;
    assert_eq!(rest.len(), 3, "{rest:?}");
    assert_eq!(progress(&rest[0]).1, 2);
    assert_eq!(progress(&rest[1]).1, 3);
    assert_eq!(result(&rest[2]), "arrived");
    for event in &rest {
        assert_eq!(
            event.data.as_ref().unwrap().as_ref().unwrap()["params"]["progressToken"]
                .as_i64()
                .unwrap_or(1),
            1
        );
        assert!(ids.insert(event.id.clone().unwrap()), "ids are unique in the session");
    }
    // Once more, and what was read is not said again.
    let again = walked.resume(rest[0].id.as_deref().unwrap()).await.rest().await;
    assert_eq!(again, rest[1..]);
}

// B167
#[tokio::test]
async fn sse_ca6_after_what_is_old_comes_what_is_new() {
    let walked = walked().await;
    walked.step();
    let mut stream = walked.call(1, "walk").await;
    let first = stream.frames().await;
    drop(stream);
    walked.step();
    Gate::pass(&walked.walker.gate.begun).await;
    Gate::pass(&walked.walker.gate.begun).await;
    let mut resumed = walked.resume(progress(&first[0]).0).await;
    assert_eq!(progress(&resumed.frames().await[0]).1, 2);
    walked.step();
    assert_eq!(progress(&resumed.frames().await[0]).1, 3);
    walked.step();
    let rest = resumed.rest().await;
    assert_eq!(result(&rest[0]), "arrived");
}

#[tokio::test(start_paused = true)]
async fn sse_480_resume_that_cannot_be_done() {
    let walked = walked_with(|limits| limits.stream_messages = 2).await;
    walked.list().await;
    let mut stream = walked.get(&[]).await;
    let mut ids = Vec::new();
    for open in [false, true, false, true] {
        walked.change(open);
        ids.push(stream.frames().await[0].id.clone().unwrap());
    }
    // A second stream, so that no id can be taken for the only one.
    let _other = walked.get(&[]).await;
    drop(stream);
    let mut resumed = walked.resume(&ids[2]).await;
    assert_eq!(resumed.frames().await[0].id.as_ref(), Some(&ids[3]));
    drop(resumed);
    for last in ["9999.7", "0", "garbage", "", &ids[0]] {
        let mut resumed = walked.resume(last).await;
        // Nothing old, and it stays open.
        let first = crate::client::frames(&resumed.next().await.unwrap());
        assert!(first.iter().all(|event| event.data == Some(None)), "{last}: {first:?}");
        let silence = tokio::time::timeout(Duration::from_secs(10), resumed.next()).await;
        assert!(silence.is_err(), "{last}");
    }
}

#[tokio::test]
async fn b165_the_only_stream_is_meant_by_any_id() {
    let walked = walked().await;
    walked.list().await;
    drop(walked.get(&[]).await);
    walked.change(false);
    // The change is told as soon as the session is used: nobody listens.
    walked.served.client.post(&with(&walked.session, &[]), call("count")).await.result();
    let mut resumed = walked.resume("0").await;
    assert!(is_list_changed(&resumed.frames().await[0]));
}

fn call(tool: &str) -> String {
    message(9, "tools/call", json!({ "name": tool })).to_string()
}

#[tokio::test(start_paused = true)]
async fn sse_dcd_finished_post_streams_that_reconnect() {
    let walked = walked().await;
    walked.list().await;
    let mut standing = walked.get(&[]).await;
    let mut last = Vec::new();
    for id in 1..=3 {
        for _ in 0..4 {
            walked.step();
        }
        let events = walked.call(id, "walk").await.rest().await;
        assert_eq!(result(events.last().unwrap()), "arrived");
        last.push(events.last().unwrap().id.clone().unwrap());
    }
    for last in &last {
        assert_eq!(walked.resume(last).await.rest().await, []);
    }
    walked.change(false);
    assert!(is_list_changed(&standing.frames().await[0]));
}

#[tokio::test(start_paused = true)]
async fn sse_d27_event_id_of_another_session() {
    let walked = walked().await;
    walked.list().await;
    let mut stream = walked.get(&[]).await;
    walked.change(false);
    let told = stream.frames().await;
    drop(stream);
    let stranger = open(&walked.served.client, &[]).await;
    let id = told[0].id.as_deref().unwrap();
    for last in ["1.0", id] {
        let headers = [("last-event-id", last)];
        let mut stream = walked.served.client.stream(get(&with(&stranger, &headers))).await;
        stream.next().await.unwrap();
        let silence = tokio::time::timeout(Duration::from_secs(10), stream.next()).await;
        assert!(silence.is_err());
    }
    assert_eq!(walked.resume("1.0").await.frames().await, told);
}

#[tokio::test]
async fn sse_fb3_priming_event_only_where_known() {
    for (revision, primes) in [("2025-03-26", false), ("2025-06-18", false), ("2025-11-25", true)] {
        let walker = Walker::default();
        let served = serve_with(|server| server.with(walker.clone()), |http| http);
        let answer = served.client.post(&[], initialize(revision)).await;
        let session = answer.header("mcp-session-id").unwrap().to_owned();
        let standing = get(&with(&session, &[]));
        let params = json!({"name": "walk", "_meta": {"progressToken": 1}});
        let call = message(1, "tools/call", params).to_string();
        walker.gate.open.add_permits(1);
        for request in [standing, post(&with(&session, &[]), call)] {
            let mut stream = served.client.stream(request).await;
            let first = stream.next().await.unwrap();
            assert_eq!(first.contains("data: \n"), primes, "{revision}: {first}");
            if primes {
                let event = crate::client::frames(&first).remove(0);
                assert!(event.id.is_some() && event.data == Some(None));
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn ses_13_a_call_goes_on_without_its_connection() {
    let walked = walked().await;
    let events = walked.call(1, "stray").await.rest().await;
    // First an id to come back with, then when to come back, then the end.
    let last = events[0].id.clone().unwrap();
    assert_eq!(events[0].data, Some(None));
    assert_eq!(events[1], Event { retry: Some(2000), ..Event::default() });
    assert_eq!(events.len(), 2);
    // Nothing is there yet: who comes back waits, and hears that somebody is alive.
    let mut resumed = walked.resume(&last).await;
    assert_eq!(resumed.next().await.unwrap(), ":\n\n");
    walked.step();
    let rest = resumed.rest().await;
    assert_eq!(result(&rest[0]), "arrived");
    // The result waits for who comes late.
    let events = walked.call(2, "stray").await.rest().await;
    walked.step();
    Gate::pass(&walked.walker.gate.begun).await;
    Gate::pass(&walked.walker.gate.begun).await;
    let late = walked.resume(events[0].id.as_deref().unwrap()).await.rest().await;
    assert_eq!(result(&late[0]), "arrived");
}

#[tokio::test]
async fn ses_14_older_clients_are_not_let_go() {
    let walker = Walker::default();
    let served = serve_with(|server| server.with(walker.clone()), |http| http);
    let answer = served.client.post(&[], initialize("2025-06-18")).await;
    let session = answer.header("mcp-session-id").unwrap().to_owned();
    walker.gate.open.add_permits(1);
    let answer = served.client.post(&with(&session, &[]), call("stray")).await;
    assert_eq!(answer.result()["content"][0]["text"], "arrived");
}

#[tokio::test(start_paused = true)]
async fn sse_682_keep_alive_on_a_get_stream() {
    let walked = walked().await;
    let mut stream = walked.get(&[]).await;
    stream.next().await.unwrap();
    let start = Instant::now();
    let mut last = start;
    while start.elapsed() < Duration::from_secs(60) {
        assert_eq!(stream.next().await.unwrap(), ":\n\n");
        assert!(last.elapsed() <= Duration::from_millis(15_001), "{:?}", last.elapsed());
        last = Instant::now();
    }
}

#[tokio::test(start_paused = true)]
async fn b163_a_notice_goes_to_exactly_one_stream() {
    let walked = walked().await;
    walked.list().await;
    let (mut older, mut newer) = (walked.get(&[]).await, walked.get(&[]).await);
    older.next().await.unwrap();
    walked.change(false);
    assert!(is_list_changed(&newer.frames().await[0]));
    let silence = tokio::time::timeout(Duration::from_secs(10), older.next()).await;
    assert!(silence.is_err(), "{silence:?}");
    // B169: the next goes to one that is read.
    drop(newer);
    walked.change(true);
    assert!(is_list_changed(&older.frames().await[0]));
}

// B171
#[tokio::test(start_paused = true)]
async fn o16_and_o24_what_the_first_stream_is_told() {
    // Who has not listed knows nothing that could have changed.
    let walked = walked().await;
    walked.change(false);
    let mut stream = walked.get(&[]).await;
    stream.next().await.unwrap();
    assert!(tokio::time::timeout(Duration::from_secs(10), stream.next()).await.is_err());
    // Who has is told, also of what changed before.
    let walked = self::walked().await;
    walked.list().await;
    walked.change(false);
    let mut stream = walked.get(&[]).await;
    assert!(is_list_changed(&stream.frames().await[0]));
    // B166: and not again on the next stream.
    drop(stream);
    let mut stream = walked.get(&[]).await;
    stream.next().await.unwrap();
    assert!(tokio::time::timeout(Duration::from_secs(10), stream.next()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn design_9_a_session_without_a_stream_is_settled_by_its_calls() {
    let walked = walked().await;
    walked.list().await;
    let mut stream = walked.get(&[]).await;
    walked.change(false);
    let last = stream.frames().await[0].id.clone().unwrap();
    drop(stream);
    // There and back again is no change; what is left of the others is one.
    for open in [true, false, true] {
        walked.change(open);
    }
    let headers = with(&walked.session, &[]);
    walked.served.client.post(&headers, call("count")).await.result();
    walked.served.client.post(&headers, call("count")).await.result();
    let mut resumed = walked.resume(&last).await;
    assert_eq!(resumed.frames().await.len(), 1);
    let silence = tokio::time::timeout(Duration::from_secs(10), resumed.next()).await;
    assert!(silence.is_err());
}

#[tokio::test]
async fn o25_the_former_reader_of_a_stream_is_let_go() {
    let walked = walked().await;
    walked.step();
    let mut former = walked.call(1, "walk").await;
    let first = former.frames().await;
    let mut latter = walked.resume(first[0].id.as_deref().unwrap()).await;
    assert_eq!(former.rest().await, []);
    for _ in 0..3 {
        walked.step();
    }
    // The call did not end with the connection that ran it.
    let rest = latter.rest().await;
    assert_eq!(rest.len(), 3);
    assert_eq!(result(&rest[2]), "arrived");
}

#[tokio::test(start_paused = true)]
async fn b170_a_session_that_ends_ends_its_streams() {
    let idle = Duration::from_secs(16);
    let walked = walked_with(|limits| limits.session_idle = idle).await;
    let mut streams = [walked.get(&[]).await, walked.get(&[]).await];
    // O22: a session with an open stream is not idle.
    tokio::time::sleep(idle * 3).await;
    walked.list().await;
    let delete = request(Method::DELETE, &with(&walked.session, &[]), "");
    assert_eq!(walked.served.client.send(delete).await.status, 204);
    for stream in &mut streams {
        assert_eq!(stream.rest().await.iter().filter(|it| it.data != Some(None)).count(), 0);
    }
    let again = walked.served.client.send(get(&with(&walked.session, &[]))).await;
    assert_eq!(again.error(404), -32600);
    // Without a stream it is over in time.
    let session = open(&walked.served.client, &[]).await;
    drop(walked.served.client.stream(get(&with(&session, &[]))).await);
    tokio::time::sleep(idle * 2).await;
    assert_eq!(walked.served.endpoint.sessions(), 0);
}

#[tokio::test]
async fn ses_13_a_server_that_closes_says_when_to_come_back() {
    let walked = walked().await;
    let mut stream = walked.get(&[]).await;
    stream.next().await.unwrap();
    walked.served.endpoint.close();
    let rest = stream.rest().await;
    assert_eq!(rest, [Event { retry: Some(1000), ..Event::default() }]);
    // What is opened after the end ends at once.
    walked.get(&[]).await.rest().await;
}

// B160
#[tokio::test]
async fn http_7_what_a_get_must_say() {
    let walked = walked().await;
    let client = &walked.served.client;
    let json = request(Method::GET, &with(&walked.session, &[("accept", "application/json")]), "");
    assert_eq!(client.send(json).await.error(406), -32600);
    assert_eq!(client.send(get(&[])).await.error(400), -32600);
    assert_eq!(client.send(get(&with("unknown", &[]))).await.error(404), -32600);
    let headers = with(&walked.session, &[("mcp-protocol-version", "2099-01-01")]);
    assert_eq!(client.send(get(&headers)).await.error(400), -32600);
}

#[tokio::test]
async fn a_session_has_so_many_streams() {
    let limited = |server: Server| server.protocol(|protocol| protocol.streams = 2);
    let served = serve_with(limited, |http| http);
    let session = open(&served.client, &[]).await;
    let headers = with(&session, &[]);
    let streams =
        [served.client.stream(get(&headers)).await, served.client.stream(get(&headers)).await];
    let third = served.client.send(get(&headers)).await;
    assert_eq!(third.error(429), -32600);
    assert!(third.json()["error"]["message"].as_str().unwrap().contains("`streams`"));
    drop(streams);
    served.client.stream(get(&headers)).await;
}

#[tokio::test]
async fn who_does_not_read_keeps_nobody_waiting() {
    let walked = walked_with(|limits| limits.stream_messages = 2).await;
    walked.list().await;
    let mut deaf = walked.get(&[]).await;
    deaf.next().await.unwrap();
    let attentive = open(&walked.served.client, &[]).await;
    let headers = with(&attentive, &[]);
    walked.served.client.post(&headers, LIST).await.result();
    let mut stream = walked.served.client.stream(get(&headers)).await;
    for round in 0..20 {
        walked.change(round % 2 == 1);
        assert!(is_list_changed(&stream.frames().await[0]));
    }
    let missed = deaf.frames().await;
    assert!(missed.len() <= 2, "{missed:?}");
}

#[tokio::test]
async fn sessions_are_promised_what_they_are_told() {
    let served = serve();
    let capabilities = served.client.post(&[], initialize("2025-11-25")).await.result();
    assert_eq!(capabilities["capabilities"]["tools"]["listChanged"], true);
}

#[tokio::test]
async fn a_call_goes_on_while_its_caller_does_not_read() {
    let walked = walked().await;
    let params = json!({"name": "walk", "_meta": {"progressToken": 1}});
    let modern = crate::client::modern("tools/call", params.clone());
    let legacy = message(1, "tools/call", params).to_string();
    for request in [modern, post(&with(&walked.session, &[]), legacy)] {
        walked.step();
        let mut stream = walked.served.client.stream(request).await;
        for _ in 0..3 {
            walked.step();
        }
        // Nothing is read, and yet it walks.
        for _ in 0..3 {
            Gate::pass(&walked.walker.gate.begun).await;
        }
        let messages = stream.rest().await;
        assert_eq!(result(messages.last().unwrap()), "arrived");
    }
}
