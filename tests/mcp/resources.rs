//! Resources (RES-*, B126 to B128, O9).

use serde_json::{Value, json};

use crate::{
    client::{ALL, Client, MODERN},
    desk::serve,
};

#[tokio::test]
async fn b126_the_context_is_listed_first() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let list = client.result("resources/list", json!({})).await;
        let listed = list["resources"].as_array().unwrap();
        let uris: Vec<_> = listed.iter().map(|entry| entry["uri"].as_str().unwrap()).collect();
        assert_eq!(
            uris,
            ["app://context", "app://house", "app://note", "app://secret", "app://broken"]
        );
        assert_eq!(listed[0]["name"], "context");
        assert_eq!(listed[0]["description"], "What an agent may see.");
        assert_eq!(listed[0]["mimeType"], "application/json");
        assert_eq!(listed[2]["mimeType"], "text/plain");
        let titled = !["2024-11-05", "2025-03-26"].contains(&revision);
        assert_eq!(listed[1].get("title").is_some(), titled, "{revision}");
        assert_eq!(list.get("nextCursor"), None);
    }
}

#[tokio::test]
async fn b128_a_read_is_live() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        for lamps in [1, 2] {
            served.shop.send(crate::desk::Message::Lamps(lamps)).unwrap();
            let read = client.result("resources/read", json!({"uri": "app://context"})).await;
            let contents = read["contents"].as_array().unwrap();
            assert_eq!(contents.len(), 1);
            assert_eq!(contents[0]["uri"], "app://context");
            assert_eq!(contents[0]["mimeType"], "application/json");
            let card: Value = serde_json::from_str(contents[0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(card, json!({"name": "shop", "points": lamps}));
        }
        let note = client.result("resources/read", json!({"uri": "app://note"})).await;
        assert_eq!(note["contents"][0]["mimeType"], "text/plain");
        assert_eq!(note["contents"][0]["text"], "two\nlines");
    }
}

#[tokio::test]
async fn res_4_and_5_an_unknown_resource() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        for uri in ["app://nothing", "file:///etc/passwd", "nonsense", ""] {
            let error = client.error("resources/read", json!({ "uri": uri })).await;
            let code = if revision == MODERN { -32602 } else { -32002 };
            assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(code), &json!(uri)));
        }
        for params in [json!({}), json!({"uri": 5})] {
            assert_eq!(client.error("resources/read", params).await["code"], -32602);
        }
    }
}

#[tokio::test]
async fn res_6_a_defect_names_only_the_method() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let error = client.error("resources/read", json!({"uri": "app://broken"})).await;
        assert_eq!(error["code"], -32603);
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("`resources/read`") && !message.contains("secret"), "{message}");
        assert_eq!(error["data"]["agent-mcp/outcome"]["kind"], "defect");
    }
}

#[tokio::test]
async fn o39_who_may_not_read_is_told_so() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let error = client.error("resources/read", json!({"uri": "app://secret"})).await;
    assert_eq!(error["data"]["agent-mcp/outcome"]["status"], "unauthorized");
    assert!(!error.to_string().contains("hidden"));
}

#[tokio::test]
async fn o9_templates_are_an_empty_list_and_cursors_are_checked() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let list = client.result("resources/templates/list", json!({})).await;
        assert_eq!(list["resourceTemplates"], json!([]));
        for method in ["resources/list", "resources/templates/list"] {
            assert_eq!(client.error(method, json!({"cursor": "zzz"})).await["code"], -32602);
        }
    }
}
