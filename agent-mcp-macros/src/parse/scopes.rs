//! Lists of OAuth scopes.

use proc_macro2::Span;
use syn::{Expr, ExprLit, Lit, LitStr, spanned::Spanned};

use crate::diag::Mistake;

/// Reads `["todo:read", "todo:write"]`.
pub(super) fn read(expr: Expr, wrong: impl Fn(Span) -> Mistake) -> Result<Vec<LitStr>, Mistake> {
    let Expr::Array(list) = expr else { return Err(wrong(expr.span())) };
    if list.elems.is_empty() {
        return Err(Mistake::at(&list, "an empty list asks for no scope")
            .help("name a scope, or leave the option out"));
    }
    let mut scopes: Vec<LitStr> = Vec::new();
    for element in list.elems {
        let Expr::Lit(ExprLit { lit: Lit::Str(scope), .. }) = element else {
            return Err(wrong(element.span()));
        };
        check(&scope)?;
        if scopes.iter().any(|known| known.value() == scope.value()) {
            return Err(Mistake::at(
                &scope,
                format!("the scope `{}` is given twice", scope.value()),
            )
            .help("remove one of the two"));
        }
        scopes.push(scope);
    }
    Ok(scopes)
}

/// RFC 6749, 3.3: what a scope consists of.
fn check(scope: &LitStr) -> Result<(), Mistake> {
    let text = scope.value();
    let allowed = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
    let parts = || text.split_whitespace().filter(|part| part.chars().all(allowed));
    Err(match text.chars().find(|c| !allowed(*c)) {
        None if text.is_empty() => {
            Mistake::at(scope, "an empty text is no scope").help("write `\"todo:write\"`")
        }
        // AUTH-12
        None if text == "offline_access" => {
            Mistake::at(scope, "`offline_access` is no scope of a server like this")
                .note("it is between a client and the server that signs callers in")
                .help("remove it")
        }
        None => return Ok(()),
        Some(c) if c.is_whitespace() && parts().nth(1).is_some() => {
            let parts: Vec<_> = parts().map(|part| format!("{part:?}")).collect();
            Mistake::at(scope, "a text of the list is one scope")
                .help(format!("write `{}`", parts.join(", ")))
        }
        Some(c) => Mistake::at(scope, format!("{c:?} cannot stand in a scope"))
            .note("a scope is visible ASCII characters without `\"` and `\\`"),
    })
}
