//! Every duty of an MCP server has a row in `requirements.md`, and every test that a row names is there.

#![allow(clippy::unwrap_used)] // Tests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The families of duties, each with its last number.
const FAMILIES: [(&str, u32); 28] = [
    ("BASE", 19),
    ("VER", 21),
    ("STD", 11),
    ("HTTP", 10),
    ("SES", 19),
    ("MH", 20),
    ("SUB", 10),
    ("TOOL", 18),
    ("RES", 12),
    ("PRM", 6),
    ("CMP", 5),
    ("LOG", 9),
    ("PAG", 3),
    ("CAC", 5),
    ("CAN", 7),
    ("PRG", 4),
    ("MR", 10),
    ("EL", 9),
    ("SA", 2),
    ("RO", 1),
    ("LSR", 7),
    ("TSK", 18),
    ("AUTH", 15),
    ("SEC", 8),
    ("JS", 5),
    ("META", 5),
    ("ICON", 2),
    ("NAME", 1),
];

/// The section whose rows need no test, but a reason.
const NOT_SERVED: &str = "Not served";

/// What is not served. There is no more of it than this.
const MOST_NOT_SERVED: usize = 5;

struct Row {
    section: String,
    id: String,
    what: String,
    /// What shows it, or why it is not served.
    shown: String,
}

impl Row {
    /// What stands between backticks in the last column.
    fn tests(&self) -> impl Iterator<Item = &str> {
        self.shown.split('`').skip(1).step_by(2)
    }
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rows() -> Vec<Row> {
    let page = fs::read_to_string(folder().join("requirements.md")).unwrap();
    let mut section = String::new();
    let mut rows = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut section);
        }
        let Some(line) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            continue;
        };
        let cells: Vec<_> = line.split(" | ").map(str::to_owned).collect();
        let Ok([id, what, shown]) = <[_; 3]>::try_from(cells) else {
            panic!("three columns: {line}")
        };
        if id != "Id" && id != "---" {
            rows.push(Row { section: section.clone(), id, what, shown });
        }
    }
    rows
}

/// Whether the file has a test of that name: a function right under an attribute that makes it one.
fn has_test(source: &str, name: &str) -> bool {
    let signature = format!("fn {name}(");
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    lines.iter().enumerate().filter(|(_, line)| line.contains(&signature)).any(|(at, _)| {
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with(['#', '/']));
        above.into_iter().any(|line| {
            ["#[test]", "#[tokio::test]", "#[tokio::test("].iter().any(|it| line.starts_with(it))
        })
    })
}

/// The file of that name, below this folder or the root of the repository.
fn file(name: &str) -> Option<PathBuf> {
    let places = [folder(), folder().parent().unwrap()];
    places.into_iter().map(|place| place.join(name)).find(|path| path.is_file())
}

/// What is wrong with the name of a test.
fn fault(test: &str, expected_to_fail: &str) -> Option<&'static str> {
    if let Some(scenario) = test.strip_prefix("suite: ") {
        let fails = expected_to_fail
            .split_whitespace()
            .any(|word| word.split(':').next() == Some(scenario));
        return fails.then_some("the scenario is expected to fail");
    }
    let Some((path, name)) = test.split_once("::") else {
        let is_refused = file(test).is_some_and(|path| path.with_extension("stderr").is_file());
        return (!test.starts_with("ui/") || !is_refused).then_some("there is no such mistake");
    };
    match file(path).map(|path| fs::read_to_string(path).unwrap()) {
        None => Some("there is no such file"),
        Some(source) => (!has_test(&source, name)).then_some("the file has no such test"),
    }
}

#[test]
fn every_duty_has_one_row() {
    let all = FAMILIES
        .iter()
        .flat_map(|(family, last)| (1..=*last).map(move |number| format!("{family}-{number}")));
    let mut found = BTreeMap::new();
    for row in rows() {
        assert!(!row.what.is_empty() && !row.shown.is_empty(), "{} says nothing", row.id);
        *found.entry(row.id).or_insert(0) += 1;
    }
    let mut wrong = Vec::new();
    for id in all {
        match found.remove(&id) {
            Some(1) => {}
            Some(times) => wrong.push(format!("{id} is there {times} times")),
            None => wrong.push(format!("{id} is missing")),
        }
    }
    wrong.extend(found.into_keys().map(|id| format!("{id} is no duty")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_duty_has_a_test_that_is_there() {
    let suite = folder().join("conformance-server/suite/expected.yaml");
    let expected_to_fail = fs::read_to_string(suite).unwrap_or_default();
    let mut wrong = Vec::new();
    for row in rows() {
        if row.tests().next().is_none() {
            wrong.push(format!("{}: no test", row.id));
        }
        for test in row.tests() {
            if let Some(fault) = fault(test, &expected_to_fail) {
                wrong.push(format!("{}: `{test}`: {fault}", row.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn little_is_not_served() {
    let left_out = rows().into_iter().filter(|row| row.section == NOT_SERVED).count();
    assert!(left_out <= MOST_NOT_SERVED, "{left_out}");
}

#[test]
fn a_name_that_is_no_tests_is_seen() {
    let source = "#[test]\nfn good() {}\n\nfn helper() {}\n    #[tokio::test(start_paused = true)]\n    // B1\n    async fn timed() {}\n";
    assert!(has_test(source, "good") && has_test(source, "timed"));
    assert!(!has_test(source, "helper") && !has_test(source, "goo"));
    assert_eq!(fault("requirements.rs::a_name_that_is_no_tests_is_seen", ""), None);
    for wrong in ["requirements.rs::rows", "nowhere.rs::good", "ui/nothing.rs", "README.md"] {
        assert!(fault(wrong, "").is_some(), "{wrong}");
    }
    assert!(fault("suite: ping", "  - ping:check").is_some());
    assert_eq!(fault("suite: ping", "  - ping-all"), None);
}
