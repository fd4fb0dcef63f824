//! Sources of suggestions.

use agent_mcp::agent;

struct Desk;


#[agent]
impl Desk {
    /// A model reads the schema.
    #[capability]
    async fn ring(&self, #[suggest(|_, _| ["a"])] how: String) -> String {
        how
    }

    /// A source is code.
    #[prompt]
    async fn quote(&self, #[suggest("a")] how: String) -> String {
        how
    }

    /// It takes what is typed.
    #[prompt]
    async fn shout(&self, #[suggest(|_| ["a"])] how: String) -> String {
        how
    }

    #[prompt(availble = |_| true)]
    async fn whisper(&self, how: String) -> String {
        how
    }
}

fn main() {}
