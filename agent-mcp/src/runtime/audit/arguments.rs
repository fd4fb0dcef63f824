//! What the audit keeps of arguments: names and a keyed digest, values only where they were chosen.

use std::hash::{BuildHasher, RandomState};

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

/// What the audit keeps of a call's arguments.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AuditedArguments {
    /// The names of the members, as the caller sent them.
    pub names: Vec<String>,
    /// Equal for equal bytes within one process, and useless outside it.
    pub digest: String,
    /// The values that were chosen to be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Value>,
}

/// Which values are kept.
#[derive(Clone)]
pub(crate) struct ArgumentPolicy {
    keep: Vec<Path>,
    redact: Vec<Path>,
    key: RandomState,
}

impl Default for ArgumentPolicy {
    fn default() -> Self {
        Self { keep: Vec::new(), redact: Vec::new(), key: RandomState::new() }
    }
}

const REDACTED: &str = "[redacted]";
const MOST_NAMES: usize = 64;

impl ArgumentPolicy {
    pub(super) fn keep<T: AsRef<str>>(&mut self, paths: impl IntoIterator<Item = T>) {
        self.keep.extend(paths.into_iter().map(|path| Path::new(path.as_ref())));
    }

    pub(super) fn redact<T: AsRef<str>>(&mut self, paths: impl IntoIterator<Item = T>) {
        self.redact.extend(paths.into_iter().map(|path| Path::new(path.as_ref())));
    }

    /// The secrets of a capability: members whose schema says `writeOnly`.
    pub(crate) fn secrets(schema: &Value) -> Vec<Path> {
        let mut paths = Vec::new();
        collect_secrets(schema, schema, &mut Vec::new(), &mut paths, 0);
        paths
    }

    pub(crate) fn audit(&self, raw: &[u8], secrets: &[Path]) -> Option<AuditedArguments> {
        let members: Members<'_> = serde_json::from_slice(raw).ok()?;
        let names = members.0.iter().take(MOST_NAMES).map(|(name, _)| name.clone()).collect();
        let digest = format!("{:016x}", self.key.hash_one(raw));
        let values = (!self.keep.is_empty()).then(|| self.values(members, secrets));
        Some(AuditedArguments { names, digest, values })
    }

    fn values(&self, members: Members<'_>, secrets: &[Path]) -> Value {
        let mut kept = Map::new();
        for (name, raw) in members.0 {
            if let Ok(value) = serde_json::from_str(raw.get()) {
                let mut path = vec![name.clone()];
                if let Some(value) = self.kept(value, &mut path, secrets) {
                    kept.insert(name, value);
                }
            }
        }
        Value::Object(kept)
    }

    /// What is kept of `value`, which stands at `path`.
    fn kept(&self, value: Value, path: &mut Vec<String>, secrets: &[Path]) -> Option<Value> {
        if secrets.iter().chain(&self.redact).any(|secret| secret.matches(path)) {
            return Some(REDACTED.into());
        }
        match value {
            Value::Object(members) => {
                let kept: Map<_, _> = members
                    .into_iter()
                    .filter_map(|(name, value)| {
                        path.push(name.clone());
                        let value = self.kept(value, path, secrets);
                        path.pop();
                        Some((name, value?))
                    })
                    .collect();
                (!kept.is_empty() || self.is_kept(path)).then_some(Value::Object(kept))
            }
            Value::Array(elements) => {
                let kept: Vec<_> = elements
                    .into_iter()
                    .filter_map(|element| self.kept(element, path, secrets))
                    .collect();
                (!kept.is_empty() || self.is_kept(path)).then_some(Value::Array(kept))
            }
            scalar => self.is_kept(path).then_some(scalar),
        }
    }

    /// Whether `path` or a place above it was chosen.
    fn is_kept(&self, path: &[String]) -> bool {
        (1..=path.len()).any(|length| self.keep.iter().any(|keep| keep.matches(&path[..length])))
    }
}

/// A path of member names, with `*` for one name and `**` for any number of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path(Vec<String>);

impl Path {
    fn new(text: &str) -> Self {
        Self(text.split('.').map(str::to_owned).collect())
    }

    fn matches(&self, path: &[String]) -> bool {
        fn rest(pattern: &[String], path: &[String]) -> bool {
            match (pattern, path) {
                ([], []) => true,
                ([head, tail @ ..], _) if head == "**" => {
                    (0..=path.len()).any(|skipped| rest(tail, &path[skipped..]))
                }
                ([head, tail @ ..], [name, names @ ..]) => {
                    (head == "*" || head == name) && rest(tail, names)
                }
                _ => false,
            }
        }
        rest(&self.0, path)
    }
}

/// Walks the advertised schema; its references are local and its depth is bounded here.
fn collect_secrets(
    schema: &Value,
    root: &Value,
    path: &mut Vec<String>,
    found: &mut Vec<Path>,
    depth: usize,
) {
    if depth > 32 {
        return;
    }
    if schema.get("writeOnly") == Some(&Value::Bool(true)) {
        found.push(Path(path.clone()));
        return;
    }
    let mut below = |schema: &Value, name: Option<&str>, found: &mut Vec<Path>| {
        path.extend(name.map(str::to_owned));
        collect_secrets(schema, root, path, found, depth + 1);
        if name.is_some() {
            path.pop();
        }
    };
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, schema) in properties {
            below(schema, Some(name), found);
        }
    }
    if let Some(schema) = schema.get("additionalProperties") {
        below(schema, Some("*"), found);
    }
    if let Some(schema) = schema.get("items") {
        below(schema, None, found);
    }
    for word in ["oneOf", "anyOf", "allOf", "prefixItems"] {
        for schema in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
            below(schema, None, found);
        }
    }
    if let Some(target) = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| root.pointer(reference.strip_prefix('#')?))
    {
        below(target, None, found);
    }
}

/// The members of an object in their order, also where a name comes twice.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: serde::de::MapAccess<'de>>(
                self,
                mut map: M,
            ) -> Result<Members<'de>, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn audit(policy: &ArgumentPolicy, arguments: &Value, schema: &Value) -> AuditedArguments {
        let secrets = ArgumentPolicy::secrets(schema);
        policy.audit(arguments.to_string().as_bytes(), &secrets).unwrap()
    }

    #[test]
    fn b93_only_names_and_a_digest_are_kept_by_default() {
        let kept = audit(
            &ArgumentPolicy::default(),
            &json!({"password": "hunter2", "auth": {"apiKey": "k"}}),
            &json!({}),
        );
        assert_eq!(kept.names, ["auth", "password"]);
        assert_eq!(kept.values, None);
        assert!(!serde_json::to_string(&kept).unwrap().contains("hunter2"));
    }

    #[test]
    fn o38_chosen_values_are_kept_and_redaction_reaches_any_depth() {
        let mut policy = ArgumentPolicy::default();
        policy.keep(["**"]);
        policy.redact(["password", "**.apiKey"]);
        let schema = json!({"properties": {"pin": {"type": "string", "writeOnly": true}}});
        let kept = audit(
            &policy,
            &json!({
                "password": "hunter2", "pin": "1234", "q": "rust",
                "auth": [{"apiKey": "k", "user": "u"}],
            }),
            &schema,
        );
        assert_eq!(
            kept.values,
            Some(json!({
                "password": "[redacted]", "pin": "[redacted]", "q": "rust",
                "auth": [{"apiKey": "[redacted]", "user": "u"}],
            }))
        );
    }

    #[test]
    fn audit_6ca_values_outside_the_chosen_paths_are_left_out() {
        let mut policy = ArgumentPolicy::default();
        policy.keep(["q", "filter.*"]);
        let kept = audit(
            &policy,
            &json!({"q": "rust", "token": "t", "filter": {"tag": "a", "deep": {"x": 1}}}),
            &json!({}),
        );
        assert_eq!(
            kept.values,
            Some(json!({"q": "rust", "filter": {"tag": "a", "deep": {"x": 1}}}))
        );
    }
}
