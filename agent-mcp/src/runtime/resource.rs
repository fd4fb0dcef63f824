//! A resource, or the context: its data and the code behind it.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use super::{
    agent::{Agent, Declaration, DeclarationError, Reason},
    context::{Call, Context},
    hooks::{Available, BoxFuture, Verdict},
    method::{ReturnKind, Returned, Running},
    prompt::{self, Sources, Suggested, Suggestions},
    steps::{Authorize, InputCodec, Run, Shared, Steps, Typed},
};
use crate::{
    contract::{
        Audience, CacheHint, ContextDescriptor, Extras, ResourceDescriptor, UriTemplate,
        VIEW_SCHEME, VIEW_TYPE,
    },
    schema::{InputOptions, InputSchema},
};

/// One resource, or the context: its data and its code.
pub struct ResourceEntry<A: Agent> {
    pub(crate) descriptor: ResourceDescriptor,
    pub(crate) available: Available<A>,
    pub(crate) steps: Box<dyn Steps<A>>,
    pub(crate) suggest: Sources<A>,
}

/// Where what can be read is listed.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Resource,
    Context,
}

/// Declares one resource, or the context; generated code calls it.
#[must_use = "the resource is added by the last call: `run`, `run_inline` or `run_blocking`"]
pub struct ResourceBuilder<'d, A: Agent, I> {
    declaration: &'d mut Declaration<A>,
    place: Place,
    descriptor: ResourceDescriptor,
    codec: InputCodec<I>,
    kind: ReturnKind,
    available: Available<A>,
    authorize: Option<Box<Authorize<A, I>>>,
    suggest: Sources<A>,
}

impl<'d, A: Agent, I: Send + Sync + 'static> ResourceBuilder<'d, A, I> {
    pub(super) fn new(
        declaration: &'d mut Declaration<A>,
        place: Place,
        name: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: ReturnKind,
    ) -> Self {
        let mut descriptor = ResourceDescriptor::new(name, description);
        descriptor.mime_type = kind.mime_type.map(str::to_owned);
        Self {
            declaration,
            place,
            descriptor,
            codec,
            kind,
            available: Available::Always,
            authorize: None,
            suggest: Sources::new(),
        }
    }

    /// The name for people.
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// Where it is read, in place of `app://` and its name. With variables it is a template, and the
    /// method's arguments are their values.
    pub fn uri(mut self, uri: &str) -> Self {
        self.descriptor.uri = uri.to_owned();
        if uri.starts_with(VIEW_SCHEME) {
            self.descriptor.mime_type = Some(VIEW_TYPE.to_owned());
        }
        self
    }

    /// The type of what is read.
    pub fn mime_type(mut self, mime_type: &str) -> Self {
        self.descriptor.mime_type = Some(mime_type.to_owned());
        self
    }

    /// For how long what is read may be kept, and whether it is the same for every caller.
    pub fn cache(mut self, ttl: Duration, public: bool) -> Self {
        self.descriptor.cache = Some(CacheHint { ttl, public });
        self
    }

    /// What is said of it beside what it is.
    pub fn extras(mut self, extras: Extras) -> Self {
        self.descriptor.extras = extras;
        self
    }

    /// How many bytes are read.
    pub fn size(mut self, bytes: u64) -> Self {
        self.descriptor.size = Some(bytes);
        self
    }

    /// For whom it is.
    pub fn audience(mut self, audience: Audience) -> Self {
        self.descriptor.notes.add_audience(audience);
        self
    }

    /// How much it matters, from 0 to 1.
    pub fn priority(mut self, priority: f64) -> Self {
        self.descriptor.notes.set_priority(priority);
        self
    }

    /// The resource exists while `hook` says so.
    pub fn available(mut self, hook: Available<A>) -> Self {
        self.available = hook;
        self.descriptor.conditional = true;
        self
    }

    /// The caller may read the resource when `hook` says so (O39).
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, I>) -> Verdict<'a> + Send + Sync + 'static,
    {
        self.authorize = Some(Box::new(hook));
        self.descriptor.authorized = true;
        self
    }

    /// Values of the template's variable are suggested by `source`.
    pub fn suggest<F>(mut self, variable: &str, source: F) -> Self
    where
        F: for<'a> Fn(&'a Context<A>, &'a str, &'a Suggested) -> Suggestions<'a>
            + Send
            + Sync
            + 'static,
    {
        self.suggest.insert(variable.to_owned(), Box::new(source));
        self
    }

    /// The caller's credentials must carry these scopes.
    pub fn scopes(mut self, scopes: &[&str]) -> Self {
        self.descriptor.scopes = scopes.iter().map(|&scope| scope.to_owned()).collect();
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

    /// Ends the declaration with a method that is quick and runs where the read is.
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
        let (name, place) = (self.descriptor.name.clone(), self.place);
        let failed = |entry, error: Reason| Err(DeclarationError { entry, error });
        let (declaration, made) = self.entry(run);
        let entry = made.or_else(|error| failed(name, error));
        match place {
            Place::Resource => declaration.resources.push(entry),
            // Two blocks of one agent each have one, which no macro could see.
            Place::Context if declaration.context.is_some() => {
                declaration.context = Some(failed("context".to_owned(), Reason::SecondContext));
            }
            Place::Context => declaration.context = Some(entry),
        }
    }

    fn entry(
        self,
        run: Box<Run<A, I>>,
    ) -> (&'d mut Declaration<A>, Result<ResourceEntry<A>, Reason>) {
        let Self {
            declaration,
            mut descriptor,
            codec,
            kind,
            available,
            authorize,
            mut suggest,
            ..
        } = self;
        let schemas = || Ok::<_, Reason>(((codec.schema)(TEXTS)?, (kind.schema)()?));
        let made = schemas().and_then(|(input, output)| {
            descriptor.schema = output.map(|schema| schema.json().clone());
            descriptor.variables = variables(&descriptor.uri, &input)?;
            prompt::suggest_values(input.json(), &mut suggest);
            let shared = Arc::new(Shared { authorize, fact: None, run });
            let steps = Box::new(Typed { input, decode: codec.decode, shared });
            Ok(ResourceEntry { descriptor, available, steps, suggest })
        });
        (declaration, made)
    }
}

/// The values of an address are texts, which are read as what they spell.
const TEXTS: InputOptions = InputOptions { open: false, coerce: true };

/// The schema of a template's variables; none where there are none. Each argument is a variable, and the
/// other way round: the macro sees to it, except for what is in one type with all arguments.
fn variables(uri: &str, input: &InputSchema) -> Result<Option<Value>, Reason> {
    let arguments = input.json()["properties"].as_object();
    let arguments: Vec<_> = arguments.into_iter().flat_map(serde_json::Map::keys).collect();
    // What is no template is a fault of the contract, with all others.
    let template = UriTemplate::is_template(uri).then(|| UriTemplate::new(uri).ok()).flatten();
    let variables: Vec<_> = template.iter().flat_map(UriTemplate::variables).collect();
    if let Some(name) = variables.iter().find(|name| !arguments.iter().any(|it| *it == **name)) {
        return Err(Reason::NoArgument((*name).to_owned()));
    }
    let is_read = template.is_some() || !UriTemplate::is_template(uri);
    match arguments.iter().find(|name| !variables.contains(&name.as_str())) {
        Some(name) if is_read => return Err(Reason::NoVariable((*name).to_owned())),
        _ => {}
    }
    let properties = &input.json()["properties"];
    match variables.iter().find(|name| !prompt::is_text(&properties[**name])) {
        Some(name) => Err(Reason::NotText((*name).to_owned())),
        None => Ok(template.map(|_| input.json().clone())),
    }
}

impl<A: Agent> ResourceEntry<A> {
    pub(crate) fn as_context(&self) -> ContextDescriptor {
        ContextDescriptor {
            description: self.descriptor.description.clone(),
            mime_type: self.descriptor.mime_type.clone(),
            schema: self.descriptor.schema.clone(),
            scopes: self.descriptor.scopes.clone(),
        }
    }
}
