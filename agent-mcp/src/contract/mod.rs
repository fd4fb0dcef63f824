//! What is offered: static data, with no word about protocols, transports or providers.
//!
//! A [`Contract`] is made once, by the macros or by hand, and feeds every adapter. It is computed without a Model or
//! a host, so it can be tested, diffed in review ([`Contract::manifest`]) and read ([`Contract::markdown`]) without
//! running anything.

mod descriptor;

pub use descriptor::{
    Annotations, CapabilityDescriptor, CompletionDescriptor, CompletionKind, ContextDescriptor,
    Contract, ResourceDescriptor,
};
mod pending;
pub use pending::ContractError;
