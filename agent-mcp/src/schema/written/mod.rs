//! Schemas that are written by hand: advertised word for word, checked by a validator (JS-1 to JS-4).
//!
//! A type's own schema needs only the shapes that the portable form has. A written one may say anything that
//! its dialect knows, so what judges it is the `jsonschema` crate.

mod explain;
mod source;

use jsonschema::{Draft, Retrieve, Uri, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;

pub use source::{Source, WriteSchema};

use super::{
    check,
    error::{Path, SchemaError},
    faults::Faults,
    review::Review,
    shape::Shape,
};

/// Schemas are read again with every request of a model; a larger one is a mistake (SEC-5).
const LARGEST: usize = 256 * 1024;

/// How deeply a schema may be nested (SEC-5).
const DEEPEST: usize = 64;

/// A schema that was written by hand.
#[derive(Debug)]
pub(crate) struct Written {
    json: Value,
    validator: Validator,
    /// Anything, with each member once: what a validator of values cannot see.
    anything: Shape,
}

impl Written {
    /// The schema of arguments, which are an object (JS-4).
    pub(crate) fn input(json: Value) -> Result<Self, SchemaError> {
        if json.get("type").is_none_or(|kind| kind != "object") {
            return Err(SchemaError::Root { wanted: "say `\"type\": \"object\"`" });
        }
        Self::new(json)
    }

    /// The schema of a result.
    pub(crate) fn output(json: Value) -> Result<Self, SchemaError> {
        Self::new(json)
    }

    fn new(json: Value) -> Result<Self, SchemaError> {
        if !json.is_object() {
            return Err(SchemaError::Root { wanted: "be an object" });
        }
        let bytes = json.to_string().len();
        if bytes > LARGEST {
            return Err(SchemaError::TooLarge { what: "bytes", limit: LARGEST });
        }
        let mut survey = Survey::default();
        survey.schema(&json, &Path::default(), 0)?;
        survey.references_are_inside()?;
        let validator = jsonschema::options()
            .with_draft(draft(&json)?)
            .with_retriever(Nowhere)
            .build(&json)
            .map_err(|error| refused(&error))?;
        Ok(Self { json, validator, anything: Shape::anything() })
    }

    pub(crate) fn json(&self) -> &Value {
        &self.json
    }

    /// Everything that the schema has against a JSON text.
    pub(super) fn check(&self, text: &[u8]) -> Result<(), Faults> {
        if !check::fits(&self.anything, text) {
            // Not JSON, or a member twice; the review says where.
            Review::new(&self.anything, text, false)?.settle(false)?;
        }
        let value: Value =
            serde_json::from_slice(text).map_err(|error| self.unread(text, &error))?;
        if self.validator.is_valid(&value) {
            return Ok(());
        }
        let mut faults = Vec::new();
        for error in self.validator.iter_errors(&value).take(explain::ENOUGH) {
            explain::explain(&self.json, &error, &mut faults);
        }
        // Several keywords may find one fault.
        let mut seen = std::collections::HashSet::new();
        faults.retain(|fault| seen.insert((fault.path.clone(), fault.expected.clone())));
        Err(Faults::new(faults))
    }

    /// The fault where a value fits the schema and not the type behind it.
    pub(super) fn unread(&self, text: &[u8], error: &serde_json::Error) -> Faults {
        match Review::new(&self.anything, text, false) {
            Ok(mut review) => review.unexplained(error),
            Err(faults) => faults,
        }
    }

    /// The first thing that the schema has against the JSON text of a result, for the log.
    pub(crate) fn refuses(&self, text: &str) -> Option<String> {
        self.check(text.as_bytes()).err().map(|faults| faults.to_string())
    }
}

/// The dialect that a schema declares; 2020-12 where it declares none (JS-1, JS-2).
fn draft(json: &Value) -> Result<Draft, SchemaError> {
    let Some(declared) = json.get("$schema") else { return Ok(Draft::Draft202012) };
    let declared = declared.as_str().unwrap_or_default();
    let plain = declared.trim_end_matches('#').replacen("http://", "https://", 1);
    match plain.as_str() {
        "https://json-schema.org/draft/2020-12/schema" => Ok(Draft::Draft202012),
        "https://json-schema.org/draft/2019-09/schema" => Ok(Draft::Draft201909),
        "https://json-schema.org/draft-07/schema" => Ok(Draft::Draft7),
        "https://json-schema.org/draft-06/schema" => Ok(Draft::Draft6),
        "https://json-schema.org/draft-04/schema" => Ok(Draft::Draft4),
        _ => Err(SchemaError::Dialect { dialect: declared.to_owned() }),
    }
}

/// SEC-4: nothing is ever fetched.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`{uri}` is outside of the schema and never fetched").into())
    }
}

/// Why the validator does not take a schema: most often a keyword with a value that its dialect refuses.
fn refused(error: &ValidationError<'_>) -> SchemaError {
    let reason = match error.kind() {
        ValidationErrorKind::Referencing(error) => error.to_string(),
        _ => error.to_string(),
    };
    SchemaError::Invalid { place: format!("#{}", error.instance_path()), reason }
}

/// What is found on a walk through a schema.
#[derive(Default)]
struct Survey {
    ids: Vec<String>,
    references: Vec<(Path, String)>,
}

impl Survey {
    fn schema(&mut self, schema: &Value, at: &Path, depth: usize) -> Result<(), SchemaError> {
        if depth > DEEPEST {
            return Err(SchemaError::TooLarge { what: "levels", limit: DEEPEST });
        }
        let Value::Object(keywords) = schema else {
            if let Value::Array(schemas) = schema {
                schemas.iter().try_for_each(|schema| self.schema(schema, at, depth + 1))?;
            }
            return Ok(());
        };
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(target)) => {
                    self.references.push((at.clone(), target.clone()));
                }
                ("$id" | "id", Value::String(id)) => self.ids.push(without_fragment(id).to_owned()),
                // Values, which may look like anything.
                ("const" | "enum" | "default" | "examples", _) => {}
                // Names, which may look like keywords.
                (
                    "properties" | "patternProperties" | "$defs" | "definitions"
                    | "dependentSchemas" | "dependencies",
                    Value::Object(named),
                ) => {
                    for (name, schema) in named {
                        let at = if keyword == "properties" { at.member(name) } else { at.clone() };
                        self.schema(schema, &at, depth + 1)?;
                    }
                }
                _ => self.schema(value, at, depth + 1)?,
            }
        }
        Ok(())
    }

    /// JS-2, SEC-4: a client that fetches nothing must be able to use the schema.
    fn references_are_inside(self) -> Result<(), SchemaError> {
        for (path, reference) in self.references {
            let document = without_fragment(&reference);
            if !document.is_empty() && !self.ids.iter().any(|id| id == document) {
                return Err(SchemaError::OutsideReference { path, reference });
            }
        }
        Ok(())
    }
}

fn without_fragment(uri: &str) -> &str {
    uri.split_once('#').map_or(uri, |(document, _)| document)
}
