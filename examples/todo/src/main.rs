//! Serves a todo list over standard input and output.
//!
//!     todo [FILE [TITLE..]]
//!
//! With a title it writes that down, saves the list and ends. Without a file the list lives as long as the program. `TODO_USER` says whose agent it is, `TODO_RIGHTS` what
//! that person may do (`edit,delete,admin`; the last is not given by itself), and `TODO_DELAY_MS` makes the
//! storage slow, to see how an agent waits.

use std::process::ExitCode;
use std::time::Duration;

use agent_mcp::BoxError;
use todo::storage::Storage;
use todo::user::User;
use todo::{app, write_down};

#[tokio::main]
async fn main() -> ExitCode {
    // What breaks inside is told here, with the reference number that the agent reads.
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard output belongs to the protocol.
            eprintln!("todo: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), BoxError> {
    let variable = |name, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let user = User::new(variable("TODO_USER", "owner"))
        .with_rights(&variable("TODO_RIGHTS", "edit,delete"))?;
    let delay = Duration::from_millis(variable("TODO_DELAY_MS", "0").parse()?);
    let mut args = std::env::args_os().skip(1);
    let storage = args.next().map_or_else(Storage::default, Storage::in_file);
    let title: Vec<_> = args.map(|word| word.to_string_lossy().into_owned()).collect();
    let app = app(storage.slowed(delay))?;
    if title.is_empty() {
        app.server.principal(user).serve_stdio().await?;
    } else {
        write_down(app, user, title.join(" ")).await?;
    }
    Ok(())
}
