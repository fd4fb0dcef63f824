//! Hooks: their number of parameters, and what a completion needs.

use proc_macro2::Span;
use syn::{Expr, spanned::Spanned};

use crate::{
    diag::{Bag, Mistake},
    model::{Agent, Capability, Fact, Offer, Role},
};

/// Checks the closures of one capability. Functions are judged by rustc, which sees their signature.
pub(crate) fn check_hooks(capability: &Capability, bag: &mut Bag) {
    if let Some(completion) = &capability.completion {
        match &completion.fact {
            Fact::Message(hook) => {
                arity(hook, &[2], "completion", "|call, message|", bag);
                at_once(hook, "completion", ["it is asked again after each Message", LATER], bag);
            }
            Fact::Model(hook) => {
                arity(hook, &[2], "when", "|call, model|", bag);
                at_once(hook, "completion", ["it is asked again with each new Model", LATER], bag);
            }
            Fact::Source(source, hook) => {
                arity(source, &[1], "when", "|agent|", bag);
                arity(hook, &[2], "when", "|call, value|", bag);
                at_once(hook, "completion", ["it is asked again with each new value", LATER], bag);
            }
        }
    }
}

/// The `available` hook takes the Model, and the principal if it likes.
pub(crate) fn check_available(expr: &Expr, bag: &mut Bag) {
    arity(expr, &[1, 2], "available", "|model|` or `|model, principal|", bag);
    at_once(
        expr,
        "available",
        [
            "it is asked for each list and each call, and sees the state at hand",
            "what has to wait belongs in `authorize`",
        ],
        bag,
    );
}

/// A source of suggestions takes the context and what is typed, and what else is chosen if it likes.
pub(crate) fn check_suggest(expr: &Expr, bag: &mut Bag) {
    arity(expr, &[2, 3], "suggest", "|cx, typed|` or `|cx, typed, others|", bag);
}

/// The `authorize` hook takes the call.
pub(crate) fn check_authorize(expr: &Expr, bag: &mut Bag) {
    arity(expr, &[1], "authorize", "|call|", bag);
}

fn arity(expr: &Expr, allowed: &[usize], option: &str, forms: &str, bag: &mut Bag) {
    let Expr::Closure(closure) = expr else { return };
    if allowed.contains(&closure.inputs.len()) {
        return;
    }
    let span: Span = closure.inputs.first().map_or(closure.inputs_begin.span, Spanned::span);
    bag.add(
        Mistake::at_span(
            span,
            format!("the closure of `{option}` has the wrong number of parameters"),
        )
        .help(format!("write `{forms}`")),
    );
}

const LATER: &str = "what takes time sends a Message when it is done";

/// Refuses an `async` closure where the answer is wanted at once.
fn at_once(expr: &Expr, option: &str, [why, instead]: [&str; 2], bag: &mut Bag) {
    let Expr::Closure(closure) = expr else { return };
    if let Some(token) = &closure.asyncness {
        bag.add(
            Mistake::at(token, format!("`{option}` answers at once"))
                .note(why)
                .help(format!("remove `async`; {instead}")),
        );
    }
}

/// Drops completions that look at Messages where the agent has none (B61).
pub(crate) fn check_message(agent: &mut Agent, bag: &mut Bag) {
    let Role::Main(main) = &agent.role else { return };
    if main.message.is_some() {
        return;
    }
    agent.entries.retain(|entry| {
        let Offer::Capability(capability) = &entry.offer else { return true };
        let Some(completion) = &capability.completion else { return true };
        bag.add(
            Mistake::at_span(completion.key, "`completion` waits for what a Message brings about")
                .note("this agent has no Messages: its methods' own results are the answers")
                .help("declare them with `#[agent(model = .., message = ..)]`, or remove `completion`"),
        );
        false
    });
}
