//! What the caller's model is asked, and what it says.

mod content;
mod preferences;
mod said;
mod tools;

use std::borrow::Cow;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

pub use content::SamplingContent;
pub use said::{Sampled, SampledContent};
pub use tools::{ToolAnswer, ToolUse};

use content::Part;
use preferences::{Hint, Preferences, within};
use tools::Tool;

use crate::{
    runtime::Audio,
    schema::{InputOptions, InputSchema},
};

/// How many tokens a model may say where nothing else is asked.
const MAX_TOKENS: u32 = 1024;

/// A request to the caller's model, for [`Context::sample`](crate::Context::sample).
///
/// A prompt is enough:
///
/// ```
/// use agent_mcp::{Context, Sampling, Unanswered, agent};
///
/// struct Library;
///
/// #[agent]
/// impl Library {
///     /// Say in one sentence what a book is about.
///     #[capability]
///     async fn summary(&self, cx: &Context<Self>, title: String) -> Result<String, Unanswered> {
///         let request = Sampling::new(format!("What is {title} about?"))
///             .system("You answer in one sentence.")
///             .max_tokens(100);
///         Ok(cx.sample("summary", request).await?.text())
///     }
/// }
/// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue, Means}};
/// # use std::sync::Arc;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> agent_mcp::Result<()> {
/// # let runtime = Server::new(Library).runtime()?;
/// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
/// # let content = serde_json::json!({"type": "text", "text": "A whale."});
/// # let answer = serde_json::json!({"role": "assistant", "model": "m", "content": content});
/// # dialogue.answer_beforehand("summary", Answer::Given(answer));
/// # let invocation = Invocation::new().with_dialogue(dialogue);
/// # let arguments = serde_json::json!({"title": "Moby-Dick"});
/// # let outcome = runtime.in_process().call_as("summary", &arguments, invocation).await;
/// # assert_eq!(outcome.json::<String>().unwrap(), "A whale.");
/// # Ok(())
/// # }
/// ```
///
/// The client may change all of it, and asks the person first. Revision 2026-07-28 of the protocol advises against
/// building on it in new programs: some day clients may no longer have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampling {
    messages: Vec<Message>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stop_sequences: Vec<String>,
    #[serde(skip_serializing_if = "Preferences::say_nothing")]
    model_preferences: Preferences,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include_context: Option<IncludeContext>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
    /// Why it cannot be sent.
    #[serde(skip)]
    defect: Option<String>,
}

/// What one of the two said.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Message {
    role: Role,
    content: OneOrMany,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

/// Only what is about tools comes in lists: revisions without tools have none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Part),
    Many(Vec<Part>),
}

/// What else the client may show the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum IncludeContext {
    /// Nothing.
    None,
    /// What it knows of this server.
    ThisServer,
    /// What it knows of all servers.
    AllServers,
}

/// Whether the model uses tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub enum ToolChoice {
    /// As it likes.
    Auto,
    /// At least one.
    Required,
    /// None.
    None,
}

impl Sampling {
    /// Begins with something that the user says: a text, a picture or a sound.
    pub fn new(prompt: impl Into<SamplingContent>) -> Self {
        Self {
            messages: Vec::new(),
            max_tokens: MAX_TOKENS,
            system_prompt: None,
            temperature: None,
            stop_sequences: Vec::new(),
            model_preferences: Preferences::default(),
            metadata: None,
            include_context: None,
            tools: Vec::new(),
            tool_choice: None,
            defect: None,
        }
        .user(prompt)
    }

    /// Adds something that the user says.
    #[must_use]
    pub fn user(self, content: impl Into<SamplingContent>) -> Self {
        self.message(Role::User, OneOrMany::One(content.into().0))
    }

    /// Adds something that the model said.
    #[must_use]
    pub fn assistant(self, content: impl Into<SamplingContent>) -> Self {
        self.message(Role::Assistant, OneOrMany::One(content.into().0))
    }

    fn message(mut self, role: Role, content: OneOrMany) -> Self {
        self.messages.push(Message { role, content });
        self
    }

    /// Says what the model should know and be like.
    #[must_use]
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// Limits how many tokens it says; 1024 where nothing is said.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// Says how freely it chooses its words; 0 is not at all.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        // What is no number cannot be said in JSON.
        self.temperature = temperature.is_finite().then_some(temperature);
        self
    }

    /// Ends what it says at this text; it may be given several times.
    #[must_use]
    pub fn stop(mut self, text: impl Into<String>) -> Self {
        self.stop_sequences.push(text.into());
        self
    }

    /// Names a model, or a part of its name, that would be right; the first that the client has counts.
    #[must_use]
    pub fn hint(mut self, model: impl Into<String>) -> Self {
        self.model_preferences.hints.push(Hint { name: model.into() });
        self
    }

    /// Says how much a low price matters, from 0 to 1.
    #[must_use]
    pub fn cost(mut self, priority: f64) -> Self {
        self.model_preferences.cost_priority = within(priority);
        self
    }

    /// Says how much a fast answer matters, from 0 to 1.
    #[must_use]
    pub fn speed(mut self, priority: f64) -> Self {
        self.model_preferences.speed_priority = within(priority);
        self
    }

    /// Says how much the model's abilities matter, from 0 to 1.
    #[must_use]
    pub fn intelligence(mut self, priority: f64) -> Self {
        self.model_preferences.intelligence_priority = within(priority);
        self
    }

    /// Adds a member that the provider of the model knows.
    #[must_use]
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    /// Says what else the client may show the model. It is left out for clients that do not say that they can.
    #[must_use]
    pub fn include_context(mut self, context: IncludeContext) -> Self {
        self.include_context = Some(context);
        self
    }

    /// Lets the model use a tool whose input is a `T`; a caller whose model cannot use tools is refused.
    ///
    /// The model's uses are answered in a further request, see [`answer`](Self::answer).
    #[must_use]
    pub fn tool<T: schemars::JsonSchema + DeserializeOwned>(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        let name = name.into();
        match InputSchema::of::<T>(InputOptions::default()) {
            Ok(schema) => {
                let input_schema = schema.json().clone();
                self.tools.push(Tool { name, description: description.into(), input_schema });
            }
            Err(error) => self.defect = Some(format!("the input of the tool `{name}`: {error}")),
        }
        self
    }

    /// Says whether the model uses its tools; it does as it likes where nothing is said.
    #[must_use]
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    /// Goes on after the model used tools: adds what it said, and an answer to each of the uses.
    ///
    /// An answer is made from [its use](ToolUse::answer). A use that has none is answered with an error, since
    /// models know no other way to go on (SA-1).
    ///
    /// ```
    /// use agent_mcp::{Context, Sampling, Unanswered, agent};
    ///
    /// #[agent_mcp::data]
    /// struct Find {
    ///     word: String,
    /// }
    ///
    /// struct Library;
    ///
    /// #[agent]
    /// impl Library {
    ///     /// Answer a question from the books.
    ///     #[capability]
    ///     async fn ask(&self, cx: &Context<Self>, question: String) -> Result<String, Unanswered> {
    ///         let mut request =
    ///             Sampling::new(question).tool::<Find>("find", "Finds the books with a word.");
    ///         // A model that never comes to an end is not waited for.
    ///         for round in 0..5 {
    ///             let said = cx.sample(&format!("round {round}"), request.clone()).await?;
    ///             if said.tool_uses().next().is_none() {
    ///                 return Ok(said.text());
    ///             }
    ///             let answers = said.tool_uses().map(|tool| match tool.read::<Find>() {
    ///                 Ok(find) => tool.answer(self.find(&find.word)),
    ///                 Err(faults) => tool.fail(faults.to_string()),
    ///             });
    ///             request = request.answer(&said, answers);
    ///         }
    ///         Ok("I do not know.".into())
    ///     }
    /// }
    ///
    /// impl Library {
    ///     fn find(&self, word: &str) -> String {
    ///         format!("No book has the word {word}.")
    ///     }
    /// }
    /// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue, Means}};
    /// # use std::sync::Arc;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> agent_mcp::Result<()> {
    /// # let runtime = Server::new(Library).runtime()?;
    /// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
    /// # let used = serde_json::json!({"type": "tool_use", "id": "1", "name": "find", "input": {"word": "x"}});
    /// # let answer = serde_json::json!({"role": "assistant", "model": "m", "content": [used]});
    /// # dialogue.answer_beforehand("round 0", Answer::Given(answer));
    /// # let said = serde_json::json!({"type": "text", "text": "None."});
    /// # let answer = serde_json::json!({"role": "assistant", "model": "m", "content": said});
    /// # dialogue.answer_beforehand("round 1", Answer::Given(answer));
    /// # let invocation = Invocation::new().with_dialogue(dialogue);
    /// # let arguments = serde_json::json!({"question": "Which book has an x?"});
    /// # let outcome = runtime.in_process().call_as("ask", &arguments, invocation).await;
    /// # assert_eq!(outcome.json::<String>().unwrap(), "None.");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn answer(self, said: &Sampled, answers: impl IntoIterator<Item = ToolAnswer>) -> Self {
        let mut given: Vec<_> = answers.into_iter().collect();
        let matching = said.tool_uses().map(|used| {
            match given.iter().position(|answer| answer.is_for(used)) {
                Some(place) => given.swap_remove(place),
                None => used.fail("There is no answer."),
            }
        });
        let answers: Vec<_> = matching.map(Part::Answer).collect();
        let parts = said.content.iter().cloned().map(Part::Said).collect();
        let request = self.message(Role::Assistant, OneOrMany::Many(parts));
        if answers.is_empty() {
            return request;
        }
        request.message(Role::User, OneOrMany::Many(answers))
    }

    pub(super) fn has_tools(&self) -> bool {
        !self.tools.is_empty()
    }

    /// The same with words in the place of sounds, where there are any.
    pub(crate) fn without_sounds(&self, words: impl Fn(&Audio) -> String) -> Cow<'_, Self> {
        let is_sound = |message: &Message| {
            matches!(message.content, OneOrMany::One(Part::Said(SampledContent::Audio(_))))
        };
        if !self.messages.iter().any(is_sound) {
            return Cow::Borrowed(self);
        }
        let mut request = self.clone();
        for message in &mut request.messages {
            if let OneOrMany::One(Part::Said(content)) = &mut message.content
                && let SampledContent::Audio(audio) = content
            {
                *content = SampledContent::Text(words(audio));
            }
        }
        Cow::Owned(request)
    }

    /// Makes it ready to be sent; the error is for the log.
    pub(super) fn prepared(mut self, context: bool) -> Result<Self, String> {
        if let Some(defect) = self.defect {
            return Err(defect);
        }
        // SA-2: only where the client says that it has it.
        self.include_context = self.include_context.filter(|_| context);
        // SA-1: a choice among no tools would be refused.
        self.tool_choice = self.tool_choice.filter(|_| !self.tools.is_empty());
        Ok(self)
    }
}
