//! Expansions as people read them: `tests/expand/NAME.in.rs` gives `NAME.out.rs`.
//!
//! `BLESS=1 cargo test -p agent-mcp-macros` writes them. Read them before you commit them.

mod editing;

use std::{fs, path::PathBuf};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, File, Item, Meta, Path, Token, punctuated::Punctuated};

use crate::{form, pipeline};

/// An item, and the macro of ours that stands above it.
struct Annotated {
    word: &'static str,
    attr: TokenStream,
    item: TokenStream,
}

impl Annotated {
    /// What the macro makes of the two.
    fn expand(&self, attr: TokenStream, item: TokenStream) -> TokenStream {
        match self.word {
            "agent" => pipeline::agent(attr, item),
            "data" => pipeline::data(attr, item),
            "Form" => form::form(item),
            "Choice" => form::choice(item),
            other => panic!("`{other}` is no macro of ours"),
        }
    }
}

/// The items of a file. Each has one of our macros.
fn annotated(source: &str) -> Vec<Annotated> {
    let mut found = Vec::new();
    for mut item in syn::parse_file(source).unwrap().items {
        let attrs = match &mut item {
            Item::Impl(item) => &mut item.attrs,
            Item::Struct(item) => &mut item.attrs,
            Item::Enum(item) => &mut item.attrs,
            _ => panic!("an item without a macro of ours"),
        };
        let at = attrs.iter().position(|attr| word(attr).is_some()).unwrap();
        let attr = attrs.remove(at);
        let word = word(&attr).unwrap();
        let attr = match attr.meta {
            Meta::List(list) if word == "agent" || word == "data" => list.tokens,
            _ => TokenStream::new(),
        };
        found.push(Annotated { word, attr, item: item.into_token_stream() });
    }
    found
}

/// The macro of ours that an attribute is, or derives.
fn word(attr: &Attribute) -> Option<&'static str> {
    let among = |words: [&'static str; 2], path: &Path| {
        let last = &path.segments.last()?.ident;
        words.into_iter().find(|word| last == word)
    };
    if !attr.path().is_ident("derive") {
        return among(["agent", "data"], attr.path());
    }
    let derives = attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok()?;
    derives.iter().find_map(|path| among(["Form", "Choice"], path))
}

/// Expands every item of `source`.
fn expand(source: &str) -> File {
    let expanded = annotated(source).into_iter().map(|it| {
        let expanded = it.expand(it.attr.clone(), it.item.clone());
        let item = matches!(it.word, "Form" | "Choice").then_some(&it.item);
        quote!(#item #expanded)
    });
    syn::parse2(expanded.collect()).unwrap()
}

/// The files with the agents, without their endings.
fn inputs() -> Vec<PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let mut inputs: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(folder.join(name.strip_suffix(".in.rs")?))
        })
        .collect();
    inputs.sort();
    assert!(inputs.len() >= 12);
    inputs
}

fn source(input: &std::path::Path) -> String {
    fs::read_to_string(input.with_extension("in.rs")).unwrap()
}

#[test]
fn expansions_are_as_blessed() {
    let bless = std::env::var_os("BLESS").is_some();
    for input in inputs() {
        let expanded = prettyplease::unparse(&expand(&source(&input)));
        let out = input.with_extension("out.rs");
        if bless {
            fs::write(&out, &expanded).unwrap();
        }
        let blessed = fs::read_to_string(&out).unwrap_or_default();
        assert!(
            blessed == expanded,
            "the expansion of `{}` changed; look at it with `BLESS=1`:\n{expanded}",
            input.display()
        );
    }
}

/// The pretty-printed lines of an agent with `count` capabilities of two arguments.
fn lines(count: usize) -> usize {
    let methods: Vec<TokenStream> = (0..count)
        .map(|n| {
            let name = quote::format_ident!("search_{n}");
            quote! {
                /// Searches the notes.
                #[capability]
                async fn #name(
                    &self,
                    /// What to look for.
                    query: String,
                    /// How many at most.
                    limit: Option<u32>,
                ) -> Result<Vec<Note>, NoteError> {}
            }
        })
        .collect();
    let expanded = pipeline::agent(TokenStream::new(), quote!(impl Notes { #(#methods)* }));
    prettyplease::unparse(&syn::parse2(expanded).unwrap()).lines().count()
}

#[test]
fn a_capability_stays_within_its_budget_of_lines() {
    // The method itself: its doc comment and its signature over four lines.
    let written = 6;
    let generated = lines(3) - lines(2) - written;
    assert!(generated <= 25, "a capability of two arguments takes {generated} lines");
}

#[test]
fn a_renamed_crate_is_the_only_one_named() {
    let source = r#"
        #[agent(crate = other::path, model = Model, message = Message, calls = pub Calls)]
        impl Agent {
            /// Doc.
            #[capability(available = open, authorize = |c| true, completion = done, timeout = "1s")]
            async fn a(&self, #[id] id: u64, #[serde(default)] b: u8) -> Message {}
            /// Doc.
            #[resource]
            fn r(cx: &Context<Self>) -> u8 {}
        }
        #[data(crate = other::path)]
        struct Data { #[id] id: u64 }
    "#;
    let expanded = expand(source).into_token_stream().to_string();
    assert!(expanded.contains("other :: path"));
    assert!(!expanded.contains("agent_mcp"), "{expanded}");
}
