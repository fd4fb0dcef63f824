//! `icons(..)` and `meta(..)`: what is said of an entry beside what it is.

use proc_macro2::Span;
use syn::{
    Expr, ExprCall, ExprLit, ExprMethodCall, Lit, LitStr, Token, ext::IdentExt, parse::ParseStream,
    spanned::Spanned,
};

use crate::diag::Mistake;

/// Reads the pictures of `icons("https://..", Icon::new(..).size("48x48"))`.
pub(super) fn icons(
    content: ParseStream<'_>,
    wrong: impl Fn(Span) -> Mistake,
) -> Result<Vec<Expr>, Mistake> {
    let mut icons = Vec::new();
    while !content.is_empty() {
        let icon: Expr = content.parse()?;
        if let Some(address) = address(&icon) {
            check_address(address)?;
        } else if matches!(icon, Expr::Lit(_) | Expr::Assign(_)) {
            return Err(wrong(icon.span()));
        }
        icons.push(icon);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(icons)
}

/// Where a picture is, as far as one can see.
fn address(icon: &Expr) -> Option<&LitStr> {
    match icon {
        Expr::Lit(ExprLit { lit: Lit::Str(address), .. }) => Some(address),
        Expr::MethodCall(ExprMethodCall { receiver, .. }) => address(receiver),
        Expr::Call(ExprCall { func, args, .. }) => {
            let Expr::Path(path) = &**func else { return None };
            let name = path.path.segments.last()?.ident.unraw();
            let Expr::Lit(ExprLit { lit: Lit::Str(address), .. }) = args.first()? else {
                return None;
            };
            (name == "new").then_some(address)
        }
        _ => None,
    }
}

/// ICON-2: clients load nothing else.
fn check_address(address: &LitStr) -> Result<(), Mistake> {
    let text = address.value();
    let is = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && text.len() > scheme.len()
    };
    if (is("https://") || is("data:")) && !text.contains(char::is_whitespace) {
        return Ok(());
    }
    let mistake = Mistake::at(address, "an icon is at an `https:` address or is a `data:` uri")
        .note("clients load nothing else");
    Err(match text.strip_prefix("http://") {
        Some(rest) => mistake.help(format!("write `\"https://{rest}\"`")),
        None => mistake.help(
            "write `\"https://..\"`, or `Icon::inline(\"image/png\", include_bytes!(\"icon.png\"))`",
        ),
    })
}

/// Reads the members of `meta("com.example/team" = "billing")`.
pub(super) fn meta(
    content: ParseStream<'_>,
    wrong: impl Fn(Span) -> Mistake,
) -> Result<Vec<(LitStr, Expr)>, Mistake> {
    let mut members: Vec<(LitStr, Expr)> = Vec::new();
    while !content.is_empty() {
        let at = content.span();
        let Ok(key) = content.parse::<LitStr>() else { return Err(wrong(at)) };
        check_key(&key)?;
        if members.iter().any(|(known, _)| known.value() == key.value()) {
            return Err(Mistake::at(&key, format!("the key `{}` is given twice", key.value()))
                .help("remove one of the two"));
        }
        if !content.peek(Token![=]) {
            return Err(wrong(key.span()));
        }
        content.parse::<Token![=]>()?;
        members.push((key, content.parse()?));
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(members)
}

/// META-1, META-2: an optional prefix of labels, and a name.
fn check_key(key: &LitStr) -> Result<(), Mistake> {
    let text = key.value();
    let (prefix, name) = match text.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text.as_str()),
    };
    if let Some(prefix) = prefix {
        let labels: Vec<&str> = prefix.split('.').collect();
        if !labels.iter().all(|label| is_label(label)) {
            return Err(Mistake::at(key, format!("`{prefix}` cannot be the prefix of a key"))
                .note("a prefix is labels with dots between them; each begins with a letter, goes on with letters, digits and hyphens, and does not end with a hyphen")
                .help("write `\"com.example/team\"`"));
        }
        let places = [1, labels.len().wrapping_sub(2)];
        let reserved = |label: &&str| ["modelcontextprotocol", "mcp"].contains(label);
        if places.iter().any(|place| labels.get(*place).is_some_and(reserved)) {
            return Err(Mistake::at(key, format!("the prefix `{prefix}` is reserved"))
                .note("the protocol keeps it to itself")
                .help("write a prefix of your own, such as `\"com.example/team\"`"));
        }
        if prefix == "agent-mcp" {
            return Err(Mistake::at(key, "the prefix `agent-mcp` is reserved")
                .note("results say there how a call ended")
                .help("write a prefix of your own, such as `\"com.example/team\"`"));
        }
    }
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !edge(name.chars().next()) || !edge(name.chars().next_back()) || !name.chars().all(inner) {
        return Err(Mistake::at(key, format!("`{name}` cannot be the name of a key"))
            .note("a name is letters, digits, `-`, `_` and `.`, the first and the last a letter or a digit"));
    }
    Ok(())
}

fn is_label(label: &str) -> bool {
    label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label.ends_with(|c: char| c.is_ascii_alphanumeric())
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}
