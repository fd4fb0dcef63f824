//! A server with everything that the protocol has: what the official conformance suite asks for.

mod asking;
mod changes;
mod content;
mod jobs;
mod prompts;
mod replies;
mod resources;
mod rounds;
mod skills;
mod state;

use agent_mcp::{Server, Store, skills::SkillsError};

use crate::{
    asking::Asking,
    changes::Changing,
    content::Contents,
    jobs::Jobs,
    prompts::Prompts,
    replies::Replies,
    resources::Resources,
    rounds::Rounds,
    state::{Model, update},
};

/// The server.
///
/// The order of the agents and of what each declares is that of the lists, and the suite depends on it: it
/// calls the first tool without arguments and reads the first resource.
///
/// # Errors
///
/// When its skills cannot be read.
pub fn server() -> Result<Server, SkillsError> {
    let store = Store::new(Model::default(), update);
    let server = Server::new(Contents)
        .with_bound(Resources, store.clone())
        .with(Prompts)
        .with(Replies)
        .with(Asking)
        .with(Rounds)
        .with(Jobs)
        .with_bound(Changing, store)
        .name("conformance-server")
        .version(env!("CARGO_PKG_VERSION"))
        .skills(skills::skills()?);
    Ok(server)
}
