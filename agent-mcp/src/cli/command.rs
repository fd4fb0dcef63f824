//! What can be typed.

use clap::{CommandFactory, Subcommand, builder::PossibleValue};
use clap_complete::Shell;

use super::{contract::print, exit::Exit};
use crate::contract::Contract;

/// What is to be done with a server.
#[derive(Clone, Debug, Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// Serve over standard input and output, as clients start it
    Stdio,
    /// Serve over HTTP
    #[cfg(feature = "http")]
    Http {
        /// Where to listen
        #[arg(default_value = "127.0.0.1:8787")]
        address: std::net::SocketAddr,
    },
    /// List the tools that are there now, or show one
    Tools {
        /// Only this one, with its arguments
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Call a tool
    Call {
        /// The tool
        #[arg(index = 1)]
        name: String,
        /// Its arguments, such as '{"title": "milk"}'; `-` reads them from standard input
        #[arg(index = 2, value_name = "JSON")]
        arguments: Option<String>,
        /// Print the result as the protocol has it
        #[arg(long)]
        json: bool,
    },
    /// Read a resource
    Read {
        /// Its address
        uri: String,
        /// Print the result as the protocol has it
        #[arg(long)]
        json: bool,
    },
    /// Get a prompt
    Prompt {
        /// The prompt
        #[arg(index = 1)]
        name: String,
        /// Its arguments, such as '{"hours": 3}'; `-` reads them from standard input
        #[arg(index = 2, value_name = "JSON")]
        arguments: Option<String>,
        /// Print the result as the protocol has it
        #[arg(long)]
        json: bool,
    },
    /// Print the contract as JSON
    Manifest,
    /// Print the contract as Markdown
    Docs,
    /// Say what some client or model stumbles on
    Lint {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a script for the completions of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// A program that has these commands and nothing else.
#[derive(clap::Parser)]
pub(super) struct Alone {
    #[command(subcommand)]
    _command: Option<Command>,
}

/// The program of a contract.
pub(super) fn of(contract: &Contract) -> clap::Command {
    let mut program = Alone::command().name(contract.name.clone());
    if let Some(version) = &contract.version {
        program = program.version(version.clone());
    }
    if let Some(instructions) = &contract.instructions {
        let about = instructions.split("\n\n").next().unwrap_or_default();
        program = program.about(about.to_owned());
    }
    program
}

/// Nothing was asked for.
pub(super) fn help(mut program: clap::Command) -> Exit {
    named(&mut program);
    eprint!("{}", program.render_help());
    Exit::Usage
}

/// Prints the script. It knows the tools and prompts by name.
pub(super) fn completions(shell: Shell, mut program: clap::Command, contract: &Contract) -> Exit {
    let tools = contract.capabilities.iter().map(|tool| (&*tool.name, &*tool.description));
    let tools: Vec<_> = tools.map(value).collect();
    let prompts = contract.prompts.iter().map(|prompt| (&*prompt.name, &*prompt.description));
    let prompts = prompts.map(value).collect();
    for (command, names) in [("call", tools.clone()), ("tools", tools), ("prompt", prompts)] {
        if program.find_subcommand(command).is_some() && !names.is_empty() {
            program = program.mut_subcommand(command, |command| {
                command.mut_arg("name", |name| {
                    name.value_parser(clap::builder::PossibleValuesParser::new(names))
                })
            });
        }
    }
    let name = named(&mut program);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

fn value((name, description): (&str, &str)) -> PossibleValue {
    let first = description.lines().next().unwrap_or_default();
    PossibleValue::new(name.to_owned()).help(first.to_owned())
}

/// Gives the program the name by which it was started.
fn named(program: &mut clap::Command) -> String {
    let started = std::env::args_os().next();
    let name = started.as_deref().and_then(|path| std::path::Path::new(path).file_stem()?.to_str());
    let name = name.unwrap_or(program.get_name()).to_owned();
    program.set_bin_name(name.clone());
    name
}
