//! Doc comments as text for agents.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta};

/// The doc comments among `attrs` as one string expression; `None` where nothing is said.
///
/// Paragraphs, lists and code blocks stay as they are, only the common indentation goes.
/// `#[doc = include_str!(..)]` stays an expression, which rustc reads.
pub(crate) fn of(attrs: &[Attribute]) -> Option<TokenStream> {
    let mut pieces: Vec<Piece> = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        let Meta::NameValue(meta) = &attr.meta else { continue };
        match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                let lines = decorated(&text.value());
                match pieces.last_mut() {
                    Some(Piece::Text(_, known)) => known.extend(lines),
                    _ => pieces.push(Piece::Text(text.span(), lines)),
                }
            }
            other => pieces.push(Piece::Expr(other.to_token_stream())),
        }
    }
    let texts: Vec<_> = pieces.iter().filter(|piece| !piece.is_blank()).collect();
    match texts[..] {
        [] => None,
        [piece] => Some(piece.to_expr()),
        _ => {
            let parts = texts.iter().map(|piece| piece.to_expr());
            let mut joined = TokenStream::new();
            for (n, part) in parts.enumerate() {
                joined.extend(if n == 0 { quote!(#part) } else { quote!(, "\n", #part) });
            }
            Some(quote!(::core::concat!(#joined)))
        }
    }
}

enum Piece {
    Text(Span, Vec<String>),
    Expr(TokenStream),
}

impl Piece {
    fn is_blank(&self) -> bool {
        matches!(self, Self::Text(_, lines) if lines.iter().all(|line| line.trim().is_empty()))
    }

    fn to_expr(&self) -> TokenStream {
        match self {
            Self::Text(span, lines) => LitStr::new(&unindent(lines), *span).into_token_stream(),
            Self::Expr(expr) => expr.clone(),
        }
    }
}

/// The lines of one attribute; the stars at the edge of a block comment go.
fn decorated(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let starred = lines.len() > 1
        && lines[1..].iter().all(|line| line.trim().is_empty() || line.trim().starts_with('*'))
        && lines[1..].iter().any(|line| line.trim().starts_with('*'));
    let mut lines: Vec<String> = lines
        .into_iter()
        .enumerate()
        .map(|(n, line)| match line.trim_start().strip_prefix('*') {
            Some(rest) if starred && n > 0 => rest.to_owned(),
            _ => line.to_owned(),
        })
        .collect();
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

fn unindent(lines: &[String]) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| indent(line))
        .min()
        .unwrap_or_default();
    let lines: Vec<&str> =
        lines.iter().map(|line| line.get(common..).unwrap_or_default().trim_end()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn text(attrs: &[Attribute]) -> String {
        let literal: LitStr = syn::parse2(of(attrs).unwrap()).unwrap();
        literal.value()
    }

    #[test]
    fn paragraphs_and_indented_lines_are_kept() {
        let attrs: Vec<Attribute> = vec![
            parse_quote!(#[doc = " First."]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " - item"]),
            parse_quote!(#[doc = "   more"]),
            parse_quote!(#[doc(hidden)]),
            parse_quote!(#[doc = ""]),
        ];
        assert_eq!(text(&attrs), "First.\n\n- item\n  more");
    }

    #[test]
    fn a_block_comment_loses_its_stars() {
        assert_eq!(text(&[parse_quote!(#[doc = " One.\n * Two.\n "])]), "One.\nTwo.");
    }

    #[test]
    fn an_included_file_stays_an_expression() {
        let attrs: Vec<Attribute> =
            vec![parse_quote!(#[doc = " Head."]), parse_quote!(#[doc = include_str!("a.md")])];
        let expected = quote!(::core::concat!("Head.", "\n", include_str!("a.md")));
        assert_eq!(of(&attrs).unwrap().to_string(), expected.to_string());
    }

    #[test]
    fn blank_lines_say_nothing() {
        assert!(of(&[parse_quote!(#[doc = "  "])]).is_none());
    }
}
