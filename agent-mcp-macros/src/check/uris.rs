//! Addresses of resources: uris, templates of them, and that each is there once.

use syn::LitStr;

use super::names::meet;
use crate::{
    diag::{Bag, Mistake, nearest},
    model::{Agent, Entry, Input, Offer, Resource},
};

/// Checks all addresses; an entry with a bad or a second one is dropped.
pub(crate) fn check(agent: &mut Agent, bag: &mut Bag) {
    let mut sound: Vec<Entry> = Vec::new();
    for entry in std::mem::take(&mut agent.entries) {
        let kept = bag.sound(|bag| {
            if let Offer::Resource(resource) = &entry.offer {
                check_entry(&entry, resource, bag);
                if let Some(first) = sound.iter().find(|first| collide(first, &entry)) {
                    second(first, &entry, bag);
                }
            }
            Some(())
        });
        if kept.is_some() {
            sound.push(entry);
        }
    }
    agent.entries = sound;
}

fn check_entry(entry: &Entry, resource: &Resource, bag: &mut Bag) {
    let variables = match &resource.uri {
        None => Vec::new(),
        Some(uri) => match variables(&uri.value()) {
            Ok(variables) => variables,
            Err(wrong) => return bag.add(wrong.mistake(uri)),
        },
    };
    let fields = match &entry.input {
        Input::Fields(_, fields) => fields,
        // Its members are known when the server is built.
        Input::Whole(_) if !variables.is_empty() => return,
        Input::Whole(ty) => {
            let mistake =
                Mistake::at(ty, "these arguments have no place in the address of this resource");
            return bag.add(
                mistake
                    .note("an argument of a resource is a variable of its uri")
                    .help("name each of them in the uri: `uri = \"app://{name}\"`"),
            );
        }
    };
    let mut homeless: Vec<_> =
        fields.iter().filter(|field| !variables.contains(&field.name)).collect();
    let mut unknown: Vec<_> =
        variables.iter().filter(|name| !fields.iter().any(|it| it.name == **name)).collect();
    unknown.retain(|name| {
        let names = homeless.iter().map(|field| &*field.name);
        let meant = nearest(name, names).map(str::to_owned);
        // A variable and an argument that are left over may well be meant for each other.
        let meant = meant.or_else(|| match (&homeless[..], variables.len(), fields.len()) {
            ([field], 1, 1) => Some(field.name.clone()),
            _ => None,
        });
        let (Some(uri), Some(meant)) = (&resource.uri, meant) else { return true };
        homeless.retain(|field| field.name != meant);
        bag.add(
            Mistake::at(uri, format!("the variable `{{{name}}}` is no argument of the method"))
                .help(format!("write `{{{meant}}}`")),
        );
        false
    });
    for field in homeless {
        let name = &field.name;
        let uri = match &resource.uri {
            Some(uri) => uri.value(),
            None => format!("app://{}", entry.name.text),
        };
        bag.add(
            Mistake::at(
                &field.ident,
                format!("`{name}` has no place in the address of this resource"),
            )
            .note("an argument of a resource is a variable of its uri")
            .help(format!("write `uri = \"{}/{{{name}}}\"`", uri.trim_end_matches('/'))),
        );
    }
    if let Some(uri) = &resource.uri {
        for name in unknown {
            bag.add(
                Mistake::at(uri, format!("the variable `{{{name}}}` is no argument of the method"))
                    .help(format!(
                        "add the parameter `{name}: String`, or write it without braces"
                    )),
            );
        }
    }
}

enum Wrong {
    NoUri,
    Unbalanced,
    Name(String),
    Beyond(String),
    Adjacent(String),
    Twice(String),
}

impl Wrong {
    fn mistake(self, uri: &LitStr) -> Mistake {
        match self {
            Self::NoUri => Mistake::at(uri, "this is no uri")
                .help("write a scheme, such as `app://`, and percent-encode what is no ASCII"),
            Self::Unbalanced => Mistake::at(uri, "a `{` and a `}` belong to each variable")
                .help("write `{name}`; a brace that is none of a variable's is `%7B` or `%7D`"),
            Self::Name(name) => Mistake::at(uri, format!("`{name}` cannot be a variable"))
                .help("write the name of a parameter, such as `{id}`"),
            Self::Beyond(text) => {
                Mistake::at(uri, format!("no address says which values `{text}` was made of"))
                    .help("write `{name}` for one piece, or `{+name}` for a path with slashes")
            }
            Self::Adjacent(name) => {
                Mistake::at(uri, format!("nothing parts `{name}` from the variable before it"))
                    .help("put a `/` between the two")
            }
            Self::Twice(name) => Mistake::at(uri, format!("the variable `{name}` is there twice"))
                .help("give the second one a name of its own"),
        }
    }
}

/// The variables of a uri, none for a plain one. The contract reads it again, by the same rules.
fn variables(uri: &str) -> Result<Vec<String>, Wrong> {
    let mut names: Vec<String> = Vec::new();
    let (mut literals, mut rest, mut parted) = (String::new(), uri, true);
    while let Some(at) = rest.find(['{', '}']) {
        let (literal, braced) = rest.split_at(at);
        let inner = braced.strip_prefix('{').ok_or(Wrong::Unbalanced)?;
        let (expression, after) = inner.split_once('}').ok_or(Wrong::Unbalanced)?;
        parted |= !literal.is_empty() || expression.starts_with('#');
        let name = expression.strip_prefix(['+', '#']).unwrap_or(expression);
        let is_sign = |c: char| "./;?&=,!@|:*".contains(c);
        if name.contains(is_sign) {
            return Err(Wrong::Beyond(format!("{{{expression}}}")));
        }
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(Wrong::Name(name.to_owned()));
        }
        if !parted {
            return Err(Wrong::Adjacent(name.to_owned()));
        }
        if names.iter().any(|known| known == name) {
            return Err(Wrong::Twice(name.to_owned()));
        }
        names.push(name.to_owned());
        literals.push_str(literal);
        // What stands for its value.
        literals.push('x');
        (rest, parted) = (after, false);
    }
    literals.push_str(rest);
    let starts_literally = uri.split(':').next().is_some_and(|scheme| !scheme.contains('{'));
    if starts_literally && is_uri(&literals) { Ok(names) } else { Err(Wrong::NoUri) }
}

/// RFC 3986: a scheme, a colon, and something of what a uri may consist of.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut encoded = rest.split('%').skip(1);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.trim_start_matches('/').is_empty()
        && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c))
        && encoded
            .all(|rest| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit))
}

fn collide(first: &Entry, second: &Entry) -> bool {
    address(first).is_some_and(|uri| Some(uri) == address(second)) && meet(&first.cfg, &second.cfg)
}

fn address(entry: &Entry) -> Option<String> {
    let Offer::Resource(resource) = &entry.offer else { return None };
    Some(match &resource.uri {
        Some(uri) => uri.value(),
        None => format!("app://{}", entry.name.text),
    })
}

fn second(first: &Entry, second: &Entry, bag: &mut Bag) {
    let span = |entry: &Entry| match &entry.offer {
        Offer::Resource(Resource { uri: Some(uri), .. }) => uri.span(),
        _ => entry.name.span,
    };
    let uri = address(second).unwrap_or_default();
    bag.add(
        Mistake::at_span(span(second), format!("two resources are read at `{uri}`"))
            .help("give this one a uri of its own"),
    );
    bag.add(Mistake::at_span(span(first), "the first one is here"));
}
