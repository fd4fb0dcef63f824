//! The contract as data: faults, composition, lint, manifest and page (B11 to B17, B102 to B106,
//! O27, names-*).

#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::time::Duration;

use agent_mcp::contract::{
    CapabilityDescriptor, CompletionDescriptor, CompletionKind, ContextDescriptor, Contract, Fault,
    LintLevel, NameError, ResourceDescriptor,
};
use serde_json::{Value, json};

fn capability(name: &str) -> CapabilityDescriptor {
    CapabilityDescriptor::new(name, format!("What {name} does."))
}

fn resource(name: &str) -> ResourceDescriptor {
    ResourceDescriptor::new(name, format!("What {name} shows."))
}

fn contract(name: &str, capabilities: impl IntoIterator<Item = CapabilityDescriptor>) -> Contract {
    let mut contract = Contract::new(name);
    contract.capabilities.extend(capabilities);
    contract
}

fn with_input(input: Value) -> Contract {
    let mut search = capability("search");
    search.input = input;
    contract("todo", [search])
}

fn todo() -> Contract {
    let mut add = capability("add_todo");
    add.method = "create".into();
    add.input = json!({
        "type": "object",
        "properties": { "text": { "type": "string", "description": "What to do." } },
        "required": ["text"],
        "additionalProperties": false,
    });
    add.dispatches = true;
    add.completion =
        Some(CompletionDescriptor::new(CompletionKind::Message, Duration::from_secs(10)));
    add.output = Some(json!({ "type": "object", "properties": { "id": { "type": "string" } } }));

    let mut clear = capability("clear_done");
    clear.title = Some("Clear".into());
    clear.description = "Clears a | b.\nAsk first.".into();
    clear.conditional = true;
    clear.authorized = true;
    clear.annotations.destructive = Some(true);
    clear.timeout = Some(Duration::from_millis(1500));
    clear.concurrency = Some(1);

    let mut contract = contract("todo", [add, clear]);
    contract.title = Some("Todos".into());
    contract.version = Some("1.2.0".into());
    contract.instructions = Some("Keep the list short.".into());
    contract.resources.push(resource("open todos"));
    let mut context = ContextDescriptor::new("What is on the screen.");
    context.schema = Some(json!({ "type": "object", "properties": {} }));
    contract.context = Some(context);
    contract
}

fn faults(contract: &Contract) -> Vec<Fault> {
    contract.validate().unwrap_err().faults().to_vec()
}

fn codes(contract: &Contract) -> Vec<&'static str> {
    at(contract, LintLevel::Warning)
}

fn at(contract: &Contract, level: LintLevel) -> Vec<&'static str> {
    contract.lint().iter().filter(|lint| lint.level == level).map(|lint| lint.code).collect()
}

/// The one lint of that code.
fn lint(contract: &Contract, code: &str) -> String {
    let found: Vec<_> = contract.lint().into_iter().filter(|lint| lint.code == code).collect();
    assert_eq!(found.len(), 1, "{:?}", contract.lint());
    found[0].to_string()
}

#[test]
fn a_sound_contract_has_no_faults_and_no_lints() {
    assert_eq!(todo().validate(), Ok(()));
    assert_eq!(todo().lint(), []);
}

#[test]
fn b13_a_capability_name_that_is_taken_names_both_places() {
    let mut second = capability("find");
    second.method = "search".into();
    let error = contract("todo", [capability("find"), second]).validate().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the contract cannot be served: two capabilities are called `find`: \
         the method `find` of the agent `todo` and the method `search` of the agent `todo`; rename one of them"
    );
}

#[test]
fn b14_a_resource_name_that_is_taken_is_a_fault() {
    let mut contract = Contract::new("todo");
    contract.resources.extend([resource("todos"), resource("todos")]);
    let faults = faults(&contract);
    assert!(
        matches!(&faults[..], [Fault::DuplicateResource { name, .. }] if name == "todos"),
        "{faults:?}"
    );
}

#[test]
fn o27_two_resources_at_one_uri_and_one_at_the_place_of_the_context_are_faults() {
    let mut contract = todo();
    let mut other = resource("other");
    other.uri = "app://open%20todos".into();
    contract.resources.extend([other, resource("context")]);
    let error = contract.validate().unwrap_err().to_string();
    assert!(
        error.contains("the resource `open todos` of the agent `todo` and the resource `other`"),
        "{error}"
    );
    assert!(
        error.contains("and the context of the agent `todo` would both be read at `app://context`"),
        "{error}"
    );

    // Without a context the name is free.
    contract.resources.remove(1);
    contract.context = None;
    assert_eq!(contract.validate(), Ok(()));
}

#[test]
fn o27_a_server_has_one_context() {
    let mut other = todo();
    other.name = "notes".into();
    (other.capabilities, other.resources) = (Vec::new(), Vec::new());
    let error = Contract::merge([todo(), other]).unwrap_err().to_string();
    let why = "a server has one context, and there are the context of the agent `todo` and the context of the agent \
               `notes`; make one of them a `#[resource]`";
    assert!(error.contains(why), "{error}");
}

#[test]
fn o27_a_uri_that_is_none_is_a_fault() {
    let mut contract = Contract::new("todo");
    let mut notes = resource("notes");
    notes.uri = "app://my notes".into();
    contract.resources.push(notes);
    assert!(matches!(&faults(&contract)[..], [Fault::Uri { uri, .. }] if uri == "app://my notes"));
}

#[test]
fn all_faults_are_reported_at_once() {
    let mut blank = capability("blank");
    blank.description = "  \n".into();
    let mut unnamed = resource("x");
    unnamed.name = String::new();
    let mut contract =
        contract(" ", [capability("a/b"), capability("admin.list"), capability(""), blank]);
    contract.resources.push(unnamed);
    let faults = faults(&contract);
    assert_eq!(faults.len(), 6, "{faults:?}");
    let name_errors: Vec<_> = faults
        .iter()
        .filter_map(|fault| match fault {
            Fault::CapabilityName { error, .. } => Some(*error),
            _ => None,
        })
        .collect();
    assert_eq!(name_errors, [NameError::Character('/'), NameError::Dot, NameError::Empty]);
    assert!(matches!(faults[0], Fault::NoName));
    assert!(matches!(faults[4], Fault::NoDescription(_)));
    assert!(matches!(faults[5], Fault::ResourceName(_)));
}

#[test]
fn names_7b8_a_dot_is_a_fault_until_the_agent_allows_it_and_then_a_lint() {
    let mut contract = contract("todo", [capability("admin.list")]);
    let error = contract.validate().unwrap_err().to_string();
    assert!(error.contains("dotted_names"), "says how to allow it: {error}");
    contract.dotted_names = true;
    assert_eq!(contract.validate(), Ok(()));
    assert_eq!(codes(&contract), ["name-dot"]);
}

#[test]
fn merged_contracts_keep_their_order_and_the_first_ones_name() {
    let mut notes = contract("notes", [capability("add_note")]);
    notes.version = Some("9".into());
    notes.instructions = Some("One thought a note.".into());
    notes.dotted_names = true;
    notes.resources.push(resource("notes"));
    let merged = Contract::merge([todo(), notes]).unwrap();
    let names: Vec<_> = merged.capabilities.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["add_todo", "clear_done", "add_note"]);
    assert_eq!((merged.name.as_str(), merged.version.as_deref()), ("todo", Some("1.2.0")));
    assert_eq!(merged.instructions.as_deref(), Some("Keep the list short.\n\nOne thought a note."));
    assert!(merged.resource("notes").is_some() && merged.context.is_some());
    assert_eq!(merged.validate(), Ok(()));
    assert_eq!(Contract::merge([todo()]), Ok(todo()));
}

#[test]
fn b13_a_name_that_two_agents_share_names_both_agents() {
    let mut find = capability("find");
    find.method = "search".into();
    let notes = contract("notes", [find]);
    let error = Contract::merge([contract("todo", [capability("find")]), notes]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the contract cannot be served: two capabilities are called `find`: \
         the method `find` of the agent `todo` and the method `search` of the agent `notes`; rename one of them"
    );
}

#[test]
fn two_agents_cannot_both_bring_the_context() {
    let mut notes = contract("notes", [capability("add_note")]);
    notes.context = Some(ContextDescriptor::new("The open note."));
    let error = Contract::merge([todo(), notes]).unwrap_err().to_string();
    assert!(
        error.contains("the context of the agent `todo` and the context of the agent `notes`"),
        "{error}"
    );
}

#[test]
fn one_agents_dots_do_not_excuse_anothers() {
    let mut dotted = contract("todo", [capability("todo.add")]);
    dotted.dotted_names = true;
    let plain = contract("notes", [capability("notes.add")]);
    let error = Contract::merge([dotted, plain]).unwrap_err().to_string();
    assert!(error.contains("`notes.add`") && !error.contains("`todo.add`"), "{error}");
}

#[test]
fn names_a99_lint_names_each_tool_over_64_characters() {
    let name = |length| "a".repeat(length);
    let contract =
        contract("x", [capability(&name(59)), capability(&name(64)), capability(&name(65))]);
    assert_eq!(contract.validate(), Ok(()));
    let message = lint(&contract, "name-long");
    assert!(message.starts_with(&format!("capability `{}`: ", name(65))), "{message}");
    assert!(message.contains("65 characters"), "{message}");
}

#[test]
fn names_a99_lint_names_each_server_and_tool_past_60_together() {
    let server = "s".repeat(30);
    let contract = contract(&server, [capability(&"a".repeat(30)), capability(&"b".repeat(40))]);
    let message = lint(&contract, "name-long-with-server");
    assert!(message.contains(&"b".repeat(40)) && message.contains(&server), "{message}");
    assert!(message.contains("70 characters"), "{message}");
}

#[test]
fn lint_names_what_differs_by_case_only() {
    let contract = contract("todo", [capability("find"), capability("Find")]);
    let message = lint(&contract, "name-case");
    assert!(message.starts_with("capability `Find`") && message.contains("`find`"), "{message}");
}

#[test]
fn lint_counts_capabilities() {
    assert_eq!(codes(&Contract::new("todo")), ["no-capabilities"]);
    let many = |n| contract("todo", (0..n).map(|n| capability(&format!("c{n}"))));
    assert_eq!(codes(&many(128)), [] as [&str; 0]);
    assert_eq!(codes(&many(129)), ["many-capabilities"]);
}

#[test]
fn lint_reads_descriptions_and_instructions() {
    let mut contract = todo();
    contract.instructions = Some("x".repeat(2049));
    contract.capabilities[0].description = "x".repeat(1025);
    contract.capabilities[1].description = String::new();
    contract.resources[0].description = " ".into();
    assert_eq!(
        codes(&contract),
        ["instructions-long", "description-long", "description-empty", "description-empty"]
    );
    let last = contract.lint().pop().unwrap();
    assert!(last.to_string().starts_with("resource `open todos`: "));
}

#[test]
fn lint_advises_to_describe_the_agent_and_each_argument() {
    let schema = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": "Words." },
            "limit": { "type": "integer" },
            "page": { "type": "integer", "description": " " },
        },
    });
    let contract = with_input(schema);
    assert_eq!(codes(&contract), [] as [&str; 0]);
    let advice = at(&contract, LintLevel::Advice);
    assert_eq!(advice, ["instructions-empty", "argument-undescribed"]);
    let message = lint(&contract, "argument-undescribed");
    assert!(message.starts_with("capability `search`: ") && message.contains("`limit`, `page`"));
    assert!(!message.contains("query"), "{message}");
    assert_eq!(at(&todo(), LintLevel::Advice), [] as [&str; 0]);
}

/// Serde never reads a default, so nothing but a lint tells that it breaks the rules beside it.
#[test]
fn lint_finds_a_default_that_its_own_schema_refuses() {
    for (wrong, right) in [
        (json!({ "type": "integer", "minimum": 1, "default": 0 }), json!(1)),
        (json!({ "type": "integer", "maximum": 10, "default": 11 }), json!(10)),
        (json!({ "type": "number", "exclusiveMinimum": 0, "default": 0.0 }), json!(0.1)),
        (json!({ "type": "string", "minLength": 1, "default": "" }), json!("x")),
        (json!({ "type": "string", "maxLength": 1, "default": "ab" }), json!("ä")),
        (json!({ "type": "string", "pattern": "^[a-z]+$", "default": "A" }), json!("a")),
        (json!({ "type": "string", "enum": ["a", "b"], "default": "c" }), json!("b")),
        (json!({ "type": "array", "minItems": 1, "default": [] }), json!([1])),
        (json!({ "type": ["integer", "null"], "default": "x" }), json!(null)),
    ] {
        let with = |schema: &Value| {
            with_input(json!({ "type": "object", "properties": { "size": schema } }))
        };
        let message = lint(&with(&wrong), "schema-default");
        assert!(message.contains("`size`"), "{message}");
        let mut sound = wrong;
        sound["default"] = right;
        assert_eq!(codes(&with(&sound)), [] as [&str; 0]);
    }
}

#[test]
fn lint_finds_annotations_that_contradict_each_other() {
    let mut contract = contract("todo", [capability("clear")]);
    contract.capabilities[0].annotations.read_only = Some(true);
    assert_eq!(codes(&contract), [] as [&str; 0]);
    contract.capabilities[0].annotations.destructive = Some(true);
    assert_eq!(codes(&contract), ["annotations-contradict"]);
}

#[test]
fn lint_reads_the_root_of_the_input_schema() {
    for (schema, says) in [
        (json!(true), "not an object"),
        (json!({}), "\"type\": \"object\""),
        (json!({ "type": "string" }), "\"type\": \"object\""),
        (json!({ "type": "object" }), "`properties`"),
        (json!({ "type": "object", "properties": {}, "oneOf": [] }), "`oneOf`"),
        (json!({ "type": "object", "properties": {}, "anyOf": [] }), "`anyOf`"),
    ] {
        let message = lint(&with_input(schema), "schema-root");
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn schema_637_lint_names_properties_that_providers_refuse() {
    let long = "p".repeat(70);
    let schema = json!({
        "type": "object",
        "properties": {
            "fine-name_1.x": { "type": "string" },
            "ok": { "type": "array", "items": { "type": "object", "properties": {
                (long.as_str()): { "type": "string" },
                "größe": { "type": "integer" },
            } } },
        },
    });
    let contract = with_input(schema);
    assert_eq!(codes(&contract), ["property-name-long", "property-name-characters"]);
    assert!(lint(&contract, "property-name-long").contains(&format!("`ok[].{long}`")));
    assert!(lint(&contract, "property-name-characters").contains("`ok[].größe`"));
}

#[test]
fn schema_0a0_a73_a14_lint_names_what_some_client_refuses_within_a_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "any": true,
            "closed": { "type": "object", "properties": {}, "additionalProperties": false },
            "open": { "type": "object", "properties": {}, "additionalProperties": true },
            "limit": { "type": "integer", "nullable": true },
            "site": { "type": "string", "format": "uri" },
            "at": { "type": "string", "format": "date-time" },
        },
        "required": ["any", "gone"],
    });
    let contract = with_input(schema);
    assert_eq!(
        codes(&contract),
        ["schema-boolean", "schema-nullable", "schema-format", "schema-required"]
    );
    for (code, place) in
        [("schema-boolean", "`any`"), ("schema-format", "`site`"), ("schema-required", "`gone`")]
    {
        assert!(lint(&contract, code).contains(&format!("at {place},")), "{code}");
    }
}

#[test]
fn schema_73e_176_lint_tells_references_within_from_those_that_lead_out() {
    let node = json!({ "type": "object", "properties": {
        "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
        "far": { "$ref": "https://schemas.example/x.json" },
        "gone": { "$ref": "#/$defs/Gone" },
    } });
    let mut schema = node.clone();
    schema["$defs"] = json!({ "Node": { "type": "object" } });
    let contract = with_input(schema.clone());
    assert_eq!(codes(&contract), ["schema-reference", "schema-reference-outside"]);
    assert!(lint(&contract, "schema-reference").contains("at `children[]`,"));
    assert!(lint(&contract, "schema-reference-outside").contains("at `far`, `gone`,"));

    // output-824: clients stumble on those of results as well.
    let mut returned = self::contract("todo", [capability("tree")]);
    returned.capabilities[0].output = Some(schema);
    assert_eq!(codes(&returned), ["schema-reference", "schema-reference-outside"]);
    assert!(lint(&returned, "schema-reference").contains("the output has"));
}

#[test]
fn lint_reads_the_keywords_that_only_a_hand_writes() {
    let odd = json!({ "type": "string", "format": "uuid" });
    let contract = with_input(json!({
        "type": "object",
        "properties": {
            "pair": { "type": "array", "items": [], "additionalItems": odd },
            "rest": { "type": "array", "unevaluatedItems": odd },
            "text": { "type": "string", "contentSchema": odd },
            "tree": { "$dynamicRef": "#node" },
            "closed": { "type": "array", "additionalItems": false },
        },
        "dependencies": { "pair": odd, "rest": ["pair"] },
    }));
    let formats = lint(&contract, "schema-format");
    for place in ["`dependencies.pair`", "`pair[]`", "`rest[]`", "1 more place"] {
        assert!(formats.contains(place), "{formats}");
    }
    assert!(lint(&contract, "schema-reference").contains("at `tree`,"));
    assert!(!codes(&contract).contains(&"schema-boolean"));
}

#[test]
fn lint_measures_schemas() {
    let nested = |levels| {
        let object = |inner| json!({ "type": "object", "properties": { "a": inner } });
        (0..levels).fold(json!({ "type": "string" }), |inner, _| object(inner))
    };
    assert_eq!(codes(&with_input(nested(10))), [] as [&str; 0]);
    assert_eq!(codes(&with_input(nested(11))), ["schema-deep"]);

    let described = |length| {
        json!({ "type": "object", "properties": {
            "a": { "type": "string", "description": "x".repeat(length) } } })
    };
    assert_eq!(codes(&with_input(described(16_000))), [] as [&str; 0]);
    assert_eq!(codes(&with_input(described(16_384))), ["schema-large"]);
}

#[test]
fn lint_names_a_few_places_of_many() {
    let properties: serde_json::Map<String, Value> =
        (1..=5).map(|n| (format!("p{n}"), json!(true))).collect();
    let contract = with_input(json!({ "type": "object", "properties": properties }));
    let message = lint(&contract, "schema-boolean");
    assert!(message.contains("`p1`, `p2`, `p3` and 2 more places"), "{message}");
}

#[test]
fn b103_b104_the_manifest_is_the_same_to_the_byte_in_declaration_order() {
    let expected = r#"{
  "name": "todo",
  "title": "Todos",
  "version": "1.2.0",
  "instructions": "Keep the list short.",
  "capabilities": [
    {
      "name": "add_todo",
      "method": "create",
      "description": "What add_todo does.",
      "conditional": false,
      "authorized": false,
      "dispatches": true,
      "completion": {
        "kind": "message",
        "timeoutMs": 10000
      },
      "input": {
        "additionalProperties": false,
        "properties": {
          "text": {
            "description": "What to do.",
            "type": "string"
          }
        },
        "required": [
          "text"
        ],
        "type": "object"
      },
      "output": {
        "properties": {
          "id": {
            "type": "string"
          }
        },
        "type": "object"
      }
    },
    {
      "name": "clear_done",
      "title": "Clear",
      "method": "clear_done",
      "description": "Clears a | b.\nAsk first.",
      "conditional": true,
      "authorized": true,
      "dispatches": false,
      "annotations": {
        "destructive": true
      },
      "timeoutMs": 1500,
      "concurrency": 1,
      "input": {
        "additionalProperties": false,
        "properties": {},
        "type": "object"
      }
    }
  ],
  "resources": [
    {
      "name": "open todos",
      "description": "What open todos shows.",
      "uri": "app://open%20todos",
      "authorized": false
    }
  ],
  "context": {
    "description": "What is on the screen.",
    "schema": {
      "properties": {},
      "type": "object"
    }
  }
}
"#;
    assert_eq!(todo().manifest(), expected);
    assert_eq!(todo().clone().manifest(), expected);
}

#[test]
fn b17_b104_what_is_absent_is_absent_in_the_manifest() {
    let manifest: Value = serde_json::from_str(&Contract::new("todo").manifest()).unwrap();
    assert_eq!(manifest, json!({ "name": "todo", "capabilities": [], "resources": [] }));
    let mut state = contract("todo", [capability("wait")]);
    state.capabilities[0].completion = Some(CompletionDescriptor::new(
        CompletionKind::State,
        CompletionDescriptor::DEFAULT_TIMEOUT,
    ));
    let manifest: Value = serde_json::from_str(&state.manifest()).unwrap();
    let completion = &manifest["capabilities"][0]["completion"];
    assert_eq!(completion, &json!({ "kind": "state", "timeoutMs": 30_000 }));
    assert!(!state.manifest().contains("null"));
}

#[test]
fn b105_the_page_has_a_table_a_section_for_each_capability_and_its_conditions() {
    let expected = r#"# Todos

Version 1.2.0.

Keep the list short.

## Capabilities

| Capability | Description | Conditions |
| --- | --- | --- |
| `add_todo` | What add_todo does. | completes |
| `clear_done` | Clears a \| b. Ask first. | conditional, authorized |

### `add_todo`

What add_todo does.

It sends a Message and completes when the application reports it, within 10s.

Input:

```json
{
  "additionalProperties": false,
  "properties": {
    "text": {
      "description": "What to do.",
      "type": "string"
    }
  },
  "required": [
    "text"
  ],
  "type": "object"
}
```

Output:

```json
{
  "properties": {
    "id": {
      "type": "string"
    }
  },
  "type": "object"
}
```

### `clear_done`

**Clear**

Clears a | b.
Ask first.

It is available only in some states of the application. Each call is authorized by who makes it. It may destroy something. It runs for at most 1.5s. At most 1 call runs at once.

Input:

```json
{
  "additionalProperties": false,
  "properties": {},
  "type": "object"
}
```

## Resources

| Resource | Description | Uri |
| --- | --- | --- |
| `open todos` | What open todos shows. | `app://open%20todos` |

## Context

What is on the screen.

It is read at `app://context`.

Content:

```json
{
  "properties": {},
  "type": "object"
}
```
"#;
    assert_eq!(todo().markdown(), expected);
}

#[test]
fn b105_b17_the_page_of_an_empty_contract_says_so() {
    assert_eq!(
        Contract::new("todo").markdown(),
        "# todo\n\n## Capabilities\n\nThis agent has no capabilities.\n"
    );
}

#[test]
fn b105_the_page_tells_the_kinds_of_completion_apart() {
    let mut contract = contract("todo", [capability("a"), capability("b")]);
    for capability in &mut contract.capabilities {
        capability.dispatches = true;
    }
    contract.capabilities[1].completion =
        Some(CompletionDescriptor::new(CompletionKind::State, Duration::from_millis(500)));
    let page = contract.markdown();
    assert!(page.contains("sends a Message and does not wait"), "{page}");
    assert!(page.contains("is in the state it asks for, within 500ms"), "{page}");
}

#[test]
fn lint_advises_a_length_for_a_pattern_without_end() {
    let about = |schema: Value| {
        let schema = json!({"type": "object", "properties": {"code": schema}});
        let mut capability = capability("find");
        capability.input = schema;
        let lints = contract("todo", [capability]).lint();
        let level = lints.iter().find(|lint| lint.code == "pattern-without-length");
        level.map(|lint| lint.level)
    };
    let with = |pattern: &str| about(json!({"type": "string", "pattern": pattern}));
    assert_eq!(with("^[a-z]+$"), Some(LintLevel::Advice));
    assert_eq!(with("[a-z]"), Some(LintLevel::Advice));
    assert_eq!(with("^[a-z]{2,3}$"), None);
    let short = json!({"type": "string", "pattern": "^[a-z]+$", "maxLength": 20});
    assert_eq!(about(short), None);
}

fn template(name: &str, uri: &str) -> ResourceDescriptor {
    let mut template = resource(name);
    template.uri = uri.into();
    template
}

#[test]
fn res_9_a_template_that_is_none_and_two_that_are_one_are_faults() {
    let mut contract = todo();
    contract.resources.push(template("one", "todo://{id}"));
    contract.resources.push(template("same", "todo://{id}"));
    contract.resources.push(template("query", "todo://list{?page}"));
    let error = contract.validate().unwrap_err();
    assert_eq!(error.faults().len(), 2, "{error}");
    assert!(error.to_string().contains("would both be read at `todo://{id}`"), "{error}");
    assert!(error.to_string().contains("`{?page}` is beyond what can be read back"), "{error}");
}

#[test]
fn a_template_that_takes_the_addresses_of_another_is_advice() {
    let mut contract = todo();
    let codes = |contract: &Contract| -> Vec<String> {
        let lints = contract.lint().into_iter().filter(|lint| lint.code == "template-overlap");
        lints.map(|lint| lint.subject).collect()
    };
    contract.resources.push(template("one", "todo://{id}"));
    contract.resources.push(template("notes", "todo://{id}/notes"));
    contract.resources.push(template("fixed", "todo://all"));
    assert_eq!(codes(&contract), [""; 0]);
    contract.resources.push(template("file", "todo://{id}/{file}"));
    contract.resources.push(template("any", "todo://{+path}"));
    assert_eq!(codes(&contract), ["resource `file`", "resource `any`"]);
}

#[test]
fn b104_a_template_in_the_manifest_and_on_the_page() {
    let mut contract = Contract::new("todo");
    let mut one = template("one", "todo://{id}");
    one.variables = Some(json!({"type": "object", "properties": {"id": {"type": "integer"}}}));
    one.conditional = true;
    contract.resources.push(one);
    let manifest: Value = serde_json::from_str(&contract.manifest()).unwrap();
    let entry = &manifest["resources"][0];
    assert_eq!((&entry["uriTemplate"], entry.get("uri")), (&json!("todo://{id}"), None));
    assert_eq!(entry["variables"]["properties"]["id"]["type"], "integer");
    assert_eq!(entry["conditional"], true);
    let page = contract.markdown();
    assert!(page.contains("`todo://{id}`") && page.contains("Variables:"), "{page}");
    assert!(page.contains("only in some states"), "{page}");
}

#[test]
fn mh_14_lint_finds_what_nobody_else_should_read_in_a_header() {
    let repeated = |name: &str| {
        let mut properties = json!({});
        properties[name] =
            json!({ "type": "string", "description": "It.", "x-mcp-header": "Route" });
        with_input(json!({ "type": "object", "properties": properties }))
    };
    for secret in ["password", "access_token", "API_KEY", "customer_email"] {
        let message = lint(&repeated(secret), "header-secret");
        assert!(message.contains(&format!("`{secret}`")), "{message}");
    }
    for open in ["region", "partition_key", "tokens"] {
        assert_eq!(codes(&repeated(open)), [] as [&str; 0], "{open}");
    }
}
