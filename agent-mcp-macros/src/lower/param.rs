//! Parameters: by value an argument, by reference the context.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Expr, FnArg, Generics, Ident, LitStr, Meta, Pat, PatType, Signature, Type,
    ext::IdentExt, parse_quote, spanned::Spanned,
};

use super::{header, misread::misread};
use crate::{
    check::hooks,
    diag::{Bag, Mistake},
    model::{Field, Input, Param},
    parse::words::{ARGS, CAPABILITY, CONTEXT, HEADER, ID, SUGGEST},
    recover::{conditional, is_for_field},
};

/// The parameters behind the receiver, and the input that the arguments make.
pub(crate) fn lower(
    sig: &Signature,
    generics: &Generics,
    word: &str,
    bag: &mut Bag,
) -> (Vec<Param>, Input) {
    let mut params = Vec::new();
    let mut fields = Vec::new();
    let mut whole: Option<Box<Type>> = None;
    for arg in &sig.inputs {
        let FnArg::Typed(arg) = arg else { continue };
        if let Some(pointee) = pointee(&arg.ty) {
            if let Some(attr) = arg.attrs.iter().find(|attr| is_for_field(attr.path())) {
                // A doc comment there harms nobody.
                if !attr.path().is_ident("doc") {
                    bag.add(
                        Mistake::at(attr, "this parameter is no argument")
                            .note("what is taken by reference is the context of the call")
                            .help("remove the attribute, or take the parameter by value"),
                    );
                }
            }
            params.push(Param::Context { cfg: super::cfg(&arg.attrs), pointee });
            continue;
        }
        if word == CONTEXT {
            bag.add(no_arguments(arg));
            continue;
        }
        if let Some(attr) = arg.attrs.iter().find(|attr| attr.path().is_ident(HEADER))
            && word != CAPABILITY
        {
            bag.add(
                Mistake::at(
                    attr,
                    format!("a header repeats an argument of a capability, not of a {word}"),
                )
                .help("remove the attribute"),
            );
        }
        if let Some(attr) = arg.attrs.iter().find(|attr| attr.path().is_ident(SUGGEST))
            && word == CAPABILITY
        {
            bag.add(
                Mistake::at(
                    attr,
                    "values are suggested to people, who fill in prompts and templates",
                )
                .note("the arguments of a capability come from a model, which reads their schema")
                .help("remove the attribute; a list of all values is an enum"),
            );
        }
        params.push(Param::Argument(fields.len()));
        if arg.attrs.iter().any(|attr| attr.path().is_ident(ARGS)) {
            whole = Some(arg.ty.clone());
            if let Some(attr) = arg.attrs.iter().find(|attr| attr.path().is_ident(HEADER)) {
                bag.add(
                    Mistake::at(attr, "a header repeats one argument, and this is all of them")
                        .help(
                            "put the attribute on a field of the type, below `#[agent_mcp::data]`",
                        ),
                );
            }
        }
        fields.extend(bag.sound(|bag| field(arg, fields.len(), generics, bag)));
    }
    if let Some(ty) = whole {
        if fields.len() > 1 {
            bag.add(
                Mistake::at(&ty, "`#[args]` already stands for all arguments")
                    .help("make the other parameters fields of this type"),
            );
        }
        return (params, Input::Whole(ty));
    }
    let headers = fields.iter().filter_map(|field: &Field| {
        Some((field.header.as_ref()?, &*field.cfg, Some(&field.ident)))
    });
    header::unique(headers, bag);
    (params, Input::Fields(input_ident(&sig.ident), fields))
}

fn no_arguments(arg: &PatType) -> Mistake {
    Mistake::at(&arg.ty, "the context takes no arguments")
        .help("take `&self` or `&Context<Self>`, or make it a capability")
}

/// What a parameter taken by reference refers to.
fn pointee(ty: &Type) -> Option<Box<Type>> {
    match ty {
        Type::Reference(reference) => Some(reference.elem.clone()),
        Type::Group(group) => pointee(&group.elem),
        Type::Paren(paren) => pointee(&paren.elem),
        _ => None,
    }
}

fn field(arg: &PatType, number: usize, generics: &Generics, bag: &mut Bag) -> Option<Field> {
    let Pat::Ident(pat) = &*arg.pat else {
        let mistake = match &*arg.pat {
            Pat::Wild(_) => Mistake::at(&arg.pat, "an argument needs a name")
                .note("the name is what the caller writes")
                .help("write a name, such as `value`, and leave it unused in the body"),
            _ => Mistake::at(&arg.pat, "an argument needs a plain name")
                .note("the name is what the caller writes")
                .help("take the whole value, and take it apart in the body"),
        };
        bag.add(mistake);
        return None;
    };
    if pat.by_ref.is_some() || pat.subpat.is_some() {
        bag.add(
            Mistake::at(&arg.pat, "an argument needs a plain name")
                .help(format!("write `{}`", pat.ident)),
        );
    }
    if let Some(borrow) = borrow(arg.ty.to_token_stream()) {
        bag.add(
            Mistake::at_span(borrow, "an argument cannot borrow")
                .note("it is decoded for the call and belongs to the method")
                .help("take an owned type, such as `String` for `&str`"),
        );
    }
    arg.attrs.iter().filter_map(|attr| misread(attr, &arg.ty)).for_each(|mistake| bag.add(mistake));
    let header = header::of(&arg.attrs, Some(&pat.ident), bag);
    let serde = Serde::of(&arg.attrs);
    let cfg = super::cfg(&arg.attrs);
    // What serde's attributes call knows the type by name, and rustc takes no `#[cfg]` in generics.
    let concrete = !cfg.is_empty() || serde.concrete || serde.id || serde.default.is_some();
    let named = mentions(arg.ty.to_token_stream(), generics);
    if let (Some(named), true) = (named, !cfg.is_empty() || serde.concrete || serde.id) {
        bag.add(
            Mistake::at_span(named, "this attribute needs a type that stands for itself")
                .note(
                    "`Self` and the agent's generic parameters are not known to the input's schema",
                )
                .help("write the type out, or give the agent's type a plain alias"),
        );
    }
    let param = (!concrete || named.is_some()).then(|| format_ident!("__T{number}"));
    let mut attrs = field_attrs(&arg.attrs, &arg.ty);
    let default = serde.default == Some(Default::Bare);
    if default && param.is_none() {
        attrs.iter_mut().for_each(|attr| named_default(attr, &arg.ty));
    }
    Some(Field {
        cfg,
        attrs,
        ident: pat.ident.clone(),
        ty: (*arg.ty).clone(),
        default: default && param.is_some(),
        param,
        name: serde.name.unwrap_or_else(|| pat.ident.unraw().to_string()),
        header,
        suggest: suggest(&arg.attrs, bag),
        plain: !serde.with && !serde.id,
    })
}

/// Where suggestions for the argument's values come from.
fn suggest(attrs: &[Attribute], bag: &mut Bag) -> Option<Expr> {
    let attr = attrs.iter().find(|attr| attr.path().is_ident(SUGGEST))?;
    let help = "write `#[suggest(|cx, typed| ..)]`, or the path of a function";
    match attr.parse_args::<Expr>() {
        Ok(source) if !matches!(source, Expr::Lit(_)) => {
            hooks::check_suggest(&source, bag);
            Some(source)
        }
        _ => {
            bag.add(Mistake::at(attr, "`suggest` takes a source of suggestions").help(help));
            None
        }
    }
}

/// The attributes that move to the input's field, ours as what they stand for.
fn field_attrs(attrs: &[Attribute], ty: &Type) -> Vec<Attribute> {
    let mut moved = Vec::new();
    for attr in attrs {
        if let Some((condition, metas)) = conditional(attr) {
            for meta in metas.into_iter().filter_map(|meta| field_attr(meta, "__p::Id", ty)) {
                moved.push(parse_quote!(#[cfg_attr(#condition, #meta)]));
            }
        } else if let Some(meta) = field_attr(attr.meta.clone(), "__p::Id", ty) {
            moved.push(Attribute { meta, ..attr.clone() });
        }
    }
    moved
}

fn field_attr(meta: Meta, id: &str, ty: &Type) -> Option<Meta> {
    let path = meta.path();
    if path.is_ident(HEADER) {
        header::keyword(&meta)
    } else if path.is_ident(ID) {
        let with = format!("{id}::<{}>", ty.to_token_stream());
        // serde and schemars both read it.
        Some(parse_quote!(serde(with = #with)))
    } else {
        let is_ours = path.is_ident(ARGS) || path.is_ident(SUGGEST);
        (is_for_field(path) && !is_ours).then_some(meta)
    }
}

/// Puts what they stand for in the place of our attributes on a field, where `id` is the path of `Id`.
pub(crate) fn in_place(attrs: &mut Vec<Attribute>, id: &str, ty: &Type) {
    attrs.retain_mut(|attr| {
        if !attr.path().is_ident(HEADER) && !attr.path().is_ident(ID) {
            return true;
        }
        match field_attr(attr.meta.clone(), id, ty) {
            Some(meta) => attr.meta = meta,
            None => return false,
        }
        true
    });
}

/// Names the function behind a bare `#[serde(default)]`, so that a type without a default is reported
/// once, at the type, and not by each derive.
fn named_default(attr: &mut Attribute, ty: &Type) {
    let Meta::List(list) = &mut attr.meta else { return };
    if !list.path.is_ident("serde") {
        return;
    }
    let options: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
    let options = options.split(is_comma).map(|option| match option {
        [TokenTree::Ident(word)] if word == "default" => {
            let path = format!("__p::default::<{}>", ty.to_token_stream());
            let path = LitStr::new(&path, ty.span());
            quote!(#word = #path)
        }
        other => other.iter().cloned().collect(),
    });
    list.tokens = quote!(#(#options),*);
}

/// What serde is told about a field, as far as it changes the struct around it.
struct Serde {
    name: Option<String>,
    default: Option<Default>,
    with: bool,
    concrete: bool,
    id: bool,
}

#[derive(PartialEq)]
enum Default {
    Bare,
    Path,
}

impl Serde {
    fn of(attrs: &[Attribute]) -> Self {
        let mut found = Self { name: None, default: None, with: false, concrete: false, id: false };
        for attr in attrs {
            found.read(&attr.meta);
            for meta in conditional(attr).into_iter().flat_map(|(_, metas)| metas) {
                // Whether it holds is not known here, so the field must be right in both cases.
                found.concrete |= meta.path().is_ident("serde");
                found.read(&meta);
            }
        }
        found
    }

    fn read(&mut self, meta: &Meta) {
        self.id |= meta.path().is_ident(ID);
        let Meta::List(list) = meta else { return };
        if !list.path.is_ident("serde") {
            return;
        }
        for option in list.tokens.clone().into_iter().collect::<Vec<_>>().split(is_comma) {
            let [TokenTree::Ident(word), rest @ ..] = option else { continue };
            match word.to_string().as_str() {
                "rename" => self.name = renamed(rest).or(self.name.take()),
                "default" if rest.is_empty() => self.default = Some(Default::Bare),
                "default" => {
                    self.default = Some(Default::Path);
                    self.concrete = true;
                }
                "with" | "deserialize_with" => {
                    self.with = true;
                    self.concrete = true;
                }
                _ => {}
            }
        }
    }
}

/// The name in `rename = "name"`.
fn renamed(rest: &[TokenTree]) -> Option<String> {
    let value = rest.get(1..)?.iter().cloned().collect();
    syn::parse2::<LitStr>(value).ok().map(|name| name.value())
}

pub(crate) fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

/// A reference or a lifetime in a type, other than `'static`.
fn borrow(tokens: TokenStream) -> Option<Span> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Group(group) => borrow(group.stream()),
            TokenTree::Punct(punct) if punct.as_char() == '&' => Some(punct.span()),
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match tokens.peek() {
                Some(TokenTree::Ident(name)) if name == "static" => None,
                _ => Some(punct.span()),
            },
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `Self` or a generic parameter of the agent in a type.
fn mentions(tokens: TokenStream, generics: &Generics) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => mentions(group.stream(), generics),
        TokenTree::Ident(ident) => {
            let is_param = ident == "Self"
                || generics.type_params().any(|param| param.ident == ident)
                || generics.const_params().any(|param| param.ident == ident);
            is_param.then(|| ident.span())
        }
        _ => None,
    })
}

/// `__AddTodoInput`: in front of it the two underscores that keep it apart from the user's types.
fn input_ident(method: &Ident) -> Ident {
    let mut camel = String::from("__");
    for word in method.unraw().to_string().split('_') {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.extend(letters);
    }
    format_ident!("{camel}Input", span = method.span().resolved_at(Span::call_site()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn borrows_are_found_at_any_depth() {
        assert!(borrow(quote!(Vec<(u8, Option<&str>)>)).is_some());
        assert!(borrow(quote!(Cow<'a, str>)).is_some());
        assert!(borrow(quote!(Cow<'static, str>)).is_none());
    }

    #[test]
    fn input_types_are_camel_case() {
        assert_eq!(input_ident(&format_ident!("add_todo")), "__AddTodoInput");
        assert_eq!(input_ident(&parse_quote!(r#type)), "__TypeInput");
    }
}
