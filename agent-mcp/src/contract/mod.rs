//! What is offered: static data, with no word about protocols, transports or providers.
//!
//! A [`Contract`] is made once, by the macros or by hand, and feeds every adapter. It is computed
//! without a Model or a host, so it can be tested, diffed in review ([`Contract::manifest`]) and
//! read ([`Contract::markdown`]) without running anything. [`Contract::validate`] says what makes
//! it unusable, [`Contract::lint`] what makes some client stumble.

mod check;
mod descriptor;
mod error;
mod extras;
mod header;
mod icon;
mod lint;
mod manifest;
mod markdown;
mod meta;
mod name;
mod notes;
mod prompt;
mod template;
mod view;

pub use descriptor::{
    Annotations, CacheHint, CapabilityDescriptor, CompletionDescriptor, CompletionKind,
    ContextDescriptor, Contract, ResourceDescriptor, TaskMode,
};
pub use error::{ContractError, Fault, Item, Place};
pub use extras::Extras;
pub use header::HeaderError;
pub(crate) use header::{HEADER, repeated, without as without_headers};
pub use icon::{Icon, IconError, Theme};
pub use lint::{Lint, LintLevel};
pub use meta::{MetaKeyError, MetaMap, check_meta_key};
pub use name::{MAX_NAME, NameError, check_name, name_of_variant};
pub use notes::{Audience, Notes};
pub use prompt::{PromptArgument, PromptDescriptor};
pub use template::{TemplateError, UriTemplate};
pub use view::{Permission, VIEW_TYPE, View};
pub(crate) use view::{VIEW_META, VIEW_SCHEME};
