//! A resource, or the context: its data and the code behind it.

use std::sync::Arc;

use super::{
    agent::{Agent, Declaration, DeclarationError, Reason},
    context::{Call, Context},
    hooks::{BoxFuture, Verdict},
    method::{ReturnKind, Returned, Running},
    steps::Authorize,
};
use crate::contract::{ContextDescriptor, Extras, ResourceDescriptor};

/// One resource, or the context: its data and its code.
pub struct ResourceEntry<A: Agent> {
    pub(crate) descriptor: ResourceDescriptor,
    pub(crate) authorize: Option<Box<Authorize<A, ()>>>,
    pub(crate) read: Box<Read<A>>,
}

type Read<A> = dyn Fn(Arc<A>, Context<A>) -> Running<<A as Agent>::Message> + Send + Sync;

/// Where what can be read is listed.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Resource,
    Context,
}

/// Declares one resource, or the context; generated code calls it.
#[must_use = "the resource is added by the last call: `run`, `run_inline` or `run_blocking`"]
pub struct ResourceBuilder<'d, A: Agent> {
    declaration: &'d mut Declaration<A>,
    place: Place,
    descriptor: ResourceDescriptor,
    kind: ReturnKind,
    authorize: Option<Box<Authorize<A, ()>>>,
}

impl<'d, A: Agent> ResourceBuilder<'d, A> {
    pub(super) fn new(
        declaration: &'d mut Declaration<A>,
        place: Place,
        name: &str,
        description: &str,
        kind: ReturnKind,
    ) -> Self {
        let mut descriptor = ResourceDescriptor::new(name, description);
        descriptor.mime_type = kind.mime_type.map(str::to_owned);
        Self { declaration, place, descriptor, kind, authorize: None }
    }

    /// The name for people.
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// Where it is read, in place of `app://` and its name.
    pub fn uri(mut self, uri: &str) -> Self {
        self.descriptor.uri = uri.to_owned();
        self
    }

    /// The type of what is read.
    pub fn mime_type(mut self, mime_type: &str) -> Self {
        self.descriptor.mime_type = Some(mime_type.to_owned());
        self
    }

    /// What is said of it beside what it is.
    pub fn extras(mut self, extras: Extras) -> Self {
        self.descriptor.extras = extras;
        self
    }

    /// The caller may read the resource when `hook` says so (O39).
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, ()>) -> Verdict<'a> + Send + Sync + 'static,
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

    /// Ends the declaration with an `async` method.
    pub fn run<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>) -> BoxFuture<'static, Returned<A::Message>>
            + Send
            + Sync
            + 'static,
    {
        self.finish(Box::new(move |agent, cx| Running::Future(method(agent, cx))));
    }

    /// Ends the declaration with a method that is quick and runs where the read is.
    pub fn run_inline<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>) -> Returned<A::Message> + Send + Sync + 'static,
    {
        self.finish(Box::new(move |agent, cx| Running::Ready(method(agent, cx))));
    }

    /// Ends the declaration with a method that may block.
    pub fn run_blocking<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>) -> Returned<A::Message> + Send + Sync + 'static,
    {
        let method = Arc::new(method);
        self.finish(Box::new(move |agent, cx| {
            let method = method.clone();
            Running::Blocking(Box::new(move || method(agent, cx)))
        }));
    }

    fn finish(self, read: Box<Read<A>>) {
        let Self { declaration, place, mut descriptor, kind, authorize } = self;
        let failed = |entry, error: Reason| Err(DeclarationError { entry, error });
        let entry = match (kind.schema)() {
            Ok(schema) => {
                descriptor.schema = schema.map(|schema| schema.json().clone());
                Ok(ResourceEntry { descriptor, authorize, read })
            }
            Err(error) => failed(descriptor.name, error.into()),
        };
        match place {
            Place::Resource => declaration.resources.push(entry),
            // Two blocks of one agent each have one, which no macro could see.
            Place::Context if declaration.context.is_some() => {
                declaration.context = Some(failed("context".to_owned(), Reason::SecondContext));
            }
            Place::Context => declaration.context = Some(entry),
        }
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
