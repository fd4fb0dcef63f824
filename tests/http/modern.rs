//! The modern era: each request by itself.

use std::{num::NonZeroU32, pin::pin, time::Duration};

use agent_mcp::Server;
use serde_json::json;
use tower::ServiceExt;

use crate::{
    client::{Client, MODERN, enveloped, message, modern, modern_only, serve, serve_with},
    desk::{Desk, Gate, shop},
    sessions::{initialize, open, with},
};

#[tokio::test]
async fn a_request_is_answered_with_one_document() {
    let client = serve().client;
    let tools = client.modern("tools/list", json!({})).await.result();
    assert_eq!(tools["resultType"], "complete");
    let echo = json!({"name": "echo", "arguments": {"text": "hi"}});
    let answer = client.modern("tools/call", echo).await;
    assert_eq!(answer.result()["content"][0]["text"], "hi");
    // MH-18.
    assert_eq!(answer.header("mcp-session-id"), None);
    let house = client.modern("resources/read", json!({"uri": "app://house"})).await;
    assert!(house.result()["contents"][0]["text"].as_str().unwrap().contains("house"));
}

#[tokio::test]
async fn mh_2_the_first_check_that_fails_decides() {
    let client = serve().client;
    let good = enveloped("tools/call", json!({"name": "count"}));
    let mut bare = good.clone();
    bare["params"]["_meta"]
        .as_object_mut()
        .unwrap()
        .remove("io.modelcontextprotocol/clientCapabilities");
    let mut unknown = good.clone();
    unknown["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let other = enveloped("no/such", json!({}));
    let headers = |version, method, name| {
        [("mcp-protocol-version", version), ("mcp-method", method), ("mcp-name", name)]
    };
    let call = headers(MODERN, "tools/call", "count");
    let table = [
        // The envelope before the headers.
        (bare.to_string(), call, 400, -32602),
        (bare.to_string(), headers("", "", ""), 400, -32602),
        // The headers before the version.
        (unknown.to_string(), call, 400, -32020),
        (unknown.to_string(), headers("", "tools/call", "count"), 400, -32020),
        (unknown.to_string(), headers("2099-01-01", "", ""), 400, -32022),
        (good.to_string(), headers("", "tools/call", "count"), 400, -32020),
        (good.to_string(), headers("2025-11-25", "tools/call", "count"), 400, -32020),
        // The standard headers before the method.
        (good.to_string(), headers(MODERN, "", "count"), 400, -32020),
        (good.to_string(), headers(MODERN, "Tools/Call", "count"), 400, -32020),
        (good.to_string(), headers(MODERN, "tools/call", ""), 400, -32020),
        (good.to_string(), headers(MODERN, "tools/call", "Count"), 400, -32020),
        (good.to_string(), headers(MODERN, "tools/call", "=?base64?Y291bnQ?="), 400, -32020),
        (other.to_string(), headers(MODERN, "tools/list", ""), 400, -32020),
        (other.to_string(), headers(MODERN, "no/such", ""), 404, -32601),
        // What is no request at all.
        ("{".to_owned(), call, 400, -32700),
        ("[]".to_owned(), call, 400, -32600),
        (json!({"jsonrpc": "2.0", "id": null, "method": "x"}).to_string(), call, 400, -32600),
        // Without an envelope.
        (message(1, "tools/list", json!({})).to_string(), headers(MODERN, "", ""), 400, -32602),
    ];
    for (body, headers, status, code) in table {
        let answer = client.post(&headers, body.clone()).await;
        assert_eq!(answer.error(status), code, "{body} {headers:?}");
    }
    // Whoever leaves one header out hears of all.
    let answer = client.post(&[], good.to_string()).await;
    assert_eq!(
        answer.json()["error"]["message"],
        "`MCP-Protocol-Version` is missing: a request says its revision in `MCP-Protocol-Version`, its method in \
         `Mcp-Method` and what it is about, where there is such a thing, in `Mcp-Name`"
    );
    for name in ["count", "=?base64?Y291bnQ=?=", "  count "] {
        let answer = client.post(&headers(MODERN, "tools/call", name), good.to_string()).await;
        assert_eq!(answer.result()["content"][0]["text"], "42", "{name}");
    }
}

#[tokio::test]
async fn mh_20_what_a_method_answers_is_no_error_of_http() {
    let client = serve().client;
    let call = |name| client.modern("tools/call", json!({ "name": name }));
    assert_eq!(call("no_such_tool").await.error(200), -32602);
    assert_eq!(call("panics").await.result()["isError"], true);
    let read = client.modern("resources/read", json!({"uri": "app://nothing"})).await;
    assert_eq!(read.error(200), -32602);
}

#[tokio::test]
async fn ver_11_and_16_initialize_is_answered_with_what_there_is() {
    let enveloped = serve().client.modern("initialize", json!({})).await;
    assert_eq!(enveloped.error(404), -32601);
    let modern = serve_with(modern_only, |http| http).client;
    let refused = modern.post(&[], initialize("2025-11-25")).await;
    assert_eq!(refused.error(400), -32022);
    assert_eq!(refused.json()["error"]["data"]["supported"], json!([MODERN]));
}

// B157
#[tokio::test]
async fn http_6_a_notification_is_accepted_and_has_no_body() {
    let client = serve().client;
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {
        "requestId": 1, "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}});
    let headers = [("mcp-protocol-version", MODERN), ("mcp-method", "notifications/cancelled")];
    let answer = client.post(&headers, notification.to_string()).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (202, 0));
    // BASE-14: the server has asked nothing.
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string();
    assert_eq!(client.post(&headers, response).await.error(400), -32600);
}

#[tokio::test]
async fn http_10_two_calls_with_one_id_get_their_own_answers() {
    let served = serve();
    let wait = served.client.modern("tools/call", json!({"name": "wait"}));
    let mut wait = pin!(wait);
    tokio::select! {
        biased;
        _ = &mut wait => panic!("it waits"),
        () = Gate::pass(&served.desk.gate.begun) => {}
    }
    let count = served.client.modern("tools/call", json!({"name": "count"})).await;
    assert_eq!(count.result()["content"][0]["text"], "42");
    served.desk.gate.open.add_permits(1);
    assert_eq!(wait.await.result()["content"][0]["text"], "done");
}

#[tokio::test]
async fn cancel_175_a_lost_connection_cancels() {
    let served = serve();
    let request = modern("tools/call", json!({"name": "wait"})).map(axum::body::Body::new);
    let call = tokio::spawn(served.client.0.clone().oneshot(request));
    Gate::pass(&served.desk.gate.begun).await;
    call.abort();
    Gate::pass(&served.desk.gate.cancelled).await;
}

#[tokio::test]
async fn a_caller_has_so_many_calls_in_flight() {
    let served =
        serve_with(|server| server.limits(|limits| limits.calls_in_flight = 1), |http| http);
    let wait = served.client.modern("tools/call", json!({"name": "wait"}));
    let mut wait = pin!(wait);
    tokio::select! {
        biased;
        _ = &mut wait => panic!("it waits"),
        () = Gate::pass(&served.desk.gate.begun) => {}
    }
    let second = served.client.modern("tools/call", json!({"name": "count"})).await;
    assert_eq!(second.error(429), -32600);
    assert_eq!(second.json()["id"], 1);
    assert!(second.json()["error"]["message"].as_str().unwrap().contains("`calls_in_flight`"));
    assert_eq!(second.header("retry-after"), Some("1"));
    // What is no call needs no place.
    client_lists(&served.client).await;
    served.desk.gate.open.add_permits(1);
    assert_eq!(wait.await.result()["content"][0]["text"], "done");
    served.client.modern("tools/call", json!({"name": "count"})).await.result();
}

async fn client_lists(client: &Client) {
    let tools = client.modern("tools/list", json!({})).await.result();
    assert!(tools["tools"].as_array().unwrap().len() > 1);
}

#[tokio::test]
async fn http_599_a_trailing_slash_is_the_same_endpoint() {
    let at =
        |path: &'static str| Client::of(Server::bind(Desk::default(), shop()).http().path(path));
    for (path, targets) in [
        ("/mcp", ["/mcp", "/mcp/"]),
        ("/deep/agent/", ["/deep/agent", "/deep/agent/"]),
        ("/", ["/", "/"]),
    ] {
        for target in targets {
            let mut request = modern("tools/list", json!({}));
            *request.uri_mut() = target.parse().unwrap();
            at(path).send(request).await.result();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_caller_has_so_many_calls_in_a_second() {
    let often = |limits: &mut agent_mcp::Limits| limits.calls_per_second = NonZeroU32::new(2);
    let client = serve_with(|server| server.limits(often), |http| http).client;
    let session = open(&client, &[]).await;
    let headers = with(&session, &[]);
    let legacy =
        || client.post(&headers, message(7, "tools/call", json!({"name": "count"})).to_string());
    client.modern("tools/call", json!({"name": "count"})).await.result();
    legacy().await.result();
    for answer in [client.modern("tools/call", json!({"name": "count"})).await, legacy().await] {
        assert_eq!(answer.error(429), -32600);
        assert_eq!(answer.header("retry-after"), Some("1"));
        let error = answer.json();
        assert!(error["error"]["message"].as_str().unwrap().contains("`calls_per_second`"));
        assert!(error["id"].is_i64(), "{error}");
    }
    // Nothing else is counted.
    client.modern("tools/list", json!({})).await.result();
    tokio::time::advance(Duration::from_secs(1)).await;
    legacy().await.result();
}

#[tokio::test]
async fn ver_11_what_the_era_does_not_have_is_not_found() {
    let client = serve().client;
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "no/such",
    ] {
        assert_eq!(client.modern(method, json!({})).await.error(404), -32601, "{method}");
    }
}

#[tokio::test]
async fn mh_18_nothing_is_resumed_and_no_session_is_meant() {
    let client = serve().client;
    let steps = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    let mut request = modern("tools/call", steps);
    for (name, value) in [("last-event-id", "1.0"), ("mcp-session-id", "unknown")] {
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let answer = client.send(request).await;
    assert_eq!(answer.events().len(), 4);
    assert_eq!(answer.header("mcp-session-id"), None);
    let text = std::str::from_utf8(&answer.body).unwrap();
    assert!(!text.contains("id: ") && !text.contains("retry: "), "{text}");
}
