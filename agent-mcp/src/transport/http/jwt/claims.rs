//! What a token says.

use std::time::{Duration, SystemTime};

use serde_json::{Map, Value};

use crate::runtime::{Principal, PrincipalId};

/// What a token says of its caller.
///
/// It is a [`Principal`] itself, for an application that needs no more.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Claims {
    /// Who vouches for the caller (`iss`).
    pub issuer: String,
    /// Who the caller is to the issuer (`sub`).
    pub subject: String,
    /// What the token is good for (`scope` or `scp`).
    pub scopes: Vec<String>,
    /// When the token ends (`exp`).
    pub expires_at: SystemTime,
    /// All claims as they are.
    pub all: Map<String, Value>,
}

impl Claims {
    /// `None` where a claim is not of the kind that it must be.
    pub(super) fn read(all: Map<String, Value>) -> Option<Self> {
        let text = |name: &str| all.get(name).and_then(Value::as_str).filter(|it| !it.is_empty());
        let seconds = all.get("exp").and_then(Value::as_f64).filter(|exp| *exp >= 0.0)?;
        let ends = Duration::try_from_secs_f64(seconds).ok()?;
        Some(Self {
            issuer: text("iss")?.to_owned(),
            subject: text("sub")?.to_owned(),
            scopes: ["scope", "scp"]
                .iter()
                .filter_map(|name| all.get(*name))
                .flat_map(scopes)
                .collect(),
            expires_at: SystemTime::UNIX_EPOCH.checked_add(ends)?,
            all,
        })
    }
}

/// Issuers write scopes as one text with spaces, or as a list.
fn scopes(value: &Value) -> Vec<String> {
    let texts: Vec<&str> = match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    texts.iter().flat_map(|text| text.split_ascii_whitespace()).map(str::to_owned).collect()
}

impl Principal for Claims {
    fn id(&self) -> PrincipalId {
        PrincipalId::new(&self.issuer, &self.subject)
    }

    fn scopes(&self) -> Vec<String> {
        self.scopes.clone()
    }

    fn has_scope(&self, needed: &str) -> bool {
        self.scopes.iter().any(|scope| scope == needed)
    }

    fn expires_at(&self) -> Option<SystemTime> {
        Some(self.expires_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(claims: &Value) -> Option<Claims> {
        let mut all = claims.as_object().unwrap().clone();
        for (name, value) in [("iss", json!("i")), ("sub", json!("s")), ("exp", json!(7))] {
            all.entry(name).or_insert(value);
        }
        Claims::read(all)
    }

    #[test]
    fn auth_10_scopes_are_a_text_or_a_list() {
        for claims in [
            json!({"scope": "a b"}),
            json!({"scp": "a b"}),
            json!({"scp": ["a", "b"]}),
            json!({"scope": ["a"], "scp": ["b", 1]}),
        ] {
            assert_eq!(read(&claims).unwrap().scopes, ["a", "b"], "{claims}");
        }
        assert!(read(&json!({"scope": 1})).unwrap().scopes.is_empty());
    }

    #[test]
    fn auth_5_a_caller_has_an_issuer_and_a_name() {
        for claims in [
            json!({"sub": ""}),
            json!({"sub": 1}),
            json!({"iss": ["i"]}),
            json!({"exp": "7"}),
            json!({"exp": -1}),
            json!({"exp": 1e300}),
        ] {
            assert!(read(&claims).is_none(), "{claims}");
        }
        assert_eq!(read(&json!({})).unwrap().id(), PrincipalId::new("i", "s"));
    }
}
