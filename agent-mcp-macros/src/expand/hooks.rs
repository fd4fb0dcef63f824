//! Hooks: closures pass as they are, functions are called by a closure of ours.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Ident, spanned::Spanned};

use super::assertions::local_at;
use crate::model::{Completion, Fact, Hook};

/// `available`.
pub(crate) fn available(hook: &Hook) -> TokenStream {
    let expr = &hook.expr;
    let method = match expr {
        Expr::Closure(closure) if closure.inputs.len() == 2 => "available_to",
        Expr::Closure(_) => "available",
        _ => "available_when",
    };
    let method = Ident::new(method, hook.key);
    quote!(.#method(#expr))
}

/// `authorize`, of a capability or of a read.
pub(crate) fn authorize(hook: &Hook) -> TokenStream {
    let call = local_at("__call", hook.key);
    let hook_fn = function(&hook.expr, &["__c"]);
    quote_spanned!(hook.key=> .authorize(|#call| __p::verdict(#call, #hook_fn)))
}

/// `completion`.
pub(crate) fn completion(completion: &Completion) -> TokenStream {
    let word = |word: &str| Ident::new(word, completion.key);
    match &completion.fact {
        Fact::Message(hook) => {
            let (method, hook) = (word("completion"), function(hook, &["__c", "__m"]));
            quote!(.#method(#hook))
        }
        Fact::Model(hook) => {
            let (method, hook) = (word("completion_when"), function(hook, &["__c", "__m"]));
            quote!(.#method(#hook))
        }
        Fact::Source(source, hook) => {
            let (method, hook) = (word("completion_of"), function(hook, &["__c", "__v"]));
            quote!(.#method(#source, #hook))
        }
    }
}

/// A closure as it is; a function wrapped, so that `&Call<..>` becomes the `&Caller<..>` it may take.
fn function(expr: &Expr, params: &[&str]) -> TokenStream {
    if matches!(expr, Expr::Closure(_)) {
        return quote!(#expr);
    }
    let params: Vec<Ident> = params.iter().map(|param| local_at(param, expr.span())).collect();
    quote_spanned!(expr.span()=> |#(#params),*| (#expr)(#(#params),*))
}
