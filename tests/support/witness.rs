//! Holds what a server says to the schemas that are published with the protocol.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The revision that has no handshake: each request names it.
pub const MODERN: &str = "2026-07-28";

/// What is asked without a handshake, where that is answered, is of the last revision that has one.
const LEGACY: &str = "2025-11-25";

/// What the server says by itself and the revision does not define, for an extension does.
const EXTENSION: &str = "notifications/tasks";

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
    /// Knows the revision without having heard the handshake.
    pub fn settle(&self, revision: &str) {
        if let Some((revision, _)) = PUBLISHED.get_key_value(revision) {
            let mut overheard = self.0.lock().expect("no test has panicked");
            overheard.settled = Some((*revision).to_owned());
        }
    }

    /// Hears what the client says; it may be anything.
    pub fn client(&self, message: &Value) {
        let mut overheard = self.0.lock().expect("no test has panicked");
        for message in each(message) {
            if let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) {
                let revision =
                    &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
                let asked = (method.to_owned(), revision.as_str().map(str::to_owned));
                overheard.asked.insert(id.to_string(), asked);
            }
            if message["method"] == "notifications/cancelled" {
                overheard.asked.remove(&message["params"]["requestId"].to_string());
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
        let answers = message.get("id").filter(|_| message.get("method").is_none());
        let asked = answers.and_then(|id| self.asked.remove(&id.to_string()));
        if message["result"]["protocolVersion"].is_string() {
            self.settled = message["result"]["protocolVersion"].as_str().map(str::to_owned);
        }
        let revision = match (&asked, &self.settled) {
            (Some((_, Some(named))), _) if PUBLISHED.contains_key(named.as_str()) => named.clone(),
            (_, Some(settled)) => settled.clone(),
            (Some(_), None) if message["error"].is_null() => LEGACY.to_owned(),
            _ => MODERN.to_owned(),
        };
        let published = &PUBLISHED[revision.as_str()];
        if message["method"] == EXTENSION || message["result"]["resultType"] == "task" {
            return; // The extension for tasks has a schema of its own.
        }
        let method = asked.as_ref().map(|(method, _)| &**method);
        let Some(name) = published.definition(message, method) else {
            return; // A method of an extension.
        };
        published.hold(name, message);
        if message["result"]["resultType"] == "input_required" {
            self.seen.push((revision.clone(), "InputRequiredResult"));
        }
        let name =
            name.strip_suffix("Response").filter(|it| it.ends_with("Result")).unwrap_or(name);
        self.seen.push((revision, name));
    }
}

/// What the schema of a revision has a server say: results, requests, notifications, and errors that have a
/// definition of their own.
pub fn defined(revision: &str) -> Vec<&'static str> {
    let published = &PUBLISHED[revision];
    let definitions = published.definitions();
    let unions = ["ServerResult", "ServerRequest", "ServerNotification"];
    let members = unions
        .iter()
        .flat_map(|union| definitions.get(*union).and_then(|union| union["anyOf"].as_array()));
    let names = members.flatten().filter_map(|member| member["$ref"].as_str()?.rsplit('/').next());
    let errors = definitions.iter().filter(|(_, definition)| code(definition).is_some());
    let errors = errors.map(|(name, _)| name.as_str());
    // An empty result is one without a name.
    names.filter(|name| *name != "Result").chain(errors).collect()
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
        let has =
            |name: &str| self.definitions().get_key_value(name).map(|(name, _)| name.as_str());
        if let Some(method) = message.get("method") {
            return Some(self.of_method(method).unwrap_or_else(|| {
                panic!("{}: the server says {method}, which there is not", self.revision)
            }));
        }
        if let Some(error) = message.get("error") {
            let definitions = self.definitions().iter();
            let mut special =
                definitions.filter(|(_, definition)| code(definition) == Some(&error["code"]));
            let special = special.next().map(|(name, _)| name.as_str());
            return special.or(has("JSONRPCErrorResponse")).or(has("JSONRPCError"));
        }
        let request = self.of_method(&json!(asked?))?;
        let subject = request.strip_suffix("Request").expect("a request is called so");
        has(&format!("{subject}ResultResponse"))
            .or(has(&format!("{subject}Result")))
            .or(has("EmptyResult"))
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
        let mut held = if is_whole { message } else { &message["result"] }.clone();
        // BASE-5: they have no error that answers nothing in particular, so JSON-RPC says what it looks like.
        if name == "JSONRPCError" && held["id"].is_null() {
            held["id"] = json!(0);
        }
        let mut validators = self.validators.lock().expect("no test has panicked");
        let validator = validators.entry(name).or_insert_with(|| {
            let reference = format!("#/{}/{name}", self.keyword);
            let mut schema = self.schema.clone();
            schema["$ref"] = json!(reference);
            Box::leak(Box::new(jsonschema::validator_for(&schema).expect("a schema is valid")))
        });
        let errors: Vec<_> = validator
            .iter_errors(&held)
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
