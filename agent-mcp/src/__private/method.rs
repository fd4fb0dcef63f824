//! Calling a method: its context and its future; and where a part declares its own.

use crate::runtime::{Agent, BoxFuture, Context, Declaration, Part};

/// What can be taken by reference: the context of the call.
#[diagnostic::on_unimplemented(
    message = "`&{T}` is not the context of this agent",
    label = "neither an argument nor the context",
    note = "an argument is taken by value: a `String` for `&str`, a `Vec<T>` for `&[T]`",
    note = "what is taken by reference is the context of the call: `&Context<Self>`"
)]
pub trait Lends<T: ?Sized> {
    /// The reference.
    fn lend(&self) -> &T;
}

impl<A: Agent> Lends<Context<A>> for Context<A> {
    fn lend(&self) -> &Self {
        self
    }
}

/// Passes the context to a parameter of type `&T`.
pub fn lend<T: ?Sized, C: Lends<T>>(context: &C) -> &T {
    context.lend()
}

/// The one box of a call. Named apart so that rustc blames the method when its future may not be sent
/// between threads.
pub fn future<T>(method: impl Future<Output = T> + Send + 'static) -> BoxFuture<'static, T> {
    Box::pin(method)
}

/// What declares the part `P`, blamed on the part: when it is none, and when it has a capability that one of the
/// `others`, the blocks before it, has too.
#[must_use]
pub const fn part<A: Part<P>, P>(others: &[&[&str]]) -> fn(&mut Declaration<A>) {
    let mut n = 0;
    while n < others.len() {
        apart(others[n], A::NAMES);
        n += 1;
    }
    A::declare_part
}

const fn apart(some: &[&str], others: &[&str]) {
    let mut n = 0;
    while n < some.len() {
        let mut other = 0;
        while other < others.len() {
            if is_same(some[n].as_bytes(), others[other].as_bytes()) {
                refuse(some[n]);
            }
            other += 1;
        }
        n += 1;
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() && a[n] == b[n] {
        n += 1;
    }
    n == a.len() && n == b.len()
}

/// Ends with the name in the message, which no macro can write in a constant.
const fn refuse(name: &str) -> ! {
    let words = [
        "two capabilities of this agent are called `",
        name,
        "`: rename one of them with `#[capability(name = \"..\")]`",
    ];
    let (mut text, mut length, mut word) = ([0; 256], 0, 0);
    while word < words.len() {
        let bytes = words[word].as_bytes();
        let mut n = 0;
        while n < bytes.len() && length < text.len() {
            text[length] = bytes[n];
            length += 1;
            n += 1;
        }
        word += 1;
    }
    match str::from_utf8(text.split_at(length).0) {
        Ok(text) => panic!("{}", text),
        Err(_) => panic!("two capabilities of this agent have one name"),
    }
}
