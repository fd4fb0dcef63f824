//! Attributes of serde and schemars that those refuse in words of their own, or drop without a word.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, GenericArgument, LitStr, Meta, PathArguments, Type};

use super::param::is_comma;
use crate::diag::Mistake;

/// What is wrong with an attribute of a member of this type.
pub(crate) fn misread(attr: &Attribute, ty: &Type) -> Option<Mistake> {
    let Meta::List(list) = &attr.meta else { return None };
    let is = |name| list.path.is_ident(name);
    let options: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
    let mut options = options.split(is_comma);
    if is("serde") {
        return options.find_map(|option| default(option, ty));
    }
    (is("schemars") || is("validate")).then(|| options.find_map(|option| constraint(option, ty)))?
}

/// A default with a value where serde wants the path of a function, as text.
fn default(option: &[TokenTree], ty: &Type) -> Option<Mistake> {
    let [TokenTree::Ident(word), TokenTree::Punct(equals), value @ ..] = option else {
        return None;
    };
    let value: TokenStream = value.iter().cloned().collect();
    if word != "default" || equals.as_char() != '=' || syn::parse2::<LitStr>(value.clone()).is_ok()
    {
        return None;
    }
    let mistake = Mistake::at(&value, "serde takes the path of a function here, as text");
    Some(match syn::parse2::<syn::ExprPath>(value.clone()) {
        Ok(path) => mistake.help(format!("write `default = \"{}\"`", flat(path))),
        Err(_) => mistake.help(format!(
            "write `default = \"preset\"`, and `fn preset() -> {} {{ {value} }}` beside it",
            flat(ty)
        )),
    })
}

/// A constraint that a literal type of the language cannot have; schemars drops it.
fn constraint(option: &[TokenTree], ty: &Type) -> Option<Mistake> {
    let [TokenTree::Ident(word), ..] = option else { return None };
    let has = primitive(ty)?;
    let fits = match word.to_string().as_str() {
        "range" => has == Primitive::Number,
        "length" | "regex" | "pattern" | "email" | "url" | "contains" => has == Primitive::Text,
        _ => true,
    };
    if fits {
        return None;
    }
    let mistake = Mistake::at(
        word,
        format!("`{word}` means nothing for `{}`, and would be dropped", flat(ty)),
    );
    Some(match has {
        Primitive::Text => mistake.help("for a text, write `length(min = .., max = ..)`"),
        Primitive::Number => mistake.help("for a number, write `range(min = .., max = ..)`"),
        Primitive::Truth => mistake.help("leave it out"),
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Primitive {
    Text,
    Number,
    Truth,
}

/// What a type of the language is, itself or in an `Option`. What is not written as one is not judged.
fn primitive(ty: &Type) -> Option<Primitive> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
        return match arguments.args.first()? {
            GenericArgument::Type(inner) if segment.ident == "Option" => primitive(inner),
            _ => None,
        };
    }
    let ident = path.path.get_ident()?.to_string();
    Some(match ident.as_str() {
        "String" | "char" => Primitive::Text,
        "bool" => Primitive::Truth,
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
        | "isize" | "f32" | "f64" => Primitive::Number,
        _ => return None,
    })
}

/// Tokens as they would be written.
fn flat(tokens: impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn is_misread(attr: Attribute, ty: Type) -> bool {
        misread(&attr, &ty).is_some()
    }

    #[test]
    fn a_constraint_fits_its_type_or_is_refused() {
        assert!(is_misread(parse_quote!(#[schemars(range(min = 1))]), parse_quote!(String)));
        assert!(is_misread(
            parse_quote!(#[schemars(range(min = 1))]),
            parse_quote!(Option<String>)
        ));
        assert!(is_misread(parse_quote!(#[schemars(length(min = 1))]), parse_quote!(Option<u8>)));
        assert!(is_misread(
            parse_quote!(#[schemars(title = "a", length(min = 1))]),
            parse_quote!(f64)
        ));
        assert!(!is_misread(parse_quote!(#[schemars(range(min = 1))]), parse_quote!(u8)));
        assert!(!is_misread(parse_quote!(#[schemars(length(min = 1))]), parse_quote!(Vec<u8>)));
        assert!(!is_misread(parse_quote!(#[schemars(length(min = 1))]), parse_quote!(Title)));
    }

    #[test]
    fn a_default_is_the_path_of_a_function() {
        assert!(is_misread(parse_quote!(#[serde(default = 10)]), parse_quote!(u8)));
        assert!(is_misread(parse_quote!(#[serde(rename = "a", default = ten)]), parse_quote!(u8)));
        assert!(!is_misread(
            parse_quote!(#[serde(default = "ten", rename = "a")]),
            parse_quote!(u8)
        ));
        assert!(!is_misread(parse_quote!(#[serde(default)]), parse_quote!(u8)));
    }
}
