//! Checks of the user's types, each at the type: rustc blames the smallest thing to edit.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericArgument, Ident, PathArguments, Type, spanned::Spanned};

use crate::model::{Entry, Field, Input, Offer};

/// The statements that judge the arguments.
pub(crate) fn arguments(entry: &Entry) -> Vec<TokenStream> {
    match &entry.input {
        // What it is read by judges it.
        Input::Whole(_) if entry.is_read_by_written() => Vec::new(),
        Input::Whole(ty) => argument(ty),
        Input::Fields(_, fields) => fields.iter().flat_map(field).collect(),
    }
}

fn field(field: &Field) -> Vec<TokenStream> {
    let Field { cfg, ty, .. } = field;
    let plain = if field.plain { argument(ty) } else { Vec::new() };
    let default = field.default.then(|| quote_spanned!(ty.span()=> __p::has_default::<#ty>();));
    // What is read by serde's `with` may be something else than its type.
    let header = (field.header.is_some() && field.plain).then(|| header(ty));
    plain.into_iter().chain(default).chain(header).map(|check| quote!(#(#cfg)* #check)).collect()
}

/// The statement that judges what a header repeats.
pub(crate) fn header(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> (&&__p::Header::<#ty>::new()).check();)
}

/// What is in a list is judged first, and then the list, blamed on the same type: rustc says one thing at one place
/// once, and the first is in our words.
fn argument(ty: &Type) -> Vec<TokenStream> {
    let parts = parts(ty);
    let at = parts.last().map_or_else(|| ty.span(), Spanned::span);
    let judged = parts.iter().map(|part| (*part, part.span())).chain([(ty, at)]);
    judged.map(|(ty, span)| argument_at(ty, span)).collect()
}

/// The statements that judge a field of a type with `#[agent_mcp::data]`.
pub(crate) fn member(ty: &Type) -> Vec<TokenStream> {
    let parts = parts(ty);
    let at = parts.last().map_or_else(|| ty.span(), Spanned::span);
    let judged = parts.iter().map(|part| (*part, part.span())).chain([(ty, at)]);
    let judged = judged.filter(|(ty, _)| !is_plain(ty));
    judged
        .map(|(ty, span)| quote_spanned!(span=> (&&&&__p::Member::<#ty>::new()).check();))
        .collect()
}

fn argument_at(ty: &Type, span: Span) -> TokenStream {
    quote_spanned!(span=> (&&&__p::Argument::<#ty>::new()).check();)
}

/// The expression that judges a return type in the declaration. As for an argument, what is in a list is judged
/// first.
pub(crate) fn returned(entry: &Entry) -> TokenStream {
    let (returns, span) = (&entry.returns, entry.returns_at());
    let parts = parts(in_result(returns));
    let is_read = is_read(entry);
    let Some(last) = parts.last() else { return kind_at(returns, span, span, is_read) };
    let at = last.span();
    let whole = kind_at(returns, span, at, is_read);
    let parts = parts.iter().map(|part| {
        let kind = kind(part, part.span());
        quote_spanned!(part.span()=> let _ = #kind;)
    });
    quote_spanned!(at=> { #(#parts)* #whole })
}

/// Requires that a method with a completion dispatches; blamed on the option.
pub(crate) fn dispatches(entry: &Entry, key: Span) -> TokenStream {
    let ty = respanned(entry.returns.to_token_stream(), key);
    let declaration = local_at("__d", key);
    let kind = quote_spanned!(key=> (&&&&(&&&#declaration.returns::<#ty>()).peel()).kind());
    quote_spanned!(key=> __p::dispatches(#kind);)
}

fn kind(ty: &Type, span: Span) -> TokenStream {
    kind_at(ty, span, span, false)
}

/// The same, where what is in the `Result` is blamed on `value`.
fn kind_at(ty: &Type, span: Span, value: Span, is_read: bool) -> TokenStream {
    let declaration = local_at("__d", span);
    let returns = quote_spanned!(span=> #declaration.returns::<#ty>());
    let peeled = peeled(&returns, error_at(ty, span), is_read);
    quote_spanned!(value=> #peeled.kind())
}

/// The expression that takes a `Result` off, and of what is read an `Option`.
fn peeled(returns: &TokenStream, span: Span, is_read: bool) -> TokenStream {
    if is_read {
        quote_spanned!(span=> (&&&&(&&&&&&#returns).find()))
    } else {
        quote_spanned!(span=> (&&&&(&&&#returns).peel()))
    }
}

fn is_read(entry: &Entry) -> bool {
    matches!(entry.offer, Offer::Resource(_) | Offer::Context)
}

/// The user's types that a list, an `Option` or the like is made of, as far as one can see; none for any other type.
///
/// A name may mislead, which costs a good error at most: the whole type is judged as well.
fn parts(ty: &Type) -> Vec<&Type> {
    let inner = match ty {
        Type::Array(array) => vec![&*array.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        _ => match last_segment(ty) {
            Some((name, types)) if HOLDERS.contains(&&*name) => types,
            _ => Vec::new(),
        },
    };
    let mut parts = Vec::new();
    for ty in inner {
        match self::parts(ty) {
            of_it if !of_it.is_empty() => parts.extend(of_it),
            _ if !is_plain(ty) => parts.push(ty),
            _ => {}
        }
    }
    parts
}

/// Whether a type is most likely one that is always right: no reason for more code.
fn is_plain(ty: &Type) -> bool {
    const PLAIN: [&str; 14] = [
        "String", "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32",
        "u64", "usize",
    ];
    let Type::Path(path) = ty else { return false };
    path.path.get_ident().is_some_and(|name| PLAIN.iter().any(|plain| name == plain))
}

// Without `Box` and the like: what is in those may have no size, and cannot be asked.
const HOLDERS: [&str; 7] =
    ["Vec", "Option", "VecDeque", "HashSet", "BTreeSet", "HashMap", "BTreeMap"];

/// What a `Result` holds; any other type itself.
fn in_result(ty: &Type) -> &Type {
    match last_segment(ty) {
        Some((name, types)) if name == "Result" => types.first().copied().unwrap_or(ty),
        _ => ty,
    }
}

/// Where an error belongs that cannot be told: at the `E` of a `Result<T, E>` that one can see.
fn error_at(ty: &Type, otherwise: Span) -> Span {
    match last_segment(ty) {
        Some((name, types)) if name == "Result" => types.get(1).map_or(otherwise, Spanned::span),
        _ => otherwise,
    }
}

/// The last name of a path, and the types that it is given.
fn last_segment(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(given) = &last.arguments else { return None };
    let types = given.args.iter().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some((last.ident.to_string(), types.collect()))
}

/// The same tokens, blamed on `span`.
pub(crate) fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                let inner = respanned(group.stream(), span);
                token = TokenTree::Group(Group::new(group.delimiter(), inner));
            }
            // Names keep meaning what they mean to the user.
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}

/// The expression that judges a result in the running method.
pub(crate) fn outcome(entry: &Entry) -> TokenStream {
    let (agent, result, span) = (local("__agent"), local("__out"), entry.returns_at());
    let returns = quote_spanned!(span=> __p::result(&#agent, &#result));
    let peeled = peeled(&returns, error_at(&entry.returns, span), is_read(entry));
    quote_spanned!(span=> #peeled.outcome(#result))
}

/// A local that no name of the user's can be meant by.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The same, blamed on `span`.
pub(crate) fn local_at(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}
