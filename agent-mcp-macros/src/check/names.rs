//! Names: their characters, their length, and that each is there once.

use quote::ToTokens;
use syn::Attribute;

use crate::{
    diag::{Bag, Mistake},
    model::{Agent, Entry, Offer},
};

/// The contract's own limit (B12).
const LONGEST: usize = 128;

/// Checks all names; an entry with a bad or a second name is dropped.
pub(crate) fn check(agent: &mut Agent, bag: &mut Bag) {
    let dots = agent.dotted_names;
    let mut sound: Vec<Entry> = Vec::new();
    for entry in std::mem::take(&mut agent.entries) {
        if let Some(mistake) = spelling(&entry, dots) {
            bag.add(mistake);
        } else if let Some(first) = sound.iter().find(|first| collide(first, &entry)) {
            second(first, &entry, bag);
        } else {
            sound.push(entry);
        }
    }
    agent.entries = sound;
}

fn what(entry: &Entry) -> &'static str {
    match entry.offer {
        Offer::Capability(_) => "capability",
        Offer::Resource(_) => "resource",
        Offer::Prompt => "prompt",
        Offer::Context => "context",
    }
}

fn spelling(entry: &Entry, dots: bool) -> Option<Mistake> {
    if matches!(entry.offer, Offer::Context) {
        return None;
    }
    let (name, span) = (&entry.name.text, entry.name.span);
    let what = what(entry);
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || (dots && c == '.');
    let Some(wrong) = name.chars().find(|c| !allowed(*c)) else {
        let length = name.chars().count();
        return (length > LONGEST).then(|| {
            Mistake::at_span(
                span,
                format!("the name of this {what} has {length} characters; {LONGEST} are allowed"),
            )
            .help("write a shorter `name`; some clients refuse more than 64")
        });
    };
    let mistake = Mistake::at_span(span, format!("{wrong:?} cannot stand in the name of a {what}"));
    let mistake = if wrong == '.' {
        mistake.note("the protocol allows it, and several clients refuse it").help(format!(
            "write `{}`, or allow dots with `#[agent(dotted_names)]`",
            name.replace('.', "_")
        ))
    } else {
        mistake.note("names are ASCII letters, digits, `_` and `-`").help(plain(name))
    };
    Some(mistake)
}

/// Advice with a name that can be pasted.
fn plain(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
    if !name.is_ascii() || plain.trim_matches('_').is_empty() {
        return "write `name = \"..\"` with such a name".to_owned();
    }
    format!("write `name = \"{plain}\"`")
}

/// Whether two entries have one name in one build.
fn collide(a: &Entry, b: &Entry) -> bool {
    let same = match (&a.offer, &b.offer) {
        (Offer::Context, Offer::Context) => true,
        (Offer::Capability(_), Offer::Capability(_))
        | (Offer::Resource(_), Offer::Resource(_))
        | (Offer::Prompt, Offer::Prompt) => a.name.text == b.name.text,
        _ => false,
    };
    same && meet(&a.cfg, &b.cfg)
}

/// Whether there is surely a build with both of two things. Those under different `#[cfg]`s may exclude each
/// other; the server checks again.
pub(crate) fn meet(a: &[Attribute], b: &[Attribute]) -> bool {
    let text = |cfg: &[Attribute]| -> Vec<String> {
        cfg.iter().map(|attr| attr.to_token_stream().to_string()).collect()
    };
    a.is_empty() || b.is_empty() || text(a) == text(b)
}

fn second(first: &Entry, second: &Entry, bag: &mut Bag) {
    if let Offer::Context = second.offer {
        bag.add(
            Mistake::at_span(second.name.span, "an agent has one context")
                .help("make this one a `#[resource]`"),
        );
        bag.add(Mistake::at_span(first.name.span, "the context is first declared here"));
        return;
    }
    let what = what(second);
    let plural = match what {
        "capability" => "capabilities",
        "prompt" => "prompts",
        _ => "resources",
    };
    let name = &second.name.text;
    let other = if second.method == name.as_str() {
        format!("{name}_2")
    } else {
        second.method.to_string()
    };
    bag.add(
        Mistake::at_span(second.name.span, format!("two {plural} are called `{name}`"))
            .help(format!("rename this one: `#[{what}(name = \"{other}\")]`")),
    );
    bag.add(Mistake::at_span(first.name.span, format!("`{name}` is first declared here")));
}
