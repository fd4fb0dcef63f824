use agent_mcp::Form;

#[derive(Form)]
struct Login {
    user: String,
    password: String,
    #[serde(rename = "apiKey")]
    key: String,
    #[form(not_secret)]
    promotion_token: String,
    token_count: u32,
}

fn main() {}
