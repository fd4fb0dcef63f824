use agent_mcp::agent;

struct Forms;

struct Form;

#[agent]
impl Forms {
    /// Takes a form.
    #[capability(input_schema = "{}")]
    async fn take(&self, #[args] _form: Form) {}
}

fn main() {}
