use agent_mcp::agent;

struct Desk;

fn main() {
    let open = true;

    #[agent]
    impl Desk {
        /// Waits.
        #[capability(available = |_| open)]
        fn wait(&self) {}
    }
}
