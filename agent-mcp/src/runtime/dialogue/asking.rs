//! How a method asks.

use std::{fmt::Display, future::Future, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Answer, End, Form, Means, Question, Root, Sampled, Sampling, Unanswered, form, url};
use crate::runtime::{Agent, Context};

const ELICITED: &str = "an object with the `action` `accept`, `decline` or `cancel`";
const SAMPLED: &str =
    "an object with `model` and `content`, which is texts, pictures, sounds and uses of tools";
const LISTED: &str = "an object with a list of `roots`";

/// What a person did with a question.
#[derive(serde::Deserialize)]
struct Elicited {
    action: Action,
    content: Option<Value>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Accept,
    Decline,
    Cancel,
}

#[derive(serde::Deserialize)]
struct Listed {
    roots: Vec<Root>,
}

impl<A: Agent> Context<A> {
    /// By which means the caller can be asked: what it says of itself, as far as the revision of the protocol has it.
    ///
    /// A question that the caller cannot be asked ends the call with a refusal that says what is missing. So a method
    /// that cannot do without just asks, and one that can asks here first:
    ///
    /// ```
    /// use agent_mcp::{Context, Means, Unanswered, agent};
    ///
    /// struct Notes;
    ///
    /// #[agent]
    /// impl Notes {
    ///     /// Delete all notes.
    ///     #[capability(destructive)]
    ///     async fn clear(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
    ///         if cx.means().form {
    ///             cx.ask::<()>("sure", "Delete all notes?").await?;
    ///         }
    ///         Ok("deleted".into())
    ///     }
    /// }
    /// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue}};
    /// # use std::sync::Arc;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> agent_mcp::Result<()> {
    /// # let runtime = Server::new(Notes).runtime()?;
    /// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
    /// # dialogue.answer_beforehand("sure", Answer::Given(serde_json::json!({"action": "accept"})));
    /// # let invocation = Invocation::new().with_dialogue(dialogue);
    /// # let outcome = runtime.in_process().call_as("clear", &serde_json::json!({}), invocation).await;
    /// # assert_eq!(outcome.json::<String>().unwrap(), "deleted");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn means(&self) -> Means {
        self.invocation().means()
    }

    /// Asks the person behind the caller to fill in a form.
    ///
    /// Where the answer is not at hand, the run ends here and the method is run again, from its beginning, once
    /// it is; so what a method does before it asks must be repeatable, or be done [`once`](Self::once). All
    /// questions that are asked at the same time (`tokio::join!`) go out together. `key` names the question
    /// within the method.
    ///
    /// What a form may ask for is said at [`#[derive(Form)]`](macro@crate::Form).
    ///
    /// ```
    /// use agent_mcp::{Context, Form, Means, Unanswered, agent};
    ///
    /// #[derive(Form)]
    /// struct Guest {
    ///     /// How we call you.
    ///     name: String,
    ///     #[form(min = 1, default = 1)]
    ///     people: u8,
    /// }
    ///
    /// struct Inn;
    ///
    /// #[agent]
    /// impl Inn {
    ///     /// Book a room.
    ///     #[capability]
    ///     async fn book(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
    ///         let guest: Guest = cx.ask("guest", "Who comes?").await?;
    ///         Ok(format!("{} and {} more", guest.name, guest.people - 1))
    ///     }
    /// }
    /// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue}};
    /// # use std::sync::Arc;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> agent_mcp::Result<()> {
    /// # let runtime = Server::new(Inn).runtime()?;
    /// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
    /// # dialogue.answer_beforehand("guest", Answer::Given(serde_json::json!({"action": "accept", "content": {"name": "Ada"}})));
    /// # let invocation = Invocation::new().with_dialogue(dialogue);
    /// # let outcome = runtime.in_process().call_as("book", &serde_json::json!({}), invocation).await;
    /// # assert_eq!(outcome.json::<String>().unwrap(), "Ada and 0 more");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The person said no, or there was no answer. A caller that cannot be asked never gets here: the call is
    /// refused.
    pub async fn ask<T: Form>(
        &self,
        key: &str,
        message: impl Into<String>,
    ) -> Result<T, Unanswered> {
        let schema = form::described(|form| drop(T::pass(form)));
        let question = Question::form(message, Arc::new(schema));
        let read = |value| {
            let Elicited { action, content } = answer(value, ELICITED)?;
            if let Err(unanswered) = action.accepted() {
                return Ok(Err(unanswered));
            }
            let content = content.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
            form::read(&content).map(Ok).map_err(|faults| faults.to_string())
        };
        self.put(key, question, read).await
    }

    /// Asks the person behind the caller to visit a page, for what must not pass through the client: secrets,
    /// payments, consent at a third party (EL-1). It resolves when the person agrees, not when the page is done
    /// with.
    ///
    /// The page must find out who visits it, and compare that with [`principal`](Self::principal): the URL may have been
    /// passed on to somebody else (EL-8). It holds no secret itself and opens nothing without a login (EL-7). It is an
    /// `https:` address without credentials in it; an `http:` one must be of this machine. With any other the call
    /// fails.
    ///
    /// A client that does not declare the URL mode is refused like any that cannot be asked, and is never sent the
    /// error -32042 of 2025-11-25: a client that could act on it has the mode and is asked in place, and from any
    /// other it would hide from the model what is missing (EL-6).
    ///
    /// ```
    /// use agent_mcp::{Context, Means, Unanswered, agent};
    ///
    /// struct Shop;
    ///
    /// #[agent]
    /// impl Shop {
    ///     /// Pay what is in the basket.
    ///     #[capability]
    ///     async fn pay(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
    ///         cx.ask_url("pay", "Pay on our page.", "https://shop.example/pay/7").await?;
    ///         Ok("The order is complete when the payment arrives.".into())
    ///     }
    /// }
    /// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue}};
    /// # use std::sync::Arc;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> agent_mcp::Result<()> {
    /// # let runtime = Server::new(Shop).runtime()?;
    /// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
    /// # dialogue.answer_beforehand("pay", Answer::Given(serde_json::json!({"action": "accept"})));
    /// # let invocation = Invocation::new().with_dialogue(dialogue);
    /// # let outcome = runtime.in_process().call_as("pay", &serde_json::json!({}), invocation).await;
    /// # assert_eq!(outcome.json::<String>().unwrap(), "The order is complete when the payment arrives.");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    pub async fn ask_url(
        &self,
        key: &str,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<(), Unanswered> {
        let url = url.into();
        if let Err(fault) = url::check(&url) {
            return self.broken(key, fault).await;
        }
        let question = Question::Url { message: message.into(), url };
        self.put(key, question, |value| Ok(answer::<Elicited>(value, ELICITED)?.action.accepted()))
            .await
    }

    /// Asks the caller's model, see [`Sampling`]. The run ends and begins again as with [`ask`](Self::ask).
    ///
    /// # Errors
    ///
    /// The caller refused, or there was no answer.
    pub async fn sample(&self, key: &str, request: Sampling) -> Result<Sampled, Unanswered> {
        let request = match request.prepared(self.means().sampling_context) {
            Ok(request) => Box::new(request),
            Err(defect) => return self.broken(key, defect).await,
        };
        self.put(key, Question::Sample(request), |value| answer(value, SAMPLED).map(Ok)).await
    }

    /// Asks for the folders that the caller works in. The run ends and begins again as with [`ask`](Self::ask).
    ///
    /// ```
    /// use agent_mcp::{Context, Means, Unanswered, agent};
    ///
    /// struct Search;
    ///
    /// #[agent]
    /// impl Search {
    ///     /// Say where one can search.
    ///     #[capability]
    ///     async fn places(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
    ///         let roots = cx.roots().await?;
    ///         let paths = roots.iter().filter_map(|root| root.path());
    ///         Ok(paths.map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))
    ///     }
    /// }
    /// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue}};
    /// # use std::sync::Arc;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> agent_mcp::Result<()> {
    /// # let runtime = Server::new(Search).runtime()?;
    /// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
    /// # dialogue.answer_beforehand("roots", Answer::Given(serde_json::json!({"roots": [{"uri": "file:///notes"}]})));
    /// # let invocation = Invocation::new().with_dialogue(dialogue);
    /// # let outcome = runtime.in_process().call_as("places", &serde_json::json!({}), invocation).await;
    /// # assert_eq!(outcome.json::<String>().unwrap(), "/notes");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The caller answered with an error or not at all.
    pub async fn roots(&self) -> Result<Vec<Root>, Unanswered> {
        let read = |value| answer(value, LISTED).map(|Listed { roots }| Ok(roots));
        self.put("roots", Question::Roots, read).await
    }

    /// Does something that must not be done twice, though the method is run again after each question: the value
    /// is remembered under `key` for all later runs of this call.
    ///
    /// ```
    /// use agent_mcp::{Context, Means, Unanswered, agent};
    ///
    /// struct Inn;
    ///
    /// #[agent]
    /// impl Inn {
    ///     /// Book a room.
    ///     #[capability]
    ///     async fn book(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
    ///         let room = cx.once("hold", self.hold_a_room()).await;
    ///         cx.ask::<()>("sure", format!("Is room {room} right?")).await?;
    ///         Ok(format!("room {room}"))
    ///     }
    /// }
    ///
    /// impl Inn {
    ///     async fn hold_a_room(&self) -> u32 {
    ///         7
    ///     }
    /// }
    /// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue}};
    /// # use std::sync::Arc;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> agent_mcp::Result<()> {
    /// # let runtime = Server::new(Inn).runtime()?;
    /// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
    /// # dialogue.answer_beforehand("sure", Answer::Given(serde_json::json!({"action": "accept"})));
    /// # let invocation = Invocation::new().with_dialogue(dialogue);
    /// # let outcome = runtime.in_process().call_as("book", &serde_json::json!({}), invocation).await;
    /// # assert_eq!(outcome.json::<String>().unwrap(), "room 7");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn once<T>(&self, key: &str, effect: impl Future<Output = T>) -> T
    where
        T: Serialize + DeserializeOwned,
    {
        let dialogue = self.invocation().dialogue();
        let broken = |error: serde_json::Error| {
            dialogue.end(End::Defect(format!("what is done once under `{key}`: {error}")));
        };
        if let Some(value) = dialogue.remembered(key) {
            match serde_json::from_value(value) {
                Ok(value) => return value,
                Err(error) => broken(error),
            }
            return std::future::pending().await;
        }
        let value = effect.await;
        match serde_json::to_value(&value) {
            Ok(json) => dialogue.remember(key, json),
            Err(error) => {
                broken(error);
                return std::future::pending().await;
            }
        }
        value
    }

    /// Ends the run: the question is one that nobody can be asked.
    async fn broken<T>(&self, key: &str, defect: impl Display) -> T {
        self.invocation().dialogue().end(End::Defect(format!("the question `{key}`: {defect}")));
        std::future::pending().await
    }

    /// Puts a question and reads the answer. An answer that is none ends the run, or is asked for again.
    async fn put<T>(
        &self,
        key: &str,
        question: Question,
        read: impl Fn(Value) -> Result<Result<T, Unanswered>, String>,
    ) -> Result<T, Unanswered> {
        let dialogue = self.invocation().dialogue();
        loop {
            match dialogue.ask(key, question.clone()).await {
                Answer::Given(value) => match read(value) {
                    Ok(answer) => return answer,
                    Err(why) => dialogue.refuse(key, why),
                },
                Answer::Failed { code, message } => {
                    return Err(Unanswered::Failed { code, message });
                }
                Answer::TimedOut => return Err(Unanswered::TimedOut),
            }
            if dialogue.ends_run() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// Reads an answer in the form that its kind has. What is said of another one never repeats it.
fn answer<T: DeserializeOwned>(value: Value, expected: &str) -> Result<T, String> {
    serde_json::from_value(value).map_err(|_| format!("expected {expected}"))
}

impl Action {
    fn accepted(self) -> Result<(), Unanswered> {
        match self {
            Self::Accept => Ok(()),
            Self::Decline => Err(Unanswered::Declined),
            Self::Cancel => Err(Unanswered::Cancelled),
        }
    }
}
