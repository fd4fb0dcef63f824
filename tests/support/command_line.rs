//! A server with a command line, for its tests.

use std::{process::ExitCode, time::Duration};

use agent_mcp::{Choice, Context, Failure, Form, LogLevel, Server, agent, cli, data};

#[derive(Debug, Clone, Copy, Choice)]
enum Colour {
    Red,
    #[form(title = "Navy blue")]
    Blue,
}

#[derive(Form)]
struct Paint {
    #[form(title = "Colour")]
    colour: Colour,
    #[form(title = "Quickly", default = false)]
    quick: bool,
}

/// A wall.
#[data]
struct Wall {
    /// In metres.
    width: f64,
    painted: bool,
}

struct Painter;

/// Paints walls.
///
/// Ask for the colour first.
#[agent(name = "painter")]
impl Painter {
    /// Measure a wall.
    ///
    /// With a folding rule.
    #[capability(read_only)]
    async fn measure(
        &self,
        /// Which wall.
        #[schemars(length(min = 1))]
        wall: String,
        /// How often.
        times: Option<u32>,
    ) -> Wall {
        Wall { width: f64::from(times.unwrap_or(1)) * wall.len() as f64, painted: false }
    }

    /// Say hello.
    #[capability(read_only)]
    async fn greet(&self, cx: &Context<Self>) -> &'static str {
        cx.progress().report(1.0);
        "Hello!"
    }

    /// Paint the wall.
    #[capability]
    async fn paint(&self, cx: &Context<Self>) -> Result<String, Failure> {
        let Paint { colour, quick } = cx.ask("paint", "Which colour?").await?;
        cx.log(LogLevel::Warning, "wet paint");
        cx.progress().say(1.0, Some(2.0), "painting\x1b[2J");
        Ok(format!("{colour:?}{}", if quick { " in a hurry" } else { "" }))
    }

    /// Fall off the ladder.
    #[capability]
    async fn fall(&self) -> Result<(), &'static str> {
        Err("the ladder is gone")
    }

    /// Wait until the paint is dry.
    #[capability]
    async fn dry(&self, cx: &Context<Self>) {
        cx.log(LogLevel::Notice, "drying");
        tokio::time::sleep(Duration::from_secs(3600)).await;
    }

    /// Order paint.
    #[capability(task = "required")]
    async fn order(&self, litres: Option<u32>) -> String {
        format!("ordered {}", litres.unwrap_or(5))
    }

    /// All colours.
    #[resource]
    fn colours(_cx: &Context<Self>) -> Vec<&'static str> {
        vec!["red", "blue"]
    }

    /// Plan the work.
    #[prompt]
    fn plan(&self, days: u8) -> String {
        format!("Plan {days} days of painting.")
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    cli::run(Server::new(Painter)).await
}
