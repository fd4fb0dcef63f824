//! The options that each attribute knows.

use proc_macro2::{TokenStream, TokenTree};

use crate::parse::{
    args::{Kind, Spec},
    words::*,
};

const fn spec(word: &'static str, kind: Kind, example: &'static str) -> Spec {
    Spec { word, kind, example }
}

pub(crate) const MAIN_OPTIONS: &[Spec] = &[
    spec(NAME, Kind::Text, "name = \"todo\""),
    spec(TITLE, Kind::Text, "title = \"Todo list\""),
    spec(VERSION, Kind::Text, "version = \"1.0.0\""),
    spec(WEBSITE, Kind::Text, "website = \"https://app.example\""),
    spec(ICONS, Kind::Icons, "icons(\"https://app.example/icon.png\")"),
    spec(INSTRUCTIONS, Kind::Prose, "instructions = \"..\""),
    spec(MODEL, Kind::Type, "model = Model"),
    spec(MESSAGE, Kind::Type, "message = Message"),
    spec(PRINCIPAL, Kind::Type, "principal = User"),
    spec(COERCE, Kind::Flag, "coerce"),
    spec(DOTTED_NAMES, Kind::Flag, "dotted_names"),
    spec(PARTS, Kind::Paths, "parts(admin::Admin)"),
    spec(PART, Kind::Fresh, "part = Admin"),
    spec(CALLS, Kind::Fresh, "calls = pub TodoCalls"),
    spec(CRATE, Kind::Path, "crate = ::agent_mcp"),
];

pub(crate) const PART_OPTIONS: &[Spec] = &[
    spec(PART, Kind::Fresh, "part = Admin"),
    spec(COERCE, Kind::Flag, "coerce"),
    spec(DOTTED_NAMES, Kind::Flag, "dotted_names"),
    spec(CALLS, Kind::Fresh, "calls = pub TodoCalls"),
    spec(CRATE, Kind::Path, "crate = ::agent_mcp"),
];

pub(crate) const CAPABILITY_OPTIONS: &[Spec] = &[
    spec(NAME, Kind::Text, "name = \"add_todo\""),
    spec(TITLE, Kind::Text, "title = \"Add a todo\""),
    spec(DESCRIPTION, Kind::Prose, "description = \"..\""),
    spec(AVAILABLE, Kind::Hook, "available = |model| .."),
    spec(AUTHORIZE, Kind::Hook, "authorize = |call| .."),
    spec(SCOPES, Kind::Scopes, "scopes = [\"todo:write\"]"),
    spec(COMPLETION, Kind::Completion, "completion = |call, message| match message { .. }"),
    spec(TIMEOUT, Kind::Duration, "timeout = \"10s\""),
    spec(READ_ONLY, Kind::Flag, "read_only"),
    spec(DESTRUCTIVE, Kind::Flag, "destructive"),
    spec(IDEMPOTENT, Kind::Flag, "idempotent"),
    spec(OPEN_WORLD, Kind::Flag, "open_world"),
    spec(INLINE, Kind::Flag, "inline"),
    spec(COERCE, Kind::Flag, "coerce"),
    spec(OPEN, Kind::Flag, "open"),
    spec(UI, Kind::Text, "ui = \"ui://todo/list\""),
    spec(APP_ONLY, Kind::Flag, "app_only"),
    spec(HEARTBEAT, Kind::Duration, "heartbeat = \"10s\""),
    spec(CONCURRENCY, Kind::Count, "concurrency = 4"),
    spec(INPUT_SCHEMA, Kind::Expr, "input_schema = include_str!(\"schema.json\")"),
    spec(ICONS, Kind::Icons, "icons(\"https://app.example/icon.png\")"),
    spec(META, Kind::Meta, "meta(\"com.example/team\" = \"billing\")"),
    spec(OUTPUT_SCHEMA, Kind::Expr, "output_schema = SCHEMA"),
    spec(TASK, Kind::Text, "task = \"optional\""),
];

pub(crate) const RESOURCE_OPTIONS: &[Spec] = &[
    spec(NAME, Kind::Text, "name = \"todos\""),
    spec(TITLE, Kind::Text, "title = \"All todos\""),
    spec(DESCRIPTION, Kind::Prose, "description = \"..\""),
    spec(URI, Kind::Text, "uri = \"todo://all\""),
    spec(MIME_TYPE, Kind::Text, "mime_type = \"text/markdown\""),
    spec(CACHE, Kind::Cache, "cache(ttl = \"30s\", scope = \"private\")"),
    spec(SIZE, Kind::Size, "size = 2048"),
    spec(AUDIENCE, Kind::Audience, "audience(user, assistant)"),
    spec(PRIORITY, Kind::Priority, "priority = 0.5"),
    spec(AVAILABLE, Kind::Hook, "available = |model| .."),
    spec(AUTHORIZE, Kind::Hook, "authorize = |call| .."),
    spec(SCOPES, Kind::Scopes, "scopes = [\"todo:read\"]"),
    spec(INLINE, Kind::Flag, "inline"),
    spec(ICONS, Kind::Icons, "icons(\"https://app.example/icon.png\")"),
    spec(META, Kind::Meta, "meta(\"com.example/team\" = \"billing\")"),
];

pub(crate) const PROMPT_OPTIONS: &[Spec] = &[
    spec(NAME, Kind::Text, "name = \"plan_day\""),
    spec(TITLE, Kind::Text, "title = \"Plan the day\""),
    spec(DESCRIPTION, Kind::Prose, "description = \"..\""),
    spec(AVAILABLE, Kind::Hook, "available = |model| .."),
    spec(AUTHORIZE, Kind::Hook, "authorize = |call| .."),
    spec(SCOPES, Kind::Scopes, "scopes = [\"todo:read\"]"),
    spec(ICONS, Kind::Icons, "icons(\"https://example.com/plan.png\")"),
    spec(META, Kind::Meta, "meta(\"com.example/team\" = \"planning\")"),
    spec(INLINE, Kind::Flag, "inline"),
];

pub(crate) const CONTEXT_OPTIONS: &[Spec] = &[
    spec(DESCRIPTION, Kind::Prose, "description = \"..\""),
    spec(AUTHORIZE, Kind::Hook, "authorize = |call| .."),
    spec(SCOPES, Kind::Scopes, "scopes = [\"todo:read\"]"),
    spec(INLINE, Kind::Flag, "inline"),
];

/// Whether the option `word` seems to be given, before anything is parsed.
pub(crate) fn says(attr: &TokenStream, word: &str) -> bool {
    let mut tokens = attr.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        if matches!(&token, TokenTree::Ident(ident) if ident == word)
            && matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '=')
        {
            return true;
        }
    }
    false
}
