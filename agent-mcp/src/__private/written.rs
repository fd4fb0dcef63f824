//! Schemas that are written by hand.

use serde::de::DeserializeOwned;

use crate::{
    runtime::InputCodec,
    schema::{
        SchemaError,
        written::{Source, WriteSchema},
    },
};

/// What is written as a schema; a mistake in it is told when the server is built.
pub fn written<S: WriteSchema>(schema: S) -> Source {
    schema.write_schema()
}

/// How arguments are read whose schema is written: their type need not describe itself.
#[must_use]
pub fn read<I: IsRead>() -> InputCodec<I> {
    InputCodec {
        schema: |_| Err(SchemaError::Root { wanted: "be written" }),
        decode: |schema, raw| schema.decode(raw),
    }
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from JSON, so it cannot be an argument of a capability",
    label = "no `Deserialize`",
    note = "take a `serde_json::Value`, or add `#[derive(serde::Deserialize)]`"
)]
pub trait IsRead: DeserializeOwned {}

impl<T: DeserializeOwned> IsRead for T {}
