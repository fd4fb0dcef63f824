//! Serves the notes of a folder over standard input and output.
//!
//!     notes [FOLDER]
//!
//! Without an argument the folder is the one that `NOTES_DIR` names.

use std::process::ExitCode;

use notes::{Folder, app};

#[tokio::main]
async fn main() -> ExitCode {
    // What breaks inside is told here, with the reference number that the agent reads.
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let Some(path) = std::env::args_os().nth(1).or_else(|| std::env::var_os("NOTES_DIR")) else {
        return fail("which folder? give it as the argument or in NOTES_DIR");
    };
    let folder = match Folder::open(&path) {
        Ok(folder) => folder,
        Err(error) => return fail(format_args!("{}: {error}", path.display())),
    };
    match app(folder).serve_stdio().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(error),
    }
}

/// Standard output belongs to the protocol, so whatever there is to say goes to standard error.
fn fail(why: impl std::fmt::Display) -> ExitCode {
    eprintln!("notes: {why}");
    ExitCode::FAILURE
}
