//! What a parameter taken by value may be.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::runtime::{Agent, Context};

/// Judges `T` as an argument: `(&&&Argument::<T>::new()).check()`.
pub struct Argument<T>(PhantomData<fn() -> T>);

impl<T> Argument<T> {
    /// The probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// It is the context, which is no argument: rustc's error.
pub trait ContextArgument<T> {
    fn check(&self)
    where
        T: ByValue,
    {
    }
}

impl<A: Agent> ContextArgument<Context<A>> for &&Argument<Context<A>> {}

/// It can be read; it must be described too.
pub trait ReadArgument<T> {
    fn check(&self)
    where
        T: Described,
    {
    }
}

impl<T: DeserializeOwned> ReadArgument<T> for &&Argument<T> {}

/// It cannot be read, only described: rustc's error.
pub trait DescribedArgument<T> {
    fn check(&self)
    where
        T: Readable,
    {
    }
}

impl<T: JsonSchema> DescribedArgument<T> for &Argument<T> {}

/// It is nothing of the kind: rustc's error.
pub trait AnyArgument<T> {
    fn check(&self)
    where
        T: IsArgument,
    {
    }
}

impl<T> AnyArgument<T> for Argument<T> {}

#[diagnostic::on_unimplemented(
    message = "the context of a call is taken by reference",
    label = "taken by value",
    note = "what is taken by value is an argument: write `&Context<Self>`"
)]
pub trait ByValue {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON schema, so it cannot be an argument of a capability",
    label = "no JSON schema",
    note = "put `#[agent_mcp::data]` on it, or add `#[derive(schemars::JsonSchema)]`"
)]
pub trait Described {}

impl<T: JsonSchema> Described for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from JSON, so it cannot be an argument of a capability",
    label = "no `Deserialize`",
    note = "put `#[agent_mcp::data]` on it, or add `#[derive(serde::Deserialize)]`"
)]
pub trait Readable {}

impl<T: DeserializeOwned> Readable for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a capability",
    label = "not an argument",
    note = "arguments come from the caller: put `#[agent_mcp::data]` on the type, or derive `serde::Deserialize` and `schemars::JsonSchema`",
    note = "what the application shares belongs to the agent: take `&self`"
)]
pub trait IsArgument {}

impl<T: DeserializeOwned> IsArgument for T {}

/// Requires the default that a bare `#[serde(default)]` promises, at the user's type.
pub fn has_default<T: Defaults>() {}

/// The default of a bare `#[serde(default)]`.
pub fn default<T: Defaults>() -> T {
    T::default()
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default, which `#[serde(default)]` needs",
    note = "implement `Default`, or write `#[serde(default = \"path\")]`"
)]
pub trait Defaults: Default {}

impl<T: Default> Defaults for T {}
