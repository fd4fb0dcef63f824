use agent_mcp::{Choice, Form};

#[derive(Form)]
enum NoForm {
    A,
}

#[derive(Form)]
struct Pair(String, u8);

#[derive(Choice)]
struct NoChoice {
    name: String,
}

#[derive(Choice)]
enum Data {
    A,
    B(String),
    C { name: String },
}

#[derive(Choice)]
enum Nothing {}

fn main() {}
