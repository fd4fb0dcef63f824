use agent_mcp::agent;

struct Forms;

#[agent]
impl Forms {
    /// Takes a form.
    #[capability(input_schema = 7)]
    async fn take(&self, #[args] _input: Vec<u8>) {}
}

fn main() {}
