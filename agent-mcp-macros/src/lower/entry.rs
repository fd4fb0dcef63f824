//! A method with a helper attribute to an entry.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Generics, Ident, LitStr, Meta, Path, ext::IdentExt, parse_quote};

use super::{
    options::{CAPABILITY_OPTIONS, CONTEXT_OPTIONS, PROMPT_OPTIONS, RESOURCE_OPTIONS},
    param,
    returns::returns,
};
use crate::{
    check::{hooks, signature},
    diag::{Bag, Mistake},
    model::{
        Cache, Capability, Completion, Entry, Extras, Hook, Input, Name, Offer, Resource, Run, Task,
    },
    parse::{
        args::{self, Options, take},
        item::Method,
        prose,
        words::*,
    },
    recover::{conditional, helper},
};

/// What a method takes from the block around it.
pub(crate) struct Surroundings<'a> {
    pub(crate) krate: &'a Path,
    pub(crate) generics: &'a Generics,
    pub(crate) coerce: bool,
}

/// The entries of a method: one for each helper attribute, of which several need `cfg_attr`.
pub(crate) fn entries(
    method: &Method,
    surroundings: &Surroundings<'_>,
    bag: &mut Bag,
) -> Vec<Entry> {
    let mut plain: Option<&'static str> = None;
    let mut entries = Vec::new();
    for (condition, word, meta) in helpers(&method.attrs, surroundings.krate) {
        if condition.is_none() {
            if let Some(first) = plain {
                bag.add(second(&meta, first, word));
                continue;
            }
            plain = Some(word);
        }
        let lowered = bag.sound(|bag| {
            let options = options(&meta, word, bag);
            let mut entry = entry(method, surroundings, word, options, bag)?;
            entry.cfg.extend(condition.map(|condition| parse_quote!(#[cfg(#condition)])));
            Some(entry)
        });
        entries.extend(lowered);
    }
    entries
}

fn second(meta: &Meta, first: &str, word: &str) -> Mistake {
    if first == word {
        return Mistake::at(meta.path(), format!("`#[{word}]` is given twice"))
            .help("join the two attributes");
    }
    Mistake::at(meta.path(), format!("a method is either a {first} or a {word}"))
        .help(format!("remove one of the two, or write a second method for the {word}"))
}

/// Our attributes on a method, with the condition of the `cfg_attr` they stand in.
fn helpers(attrs: &[Attribute], krate: &Path) -> Vec<(Option<TokenStream>, &'static str, Meta)> {
    let mut found = Vec::new();
    for attr in attrs {
        if let Some(word) = helper(attr.path(), krate) {
            found.push((None, word, attr.meta.clone()));
        } else if let Some((condition, metas)) = conditional(attr) {
            for meta in metas {
                if let Some(word) = helper(meta.path(), krate) {
                    found.push((Some(condition.clone()), word, meta));
                }
            }
        }
    }
    found
}

fn options(meta: &Meta, word: &'static str, bag: &mut Bag) -> Options {
    let specs = match word {
        CAPABILITY => CAPABILITY_OPTIONS,
        RESOURCE => RESOURCE_OPTIONS,
        PROMPT => PROMPT_OPTIONS,
        _ => CONTEXT_OPTIONS,
    };
    match meta {
        Meta::Path(_) => Options::none(),
        Meta::List(list) => args::parse(list.tokens.clone(), word, specs, bag),
        Meta::NameValue(pair) => {
            bag.add(
                Mistake::at(&pair.value, format!("`#[{word}]` takes its options in parentheses"))
                    .help(format!("write `#[{word}({DESCRIPTION} = \"..\")]`, or a doc comment")),
            );
            Options::none()
        }
    }
}

fn entry(
    method: &Method,
    surroundings: &Surroundings<'_>,
    word: &'static str,
    mut options: Options,
    bag: &mut Bag,
) -> Option<Entry> {
    let sig = &method.sig;
    let ident = &sig.ident;
    let description = take!(options, DESCRIPTION, Prose)
        .map(|(_, text)| text)
        .or_else(|| prose::of(&method.attrs));
    if description.is_none() && !options.is_refused(DESCRIPTION) {
        bag.add(undescribed(word, ident));
    }
    signature::check(sig, word, bag);
    let inline = take!(options, INLINE, Flag).filter(|(_, flag)| *flag).map(|(key, _)| key);
    let run = run(method, inline, word, bag);
    let name = match take!(options, NAME, Text) {
        Some((_, text)) => Name { text: text.value(), span: text.span() },
        None => Name { text: ident.unraw().to_string(), span: ident.span() },
    };
    let title = take!(options, TITLE, Text).map(|(_, text)| text);
    let available = take!(options, AVAILABLE, Hook).map(|(key, expr)| Hook { key, expr });
    if let Some(hook) = &available {
        hooks::check_available(&hook.expr, bag);
    }
    let authorize = take!(options, AUTHORIZE, Hook).map(|(key, expr)| Hook { key, expr });
    if let Some(hook) = &authorize {
        hooks::check_authorize(&hook.expr, bag);
    }
    let scopes = take!(options, SCOPES, Scopes).map_or_else(Vec::new, |(_, scopes)| scopes);
    let extras = Extras {
        icons: take!(options, ICONS, Icons).map_or_else(Vec::new, |(_, icons)| icons),
        meta: take!(options, META, Meta).map_or_else(Vec::new, |(_, members)| members),
    };
    let (params, input) = param::lower(sig, surroundings.generics, word, bag);
    let offer = match word {
        CAPABILITY => {
            let timeout = timeout(&mut options, run, bag);
            let written = written(&mut options, &input, bag);
            let heartbeat = heartbeat(&mut options, run, bag);
            let capability = Capability {
                completion: take!(options, COMPLETION, Completion)
                    .map(|(key, fact)| Completion { key, fact }),
                timeout,
                ui: view(&mut options, bag),
                app_only: take!(options, APP_ONLY, Flag).is_some_and(|(_, flag)| flag),
                heartbeat,
                concurrency: take!(options, CONCURRENCY, Count).map(|(_, count)| count),
                task: task(method, &mut options, bag),
                hints: hints(&mut options, bag),
                written,
                open: take!(options, OPEN, Flag).is_some_and(|(_, flag)| flag),
                coerce: take!(options, COERCE, Flag).map_or(surroundings.coerce, |(_, flag)| flag),
            };
            hooks::check_hooks(&capability, bag);
            Offer::Capability(Box::new(capability))
        }
        RESOURCE => {
            let is_for_some = authorize.is_some() || !scopes.is_empty();
            Offer::Resource(resource(&mut options, is_for_some, bag))
        }
        PROMPT => Offer::Prompt,
        _ => Offer::Context,
    };
    Some(Entry {
        cfg: super::cfg(&method.attrs),
        method: ident.clone(),
        has_self: sig.receiver().is_some(),
        run,
        params,
        input,
        returns: returns(method),
        name,
        title,
        description: description?,
        available,
        authorize,
        scopes,
        extras,
        offer,
    })
}

fn resource(options: &mut Options, is_for_some: bool, bag: &mut Bag) -> Resource {
    let uri = take!(options, URI, Text).map(|(_, text)| text);
    let is_template = uri.as_ref().is_some_and(|uri| uri.value().contains(['{', '}']));
    let size = take!(options, SIZE, Size);
    if let (true, Some((key, _))) = (is_template, &size) {
        bag.add(
            Mistake::at_span(*key, "`size` does nothing for a template")
                .note("what is read at each of its addresses has a size of its own")
                .help("remove `size`"),
        );
    }
    Resource {
        uri,
        is_template,
        mime_type: take!(options, MIME_TYPE, Text).map(|(_, text)| text),
        cache: cache(options, is_for_some, bag),
        size: size.map(|(_, size)| size),
        audience: take!(options, AUDIENCE, Audience).map_or_else(Vec::new, |(_, words)| words),
        priority: take!(options, PRIORITY, Priority).map(|(_, priority)| priority),
    }
}

fn undescribed(word: &str, ident: &Ident) -> Mistake {
    let mistake = match word {
        CAPABILITY => Mistake::at(ident, format!("capability `{ident}` has no description"))
            .note("a model chooses between capabilities by their descriptions"),
        RESOURCE => Mistake::at(ident, format!("resource `{ident}` has no description"))
            .note("a model chooses between resources by their descriptions"),
        PROMPT => Mistake::at(ident, format!("prompt `{ident}` has no description"))
            .note("a person chooses between prompts by their descriptions"),
        _ => Mistake::at(ident, "the context has no description")
            .note("a model learns from it what it is shown"),
    };
    mistake.help("put a doc comment above the method, or write `description = \"..\"`")
}

fn run(method: &Method, inline: Option<Span>, word: &str, bag: &mut Bag) -> Run {
    let sig = &method.sig;
    let (run, idle) = match (&sig.asyncness, sig.receiver(), inline) {
        (Some(_), _, Some(_)) => (Run::Async, Some("an `async` method is never moved to a thread")),
        (Some(_), ..) => (Run::Async, None),
        (None, None, Some(_)) => (Run::Inline, Some("a method without `&self` always runs inline")),
        (None, None, None) | (None, Some(_), Some(_)) => (Run::Inline, None),
        (None, Some(_), None) => (Run::Blocking, None),
    };
    if let (Some(key), Some(why)) = (inline, idle) {
        bag.add(
            Mistake::at_span(key, format!("`inline` does nothing for this {word}"))
                .note(why)
                .help("remove `inline`"),
        );
    }
    run
}

fn timeout(options: &mut Options, run: Run, bag: &mut Bag) -> Option<std::time::Duration> {
    let completes = options.has(COMPLETION);
    let (key, limit) = take!(options, TIMEOUT, Duration)?;
    if run == Run::Inline && !completes {
        bag.add(
            Mistake::at_span(key, "`timeout` does nothing for this capability")
                .note("it runs inline and cannot be interrupted, and there is no `completion` to wait for")
                .help("make the method `async`, or remove `timeout`"),
        );
    }
    Some(limit)
}

fn task(method: &Method, options: &mut Options, bag: &mut Bag) -> Option<Task> {
    let (_, text) = take!(options, TASK, Text)?;
    let mode = match text.value().as_str() {
        OPTIONAL => "Optional",
        REQUIRED => "Required",
        _ => {
            bag.add(
                Mistake::at(&text, format!("`task` takes \"{OPTIONAL}\" or \"{REQUIRED}\""))
                    .help(format!("write `task = \"{OPTIONAL}\"`, unless no caller can wait")),
            );
            return None;
        }
    };
    let mode = Ident::new(mode, text.span());
    Some(Task { mode, begins: method.mentions(BEGIN_TASK) })
}

/// CAC-4: what not everybody may read is not the same for everybody.
fn cache(options: &mut Options, guarded: bool, bag: &mut Bag) -> Option<Cache> {
    let (_, cache) = take!(options, CACHE, Cache)?;
    if let (Some(public), true) = (cache.public, guarded) {
        bag.add(
            Mistake::at_span(public, "what not everybody may read cannot be `public`")
                .note("whoever keeps it would give it to anybody who asks")
                .help("write `scope = \"private\"`"),
        );
    }
    Some(cache)
}

fn heartbeat(options: &mut Options, run: Run, bag: &mut Bag) -> Option<std::time::Duration> {
    let completes = options.has(COMPLETION);
    let (key, every) = take!(options, HEARTBEAT, Duration)?;
    if run == Run::Inline && !completes {
        bag.add(
            Mistake::at_span(key, "`heartbeat` does nothing for this capability")
                .note("it runs inline, and there is no `completion` to wait for")
                .help("make the method `async`, or remove `heartbeat`"),
        );
    }
    Some(every)
}

/// The view of a capability. Whether there is one at that uri is found when the server is built: it may be
/// in another block.
fn view(options: &mut Options, bag: &mut Bag) -> Option<LitStr> {
    let (_, uri) = take!(options, UI, Text)?;
    let text = uri.value();
    if text.strip_prefix("ui://").is_none_or(str::is_empty) || text.contains(['{', '}']) {
        bag.add(
            Mistake::at(&uri, "a view is at a uri that begins with `ui://`")
                .help("write `ui = \"ui://todo/list\"`, and declare the page with `#[resource(uri = \"ui://todo/list\")]`"),
        );
    }
    Some(uri)
}

fn hints(options: &mut Options, bag: &mut Bag) -> Vec<(Ident, bool)> {
    let mut hints = Vec::new();
    for word in [READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD] {
        if let Some((key, flag)) = take!(options, word, Flag) {
            hints.push((Ident::new(word, key), flag));
        }
    }
    let is = |word: &str| hints.iter().find(|(key, flag)| key == word && *flag);
    if let (Some(_), Some((key, _))) = (is(READ_ONLY), is(DESTRUCTIVE)) {
        bag.add(
            Mistake::at(key, "a capability cannot be both `read_only` and `destructive`")
                .help("remove one of the two"),
        );
    }
    hints
}

/// The schemas that are written by hand.
fn written(options: &mut Options, input: &Input, bag: &mut Bag) -> Vec<(Ident, syn::Expr)> {
    let mut written = Vec::new();
    for word in [INPUT_SCHEMA, OUTPUT_SCHEMA] {
        if let Some((key, schema)) = take!(options, word, Expr) {
            written.push((Ident::new(word, key), schema));
        }
    }
    if !written.iter().any(|(word, _)| word == INPUT_SCHEMA) {
        return written;
    }
    for word in [OPEN, COERCE] {
        if let Some((key, _)) = take!(options, word, Flag) {
            bag.add(
                Mistake::at_span(key, format!("`{word}` does nothing beside `input_schema`"))
                    .note("a schema that is written by hand says itself what it accepts")
                    .help(format!("remove `{word}`")),
            );
        }
    }
    if matches!(input, Input::Fields(_, fields) if fields.is_empty()) {
        bag.add(
            Mistake::at(&written[0].0, "`input_schema` describes arguments, and there are none")
                .help("take them: `#[args] input: serde_json::Value`, or a type that reads them"),
        );
    }
    written
}
