//! Templates of resources (RES-3 to RES-9).

use serde_json::{Value, json};

use crate::{
    client::{ALL, Client, MODERN},
    shelf::{Served, serve},
};

async fn read(client: &Client, uri: &str) -> Value {
    client.result("resources/read", json!({ "uri": uri })).await["contents"].take()
}

async fn refused(client: &Client, uri: &str) -> Value {
    client.error("resources/read", json!({ "uri": uri })).await
}

async fn each(test: impl AsyncFn(&Client, &'static str, &Served)) {
    let served = serve();
    for revision in ALL {
        test(&Client::at(&served.handler, revision), revision, &served).await;
    }
}

#[tokio::test]
async fn res_3_templates_are_in_a_list_of_their_own() {
    each(async |client, revision, _| {
        let list = client.result("resources/list", json!({})).await;
        let uris: Vec<_> =
            list["resources"].as_array().unwrap().iter().map(|it| &it["uri"]).collect();
        assert_eq!(uris, ["app://order", "book://newest"]);
        let list = client.result("resources/templates/list", json!({})).await;
        let templates = list["resourceTemplates"].as_array().unwrap();
        let uris: Vec<_> = templates.iter().map(|it| &it["uriTemplate"]).collect();
        let all = [
            "book://{id}",
            "book://{number}/{part}",
            "open://{shelf}",
            "files:///{+path}",
            "empty://{id}",
            "book://{name}",
        ];
        assert_eq!(uris, all);
        let mut first = json!({
            "uriTemplate": "book://{id}",
            "name": "book",
            "description": "One book.",
            "mimeType": "application/vnd.book+json",
        });
        if revision >= "2025-06-18" {
            first["title"] = "A book".into();
        }
        assert_eq!(templates[0], first, "{revision}");
    })
    .await;
}

#[tokio::test]
async fn res_3_an_address_gives_the_arguments() {
    each(async |client, _, served| {
        served.books.send(vec!["Emma", "Dune"]).unwrap();
        let book = read(client, "book://1").await;
        assert_eq!(
            book,
            json!([{
                "uri": "book://1",
                "mimeType": "application/vnd.book+json",
                "text": r#"{"title":"Dune"}"#,
            }])
        );
        // What is declared wins over what fits a template.
        assert_eq!(read(client, "book://newest").await[0]["text"], "Dune");
        assert_eq!(read(client, "book://0/title").await[0]["text"], "Emma");
        let path = read(client, "files:///a%20b/gr%C3%B6%C3%9Fe.txt").await;
        assert_eq!(path[0]["text"], "file a b/größe.txt");
        assert_eq!(path[0]["uri"], "files:///a%20b/gr%C3%B6%C3%9Fe.txt");
        served.books.send(vec!["Emma", "Dune", "Ulysses"]).unwrap();
        assert_eq!(read(client, "book://2").await[0]["text"], r#"{"title":"Ulysses"}"#);
    })
    .await;
}

#[tokio::test]
async fn res_12_several_contents_each_with_its_own_address_and_type() {
    each(async |client, _, _| {
        assert_eq!(
            read(client, "book://0/cover").await,
            json!([
                {"uri": "book://0/cover", "mimeType": "image/png", "blob": "AQID"},
                {"uri": "book://0/spine", "mimeType": "text/x-spine", "text": "spine"},
            ])
        );
    })
    .await;
}

#[tokio::test]
async fn res_4_and_5_what_is_not_there_is_unknown() {
    each(async |client, revision, _| {
        let code = if revision == MODERN { -32602 } else { -32002 };
        for uri in [
            "book://7",          // `None`
            "book://7/title",    // `Failure::not_found()`
            "files:///gone.txt", // `Ok(None)`
            "empty://1",         // no contents at all
            "book://one",        // no number
            "book://-1",
            "book://01",
            "book://1.5",
            "book://18446744073709551616",
            "book://0/spine", // no such part
            "book://0/Title",
            "book://",
        ] {
            let error = refused(client, uri).await;
            assert_eq!(error["code"], code, "{uri}: {error}");
            assert_eq!(error["data"]["uri"], uri);
            assert_eq!(error["data"]["agent-mcp/outcome"]["status"], "unknown_resource", "{uri}");
        }
        // What is empty is there.
        assert_eq!(read(client, "files:///nothing").await[0]["text"], "");
        let error = refused(client, "files:///locked.txt").await;
        assert_eq!((&error["code"], &error["message"]), (&json!(-32603), &json!("it is locked")));
    })
    .await;
}

#[tokio::test]
async fn res_7_no_address_leads_out() {
    each(async |client, _, _| {
        for uri in [
            "files:///../etc/passwd",
            "files:///a/../../etc/passwd",
            "files:///a/%2e%2e/b",
            "files:///a%2F..%2Fb",
            "files:////etc/passwd",
            "files:///a//b",
            "files:///a/",
            "files:///a%00.txt",
            "files:///a%5C..%5Cb",
            "files:///%",
            "files:///%ff",
        ] {
            let error = refused(client, uri).await;
            assert_eq!(error["data"]["agent-mcp/outcome"]["status"], "unknown_resource", "{uri}");
        }
    })
    .await;
}

#[tokio::test]
async fn res_8_authorize_sees_the_typed_arguments() {
    each(async |client, _, _| {
        let error = refused(client, "book://1/cover").await;
        assert_eq!(error["data"]["agent-mcp/outcome"]["status"], "unauthorized");
        assert_eq!(read(client, "book://1/title").await[0]["text"], "Dune");
    })
    .await;
}

#[tokio::test]
async fn res_12_annotations_and_size_are_in_the_lists() {
    each(async |client, _, _| {
        let list = client.result("resources/list", json!({})).await;
        let (order, newest) = (&list["resources"][0], &list["resources"][1]);
        assert_eq!(order["size"], 5);
        assert_eq!(
            order["annotations"],
            json!({"audience": ["user", "assistant"], "priority": 0.5})
        );
        assert_eq!(newest.get("size"), None);
        assert_eq!(newest["annotations"], json!({"audience": ["assistant"]}));
        let list = client.result("resources/templates/list", json!({})).await;
        let templates = list["resourceTemplates"].as_array().unwrap();
        assert_eq!(templates[0].get("annotations"), None);
        assert_eq!(templates[3]["annotations"], json!({"audience": ["user"], "priority": 1.0}));
    })
    .await;
}

#[tokio::test]
async fn res_2_what_is_not_available_is_not_listed_and_not_there() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        served.books.send(vec!["Emma", "Dune"]).unwrap();
        let uris = async |method, list: &str| {
            let result = client.result(method, json!({})).await;
            if revision == MODERN {
                // CAC-4: it comes and goes, for everybody alike.
                assert_eq!(
                    (&result["ttlMs"], &result["cacheScope"]),
                    (&json!(0), &json!("public"))
                );
            }
            result[list].to_string()
        };
        assert!(!uris("resources/list", "resources").await.contains("missing"));
        assert!(uris("resources/templates/list", "resourceTemplates").await.contains("open://"));
        let status = |error: Value| error["data"]["agent-mcp/outcome"]["status"].clone();
        assert_eq!(status(refused(&client, "shelf://missing").await), "unknown_resource");
        assert_eq!(read(&client, "open://a").await[0]["text"], "2");

        served.books.send(vec![]).unwrap();
        assert!(uris("resources/list", "resources").await.contains("missing"));
        assert!(!uris("resources/templates/list", "resourceTemplates").await.contains("open://"));
        assert_eq!(read(&client, "shelf://missing").await[0]["text"], "everything");
        assert_eq!(status(refused(&client, "open://a").await), "unknown_resource");
    }
}
