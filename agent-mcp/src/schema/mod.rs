//! Portable JSON schemas and the decoder that agrees with them.
//!
//! [`InputSchema`] is both halves of an input: the schema that is advertised and the decoding of what
//! comes back. What the schema accepts the decoder accepts, and the other way round, with these named
//! exceptions:
//!
//! - `null` for an optional member counts as absent, though the schema gives its plain type;
//! - an id written as a string ([`Id`]) is also read from a number;
//! - with [`InputOptions::coerce`] a string that spells a value is read as one where no string is due;
//! - a union at the root is advertised as one object and integer keys of maps as any string; both are
//!   checked exactly. So are the limits of 64-bit integers, whose bounds clients cannot hold.
//!
//! A member that is there twice is a fault at every depth, in maps and free-form values too. A name
//! that only a `#[serde(alias)]` knows is undeclared, since the schema does not say it.
//!
//! Arguments of more than 262,144 values are decoded when they are written as the schema says, but
//! their faults are not listed; those of a recursive type whose values can be read in several ways are
//! refused, and so are values of such a type that serde would take out of all proportion to read.
//!
//! In a schema that schemars is given by hand (`schema_with`, `JsonSchema::json_schema`), assertions that clients do not read alike (`not`, `if`, `uniqueItems`,
//! `contains`, formats and so on) are left out, `oneOf` means `anyOf`, and `{"type": "object"}` without
//! `additionalProperties` is closed like any other object. Patterns have no look-around.

mod check;
mod error;
mod faults;
pub(crate) mod flat;
mod format;
mod id;
mod near;
mod number;
mod portable;
mod probe;
mod review;
mod scan;
mod shape;
mod strict;
mod tree;
#[cfg(feature = "json-schema")]
#[doc(hidden)]
pub mod written;

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use error::{Path, SchemaError};
pub use faults::{Fault, FaultKind, Faults};
pub(crate) use faults::{item_path, list_names};
pub use id::{Digits, Id};
pub(crate) use near::nearest;
use portable::{Direction, Exact, advertise};
use review::Review;
use shape::Shape;

/// How an input is read. The default is closed and strict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputOptions {
    /// Lets undeclared members through, at every depth.
    pub open: bool,
    /// Reads strings that spell a value exactly where no string is due: `"5"` as 5, `"[1]"` as a list.
    pub coerce: bool,
}

/// The advertised schema of an input, and everything that decoding it needs.
///
/// ```
/// use agent_mcp::schema::{InputOptions, InputSchema};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Search {
///     query: String,
///     max_depth: Option<u8>,
/// }
///
/// let schema = InputSchema::of::<Search>(InputOptions::default())?;
/// assert_eq!(schema.json()["required"], serde_json::json!(["query"]));
///
/// let search: Search = schema.decode(br#"{"query": "rust", "max_depth": 2}"#).unwrap();
/// assert_eq!(search.max_depth, Some(2));
///
/// let faults = schema.decode::<Search>(br#"{"query": 5, "maxDepth": 2}"#).err().unwrap();
/// assert_eq!(
///     faults.to_string(),
///     "`query`: expected a string, got a number\n\
///      `maxDepth` is not declared, did you mean `max_depth`? (expected one of `max_depth`, `query`)",
/// );
/// # Ok::<(), agent_mcp::schema::SchemaError>(())
/// ```
#[derive(Debug)]
pub struct InputSchema {
    json: Value,
    shape: Shape,
    options: InputOptions,
    /// Whether the strict deserializer alone refuses what the schema refuses. It is found out at the
    /// first decoding: most capabilities of a server that is started for one conversation are never
    /// called.
    plain: OnceLock<bool>,
    /// Whether serde's attempts at a value may multiply: the time they take is then counted first.
    multiplies: bool,
    /// Whether the type is written as the empty object although serde knows it as `null`.
    unit: bool,
    /// The user's own schema, which is advertised and judges in place of the type's.
    #[cfg(feature = "json-schema")]
    written: Option<Box<written::Written>>,
}

impl InputSchema {
    /// Builds the schema of a type. To be done once for each type, not for each call.
    ///
    /// # Errors
    ///
    /// When no portable schema of the type exists; the error says where and what to change.
    pub fn of<T: JsonSchema + DeserializeOwned>(
        options: InputOptions,
    ) -> Result<Self, SchemaError> {
        let mut exact = Exact::of::<T>(Direction::Input { open: options.open })?;
        let mut shape = Shape::compile(&exact)?;
        let demanded = if exact.unit { Vec::new() } else { probe::demanded::<T>(&shape) };
        if !demanded.is_empty() {
            for (pointer, member) in demanded {
                exact.require(&pointer, member);
            }
            shape = Shape::compile(&exact)?;
        }
        let multiplies = exact.recursive && review::may_multiply(&shape);
        let (json, plain) = (advertise(&exact), OnceLock::new());
        Ok(Self {
            json,
            shape,
            options,
            plain,
            multiplies,
            unit: exact.unit,
            #[cfg(feature = "json-schema")]
            written: None,
        })
    }

    /// A schema that is written by hand: it reaches clients word for word, and judges the arguments before
    /// they are read (JS-3).
    #[cfg(feature = "json-schema")]
    pub(crate) fn written(json: Value) -> Result<Self, SchemaError> {
        let written = written::Written::input(json)?;
        Ok(Self {
            json: written.json().clone(),
            shape: Shape::anything(),
            // What is open is for the schema to say.
            options: InputOptions { open: true, coerce: false },
            plain: OnceLock::new(),
            multiplies: false,
            unit: false,
            written: Some(Box::new(written)),
        })
    }

    /// The schema to advertise: an object, closed unless `open`.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// Decodes the JSON text of some arguments.
    ///
    /// # Errors
    ///
    /// Every fault of the arguments at once.
    pub fn decode<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, Faults> {
        #[cfg(feature = "json-schema")]
        if let Some(written) = &self.written {
            written.check(text)?;
            return self.build(text).map_err(|error| written.unread(text, &error));
        }
        if self.multiplies {
            return self.decode_slowly(text);
        }
        let closed = !self.options.open;
        let plain = || !self.unit && probe::is_plain::<T>(&self.shape, closed);
        let decoded = if *self.plain.get_or_init(plain) {
            strict::decode(text, closed).ok()
        } else if check::fits(&self.shape, text) {
            // The shape is satisfied: serde has only to build the value.
            self.build(text).ok()
        } else {
            None
        };
        match decoded {
            Some(value) => Ok(value),
            None => self.decode_slowly(text),
        }
    }

    #[cold]
    fn decode_slowly<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, Faults> {
        let text = Review::new(&self.shape, text, self.options.coerce)?.settle(self.multiplies)?;
        self.build(&text).map_err(|error| match Review::new(&self.shape, &text, false) {
            Ok(mut review) => review.unexplained(&error),
            Err(faults) => faults,
        })
    }

    fn build<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, serde_json::Error> {
        if self.unit {
            return T::deserialize(serde::de::value::UnitDeserializer::new());
        }
        strict::decode(text, false)
    }
}

/// The advertised schema of a returned value.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSchema(Value);

impl OutputSchema {
    /// Builds the schema of a type; `None` when it says nothing (any value) or is recursive, which
    /// some clients cannot load (case output-824).
    ///
    /// # Errors
    ///
    /// When no portable schema of the type exists; the error says where and what to change.
    pub fn of<T: JsonSchema>() -> Result<Option<Self>, SchemaError> {
        let exact = Exact::of::<T>(Direction::Output)?;
        if exact.says_nothing() || exact.recursive {
            return Ok(None);
        }
        Ok(Some(Self(advertise(&exact))))
    }

    /// A schema that is written by hand.
    #[cfg(feature = "json-schema")]
    pub(crate) fn written(written: &written::Written) -> Self {
        Self(written.json().clone())
    }

    /// The schema.
    pub fn json(&self) -> &Value {
        &self.0
    }

    /// Whether every value is an object. Where a protocol wants that, other values are wrapped.
    pub fn is_object(&self) -> bool {
        self.0.get("type").is_some_and(|kind| kind == "object")
    }
}
