//! Views, the MCP Apps extension: shown to clients that declare it, and to no other (VER-17 to VER-19).

use agent_mcp::{
    Content, Server, Text, agent,
    contract::{Permission, VIEW_TYPE, View},
    mcp::{Handler, Received},
};
use serde_json::{Value, json};

use crate::client::{ALL, Client, MODERN, initialize, request, tool};

const PAGE: &str = "<!doctype html><title>Chart</title>";

struct Weather;

#[agent]
impl Weather {
    /// The next days.
    #[capability(ui = "ui://weather/chart", meta("weather.example/unit" = "C"))]
    async fn forecast(&self) -> Vec<f64> {
        vec![20.5]
    }

    /// Draws it again.
    #[capability(app_only, ui = "ui://weather/chart")]
    async fn refresh(&self) {}

    /// Nothing to see.
    #[capability]
    async fn plain(&self) {}

    /// Draws a forecast.
    #[resource(
        uri = "ui://weather/chart",
        meta("ui" = View::new()
            .connect("https://api.weather.example")
            .load("https://cdn.weather.example")
            .permission(Permission::Geolocation)
            .border(true))
    )]
    async fn chart(&self) -> &'static str {
        PAGE
    }

    /// Says itself what it needs.
    #[resource(uri = "ui://weather/map")]
    async fn map(&self) -> Result<Content, agent_mcp::contract::MetaKeyError> {
        Ok(Text::new(PAGE).meta("ui", Value::from(View::new().border(false)))?.into())
    }
}

fn serve() -> Handler<()> {
    Server::new(Weather).handler().unwrap()
}

/// The tools as a client sees them that declares the extension with these settings.
async fn tools(handler: &Handler<()>, revision: &'static str, settings: Value) -> Value {
    let capabilities = json!({"extensions": {"io.modelcontextprotocol/ui": settings}});
    if revision == MODERN {
        let client = Client::at(handler, revision);
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities});
        return client.result("tools/list", json!({"_meta": meta})).await;
    }
    let client = Client::new(handler);
    let mut hello = initialize(revision);
    hello["params"]["capabilities"] = capabilities;
    client.reply(&hello);
    client.notify("notifications/initialized", json!({}));
    let list = request(json!(1), "tools/list", json!({}));
    match client.receive(&list) {
        Received::Reply(reply) => serde_json::from_slice::<Value>(&reply).unwrap()["result"].take(),
        Received::Call(exchange) => client.finish(exchange).await.unwrap()["result"].take(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn ver_18_a_client_that_shows_views_is_told_of_them() {
    let handler = serve();
    for revision in ALL {
        let list = tools(&handler, revision, json!({"mimeTypes": ["text/plain", VIEW_TYPE]})).await;
        if revision < "2025-06-18" {
            assert!(tool(&list, "forecast").get("_meta").is_none(), "VER-21: {revision}");
            continue;
        }
        assert_eq!(
            tool(&list, "forecast")["_meta"],
            json!({"ui": {"resourceUri": "ui://weather/chart"}, "weather.example/unit": "C"}),
        );
        let refresh = json!({"ui": {"resourceUri": "ui://weather/chart", "visibility": ["app"]}});
        assert_eq!(tool(&list, "refresh")["_meta"], refresh);
        assert!(tool(&list, "plain").get("_meta").is_none());
    }
}

#[tokio::test]
async fn ver_18_a_client_that_shows_no_views_of_our_type_is_not_told_of_them() {
    let handler = serve();
    for revision in ["2025-06-18", "2025-11-25", MODERN] {
        for settings in
            [json!({}), json!({"mimeTypes": []}), json!({"mimeTypes": ["text/html"]}), json!(7)]
        {
            let list = tools(&handler, revision, settings).await;
            assert_eq!(tool(&list, "forecast")["_meta"], json!({"weather.example/unit": "C"}));
            assert!(tool(&list, "refresh").get("_meta").is_none());
        }
        let list = Client::at(&handler, revision).result("tools/list", json!({})).await;
        assert!(tool(&list, "refresh").get("_meta").is_none());
    }
}

#[tokio::test]
async fn cac_4_a_list_that_depends_on_what_the_client_shows_is_private() {
    let list = Client::at(&serve(), MODERN).result("tools/list", json!({})).await;
    assert_eq!(list["cacheScope"], "private");
}

#[tokio::test]
async fn ver_17_and_ver_19_the_extension_is_declared_where_a_capability_has_a_view() {
    let discover = |handler: Handler<()>| async move {
        Client::at(&handler, MODERN).result("server/discover", json!({})).await["capabilities"]
            .take()
    };
    let extensions = json!({"io.modelcontextprotocol/ui": {}});
    assert_eq!(discover(serve()).await["extensions"], extensions);

    struct Plain;

    #[agent]
    impl Plain {
        /// Nothing to see.
        #[capability]
        async fn plain(&self) {}
    }
    let handler = Server::new(Plain).handler().unwrap();
    assert!(discover(handler).await.get("extensions").is_none());
}

#[tokio::test]
async fn a_view_is_read_as_a_page_with_what_it_needs_of_the_client() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let read = client.result("resources/read", json!({"uri": "ui://weather/chart"})).await;
        let page = &read["contents"][0];
        assert_eq!(page["mimeType"], VIEW_TYPE);
        assert_eq!(page["text"], PAGE);
        let needs = json!({"ui": {
            "csp": {
                "connectDomains": ["https://api.weather.example"],
                "resourceDomains": ["https://cdn.weather.example"],
            },
            "permissions": {"geolocation": {}},
            "prefersBorder": true,
        }});
        let expected = (revision >= "2025-06-18").then_some(needs);
        assert_eq!(page.get("_meta").cloned(), expected, "{revision}");
    }
    let client = Client::at(&handler, MODERN);
    let read = client.result("resources/read", json!({"uri": "ui://weather/map"})).await;
    assert_eq!(read["contents"][0]["_meta"], json!({"ui": {"prefersBorder": false}}));
    assert_eq!(read["contents"][0]["mimeType"], VIEW_TYPE);
}

#[test]
fn a_view_that_is_not_there_or_no_page_is_found_when_the_server_is_built() {
    struct Bad;

    #[agent]
    impl Bad {
        /// Shows what is not there.
        #[capability(ui = "ui://bad/nothing")]
        async fn show(&self) {}

        /// Is no page.
        #[resource(uri = "ui://bad/text", mime_type = "text/plain")]
        async fn text(&self) -> &'static str {
            "text"
        }
    }
    let error = Server::new(Bad).handler().map(drop).unwrap_err().to_string();
    assert!(
        error.contains("the method `show` of the agent `bad` names the view `ui://bad/nothing`"),
        "{error}"
    );
    assert!(error.contains("the resource `text`") && error.contains(VIEW_TYPE), "{error}");
}
