//! What an argument with `#[header]` may be.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    marker::PhantomData,
};

use serde_json::Value;

/// Judges `T` as an argument that is repeated in a header: `(&&Header::<T>::new()).check()`.
///
/// A type of the application's own may be a string, such as an enum of plain names: its schema decides,
/// when the server is built.
pub struct Header<T>(PhantomData<fn() -> T>);

impl<T> Header<T> {
    /// The probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// No header can hold it: rustc's error.
pub trait OutsideOfHeaders<T> {
    fn check(&self)
    where
        T: InHeader,
    {
    }
}

impl<T: Outside> OutsideOfHeaders<T> for &Header<T> {}

/// It may be one of those that a header can hold.
pub trait MaybeInHeader {
    fn check(&self) {}
}

impl<T> MaybeInHeader for Header<T> {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be repeated in a header",
    label = "neither a string nor an integer nor a boolean",
    note = "`#[header]` goes on a string, an integer or a boolean, on an `Option` of one, and on an enum of plain names"
)]
pub trait InHeader {}

/// What no header can hold.
pub trait Outside {}

impl Outside for f32 {}
impl Outside for f64 {}
impl Outside for () {}
impl Outside for Value {}
impl<T: Outside> Outside for Option<T> {}
impl<T: Outside> Outside for Box<T> {}
impl<T> Outside for Vec<T> {}
impl<T> Outside for VecDeque<T> {}
impl<T> Outside for BTreeSet<T> {}
impl<T, S> Outside for HashSet<T, S> {}
impl<K, V> Outside for BTreeMap<K, V> {}
impl<K, V, S> Outside for HashMap<K, V, S> {}
impl<T, const N: usize> Outside for [T; N] {}
impl<A, B> Outside for (A, B) {}
impl<A, B, C> Outside for (A, B, C) {}
