use agent_mcp::{Choice, Form};

#[derive(Choice)]
enum Speed {
    Slow,
}

#[derive(Form)]
struct Limits {
    #[form(min = 1)]
    flag: bool,
    #[form(format = "email")]
    number: u8,
    #[form(max_items = 2)]
    one: Speed,
    #[form(enum_names)]
    several: Vec<Speed>,
}

#[derive(Form)]
struct Words {
    #[form(format = "mail")]
    mail: String,
    #[form(pattern = "[a-z]+")]
    pattern: String,
    #[form(default = 1)]
    #[serde(default)]
    twice: u8,
    #[form(min_length = 0)]
    empty: String,
}

#[derive(Form)]
struct Defaults {
    #[form(default = "one")]
    number: u8,
    #[form(default = 300)]
    byte: u8,
    #[serde(default)]
    speed: Speed,
}

fn main() {}
