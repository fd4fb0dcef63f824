use agent_mcp::data;

#[data]
struct Page {
    #[serde(default = 10)]
    size: u32,
    #[serde(rename = "from", default = crate::first)]
    start: u32,
}

fn first() -> u32 {
    1
}

fn main() {}
