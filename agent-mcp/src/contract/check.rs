//! What is checked before a contract is served, alone or composed with others.

use std::collections::HashMap;

use super::{
    CapabilityDescriptor, ContextDescriptor, Contract, ContractError, Extras, Fault, Icon, Item,
    Place, PromptDescriptor, ResourceDescriptor, UriTemplate, VIEW_SCHEME, VIEW_TYPE,
    check_meta_key, check_name, header::repeated,
};

impl Contract {
    /// Checks that names are allowed and unique, that everything is described, and that uris are
    /// uris.
    ///
    /// # Errors
    ///
    /// All faults at once.
    pub fn validate(&self) -> Result<(), ContractError> {
        check(std::slice::from_ref(self))
    }

    /// Makes one contract of several, in their order.
    ///
    /// The first one gives its name, title, version, website and icons, as far as it has them; instructions are
    /// joined.
    ///
    /// # Errors
    ///
    /// Each contract's own faults, and what two of them have in common: a capability's or a
    /// resource's name, a uri, the context.
    pub fn merge(contracts: impl IntoIterator<Item = Self>) -> Result<Self, ContractError> {
        let contracts: Vec<Self> = contracts.into_iter().collect();
        check(&contracts)?;
        let mut contracts = contracts.into_iter();
        let mut merged = contracts.next().unwrap_or_default();
        for other in contracts {
            merged.title = merged.title.or(other.title);
            merged.version = merged.version.or(other.version);
            merged.website = merged.website.or(other.website);
            if merged.icons.is_empty() {
                merged.icons = other.icons;
            }
            merged.instructions = match (merged.instructions, other.instructions) {
                (Some(before), Some(more)) => Some(format!("{before}\n\n{more}")),
                (before, more) => before.or(more),
            };
            merged.dotted_names |= other.dotted_names;
            merged.capabilities.extend(other.capabilities);
            merged.resources.extend(other.resources);
            merged.prompts.extend(other.prompts);
            merged.context = merged.context.or(other.context);
        }
        Ok(merged)
    }
}

fn check(contracts: &[Contract]) -> Result<(), ContractError> {
    let mut check = Check::default();
    for contract in contracts {
        check.contract(contract);
    }
    for contract in contracts {
        check.views(contract);
    }
    ContractError::from_faults(check.faults)
}

/// What has been seen so far.
#[derive(Default)]
struct Check<'a> {
    faults: Vec<Fault>,
    capabilities: HashMap<&'a str, Place>,
    resources: HashMap<&'a str, Place>,
    prompts: HashMap<&'a str, Place>,
    uris: HashMap<&'a str, Place>,
}

impl<'a> Check<'a> {
    fn contract(&mut self, contract: &'a Contract) {
        if contract.name.trim().is_empty() {
            self.faults.push(Fault::NoName);
        }
        self.icons(&contract.icons, &Place { agent: contract.name.clone(), item: Item::Agent });
        for capability in &contract.capabilities {
            self.capability(contract, capability);
        }
        for resource in &contract.resources {
            self.resource(contract, resource);
        }
        for prompt in &contract.prompts {
            self.prompt(contract, prompt);
        }
        if contract.context.is_some() {
            let place = Place { agent: contract.name.clone(), item: Item::Context };
            self.uri(ContextDescriptor::URI, place);
        }
    }

    /// The views that capabilities name; each may be another agent's.
    fn views(&mut self, contract: &'a Contract) {
        for capability in &contract.capabilities {
            let Some(uri) = &capability.ui else { continue };
            if !uri.starts_with(VIEW_SCHEME) || !self.uris.contains_key(&**uri) {
                let item = Item::Capability(capability.method.clone());
                let place = Place { agent: contract.name.clone(), item };
                self.faults.push(Fault::UnknownView { uri: uri.clone(), place });
            }
        }
    }

    fn extras(&mut self, extras: &Extras, place: &Place) {
        self.icons(&extras.icons, place);
        for key in extras.meta.keys() {
            if let Err(error) = check_meta_key(key) {
                let (key, place) = (key.clone(), place.clone());
                self.faults.push(Fault::MetaKey { key, place, error });
            }
        }
    }

    fn icons(&mut self, icons: &[Icon], place: &Place) {
        for icon in icons {
            if let Err(error) = icon.check() {
                let src = icon.src.chars().take(80).collect();
                self.faults.push(Fault::Icon { src, place: place.clone(), error });
            }
        }
    }

    fn capability(&mut self, contract: &'a Contract, capability: &'a CapabilityDescriptor) {
        let CapabilityDescriptor { name, method, description, .. } = capability;
        let item = Item::Capability(method.clone());
        let place = Place { agent: contract.name.clone(), item };
        if let Err(error) = check_name(name, contract.dotted_names) {
            let place = place.clone();
            self.faults.push(Fault::CapabilityName { name: name.clone(), place, error });
        }
        if description.trim().is_empty() {
            self.faults.push(Fault::NoDescription(place.clone()));
        }
        self.extras(&capability.extras, &place);
        for (argument, error) in repeated(&capability.input).1 {
            self.faults.push(Fault::Header { argument, place: place.clone(), error });
        }
        if let Some((first, second)) = taken(&mut self.capabilities, name, place) {
            let name = name.clone();
            self.faults.push(Fault::DuplicateCapability { name, first, second });
        }
    }

    fn resource(&mut self, contract: &'a Contract, resource: &'a ResourceDescriptor) {
        let ResourceDescriptor { name, description, uri, .. } = resource;
        let place = Place { agent: contract.name.clone(), item: Item::Resource(name.clone()) };
        if name.trim().is_empty() {
            self.faults.push(Fault::ResourceName(place));
            return;
        }
        if description.trim().is_empty() {
            self.faults.push(Fault::NoDescription(place.clone()));
        }
        self.extras(&resource.extras, &place);
        if uri.starts_with(VIEW_SCHEME) && resource.mime_type.as_deref() != Some(VIEW_TYPE) {
            self.faults.push(Fault::ViewType { place: place.clone() });
        }
        if let Some((first, second)) = taken(&mut self.resources, name, place.clone()) {
            let name = name.clone();
            self.faults.push(Fault::DuplicateResource { name, first, second });
            // One mistake, one fault: most often they share the uri, too.
        } else if UriTemplate::is_template(uri) {
            match UriTemplate::new(uri) {
                Ok(_) => self.uri(uri, place),
                Err(error) => {
                    self.faults.push(Fault::UriTemplate { uri: uri.clone(), place, error });
                }
            }
        } else if is_uri(uri) {
            self.uri(uri, place);
        } else {
            self.faults.push(Fault::Uri { uri: uri.clone(), place });
        }
    }

    fn prompt(&mut self, contract: &'a Contract, prompt: &'a PromptDescriptor) {
        let PromptDescriptor { name, description, .. } = prompt;
        let place = Place { agent: contract.name.clone(), item: Item::Prompt(name.clone()) };
        if let Err(error) = check_name(name, contract.dotted_names) {
            let (name, place) = (name.clone(), place.clone());
            self.faults.push(Fault::PromptName { name, place, error });
        }
        if description.trim().is_empty() {
            self.faults.push(Fault::NoDescription(place.clone()));
        }
        self.extras(&prompt.extras, &place);
        if let Some((first, second)) = taken(&mut self.prompts, name, place) {
            let name = name.clone();
            self.faults.push(Fault::DuplicatePrompt { name, first, second });
        }
    }

    fn uri(&mut self, uri: &'a str, place: Place) {
        if let Some((first, second)) = taken(&mut self.uris, uri, place) {
            self.faults.push(match (&first.item, &second.item) {
                (Item::Context, Item::Context) => Fault::SecondContext { first, second },
                _ => Fault::DuplicateUri { uri: uri.to_owned(), first, second },
            });
        }
    }
}

/// Notes the place; gives both when there was one already.
fn taken<'a>(
    seen: &mut HashMap<&'a str, Place>,
    key: &'a str,
    place: Place,
) -> Option<(Place, Place)> {
    if let Some(first) = seen.get(key) {
        return Some((first.clone(), place));
    }
    seen.insert(key, place);
    None
}

/// A scheme, a colon, and something that consists of what a uri may consist of.
// O27.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    is_scheme(scheme) && !rest.trim_start_matches('/').is_empty() && is_encoded(rest)
}

/// Whether a uri may begin like that; something follows where `goes_on`.
pub(super) fn is_beginning(text: &str, goes_on: bool) -> bool {
    match text.split_once(':') {
        Some((scheme, _)) if goes_on => is_scheme(scheme),
        _ => is_uri(text),
    }
}

// RES-9: RFC 3986, 3.1.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

pub(super) fn is_encoded(text: &str) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let allowed = match character {
            '%' => (0..2).all(|_| characters.next().is_some_and(|c| c.is_ascii_hexdigit())),
            c => c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=".contains(c),
        };
        if !allowed {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_uri;

    #[test]
    fn o27_what_is_a_uri() {
        for uri in ["app://todos", "file:///etc/hosts", "urn:isbn:1", "a+b://x?y=%20#z"] {
            assert!(is_uri(uri), "{uri}");
        }
        for uri in
            ["", "todos", "app://", "app:", "1a://x", "app://open todos", "app://%2", "app://ö"]
        {
            assert!(!is_uri(uri), "{uri}");
        }
    }
}
