//! The annotated impl block: signatures parsed, bodies kept as tokens.
//!
//! A body with a syntax error is rustc's to report; parsing it here would report it twice.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::{
    Attribute, Generics, Path, Signature, Token, Type, Visibility, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream, discouraged::Speculative},
    token::{Brace, Bracket},
};

/// An impl block.
pub(crate) struct Block {
    pub(crate) attrs: Vec<Attribute>,
    unsafety: Option<Token![unsafe]>,
    pub(crate) impl_token: Token![impl],
    pub(crate) generics: Generics,
    pub(crate) trait_: Option<(Option<Token![!]>, Path, Token![for])>,
    pub(crate) self_ty: Type,
    brace: Brace,
    inner_attrs: Vec<Attribute>,
    pub(crate) items: Vec<Item>,
    /// What is wrong with items that are still being written; they are left out.
    pub(crate) unfinished: Vec<syn::Error>,
}

/// An item of an impl block.
pub(crate) enum Item {
    Method(Box<Method>),
    /// A macro call, which may expand to anything.
    Macro(TokenStream),
    /// A constant, a type, or what we cannot read.
    Other(TokenStream),
}

/// A method with its body as it was written.
pub(crate) struct Method {
    pub(crate) attrs: Vec<Attribute>,
    vis: Visibility,
    defaultness: Option<Token![default]>,
    pub(crate) sig: Signature,
    body: TokenTree,
}

impl Method {
    /// Whether the word stands in the body.
    pub(crate) fn mentions(&self, word: &str) -> bool {
        fn mentions(token: &TokenTree, word: &str) -> bool {
            match token {
                TokenTree::Ident(ident) => ident == word,
                TokenTree::Group(group) => {
                    group.stream().into_iter().any(|token| mentions(&token, word))
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => false,
            }
        }
        mentions(&self.body, word)
    }
}

impl Parse for Block {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let unsafety = input.parse()?;
        let impl_token = input.parse()?;
        let mut generics = if input.peek(Token![<]) { input.parse()? } else { Generics::default() };
        let not: Option<Token![!]> = input.parse()?;
        let first: Type = input.parse()?;
        let (trait_, self_ty) = match input.parse::<Option<Token![for]>>()? {
            None => (None, first),
            Some(for_token) => {
                let path = syn::parse2(first.into_token_stream())?;
                (Some((not, path, for_token)), input.parse()?)
            }
        };
        generics.where_clause = input.parse()?;
        let content;
        let brace = braced!(content in input);
        let mut unfinished = Vec::new();
        let mut inner_attrs = Vec::new();
        if content.peek(Token![#]) && content.peek2(Token![!]) {
            inner_attrs =
                whole(&content, Attribute::parse_inner, &mut unfinished).unwrap_or_default();
        }
        let mut items = Vec::new();
        while !content.is_empty() {
            items.extend(whole(&content, Item::parse, &mut unfinished));
        }
        Ok(Self {
            attrs,
            unsafety,
            impl_token,
            generics,
            trait_,
            self_ty,
            brace,
            inner_attrs,
            items,
            unfinished,
        })
    }
}

/// What `parse` reads, or nothing up to the next item: an editor asks while a method is being typed, and the others
/// shall stay.
fn whole<T>(
    input: ParseStream<'_>,
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    unfinished: &mut Vec<syn::Error>,
) -> Option<T> {
    let ahead = input.fork();
    match parse(&ahead) {
        Ok(read) => {
            input.advance_to(&ahead);
            Some(read)
        }
        Err(error) => {
            unfinished.push(error);
            // Attributes in front of it are its own. Read as such, they would be complained of once more.
            while input.peek(Token![#]) && input.peek2(Bracket) {
                let _ = (input.parse::<TokenTree>(), input.parse::<TokenTree>());
            }
            let mut own = is_method(input);
            loop {
                own &= !input.peek(Token![fn]);
                if input.parse::<TokenTree>().is_err() || (!own && starts_item(input)) {
                    break;
                }
            }
            None
        }
    }
}

/// Whether an item starts here: an item that has not ended before is not finished.
fn starts_item(input: ParseStream<'_>) -> bool {
    (input.peek(Token![#]) && input.peek2(Bracket)) || is_method(input)
}

impl ToTokens for Block {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, unsafety, impl_token, generics, self_ty, inner_attrs, items, .. } = self;
        let where_clause = &generics.where_clause;
        let trait_ = self.trait_.as_ref().map(|(not, path, for_)| quote!(#not #path #for_));
        tokens.extend(
            quote!(#(#attrs)* #unsafety #impl_token #generics #trait_ #self_ty #where_clause),
        );
        self.brace.surround(tokens, |inside| {
            inside.append_all(inner_attrs);
            inside.append_all(items);
        });
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let start = input.fork();
        let attrs = input.call(Attribute::parse_outer)?;
        if is_method(input) {
            if let Ok(method) = Method::parse(attrs, input) {
                return Ok(Self::Method(Box::new(method)));
            }
            // Syntax that this version cannot read stays as it is; a helper attribute on it explains
            // itself. The fork is advanced in step, so the tokens are those of the whole item.
            let ahead = start;
            let raw = raw_item(&ahead)?;
            input.advance_to(&ahead);
            return Ok(Self::Other(raw));
        }
        let is_macro = is_macro(input);
        let mut raw = TokenStream::new();
        raw.append_all(&attrs);
        raw.extend(raw_item(input)?);
        Ok(if is_macro { Self::Macro(raw) } else { Self::Other(raw) })
    }
}

/// The tokens up to the end of an item: a `;`, or braces that no `;` follows.
fn raw_item(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut raw = TokenStream::new();
    let mut assigned = false;
    // The words up to the `fn` of a method begin no other.
    let mut own = is_method(input);
    loop {
        own &= !input.peek(Token![fn]);
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => true,
            TokenTree::Punct(punct) => {
                assigned |= punct.as_char() == '=';
                false
            }
            // `const X: T = { .. };` ends with the `;`.
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !assigned,
            _ => false,
        };
        raw.extend([token]);
        if ends {
            return Ok(raw);
        }
        if !own && starts_item(input) {
            return Err(input.error("the item before this one has no end"));
        }
    }
}

/// Whether a method starts here, behind its attributes.
fn is_method(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if ahead.parse::<Visibility>().is_err() {
        return false;
    }
    loop {
        if ahead.peek(Token![fn]) {
            return ahead.peek2(syn::Ident);
        }
        let Ok(word) = ahead.call(syn::Ident::parse_any) else { return false };
        if !["default", "const", "async", "unsafe", "safe", "extern"]
            .iter()
            .any(|known| word == known)
        {
            return false;
        }
        if word == "extern" && ahead.peek(syn::LitStr) && ahead.parse::<syn::LitStr>().is_err() {
            return false;
        }
    }
}

fn is_macro(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.call(Path::parse_mod_style).is_ok() && ahead.peek(Token![!])
}

impl Method {
    fn parse(attrs: Vec<Attribute>, input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        let method = Self {
            attrs,
            vis: ahead.parse()?,
            defaultness: ahead.parse()?,
            sig: ahead.parse()?,
            body: body(&ahead)?,
        };
        input.advance_to(&ahead);
        Ok(method)
    }
}

/// Braces with anything in them, or the `;` in their place.
fn body(input: ParseStream<'_>) -> syn::Result<TokenTree> {
    if input.peek(Brace) || input.peek(Token![;]) {
        input.parse()
    } else {
        Err(input.error("expected the body of the method"))
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Method(method) => method.to_tokens(tokens),
            Self::Macro(raw) | Self::Other(raw) => raw.to_tokens(tokens),
        }
    }
}

impl ToTokens for Method {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, defaultness, sig, body } = self;
        tokens.extend(quote!(#(#attrs)* #vis #defaultness #sig #body));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) {
        let tokens: TokenStream = text.parse().unwrap();
        let block: Block = syn::parse2(tokens.clone()).unwrap();
        // How far apart tokens are printed is not part of them.
        let dense = |tokens: TokenStream| tokens.to_string().replace(' ', "");
        assert_eq!(dense(block.to_token_stream()), dense(tokens));
    }

    #[test]
    fn every_kind_of_item_comes_out_as_it_went_in() {
        round_trip(
            "#[doc = \"x\"] unsafe impl<T: Clone, const N: usize> Foo<T, N> where T: Send {
                #![allow(unused)]
                const A: Foo = Foo { x: 1 };
                const B: u8 = { 1 };
                type C = u8;
                make!();
                some::make! { a }
                pub(crate) default const async unsafe extern \"C\" fn f(&self, #[x] r#type: u8) -> u8 { 1 }
                fn r#fn<'a>(&'a self) -> &'a str where Self: Sized { self.broken.. ++ }
            }",
        );
        round_trip("impl Trait<u8> for Foo { fn f() {} }");
    }

    #[test]
    fn a_macro_is_told_from_other_items() {
        let block: Block = syn::parse_str("impl A { m!(); const X: u8 = m!(); }").unwrap();
        assert!(matches!(block.items[..], [Item::Macro(_), Item::Other(_)]));
    }
}
