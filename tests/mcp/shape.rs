//! lifecycle-628: a revision is claimed only when every list result is whole in it.
//!
//! Each revision's own schema, reduced to the members of what we send: those that must be there and
//! those that may. Anything else is not known to the revision.

use serde_json::{Value, json};

use crate::{
    client::{Client, LEGACY, MODERN},
    desk::{plain, serve},
};

/// A member: its name, its kind, and whether it must be there.
type Member = (&'static str, Kind, bool);
type Members = &'static [Member];

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Flag,
    Number,
    /// Any object.
    Object,
    /// A JSON schema whose root is an object's.
    ObjectSchema,
    Anything,
    One(Members),
    List(Members),
    OneOf(&'static [&'static str]),
}

use Kind::*;

const HINTS: Members = &[
    ("title", Text, false),
    ("readOnlyHint", Flag, false),
    ("destructiveHint", Flag, false),
    ("idempotentHint", Flag, false),
    ("openWorldHint", Flag, false),
];

const TEXT: Members = &[("type", OneOf(&["text"]), true), ("text", Text, true)];

const CONTENTS: Members = &[("uri", Text, true), ("mimeType", Text, false), ("text", Text, true)];

struct Schema {
    revision: &'static str,
    tool: Members,
    resource: Members,
    /// Members of every result, beside `_meta`.
    result: Members,
    /// Members of every list and read.
    cached: Members,
    /// Members of a call's result.
    call: Members,
}

const CALL_A: Members = &[("content", List(TEXT), true), ("isError", Flag, false)];
const RESOURCE_A: Members = &[
    ("uri", Text, true),
    ("name", Text, true),
    ("description", Text, false),
    ("mimeType", Text, false),
];
const RESOURCE_C: Members = &[
    ("uri", Text, true),
    ("name", Text, true),
    ("title", Text, false),
    ("description", Text, false),
    ("mimeType", Text, false),
];
const TOOL_C: Members = &[
    ("name", Text, true),
    ("title", Text, false),
    ("description", Text, false),
    ("inputSchema", ObjectSchema, true),
    ("outputSchema", ObjectSchema, false),
    ("annotations", One(HINTS), false),
];
const CALL_C: Members = &[
    ("content", List(TEXT), true),
    ("structuredContent", Object, false),
    ("isError", Flag, false),
];

const SCHEMAS: [Schema; 5] = [
    Schema {
        revision: LEGACY[0],
        tool: &[
            ("name", Text, true),
            ("description", Text, false),
            ("inputSchema", ObjectSchema, true),
        ],
        resource: RESOURCE_A,
        result: &[],
        cached: &[],
        call: CALL_A,
    },
    Schema {
        revision: LEGACY[1],
        tool: &[
            ("name", Text, true),
            ("description", Text, false),
            ("inputSchema", ObjectSchema, true),
            ("annotations", One(HINTS), false),
        ],
        resource: RESOURCE_A,
        result: &[],
        cached: &[],
        call: CALL_A,
    },
    Schema {
        revision: LEGACY[2],
        tool: TOOL_C,
        resource: RESOURCE_C,
        result: &[],
        cached: &[],
        call: CALL_C,
    },
    Schema {
        revision: LEGACY[3],
        tool: TOOL_C,
        resource: RESOURCE_C,
        result: &[],
        cached: &[],
        call: CALL_C,
    },
    Schema {
        revision: MODERN,
        tool: &[
            ("name", Text, true),
            ("title", Text, false),
            ("description", Text, false),
            ("inputSchema", ObjectSchema, true),
            ("outputSchema", Object, false),
            ("annotations", One(HINTS), false),
        ],
        resource: RESOURCE_C,
        result: &[("resultType", OneOf(&["complete"]), true)],
        cached: &[("ttlMs", Number, true), ("cacheScope", OneOf(&["public", "private"]), true)],
        call: &[
            ("content", List(TEXT), true),
            ("structuredContent", Anything, false),
            ("isError", Flag, false),
        ],
    },
];

fn check_kind(value: &Value, kind: Kind, at: &str) {
    match kind {
        Text => assert!(value.is_string(), "{at}"),
        Flag => assert!(value.is_boolean(), "{at}"),
        Number => assert!(value.is_u64(), "{at}"),
        Object => assert!(value.is_object(), "{at}"),
        Anything => {}
        ObjectSchema => {
            assert_eq!(value["type"], "object", "{at}");
            for property in value["properties"].as_object().into_iter().flatten() {
                assert!(property.1.is_object(), "{at}: {} is no object", property.0);
            }
        }
        One(members) => check(value, &[members], at),
        List(members) => {
            for entry in value.as_array().unwrap_or_else(|| panic!("{at} is no list")) {
                check(entry, &[members], at);
            }
        }
        OneOf(words) => assert!(words.iter().any(|word| value == word), "{at}"),
    }
}

fn check(value: &Value, members: &[&[Member]], at: &str) {
    let object = value.as_object().unwrap_or_else(|| panic!("{at} is no object: {value}"));
    let known = members.concat();
    for name in object.keys() {
        assert!(known.iter().any(|(known, ..)| known == name), "{at}.{name} is unknown");
    }
    for (name, kind, required) in known {
        let at = format!("{at}.{name}");
        match object.get(name) {
            None => assert!(!required, "{at} is missing"),
            Some(member) => check_kind(member, kind, &at),
        }
    }
}

#[tokio::test]
async fn lifecycle_628_claim_only_what_is_whole() {
    const META: Member = ("_meta", Object, false);
    const CURSOR: Member = ("nextCursor", Text, false);
    for handler in [serve().handler, plain()] {
        for Schema { revision, tool, resource, result, cached, call } in &SCHEMAS {
            let client = Client::at(&handler, revision);
            for (method, entries) in [
                ("tools/list", ("tools", List(tool), true)),
                ("resources/list", ("resources", List(resource), true)),
                ("resources/templates/list", ("resourceTemplates", List(resource), true)),
            ] {
                let answer = client.ask(method, json!({})).await;
                // What is not offered is an error, which is whole in itself.
                if let Some(list) = answer.get("result") {
                    let own = [META, CURSOR, entries];
                    check(list, &[&own, result, cached], &format!("{revision} {method}"));
                }
            }
            let read = client.ask("resources/read", json!({"uri": "app://context"})).await;
            if let Some(read) = read.get("result") {
                let own = [META, ("contents", List(CONTENTS), true)];
                check(read, &[&own, result, cached], &format!("{revision} read"));
            }
            for tool in &handler.runtime().contract().capabilities {
                if tool.name == "wait" {
                    continue;
                }
                let answer = client.ask("tools/call", json!({ "name": tool.name })).await;
                if let Some(answer) = answer.get("result") {
                    check(answer, &[&[META], result, call], &format!("{revision} {}", tool.name));
                }
            }
        }
    }
}
