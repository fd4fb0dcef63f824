//! What a field of a type with `#[agent_mcp::data]` may be.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

/// Judges `T` as a field: `(&&&&Member::<T>::new()).check()`.
pub struct Member<T>(PhantomData<fn() -> T>);

impl<T> Member<T> {
    /// The probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// It is all that a field must be.
pub trait WholeMember {
    fn check(&self) {}
}

impl<T: Serialize + DeserializeOwned + JsonSchema> WholeMember for &&&Member<T> {}

/// It is written and read, not described: rustc's error.
pub trait UndescribedMember<T> {
    fn check(&self)
    where
        T: IsDescribed,
    {
    }
}

impl<T: Serialize + DeserializeOwned> UndescribedMember<T> for &&Member<T> {}

/// It is written, not read: rustc's error.
pub trait UnreadMember<T> {
    fn check(&self)
    where
        T: IsRead,
    {
    }
}

impl<T: Serialize> UnreadMember<T> for &Member<T> {}

/// It is not even written: rustc's error.
pub trait AnyMember<T> {
    fn check(&self)
    where
        T: IsMember,
    {
    }
}

impl<T> AnyMember<T> for Member<T> {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON schema, so it cannot be a field of a type with `#[agent_mcp::data]`",
    label = "no JSON schema",
    note = "put `#[agent_mcp::data]` on it, or add `#[derive(schemars::JsonSchema)]`"
)]
pub trait IsDescribed {}

impl<T: JsonSchema> IsDescribed for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from JSON, so it cannot be a field of a type with `#[agent_mcp::data]`",
    label = "no `Deserialize`",
    note = "put `#[agent_mcp::data]` on it, or add `#[derive(serde::Deserialize)]`"
)]
pub trait IsRead {}

impl<T: DeserializeOwned> IsRead for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a type with `#[agent_mcp::data]`",
    label = "no `Serialize`",
    note = "put `#[agent_mcp::data]` on it too, or derive `serde::Serialize`, `serde::Deserialize` and `schemars::JsonSchema`",
    note = "a field that is neither written nor read has `#[serde(skip)]` above it"
)]
pub trait IsMember {}

impl<T: Serialize> IsMember for T {}
