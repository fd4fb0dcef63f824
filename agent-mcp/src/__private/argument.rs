//! What a parameter may be: an argument by value, the context by reference.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::runtime::{Agent, Context};

/// Judges `T` as an argument: `(&&&&Argument::<T>::new()).check()`.
pub struct Argument<T>(PhantomData<fn() -> T>);

impl<T> Argument<T> {
    /// The probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// The first choice: all is well.
pub trait Fits {
    fn check(&self) {}
}

impl<T: DeserializeOwned + JsonSchema> Fits for &&&Argument<T> {}

/// It can be read and not described.
pub trait WithoutSchema<T> {
    fn check(&self)
    where
        T: Described,
    {
    }
}

impl<T: DeserializeOwned> WithoutSchema<T> for &&Argument<T> {}

/// It can be described and not read.
pub trait WithoutDecode<T> {
    fn check(&self)
    where
        T: Readable,
    {
    }
}

impl<T: JsonSchema> WithoutDecode<T> for &Argument<T> {}

/// It is nothing of the kind.
pub trait AnyArgument<T> {
    fn check(&self)
    where
        T: IsArgument,
    {
    }
}

impl<T> AnyArgument<T> for Argument<T> {}

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

#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default, which `#[serde(default)]` needs",
    note = "implement `Default`, or write `#[serde(default = \"path\")]`"
)]
pub trait Defaults {}

impl<T: Default> Defaults for T {}

/// What can be taken by reference: the context of the call.
#[diagnostic::on_unimplemented(
    message = "`&{T}` is not the context of this agent",
    label = "neither an argument nor the context",
    note = "only `&Context<Self>` is taken by reference; take an argument by value"
)]
pub trait Lends<T> {
    /// The reference.
    fn lend(&self) -> &T;
}

impl<A: Agent> Lends<Context<A>> for Context<A> {
    fn lend(&self) -> &Self {
        self
    }
}

/// Passes the context to a parameter of type `&T`.
pub fn lend<T, C: Lends<T>>(context: &C) -> &T {
    context.lend()
}
