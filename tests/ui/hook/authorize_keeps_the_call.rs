use agent_mcp::agent;

struct Desk;

fn keep(call: &'static agent_mcp::Caller<Desk>) -> bool {
    call.invocation.transport == "stdio"
}

#[agent]
impl Desk {
    /// Keeps what it is lent.
    #[capability(authorize = |call| keep(call))]
    fn wait(&self) {}
}

fn main() {}
