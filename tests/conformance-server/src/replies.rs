use std::time::Duration;

use agent_mcp::{Context, LogLevel, agent};
use tokio::time::sleep;

/// How long a tool takes for a step.
const STEP: Duration = Duration::from_millis(50);

/// How a call goes and ends.
pub(crate) struct Replies;

#[agent]
impl Replies {
    /// Fail.
    #[capability(read_only)]
    fn test_error_handling() -> Result<String, &'static str> {
        Err("This tool intentionally returns an error for testing")
    }

    /// Tell how far the work is.
    #[capability(read_only)]
    async fn test_tool_with_progress(&self, cx: &Context<Self>) -> &'static str {
        cx.progress().report_of(0.0, 100.0);
        sleep(STEP).await;
        cx.progress().report_of(50.0, 100.0);
        sleep(STEP).await;
        cx.progress().report_of(100.0, 100.0);
        "The work is done."
    }

    /// Say what is being done.
    #[capability(read_only)]
    async fn test_tool_with_logging(&self, cx: &Context<Self>) -> &'static str {
        cx.log(LogLevel::Info, "Tool execution started");
        sleep(STEP).await;
        cx.log(LogLevel::Info, "Tool processing data");
        sleep(STEP).await;
        cx.log(LogLevel::Info, "Tool execution completed");
        "The work is done."
    }

    /// Say something to those who want to hear it.
    #[capability(read_only)]
    fn test_logging_tool(cx: &Context<Self>) -> &'static str {
        cx.log(LogLevel::Info, "The tool runs.");
        "The work is done."
    }

    /// Let the connection go before the work is done.
    #[capability(read_only)]
    async fn test_reconnection(&self, cx: &Context<Self>) -> &'static str {
        cx.release(STEP);
        sleep(2 * STEP).await;
        "The work is done."
    }

    /// Say a value back that a header repeats.
    #[capability(read_only)]
    fn test_custom_header(
        /// The value.
        #[header("Value")]
        value: String,
    ) -> String {
        value
    }
}
