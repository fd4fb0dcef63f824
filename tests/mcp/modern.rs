//! The modern era (E rules: VER-6 to VER-10, BASE-11 to BASE-17, CAC-*).

use serde_json::{Value, json};

use crate::{
    client::{Client, MODERN, envelope, request},
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
