//! The lists of tools at each revision (TOOL-*, PAG-*, B116, B117).

use serde_json::{Value, json};

use crate::{
    client::{ALL, Client, MODERN, names, tool},
    desk::{plain, serve},
};

#[tokio::test]
async fn b116_the_list_is_what_exists_now_in_the_order_of_declaration() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let listed = client.tools().await;
        assert_eq!(&listed[..3], ["echo", "count", "card"]);
        assert!(listed.contains(&"sell".to_owned()));
        served.shop.send(crate::desk::Message::Open(false)).unwrap();
        let closed = client.tools().await;
        let rest: Vec<_> = listed.iter().filter(|name| *name != "sell").cloned().collect();
        assert_eq!(closed, rest);
        served.shop.send(crate::desk::Message::Open(true)).unwrap();
    }
}

#[tokio::test]
async fn ver_21_a_tool_says_what_the_revision_knows() {
    let served = serve();
    for revision in ALL {
        let list = Client::at(&served.handler, revision).result("tools/list", json!({})).await;
        let echo = tool(&list, "echo");
        assert_eq!(echo["description"], "Says the text back.");
        assert_eq!(echo["inputSchema"]["type"], "object");
        let hints = json!({"readOnlyHint": true, "idempotentHint": true});
        match revision {
            "2024-11-05" => assert_eq!((echo.get("title"), echo.get("annotations")), (None, None)),
            "2025-03-26" => {
                assert_eq!(echo.get("title"), None);
                let titled = json!({"title": "Echo", "readOnlyHint": true, "idempotentHint": true});
                assert_eq!(echo["annotations"], titled);
            }
            _ => assert_eq!((&echo["title"], &echo["annotations"]), (&json!("Echo"), &hints)),
        }
        let structured = !["2024-11-05", "2025-03-26"].contains(&revision);
        assert_eq!(tool(&list, "card").get("outputSchema").is_some(), structured, "{revision}");
        assert_eq!(tool(&list, "echo").get("outputSchema"), None, "text has no schema");
    }
}

#[tokio::test]
async fn schema_2cf_tool_without_arguments() {
    let served = serve();
    for revision in ALL {
        let list = Client::at(&served.handler, revision).result("tools/list", json!({})).await;
        let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
        assert_eq!(tool(&list, "count")["inputSchema"], closed);
    }
}

#[tokio::test]
async fn output_824_recursive_return_type() {
    let served = serve();
    for revision in ["2025-06-18", "2025-11-25", MODERN] {
        let client = Client::at(&served.handler, revision);
        let list = client.result("tools/list", json!({})).await;
        assert_eq!(tool(&list, "tree").get("outputSchema"), None);
        let tree = json!({"label": "root", "children": []});
        assert_eq!(client.call("tree", json!({})).await["structuredContent"], tree);
    }
}

#[tokio::test]
async fn output_ba1_no_null_members() {
    fn nulls(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Null => found.push(path.to_owned()),
            Value::Array(items) => {
                items.iter().for_each(|item| nulls(item, &format!("{path}[]"), found));
            }
            Value::Object(members) => members
                .iter()
                .for_each(|(key, member)| nulls(member, &format!("{path}.{key}"), found)),
            _ => {}
        }
    }
    for handler in [plain(), serve().handler] {
        for revision in ALL {
            let client = Client::at(&handler, revision);
            let welcome = Client::new(&handler).reply(&crate::client::initialize(revision));
            let list = client.ask("tools/list", json!({})).await;
            let resources = client.ask("resources/list", json!({})).await;
            let call = client.ask("tools/call", json!({"name": "count"})).await;
            let mut found = Vec::new();
            for answer in [welcome, list, resources, call] {
                nulls(&answer, "", &mut found);
            }
            assert_eq!(found, [""; 0], "{revision}");
        }
    }
}

#[tokio::test]
async fn dynamic_1da_a_call_does_not_change_the_list_of_its_connection_alone() {
    let served = serve();
    let (one, two) =
        (Client::at(&served.handler, "2025-11-25"), Client::at(&served.handler, "2025-11-25"));
    assert_eq!(one.tools().await, two.tools().await);
    one.call("echo", json!({"text": "x"})).await;
    one.call("close", json!({})).await;
    assert_eq!(one.tools().await, two.tools().await);
}

#[tokio::test]
async fn dynamic_f90_pages() {
    let (desk, shop) = (crate::desk::Desk::default(), crate::desk::shop());
    let server = agent_mcp::Server::bind(desk, shop.clone()).limits(|limits| limits.page = 6);
    let handler = server.handler().unwrap();
    for revision in ALL {
        shop.send(crate::desk::Message::Open(true)).unwrap();
        let client = Client::at(&handler, revision);
        assert_eq!(client.error("tools/list", json!({"cursor": "zzz"})).await["code"], -32602);
        assert_eq!(client.error("tools/list", json!({"cursor": ""})).await["code"], -32602);
        assert_eq!(client.error("tools/list", json!({"cursor": 5})).await["code"], -32602);
        let mut seen = Vec::new();
        let mut params = json!({"cursor": null});
        loop {
            // Another connection is as good (PAG-3).
            let client = Client::at(&handler, revision);
            let page = client.result("tools/list", params).await;
            seen.extend(names(&page["tools"]));
            assert!(page["tools"].as_array().unwrap().len() <= 6);
            shop.send(crate::desk::Message::Open(false)).unwrap();
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
        let all: Vec<_> = handler.runtime().contract().capabilities.iter().collect();
        let stable: Vec<_> =
            all.iter().map(|tool| tool.name.clone()).filter(|name| name != "sell").collect();
        assert_eq!(seen, stable, "{revision}");
    }
}

mod every_list {
    use agent_mcp::{Server, agent};

    use super::*;

    struct Shelf;

    #[agent]
    impl Shelf {
        /// First.
        #[capability]
        async fn one(&self) {}

        /// Second.
        #[capability]
        async fn two(&self) {}

        /// First.
        #[resource]
        fn red(&self) -> &'static str {
            "red"
        }

        /// Second.
        #[resource]
        fn blue(&self) -> &'static str {
            "blue"
        }

        /// First.
        #[resource(uri = "left://{at}")]
        fn left(&self, at: u32) -> String {
            at.to_string()
        }

        /// Second.
        #[resource(uri = "right://{at}")]
        fn right(&self, at: u32) -> String {
            at.to_string()
        }

        /// First.
        #[prompt]
        fn ask(&self) -> &'static str {
            "Ask."
        }

        /// Second.
        #[prompt]
        fn tell(&self) -> &'static str {
            "Tell."
        }
    }

    #[tokio::test]
    async fn pag_1_cac_1_and_3_every_list_has_pages_that_may_be_kept_alike() {
        let handler = Server::new(Shelf).limits(|limits| limits.page = 1).handler().unwrap();
        for revision in ALL {
            let client = Client::at(&handler, revision);
            for (method, list, expected) in [
                ("tools/list", "tools", ["one", "two"]),
                ("resources/list", "resources", ["red", "blue"]),
                ("resources/templates/list", "resourceTemplates", ["left", "right"]),
                ("prompts/list", "prompts", ["ask", "tell"]),
            ] {
                let first = client.result(method, json!({})).await;
                let cursor = json!({"cursor": first["nextCursor"].as_str().unwrap()});
                let last = client.result(method, cursor.clone()).await;
                assert!(last.get("nextCursor").is_none(), "{revision} {method}");
                assert_eq!(names(&first[list]), expected[..1], "{revision} {method}");
                assert_eq!(names(&last[list]), expected[1..], "{revision} {method}");
                // PAG-2: it leads to the same place again, and an empty one leads nowhere.
                assert_eq!(client.result(method, cursor).await, last);
                assert_eq!(client.error(method, json!({"cursor": ""})).await["code"], -32602);
                for page in [&first, &last] {
                    let hints = (page.get("ttlMs"), page.get("cacheScope"));
                    if revision == MODERN {
                        assert!(hints.0.unwrap().is_u64(), "{method}");
                        assert_eq!(hints.1.unwrap(), "public", "{method}");
                    } else {
                        assert_eq!(hints, (None, None), "{revision} {method}");
                    }
                }
            }
        }
    }
}
