//! The part of the contract that takes over plain texts.

use agent_mcp::{Context, Failure, agent};

use crate::agent::{TodoAgent, may_edit};
use crate::update::Message;

/// How many lines are looked up at a time.
const BATCH: usize = 20;

/// The longest title.
const LONGEST: usize = 200;

#[agent(part = Import)]
impl TodoAgent {
    /// Take over a text with one todo in each line. What is in the archive is left out, since it was deleted once;
    /// with a long text that takes a while.
    #[capability(authorize = may_edit, task = "optional", timeout = "10m")]
    async fn import_text(
        &self,
        cx: &Context<Self>,
        /// The text. Empty lines do not count.
        #[schemars(length(min = 1, max = 1_000_000))]
        text: String,
    ) -> Result<Message, Failure> {
        let titles = titles(&text).map_err(Failure::say)?;
        // What can be said at once is said; from here on nobody has to wait.
        cx.begin_task().await;
        let mut new = Vec::new();
        let mut looked_up = 0;
        for batch in titles.chunks(BATCH) {
            let say = format!("{looked_up} of {} lines are looked up", titles.len());
            cx.progress().say(looked_up as f64, Some(titles.len() as f64), &say);
            new.extend(self.storage.not_archived(batch).await?);
            looked_up += batch.len();
        }
        Ok(Message::Imported(new.into_iter().map(|title| (title, false)).collect()))
    }
}

/// The lines of a text that say something, if all of them can be titles.
fn titles(text: &str) -> Result<Vec<String>, String> {
    let mut titles = Vec::new();
    for (line, title) in (1..).zip(text.lines().map(str::trim)) {
        if title.chars().count() > LONGEST {
            return Err(format!("line {line} has more than {LONGEST} characters"));
        }
        if !title.is_empty() {
            titles.push(title.to_owned());
        }
    }
    if titles.is_empty() { Err("all lines are empty".to_owned()) } else { Ok(titles) }
}
