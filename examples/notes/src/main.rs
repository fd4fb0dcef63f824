//! The notes of a folder, served to agents and used by hand: `notes --help` shows how.

use std::path::PathBuf;
use std::process::ExitCode;

use agent_mcp::cli::{self, Cli};
use clap::{CommandFactory, Parser};
use notes::{Folder, app};

/// A folder of Markdown notes, for people and agents
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The folder
    #[arg(long, env = "NOTES_DIR")]
    folder: PathBuf,
    #[command(subcommand)]
    command: Option<cli::Command>,
}

#[tokio::main]
async fn main() -> ExitCode {
    // What breaks inside is told here, with the reference number that the agent reads.
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let Arguments { folder, command } = Arguments::parse();
    match Folder::open(&folder) {
        Ok(folder) => Cli::new(app(folder)).program(Arguments::command()).run(command).await,
        Err(error) => {
            // Standard output belongs to the protocol.
            eprintln!("notes: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}
