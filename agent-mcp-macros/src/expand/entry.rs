//! The statement that declares one capability, resource or context.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, LitStr, spanned::Spanned};

use super::{assertions, hooks, input, is_capability};
use crate::model::{Capability, Entry, Offer, Param, Run};

/// The statement.
pub(crate) fn statement(entry: &Entry) -> TokenStream {
    let Entry { cfg, description, .. } = entry;
    let name = LitStr::new(&entry.name.text, entry.name.span);
    let kind = assertions::returned(&entry.returns, entry.method.span());
    let title = entry.title.as_ref().map(|text| quote!(.title(#text)));
    let run = run(entry);
    match &entry.offer {
        Offer::Capability(capability) => {
            let method = entry.method.to_string();
            let method = method.trim_start_matches("r#");
            let checks = assertions::arguments(capability);
            let dispatches = capability.completion.as_ref().map(|completion| {
                let kind = respanned(kind.clone(), completion.key);
                quote_spanned!(completion.key=> __p::dispatches(&#kind);)
            });
            let input = input::ty(capability);
            let data = data(capability);
            let hooks = hooks::calls(capability, entry.authorize.as_ref());
            quote! {
                #(#cfg)*
                __declaration.capability({
                    #checks
                    #dispatches
                    __p::capability(#name, #method, #description, (&&__p::Input::<#input>::new()).codec(), #kind)
                        #title #data #hooks #run
                });
            }
        }
        Offer::Resource => {
            let hook = entry.authorize.as_ref().map(hooks::authorize);
            quote! {
                #(#cfg)*
                __declaration.resource(__p::resource(#name, #description, #kind) #title #hook #run);
            }
        }
        Offer::Context => {
            let hook = entry.authorize.as_ref().map(hooks::authorize);
            quote! {
                #(#cfg)*
                __declaration.context(__p::resource("context", #description, #kind) #hook #run);
            }
        }
    }
}

/// The builder's calls for plain data.
fn data(capability: &Capability) -> TokenStream {
    let hints = capability.hints.iter().map(|(method, hint)| quote!(.#method(#hint)));
    let open = capability.open.then(|| quote!(.open()));
    let coerce = capability.coerce.then(|| quote!(.coerce()));
    let timeout = capability.timeout.map(|limit| {
        let millis = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        quote!(.timeout(__p::Duration::from_millis(#millis)))
    });
    let concurrency = capability.concurrency.map(|limit| quote!(.concurrency(#limit)));
    quote!(#(#hints)* #open #coerce #timeout #concurrency)
}

/// The builder's last call: how the method is run.
fn run(entry: &Entry) -> TokenStream {
    let agent = mixed("__agent");
    let cx = mixed("__cx");
    let pattern = match &entry.offer {
        Offer::Capability(capability) => Some(input::pattern(capability)),
        _ => None,
    };
    let receiver = entry.has_self.then(|| quote!(&#agent));
    let arguments = entry.params.iter().map(|param| match param {
        Param::Context { cfg, pointee } => {
            let lend = quote_spanned!(pointee.span()=> __p::lend::<#pointee, _>);
            quote!(#(#cfg)* #lend(&#cx))
        }
        Param::Argument(number) => {
            let cfg = argument_cfg(entry, *number);
            let local = input::local(*number);
            quote!(#(#cfg)* #local)
        }
    });
    let method = &entry.method;
    let arguments = receiver.into_iter().chain(arguments);
    let call = quote!(Self::#method(#(#arguments),*));
    let kind = assertions::returned(&entry.returns, method.span());
    let (how, body) = match entry.run {
        // At the method's name: rustc blames it when the future cannot be sent between threads.
        Run::Async => (
            "run",
            quote_spanned!(method.span()=> __p::future(async move { #kind.outcome(#call.await) })),
        ),
        Run::Inline => ("run_inline", quote!(#kind.outcome(#call))),
        Run::Blocking => ("run_blocking", quote!(#kind.outcome(#call))),
    };
    let how = Ident::new(how, Span::call_site());
    if is_capability(&entry.offer) {
        quote!(.#how(|#agent, #cx, #pattern| #body))
    } else {
        quote!(.#how(|#agent, #cx| #body))
    }
}

fn argument_cfg(entry: &Entry, number: usize) -> Vec<syn::Attribute> {
    match &entry.offer {
        Offer::Capability(capability) => match &capability.input {
            crate::model::Input::Fields(_, fields) => fields[number].cfg.clone(),
            crate::model::Input::Whole(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn mixed(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The same tokens, all blamed on `span`.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let proc_macro2::TokenTree::Group(group) = &token {
                let mut inner =
                    proc_macro2::Group::new(group.delimiter(), respanned(group.stream(), span));
                inner.set_span(span);
                return proc_macro2::TokenTree::Group(inner);
            }
            token.set_span(span);
            token
        })
        .collect()
}
