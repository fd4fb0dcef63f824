//! The parts of a value, each handed to a strict deserializer.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::{Mode, Names, Strict};

/// Elements, members or the variant of a value that is being read.
pub(super) struct Parts<A> {
    pub(super) inner: A,
    pub(super) mode: Mode,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Parts<A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(Seed { seed, mode: self.mode })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Parts<A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(Seed { seed, mode: self.mode })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Parts<A> {
    type Error = A::Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, Self), A::Error> {
        match self.inner.next_key_seed(seed)? {
            Some(name) => Ok((name, self)),
            None => Err(Error::invalid_value(Unexpected::Map, &"the name of a variant")),
        }
    }
}

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Parts<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        Err(Error::invalid_type(Unexpected::Map, &"the name of a variant"))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<S::Value, A::Error> {
        self.next_value_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.next_value_seed(Content { visitor, shape: Shape::Tuple(len) })
    }

    fn struct_variant<V: Visitor<'de>>(
        mut self,
        fields: Names,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.next_value_seed(Content { visitor, shape: Shape::Struct(fields) })
    }
}

/// The content of a variant, read by the visitor of that variant.
struct Content<V> {
    visitor: V,
    shape: Shape,
}

enum Shape {
    Tuple(usize),
    Struct(Names),
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Content<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        match self.shape {
            Shape::Tuple(len) => inner.deserialize_tuple(len, self.visitor),
            Shape::Struct(fields) => inner.deserialize_struct("", fields, self.visitor),
        }
    }
}

/// A seed that reads strictly.
struct Seed<S> {
    seed: S,
    mode: Mode,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.seed.deserialize(Strict { inner, mode: self.mode })
    }
}
