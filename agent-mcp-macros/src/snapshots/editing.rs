//! What an editor sees while an agent is being written: every beginning of it, cut behind each token.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::File;

use super::{Annotated, annotated, inputs, source};

/// A beginning, with its brackets closed as editors close them.
struct Beginning {
    tokens: TokenStream,
    /// Whether it ends inside of the body of a method, which comes out as it is.
    is_in_body: bool,
}

impl Beginning {
    /// The first `length` tokens, or `None` where there are fewer.
    fn of(tokens: &TokenStream, length: usize) -> Option<Self> {
        let mut left = length;
        let mut is_in_body = false;
        let tokens = cut(tokens.clone(), &mut left, &mut is_in_body, 0);
        (left == 0).then_some(Self { tokens, is_in_body })
    }
}

/// The first tokens. `depth` is the number of braces around them: a method's body is in one.
fn cut(tokens: TokenStream, left: &mut usize, is_in_body: &mut bool, depth: usize) -> TokenStream {
    let mut kept = TokenStream::new();
    for token in tokens {
        if *left == 0 {
            // The brace that would close the body is the next token.
            *is_in_body |= depth > 1;
            break;
        }
        *left -= 1;
        kept.extend([match token {
            TokenTree::Group(group) => {
                let is_brace = group.delimiter() == Delimiter::Brace;
                let depth = depth + usize::from(is_brace);
                let inner = cut(group.stream(), left, is_in_body, depth);
                TokenTree::Group(Group::new(group.delimiter(), inner))
            }
            other => other,
        }]);
    }
    kept
}

/// The names of the methods that are whole.
fn methods(block: &TokenStream) -> Vec<String> {
    let Some(TokenTree::Group(inside)) = block.clone().into_iter().last() else {
        return Vec::new();
    };
    let (mut names, mut name, mut after_fn) = (Vec::new(), None, false);
    for token in inside.stream() {
        match &token {
            TokenTree::Ident(ident) if after_fn => name = Some(ident.to_string()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                names.extend(name.take());
            }
            _ => {}
        }
        after_fn = matches!(&token, TokenTree::Ident(ident) if ident == "fn");
    }
    names
}

/// What is said of the output in every case.
fn check(agent: &Annotated, whole: &str, item: &Beginning, output: TokenStream) {
    let shown = &item.tokens;
    let text = output.to_string();
    for name in methods(shown) {
        let method = format!("fn {name}");
        assert!(text.contains(&method), "`{method}` is lost in {text}\n\nof {shown}");
        let declared = format!("Self :: {name} (");
        assert!(
            text.contains(&declared) || !whole.contains(&declared),
            "`{name}` is not declared in {text}\n\nof {shown}"
        );
    }
    if !item.is_in_body {
        let parsed = syn::parse2::<File>(output);
        assert!(parsed.is_ok(), "`{}` makes no items: {text}\n\nof {shown}", agent.word);
    }
}

fn agents() -> impl Iterator<Item = Annotated> {
    inputs().into_iter().flat_map(|input| annotated(&source(&input)))
}

#[test]
fn an_agent_that_is_being_written_keeps_what_is_there() {
    for agent in agents() {
        let whole = agent.expand(agent.attr.clone(), agent.item.clone()).to_string();
        for length in 0.. {
            let Some(beginning) = Beginning::of(&agent.item, length) else { break };
            let output = agent.expand(agent.attr.clone(), beginning.tokens.clone());
            check(&agent, &whole, &beginning, output);
        }
    }
}

#[test]
fn options_that_are_being_written_lose_no_method() {
    for agent in agents() {
        let item = Beginning { tokens: agent.item.clone(), is_in_body: false };
        for length in 0.. {
            let Some(options) = Beginning::of(&agent.attr, length) else { break };
            let output = agent.expand(options.tokens, agent.item.clone());
            check(&agent, "", &item, output);
        }
    }
}

/// The block with `method` in front of what is in it.
fn with_method(block: &TokenStream, method: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = block.clone().into_iter().collect();
    let Some(TokenTree::Group(inside)) = tokens.pop() else { panic!("a block ends with a brace") };
    let methods = inside.stream();
    tokens.push(Group::new(Delimiter::Brace, quote!(#method #methods)).into());
    tokens.into_iter().collect()
}

#[test]
fn a_method_that_is_being_written_leaves_those_behind_it() {
    let method = quote! {
        pub(crate) async fn typed<'a>(
            &'a self,
            #[serde(default)] text: Option<String>,
            cx: &Context<Self>,
        ) -> Result<Vec<u8>, Error>
        where
            Self: Sized,
        {
        }
    };
    for agent in agents().filter(|agent| agent.word == "agent") {
        let whole = agent.expand(agent.attr.clone(), agent.item.clone()).to_string();
        for length in 0.. {
            let Some(beginning) = Beginning::of(&method, length) else { break };
            let tokens = with_method(&agent.item, beginning.tokens);
            let output = agent.expand(agent.attr.clone(), tokens.clone());
            check(&agent, &whole, &Beginning { tokens, is_in_body: false }, output);
        }
    }
}
