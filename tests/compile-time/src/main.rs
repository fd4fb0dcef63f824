//! Prints what capabilities cost: the compiler's time, the size of the program and the lines of generated code,
//! beside the same tools written with the official SDK.
//!
//!     cargo run -p compile-time
//!
//! The time is that of processors, of `cargo` and all that it starts, so that neighbours on the machine matter
//! little; nobody else should build meanwhile all the same. It is read from `/proc`, so this runs on Linux. The
//! programs are made in the folder `compile-time` of the build folder.

mod agent;
mod measure;

use std::{error::Error, path::Path};

use agent::{AGENT_MCP, Framework, RMCP};
use measure::{Measured, Project};

/// How many capabilities a program has.
const SIZES: [usize; 3] = [10, 100, 500];

fn main() -> Result<(), Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let build = program.ancestors().nth(2).ok_or("the program is in no build folder")?;
    let folder = build.join("compile-time");
    println!("| | capabilities | check | rebuild | release | program | lines |");
    println!("| --- | --: | --: | --: | --: | --: | --: |");
    for framework in [AGENT_MCP, RMCP] {
        let measured = measure(&framework, &folder)?;
        for (size, it) in SIZES.iter().zip(&measured) {
            println!(
                "| {} | {size} | {:.2} s | {:.2} s | {:.1} s | {:.0} KiB | {} |",
                framework.name,
                it.check,
                it.rebuild,
                it.release,
                it.program / 1024.0,
                it.lines
            );
        }
        let each = Measured::slope(&measured[0], &measured[2], (SIZES[2] - SIZES[0]) as f64);
        println!(
            "| {} | each | {:.1} ms | {:.1} ms | {:.0} ms | {:.2} KiB | {:.1} |",
            framework.name,
            each.check * 1e3,
            each.rebuild * 1e3,
            each.release * 1e3,
            each.program / 1024.0,
            each.lines
        );
    }
    Ok(())
}

fn measure(framework: &Framework, folder: &Path) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut measured = Vec::new();
    for size in SIZES {
        eprintln!("{} with {size} capabilities", framework.name);
        measured.push(Project::new(folder, framework, size)?.measure()?);
    }
    Ok(measured)
}
