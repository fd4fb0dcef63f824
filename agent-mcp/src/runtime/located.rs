//! Where things are read: fixed addresses, and templates of them.

use std::collections::HashMap;

use bytes::Bytes;

use super::bound::Readable;
use crate::contract::{ContextDescriptor, Contract, UriTemplate};

/// What there is to read, by address.
#[derive(Default)]
pub(crate) struct Addresses {
    fixed: HashMap<String, Place>,
    /// In the order of declaration.
    templates: Vec<(UriTemplate, Place)>,
}

/// What is read at an address.
#[derive(Clone, Copy)]
struct Place {
    agent: usize,
    what: Readable,
    /// Its number among all resources of the server.
    number: Option<usize>,
}

/// What an address means.
#[derive(Clone)]
pub(crate) struct Located {
    pub(super) agent: usize,
    pub(super) what: Readable,
    /// The values of a template's variables, as a JSON object of texts.
    pub(super) arguments: Bytes,
    /// Its number among all resources of the contract; none for the context.
    pub(crate) number: Option<usize>,
}

impl Addresses {
    pub(super) fn new(contracts: &[Contract]) -> Self {
        let mut addresses = Self::default();
        let mut count = 0;
        for (agent, contract) in contracts.iter().enumerate() {
            for (index, resource) in contract.resources.iter().enumerate() {
                let place = Place { agent, what: Readable::Resource(index), number: Some(count) };
                count += 1;
                // What is no template, though it looks like one, is a fault of the contract.
                if let Ok(template) = UriTemplate::new(&resource.uri)
                    && resource.is_template()
                {
                    addresses.templates.push((template, place));
                } else {
                    addresses.fixed.insert(resource.uri.clone(), place);
                }
            }
        }
        for (agent, contract) in contracts.iter().enumerate() {
            if contract.context.is_some() {
                let place = Place { agent, what: Readable::Context, number: None };
                addresses.fixed.entry(ContextDescriptor::URI.to_owned()).or_insert(place);
            }
        }
        addresses
    }

    /// What is read at `uri`. What is declared there wins over a template, and a template over those that are
    /// declared after it.
    pub(super) fn locate(&self, uri: &str) -> Option<Located> {
        let (place, arguments) = match self.fixed.get(uri) {
            Some(place) => (place, Bytes::from_static(b"{}")),
            None => self.templates.iter().find_map(|(template, place)| {
                Some((place, object(template, &template.values(uri)?)))
            })?,
        };
        let Place { agent, what, number } = *place;
        Some(Located { agent, what, arguments, number })
    }
}

impl Addresses {
    /// The agent and the number of a template, by its text.
    pub(super) fn template(&self, text: &str) -> Option<(usize, usize)> {
        let (_, place) = self.templates.iter().find(|(template, _)| template.as_str() == text)?;
        match place.what {
            Readable::Resource(index) => Some((place.agent, index)),
            Readable::Context => None,
        }
    }
}

fn object(template: &UriTemplate, values: &[String]) -> Bytes {
    let members = template.variables().zip(values);
    let object: serde_json::Map<_, _> =
        members.map(|(name, value)| (name.to_owned(), value.as_str().into())).collect();
    serde_json::Value::Object(object).to_string().into()
}
