//! Handshakes, revisions and eras (VER-*, lifecycle-*, O1 to O5).

use agent_mcp::mcp::Revision;
use serde_json::{Value, json};

use crate::{
    client::{Client, LEGACY, MODERN, envelope, initialize, request},
    desk::{plain, serve, serve_with},
};

#[test]
fn ver_1_and_2_the_handshake_answers_with_the_revision_asked_for() {
    let served = serve();
    for revision in LEGACY {
        let answer = Client::new(&served.handler).reply(&initialize(revision));
        let expected = json!({
            "protocolVersion": revision,
            "capabilities": {"tools": {"listChanged": true}, "resources": {"subscribe": true}, "logging": {}},
            "serverInfo": {"name": "desk", "version": "1.2.3"},
            "instructions": "The desk of a shop.",
        });
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": "init", "result": expected}));
    }
}

#[test]
fn lifecycle_58b_unknown_revision_asked_for() {
    let handler = plain();
    for unknown in ["2099-01-01", "2026-07-28", "", "1"] {
        let answer = Client::new(&handler).reply(&initialize(unknown));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{unknown}");
    }
    for known in ["2025-03-26", "2025-06-18"] {
        let answer = Client::new(&handler).reply(&initialize(known));
        assert_eq!(answer["result"]["protocolVersion"], known);
    }
    let missing = Client::new(&handler).reply(&request(json!(1), "initialize", json!({})));
    assert_eq!(missing["error"]["code"], -32602);
}

#[tokio::test]
async fn lifecycle_58b_later_behaviour_follows_the_agreed_revision() {
    let served = serve();
    let old = Client::at(&served.handler, "2024-11-05");
    assert!(old.call("card", json!({})).await.get("structuredContent").is_none());
    let new = Client::at(&served.handler, "2025-06-18");
    assert!(new.call("card", json!({})).await.get("structuredContent").is_some());
}

#[tokio::test]
async fn lifecycle_b00_requests_before_the_initialized_notification() {
    let served = serve();
    let client = Client::new(&served.handler);
    client.reply(&initialize("2025-11-25"));
    assert_eq!(client.result("logging/setLevel", json!({"level": "error"})).await, json!({}));
    assert!(client.result("tools/list", json!({})).await["tools"].is_array());
    assert_eq!(client.result("ping", json!({})).await, json!({}));
}

#[tokio::test]
async fn lifecycle_b40_discovery_probe() {
    let served = serve();
    let client = Client::new(&served.handler);
    let probe = || request(json!(1), "server/discover", json!({"_meta": envelope()}));
    let discovered = client.reply(&probe())["result"].clone();
    assert_eq!(discovered["supportedVersions"][0], MODERN);
    let agreed = client.reply(&initialize("2025-11-25"));
    assert_eq!(agreed["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(client.reply(&probe())["result"], discovered);
    client.notify("notifications/initialized", json!({}));
    assert!(client.result("tools/list", json!({})).await.get("resultType").is_none());
}

#[tokio::test]
async fn lifecycle_b40_discovery_probe_of_a_legacy_server() {
    let legacy = |options: &mut agent_mcp::mcp::HandlerOptions| {
        options.revisions.retain(|revision| !revision.is_modern());
    };
    let served = serve_with(legacy);
    let client = Client::new(&served.handler);
    for params in [json!({"_meta": envelope()}), json!({})] {
        let answer = client.reply(&request(json!(1), "server/discover", params));
        assert_eq!(answer["error"]["code"], -32601);
    }
    let early = client.reply(&request(json!(2), "tools/list", json!({})));
    assert_eq!(early["error"]["code"], -32600);
    assert_eq!(client.reply(&initialize(MODERN))["result"]["protocolVersion"], "2025-11-25");
    let mut meta = envelope();
    // What a revision is called that is not offered is read as anything else.
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-29");
    assert!(client.result("tools/list", json!({ "_meta": meta })).await["tools"].is_array());
}

#[test]
fn ver_3_only_what_is_offered_is_agreed_on() {
    let served = serve_with(|options| {
        options.revisions = vec![Revision::V2025_03_26, Revision::V2025_06_18];
    });
    for (asked, agreed) in
        [("2024-11-05", "2025-06-18"), ("2025-03-26", "2025-03-26"), ("2025-11-25", "2025-06-18")]
    {
        let answer = Client::new(&served.handler).reply(&initialize(asked));
        assert_eq!(answer["result"]["protocolVersion"], agreed);
    }
}

#[test]
fn ver_16_a_modern_server_names_its_revisions_to_a_handshake() {
    let served = serve_with(|options| options.revisions = vec![Revision::V2026_07_28]);
    let client = Client::new(&served.handler);
    let answer = client.reply(&initialize("2025-11-25"));
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(
        answer["error"]["data"],
        json!({"supported": ["2026-07-28"], "requested": "2025-11-25"})
    );
    let ping = client.reply(&request(json!(1), "ping", json!({})));
    assert_eq!(ping["error"]["code"], -32602, "there is no legacy era here");
}

// B111.
#[tokio::test]
async fn o1_ping_is_always_answered() {
    let client = Client::new(&plain());
    assert_eq!(client.result("ping", json!({})).await, json!({}));
    client.reply(&initialize("2024-11-05"));
    assert_eq!(client.result("ping", json!({})).await, json!({}));
}

#[tokio::test]
async fn ver_14_before_a_handshake_what_is_missing_is_named() {
    let client = Client::new(&plain());
    for method in ["tools/list", "tools/call", "server/discover", "no/such"] {
        let error = client.error(method, json!({})).await;
        assert_eq!(error["code"], -32602, "{method}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("io.modelcontextprotocol/protocolVersion"), "{message}");
        assert!(message.contains("io.modelcontextprotocol/clientCapabilities"), "{message}");
        assert!(message.contains("initialize"), "{message}");
        let supported = error["data"]["supported"].as_array().unwrap();
        assert_eq!(supported.len(), 5);
        assert!(error["data"].get("requested").is_none());
    }
}

#[tokio::test]
async fn ver_12_an_enveloped_initialize_is_an_unknown_method() {
    let client = Client::new(&plain());
    let mut handshake = initialize("2025-11-25");
    handshake["params"]["_meta"] = envelope();
    assert_eq!(client.reply(&handshake)["error"]["code"], -32601);
    assert_eq!(
        client.error("tools/list", json!({})).await["code"],
        -32602,
        "no session was opened"
    );
}

#[tokio::test]
async fn ver_13_both_eras_on_one_connection() {
    let served = serve();
    let legacy = Client::at(&served.handler, "2025-06-18");
    let enveloped = json!({"_meta": envelope()});
    let modern = legacy.result("tools/list", enveloped).await;
    assert_eq!(modern["resultType"], "complete");
    let plain = legacy.result("tools/list", json!({})).await;
    assert!(plain.get("resultType").is_none());

    let modern = json!({"name": "count", "_meta": envelope()});
    assert_eq!(legacy.result("tools/call", modern).await["structuredContent"], 42);
    assert_eq!(legacy.call("count", json!({})).await["structuredContent"], json!({"result": 42}));
}

#[tokio::test]
async fn ver_11_methods_of_one_era_are_unknown_in_the_other() {
    let served = serve();
    let modern = Client::at(&served.handler, MODERN);
    for method in
        ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]
    {
        assert_eq!(modern.error(method, json!({})).await["code"], -32601, "{method}");
    }
    for notice in ["notifications/initialized", "notifications/roots/list_changed"] {
        modern.notify(notice, json!({"_meta": envelope()}));
    }
    assert!(modern.heard().is_empty());
    let legacy = Client::at(&served.handler, "2025-11-25");
    for method in ["server/discover", "subscriptions/listen", "tasks/get"] {
        assert_eq!(legacy.error(method, json!({})).await["code"], -32601, "{method}");
    }
}

// B109: what the contract does not have is not claimed.
#[tokio::test]
async fn ver_20_what_is_not_claimed_is_not_served() {
    for revision in LEGACY.into_iter().chain([MODERN]) {
        let client = Client::at(&plain(), revision);
        for method in
            ["resources/list", "resources/read", "resources/templates/list", "prompts/list"]
        {
            assert_eq!(client.error(method, json!({})).await["code"], -32601, "{method}");
        }
    }
    let served = serve_with(|options| options.logging = false);
    let client = Client::new(&served.handler);
    let welcome = client.reply(&initialize("2025-11-25"));
    assert!(welcome["result"]["capabilities"].get("logging").is_none());
    let level = client.error("logging/setLevel", json!({"level": "info"})).await;
    assert_eq!(level["code"], -32601);
    client.call("chatty", json!({})).await;
    assert!(client.heard().is_empty());
}

#[test]
fn ver_21_the_server_says_of_itself_what_the_revision_knows() {
    let served = serve_with(|options| {
        options.description = Some("A desk".to_owned());
        options.website_url = Some("https://desk.example".to_owned());
    });
    for revision in LEGACY {
        let answer = Client::new(&served.handler).reply(&initialize(revision));
        let server = &answer["result"]["serverInfo"];
        let known = revision == "2025-11-25";
        assert_eq!(server.get("description").is_some(), known, "{revision}");
        assert_eq!(server.get("websiteUrl").is_some(), known, "{revision}");
    }
}

#[tokio::test]
async fn a_second_handshake_begins_anew() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-06-18");
    client.tools().await;
    assert!(client.connection.wants_changes());
    let again = client.reply(&initialize("2024-11-05"));
    assert_eq!(again["result"]["protocolVersion"], "2024-11-05");
    assert!(!client.connection.wants_changes(), "the new client has not listed");
}

#[tokio::test]
async fn the_client_is_what_it_says_at_the_handshake_or_with_the_request() {
    let served = serve();
    let legacy = Client::at(&served.handler, "2025-06-18");
    let text = |result: Value| result["content"][0]["text"].as_str().unwrap().to_owned();
    let who = text(legacy.call("who", json!({})).await);
    assert_eq!(who, r#"Some("tester") Some("2025-06-18") {"roots":{}}"#);

    let mut meta = envelope();
    for name in ["one", "two", "two"] {
        meta["io.modelcontextprotocol/clientInfo"]["name"] = json!(name);
        let asked = json!({"name": "who", "_meta": meta});
        let who = text(legacy.result("tools/call", asked).await);
        assert_eq!(who, format!(r#"Some("{name}") Some("2026-07-28") {{}}"#), "BASE-15");
    }
}

#[test]
fn b140_after_close_nothing_is_answered() {
    let client = Client::at(&plain(), "2025-03-26");
    client.connection.close();
    client.connection.close();
    for message in [
        request(json!(1), "ping", json!({})),
        request(json!(2), "tools/call", json!({"name": "add"})),
        initialize("2025-11-25"),
        json!([request(json!(1), "ping", json!({}))]),
    ] {
        assert!(matches!(client.receive(&message), agent_mcp::mcp::Received::Nothing));
    }
}
