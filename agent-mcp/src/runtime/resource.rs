//! A resource, or the context: its data and the code behind it.

use std::sync::Arc;

use super::{
    agent::{Agent, DeclarationError},
    context::{Call, Context},
    hooks::{BoxFuture, Verdict},
    method::{ReturnKind, Returned, Running},
    steps::Authorize,
};
use crate::contract::{ContextDescriptor, ResourceDescriptor};

/// One resource, or the context: its data and its code.
pub struct ResourceEntry<A: Agent> {
    pub(crate) descriptor: ResourceDescriptor,
    pub(crate) authorize: Option<Box<Authorize<A, ()>>>,
    pub(crate) read: Box<Read<A>>,
}

type Read<A> = dyn Fn(Arc<A>, Context<A>) -> Running<<A as Agent>::Message> + Send + Sync;

/// Declares one resource; generated code calls it.
pub struct ResourceBuilder<A: Agent> {
    descriptor: ResourceDescriptor,
    kind: ReturnKind,
    authorize: Option<Box<Authorize<A, ()>>>,
}

impl<A: Agent> ResourceBuilder<A> {
    /// Begins the resource `name`.
    #[must_use]
    pub fn new(name: &str, description: &str, kind: ReturnKind) -> Self {
        Self { descriptor: ResourceDescriptor::new(name, description), kind, authorize: None }
    }

    /// The name for people.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// The caller may read the resource when `hook` says so (O39).
    #[must_use]
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, ()>) -> Verdict<'a> + Send + Sync + 'static,
    {
        self.authorize = Some(Box::new(hook));
        self.descriptor.authorized = true;
        self
    }

    /// Ends the declaration with an `async` method.
    pub fn run<F>(self, method: F) -> Result<ResourceEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>) -> BoxFuture<'static, Returned<A::Message>>
            + Send
            + Sync
            + 'static,
    {
        self.build(Box::new(move |agent, cx| Running::Future(method(agent, cx))))
    }

    /// Ends the declaration with a method that is quick and runs where the read is.
    pub fn run_inline<F>(self, method: F) -> Result<ResourceEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>) -> Returned<A::Message> + Send + Sync + 'static,
    {
        self.build(Box::new(move |agent, cx| Running::Ready(method(agent, cx))))
    }

    /// Ends the declaration with a method that may block.
    pub fn run_blocking<F>(self, method: F) -> Result<ResourceEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>) -> Returned<A::Message> + Send + Sync + 'static,
    {
        let method = Arc::new(method);
        self.build(Box::new(move |agent, cx| {
            let method = method.clone();
            Running::Blocking(Box::new(move || method(agent, cx)))
        }))
    }

    fn build(mut self, read: Box<Read<A>>) -> Result<ResourceEntry<A>, DeclarationError> {
        let schema = (self.kind.schema)()
            .map_err(|error| DeclarationError { entry: self.descriptor.name.clone(), error })?;
        self.descriptor.schema = schema.map(|schema| schema.json().clone());
        Ok(ResourceEntry { descriptor: self.descriptor, authorize: self.authorize, read })
    }
}

impl<A: Agent> ResourceEntry<A> {
    pub(crate) fn as_context(&self) -> ContextDescriptor {
        ContextDescriptor {
            description: self.descriptor.description.clone(),
            schema: self.descriptor.schema.clone(),
        }
    }
}
