//! 64-bit ids that keep their digits: JavaScript rounds numbers above 2^53, strings it leaves alone.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::ser::{SerializeSeq, Serializer};

/// Marks the schema of an id on its way to the decoder; never published.
pub(super) const FORMAT: &str = "agent-mcp-id";

/// Writes a 64-bit id as a string of digits and reads it from a string or a number.
///
/// One attribute on a field turns schema, input and output:
///
/// ```
/// use agent_mcp::schema::Id;
///
/// #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct Row {
///     #[serde(with = "Id::<u64>")]
///     id: u64,
///     #[serde(with = "Id::<Option<i64>>", default)]
///     parent: Option<i64>,
/// }
///
/// let row: Row = serde_json::from_str(r#"{"id":"9007199254740993"}"#)?;
/// assert_eq!(row.id, 9007199254740993);
/// assert_eq!(
///     serde_json::to_string(&row)?,
///     r#"{"id":"9007199254740993","parent":null}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct Id<T>(PhantomData<T>);

impl<T: Digits> Id<T> {
    /// For `#[serde(with = "...")]`.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.write(serializer)
    }

    /// For `#[serde(with = "...")]`.
    ///
    /// # Errors
    ///
    /// When the value is neither an integer nor a string of digits, or too large.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::read(deserializer)
    }
}

impl<T: Digits> JsonSchema for Id<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::schema(generator)
    }

    fn _schemars_private_is_option() -> bool {
        T::OPTIONAL
    }

    fn _schemars_private_non_optional_json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::required_schema(generator)
    }
}

/// What [`Id`] can write: `u64`, `i64`, and options and lists of them.
pub trait Digits: Sized + sealed::Sealed {
    #[doc(hidden)]
    const OPTIONAL: bool = false;
    #[doc(hidden)]
    fn name() -> Cow<'static, str>;
    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn required_schema(generator: &mut SchemaGenerator) -> Schema {
        Self::schema(generator)
    }
    #[doc(hidden)]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    #[doc(hidden)]
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for i64 {}
    impl<T: super::Digits> Sealed for Option<T> {}
    impl<T: super::Digits> Sealed for Vec<T> {}
}

macro_rules! digits {
    ($type:ty, $name:literal, $pattern:literal) => {
        impl Digits for $type {
            fn name() -> Cow<'static, str> {
                $name.into()
            }

            fn schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern, "format": FORMAT })
            }

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Either::<$type>(PhantomData))
            }
        }

        impl Visitor<'_> for Either<$type> {
            type Value = $type;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an id: a string of digits")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<$type, E> {
                value.try_into().map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<$type, E> {
                value.try_into().map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<$type, E> {
                let refused = || E::invalid_value(Unexpected::Str(value), &self);
                // `parse` takes a plus sign as well.
                if value.starts_with('+') {
                    return Err(refused());
                }
                value.parse().map_err(|_| refused())
            }
        }
    };
}

digits!(u64, "UnsignedId", "^[0-9]+$");
digits!(i64, "SignedId", "^-?[0-9]+$");

struct Either<T>(PhantomData<T>);

/// Carries `Id` into the elements of an option or a list.
struct Wrapped<T>(T);

impl<T: Digits> serde::Serialize for Wrapped<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, T: Digits> serde::Deserialize<'de> for Wrapped<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Wrapped)
    }
}

impl<T: Digits> Digits for Option<T> {
    const OPTIONAL: bool = true;

    fn name() -> Cow<'static, str> {
        format!("Nullable_{}", T::name()).into()
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Option<Id<T>>>::json_schema(generator)
    }

    fn required_schema(generator: &mut SchemaGenerator) -> Schema {
        T::schema(generator)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&Wrapped(value)),
            None => serializer.serialize_none(),
        }
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value: Option<Wrapped<T>> = serde::Deserialize::deserialize(deserializer)?;
        Ok(value.map(|value| value.0))
    }
}

impl<T: Digits> Digits for Vec<T> {
    fn name() -> Cow<'static, str> {
        format!("Array_of_{}", T::name()).into()
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Vec<Id<T>>>::json_schema(generator)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for value in self {
            list.serialize_element(&Wrapped(value))?;
        }
        list.end()
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list: Vec<Wrapped<T>> = serde::Deserialize::deserialize(deserializer)?;
        Ok(list.into_iter().map(|value| value.0).collect())
    }
}
