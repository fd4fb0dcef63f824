//! Syntax to model.

mod entry;
pub(crate) mod header;
pub(crate) mod misread;
mod options;
pub(crate) mod param;
mod returns;

use proc_macro2::TokenStream;
use quote::format_ident;
use syn::{Attribute, Ident, Path, Type, spanned::Spanned};

use self::{
    entry::Surroundings,
    options::{MAIN_OPTIONS, PART_OPTIONS},
};
use crate::{
    diag::{Bag, Mistake},
    model::{Agent, Entry, Input, Main, Name, Role},
    parse::{
        args::{self, Options, take},
        item::{Block, Item},
        prose,
        words::*,
    },
    recover,
};

/// Reads the options of `#[agent]`.
pub(crate) fn options(attr: TokenStream, bag: &mut Bag) -> Options {
    let specs = if options::says(&attr, PART) { PART_OPTIONS } else { MAIN_OPTIONS };
    args::parse(attr, AGENT, specs, bag)
}

/// Understands an annotated impl block. `None` where it is no block of an agent at all.
pub(crate) fn agent(
    mut options: Options,
    krate: &Path,
    block: &Block,
    bag: &mut Bag,
) -> Option<Agent> {
    if let Some((_, path, _)) = &block.trait_ {
        bag.add(
            Mistake::at(path, "`#[agent]` goes on an impl block of the type's own methods")
                .help("move the capabilities to `impl Type { .. }` and let them call the trait"),
        );
        return None;
    }
    if let Some(lifetime) = block.generics.lifetimes().next() {
        bag.add(
            Mistake::at(lifetime, "an agent cannot borrow")
                .note("it is shared by all calls and lives as long as the server")
                .help("keep an `Arc` of what it needs"),
        );
        return None;
    }
    let coerce = take!(options, COERCE, Flag).is_some_and(|(_, flag)| flag);
    let dotted_names = take!(options, DOTTED_NAMES, Flag).is_some_and(|(_, flag)| flag);
    let role = match take!(options, PART, Fresh) {
        Some((_, (vis, ident))) => Role::Part(vis, ident),
        None => Role::Main(Box::new(main(&mut options, block, bag))),
    };
    let calls = take!(options, CALLS, Fresh).map(|(_, fresh)| fresh);
    if let (Some((_, ident)), Some(param)) = (&calls, block.generics.type_params().next()) {
        bag.add(
            Mistake::at(ident, "`calls` needs an agent without generic parameters")
                .note(format!("the calls would have to choose `{}`", param.ident))
                .help("remove `calls`, and use `InProcess::call` with the capability's name"),
        );
    }
    let surroundings = Surroundings { krate, generics: &block.generics, coerce };
    let mut entries = Vec::new();
    for item in &block.items {
        match item {
            Item::Method(method) => entries.extend(entry::entries(method, &surroundings, bag)),
            Item::Macro(item) | Item::Other(item) => {
                if let Some((path, _)) = recover::stray(item, krate) {
                    bag.add(
                        Mistake::at(&path, "only a method can be offered to agents")
                            .help("write a method that returns it, and put the attribute there"),
                    );
                }
            }
        }
    }
    name_inputs_apart(&mut entries);
    Some(Agent {
        krate: krate.clone(),
        self_ty: block.self_ty.clone(),
        generics: block.generics.clone(),
        cfg: cfg(&block.attrs),
        role,
        dotted_names,
        calls,
        entries,
    })
}

/// `add_todo` and `addTodo` are two methods, and one name in camel case.
fn name_inputs_apart(entries: &mut [Entry]) {
    let mut known: Vec<Ident> = Vec::new();
    for entry in entries {
        let Input::Fields(ident, _) = &mut entry.input else { continue };
        if known.contains(ident) {
            *ident = format_ident!("{ident}{}", known.len());
        }
        known.push(ident.clone());
    }
}

fn main(options: &mut Options, block: &Block, bag: &mut Bag) -> Main {
    let model = take!(options, MODEL, Type);
    let message = take!(options, MESSAGE, Type);
    if let (None, Some((key, _))) = (&model, &message) {
        bag.add(
            Mistake::at_span(*key, "`message` needs `model`")
                .note("Messages go to the host that holds the Model")
                .help("add `model = ..`, or `model = ()` where there is no state to see"),
        );
    }
    let name = match take!(options, NAME, Text) {
        Some((_, text)) => Name { text: text.value(), span: text.span() },
        None => default_name(&block.self_ty),
    };
    Main {
        name,
        title: take!(options, TITLE, Text).map(|(_, text)| text),
        version: take!(options, VERSION, Text).map(|(_, text)| text),
        website: take!(options, WEBSITE, Text).map(|(_, text)| text),
        icons: take!(options, ICONS, Icons).map_or_else(Vec::new, |(_, icons)| icons),
        instructions: take!(options, INSTRUCTIONS, Prose)
            .map(|(_, text)| text)
            .or_else(|| prose::of(&block.attrs)),
        model: model.map(|(_, ty)| *ty),
        message: message.map(|(_, ty)| *ty),
        principal: take!(options, PRINCIPAL, Type).map(|(_, ty)| *ty),
        parts: take!(options, PARTS, Paths).map(|(_, paths)| paths).unwrap_or_default(),
    }
}

/// The type's name in snake case.
fn default_name(ty: &Type) -> Name {
    let mut inner = ty;
    while let Type::Group(group) = inner {
        inner = &group.elem;
    }
    let ident = match inner {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    };
    let text = snake_case(ident.as_deref().unwrap_or(AGENT).trim_start_matches("r#"));
    Name { text, span: ty.span() }
}

/// B11: every capital starts a word, also each letter of an acronym.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (n, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && n > 0 && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// The `#[cfg]`s among attributes.
pub(crate) fn cfg(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b11_every_capital_starts_a_word() {
        for (name, snake) in [
            ("TodoAgent", "todo_agent"),
            ("Load2Todos", "load2_todos"),
            ("LoadedHTTPCache", "loaded_h_t_t_p_cache"),
            ("A", "a"),
            ("Admin_Agent", "admin_agent"),
        ] {
            assert_eq!(snake_case(name), snake);
        }
    }
}
