//! Arguments that a call repeats in a header, so that what is between caller and server can route it unread.

use std::{borrow::Cow, slice::from_ref};

use serde_json::Value;

/// The keyword of a property that is repeated: what the header is called.
pub(crate) const HEADER: &str = "x-mcp-header";

/// An argument that is repeated in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repeated {
    /// What the header is called.
    pub(crate) header: String,
    /// The way to the argument: the names of members, the outermost first.
    pub(crate) path: Vec<String>,
}

/// Why an argument cannot be repeated in a header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// What should name the header is no text.
    #[error("`{HEADER}` takes a text")]
    NotText,
    /// The header has no name.
    #[error("the name of the header is empty")]
    Empty,
    /// The header's name has a character that is not allowed.
    #[error("{0:?} cannot stand in the name of a header")]
    Character(char),
    /// Another argument is repeated in the same header.
    #[error("`{first}` has the header `{header}` already, and case makes no difference")]
    Taken {
        /// The header.
        header: String,
        /// The other argument.
        first: String,
    },
    /// The argument has more than one type, or one that no header can hold.
    #[error("only a string, an integer or a boolean can, and this is {found}")]
    Type {
        /// What the argument is, in words.
        found: String,
    },
    /// The argument is not always there to be found by its name.
    #[error("only a member of the arguments can, or of plain objects inside them")]
    Unreachable,
}

/// The arguments that a schema has repeated, and those that it cannot.
// MH-13: a client drops a tool with one of the latter.
pub(crate) fn repeated(schema: &Value) -> (Vec<Repeated>, Vec<(String, HeaderError)>) {
    let mut found = Found::default();
    found.walk(schema, String::new(), Some(Vec::new()));
    (found.sound, found.faults)
}

/// The schema as it is where nothing is repeated.
pub(crate) fn without(schema: &Value) -> Cow<'_, Value> {
    let repeated = repeated(schema).0;
    if repeated.is_empty() {
        return Cow::Borrowed(schema);
    }
    let mut schema = schema.clone();
    for argument in repeated {
        let mut members = argument.path.iter();
        let property = members
            .try_fold(&mut schema, |object, member| object.get_mut("properties")?.get_mut(member));
        if let Some(property) = property.and_then(Value::as_object_mut) {
            property.remove(HEADER);
        }
    }
    Cow::Owned(schema)
}

#[derive(Default)]
struct Found {
    sound: Vec<Repeated>,
    faults: Vec<(String, HeaderError)>,
}

impl Found {
    /// Looks at a schema and at all inside of it. `path` leads to it where only names do.
    fn walk(&mut self, schema: &Value, shown: String, path: Option<Vec<String>>) {
        let Value::Object(keywords) = schema else { return };
        if let Some(header) = keywords.get(HEADER) {
            match self.judge(header, schema, path.as_deref()) {
                Ok(argument) => self.sound.push(argument),
                Err(_) if shown.is_empty() => {
                    self.faults.push(("the root".to_owned(), HeaderError::Unreachable));
                }
                Err(error) => self.faults.push((format!("`{shown}`"), error)),
            }
        }
        let member = |name: &str| match &*shown {
            "" => name.to_owned(),
            outer => format!("{outer}.{name}"),
        };
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(members)) => {
                    for (name, schema) in members {
                        let path = path.as_ref().map(|path| [&path[..], from_ref(name)].concat());
                        self.walk(schema, member(name), path);
                    }
                }
                (
                    "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                    Value::Object(members),
                ) => {
                    members.iter().for_each(|(name, schema)| self.walk(schema, member(name), None));
                }
                ("additionalProperties" | "unevaluatedProperties", schema) => {
                    self.walk(schema, member("*"), None);
                }
                ("items" | "prefixItems" | "contains" | "unevaluatedItems", part) => {
                    self.parts(part, &format!("{shown}[]"));
                }
                (
                    "anyOf" | "oneOf" | "allOf" | "not" | "if" | "then" | "else" | "propertyNames",
                    part,
                ) => self.parts(part, &shown),
                _ => {}
            }
        }
    }

    /// A schema or a list of them, to which no name leads.
    fn parts(&mut self, part: &Value, shown: &str) {
        match part {
            Value::Array(schemas) => {
                schemas.iter().for_each(|schema| self.walk(schema, shown.to_owned(), None));
            }
            schema => self.walk(schema, shown.to_owned(), None),
        }
    }

    fn judge(
        &self,
        header: &Value,
        schema: &Value,
        path: Option<&[String]>,
    ) -> Result<Repeated, HeaderError> {
        let Some(path @ [_, ..]) = path else { return Err(HeaderError::Unreachable) };
        let header = header.as_str().ok_or(HeaderError::NotText)?;
        if header.is_empty() {
            return Err(HeaderError::Empty);
        }
        if let Some(character) = header.chars().find(|c| !is_token(*c)) {
            return Err(HeaderError::Character(character));
        }
        let first = self.sound.iter().find(|first| first.header.eq_ignore_ascii_case(header));
        if let Some(first) = first {
            let (header, first) = (first.header.clone(), first.path.join("."));
            return Err(HeaderError::Taken { header, first });
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string" | "integer" | "boolean") => {
                Ok(Repeated { header: header.to_owned(), path: path.to_vec() })
            }
            found => Err(HeaderError::Type {
                found: match found {
                    Some("array") => "a list".to_owned(),
                    Some("object") => "an object".to_owned(),
                    Some(kind) => format!("a {kind}"),
                    None => "a choice between several things".to_owned(),
                },
            }),
        }
    }
}

/// RFC 9110, 5.6.2: what the name of a header consists of.
fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}
