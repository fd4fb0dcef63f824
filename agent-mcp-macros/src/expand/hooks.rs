//! Hooks: closures pass as they are, functions are called by a closure of ours.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Ident, spanned::Spanned};

use super::assertions::local_at;
use crate::model::{Completion, Fact, Hook};

/// `available`.
pub(crate) fn available(hook: &Hook) -> TokenStream {
    let expr = &hook.expr;
    let form = match expr {
        Expr::Closure(closure) if closure.inputs.len() == 2 => "by_caller",
        Expr::Closure(_) => "by_model",
        _ => "by_function",
    };
    let judged = call(expr, form, true, quote!(#expr));
    let available = Ident::new("available", hook.key);
    quote!(.#available(#judged))
}

/// `authorize`, of a capability or of a read.
pub(crate) fn authorize(hook: &Hook) -> TokenStream {
    let caller = local_at("__call", hook.key);
    let hook_fn = function(&hook.expr, &["__c"]);
    let verdict = call(&hook.expr, "verdict", false, quote!(#caller, #hook_fn));
    quote_spanned!(hook.key=> .authorize(|#caller| #verdict))
}

/// A call of our `function`, from the first token to the last of what decides: there rustc says what is
/// wrong with the answer.
fn call(hook: &Expr, function: &str, of_agent: bool, args: TokenStream) -> TokenStream {
    let decides = match hook {
        Expr::Closure(closure) => closure.body.to_token_stream(),
        function => function.to_token_stream(),
    };
    let mut spans = decides.into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    let last = spans.last().unwrap_or(first);
    let function = Ident::new(function, last);
    let module = quote_spanned!(first=> __p::);
    let types = of_agent.then(|| quote_spanned!(last=> ::<Self, _, _>));
    let arguments = quote_spanned!(last=> (#args));
    quote!(#module #function #types #arguments)
}

/// `suggest`, of an argument of a prompt or a variable of a template.
pub(crate) fn suggest(name: &str, source: &Expr) -> TokenStream {
    let span = source.span();
    let [cx, typed, others] = ["__cx", "__typed", "__others"].map(|name| local_at(name, span));
    let form = match source {
        Expr::Closure(closure) if closure.inputs.len() == 3 => "suggestions_beside",
        _ => "suggestions",
    };
    let source_fn = function(source, &["__c", "__t"]);
    let found = call(source, form, false, quote!(#cx, #typed, #others, #source_fn));
    quote_spanned!(span=> .suggest(#name, |#cx, #typed, #others| #found))
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
