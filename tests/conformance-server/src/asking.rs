use agent_mcp::{Choice, Context, Form, Unanswered, agent, runtime::Sampling};
use serde::Serialize;

#[derive(Form, Serialize)]
struct User {
    username: String,
    email: String,
}

#[derive(Form, Serialize)]
struct Defaults {
    #[form(default = "John Doe")]
    name: String,
    #[form(default = 30)]
    age: u32,
    #[form(default = 95.5)]
    score: f64,
    #[form(default = Status::Active)]
    status: Status,
    #[form(default = true)]
    verified: bool,
}

#[derive(Choice, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(Form, Serialize)]
#[serde(rename_all = "camelCase")]
struct Choices {
    untitled_single: Option<Untitled>,
    titled_single: Option<Titled>,
    #[form(enum_names)]
    legacy_enum: Option<Titled>,
    untitled_multi: Vec<Untitled>,
    titled_multi: Vec<Titled>,
}

#[derive(Choice, Serialize)]
#[serde(rename_all = "lowercase")]
enum Untitled {
    Option1,
    Option2,
    Option3,
}

#[derive(Choice, Serialize)]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// First option
    Value1,
    /// Second option
    Value2,
    /// Third option
    Value3,
}

/// What asks its caller, the person behind it or its model.
pub(crate) struct Asking;

#[agent]
impl Asking {
    /// Pass a prompt on to the model of the client.
    #[capability(read_only)]
    async fn test_sampling(
        &self,
        cx: &Context<Self>,
        /// What the model is told.
        prompt: String,
    ) -> Result<String, Unanswered> {
        let said = cx.sample("prompt", Sampling::new(prompt).max_tokens(100)).await?;
        Ok(format!("LLM response: {}", said.text()))
    }

    /// Ask the user who they are.
    #[capability(read_only)]
    async fn test_elicitation(
        &self,
        cx: &Context<Self>,
        /// What the user reads.
        message: String,
    ) -> Result<String, Unanswered> {
        let user: User = cx.ask("user", message).await?;
        Ok(format!("User response: {}", json(&user)))
    }

    /// Ask the user for values that have defaults.
    #[capability(read_only)]
    async fn test_elicitation_sep1034_defaults(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        Ok(completed(cx.ask::<Defaults>("defaults", "Please look at the defaults.").await?))
    }

    /// Ask the user to choose in every way that there is.
    #[capability(read_only)]
    async fn test_elicitation_sep1330_enums(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        Ok(completed(cx.ask::<Choices>("choices", "Please choose.").await?))
    }

    /// Work only for clients with a model.
    #[capability(read_only)]
    async fn test_missing_capability(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        Ok(cx.sample("hello", Sampling::new("Say hello.")).await?.text())
    }

    /// Begin a stream and end it with a question.
    #[capability(read_only)]
    async fn test_streaming_elicitation(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        cx.progress().report(0.0);
        let user: User = cx.ask("user", "Who are you?").await?;
        Ok(format!("User response: {}", json(&user)))
    }
}

fn completed(content: impl Serialize) -> String {
    format!("Elicitation completed: action=accept, content={}", json(&content))
}

fn json(content: &impl Serialize) -> String {
    serde_json::to_string(content).unwrap_or_else(|error| error.to_string())
}
