//! The statements that declare one capability, resource or context.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Ident, LitStr, ext::IdentExt, spanned::Spanned};

use super::{assertions, assertions::local, extras, hooks, input};
use crate::{
    model::{Cache, Capability, Entry, Input, Offer, Param, Resource, Run},
    parse::words::USER,
};

/// The statements. A `#[cfg]` of the method stands on each of them.
pub(crate) fn statements(entry: &Entry) -> TokenStream {
    let Entry { cfg, description, .. } = entry;
    let declaration = local("__d");
    let name = LitStr::new(&entry.name.text, entry.name.span);
    let kind = assertions::returned(entry);
    let title = entry.title.as_ref().map(|text| quote!(.title(#text)));
    let available = entry.available.as_ref().map(hooks::available);
    let authorize = entry.authorize.as_ref().map(hooks::authorize);
    let scopes = (!entry.scopes.is_empty()).then(|| {
        let scopes = &entry.scopes;
        quote!(.scopes(&[#(#scopes),*]))
    });
    let extras = extras::call(&entry.extras);
    let run = run(entry);
    match &entry.offer {
        Offer::Capability(capability) => {
            let checks = checks(entry);
            let input = input::ty(entry);
            let codec = match &entry.input {
                Input::Whole(ty) if entry.is_read_by_written() => {
                    quote_spanned!(ty.span()=> __p::read::<#input>())
                }
                _ => quote!((&&__p::Input::<#input>::new()).codec()),
            };
            let method = entry.method.unraw().to_string();
            let method = (entry.name.text != method).then(|| quote!(.method(#method)));
            let data = data(capability);
            let completion = capability.completion.as_ref().map(hooks::completion);
            quote! {
                #checks
                #(#cfg)*
                #declaration.capability(#name, #description, #codec, #kind)
                    #method #title #data #extras #available #authorize #scopes #completion #run;
            }
        }
        Offer::Resource(resource) => {
            let uri = resource.uri.as_ref().map(|text| quote!(.uri(#text)));
            let mime_type = resource.mime_type.as_ref().map(|text| quote!(.mime_type(#text)));
            let cache = resource.cache.as_ref().map(cache);
            let hints = hints(resource);
            let rest = quote!(#title #uri #mime_type #cache #hints #extras #available #authorize #scopes #run);
            if !resource.is_template {
                return quote!(#(#cfg)* #declaration.resource(#name, #description, #kind) #rest;);
            }
            let checks = checks(entry);
            let input = input::ty(entry);
            let codec = quote!((&&__p::Input::<#input>::new()).codec());
            let suggest = suggest(entry);
            quote! {
                #checks
                #(#cfg)*
                #declaration.template(#name, #description, #codec, #kind) #suggest #rest;
            }
        }
        Offer::Prompt => {
            let checks = checks(entry);
            let input = input::ty(entry);
            let codec = quote!((&&__p::Input::<#input>::new()).codec());
            let order = order(entry);
            let suggest = suggest(entry);
            quote! {
                #checks
                #(#cfg)*
                #declaration.prompt(#name, #description, #codec, #kind)
                    #title #order #extras #available #authorize #scopes #suggest #run;
            }
        }
        Offer::Context => quote! {
            #(#cfg)*
            #declaration.context(#description, #kind) #authorize #scopes #run;
        },
    }
}

/// The builder's calls for what is said of a resource beside what it is.
fn hints(resource: &Resource) -> TokenStream {
    let size = resource.size.map(|size| {
        let size = Literal::u64_unsuffixed(size);
        quote!(.size(#size))
    });
    let audience = resource.audience.iter().map(|word| {
        let one = Ident::new(if word == USER { "User" } else { "Assistant" }, word.span());
        quote!(.audience(__p::Audience::#one))
    });
    let priority = resource.priority.map(|priority| {
        let priority = Literal::f64_unsuffixed(priority);
        quote!(.priority(#priority))
    });
    quote!(#size #(#audience)* #priority)
}

/// The names of the arguments in the order in which they are declared.
fn order(entry: &Entry) -> Option<TokenStream> {
    let Input::Fields(_, fields) = &entry.input else { return None };
    let names = fields.iter().map(|field| &field.name);
    (!fields.is_empty()).then(|| quote!(.arguments(&[#(#names),*])))
}

/// The sources of suggestions.
fn suggest(entry: &Entry) -> TokenStream {
    let Input::Fields(_, fields) = &entry.input else { return TokenStream::new() };
    let sources = fields.iter().filter_map(|field| {
        let source = field.suggest.as_ref()?;
        Some(hooks::suggest(&field.name, source))
    });
    sources.collect()
}

/// The checks of an entry's types.
fn checks(entry: &Entry) -> TokenStream {
    let cfg = &entry.cfg;
    let completion = match &entry.offer {
        Offer::Capability(capability) => capability.completion.as_ref(),
        _ => None,
    };
    let dispatches = completion.map(|completion| assertions::dispatches(entry, completion.key));
    let checks = assertions::arguments(entry).into_iter().chain(dispatches);
    checks.map(|check| quote!(#(#cfg)* #check)).collect()
}

/// The builder's calls for plain data.
fn data(capability: &Capability) -> TokenStream {
    let hints = capability.hints.iter().map(|(method, hint)| quote!(.#method(#hint)));
    let open = capability.open.then(|| quote!(.open()));
    let coerce = capability.coerce.then(|| quote!(.coerce()));
    let timeout = capability.timeout.map(|limit| {
        let limit = duration(limit);
        quote!(.timeout(#limit))
    });
    let ui = capability.ui.as_ref().map(|uri| quote!(.ui(#uri)));
    let app_only = capability.app_only.then(|| quote!(.app_only()));
    let heartbeat = capability.heartbeat.map(|every| {
        let every = duration(every);
        quote!(.heartbeat(#every))
    });
    let concurrency = capability.concurrency.map(|limit| {
        let limit = Literal::usize_unsuffixed(limit);
        quote!(.concurrency(#limit))
    });
    let written = capability.written.iter().map(|(method, schema)| {
        let schema = quote_spanned!(schema.span()=> __p::written(#schema));
        quote!(.#method(#schema))
    });
    let task = capability.task.as_ref().map(|task| {
        let mode = &task.mode;
        let begins = task.begins.then(|| quote!(.begins_task()));
        quote!(.task(__p::TaskMode::#mode) #begins)
    });
    quote!(#(#written)* #(#hints)* #open #coerce #timeout #heartbeat #concurrency #ui #app_only #task)
}

fn cache(cache: &Cache) -> TokenStream {
    let (ttl, public) = (duration(cache.ttl), cache.public.is_some());
    quote!(.cache(#ttl, #public))
}

fn duration(duration: std::time::Duration) -> TokenStream {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let millis = Literal::u64_unsuffixed(millis);
    quote!(__p::Duration::from_millis(#millis))
}

/// The builder's last call: how the method is run.
fn run(entry: &Entry) -> TokenStream {
    let (agent, cx, result) = (local("__agent"), local("__cx"), local("__out"));
    let input = match &entry.offer {
        Offer::Capability(_) | Offer::Prompt => local("__in").into_token_stream(),
        Offer::Resource(resource) if resource.is_template => local("__in").into_token_stream(),
        _ => quote!(()),
    };
    let receiver = entry.has_self.then(|| quote!(&#agent));
    let arguments = entry.params.iter().map(|param| match param {
        Param::Context { cfg, pointee } => {
            let lend = quote_spanned!(pointee.span()=> __p::lend::<#pointee, _>);
            quote!(#(#cfg)* #lend(&#cx))
        }
        Param::Argument(number) => argument(entry, *number),
    });
    let method = &entry.method;
    let arguments = receiver.into_iter().chain(arguments);
    let call = quote!(Self::#method(#(#arguments),*));
    let outcome = assertions::outcome(entry);
    let (how, body) = match entry.run {
        // At the method's name: rustc blames it when the future cannot be sent between threads.
        Run::Async => {
            let body = quote!({ let #result = #call.await; #outcome });
            ("run", quote_spanned!(method.span()=> __p::future(async move #body)))
        }
        Run::Inline => ("run_inline", quote!({ let #result = #call; #outcome })),
        Run::Blocking => ("run_blocking", quote!({ let #result = #call; #outcome })),
    };
    let how = Ident::new(how, Span::call_site());
    quote!(.#how(|#agent, #cx, #input| #body))
}

/// An argument of the method's call: a field of the input, or all of it.
fn argument(entry: &Entry, number: usize) -> TokenStream {
    let input = local("__in");
    match &entry.input {
        Input::Whole(_) => quote!(#input),
        Input::Fields(_, fields) => {
            let (cfg, ident): (&[Attribute], _) = (&fields[number].cfg, &fields[number].ident);
            quote!(#(#cfg)* #input.#ident)
        }
    }
}
