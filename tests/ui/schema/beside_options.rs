use agent_mcp::agent;

struct Forms;

#[agent]
impl Forms {
    /// Takes a form.
    #[capability(input_schema = "{}", open, coerce = true)]
    async fn take(&self, #[args] _input: agent_mcp::runtime::LogLevel) {}
}

fn main() {}
