//! The keywords of one type: those that clients know, each part of them in exact form.

use serde_json::{Map, Value, json};

use super::build::Builder;
use super::merge::restrict;
use super::union::{union, without_null};
use super::{Direction, annotate, split_annotations};
use crate::schema::error::{MAX_NAME, Path, SchemaError};

impl Builder<'_> {
    pub(super) fn typed(
        &mut self,
        kind: &str,
        mut keywords: Map<String, Value>,
        path: &Path,
    ) -> Result<Value, SchemaError> {
        let mut schema = Map::from_iter([("type".to_owned(), kind.into())]);
        match kind {
            "object" => self.object(&mut keywords, &mut schema, path)?,
            "array" => self.array(&mut keywords, &mut schema, path)?,
            "integer" | "number" => {
                if let Some(branches) = bounds(kind, &mut keywords, &mut schema) {
                    return Ok(union(branches, split_annotations(keywords).0));
                }
            }
            "string" => {
                keep(&mut keywords, &mut schema, &["minLength", "maxLength", "pattern", "format"]);
            }
            _ => {}
        }
        Ok(annotate(Value::Object(schema), split_annotations(keywords).0))
    }

    fn object(
        &mut self,
        keywords: &mut Map<String, Value>,
        schema: &mut Map<String, Value>,
        path: &Path,
    ) -> Result<(), SchemaError> {
        let mut properties = match keywords.remove("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        let required: Vec<String> = match keywords.remove("required") {
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        for name in &required {
            properties.entry(name.clone()).or_insert_with(|| json!({}));
        }
        for (name, property) in &mut properties {
            let path = path.member(name);
            let length = name.chars().count();
            if length > MAX_NAME && self.direction.is_input() {
                return Err(SchemaError::LongName { path, length });
            }
            *property = self.schema(property, &path)?;
            if self.direction.is_input() && !required.contains(name) {
                // `null` for an optional member counts as absent; the schema need not say so.
                *property = without_null(property.take());
            }
        }
        let patterns = match keywords.remove("patternProperties") {
            Some(Value::Object(mut patterns)) => {
                for value in patterns.values_mut() {
                    *value = self.schema(value, &path.member("*"))?;
                }
                patterns
            }
            _ => Map::new(),
        };
        let rest = match keywords.remove("additionalProperties") {
            Some(Value::Bool(false)) => Some(Value::Bool(false)),
            Some(rest) => Some(self.schema(&rest, &path.member("*"))?),
            // B26: closed at every depth, since the decoder is.
            None => (self.direction == Direction::Input { open: false }).then_some(false.into()),
        };
        let is_map = properties.is_empty()
            && (!patterns.is_empty() || rest.as_ref().is_some_and(Value::is_object));
        if !required.is_empty() {
            // In the order of the members, each once; flattening brings them in any order.
            let required: Vec<&String> =
                properties.keys().filter(|name| required.contains(name)).collect();
            schema.insert("required".to_owned(), json!(required));
        }
        if !is_map {
            schema.insert("properties".to_owned(), Value::Object(properties));
        }
        if !patterns.is_empty() {
            schema.insert("patternProperties".to_owned(), Value::Object(patterns));
        }
        schema.extend(rest.map(|rest| ("additionalProperties".to_owned(), rest)));
        keep(keywords, schema, &["minProperties", "maxProperties"]);
        Ok(())
    }

    fn array(
        &mut self,
        keywords: &mut Map<String, Value>,
        schema: &mut Map<String, Value>,
        path: &Path,
    ) -> Result<(), SchemaError> {
        let path = path.items();
        let mut first = Vec::new();
        if let Some(Value::Array(items)) = keywords.remove("prefixItems") {
            for item in &items {
                first.push(self.schema(item, &path)?);
            }
        }
        keep(keywords, schema, &["minItems", "maxItems"]);
        let fixed = |key: &str| schema.get(key).and_then(Value::as_u64) == Some(first.len() as u64);
        let is_tuple = fixed("minItems") && fixed("maxItems");
        let rest = match keywords.remove("items") {
            Some(Value::Bool(false)) => {
                schema.insert("maxItems".to_owned(), first.len().into());
                json!({})
            }
            Some(items) => self.schema(&items, &path)?,
            // Providers refuse a list that does not describe its items.
            None => json!({}),
        };
        let uniform = is_tuple && first.windows(2).all(|pair| pair[0] == pair[1]);
        match first.first() {
            Some(item) if uniform => {
                schema.insert("items".to_owned(), item.clone());
            }
            Some(_) => {
                schema.insert("prefixItems".to_owned(), first.into());
                schema.insert("items".to_owned(), rest);
            }
            None => {
                schema.insert("items".to_owned(), rest);
            }
        }
        Ok(())
    }
}

fn keep(from: &mut Map<String, Value>, to: &mut Map<String, Value>, keywords: &[&str]) {
    for keyword in keywords {
        if let Some(value) = from.remove(*keyword) {
            to.insert((*keyword).to_owned(), value);
        }
    }
}

/// The bounds of a number, those of its Rust type included. Returns branches where it takes two.
fn bounds(
    kind: &str,
    keywords: &mut Map<String, Value>,
    schema: &mut Map<String, Value>,
) -> Option<Vec<Value>> {
    if kind == "integer" {
        let (low, high) = match keywords.get("format").and_then(Value::as_str) {
            Some("int8") => (json!(i8::MIN), json!(i8::MAX)),
            Some("int16") => (json!(i16::MIN), json!(i16::MAX)),
            Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
            Some("int64" | "int") => (json!(i64::MIN), json!(i64::MAX)),
            Some("uint8") => (json!(u8::MIN), json!(u8::MAX)),
            Some("uint16") => (json!(u16::MIN), json!(u16::MAX)),
            Some("uint32") => (json!(u32::MIN), json!(u32::MAX)),
            Some("uint64" | "uint") => (json!(u64::MIN), json!(u64::MAX)),
            _ => (Value::Null, Value::Null),
        };
        for (exclusive, inclusive, step) in
            [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)]
        {
            if let Some(bound) = keywords.get(exclusive).and_then(Value::as_i64) {
                keywords.remove(exclusive);
                restrict(keywords, inclusive, &bound.saturating_add(step).into());
            }
        }
        for (keyword, bound) in [("minimum", low), ("maximum", high)] {
            if bound.is_number() {
                restrict(keywords, keyword, &bound);
            }
        }
    }
    let not_zero = keywords.get("not").is_some_and(|not| *not == json!({ "const": 0 }));
    keep(
        keywords,
        schema,
        &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    );
    if kind != "integer" || !not_zero {
        return None;
    }
    let (mut below, mut above) = (schema.clone(), schema.clone());
    restrict(&mut below, "maximum", &json!(-1));
    restrict(&mut above, "minimum", &json!(1));
    Some(vec![Value::Object(below), Value::Object(above)])
}
