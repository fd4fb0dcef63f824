//! The programs that are compiled: the same tools, written as each framework wants them.

use std::fmt::Write as _;

/// A way to write tools.
pub(crate) struct Framework {
    pub(crate) name: &'static str,
    /// What the program depends on, as lines of its manifest. `{root}` is the folder of this workspace.
    pub(crate) dependencies: &'static str,
    before: &'static str,
    after: &'static str,
    /// What a tool needs before the block and in it; `{n}` is its number.
    outside: &'static str,
    inside: &'static str,
}

impl Framework {
    /// A program with so many tools, each of which may be told from the others by a number.
    pub(crate) fn program(&self, tools: usize) -> String {
        let mut outside = String::new();
        let mut inside = String::new();
        for tool in 0..tools {
            let number = format!("{tool:03}");
            let _ = writeln!(outside, "{}", self.outside.replace("{n}", &number));
            let _ = writeln!(inside, "{}", self.inside.replace("{n}", &number));
        }
        format!("{FOUND}{outside}{}{inside}{}", self.before, self.after)
    }
}

/// What is in the body of the last tool, and what it becomes when somebody works on it.
pub(crate) const TOUCHED: (&str, &str) = ("find(query, limit, 0)", "find(query, limit, 1)");

const FOUND: &str = r#"
use serde::Serialize;
use schemars::JsonSchema;

/// What was found.
#[derive(Serialize, JsonSchema)]
struct Found {
    /// How many there are.
    total: u64,
    titles: Vec<String>,
}

fn find(query: String, limit: u32, page: u64) -> Result<Found, String> {
    if query.is_empty() {
        return Err("the query is empty".to_owned());
    }
    Ok(Found { total: page + u64::from(limit), titles: vec![query] })
}
"#;

pub(crate) const AGENT_MCP: Framework = Framework {
    name: "agent-mcp",
    dependencies: r#"
agent-mcp = { path = "{root}/agent-mcp" }
schemars = "1"
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
"#,
    before: r#"
use agent_mcp::{Server, agent};

struct Shop;

#[tokio::main]
async fn main() -> agent_mcp::Result<()> {
    Server::new(Shop).serve_stdio().await
}

/// A shop.
#[agent]
impl Shop {
"#,
    after: "}\n",
    outside: "",
    inside: r#"
    /// Finds what is on shelf {n}.
    #[capability(read_only)]
    async fn find_{n}(
        &self,
        /// What to look for.
        query: String,
        /// How many at most.
        limit: u32,
    ) -> Result<Found, String> {
        find(query, limit, 0)
    }
"#,
};

pub(crate) const RMCP: Framework = Framework {
    name: "rmcp",
    dependencies: r#"
rmcp = { version = "=3.11.0", features = ["transport-io"] }
schemars = "1"
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
"#,
    before: r#"
use rmcp::{
    Json, ServerHandler, ServiceExt, handler::server::wrapper::Parameters, tool, tool_handler,
    tool_router, transport::stdio,
};

struct Shop;

#[tool_handler]
impl ServerHandler for Shop {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Shop.serve(stdio()).await?.waiting().await?;
    Ok(())
}

#[tool_router]
impl Shop {
"#,
    after: "}\n",
    outside: r#"
#[derive(serde::Deserialize, JsonSchema)]
struct Find{n} {
    /// What to look for.
    query: String,
    /// How many at most.
    limit: u32,
}
"#,
    inside: r#"
    /// Finds what is on shelf {n}.
    #[tool(annotations(read_only_hint = true))]
    async fn find_{n}(
        &self,
        Parameters(Find{n} { query, limit }): Parameters<Find{n}>,
    ) -> Result<Json<Found>, String> {
        find(query, limit, 0).map(Json)
    }
"#,
};
