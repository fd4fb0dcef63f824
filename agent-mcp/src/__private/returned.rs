//! What becomes of a method's result, decided by its type.
//!
//! `(&&&&&(&&&&Returns::<A, R>::new()).peel()).kind()`: `peel` takes a `Result` apart, `kind` judges what
//! is left. Both steps work through aliases and generics, which a macro cannot see through.

use std::{fmt::Display, marker::PhantomData};

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    runtime::{Agent, Failure, IntoContent, Output, ReturnKind, Returned},
    schema::OutputSchema,
};

/// Judges the return type `R` of a method of the agent `A`.
pub struct Returns<A, R>(PhantomData<fn() -> (A, R)>);

impl<A: Agent, R> Returns<A, R> {
    /// The probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

type Split<R, T> = fn(R) -> Result<T, Failure>;

/// A return type without its `Result`.
pub struct Peeled<A, R, T> {
    split: Split<R, T>,
    agent: PhantomData<fn() -> A>,
}

impl<A, R, T> Peeled<A, R, T> {
    fn by(split: Split<R, T>) -> Self {
        Self { split, agent: PhantomData }
    }
}

/// `Result<T, Failure>`: the failure says itself what it is.
pub trait Fails<A, R, T> {
    fn peel(&self) -> Peeled<A, R, T>;
}

impl<A, T> Fails<A, Result<T, Failure>, T> for &&&Returns<A, Result<T, Failure>> {
    fn peel(&self) -> Peeled<A, Result<T, Failure>, T> {
        Peeled::by(|result| result)
    }
}

/// `Result<T, E>`: the error's text goes to the agent.
pub trait Explains<A, R, T> {
    fn peel(&self) -> Peeled<A, R, T>;
}

impl<A, T, E: Display> Explains<A, Result<T, E>, T> for &&Returns<A, Result<T, E>> {
    fn peel(&self) -> Peeled<A, Result<T, E>, T> {
        Peeled::by(|result| result.map_err(Failure::say))
    }
}

/// `Result<T, E>` with an error that has no text: rustc's error.
pub trait Mute<A, R, T, E> {
    fn peel(&self) -> Peeled<A, R, T>
    where
        E: HasText;
}

impl<A, T, E> Mute<A, Result<T, E>, T, E> for &Returns<A, Result<T, E>> {
    fn peel(&self) -> Peeled<A, Result<T, E>, T>
    where
        E: HasText,
    {
        Peeled::by(|result| result.map_err(|error| Failure::say(error.text())))
    }
}

/// No `Result`.
pub trait Plain<A, R> {
    fn peel(&self) -> Peeled<A, R, R>;
}

impl<A, R> Plain<A, R> for Returns<A, R> {
    fn peel(&self) -> Peeled<A, R, R> {
        Peeled::by(Ok)
    }
}

/// What a return type means.
pub struct Kind<A: Agent, R, T, How> {
    split: Split<R, T>,
    encode: fn(T) -> Returned<A::Message>,
    schema: fn() -> Result<Option<OutputSchema>, crate::schema::SchemaError>,
    dispatches: bool,
    how: PhantomData<How>,
}

/// Marks a method that returns the agent's Message.
pub enum ByMessage {}

/// Marks a method that returns a value.
pub enum ByValue {}

impl<A: Agent, R, T> Peeled<A, R, T> {
    fn message(&self) -> Kind<A, R, T, ByMessage>
    where
        A: Agent<Message = T>,
    {
        Kind {
            split: self.split,
            encode: Returned::Message,
            schema: || Ok(None),
            dispatches: true,
            how: PhantomData,
        }
    }

    fn content(&self) -> Kind<A, R, T, ByValue>
    where
        T: IntoContent,
    {
        self.value(|value| Returned::Value(value.into_output()), || Ok(None))
    }

    fn structured(&self) -> Kind<A, R, T, ByValue>
    where
        T: Serialize + JsonSchema,
    {
        let encode = |value: T| match Output::json(&value) {
            Ok(output) => Returned::Value(output),
            Err(error) => Returned::Broken(format!("the result is no JSON: {error}")),
        };
        self.value(encode, OutputSchema::of::<T>)
    }

    fn value(
        &self,
        encode: fn(T) -> Returned<A::Message>,
        schema: fn() -> Result<Option<OutputSchema>, crate::schema::SchemaError>,
    ) -> Kind<A, R, T, ByValue> {
        Kind { split: self.split, encode, schema, dispatches: false, how: PhantomData }
    }
}

impl<A: Agent, R, T, How> Kind<A, R, T, How> {
    /// What the declaration says of it.
    #[must_use]
    pub fn describe(&self) -> ReturnKind {
        ReturnKind { schema: self.schema, dispatches: self.dispatches }
    }

    /// Encodes a result, which may borrow from the method's arguments.
    pub fn outcome(&self, result: R) -> Returned<A::Message> {
        match (self.split)(result) {
            Ok(value) => (self.encode)(value),
            Err(failure) => Returned::Failed(failure),
        }
    }
}

/// The agent's Message, whatever else it is.
pub trait Dispatches<A: Agent, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByMessage>;
}

impl<A: Agent<Message = T>, R, T> Dispatches<A, R, T> for &&&&Peeled<A, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByMessage> {
        self.message()
    }
}

/// Content as it stands: text, an image, `()`.
pub trait Carries<A: Agent, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue>;
}

impl<A: Agent, R, T: IntoContent> Carries<A, R, T> for &&&Peeled<A, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue> {
        self.content()
    }
}

/// A structured value.
pub trait Structures<A: Agent, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue>;
}

impl<A: Agent, R, T: Serialize + JsonSchema> Structures<A, R, T> for &&Peeled<A, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue> {
        self.structured()
    }
}

/// A value without a schema: rustc's error.
pub trait Shapeless<A: Agent, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue>
    where
        T: HasSchema;
}

impl<A: Agent, R, T: Serialize> Shapeless<A, R, T> for &Peeled<A, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue>
    where
        T: HasSchema,
    {
        self.refused()
    }
}

/// Nothing that can be returned: rustc's error.
pub trait Unfit<A: Agent, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue>
    where
        T: IsReturned;
}

impl<A: Agent, R, T> Unfit<A, R, T> for Peeled<A, R, T> {
    fn kind(&self) -> Kind<A, R, T, ByValue>
    where
        T: IsReturned,
    {
        self.refused()
    }
}

impl<A: Agent, R, T> Peeled<A, R, T> {
    /// Of the kind that the others have, so that rustc says nothing more.
    fn refused(&self) -> Kind<A, R, T, ByValue> {
        self.value(
            |_| Returned::Broken("the method's result cannot be returned".to_owned()),
            || Ok(None),
        )
    }
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a capability",
    label = "no text for the caller",
    note = "implement `Display` for it (`thiserror` derives it); its text goes to the agent"
)]
pub trait HasText {
    fn text(&self) -> String;
}

impl<E: Display> HasText for E {
    fn text(&self) -> String {
        self.to_string()
    }
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON schema, so it cannot be returned by a capability",
    label = "no JSON schema",
    note = "put `#[agent_mcp::data]` on it, or add `#[derive(schemars::JsonSchema)]`"
)]
pub trait HasSchema {}

impl<T: JsonSchema> HasSchema for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned by a capability",
    label = "not a result",
    note = "return text, a type with `#[agent_mcp::data]`, or the Message of `#[agent(message = ..)]`"
)]
pub trait IsReturned {}

impl<T: Serialize> IsReturned for T {}
