//! What is said beside what a thing is: icons, titles, websites, `_meta` (ICON-1, ICON-2, META-1 to META-4,
//! NAME-1, VER-21).

use agent_mcp::{Icon, Server, Theme, agent, contract::Extras, mcp::Handler};
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
