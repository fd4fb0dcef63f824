//! What exists for a caller at the moment.

use std::any::TypeId;

use super::{
    agent::Agent,
    bound::{Bound, Declared},
    hooks::{Available, Standing},
    invocation::InvocationId,
};
use crate::contain::contained;

/// Whether each entry of each list of a contract exists for a caller now, in the order of declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Availability {
    /// The capabilities.
    pub capabilities: Vec<bool>,
    /// The resources, templates among them.
    pub resources: Vec<bool>,
    /// The prompts.
    pub prompts: Vec<bool>,
}

/// Of what the hosts of a server tell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tells {
    /// Some capability comes and goes.
    pub(crate) capabilities: bool,
    /// Some resource does.
    pub(crate) resources: bool,
    /// Some prompt does.
    pub(crate) prompts: bool,
    /// What is read of a resource may change.
    pub(crate) reads: bool,
}

impl std::ops::BitOrAssign for Tells {
    fn bitor_assign(&mut self, other: Self) {
        self.capabilities |= other.capabilities;
        self.resources |= other.resources;
        self.prompts |= other.prompts;
        self.reads |= other.reads;
    }
}

impl<A: Agent> Declared<A> {
    fn hooks(&self) -> impl Iterator<Item = &Available<A>> {
        let capabilities = self.capabilities.iter().map(|it| &it.entry.available);
        let resources = self.resources.iter().map(|it| &it.available);
        capabilities.chain(resources).chain(self.prompts.iter().map(|it| &it.available))
    }

    /// Whether something comes and goes.
    pub(super) fn has_conditions(&self) -> bool {
        self.hooks().any(|hook| !matches!(hook, Available::Always))
    }

    /// Whether what exists depends on who asks.
    pub(super) fn depends_on_principal(&self) -> bool {
        self.hooks().any(|hook| matches!(hook, Available::ByCaller(_)))
    }

    /// Of what a host would tell that tells of changes.
    pub(super) fn may_tell(&self) -> Tells {
        let comes_and_goes = |hook: &Available<A>| !matches!(hook, Available::Always);
        // What is its own Model has no host, and nobody who tells.
        let has_host = TypeId::of::<A::Model>() != TypeId::of::<A>();
        Tells {
            capabilities: self.capabilities.iter().any(|it| comes_and_goes(&it.entry.available)),
            resources: self.resources.iter().any(|it| comes_and_goes(&it.available)),
            prompts: self.prompts.iter().any(|it| comes_and_goes(&it.available)),
            reads: has_host && (self.context.is_some() || !self.resources.is_empty()),
        }
    }
}

impl<A: Agent> Bound<A> {
    pub(super) fn stands(
        hook: &Available<A>,
        model: &A::Model,
        principal: &A::Principal,
    ) -> Result<Standing, String> {
        contained(|| match hook {
            Available::Always => Ok(()),
            Available::ByModel(hook) => hook(model),
            Available::ByCaller(hook) => hook(model, principal),
        })
    }

    /// Appends a bit for each entry.
    pub(super) fn add_availability(&self, principal: &A::Principal, bits: &mut Availability) {
        let declared = &self.declared;
        let (capabilities, resources) = (declared.capabilities.len(), declared.resources.len());
        let mut all = |bit| {
            bits.capabilities.extend(std::iter::repeat_n(bit, capabilities));
            bits.resources.extend(std::iter::repeat_n(bit, resources));
            bits.prompts.extend(std::iter::repeat_n(bit, declared.prompts.len()));
        };
        if !declared.has_conditions() {
            return all(true);
        }
        let Ok(model) = contained(|| self.host.model()) else { return all(false) };
        let bit = |hook: &Available<A>, name: &str| {
            // O18, B132: one failing predicate hides its own entry and nothing else.
            let standing = Self::stands(hook, &model, principal);
            standing.map(|standing| standing.is_ok()).unwrap_or_else(|panic| {
                let reference = InvocationId::fresh();
                tracing::error!(%reference, name, panic, "`available` panicked");
                false
            })
        };
        bits.capabilities.extend(
            declared
                .capabilities
                .iter()
                .map(|it| bit(&it.entry.available, &it.entry.descriptor.name)),
        );
        bits.resources
            .extend(declared.resources.iter().map(|it| bit(&it.available, &it.descriptor.name)));
        bits.prompts
            .extend(declared.prompts.iter().map(|it| bit(&it.available, &it.descriptor.name)));
    }
}
