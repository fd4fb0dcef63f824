//! The forms in which a schema may be written.

use serde_json::Value;

use crate::schema::SchemaError;

/// What was written, where it is JSON.
pub type Source = Result<Value, SchemaError>;

/// Something that a schema is written as: JSON text, a JSON value, or a function that gives one of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no JSON schema",
    label = "not a schema",
    note = "write JSON text (such as `include_str!(\"schema.json\")` or a constant), a `serde_json::Value`, or a function that returns one of them"
)]
pub trait WriteSchema {
    /// The schema.
    ///
    /// # Errors
    ///
    /// Text that is not JSON.
    fn write_schema(self) -> Result<Value, SchemaError>;
}

impl WriteSchema for Value {
    fn write_schema(self) -> Result<Value, SchemaError> {
        Ok(self)
    }
}

impl WriteSchema for &Value {
    fn write_schema(self) -> Result<Value, SchemaError> {
        Ok(self.clone())
    }
}

impl WriteSchema for &str {
    fn write_schema(self) -> Result<Value, SchemaError> {
        serde_json::from_str(self)
            .map_err(|error| SchemaError::NotJson { reason: error.to_string() })
    }
}

impl WriteSchema for String {
    fn write_schema(self) -> Result<Value, SchemaError> {
        self.as_str().write_schema()
    }
}

impl<F: FnOnce() -> S, S: WriteSchema> WriteSchema for F {
    fn write_schema(self) -> Result<Value, SchemaError> {
        self().write_schema()
    }
}
