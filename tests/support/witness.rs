//! Holds what a server says to the schemas that are published with the protocol.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The revision that has no handshake: each request names it.
const MODERN: &str = "2026-07-28";

/// Overhears a connection and panics when the server says what its revision has no schema for.
#[derive(Debug, Default)]
pub struct Witness(Mutex<Overheard>);

#[derive(Debug, Default)]
struct Overheard {
    /// The revision that the handshake has settled.
    settled: Option<String>,
    /// The method and the revision of each request, by its id. An id may come again.
    asked: HashMap<String, (String, Option<String>)>,
    /// The names of the definitions that the messages were held to, each with its revision.
    seen: Vec<(String, &'static str)>,
}

impl Witness {
    /// Hears what the client says; it may be anything.
    pub fn client(&self, message: &Value) {
        let mut overheard = self.0.lock().expect("no test has panicked");
        for message in each(message) {
            if let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) {
                let revision = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
                let asked = (method.to_owned(), revision.as_str().map(str::to_owned));
                overheard.asked.insert(id.to_string(), asked);
            }
        }
    }

    /// Hears what the server says.
    ///
    /// # Panics
    ///
    /// When the message is not one of the revision.
    pub fn server(&self, message: &Value) {
        let mut overheard = self.0.lock().expect("no test has panicked");
        for message in each(message) {
            overheard.judge(message);
        }
    }

    /// The definitions that messages were held to, each once, of a revision.
    pub fn seen(&self, revision: &str) -> Vec<&'static str> {
        let overheard = self.0.lock().expect("no test has panicked");
        let seen = overheard.seen.iter().filter(|(of, _)| of == revision);
        let mut names: Vec<_> = seen.map(|(_, name)| *name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Overheard {
    fn judge(&mut self, message: &Value) {
        let id = message.get("id").map(Value::to_string);
        let asked = if message.get("method").is_none() { id.and_then(|id| self.asked.get(&id)) } else { None };
        if message["result"]["protocolVersion"].is_string() {
            self.settled = message["result"]["protocolVersion"].as_str().map(str::to_owned);
        }
        let revision = match asked {
            Some((_, Some(named))) if PUBLISHED.contains_key(named.as_str()) => named.clone(),
            _ => self.settled.clone().unwrap_or_else(|| MODERN.to_owned()),
        };
        let published = &PUBLISHED[revision.as_str()];
        if message["result"]["resultType"] == "task" {
            return; // The extension for tasks has a schema of its own.
        }
        let Some(name) = published.definition(message, asked.map(|(method, _)| method.as_str()))
        else {
            return; // A method of an extension.
        };
        published.hold(name, message);
        self.seen.push((revision, name));
    }
}

/// The schema of a revision: its definitions by name.
struct Published {
    revision: &'static str,
    schema: Value,
    /// What the definitions are under.
    keyword: &'static str,
    validators: Mutex<HashMap<&'static str, &'static Validator>>,
}

static PUBLISHED: LazyLock<HashMap<&'static str, Published>> = LazyLock::new(|| {
    macro_rules! published {
        ($($revision:literal)*) => {
            [$(Published::new($revision, include_str!(concat!("../wire/schema/", $revision, ".json")))),*]
        };
    }
    let all = published!("2024-11-05" "2025-03-26" "2025-06-18" "2025-11-25" "2026-07-28");
    all.into_iter().map(|published| (published.revision, published)).collect()
});

impl Published {
    fn new(revision: &'static str, text: &str) -> Self {
        let schema: Value = serde_json::from_str(text).expect("a schema is JSON");
        let keyword = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        Self { revision, schema, keyword, validators: Mutex::default() }
    }

    fn definitions(&self) -> &Map<String, Value> {
        self.schema[self.keyword].as_object().expect("definitions by name")
    }

    /// What a message of a server is defined as, if the revision defines it.
    fn definition(&'static self, message: &Value, asked: Option<&str>) -> Option<&'static str> {
        let has = |name: &str| self.definitions().get_key_value(name).map(|(name, _)| name.as_str());
        if let Some(method) = message.get("method") {
            return Some(self.of_method(method).unwrap_or_else(|| {
                panic!("{}: the server says {method}, which there is not", self.revision)
            }));
        }
        if let Some(error) = message.get("error") {
            let definitions = self.definitions().iter();
            let mut special = definitions.filter(|(_, definition)| code(definition) == Some(&error["code"]));
            let special = special.next().map(|(name, _)| name.as_str());
            return special.or(has("JSONRPCErrorResponse")).or(has("JSONRPCError"));
        }
        let request = self.of_method(&json!(asked?))?;
        let subject = request.strip_suffix("Request").expect("a request is called so");
        has(&format!("{subject}ResultResponse")).or(has(&format!("{subject}Result"))).or(has("EmptyResult"))
    }

    /// The request or the notification of a method.
    fn of_method(&'static self, method: &Value) -> Option<&'static str> {
        let mut definitions = self.definitions().iter();
        let named = definitions.find(|(_, it)| it["properties"]["method"]["const"] == *method);
        named.map(|(name, _)| name.as_str())
    }

    /// # Panics
    ///
    /// When the message is not what it is defined as.
    fn hold(&'static self, name: &'static str, message: &Value) {
        // The older revisions define results without what is around them.
        let is_whole = !name.ends_with("Result");
        let held = if is_whole { message } else { &message["result"] };
        let mut validators = self.validators.lock().expect("no test has panicked");
        let validator = validators.entry(name).or_insert_with(|| {
            let reference = format!("#/{}/{name}", self.keyword);
            let mut schema = self.schema.clone();
            schema["$ref"] = json!(reference);
            Box::leak(Box::new(jsonschema::validator_for(&schema).expect("a schema is valid")))
        });
        let errors: Vec<_> = validator
            .iter_errors(held)
            .map(|error| format!("{error} at `{}`", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}, {name}: {message}\n{}", self.revision, errors.join("\n"));
        drop(validators);
    }
}

/// The code of an error that has a definition of its own.
fn code(definition: &Value) -> Option<&Value> {
    let error = &definition["properties"]["error"];
    let parts = error["allOf"].as_array().into_iter().flatten();
    let mut codes = parts.filter_map(|part| part["properties"]["code"].get("const"));
    codes.next()
}

/// The messages of a batch, or the one message.
fn each(message: &Value) -> impl Iterator<Item = &Value> {
    message.as_array().map_or(std::slice::from_ref(message), Vec::as_slice).iter()
}
