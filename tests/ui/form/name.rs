use agent_mcp::{Choice, Form};

#[derive(Form)]
struct Names {
    a: String,
    #[serde(rename = "a")]
    b: String,
}

#[derive(Choice)]
#[serde(rename_all = "lowercase")]
enum Options {
    Ab,
    AB,
}

#[derive(Form)]
#[serde(rename_all = "camelcase", default)]
struct Serde {
    #[serde(flatten)]
    rest: String,
    #[serde(skip, with = "hex")]
    skipped: u8,
}

fn main() {}
