//! An agent as the macro understands it. Every part keeps the span that the user would edit.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Expr, Generics, Ident, LitStr, Path, Type, Visibility, spanned::Spanned};

pub(crate) use crate::parse::args::{Cache, Fact};

/// An annotated impl block.
pub(crate) struct Agent {
    /// The path of our crate.
    pub(crate) krate: Path,
    pub(crate) self_ty: Type,
    pub(crate) generics: Generics,
    /// The block's own `#[cfg]`s.
    pub(crate) cfg: Vec<Attribute>,
    pub(crate) role: Role,
    pub(crate) dotted_names: bool,
    /// The in-process caller to make.
    pub(crate) calls: Option<(Visibility, Ident)>,
    pub(crate) entries: Vec<Entry>,
}

/// Which block of the agent it is.
pub(crate) enum Role {
    Main(Box<Main>),
    /// A part, and the marker type that names it.
    Part(Visibility, Ident),
}

/// What only the main block says.
pub(crate) struct Main {
    pub(crate) name: Name,
    pub(crate) title: Option<LitStr>,
    pub(crate) version: Option<LitStr>,
    pub(crate) website: Option<LitStr>,
    pub(crate) icons: Vec<Expr>,
    pub(crate) instructions: Option<TokenStream>,
    pub(crate) model: Option<Type>,
    pub(crate) message: Option<Type>,
    pub(crate) principal: Option<Type>,
    pub(crate) parts: Vec<Path>,
}

/// A name, at the literal that gives it or at the item that it comes from.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A method that is offered.
pub(crate) struct Entry {
    pub(crate) cfg: Vec<Attribute>,
    pub(crate) method: Ident,
    pub(crate) has_self: bool,
    pub(crate) run: Run,
    pub(crate) params: Vec<Param>,
    pub(crate) input: Input,
    /// The return type as it may be written in an expression.
    pub(crate) returns: Type,
    pub(crate) name: Name,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: TokenStream,
    pub(crate) available: Option<Hook>,
    pub(crate) authorize: Option<Hook>,
    pub(crate) scopes: Vec<LitStr>,
    pub(crate) extras: Extras,
    pub(crate) offer: Offer,
}

/// What is said of an entry beside what it is.
#[derive(Default)]
pub(crate) struct Extras {
    pub(crate) icons: Vec<Expr>,
    pub(crate) meta: Vec<(LitStr, Expr)>,
}

impl Entry {
    /// Where errors about the result belong: at its type, or at the name of a method without one.
    pub(crate) fn returns_at(&self) -> Span {
        match &self.returns {
            Type::Tuple(tuple) if tuple.elems.is_empty() => self.method.span(),
            ty => ty.span(),
        }
    }
}

impl Entry {
    /// Whether the arguments are one type, which a schema that is written by hand describes.
    pub(crate) fn is_read_by_written(&self) -> bool {
        let Offer::Capability(capability) = &self.offer else { return false };
        matches!(self.input, Input::Whole(_))
            && capability.written.iter().any(|(word, _)| word == "input_schema")
    }
}

/// Where a method runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Run {
    Async,
    Inline,
    Blocking,
}

/// What a method is offered as.
pub(crate) enum Offer {
    Capability(Box<Capability>),
    Resource(Resource),
    Prompt,
    Context,
}

/// What only a resource has.
pub(crate) struct Resource {
    pub(crate) uri: Option<LitStr>,
    /// Whether the uri has variables, which the arguments are the values of.
    pub(crate) is_template: bool,
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) cache: Option<Cache>,
    pub(crate) size: Option<u64>,
    /// For whom it is: `user`, `assistant`.
    pub(crate) audience: Vec<Ident>,
    pub(crate) priority: Option<f64>,
}

/// What only a capability has.
pub(crate) struct Capability {
    pub(crate) completion: Option<Completion>,
    pub(crate) timeout: Option<Duration>,
    /// The uri of the view that shows its results.
    pub(crate) ui: Option<LitStr>,
    pub(crate) app_only: bool,
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) concurrency: Option<usize>,
    pub(crate) task: Option<Task>,
    /// The builder's method and its value.
    pub(crate) hints: Vec<(Ident, bool)>,
    /// The builder's method for a schema that is written by hand, and the schema.
    pub(crate) written: Vec<(Ident, Expr)>,
    pub(crate) open: bool,
    pub(crate) coerce: bool,
}

/// How a call becomes a task.
pub(crate) struct Task {
    /// The variant of `TaskMode`.
    pub(crate) mode: Ident,
    /// Whether the body says when the task begins.
    pub(crate) begins: bool,
}

/// A closure or a function, and the option's word.
pub(crate) struct Hook {
    pub(crate) key: Span,
    pub(crate) expr: Expr,
}

/// A completion, and the option's word.
pub(crate) struct Completion {
    pub(crate) key: Span,
    pub(crate) fact: Fact,
}

/// A parameter behind the receiver.
pub(crate) enum Param {
    /// Taken by reference: the context.
    Context { cfg: Vec<Attribute>, pointee: Box<Type> },
    /// Taken by value: the argument with this number.
    Argument(usize),
}

/// Where the arguments come from.
pub(crate) enum Input {
    /// A struct that we make, a field for each argument; none without arguments.
    Fields(Ident, Vec<Field>),
    /// The type of an `#[args]` parameter.
    Whole(Box<Type>),
}

/// An argument.
pub(crate) struct Field {
    pub(crate) cfg: Vec<Attribute>,
    /// Doc comments, serde's and schemars' attributes.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The type parameter that stands for `ty` in the struct.
    pub(crate) param: Option<Ident>,
    /// A bare `#[serde(default)]` on a type parameter.
    pub(crate) default: bool,
    /// What the caller calls it.
    pub(crate) name: String,
    /// The header that repeats it.
    pub(crate) header: Option<LitStr>,
    /// Where suggestions for its values come from.
    pub(crate) suggest: Option<Expr>,
    /// Whether `ty` itself is read; otherwise serde's `with` reads it.
    pub(crate) plain: bool,
}
