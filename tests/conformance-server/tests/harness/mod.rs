//! Starts the server, runs the suite and says in words what failed.

mod report;
mod server;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use agent_mcp_clients::{is_left_out, packages};

use self::{report::Report, server::Server};

const PACKAGE: [(&str, &str); 3] = [
    ("package.json", include_str!("../../suite/package.json")),
    ("package-lock.json", include_str!("../../suite/package-lock.json")),
    (".npmrc", include_str!("../../suite/.npmrc")),
];

/// A version of the suite.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Suite {
    Newest,
    Stable,
}

impl Suite {
    fn folder(self) -> &'static str {
        match self {
            Self::Newest => "@modelcontextprotocol/conformance",
            Self::Stable => "conformance-stable",
        }
    }
}

/// One run of the suite.
#[derive(Debug)]
pub(crate) struct Pass {
    suite: Suite,
    scenarios: Scenarios,
    always_stream: bool,
}

/// Which scenarios are run.
#[derive(Clone, Copy, Debug)]
enum Scenarios {
    All,
    Of(&'static str),
    RequiredBy(&'static str),
}

impl Pass {
    /// All scenarios, each at the revision that it was made for.
    pub(crate) fn of(suite: Suite) -> Self {
        Self { suite, scenarios: Scenarios::All, always_stream: false }
    }

    /// All scenarios of a revision.
    pub(crate) fn at(self, revision: &'static str) -> Self {
        Self { scenarios: Scenarios::Of(revision), ..self }
    }

    /// The scenarios that a server of a revision has to pass, and those of the extensions of that time.
    pub(crate) fn required_by(self, revision: &'static str) -> Self {
        Self { scenarios: Scenarios::RequiredBy(revision), ..self }
    }

    /// The server answers every request with a stream.
    pub(crate) fn always_stream(self) -> Self {
        Self { always_stream: true, ..self }
    }

    /// Runs as many scenarios with as many checks that succeed, and none that fails without being expected to.
    ///
    /// The numbers see to it that nothing is passed by not being run.
    pub(crate) fn runs(self, scenarios: usize, successes: usize) {
        if is_left_out("node", "the conformance suite") {
            return;
        }
        let build = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let modules = packages(build, "conformance", &PACKAGE).join("node_modules");
        let results = build.join("conformance").join(self.name());
        // What an earlier run has left.
        let _ = fs::remove_dir_all(&results);
        let server = Server::start(self.always_stream);
        let output = self
            .command(&modules, &results)
            .args(["--url", &server.address])
            .output()
            .expect("the suite can be started");
        let written = String::from_utf8_lossy(&output.stdout);
        let report = Report::read(&results, &written);
        if !output.status.success() {
            let found = report.to_string();
            // A suite that has broken has found nothing.
            let found = if found.is_empty() { &*written } else { &found };
            let errors = String::from_utf8_lossy(&output.stderr);
            panic!("{self:?}\n\n{found}{errors}\nThe server said:\n{}", server.log());
        }
        assert_eq!(
            (report.scenarios(), report.successes()),
            (scenarios, successes),
            "{self:?}: as many scenarios with as many successful checks\n{}",
            report.counts()
        );
    }

    fn name(&self) -> String {
        let stream = if self.always_stream { "-streams" } else { "" };
        let scenarios = match self.scenarios {
            Scenarios::All => "all",
            Scenarios::Of(revision) => revision,
            Scenarios::RequiredBy(revision) => &format!("required-by-{revision}"),
        };
        format!("{:?}-{scenarios}{stream}", self.suite)
    }

    fn command(&self, modules: &Path, results: &Path) -> Command {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut command = Command::new(node(modules));
        command
            .arg(modules.join(self.suite.folder()).join("dist/index.js"))
            .arg("server")
            .arg("--expected-failures")
            .arg(package.join("suite/expected.yaml"))
            .arg("--output-dir")
            .arg(results);
        match self.scenarios {
            Scenarios::All => command.args(["--suite", "all"]),
            Scenarios::Of(revision) => command.args(["--suite", "all", "--spec-version", revision]),
            Scenarios::RequiredBy(revision) => command.args(["--requirements", revision]),
        };
        command
    }
}

/// The suite needs a Node.js that is newer than many machines', so one is installed beside it, where there is
/// one for the machine.
fn node(modules: &Path) -> PathBuf {
    let own = modules.join(".bin/node");
    if own.exists() { own } else { "node".into() }
}
