//! A deserializer that holds serde to the schema while it reads.
//!
//! Derived code is more lenient than the schema it comes with: it takes an array for a struct and
//! skips members it does not know (B26, B27, O51). Both show at the seam between serde and the JSON
//! parser, so a wrapper there refuses them in the same pass. Where serde buffers (flattened and
//! tagged types) nothing shows at the seam; `probe` finds those types out.

mod parts;

use std::cell::RefCell;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

use parts::Parts;

/// The member names a struct answers to, aliases among them.
pub(super) type Names = &'static [&'static str];

thread_local! {
    static NAMES: RefCell<Vec<Names>> = const { RefCell::new(Vec::new()) };
}

/// Reads a value; `closed` refuses undeclared members.
pub(super) fn decode<T: DeserializeOwned>(
    bytes: &[u8],
    closed: bool,
) -> Result<T, serde_json::Error> {
    read(bytes, Mode { closed, observed: false })
}

/// Whether [`decode`] reads the value; adds the member names of each struct it meets.
pub(super) fn observe<T: DeserializeOwned>(
    bytes: &[u8],
    closed: bool,
    names: &mut Vec<Names>,
) -> bool {
    let read = read::<T>(bytes, Mode { closed, observed: true }).is_ok();
    names.append(&mut NAMES.take());
    read
}

fn read<T: DeserializeOwned>(bytes: &[u8], mode: Mode) -> Result<T, serde_json::Error> {
    let mut inner = serde_json::Deserializer::from_slice(bytes);
    let value = T::deserialize(Strict { inner: &mut inner, mode })?;
    inner.end()?;
    Ok(value)
}

#[derive(Clone, Copy)]
struct Mode {
    closed: bool,
    observed: bool,
}

struct Strict<D> {
    inner: D,
    mode: Mode,
}

macro_rules! pass {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(visitor)
        }
    )*};
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(Whole(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    pass! {
        deserialize_bool deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
        deserialize_identifier
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(Inside { visitor, mode: self.mode })
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_option(Inside { visitor, mode: self.mode })
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_unit_struct(name, visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_newtype_struct(name, Inside { visitor, mode: self.mode })
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_seq(Inside { visitor, mode: self.mode })
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_tuple(len, Inside { visitor, mode: self.mode })
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_tuple_struct(name, len, Inside { visitor, mode: self.mode })
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(Inside { visitor, mode: self.mode })
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: Names,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if self.mode.observed {
            NAMES.with_borrow_mut(|names| names.push(fields));
        }
        self.inner.deserialize_struct(name, fields, Fields { visitor, mode: self.mode })
    }

    /// serde would also take `{"Unit": null}` for a unit variant, which no schema mentions.
    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(Variants { visitor, mode: self.mode })
    }

    /// Derived code calls this for exactly one thing: the value of a member it does not know.
    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        if self.mode.closed {
            return Err(Error::custom("undeclared member"));
        }
        self.inner.deserialize_ignored_any(visitor)
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        #[inline]
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.visitor.$method(value)
        }
    )*};
}

/// A visitor whose nested values are read strictly too.
struct Inside<V> {
    visitor: V,
    mode: Mode,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Inside<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visit! {
        visit_bool: bool, visit_i64: i64, visit_i128: i128, visit_u64: u64, visit_u128: u128,
        visit_f64: f64, visit_char: char, visit_str: &str, visit_borrowed_str: &'de str,
        visit_string: String, visit_bytes: &[u8], visit_borrowed_bytes: &'de [u8],
        visit_byte_buf: Vec<u8>,
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Strict { inner, mode: self.mode })
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(Strict { inner, mode: self.mode })
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(Parts { inner, mode: self.mode })
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Parts { inner, mode: self.mode })
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(inner)
    }
}

/// The visitor of a struct: an object, never an array.
struct Fields<V> {
    visitor: V,
    mode: Mode,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Fields<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Parts { inner, mode: self.mode })
    }
}

/// The visitor of an enum: a name, or an object with the name as its one member.
struct Variants<V> {
    visitor: V,
    mode: Mode,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Variants<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    #[inline]
    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        self.visitor.visit_enum(StrDeserializer::new(name))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(Parts { inner, mode: self.mode })
    }
}

/// The visitor of an integer: takes `1.0`, which JSON Schema calls an integer (O53).
struct Whole<V>(V);

/// Above this a double no longer tells neighbouring integers apart; the text decides there, later.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl<'de, V: Visitor<'de>> Visitor<'de> for Whole<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        self.0.visit_i64(value)
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        self.0.visit_u64(value)
    }

    #[inline]
    fn visit_i128<E: Error>(self, value: i128) -> Result<V::Value, E> {
        self.0.visit_i128(value)
    }

    #[inline]
    fn visit_u128<E: Error>(self, value: u128) -> Result<V::Value, E> {
        self.0.visit_u128(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        if value.fract() == 0.0 && value.abs() < EXACT {
            return self.0.visit_i64(value as i64);
        }
        self.0.visit_f64(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.0.visit_str(value)
    }
}
