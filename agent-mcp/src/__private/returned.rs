//! What becomes of a method's result, decided by its type.
//!
//! `(&&&&(&&&declaration.returns::<R>()).peel()).kind()`: `peel` takes a `Result` apart, `kind` judges
//! what is left, and says what the declaration needs to know. The running method ends in the same two
//! steps, with `outcome(value)` in place of `kind()`. Both work through aliases and generics, which a
//! macro cannot see through.

use std::{fmt::Display, marker::PhantomData, sync::Arc};

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    runtime::{
        Agent, Declaration, DescribeOutput, Failure, IntoContent, Output, ReturnKind, Returned,
    },
    schema::OutputSchema,
};

/// The return type `R` of a method of the agent `A`.
pub struct Returns<A, R>(PhantomData<fn() -> (A, R)>);

impl<A: Agent> Declaration<A> {
    /// Judges a return type.
    #[must_use]
    pub fn returns<R>(&self) -> Returns<A, R> {
        Returns(PhantomData)
    }
}

/// Judges the type of a value that a method has returned.
pub fn result<A: Agent, R>(_: &Arc<A>, _: &R) -> Returns<A, R> {
    Returns(PhantomData)
}

/// A return type without its `Result`.
pub struct Peeled<A, R, T> {
    split: fn(R) -> Result<T, Failure>,
    agent: PhantomData<fn() -> A>,
}

impl<A, R, T> Peeled<A, R, T> {
    pub(super) fn by(split: fn(R) -> Result<T, Failure>) -> Self {
        Self { split, agent: PhantomData }
    }
}

/// `Result<T, Failure>`: the failure says itself what it is.
pub trait Fails<A, R, T> {
    fn peel(&self) -> Peeled<A, R, T>;
}

impl<A, T> Fails<A, Result<T, Failure>, T> for &&Returns<A, Result<T, Failure>> {
    fn peel(&self) -> Peeled<A, Result<T, Failure>, T> {
        Peeled::by(|result| result)
    }
}

/// `Result<T, E>`: the error's text goes to the agent.
pub trait Tells<A, R, T, E> {
    fn peel(&self) -> Peeled<A, R, T>
    where
        E: HasText;
}

impl<A, T, E> Tells<A, Result<T, E>, T, E> for &Returns<A, Result<T, E>> {
    fn peel(&self) -> Peeled<A, Result<T, E>, T>
    where
        E: HasText,
    {
        Peeled::by(|result| result.map_err(Failure::say))
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

impl<A: Agent, R, T> Peeled<A, R, T> {
    fn encode(&self, result: R, encode: fn(T) -> Returned<A::Message>) -> Returned<A::Message> {
        match (self.split)(result) {
            Ok(value) => encode(value),
            Err(failure) => Returned::Failed(failure),
        }
    }
}

/// What a return type means to the declaration.
pub struct Kind<How> {
    schema: DescribeOutput,
    mime_type: Option<&'static str>,
    how: PhantomData<How>,
}

impl<How> Kind<How> {
    fn new(schema: DescribeOutput) -> Self {
        Self { schema, mime_type: None, how: PhantomData }
    }

    fn read_as(mut self, mime_type: Option<&'static str>) -> Self {
        self.mime_type = mime_type;
        self
    }
}

/// Marks a method that returns the agent's Message.
pub enum ByMessage {}

/// Marks a method that returns a value.
pub enum ByValue {}

impl From<Kind<ByMessage>> for ReturnKind {
    fn from(kind: Kind<ByMessage>) -> Self {
        Self { schema: kind.schema, mime_type: kind.mime_type, dispatches: true }
    }
}

impl From<Kind<ByValue>> for ReturnKind {
    fn from(kind: Kind<ByValue>) -> Self {
        Self { schema: kind.schema, mime_type: kind.mime_type, dispatches: false }
    }
}

/// The agent's Message, whatever else it is.
pub trait Message<A: Agent, R, T> {
    fn kind(&self) -> Kind<ByMessage>;
    fn outcome(&self, result: R) -> Returned<A::Message>;
}

impl<A: Agent<Message = T>, R, T> Message<A, R, T> for &&&Peeled<A, R, T> {
    fn kind(&self) -> Kind<ByMessage> {
        Kind::new(|| Ok(None))
    }

    fn outcome(&self, result: R) -> Returned<A::Message> {
        self.encode(result, Returned::Message)
    }
}

/// A Message in an `Option` or a list. It would be served as a value and never be sent: rustc's error.
pub trait Wrapped<A: Agent, R, T> {
    fn kind(&self) -> Kind<ByMessage>
    where
        T: OneMessage;
    fn outcome(&self, result: R) -> Returned<A::Message>;
}

impl<A: Agent<Message = M>, R, M> Wrapped<A, R, Option<M>> for &&&Peeled<A, R, Option<M>> {
    fn kind(&self) -> Kind<ByMessage>
    where
        Option<M>: OneMessage,
    {
        Kind::new(|| Ok(None))
    }

    fn outcome(&self, _: R) -> Returned<A::Message> {
        Returned::Broken("a Message in an `Option` is not sent".to_owned())
    }
}

impl<A: Agent<Message = M>, R, M> Wrapped<A, R, Vec<M>> for &&&Peeled<A, R, Vec<M>> {
    fn kind(&self) -> Kind<ByMessage>
    where
        Vec<M>: OneMessage,
    {
        Kind::new(|| Ok(None))
    }

    fn outcome(&self, _: R) -> Returned<A::Message> {
        Returned::Broken("a list of Messages is not sent".to_owned())
    }
}

/// Content as it stands: text, an image, `()`.
pub trait Content<A: Agent, R, T> {
    fn kind(&self) -> Kind<ByValue>;
    fn outcome(&self, result: R) -> Returned<A::Message>;
}

impl<A: Agent, R, T: IntoContent> Content<A, R, T> for &&Peeled<A, R, T> {
    fn kind(&self) -> Kind<ByValue> {
        Kind::new(|| Ok(None)).read_as(T::MIME_TYPE)
    }

    fn outcome(&self, result: R) -> Returned<A::Message> {
        self.encode(result, |content| Returned::Value(content.into_output()))
    }
}

/// A structured value; it must be described too.
pub trait Serialized<A: Agent, R, T> {
    fn kind(&self) -> Kind<ByValue>
    where
        T: HasSchema;
    fn outcome(&self, result: R) -> Returned<A::Message>;
}

impl<A: Agent, R, T: Serialize> Serialized<A, R, T> for &Peeled<A, R, T> {
    fn kind(&self) -> Kind<ByValue>
    where
        T: HasSchema,
    {
        Kind::new(OutputSchema::of::<T>).read_as(Some("application/json"))
    }

    fn outcome(&self, result: R) -> Returned<A::Message> {
        self.encode(result, |value| match Output::json(&value) {
            Ok(output) => Returned::Value(output),
            Err(error) => Returned::Broken(format!("the result is no JSON: {error}")),
        })
    }
}

/// Nothing that can be returned: rustc's error.
pub trait Any<A: Agent, R, T> {
    fn kind(&self) -> Kind<ByValue>
    where
        T: IsReturned;
    fn outcome(&self, result: R) -> Returned<A::Message>;
}

impl<A: Agent, R, T> Any<A, R, T> for Peeled<A, R, T> {
    fn kind(&self) -> Kind<ByValue>
    where
        T: IsReturned,
    {
        Kind::new(|| Ok(None))
    }

    fn outcome(&self, _: R) -> Returned<A::Message> {
        Returned::Broken("the result's type cannot be returned".to_owned())
    }
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` is not dispatched: a capability returns one Message",
    label = "not one Message",
    note = "return the Message, or `Result<Message, E>` where there may be none to send"
)]
pub trait OneMessage {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a capability",
    label = "no text for the caller",
    note = "implement `Display` for it (`thiserror` derives it); its text goes to the agent"
)]
pub trait HasText: Display {}

impl<E: Display> HasText for E {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON schema, so it cannot be returned by a capability",
    label = "no JSON schema",
    note = "put `#[agent_mcp::data]` on it, or add `#[derive(schemars::JsonSchema)]`"
)]
pub trait HasSchema: JsonSchema {}

impl<T: JsonSchema> HasSchema for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned by a capability",
    label = "not a result",
    note = "put `#[agent_mcp::data]` on it, or derive `serde::Serialize` and `schemars::JsonSchema`",
    note = "if it is the agent's Message, declare it: `#[agent(model = .., message = ..)]`"
)]
pub trait IsReturned {}

impl<T: Serialize> IsReturned for T {}
