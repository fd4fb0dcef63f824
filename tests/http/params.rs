//! Arguments that a call repeats in headers, `Mcp-Param-*`.

use std::sync::Arc;

use agent_mcp::{
    Server, agent,
    mcp::{Outbox, Received},
    runtime::BuildError,
};
use bytes::Bytes;
use http::HeaderValue;
use serde_json::{Value, json};

use crate::client::{Answer, Client, MODERN, enveloped, message, modern_only, post};

#[agent_mcp::data]
#[serde(rename_all = "lowercase")]
enum Zone {
    North,
    South,
}

#[agent_mcp::data]
struct Filter {
    #[header("Tenant")]
    #[serde(default)]
    tenant: Option<String>,
    #[schemars(extend("x-mcp-header" = "Shard"))]
    #[serde(default)]
    shard: Option<u64>,
}

struct Warehouse;

#[agent]
impl Warehouse {
    /// Run a query where the data is.
    #[capability]
    async fn query(
        &self,
        #[header("Region")] region: String,
        #[header("Limit")] limit: Option<i64>,
        #[header("Dry-Run")] dry_run: Option<bool>,
        #[header("Zone")] zone: Option<Zone>,
        #[header("Row")]
        #[id]
        #[serde(default)]
        row: Option<u64>,
        sql: Option<String>,
    ) -> String {
        let _ = (limit, dry_run, zone, row, sql);
        region
    }

    /// Count what a filter lets through.
    #[capability]
    async fn count(&self, filter: Option<Filter>) -> Option<Filter> {
        filter
    }

    /// The same, for those who write objects as texts.
    #[capability(coerce)]
    async fn lax(&self, filter: Option<Filter>) -> Option<Filter> {
        filter
    }

    /// Say it back.
    #[capability]
    async fn echo(&self, text: String) -> String {
        text
    }

    /// Come and go.
    #[capability(available = |_| false)]
    async fn gone(&self, #[header("Region")] region: String) -> String {
        region
    }
}

fn client() -> Client {
    Client::of(Server::new(Warehouse).http())
}

fn request(
    tool: &str,
    arguments: Value,
    params: &[(&str, &[u8])],
) -> http::Request<http_body_util::Full<Bytes>> {
    let headers =
        [("mcp-protocol-version", MODERN), ("mcp-method", "tools/call"), ("mcp-name", tool)];
    let body = enveloped("tools/call", json!({"name": tool, "arguments": arguments}));
    let mut request = post(&headers, body.to_string());
    for (name, value) in params {
        let name = http::HeaderName::from_bytes(format!("Mcp-Param-{name}").as_bytes()).unwrap();
        request.headers_mut().append(name, HeaderValue::from_bytes(value).unwrap());
    }
    request
}

async fn call(client: &Client, tool: &str, arguments: Value, params: &[(&str, &str)]) -> Answer {
    let params: Vec<_> = params.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
    client.send(request(tool, arguments, &params)).await
}

fn text(answer: &Answer) -> String {
    answer.result()["content"][0]["text"].as_str().unwrap().to_owned()
}

/// What is said of the fault.
fn refused(answer: &Answer) -> String {
    assert_eq!(answer.error(400), -32020);
    answer.json()["error"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn mh_10_the_header_of_an_argument_says_the_same() {
    let client = client();
    let west = json!({"region": "west"});
    assert_eq!(text(&call(&client, "query", west.clone(), &[("Region", "west")]).await), "west");
    // MH-8: names have no case, and what is around a value is not part of it.
    assert_eq!(text(&call(&client, "query", west.clone(), &[("REGION", "  west ")]).await), "west");
    let missing = call(&client, "query", west.clone(), &[]).await;
    assert_eq!(refused(&missing), "`Mcp-Param-Region` is missing");
    let other = call(&client, "query", west.clone(), &[("Region", "east")]).await;
    assert_eq!(refused(&other), "`Mcp-Param-Region` says something else than the message");
    for params in [
        &[("Region", "West")][..],
        &[("Region", "")],
        &[("Region", "west"), ("Region", "west")],
        &[("Region", "west"), ("Region", "east")],
    ] {
        refused(&call(&client, "query", west.clone(), params).await);
    }
    let empty = call(&client, "query", json!({"region": ""}), &[("Region", "")]).await;
    assert_eq!(text(&empty), "");
    // A tool that is not there now is asked for in the same way.
    refused(&call(&client, "gone", west, &[]).await);
}

#[tokio::test]
async fn mh_10_what_is_null_or_absent_has_no_header() {
    let client = client();
    for arguments in [
        json!({"region": "west"}),
        json!({"region": "west", "limit": null, "dry_run": null, "zone": null}),
    ] {
        let none = call(&client, "query", arguments.clone(), &[("Region", "west")]).await;
        assert_eq!(text(&none), "west", "{arguments}");
        let params = [("Region", "west"), ("Limit", "5")];
        refused(&call(&client, "query", arguments, &params).await);
    }
    // Without arguments nothing is repeated; what is missing is said by the schema.
    let answer = call(&client, "query", Value::Null, &[]).await;
    assert_eq!(answer.result()["isError"], true);
    refused(&call(&client, "query", Value::Null, &[("Region", "west")]).await);
    assert_eq!(call(&client, "query", json!([1]), &[]).await.error(200), -32602);
}

#[tokio::test]
async fn mh_10_members_of_objects_are_found_by_their_names() {
    let client = client();
    for tool in ["count", "lax"] {
        let both = json!({"filter": {"shard": 7, "tenant": "acme"}});
        let good = call(&client, tool, both.clone(), &[("Tenant", "acme"), ("Shard", "7")]).await;
        assert_eq!(good.result()["structuredContent"], both["filter"]);
        refused(&call(&client, tool, both, &[("Tenant", "acme")]).await);
        for arguments in [json!({}), json!({"filter": null}), json!({"filter": {"shard": null}})] {
            let none = call(&client, tool, arguments.clone(), &[]).await;
            assert_eq!(none.result().get("isError"), None, "{arguments}");
            refused(&call(&client, tool, arguments, &[("Shard", "7")]).await);
        }
    }
    // What is written as a text and read as an object would get past whoever reads the header.
    let written = json!({"filter": r#"{"tenant": "acme"}"#});
    let hidden = refused(&call(&client, "lax", written.clone(), &[]).await);
    assert_eq!(hidden, "The message holds something that `Mcp-Param-Shard` cannot say");
    assert_eq!(call(&client, "count", written, &[]).await.result()["isError"], true);
}

#[tokio::test]
async fn mh_11_numbers_are_compared_by_value_and_booleans_by_word() {
    let client = client();
    let query = async |name: &str, argument: Value, header: &str| {
        let member = name.to_ascii_lowercase().replace('-', "_");
        let arguments = json!({"region": "west", member: argument});
        call(&client, "query", arguments, &[("Region", "west"), (name, header)]).await
    };
    for (name, argument, header) in [
        ("Limit", json!(42), "42"),
        ("Limit", json!(42), "42.0"),
        ("Limit", json!(42.0), "42"),
        ("Limit", json!(-7), "-7e0"),
        ("Limit", json!(9007199254740993_i64), "9007199254740993"),
        ("Dry-Run", json!(true), "true"),
        ("Dry-Run", json!(false), "false"),
        ("Zone", json!("north"), "north"),
        ("Row", json!("18446744073709551615"), "18446744073709551615"),
        ("Row", json!(5), "5"),
    ] {
        let answer = query(name, argument.clone(), header).await;
        assert_eq!(text(&answer), "west", "{name} {argument} {header}");
    }
    for (name, argument, header) in [
        ("Limit", json!(42), "43"),
        ("Limit", json!(42), "042"),
        ("Limit", json!(9007199254740993_i64), "9007199254740992"),
        ("Limit", json!([42]), "42"),
        ("Dry-Run", json!(true), "True"),
        ("Dry-Run", json!(true), "1"),
        ("Zone", json!("north"), "south"),
        ("Row", json!("5"), "5.0"),
    ] {
        refused(&query(name, argument, header).await);
    }
}

#[tokio::test]
async fn mh_9_a_value_that_is_no_plain_text_is_decoded() {
    let client = client();
    for (region, header) in [
        ("Hello", "=?base64?SGVsbG8=?="),
        ("Grüße", "=?base64?R3LDvMOfZQ==?="),
        (" west ", "=?base64?IHdlc3Qg?="),
        ("=?base64?SGVsbG8=?=", "=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?="),
        // Without one of the marks it is what it is.
        ("SGVsbG8=", "SGVsbG8="),
        ("=?base64?SGVsbG8=", "=?base64?SGVsbG8="),
    ] {
        let answer = call(&client, "query", json!({"region": region}), &[("Region", header)]).await;
        assert_eq!(text(&answer), region, "{header}");
    }
    for header in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?/w==?="] {
        let answer =
            call(&client, "query", json!({"region": "Hello"}), &[("Region", header)]).await;
        assert_eq!(refused(&answer), "`Mcp-Param-Region` cannot be read");
    }
    let limit = json!({"region": "west", "limit": 42});
    let params = [("Region", "west"), ("Limit", "=?base64?NDI=?=")];
    assert_eq!(text(&call(&client, "query", limit, &params).await), "west");
}

#[tokio::test]
async fn mh_12_characters_are_judged_in_the_headers_that_mean_something() {
    let client = client();
    let grüße = "Grüße".as_bytes();
    let arguments = json!({"region": "Grüße"});
    let answer = client.send(request("query", arguments, &[("Region", grüße)])).await;
    assert_eq!(refused(&answer), "`Mcp-Param-Region` cannot be read");
    // The header of nothing is as wrong when it cannot be read.
    let params: [(&str, &[u8]); 2] = [("Region", b"west"), ("Limit", grüße)];
    refused(&client.send(request("query", json!({"region": "west"}), &params)).await);
    // What no argument of the tool is called is not looked at.
    let params: [(&str, &[u8]); 2] = [("Region", grüße), ("Text", b"bye")];
    let answer = client.send(request("echo", json!({"text": "hi"}), &params)).await;
    assert_eq!(text(&answer), "hi");
    let params: [(&str, &[u8]); 2] = [("Region", b"west"), ("Tenant", grüße)];
    let answer = client.send(request("query", json!({"region": "west"}), &params)).await;
    assert_eq!(text(&answer), "west");
    let unknown = client.send(request("no_such_tool", json!({}), &[("Region", grüße)])).await;
    assert_eq!(unknown.error(200), -32602);
}

#[tokio::test]
async fn mh_2_the_standard_headers_are_judged_first() {
    let client = Client::of(modern_only(Server::new(Warehouse)).http());
    let mut other = request("query", json!({"region": "west"}), &[]);
    other.headers_mut().insert("mcp-name", HeaderValue::from_static("echo"));
    let answer = client.send(other).await;
    assert_eq!(refused(&answer), "`Mcp-Name` says something else than the message");
}

/// The schema of a tool's arguments in a list.
fn properties(list: &Value, tool: &str) -> Value {
    let tools = list["tools"].as_array().unwrap();
    let tool = tools.iter().find(|entry| entry["name"] == tool).unwrap();
    tool["inputSchema"]["properties"].clone()
}

#[tokio::test]
async fn mh_13_the_list_says_which_arguments_are_repeated() {
    let list = client().modern("tools/list", json!({})).await.result();
    let query = properties(&list, "query");
    assert_eq!(query["region"], json!({"type": "string", "x-mcp-header": "Region"}));
    assert_eq!(query["limit"]["x-mcp-header"], "Limit");
    assert_eq!(query["zone"]["type"], "string");
    assert_eq!(query["zone"]["x-mcp-header"], "Zone");
    assert_eq!(query["row"]["x-mcp-header"], "Row");
    assert_eq!(query["sql"], json!({"type": "string"}));
    let filter = properties(&list, "count")["filter"]["properties"].clone();
    assert_eq!(filter["tenant"], json!({"type": "string", "x-mcp-header": "Tenant"}));
    assert_eq!(filter["shard"]["x-mcp-header"], "Shard");
    // A result is repeated in no header.
    let count = list["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "count");
    assert!(!count.unwrap()["outputSchema"].to_string().contains("x-mcp-header"));
}

struct Nowhere;

impl Outbox for Nowhere {
    fn send(&self, _: Bytes) {}
}

#[tokio::test]
async fn mh_10_without_this_revision_or_without_http_there_are_no_headers() {
    let handler = Server::new(Warehouse).handler().unwrap();
    let connection = handler.connect(Arc::new(()), Arc::new(Nowhere));
    let ask = async |message: Value| -> Value {
        let reply = match connection.receive(message.to_string().into()) {
            Received::Reply(reply) => reply,
            Received::Call(exchange) => exchange.await.unwrap(),
            Received::Nothing => panic!("no answer"),
        };
        serde_json::from_slice::<Value>(&reply).unwrap()["result"].take()
    };
    let call = json!({"name": "query", "arguments": {"region": "west"}});
    let answer = ask(enveloped("tools/call", call.clone())).await;
    assert_eq!(answer["content"][0]["text"], "west");
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let hello = json!({"protocolVersion": revision, "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        assert_eq!(ask(message(1, "initialize", hello)).await["protocolVersion"], revision);
        let list = ask(message(2, "tools/list", json!({}))).await;
        assert_eq!(properties(&list, "query")["region"], json!({"type": "string"}));
        assert!(!list.to_string().contains("x-mcp-header"), "{revision}");
        let answer = ask(message(3, "tools/call", call.clone())).await;
        assert_eq!(answer["content"][0]["text"], "west");
    }
}

#[test]
fn mh_13_what_clients_would_drop_is_not_served() {
    #[agent_mcp::data]
    struct Line {
        #[header("Sku")]
        sku: String,
    }

    #[agent_mcp::data]
    struct Order {
        #[schemars(extend("x-mcp-header" = "Price"))]
        price: f64,
        #[schemars(extend("x-mcp-header" = "a b"))]
        space: String,
        #[schemars(extend("x-mcp-header" = ""))]
        empty: String,
        #[schemars(extend("x-mcp-header" = 5))]
        number: String,
        #[header("Region")]
        region: String,
        store: Store,
        #[schemars(extend("x-mcp-header" = "Lines"))]
        lines: Vec<Line>,
        choice: Choice,
    }

    #[agent_mcp::data]
    struct Store {
        #[header("REGION")]
        region: String,
        #[header("Size")]
        size: Size,
    }

    #[agent_mcp::data]
    struct Size {
        width: u8,
    }

    #[agent_mcp::data]
    enum Choice {
        One {
            #[header("One")]
            one: u8,
        },
        Two(u8),
    }

    struct Shop;

    #[agent]
    impl Shop {
        /// Order something.
        #[capability(name = "order")]
        async fn order_now(&self, #[args] order: Order) {
            let _ = order;
        }
    }

    let Err(BuildError::Contract(error)) = Server::new(Shop).runtime() else {
        panic!("it is served")
    };
    const WHERE: &str = " in the arguments of the method `order_now` of the agent `shop` cannot be repeated in a header";
    let faults = error.faults().iter().map(|fault| fault.to_string().replace(WHERE, ""));
    let mut faults: Vec<_> = faults.collect();
    faults.sort();
    assert_eq!(
        faults,
        [
            "`choice.One.one`: only a member of the arguments can, or of plain objects inside them",
            "`empty`: the name of the header is empty",
            "`lines[].sku`: only a member of the arguments can, or of plain objects inside them",
            "`lines`: only a string, an integer or a boolean can, and this is a list",
            "`number`: `x-mcp-header` takes a text",
            "`price`: only a string, an integer or a boolean can, and this is a number",
            "`space`: ' ' cannot stand in the name of a header",
            "`store.region`: `region` has the header `Region` already, and case makes no difference",
            "`store.size`: only a string, an integer or a boolean can, and this is an object",
        ]
    );
}
