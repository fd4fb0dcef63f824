//! What a prompt is filled in with, and what it suggests.

use agent_mcp::{Context, agent};

struct Desk;
struct Paper;

fn numbers(_: &Context<Desk>, _: &str) -> Vec<u32> {
    Vec::new()
}

#[agent]
impl Desk {
    /// Texts are suggested.
    #[prompt]
    async fn count(&self, #[suggest(numbers)] how: String) -> String {
        how
    }

    /// Something that can be read.
    #[prompt]
    async fn write(&self, on: Paper) -> String {
        let _ = on;
        String::new()
    }

    /// Something that can be shown.
    #[prompt]
    async fn fold(&self) -> Paper {
        Paper
    }
}

fn main() {}
