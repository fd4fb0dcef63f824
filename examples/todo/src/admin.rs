//! The part of the contract that is for administrators.

use agent_mcp::{Caller, Context, Denied, Failure, Form, agent, data};

use crate::agent::TodoAgent;
use crate::model::{Filter, Todo};
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

/// What the person is asked before several todos go.
#[derive(Form)]
struct Forgetting {
    /// They do not go to the archive.
    #[form(title = "Forget them for good", default = false)]
    forget: bool,
}

#[agent(part = Admin)]
impl TodoAgent {
    /// Forget everything that is done. It does not go to the archive, so the person is asked if it is more than one.
    #[capability(
        available = |model, user| user.may_administer && model.todos.iter().any(|todo| todo.done),
        authorize = is_administrator,
        destructive,
    )]
    async fn clear_completed(cx: &Context<Self>) -> Result<Message, Failure> {
        let todos = cx.model().todos.iter();
        let done: Vec<_> = todos.filter(|todo| Filter::Done.shows(todo)).collect();
        // One is quickly written down again.
        if done.len() > 1 {
            // It names them: where others are done in the meantime, this is another question and is asked anew.
            let answer: Forgetting = cx.ask("forget", question(&done)).await?;
            if !answer.forget {
                return Err(Failure::say("the user wants to keep them"));
            }
        }
        Ok(Message::Cleared)
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

fn question(done: &[&Todo]) -> String {
    let titles: Vec<_> = done.iter().map(|todo| todo.title.as_str()).collect();
    format!("Forget {} todos that are done? {}", done.len(), titles.join(", "))
}

fn is_administrator(call: &Caller<TodoAgent>) -> Result<(), Denied> {
    if call.principal.may_administer {
        Ok(())
    } else {
        Err(Denied::because("this is for administrators"))
    }
}
