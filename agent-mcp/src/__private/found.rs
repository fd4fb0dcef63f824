//! What a resource gives back: like any result, and `None` where there is no such thing.
//!
//! `(&&&&&&declaration.returns::<R>()).find()` stands in the place of `peel`: it takes an `Option` off, too.

use super::returned::{Fails, HasText, Peeled, Plain, Returns, Tells};
use crate::runtime::Failure;

/// `Result<Option<T>, Failure>`.
pub trait FailsOrFinds<A, R, T> {
    fn find(&self) -> Peeled<A, R, T>;
}

impl<A, T> FailsOrFinds<A, Result<Option<T>, Failure>, T>
    for &&&&&Returns<A, Result<Option<T>, Failure>>
{
    fn find(&self) -> Peeled<A, Result<Option<T>, Failure>, T> {
        Peeled::by(|result| result?.ok_or_else(Failure::not_found))
    }
}

/// `Result<Option<T>, E>`.
pub trait TellsOrFinds<A, R, T, E> {
    fn find(&self) -> Peeled<A, R, T>
    where
        E: HasText;
}

impl<A, T, E> TellsOrFinds<A, Result<Option<T>, E>, T, E> for &&&&Returns<A, Result<Option<T>, E>> {
    fn find(&self) -> Peeled<A, Result<Option<T>, E>, T>
    where
        E: HasText,
    {
        Peeled::by(|result| result.map_err(Failure::say)?.ok_or_else(Failure::not_found))
    }
}

/// `Option<T>`.
pub trait Finds<A, R, T> {
    fn find(&self) -> Peeled<A, R, T>;
}

impl<A, T> Finds<A, Option<T>, T> for &&&Returns<A, Option<T>> {
    fn find(&self) -> Peeled<A, Option<T>, T> {
        Peeled::by(|found| found.ok_or_else(Failure::not_found))
    }
}

/// `Result<T, Failure>`.
pub trait FailsOrIs<A, R, T> {
    fn find(&self) -> Peeled<A, R, T>;
}

impl<A, T> FailsOrIs<A, Result<T, Failure>, T> for &&Returns<A, Result<T, Failure>> {
    fn find(&self) -> Peeled<A, Result<T, Failure>, T> {
        Fails::peel(self)
    }
}

/// `Result<T, E>`.
pub trait TellsOrIs<A, R, T, E> {
    fn find(&self) -> Peeled<A, R, T>
    where
        E: HasText;
}

impl<A, T, E> TellsOrIs<A, Result<T, E>, T, E> for &Returns<A, Result<T, E>> {
    fn find(&self) -> Peeled<A, Result<T, E>, T>
    where
        E: HasText,
    {
        Tells::peel(self)
    }
}

/// Anything else.
pub trait Is<A, R> {
    fn find(&self) -> Peeled<A, R, R>;
}

impl<A, R> Is<A, R> for Returns<A, R> {
    fn find(&self) -> Peeled<A, R, R> {
        Plain::peel(self)
    }
}
