//! Rules that need more than one option or item.

pub(crate) mod hooks;
pub(crate) mod names;
pub(crate) mod offers;
pub(crate) mod signature;
pub(crate) mod uris;

use crate::{diag::Bag, model::Agent, parse::item::Block};

/// Checks the whole; what breaks a rule is dropped from the agent.
pub(crate) fn agent(agent: &mut Agent, block: &mut Block, bag: &mut Bag) {
    hooks::check_message(agent, bag);
    names::check(agent, bag);
    uris::check(agent, bag);
    offers::check(agent, block, bag);
}
