//! Builds a program and measures what that takes.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::agent::{Framework, TOUCHED};

/// What a program took. Times are processor seconds.
#[derive(Debug)]
pub(crate) struct Measured {
    /// `cargo check`, when all that it depends on is checked.
    pub(crate) check: f64,
    /// `cargo build`, when one body has been changed.
    pub(crate) rebuild: f64,
    /// `cargo build --release`, when all that it depends on is built.
    pub(crate) release: f64,
    /// The bytes of the program, without symbols.
    pub(crate) program: f64,
    /// The lines of the expanded code.
    pub(crate) lines: f64,
}

impl Measured {
    /// What each of so many more capabilities takes.
    pub(crate) fn slope(few: &Self, many: &Self, more: f64) -> Self {
        Self {
            check: (many.check - few.check) / more,
            rebuild: (many.rebuild - few.rebuild) / more,
            release: (many.release - few.release) / more,
            program: (many.program - few.program) / more,
            lines: (many.lines - few.lines) / more,
        }
    }
}

/// A program in a folder of its own.
pub(crate) struct Project {
    name: String,
    folder: PathBuf,
    /// Programs of one framework share what they depend on.
    target: PathBuf,
}

impl Project {
    pub(crate) fn new(
        folder: &Path,
        framework: &Framework,
        size: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let name = format!("tools-{size}");
        let folder = folder.join(framework.name);
        let project = Self { folder: folder.join(&name), target: folder.join("target"), name };
        fs::create_dir_all(project.folder.join("src"))?;
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let dependencies = framework.dependencies.replace("{root}", root);
        let name = &project.name;
        fs::write(
            project.folder.join("Cargo.toml"),
            format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                 [dependencies]{dependencies}\n[profile.release]\nstrip = true\n\n[workspace]\n"
            ),
        )?;
        fs::write(project.source(), framework.program(size))?;
        Ok(project)
    }

    pub(crate) fn measure(&self) -> Result<Measured, Box<dyn Error>> {
        // What it depends on is built before.
        for arguments in [&["check"][..], &["build", "--release"]] {
            self.cargo(arguments)?;
        }
        self.forget(&[])?;
        let check = self.cargo(&["check"])?;
        self.cargo(&["build"])?;
        self.touch(TOUCHED)?;
        let rebuild = self.cargo(&["build"])?;
        self.forget(&["--release"])?;
        let release = self.cargo(&["build", "--release"])?;
        let program = fs::metadata(self.target.join("release").join(&self.name))?.len() as f64;
        Ok(Measured { check, rebuild, release, program, lines: self.lines()? })
    }

    fn source(&self) -> PathBuf {
        self.folder.join("src/main.rs")
    }

    /// Changes the body of the last tool.
    fn touch(&self, (from, to): (&str, &str)) -> Result<(), Box<dyn Error>> {
        let source = fs::read_to_string(self.source())?;
        let (before, after) = source.rsplit_once(from).ok_or("there is no body to change")?;
        fs::write(self.source(), format!("{before}{to}{after}"))?;
        Ok(())
    }

    /// Forgets what was made of the program itself.
    fn forget(&self, profile: &[&str]) -> Result<(), Box<dyn Error>> {
        self.cargo(&[&["clean", "--package", &self.name], profile].concat())?;
        Ok(())
    }

    fn lines(&self) -> Result<f64, Box<dyn Error>> {
        let output = self
            .command(&["rustc", "--profile", "dev", "--", "-Zunpretty=expanded"])
            // The compiler shows what macros become to those who insist only.
            .env("RUSTC_BOOTSTRAP", "1")
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        Ok(output.stdout.iter().filter(|byte| **byte == b'\n').count() as f64)
    }

    /// Runs `cargo`; gives the processor seconds that it took.
    fn cargo(&self, arguments: &[&str]) -> Result<f64, Box<dyn Error>> {
        let before = processor_seconds()?;
        let output = self.command(arguments).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        Ok(processor_seconds()? - before)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command
            .arg("--quiet")
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove("CARGO_INCREMENTAL")
            .stdin(Stdio::null());
        command
    }
}

/// The processor time of all that this process has started and waited for.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name of the process, in parentheses, may hold blanks.
    let fields = stat.rsplit_once(')').ok_or("/proc/self/stat is not as it should be")?.1;
    let fields: Vec<_> = fields.split_ascii_whitespace().collect();
    let ticks = fields[13].parse::<f64>()? + fields[14].parse::<f64>()?;
    Ok(ticks / 100.0)
}
