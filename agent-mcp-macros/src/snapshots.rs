//! Expansions as people read them: `tests/expand/NAME.in.rs` gives `NAME.out.rs`.
//!
//! `BLESS=1 cargo test -p agent-mcp-macros` writes them. Read them before you commit them.

use std::{fs, path::Path};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, File, Item, Meta};

use crate::pipeline;

/// Expands every item with one of our attributes in `source`.
fn expand(source: &str) -> File {
    let mut out = TokenStream::new();
    for mut item in syn::parse_file(source).unwrap().items {
        let ours = take_ours(&mut item);
        out.extend(match ours {
            Some((attr, name)) if name == "data" => pipeline::data(attr, quote!(#item)),
            Some((attr, _)) => pipeline::agent(attr, quote!(#item)),
            None => item.into_token_stream(),
        });
    }
    syn::parse2(out).unwrap()
}

fn take_ours(item: &mut Item) -> Option<(TokenStream, String)> {
    let attrs: &mut Vec<Attribute> = match item {
        Item::Impl(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return None,
    };
    let ours = |attr: &Attribute| {
        ["agent", "data"].iter().find(|word| attr.path().segments.last().unwrap().ident == *word)
    };
    let at = attrs.iter().position(|attr| ours(attr).is_some())?;
    let attr = attrs.remove(at);
    let name = (*ours(&attr)?).to_owned();
    let tokens = match attr.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    Some((tokens, name))
}

#[test]
fn expansions_are_as_blessed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let bless = std::env::var_os("BLESS").is_some();
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(name.strip_suffix(".in.rs")?.to_owned())
        })
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        let source = fs::read_to_string(folder.join(format!("{name}.in.rs"))).unwrap();
        let expanded = prettyplease::unparse(&expand(&source));
        let out = folder.join(format!("{name}.out.rs"));
        if bless {
            fs::write(&out, &expanded).unwrap();
        }
        let blessed = fs::read_to_string(&out).unwrap_or_default();
        assert!(
            blessed == expanded,
            "the expansion of `{name}` changed; look at it with `BLESS=1`:\n{expanded}"
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
