struct Desk;

fn main() {
    let _ = agent_mcp::Server::new(Desk);
}
