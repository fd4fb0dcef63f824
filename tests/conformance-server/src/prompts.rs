use agent_mcp::{Content, Context, Embedded, Form, Image, Unanswered, agent};

use crate::content::PIXEL;

#[derive(Form)]
struct Background {
    context: String,
}

/// Messages to begin with.
pub(crate) struct Prompts;

#[agent]
impl Prompts {
    /// A prompt that always says the same.
    #[prompt]
    fn test_simple_prompt() -> &'static str {
        "This is a simple prompt for testing."
    }

    /// A prompt that says what it is given.
    #[prompt]
    fn test_prompt_with_arguments(
        /// The first thing to say.
        #[suggest(|_, typed| [format!("{typed}1"), format!("{typed}2")])]
        arg1: String,
        /// The second thing to say.
        arg2: String,
    ) -> String {
        format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
    }

    /// A prompt with a resource in it.
    #[prompt]
    fn test_prompt_with_embedded_resource(
        /// Where the resource is.
        #[serde(rename = "resourceUri")]
        resource_uri: String,
    ) -> [Content; 2] {
        [
            Embedded::text(resource_uri, "Embedded resource content for testing.")
                .mime_type("text/plain")
                .into(),
            "Please process the embedded resource above.".into(),
        ]
    }

    /// A prompt with a picture in it.
    #[prompt]
    fn test_prompt_with_image() -> [Content; 2] {
        [Image::png(PIXEL).into(), "Please analyze the image above.".into()]
    }

    /// A prompt that asks before it says anything.
    #[prompt]
    async fn test_input_required_result_prompt(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        let Background { context } =
            cx.ask("user_context", "What context should the prompt use?").await?;
        Ok(format!("Use this context: {context}"))
    }
}
