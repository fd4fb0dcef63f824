//! What is said beside what a thing is: icons, titles, websites, `_meta` (ICON-1, ICON-2, META-1 to META-4,
//! NAME-1, VER-21).

use agent_mcp::{
    Audio, Content, Context, Embedded, Failure, Icon, Image, Link, Server, Text, Theme, agent,
    contract::Extras, mcp::Handler,
};
use serde_json::{Value, json};

use crate::client::{ALL, Client, MODERN, initialize, tool};

struct Shop;

/// A shop.
#[agent(
    title = "The shop",
    website = "https://shop.example",
    icons("https://shop.example/icon.png", Icon::new("https://shop.example/night.svg").mime_type("image/svg+xml").size("any").theme(Theme::Dark)),
)]
impl Shop {
    /// Buys a thing.
    #[capability(
        title = "Buy",
        icons(Icon::inline("image/png", b"\x89PNG")),
        meta("shop.example/aisle" = 7, "kind" = json!({"of": ["trade"]})),
    )]
    async fn buy(&self) {}

    /// Nothing beside it.
    #[capability]
    async fn plain(&self) {}

    /// What is there.
    #[resource(title = "Stock", icons("data:image/png;base64,AA=="), meta("shop.example/fresh" = true))]
    async fn stock(&self) -> String {
        "lamps".to_owned()
    }
}

fn serve() -> Handler<()> {
    Server::new(Shop).handler().unwrap()
}

#[tokio::test]
async fn icon_1_and_ver_21_entries_have_icons_since_2025_11_25() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let tools = client.result("tools/list", json!({})).await;
        let resources = client.result("resources/list", json!({})).await;
        let (buy, stock) = (tool(&tools, "buy"), &resources["resources"][0]);
        if ["2025-11-25", MODERN].contains(&revision) {
            let icon = json!({"src": "data:image/png;base64,iVBORw==", "mimeType": "image/png"});
            assert_eq!(buy["icons"], json!([icon]));
            assert_eq!(stock["icons"], json!([{"src": "data:image/png;base64,AA=="}]));
        } else {
            assert!(buy.get("icons").is_none() && stock.get("icons").is_none(), "{revision}");
        }
        assert!(tool(&tools, "plain").get("icons").is_none(), "absent, not empty");
    }
}

#[tokio::test]
async fn meta_1_and_ver_21_entries_have_meta_since_2025_06_18() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let tools = client.result("tools/list", json!({})).await;
        let resources = client.result("resources/list", json!({})).await;
        let (buy, stock) = (tool(&tools, "buy"), &resources["resources"][0]);
        if revision >= "2025-06-18" {
            assert_eq!(buy["_meta"], json!({"shop.example/aisle": 7, "kind": {"of": ["trade"]}}));
            assert_eq!(stock["_meta"], json!({"shop.example/fresh": true}));
            assert_eq!((&buy["title"], &stock["title"]), (&json!("Buy"), &json!("Stock")));
        } else {
            assert!(buy.get("_meta").is_none() && stock.get("_meta").is_none(), "{revision}");
        }
        assert!(tool(&tools, "plain").get("_meta").is_none(), "absent, not empty");
    }
}

#[tokio::test]
async fn icon_1_and_ver_21_a_server_shows_itself_as_its_revision_can() {
    let handler = serve();
    let icons = json!([
        {"src": "https://shop.example/icon.png"},
        {"src": "https://shop.example/night.svg", "mimeType": "image/svg+xml", "sizes": ["any"], "theme": "dark"},
    ]);
    for revision in ALL {
        let server = if revision == MODERN {
            let result = Client::at(&handler, revision).result("server/discover", json!({})).await;
            result["_meta"]["io.modelcontextprotocol/serverInfo"].clone()
        } else {
            Client::new(&handler).reply(&initialize(revision))["result"]["serverInfo"].clone()
        };
        let said = |key: &str| server.get(key).cloned().unwrap_or_default();
        assert_eq!(said("name"), "shop");
        let titled = revision >= "2025-06-18";
        assert_eq!(
            said("title"),
            if titled { json!("The shop") } else { Value::Null },
            "{revision}"
        );
        let shown = revision >= "2025-11-25";
        assert_eq!(
            said("websiteUrl"),
            if shown { json!("https://shop.example") } else { Value::Null }
        );
        assert_eq!(said("icons"), if shown { icons.clone() } else { Value::Null }, "{revision}");
    }
}

#[test]
fn icon_2_and_meta_2_what_no_macro_saw_is_found_when_the_server_is_built() {
    fn address() -> String {
        "http://shop.example/icon.png".to_owned()
    }
    struct Bad;

    /// A shop.
    #[agent(icons(address()))]
    impl Bad {
        /// Buys.
        #[capability(icons(Icon::new("data:,").size("large")))]
        async fn buy(&self) {}
    }
    let error = Server::new(Bad).handler().map(drop).unwrap_err().to_string();
    assert!(error.contains("`http://shop.example/icon.png` of the agent `bad`"), "{error}");
    assert!(error.contains("the method `buy`") && error.contains("`48x48`"), "{error}");

    let mut contract = agent_mcp::Contract::new("bad");
    let mut tool = agent_mcp::contract::CapabilityDescriptor::new("buy", "Buys.");
    tool.extras = Extras::new().meta("dev.mcp/x", 1);
    contract.capabilities.push(tool);
    let error = contract.validate().unwrap_err().to_string();
    assert!(error.contains("the `_meta` key `dev.mcp/x` of the method `buy`"), "{error}");
}

struct Cellar;

#[agent]
impl Cellar {
    /// Says what it is told.
    #[capability]
    async fn hear(&self, cx: &Context<Self>) -> Result<String, Failure> {
        cx.add_meta("cellar.example/cost", 3)?;
        cx.add_meta("cellar.example/cost", 4)?;
        let trace = cx.invocation().trace();
        let said = [cx.meta("cellar.example/who"), cx.meta("progressToken"), cx.meta("unknown")];
        Ok(format!("{said:?} {:?}", trace.parent))
    }

    /// Adds what is not its own.
    #[capability]
    async fn claim(&self, cx: &Context<Self>) -> Result<(), Failure> {
        cx.add_meta("io.modelcontextprotocol/serverInfo", "me").map_err(Failure::say)
    }

    /// Shows bottles.
    #[capability]
    async fn show(&self) -> Result<Vec<Content>, Failure> {
        let kept = ("cellar.example/year", 1961);
        Ok(vec![
            Text::new("red").meta(kept.0, kept.1)?.into(),
            Image::png(vec![1]).meta(kept.0, kept.1)?.into(),
            Audio::wav(vec![1]).meta(kept.0, kept.1)?.into(),
            Link::new("app://bottles", "bottles")
                .icon("https://cellar.example/bottle.png")
                .icon("http://cellar.example/bottle.png")
                .meta(kept.0, kept.1)?
                .into(),
            Embedded::text("app://label", "label").meta(kept.0, kept.1)?.into(),
        ])
    }

    /// The bottles.
    #[resource]
    async fn bottles(&self, cx: &Context<Self>) -> Result<Text, Failure> {
        cx.add_meta("cellar.example/cost", 1)?;
        Ok(Text::new("red").meta("cellar.example/year", 1961)?)
    }
}

#[tokio::test]
async fn meta_3_a_method_reads_what_the_protocol_does_not_know_and_adds_to_its_result() {
    let handler = Server::new(Cellar).handler().unwrap();
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let meta = json!({"cellar.example/who": {"name": "Ada"}, "progressToken": 7, "traceparent": parent});
        let result = client.result("tools/call", json!({"name": "hear", "_meta": meta})).await;
        let text = result["content"][0]["text"].as_str().unwrap();
        let heard =
            format!(r#"[Some(Object {{"name": String("Ada")}}), None, None] Some("{parent}")"#);
        assert_eq!(text, heard, "{revision}");
        assert_eq!(result["_meta"]["cellar.example/cost"], 4, "the last one counts");
        assert_eq!(result["_meta"]["agent-mcp/outcome"]["status"], "ok");
        let silent = client.call("hear", json!({})).await;
        assert_eq!(silent["content"][0]["text"], "[None, None, None] None");
    }
}

#[tokio::test]
async fn meta_2_a_method_cannot_speak_for_the_protocol() {
    let handler = Server::new(Cellar).handler().unwrap();
    let result = Client::at(&handler, MODERN).call("claim", json!({})).await;
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().contains("reserved"), "{result}");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "cellar");
}

#[tokio::test]
async fn meta_1_and_ver_21_every_kind_of_content_has_meta_since_2025_06_18() {
    let handler = Server::new(Cellar).handler().unwrap();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let blocks = client.call("show", json!({})).await["content"].take();
        let icons = json!([{"src": "https://cellar.example/bottle.png"}]);
        let shown = (revision >= "2025-11-25").then_some(icons);
        assert_eq!(blocks[3].get("icons").cloned(), shown, "ICON-2: {revision}");
        let read = client.result("resources/read", json!({"uri": "app://bottles"})).await;
        assert_eq!(read["_meta"]["cellar.example/cost"], 1);
        let blocks: Vec<_> =
            blocks.as_array().unwrap().iter().chain([&read["contents"][0]]).cloned().collect();
        assert_eq!(blocks.len(), 6);
        for block in blocks {
            let expected = (revision >= "2025-06-18").then(|| json!({"cellar.example/year": 1961}));
            assert_eq!(block.get("_meta").cloned(), expected, "{revision}: {block}");
        }
    }
}

#[tokio::test]
async fn meta_5_a_member_that_the_protocol_knows_is_refused_where_it_comes_twice() {
    let client = Client::at(&serve(), "2025-11-25");
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1,"progressToken":2}}}"#;
    assert_eq!(client.raw(message).unwrap()["error"]["code"], -32600);
}
