//! What the clients that are not Rust need: made once below the build folder, then kept.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Client;

/// The variable that leaves clients out on a machine that cannot run them: `python`, `node`, `curl`, or several.
pub const SKIP: &str = "AGENT_MCP_SKIP_CLIENTS";

const REQUIREMENTS: &str = include_str!("../python/requirements.txt");
const PYTHON_DRIVER: &str = include_str!("../python/driver.py");

const PACKAGE: [(&str, &str); 3] = [
    ("package.json", include_str!("../ts/package.json")),
    ("package-lock.json", include_str!("../ts/package-lock.json")),
    (".npmrc", include_str!("../ts/.npmrc")),
];
const NODE_DRIVERS: [(&str, &str); 3] = [
    ("driver.mjs", include_str!("../ts/driver.mjs")),
    ("driver-client.mjs", include_str!("../ts/driver-client.mjs")),
    ("driver-sdk.mjs", include_str!("../ts/driver-sdk.mjs")),
];

/// Whether the tests of this client are left out, which is said on standard error.
///
/// # Panics
///
/// When they are to be left out under continuous integration.
pub fn left_out(client: Client) -> bool {
    client.needs().is_some_and(|program| is_left_out(program, &format!("{client:?}")))
}

/// Whether `what` is left out because it needs a program (`python`, `node` or `curl`), which is said on standard error.
///
/// # Panics
///
/// When it is to be left out under continuous integration.
pub fn is_left_out(program: &str, what: &str) -> bool {
    let skip = env::var(SKIP).unwrap_or_default();
    if !skip.split(',').any(|word| word.trim() == program) {
        return false;
    }
    assert!(env::var_os("CI").is_none(), "{SKIP}={skip}: with `CI` set nothing is left out");
    eprintln!("left out by {SKIP}: {what}");
    true
}

/// The Python of a virtual environment with the SDK in it, and the driver to run.
pub(crate) fn python(below: &Path) -> (PathBuf, PathBuf) {
    let folder = folder(below, "python", &[REQUIREMENTS]);
    let venv = folder.join("venv");
    let python =
        if cfg!(windows) { venv.join("Scripts/python.exe") } else { venv.join("bin/python") };
    once(&folder, || {
        // `python3` is the name on Unix, `python` the one that Windows' installer gives.
        let system = if cfg!(windows) { "python" } else { "python3" };
        run(
            system,
            ["-m".as_ref(), "venv".as_ref(), "--clear".as_ref(), venv.as_os_str()],
            &folder,
        )
        .map_err(|why| {
            missing(
                "python",
                "Python 3.10 or newer with its `venv` module (Debian: `apt install python3-venv`)",
                &why,
            )
        })?;
        write(&folder, &[("requirements.txt", REQUIREMENTS)]);
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
            "requirements.txt",
        ];
        run(&python, pip.map(OsStr::new), &folder).map_err(|why| {
            missing("python", "the packages of `tests/clients/python/requirements.txt`", &why)
        })
    });
    (python, written(&folder, "driver.py", &[("driver.py", PYTHON_DRIVER)]))
}

/// The driver to run with `node`, beside the SDKs.
pub(crate) fn node(below: &Path, driver: &str) -> PathBuf {
    written(&packages(below, "node", &PACKAGE), driver, &NODE_DRIVERS)
}

/// A folder below `build` with packages of npm, which are those of `package`: the files that npm needs.
///
/// # Panics
///
/// When they cannot be installed.
pub fn packages(build: &Path, name: &str, package: &[(&str, &str)]) -> PathBuf {
    let contents: Vec<_> = package.iter().map(|(_, content)| *content).collect();
    let folder = folder(build, name, &contents);
    once(&folder, || {
        run("node", ["--version"].map(OsStr::new), &folder)
            .map_err(|why| missing("node", "Node.js 20 or newer", &why))?;
        write(&folder, package);
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let ci = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
        run(npm, ci.map(OsStr::new), &folder)
            .map_err(|why| missing("node", &format!("npm, and the packages for `{name}`"), &why))
    });
    folder
}

/// A folder for what is installed from these files: other files, another folder.
fn folder(below: &Path, name: &str, from: &[&str]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    from.hash(&mut hasher);
    let folder = below.join("clients").join(format!("{name}-{:016x}", hasher.finish()));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

/// Runs `install` unless an earlier run has finished it. Tests that run at the same time wait.
fn once(folder: &Path, install: impl FnOnce() -> Result<(), String>) {
    let _lock = lock(folder);
    let done = folder.join("installed");
    if !done.exists() {
        install().unwrap_or_else(|why| panic!("{why}"));
        File::create(done).expect("the build folder can be written");
    }
}

fn lock(folder: &Path) -> File {
    let lock = File::create(folder.join("lock")).expect("the build folder can be written");
    lock.lock().expect("the build folder can be locked");
    lock
}

/// Brings the drivers up to date and gives the path of one.
fn written(folder: &Path, driver: &str, files: &[(&str, &str)]) -> PathBuf {
    let _lock = lock(folder);
    write(folder, files);
    folder.join(driver)
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = folder.join(name);
        // A driver that another test reads at this moment must not be cut off.
        if fs::read_to_string(&path).is_ok_and(|old| old == *content) {
            continue;
        }
        fs::write(path, content).expect("the build folder can be written");
    }
}

fn run<'a>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = &'a OsStr>,
    folder: &Path,
) -> Result<(), String> {
    let mut command = Command::new(&program);
    command.args(arguments).current_dir(folder);
    let shown = format!("{command:?}");
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!(
            "`{shown}` failed:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(format!("`{}` is not on this machine", program.as_ref().display()))
        }
        Err(error) => Err(format!("`{shown}`: {error}")),
    }
}

fn missing(word: &str, what: &str, why: &str) -> String {
    format!(
        "this test runs somebody else's program, which needs {what}.\n\
         To leave it out, set {SKIP}={word} (several words with a comma).\n\n{why}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named_with_the_way_to_leave_it_out() {
        let why = run("no-such-program", [], Path::new(".")).unwrap_err();
        assert_eq!(why, "`no-such-program` is not on this machine");
        let text = missing("node", "Node.js 20 or newer", &why);
        assert!(text.contains("which needs Node.js 20 or newer.\n"), "{text}");
        assert!(text.contains("AGENT_MCP_SKIP_CLIENTS=node"), "{text}");
    }

    #[test]
    fn a_program_that_fails_says_what_it_wrote() {
        let why =
            run(env!("CARGO"), ["no-such-command"].map(OsStr::new), Path::new(".")).unwrap_err();
        assert!(why.contains("failed:\nerror: no such command"), "{why}");
    }
}
