//! A prompt: its data and the code behind it.

mod message;
mod suggest;

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;

pub(crate) use self::suggest::Suggest;
pub use self::{
    message::{PromptMessage, Role},
    suggest::{IntoSuggestions, Suggested, Suggestions},
};
use super::{
    agent::{Agent, Declaration, DeclarationError, Reason},
    context::{Call, Context},
    hooks::{Available, BoxFuture, Verdict},
    method::{ReturnKind, Returned, Running},
    steps::{Authorize, InputCodec, Run, Shared, Steps, Typed},
};
use crate::{
    contract::{Extras, PromptArgument, PromptDescriptor},
    schema::{InputOptions, InputSchema},
};

/// One prompt: its data and its code.
pub struct PromptEntry<A: Agent> {
    pub(crate) descriptor: PromptDescriptor,
    pub(crate) available: Available<A>,
    pub(crate) steps: Box<dyn Steps<A>>,
    pub(crate) suggest: Sources<A>,
}

/// Where suggestions for values come from, by argument.
pub(crate) type Sources<A> = BTreeMap<String, Box<Suggest<A>>>;

/// Declares one prompt; generated code calls it.
#[must_use = "the prompt is added by the last call: `run`, `run_inline` or `run_blocking`"]
pub struct PromptBuilder<'d, A: Agent, I> {
    declaration: &'d mut Declaration<A>,
    descriptor: PromptDescriptor,
    codec: InputCodec<I>,
    dispatches: bool,
    /// The names of the arguments in the order of declaration.
    order: Vec<String>,
    available: Available<A>,
    authorize: Option<Box<Authorize<A, I>>>,
    suggest: Sources<A>,
}

impl<'d, A: Agent, I: Send + Sync + 'static> PromptBuilder<'d, A, I> {
    pub(super) fn new(
        declaration: &'d mut Declaration<A>,
        name: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: &ReturnKind,
    ) -> Self {
        Self {
            declaration,
            dispatches: kind.dispatches,
            descriptor: PromptDescriptor::new(name, description),
            codec,
            order: Vec::new(),
            available: Available::Always,
            authorize: None,
            suggest: BTreeMap::new(),
        }
    }

    /// The name for people.
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// The names of the arguments, in the order in which people see them.
    pub fn arguments(mut self, names: &[&str]) -> Self {
        self.order = names.iter().map(|&name| name.to_owned()).collect();
        self
    }

    /// What is said of it beside what it is.
    pub fn extras(mut self, extras: Extras) -> Self {
        self.descriptor.extras = extras;
        self
    }

    /// The prompt exists while `hook` says so.
    pub fn available(mut self, hook: Available<A>) -> Self {
        self.available = hook;
        self.descriptor.conditional = true;
        self
    }

    /// The caller may use the prompt when `hook` says so.
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, I>) -> Verdict<'a> + Send + Sync + 'static,
    {
        self.authorize = Some(Box::new(hook));
        self.descriptor.authorized = true;
        self
    }

    /// The caller's credentials must carry these scopes.
    pub fn scopes(mut self, scopes: &[&str]) -> Self {
        self.descriptor.scopes = scopes.iter().map(|&scope| scope.to_owned()).collect();
        self
    }

    /// Values of the argument are suggested by `source`.
    pub fn suggest<F>(mut self, argument: &str, source: F) -> Self
    where
        F: for<'a> Fn(&'a Context<A>, &'a str, &'a Suggested) -> Suggestions<'a>
            + Send
            + Sync
            + 'static,
    {
        self.suggest.insert(argument.to_owned(), Box::new(source));
        self
    }

    /// Ends the declaration with an `async` method.
    pub fn run<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>, I) -> BoxFuture<'static, Returned<A::Message>>
            + Send
            + Sync
            + 'static,
    {
        self.finish(Box::new(move |agent, cx, input| Running::Future(method(agent, cx, input))));
    }

    /// Ends the declaration with a method that is quick and runs where the request is.
    pub fn run_inline<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        self.finish(Box::new(move |agent, cx, input| Running::Ready(method(agent, cx, input))));
    }

    /// Ends the declaration with a method that may block.
    pub fn run_blocking<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        let method = Arc::new(method);
        self.finish(Box::new(move |agent, cx, input| {
            let method = method.clone();
            Running::Blocking(Box::new(move || method(agent, cx, input)))
        }));
    }

    fn finish(self, run: Box<Run<A, I>>) {
        let Self { declaration, mut descriptor, codec, order, available, authorize, .. } = self;
        let mut suggest = self.suggest;
        let described = (codec.schema)(TEXTS).map_err(Reason::from).and_then(|input| {
            if self.dispatches {
                return Err(Reason::Dispatches);
            }
            descriptor.arguments = arguments(&input, &order, &mut suggest)?;
            Ok(input)
        });
        declaration.prompts.push(match described {
            Ok(input) => {
                let shared = Arc::new(Shared { authorize, fact: None, run });
                let steps = Box::new(Typed { input, decode: codec.decode, shared });
                Ok(PromptEntry { descriptor, available, steps, suggest })
            }
            Err(error) => Err(DeclarationError { entry: descriptor.name, error }),
        });
    }
}

/// The values of arguments are texts, which are read as what they spell.
const TEXTS: InputOptions = InputOptions { open: false, coerce: true };

/// The arguments as the schema has them: those that are named first, in that order.
fn arguments<A: Agent>(
    input: &InputSchema,
    order: &[String],
    suggest: &mut Sources<A>,
) -> Result<Vec<PromptArgument>, Reason> {
    let schema = input.json();
    suggest_values(schema, suggest);
    let Some(properties) = schema["properties"].as_object() else { return Ok(Vec::new()) };
    let named = order.iter().filter(|name| properties.contains_key(*name));
    let others = properties.keys().filter(|name| !order.contains(name));
    let mut arguments = Vec::with_capacity(properties.len());
    for name in named.chain(others) {
        let property = &properties[name];
        if !is_text(property) {
            return Err(Reason::NotText(name.clone()));
        }
        let mut argument = PromptArgument::new(name.clone());
        argument.description = property["description"].as_str().map(str::to_owned);
        argument.required = schema["required"]
            .as_array()
            .is_some_and(|required| required.iter().any(|it| it == name.as_str()));
        argument.suggests = suggest.contains_key(name);
        arguments.push(argument);
    }
    Ok(arguments)
}

/// Suggests the values of fixed lists, where nothing else is said.
pub(super) fn suggest_values<A: Agent>(schema: &Value, suggest: &mut Sources<A>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let (false, Some(values)) = (suggest.contains_key(name), values(property)) {
            suggest.insert(name.clone(), suggest::of_values(values));
        }
    }
}

/// Whether a text can spell it.
pub(super) fn is_text(property: &Value) -> bool {
    property.get("enum").is_some()
        || property["type"]
            .as_str()
            .is_some_and(|kind| matches!(kind, "string" | "number" | "integer" | "boolean"))
}

/// The values of a fixed list.
fn values(property: &Value) -> Option<Vec<String>> {
    if property["type"] == "boolean" {
        return Some(vec!["true".to_owned(), "false".to_owned()]);
    }
    let values = property.get("enum")?.as_array()?;
    values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}
