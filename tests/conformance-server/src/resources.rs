use agent_mcp::{Context, Image, agent};

use crate::{
    content::PIXEL,
    state::{Message, Model},
};

/// What can be read.
pub(crate) struct Resources;

#[agent(model = Model, message = Message)]
impl Resources {
    /// A text that never changes.
    #[resource(uri = "test://static-text")]
    fn static_text() -> &'static str {
        "This is the content of the static text resource."
    }

    /// A picture that never changes.
    #[resource(uri = "test://static-binary", mime_type = "image/png")]
    fn static_binary() -> Image {
        Image::png(PIXEL)
    }

    /// A text that may be watched, since it changes.
    #[resource(uri = "test://watched-resource")]
    fn watched_resource(cx: &Context<Self>) -> String {
        let is = if cx.model().extra_tool { "is" } else { "is not" };
        format!("The tool that comes and goes {is} there.")
    }

    /// Data for any id.
    #[resource(uri = "test://template/{id}/data", mime_type = "application/json")]
    fn template_data(id: String) -> String {
        let text = format!("Data for ID: {id}");
        serde_json::json!({"id": id, "templateTest": true, "data": text}).to_string()
    }

    /// A resource that is there while the tool is that comes and goes.
    #[resource(uri = "test://extra-resource", available = |model| model.extra_tool)]
    fn extra_resource() -> &'static str {
        "I am here."
    }
}
