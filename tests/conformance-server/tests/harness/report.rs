use std::{fmt, fs, path::Path};

use serde_json::Value;

/// What a run of the suite has found.
pub(super) struct Report {
    /// Each scenario with its checks, by name.
    scenarios: Vec<(String, Vec<Value>)>,
    /// What fails and is not expected to: scenarios, or checks as `scenario:check`.
    unexpected: Vec<String>,
    /// What is expected to fail and does not.
    stale: Vec<String>,
}

impl Report {
    /// Reads the folder of results, and what the suite wrote.
    pub(super) fn read(results: &Path, output: &str) -> Self {
        let folders = fs::read_dir(results).into_iter().flatten().flatten();
        let mut scenarios: Vec<_> = folders
            .filter_map(|folder| {
                let checks = fs::read(folder.path().join("checks.json")).ok()?;
                let name = scenario(folder.file_name().to_str()?).to_owned();
                Some((name, serde_json::from_slice(&checks).expect("checks are JSON")))
            })
            .collect();
        scenarios.sort_by(|(one, _), (other, _)| one.cmp(other));
        // The verdict comes after a list of all scenarios, which is marked in the same way.
        let verdict = output.rsplit_once("\nTotal:").map_or("", |(_, verdict)| verdict);
        let marked = |mark| {
            let lines = verdict.lines().filter_map(|line| line.trim_start().strip_prefix(mark));
            lines.map(str::to_owned).collect()
        };
        Self { scenarios, unexpected: marked("✗ "), stale: marked("✓ ") }
    }

    pub(super) fn scenarios(&self) -> usize {
        self.scenarios.len()
    }

    /// How many checks have succeeded.
    pub(super) fn successes(&self) -> usize {
        self.scenarios.iter().map(|(_, checks)| successes(checks)).sum()
    }

    /// How many checks of each scenario have succeeded, and of how many.
    pub(super) fn counts(&self) -> String {
        let scenarios = self.scenarios.iter();
        scenarios
            .map(|(name, checks)| format!("{name}: {}/{}\n", successes(checks), checks.len()))
            .collect()
    }
}

/// Every check that fails and is not expected to, with what the suite has seen of it.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (scenario, checks) in &self.scenarios {
            for check in checks {
                let said = |key: &str| check[key].as_str().unwrap_or_default();
                let name = format!("{scenario}:{}", said("id"));
                let is_listed = self.unexpected.iter().any(|it| it == scenario || *it == name);
                if !is_listed || !["FAILURE", "WARNING"].contains(&said("status")) {
                    continue;
                }
                writeln!(f, "{} {name}: {}", said("status"), said("description"))?;
                writeln!(f, "    {}", said("errorMessage"))?;
                if let Some(details) = check.get("details") {
                    writeln!(f, "    {details}")?;
                }
            }
        }
        for name in &self.stale {
            writeln!(f, "`{name}` succeeds: take it out of `suite/expected.yaml`")?;
        }
        Ok(())
    }
}

fn successes(checks: &[Value]) -> usize {
    checks.iter().filter(|check| check["status"] == "SUCCESS").count()
}

/// The scenario of a folder that is called `server-SCENARIO-TIME`, where the time has this many characters.
fn scenario(folder: &str) -> &str {
    const TIME: usize = "-2026-07-28T09-30-00-000Z".len();
    let name = folder.strip_prefix("server-").unwrap_or(folder);
    name.get(..name.len().saturating_sub(TIME)).unwrap_or(name)
}
