use agent_mcp::agent;

struct Desk;

macro_rules! make_tool {
    ($name:ident) => {
        /// Made.
        #[capability]
        fn $name(&self) {}
    };
}

#[agent]
impl Desk {
    make_tool!(add);

    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}
