use agent_mcp::data;

#[data]
struct Page {
    #[schemars(range(min = 1))]
    title: String,
    #[schemars(range(min = 1))]
    size: u32,
}

fn main() {}
