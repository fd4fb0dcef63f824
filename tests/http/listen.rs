//! Streams of notices: `subscriptions/listen`.

use agent_mcp::Server;
use http::Request;
use http_body_util::Full;
use serde_json::json;

use crate::{
    client::{modern, serve, serve_with},
    desk::Message,
};

fn listen() -> Request<Full<bytes::Bytes>> {
    modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
}

#[tokio::test(start_paused = true)]
async fn sub_1_and_7_a_stream_from_its_acknowledgement_to_its_result() {
    let served = serve();
    let mut streams = [served.client.stream(listen()).await, served.client.stream(listen()).await];
    for stream in &mut streams {
        let first = stream.messages().await;
        assert_eq!(first[0]["method"], "notifications/subscriptions/acknowledged");
    }
    served.shop.send(Message::Open(false)).unwrap();
    for stream in &mut streams {
        let messages = stream.messages().await;
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0]["method"], "notifications/tools/list_changed");
        assert_eq!(messages[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    }
    let [mut stream, gone] = streams;
    drop(gone);
    served.shop.send(Message::Open(true)).unwrap();
    assert_eq!(stream.messages().await[0]["method"], "notifications/tools/list_changed");
    served.endpoint.close();
    assert_eq!(stream.messages().await[0]["result"]["resultType"], "complete");
    assert_eq!(stream.next().await, None);
    // What is opened after the end ends at once.
    let mut late = served.client.stream(listen()).await;
    assert!(late.messages().await.last().unwrap()["result"].is_object());
    assert_eq!(late.next().await, None);
}

#[tokio::test]
async fn without_a_window_a_change_is_told_at_once() {
    let at_once =
        |server: Server| server.limits(|limits| limits.debounce = std::time::Duration::ZERO);
    let served = serve_with(at_once, |http| http);
    let mut stream = served.client.stream(listen()).await;
    stream.messages().await;
    for open in [false, true] {
        served.shop.send(Message::Open(open)).unwrap();
        let messages = stream.messages().await;
        assert_eq!(messages[0]["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test(start_paused = true)]
async fn sse_682_keep_alive_on_a_stream_of_notices() {
    let served = serve();
    let mut stream = served.client.stream(listen()).await;
    stream.messages().await;
    let start = tokio::time::Instant::now();
    assert_eq!(stream.next().await.unwrap(), ":\n\n");
    assert_eq!(start.elapsed().as_secs(), 15);
}

#[tokio::test]
async fn streams_are_limited_and_given_back() {
    let limited = |server: Server| server.protocol(|protocol| protocol.streams = 1);
    let client = serve_with(limited, |http| http).client;
    let first = client.stream(listen()).await;
    let second = client.send(listen()).await;
    assert_eq!(second.error(429), -32600);
    assert!(second.json()["error"]["message"].as_str().unwrap().contains("`streams`"));
    drop(first);
    tokio::task::yield_now().await;
    client.stream(listen()).await;
}

#[tokio::test]
async fn who_reads_documents_only_cannot_listen() {
    let client = serve().client;
    let mut request = listen();
    request.headers_mut().insert("accept", "application/json".parse().unwrap());
    assert_eq!(client.send(request).await.error(406), -32600);
}

#[tokio::test(start_paused = true)]
async fn sub_4_log_5_prg_4_and_mh_15_each_stream_has_its_own() {
    let served = serve();
    let meta = json!({"progressToken": "t", "io.modelcontextprotocol/logLevel": "debug"});
    let filter = json!({"toolsListChanged": true});
    let params = json!({"notifications": filter, "_meta": meta});
    let mut stream = served.client.stream(modern("subscriptions/listen", params)).await;
    assert_eq!(stream.messages().await[0]["method"], "notifications/subscriptions/acknowledged");
    let waiting = json!({"name": "wait", "_meta": meta});
    let mut waiting = served.client.stream(modern("tools/call", waiting)).await;
    for (tool, method, said) in
        [("steps", "notifications/progress", 3), ("chatty", "notifications/message", 3)]
    {
        let call = json!({"name": tool, "_meta": meta});
        let mut events = served.client.modern("tools/call", call).await.events();
        assert!(events.pop().unwrap()["result"].is_object(), "the result is last");
        assert_eq!(events.len(), said);
        assert!(events.iter().all(|event| event["method"] == method), "{events:?}");
    }
    served.shop.send(Message::Open(false)).unwrap();
    // A stream of notices hears of the lists, and a call of nothing but itself.
    let heard = stream.messages().await;
    assert_eq!((heard.len(), &heard[0]["method"]), (1, &json!("notifications/tools/list_changed")));
    served.desk.gate.open.add_permits(1);
    let rest = waiting.messages().await;
    assert_eq!((rest.len(), &rest[0]["result"]["content"][0]["text"]), (1, &json!("done")));
    served.endpoint.close();
    assert!(stream.messages().await[0]["result"].is_object());
}
