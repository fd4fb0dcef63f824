//! The modern era (E rules: VER-6 to VER-10, BASE-11 to BASE-17, CAC-*).

use agent_mcp::mcp::Received;
use serde_json::{Value, json};

use crate::{
    client::{Client, MODERN, envelope, request, start},
    desk::{plain, serve},
};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[tokio::test]
async fn ver_6_discovery() {
    let served = serve();
    let result = Client::at(&served.handler, MODERN).result("server/discover", json!({})).await;
    assert_eq!(
        result,
        json!({
            "supportedVersions":
                ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
            "capabilities": {"tools": {"listChanged": true}, "resources": {"subscribe": true}, "logging": {}},
            "instructions": "The desk of a shop.",
            "ttlMs": 60_000,
            "cacheScope": "public",
            "resultType": "complete",
            "_meta": {
                "io.modelcontextprotocol/serverInfo": {"name": "desk", "version": "1.2.3"},
            },
        })
    );
}

#[tokio::test]
async fn ver_7_and_base_11_every_result_is_marked() {
    let served = serve();
    let client = Client::at(&served.handler, MODERN);
    for (method, params) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("tools/call", json!({"name": "card"})),
        ("tools/call", json!({"name": "lost_card"})),
        ("tools/call", json!({"name": "nothing"})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "app://note"})),
    ] {
        let result = client.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}");
        let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(server, &json!({"name": "desk", "version": "1.2.3"}), "{method}");
    }
}

#[tokio::test]
async fn cac_1_and_4_cache_hints() {
    let hints = |result: &Value| (result["ttlMs"].clone(), result["cacheScope"].clone());
    let served = serve();
    let client = Client::at(&served.handler, MODERN);
    for (method, params, expected) in [
        ("tools/list", json!({}), (json!(0), json!("public"))),
        ("resources/list", json!({}), (json!(60_000), json!("public"))),
        ("resources/templates/list", json!({}), (json!(60_000), json!("public"))),
        ("resources/read", json!({"uri": "app://note"}), (json!(0), json!("private"))),
    ] {
        assert_eq!(hints(&client.result(method, params).await), expected, "{method}");
    }
    let call = client.call("count", json!({})).await;
    assert_eq!((call.get("ttlMs"), call.get("cacheScope")), (None, None));
    let fixed = Client::at(&plain(), MODERN).result("tools/list", json!({})).await;
    assert_eq!(hints(&fixed), (json!(60_000), json!("public")));
}

#[test]
fn ver_9_what_the_envelope_must_hold() {
    let client = Client::new(&plain());
    for (missing, value) in [
        (VERSION, None),
        (VERSION, Some(json!(20_260_728))),
        (VERSION, Some(json!(null))),
        (CAPABILITIES, None),
        (CAPABILITIES, Some(json!([]))),
        (CAPABILITIES, Some(json!(null))),
    ] {
        for method in ["server/discover", "tools/list", "no/such", "ping"] {
            let mut meta = envelope();
            meta.as_object_mut().unwrap().remove(missing);
            if let Some(value) = &value {
                meta[missing] = value.clone();
            }
            let answer = client.reply(&request(json!(1), method, json!({"_meta": meta})));
            assert_eq!(answer["error"]["code"], -32602, "{method} {missing} {value:?}");
            assert!(answer["error"]["message"].as_str().unwrap().contains(missing));
        }
    }
    let mut meta = envelope();
    meta.as_object_mut().unwrap().remove("io.modelcontextprotocol/clientInfo");
    let answer = client.reply(&request(json!(1), "server/discover", json!({"_meta": meta})));
    assert!(answer["result"].is_object(), "who the client is need not be said");
}

#[test]
fn ver_8_and_15_unsupported_revisions() {
    let client = Client::new(&plain());
    for asked in ["1900-01-01", "2099-01-01", "", "2025-11-25", "2024-11-05"] {
        for method in ["server/discover", "tools/list", "no/such"] {
            let mut meta = envelope();
            meta[VERSION] = json!(asked);
            let answer = client.reply(&request(json!(1), method, json!({"_meta": meta})));
            assert_eq!(answer["error"]["code"], -32022);
            assert_eq!(answer["error"]["data"]["requested"], asked);
            assert_eq!(answer["error"]["data"]["supported"][0], MODERN);
            assert_eq!(answer["error"]["data"]["supported"].as_array().unwrap().len(), 5);
        }
    }
}

#[tokio::test]
async fn base_15_nothing_is_inferred_from_earlier_requests() {
    let client = Client::at(&plain(), MODERN);
    client.result("tools/list", json!({})).await;
    let bare = client.reply(&request(json!(1), "tools/list", json!({})));
    assert_eq!(bare["error"]["code"], -32602, "the envelope is missing now");
}

#[tokio::test]
async fn tool_2_the_list_is_the_same_on_every_connection() {
    let served = serve();
    let one = Client::at(&served.handler, MODERN);
    one.call("echo", json!({"text": "x"})).await;
    let two = Client::at(&served.handler, MODERN);
    assert_eq!(
        one.result("tools/list", json!({})).await,
        two.result("tools/list", json!({})).await
    );
}

#[tokio::test]
async fn base_16_conversations_are_mixed_on_one_connection() {
    let served = serve();
    let client = Client::at(&served.handler, MODERN);
    // Two callers share a pipe, and neither knows of the other.
    let call = |id: &str, name: &str, progress: &str| {
        let mut meta = envelope();
        meta["io.modelcontextprotocol/clientInfo"]["name"] = json!(name);
        meta["progressToken"] = json!(progress);
        request(json!(id), "tools/call", json!({"name": "wait", "_meta": meta}))
    };
    let mut waiting = Vec::new();
    for message in [call("a", "one", "p"), call("b", "two", "p")] {
        let Received::Call(mut exchange) = client.receive(&message) else { panic!("a call") };
        start(&mut exchange).await;
        waiting.push(exchange);
    }
    let mut meta = envelope();
    meta["io.modelcontextprotocol/clientInfo"]["name"] = json!("three");
    let who = client.result("tools/call", json!({"name": "who", "_meta": meta})).await;
    assert!(who["content"][0]["text"].as_str().unwrap().contains("three"));
    let (second, first) = (waiting.pop().unwrap(), waiting.pop().unwrap());
    client.cancel(json!("a"));
    assert_eq!(client.finish(first).await, None);
    served.desk.gate.open.add_permits(1);
    let done = client.finish(second).await.unwrap();
    assert_eq!((&done["id"], &done["result"]["content"][0]["text"]), (&json!("b"), &json!("done")));
}

#[tokio::test]
async fn res_2_what_is_listed_and_read_is_the_same_on_every_connection() {
    let served = serve();
    let one = Client::at(&served.handler, MODERN);
    one.call("echo", json!({"text": "x"})).await;
    one.result("resources/read", json!({"uri": "app://note"})).await;
    let two = Client::at(&served.handler, MODERN);
    for (method, params) in [
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "app://house"})),
        ("server/discover", json!({})),
    ] {
        let (here, there) =
            (one.result(method, params.clone()).await, two.result(method, params).await);
        assert_eq!(here, there, "{method}");
    }
}

#[tokio::test]
async fn sec_6_nothing_depends_on_what_a_client_says_of_itself() {
    let served = serve();
    let client = Client::at(&served.handler, MODERN);
    let mut seen = Vec::new();
    for info in
        [json!({"name": "admin", "version": "1"}), json!({"name": "x"}), json!(7), Value::Null]
    {
        let meta = json!({"io.modelcontextprotocol/clientInfo": info});
        let list = client.result("tools/list", json!({ "_meta": meta })).await;
        let call = json!({"name": "forbidden", "_meta": meta});
        let refused = client.result("tools/call", call).await;
        assert_eq!(refused["isError"], true, "{info}");
        seen.push((list, refused));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
}
