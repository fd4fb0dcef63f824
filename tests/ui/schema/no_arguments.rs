use agent_mcp::agent;

struct Forms;

#[agent]
impl Forms {
    /// Takes a form.
    #[capability(input_schema = "{}")]
    async fn take(&self) {}
}

fn main() {}
