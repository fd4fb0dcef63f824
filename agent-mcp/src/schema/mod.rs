//! Placeholder until the schema module lands.
#![allow(missing_docs)]
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
#[derive(Clone, Copy, Debug, Default)]
pub struct InputOptions {
    pub open: bool,
    pub coerce: bool,
}
pub struct InputSchema(Value);
#[derive(Debug, thiserror::Error)]
#[error("bad schema")]
pub struct SchemaError;
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Faults(Vec<String>);
impl std::fmt::Display for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}
impl InputSchema {
    pub fn of<T: JsonSchema + DeserializeOwned>(_: InputOptions) -> Result<Self, SchemaError> {
        Ok(Self(schemars::schema_for!(T).to_value()))
    }
    pub fn json(&self) -> &Value {
        &self.0
    }
    pub fn decode<T: DeserializeOwned>(&self, raw: &[u8]) -> Result<T, Faults> {
        serde_json::from_slice(raw).map_err(|e| Faults(vec![e.to_string()]))
    }
}
pub struct OutputSchema(Value);
impl OutputSchema {
    pub fn of<T: JsonSchema>() -> Result<Option<Self>, SchemaError> {
        Ok(Some(Self(schemars::schema_for!(T).to_value())))
    }
    pub fn json(&self) -> &Value {
        &self.0
    }
    pub fn is_object(&self) -> bool {
        self.0.get("type").is_some_and(|t| t == "object")
    }
}
