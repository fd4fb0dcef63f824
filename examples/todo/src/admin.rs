//! The part of the contract that is for administrators.

use agent_mcp::{Caller, Context, Denied, agent, data};

use crate::agent::TodoAgent;
use crate::update::Message;

/// Something that was asked for.
#[data]
pub struct AuditLine {
    /// Who asked.
    pub caller: String,
    /// The capability or resource.
    pub target: String,
    /// How it ended.
    pub status: String,
}

#[agent(part = Admin)]
impl TodoAgent {
    /// Forget everything that is done. It does not go to the archive.
    #[capability(
        available = |model, user| user.may_administer && model.todos.iter().any(|todo| todo.done),
        authorize = is_administrator,
        destructive,
    )]
    fn clear_completed() -> Message {
        Message::Cleared
    }

    /// Who asked for what, and how it ended; oldest first.
    #[resource(authorize = is_administrator, inline)]
    fn audit(&self, _cx: &Context<Self>) -> Vec<AuditLine> {
        let line = |entry: agent_mcp::AuditEntry| AuditLine {
            caller: entry.principal.to_string(),
            target: entry.target,
            status: entry.status.as_str().to_owned(),
        };
        self.audit.entries().into_iter().map(line).collect()
    }
}

fn is_administrator(call: &Caller<TodoAgent>) -> Result<(), Denied> {
    if call.principal.may_administer {
        Ok(())
    } else {
        Err(Denied::because("this is for administrators"))
    }
}
