use std::collections::HashMap;

use agent_mcp::{Choice, Form};

struct Address;

#[derive(Choice)]
enum Speed {
    Slow,
}

enum Underived {
    A,
}

#[derive(Form)]
struct Nested {
    name: String,
    address: Address,
    tags: HashMap<String, String>,
    place: (f64, f64),
    words: Vec<String>,
    underived: Underived,
    speed: Option<Speed>,
}

#[derive(Form)]
struct Generic<T> {
    value: T,
}

fn main() {}
