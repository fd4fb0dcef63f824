//! Schemas that are written by hand (JS-1 to JS-5, SEC-4, SEC-5, TOOL-6, TOOL-8).

use agent_mcp::{
    Server, agent,
    mcp::{Handler, Received},
};
use serde_json::{Value, json};

use crate::client::{ALL, Client, LEGACY, MODERN, tool};

/// Every kind of keyword that a schema of a Rust type does not have.
const CONTACT: &str = r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"}
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false
}"##;

/// No `JsonSchema`: what is written stands for it.
#[derive(serde::Deserialize)]
struct Shelf {
    label: String,
    #[serde(default)]
    levels: u8,
}

fn levels() -> Value {
    json!({
        "type": "object",
        "properties": {"label": {"type": "string", "minLength": 2}, "levels": {"minimum": 1}},
        "required": ["label"],
    })
}

struct Forms;

/// Forms whose schemas are older than the program.
#[agent]
impl Forms {
    /// Takes a contact.
    #[capability(input_schema = CONTACT)]
    async fn contact(&self, #[args] input: Value) -> String {
        input.to_string()
    }

    /// Takes a shelf.
    #[capability(input_schema = levels)]
    async fn shelf(&self, #[args] shelf: Shelf) -> String {
        format!("{} has {}", shelf.label, shelf.levels)
    }

    /// Gives numbers.
    #[capability(
        input_schema = r#"{"type": "object", "required": ["count"]}"#,
        output_schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "maxItems": 2})
    )]
    async fn numbers(&self, count: u32) -> Vec<u32> {
        (0..count).collect()
    }
}

fn serve() -> Handler<()> {
    Server::new(Forms).handler().unwrap()
}

async fn refused(client: &Client, tool: &str, arguments: Value) -> String {
    let result = client.call(tool, arguments).await;
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn js_3_a_written_schema_reaches_every_client_word_for_word() {
    let handler = serve();
    let expected: Value = serde_json::from_str(CONTACT).unwrap();
    for revision in ALL {
        let list = Client::at(&handler, revision).result("tools/list", json!({})).await;
        assert_eq!(tool(&list, "contact")["inputSchema"], expected, "{revision}");
        assert_eq!(tool(&list, "shelf")["inputSchema"], levels(), "{revision}");
    }
}

#[tokio::test]
async fn js_2_arguments_are_judged_by_what_is_written() {
    let handler = serve();
    let client = Client::at(&handler, MODERN);
    let phone = json!({"name": "Ada", "contactMethod": "phone", "phone": "1"});
    let result = client.call("contact", phone.clone()).await;
    let told: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(told, phone);

    let text =
        refused(&client, "contact", json!({"contactMethod": "phone", "email": "secret"})).await;
    assert!(text.contains("`phone` is required: expected a string"), "{text}");
    let text =
        refused(&client, "contact", json!({"email": "secret", "nam": 7, "address": {"city": 5}}))
            .await;
    assert!(text.contains("`nam` is not declared, did you mean `name`?"), "{text}");
    assert!(text.contains("`address.city`: expected a string, got a number"), "{text}");
    let text =
        refused(&client, "contact", json!({"email": "secret", "contactMethod": "emial"})).await;
    assert!(text.contains(r#"expected one of `"phone"`, `"email"`, got another string"#), "{text}");
    assert!(text.contains("did you mean `email`?"), "{text}");
    let text = refused(&client, "contact", json!({"name": "Ada"})).await;
    assert!(text.contains("is required"), "{text}");
    assert!(!text.contains("secret") && !text.contains("emial"), "O30: {text}");
}

#[tokio::test]
async fn tool_10_faults_are_told_as_the_revision_has_it() {
    let handler = serve();
    for revision in &LEGACY[..3] {
        let client = Client::at(&handler, revision);
        let params = json!({"name": "shelf", "arguments": {"label": "x"}});
        let error = client.error("tools/call", params).await;
        assert_eq!(error["code"], -32602, "{revision}");
        assert_eq!(error["data"]["faults"][0]["path"], "label");
        assert_eq!(error["data"]["faults"][0]["expected"], "a string of at least 2 characters");
    }
}

#[tokio::test]
async fn js_3_what_a_type_cannot_hold_is_a_fault_and_no_defect() {
    let handler = serve();
    let client = Client::at(&handler, MODERN);
    let result = client.call("shelf", json!({"label": "wide", "levels": 3, "colour": "red"})).await;
    assert_eq!(result["content"][0]["text"], "wide has 3", "what is open is for the schema to say");
    // The schema allows what the type does not hold.
    let text = refused(&client, "shelf", json!({"label": "wide", "levels": 300})).await;
    assert!(text.starts_with("The arguments of `shelf` do not fit its schema"), "{text}");
}

#[tokio::test]
async fn b26_a_member_that_comes_twice_is_refused_under_a_written_schema_too() {
    let handler = serve();
    let client = Client::at(&handler, MODERN);
    let message = client.request(
        json!(1),
        "tools/call",
        json!({"name": "shelf", "arguments": {"label": "TWO"}}),
    );
    let message = message.to_string().replace(r#""label":"TWO""#, r#""label":"one","label":"two""#);
    let Received::Call(exchange) = client.connection.receive(message.into()) else { panic!() };
    let answer = client.finish(exchange).await.unwrap();
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`label` is there more than once"), "{text}");
}

#[tokio::test]
async fn tool_6_a_result_is_held_to_its_written_schema() {
    let handler = serve();
    let client = Client::at(&handler, MODERN);
    let result = client.call("numbers", json!({"count": 2})).await;
    assert_eq!(result["structuredContent"], json!([0, 1]));
    let text = refused(&client, "numbers", json!({"count": 3})).await;
    assert!(text.starts_with("`numbers` failed for an internal reason. Reference:"), "{text}");
}

#[tokio::test]
async fn tool_8_a_written_schema_of_a_list_is_wrapped_with_its_dialect_at_the_root() {
    let handler = serve();
    let dialect = "http://json-schema.org/draft-07/schema#";
    for revision in ["2025-06-18", "2025-11-25"] {
        let list = Client::at(&handler, revision).result("tools/list", json!({})).await;
        assert_eq!(
            tool(&list, "numbers")["outputSchema"],
            json!({
                "$schema": dialect,
                "type": "object",
                "properties": {"result": {"type": "array", "maxItems": 2}},
                "required": ["result"],
            })
        );
    }
    let list = Client::at(&handler, MODERN).result("tools/list", json!({})).await;
    let expected = json!({"$schema": dialect, "type": "array", "maxItems": 2});
    assert_eq!(tool(&list, "numbers")["outputSchema"], expected);
}

/// What is said when a server with that schema is built.
fn verdict(schema: Value) -> Result<(), String> {
    thread_local!(static SCHEMA: std::cell::RefCell<Value> = const { std::cell::RefCell::new(Value::Null) });
    fn given() -> Value {
        SCHEMA.with_borrow(Value::clone)
    }
    struct One;

    /// One form.
    #[agent]
    impl One {
        /// Takes it.
        #[capability(input_schema = given)]
        async fn take(&self, #[args] _input: Value) {}
    }
    SCHEMA.set(schema);
    Server::new(One).handler().map(drop).map_err(|error| error.to_string())
}

#[test]
fn js_2_each_supported_dialect_is_taken_and_no_other() {
    for dialect in [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-04/schema#",
    ] {
        assert_eq!(verdict(json!({"$schema": dialect, "type": "object"})), Ok(()));
    }
    let error =
        verdict(json!({"$schema": "https://example.org/mine", "type": "object"})).unwrap_err();
    assert!(error.contains("`take`"), "{error}");
    assert!(
        error.contains("dialect `https://example.org/mine`, which is not supported"),
        "{error}"
    );
}

#[test]
fn js_2_a_schema_must_be_valid_in_its_dialect() {
    let error =
        verdict(json!({"type": "object", "properties": {"a": {"type": "text"}}})).unwrap_err();
    assert!(error.contains("not valid at `#/properties/a/type`"), "{error}");
    // A list of schemas for `items` was valid before 2020-12.
    let tuple = json!({"type": "object", "properties": {"a": {"items": [{}]}}});
    assert!(verdict(tuple.clone()).is_err());
    let mut older = tuple;
    older["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    assert_eq!(verdict(older), Ok(()));
}

#[test]
fn js_4_the_root_of_arguments_is_an_object() {
    for schema in
        [json!(true), json!({}), json!({"type": "array"}), json!({"type": ["object", "null"]})]
    {
        let error = verdict(schema).unwrap_err();
        assert!(error.contains("must say `\"type\": \"object\"`"), "{error}");
    }
}

#[test]
fn sec_4_a_reference_to_another_document_is_refused() {
    for target in
        ["https://example.org/schema.json", "other.json#/$defs/a", "//example.org/a", "file:///a"]
    {
        let schema = json!({"type": "object", "properties": {"a": {"items": {"$ref": target}}}});
        let error = verdict(schema).unwrap_err();
        assert!(error.contains(target) && error.contains("never fetched"), "{error}");
    }
    let error = verdict(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}}));
    assert!(error.unwrap_err().contains("not valid"), "a reference that leads nowhere");
    let inside = json!({
        "type": "object",
        "$defs": {"b": {"$id": "urn:b", "type": "string"}},
        // A member of that name, and a value that looks like a reference.
        "properties": {"$ref": {"type": "string"}, "a": {"$ref": "urn:b"}, "c": {"const": {"$ref": "x"}}},
    });
    assert_eq!(verdict(inside), Ok(()));
}

#[test]
fn sec_5_a_schema_has_a_bounded_size_and_depth() {
    let deep = (0..80).fold(json!({}), |inner, _| json!({"items": inner}));
    let error = verdict(json!({"type": "object", "properties": {"a": deep}})).unwrap_err();
    assert!(error.contains("more than 64 levels"), "{error}");
    let error = verdict(json!({"type": "object", "description": "x".repeat(300_000)})).unwrap_err();
    assert!(error.contains("more than 262144 bytes"), "{error}");
}

#[test]
fn js_2_a_written_schema_of_a_text_is_refused() {
    struct One;

    /// One form.
    #[agent]
    impl One {
        /// Gives text.
        #[capability(output_schema = "{}")]
        async fn give(&self) -> String {
            String::new()
        }
    }
    let error = Server::new(One).handler().map(drop).unwrap_err().to_string();
    assert!(error.contains("`output_schema` does nothing"), "{error}");
}

#[test]
fn lint_reads_schemas_that_are_written_by_hand() {
    let lints = serve().contract().lint();
    let codes = |tool: &str| -> Vec<_> {
        let subject = format!("capability `{tool}`");
        lints.iter().filter(|lint| lint.subject == subject).map(|lint| lint.code).collect()
    };
    assert_eq!(codes("contact"), ["schema-root", "argument-undescribed", "schema-reference"]);
    assert_eq!(codes("shelf"), ["argument-undescribed"]);
    assert_eq!(codes("numbers"), ["schema-root", "schema-required"]);
}
