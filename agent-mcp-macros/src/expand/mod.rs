//! Model to code: data and short calls, no decisions.

mod assertions;
mod calls;
pub(crate) mod data;
mod entry;
mod extras;
mod hooks;
mod input;

pub(crate) use assertions::{local, local_at};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{GenericParam, Ident, Type, parse_quote, spanned::Spanned};

use crate::model::{Agent, Main, Offer, Role};

/// What stands beside the impl block.
pub(crate) fn agent(agent: &Agent) -> TokenStream {
    let Agent { krate, cfg, .. } = agent;
    let inputs = agent.entries.iter().map(|entry| input::definition(entry, agent.calls.is_some()));
    let some = input::some(&agent.entries);
    let (caller, caller_impl) = calls::caller(agent).unzip();
    let (marker, implementation) = match &agent.role {
        Role::Main(main) => (None, main_impl(agent, main)),
        Role::Part(vis, ident) => {
            let vis = if matches!(vis, syn::Visibility::Inherited) {
                parse_quote!(pub(crate))
            } else {
                vis.clone()
            };
            let marker = quote! {
                #(#cfg)*
                #[doc(hidden)]
                #[allow(dead_code)]
                #vis enum #ident {}
            };
            (Some(marker), part_impl(agent, ident))
        }
    };
    quote! {
        #marker
        #caller
        #(#cfg)*
        #[doc(hidden)]
        #[allow(
            deprecated,
            unused_qualifications,
            clippy::needless_borrow,
            clippy::redundant_closure
        )]
        const _: () = {
            use #krate::__private as __p;
            // What the derives and the probes call by method name.
            #[allow(unused_imports)]
            use __p::probe::*;
            #some
            #(#inputs)*
            #implementation
            #caller_impl
        };
    }
}

fn main_impl(agent: &Agent, main: &Main) -> TokenStream {
    let Agent { self_ty, .. } = agent;
    let (impl_generics, where_clause) = bounds(agent);
    let model = associated("Model", main.model.as_ref(), quote!(Self));
    let message = associated("Message", main.message.as_ref(), quote!(__p::Never));
    let principal = associated("Principal", main.principal.as_ref(), quote!(()));
    let needs = match main.model {
        Some(_) => quote!(__p::HostOf<Self>),
        None => quote!(()),
    };
    let name = syn::LitStr::new(&main.name.text, main.name.span);
    let d = local("__d");
    let title = main.title.as_ref().map(|text| quote!(#d.title(#text);));
    let version = match &main.version {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option_env!("CARGO_PKG_VERSION")),
    };
    let instructions = main.instructions.as_ref().map(|text| quote!(#d.instructions(#text);));
    let website = main.website.as_ref().map(|text| quote!(#d.website(#text);));
    let icons = main.icons.iter().map(|picture| {
        let picture = extras::icon(picture);
        quote!(#d.icon(#picture);)
    });
    let dots = agent.dotted_names.then(|| quote!(#d.allow_dots();));
    let (constants, parts): (Vec<_>, Vec<_>) = parts(agent, main).into_iter().unzip();
    let parts = parts.iter().map(|part| quote!(#d.part(#part);));
    let entries = agent.entries.iter().map(entry::statements);
    quote! {
        #(#constants)*
        #[automatically_derived]
        impl #impl_generics __p::Agent for #self_ty #where_clause {
            #model
            #message
            #principal
            type Needs = #needs;

            fn declare() -> __p::Declaration<Self> {
                let mut #d = __p::Declaration::<Self>::new(#name);
                #d.version(#version);
                #title
                #website
                #(#icons)*
                #instructions
                #dots
                #(#entries)*
                #(#parts)*
                #d
            }
        }
    }
}

/// For each part, what declares it, and the constant that stands for that: only there rustc runs the check of the
/// names. A generic agent has no constants, and its names are checked when the server is built.
fn parts(agent: &Agent, main: &Main) -> Vec<(TokenStream, TokenStream)> {
    let self_ty = &agent.self_ty;
    let mut before = Vec::new();
    if !main.parts.is_empty() {
        before.push(names(agent));
    }
    let parts = main.parts.iter().enumerate().map(|(n, part)| {
        let span = part.span();
        if !agent.generics.params.is_empty() {
            return (TokenStream::new(), quote_spanned!(span=> __p::part::<Self, #part>(&[])));
        }
        let name = format_ident!("__PART_{n}", span = Span::mixed_site());
        // All of it at the part: rustc would blame the agent.
        let agent = assertions::respanned(self_ty.to_token_stream(), span);
        let declared = quote_spanned!(span=> __p::part::<#agent, #part>(&[#(#before),*]));
        before.push(quote_spanned!(span=> <#agent as __p::Part<#part>>::NAMES));
        let constant = quote!(const #name: fn(&mut __p::Declaration<#self_ty>) = #declared;);
        (constant, quote!(#name))
    });
    parts.collect()
}

/// The names of the block's capabilities.
fn names(agent: &Agent) -> TokenStream {
    let names = agent.entries.iter().filter_map(|entry| {
        let (cfg, name) = (&entry.cfg, &entry.name.text);
        matches!(entry.offer, Offer::Capability(_)).then(|| quote!(#(#cfg)* #name))
    });
    quote!(&[#(#names),*])
}

/// An associated type, at the type that the user gives: rustc blames it when it is more private than the
/// agent, or no principal.
fn associated(name: &str, given: Option<&Type>, default: TokenStream) -> TokenStream {
    let span = given.map_or_else(Span::call_site, Spanned::span);
    let name = Ident::new(name, span);
    let ty = given.map_or(default, ToTokens::to_token_stream);
    quote_spanned!(span=> type #name = #ty;)
}

fn part_impl(agent: &Agent, marker: &Ident) -> TokenStream {
    let Agent { self_ty, .. } = agent;
    let (impl_generics, where_clause) = bounds(agent);
    let d = local("__d");
    let entries = agent.entries.iter().map(entry::statements);
    let names = names(agent);
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::Part<#marker> for #self_ty #where_clause {
            const NAMES: &'static [&'static str] = #names;

            fn declare_part(#d: &mut __p::Declaration<Self>) {
                #(#entries)*
            }
        }
    }
}

/// The block's generics. A generic agent asks its user for what `Agent` needs of every agent; rustc
/// would otherwise blame the attribute.
fn bounds(agent: &Agent) -> (TokenStream, TokenStream) {
    let (impl_generics, _, where_clause) = agent.generics.split_for_impl();
    let generic = agent.generics.params.iter().any(|param| matches!(param, GenericParam::Type(_)));
    if !generic {
        return (quote!(#impl_generics), quote!(#where_clause));
    }
    let predicates = where_clause.map(|clause| {
        let predicates = clause.predicates.iter();
        quote!(#(#predicates,)*)
    });
    let is_agent = match agent.role {
        Role::Part(..) => quote!(Self: __p::Agent),
        Role::Main(_) => quote!(Self: ::core::marker::Send + ::core::marker::Sync + 'static),
    };
    (quote!(#impl_generics), quote!(where #predicates #is_agent))
}
