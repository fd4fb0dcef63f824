//! What a method must look like to be called from outside.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, GenericParam, Receiver, ReceiverKind, ReturnType, Safety, Signature, Type};

use crate::diag::{Bag, Mistake};

/// Checks the signature of a method that is offered as `word`.
pub(crate) fn check(sig: &Signature, word: &str, bag: &mut Bag) {
    let name = &sig.ident;
    let what =
        if word == "context" { "the context".to_owned() } else { format!("{word} `{name}`") };
    for param in &sig.generics.params {
        let why = match param {
            GenericParam::Lifetime(_) => continue,
            GenericParam::Type(param) => &param.ident,
            GenericParam::Const(param) => &param.ident,
        };
        bag.add(
            Mistake::at(param, format!("{what} cannot be generic"))
                .note(format!("its JSON schema is published before any call chooses `{why}`"))
                .help("use a concrete type, or one method for each type"),
        );
    }
    if let Safety::Unsafe(token) = &sig.safety {
        bag.add(
            Mistake::at(token, format!("{what} cannot be unsafe"))
                .note("its caller is an agent, which can promise nothing")
                .help("check what the method relies on, and make it safe"),
        );
    }
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => check_receiver(receiver, &what, bag),
            FnArg::Typed(param) => check_param(&param.ty, bag),
        }
    }
    if let Some(variadic) = &sig.variadic {
        bag.add(Mistake::at(variadic, format!("{what} needs a fixed list of parameters")));
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && let Some(opaque) = opaque(ty)
    {
        bag.add(
            Mistake::at(&opaque, format!("{what} needs a type that can be named"))
                .note("what it returns decides what becomes of the result")
                .help("write the concrete type; for a future, make the method `async`"),
        );
    }
}

fn check_receiver(receiver: &Receiver, what: &str, bag: &mut Bag) {
    let mistake = match &receiver.kind {
        ReceiverKind::Reference(_, _, None) => return,
        ReceiverKind::Reference(_, _, Some(_)) => {
            Mistake::at(receiver, format!("{what} cannot take `&mut self`"))
                .note("calls run at the same time and share the agent")
                .help("take `&self`, and keep what changes behind a lock, or send a Message")
        }
        _ => Mistake::at(receiver, format!("{what} cannot take the agent itself"))
            .note("calls run at the same time and share the agent")
            .help("take `&self`"),
    };
    bag.add(mistake);
}

fn check_param(ty: &Type, bag: &mut Bag) {
    if let Some(opaque) = opaque(ty) {
        bag.add(
            Mistake::at(&opaque, "an argument needs a type that can be named")
                .note("its JSON schema is published")
                .help("write the concrete type"),
        );
    }
    if let Type::Reference(reference) = ty
        && reference.mutability.is_some()
    {
        bag.add(
            Mistake::at(reference, "the context is taken by shared reference")
                .help("write `&Context<Self>`"),
        );
    }
}

/// The `impl Trait` that a type is, or has in it.
fn opaque(ty: &Type) -> Option<TokenStream> {
    if let Type::ImplTrait(opaque) = ty {
        return Some(opaque.to_token_stream());
    }
    word(ty.to_token_stream(), "impl")
}

/// The first place of a word in tokens, at any depth.
fn word(tokens: TokenStream, sought: &str) -> Option<TokenStream> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => word(group.stream(), sought),
        TokenTree::Ident(ident) if ident == sought => Some(ident.to_token_stream()),
        _ => None,
    })
}
