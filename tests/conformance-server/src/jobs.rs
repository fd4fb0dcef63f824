use std::time::Duration;

use agent_mcp::{Context, Failure, Form, Unanswered, agent};
use tokio::time::sleep;

use crate::rounds::Name;

/// How long a job takes.
const WORK: Duration = Duration::from_millis(500);

#[derive(Form)]
struct Confirmed {
    confirm: bool,
}

/// What goes on as a task when its caller has been let go.
pub(crate) struct Jobs;

#[agent]
impl Jobs {
    /// Greet somebody at once.
    #[capability(read_only)]
    fn greet(
        /// Whom to greet.
        name: String,
    ) -> String {
        format!("Hello, {name}!")
    }

    /// Take as long as one says.
    #[capability(read_only, task = "optional")]
    async fn slow_compute(
        &self,
        /// How long it takes.
        #[schemars(range(min = 0, max = 3600))]
        seconds: f64,
        /// What it is called.
        #[serde(default)]
        label: String,
    ) -> String {
        sleep(Duration::from_secs_f64(seconds)).await;
        format!("Computed {label} in {seconds} s.")
    }

    /// Work for a while and fail.
    #[capability(read_only, task = "required")]
    async fn failing_job(&self) -> Result<(), &'static str> {
        sleep(WORK).await;
        Err("This job intentionally fails.")
    }

    /// Work for a while and fail as the protocol does.
    #[capability(read_only, task = "optional")]
    async fn protocol_error_job(&self) -> Result<(), Failure> {
        sleep(WORK).await;
        Err(Failure::protocol(-32603, "This job intentionally breaks off."))
    }

    /// Ask before a file is deleted, in the middle of the work.
    #[capability(destructive, task = "optional")]
    async fn confirm_delete(
        &self,
        cx: &Context<Self>,
        /// The file.
        filename: String,
    ) -> Result<String, Unanswered> {
        cx.begin_task().await;
        let Confirmed { confirm } = cx.ask("confirm", format!("Delete {filename}?")).await?;
        let what = if confirm { "Deleted" } else { "Kept" };
        Ok(format!("{what} {filename}."))
    }

    /// Ask two things at once, in the middle of the work.
    #[capability(read_only, task = "optional")]
    async fn multi_input(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        cx.begin_task().await;
        let (name, confirmed) = tokio::join!(
            cx.ask::<Name>("name", "What is your name?"),
            cx.ask::<Confirmed>("confirm", "Shall it be?"),
        );
        Ok(format!("{}: {}", name?.name, confirmed?.confirm))
    }

    /// Ask first, then work as a task.
    #[capability(read_only, task = "required")]
    async fn test_tool_with_task(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let Name { name } = cx.ask("user_name", "What is your name?").await?;
        cx.begin_task().await;
        sleep(WORK).await;
        Ok(format!("The work for {name} is done."))
    }
}
