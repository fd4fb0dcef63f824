//! A module that forbids much.
#![forbid(unsafe_code, missing_docs, unused_must_use, unreachable_pub)]
#![deny(warnings, rust_2018_idioms, unused)]

use agent_mcp::{Choice, Context, Form, Unanswered, agent, data};

struct Desk;

/// Instructions.
#[agent]
impl Desk {
    /// Takes and gives.
    #[capability(read_only)]
    async fn take(&self, item: Option<String>, #[serde(default)] more: u8) -> Option<String> {
        let _ = more;
        item
    }

    /// Orders.
    #[capability(available = |_| true, authorize = |call| call.input.order.number > 0)]
    async fn order(&self, cx: &Context<Self>, order: Order) -> Result<Order, Unanswered> {
        let Sheet { size } = cx.ask("sheet", "Which?").await?;
        Ok(Order { size, ..order })
    }

    /// Plans.
    #[prompt]
    fn plan(&self, #[suggest(|_, _| ["monday"])] day: String) -> String {
        day
    }

    /// Shows.
    #[resource(uri = "desk://{row}")]
    fn show(&self, row: u32) -> Option<String> {
        Some(row.to_string())
    }
}

#[data]
struct Order {
    number: u32,
    #[serde(default)]
    size: Size,
    notes: Vec<Note>,
}

#[data]
struct Note(String);

#[data]
#[derive(Choice, Default)]
enum Size {
    #[default]
    Small,
    Large,
}

#[derive(Form)]
struct Sheet {
    size: Size,
}

/// Serves.
pub(crate) fn main() {
    drop(agent_mcp::Server::new(Desk));
}
