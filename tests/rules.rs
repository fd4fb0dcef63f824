//! Every rule of the contract and every field case has a test that names it.
//!
//! A rule is named by a test function (`b36_...`) or by a comment inside a test file or test module
//! (`// B36`). A case is named by a test function that holds its id (`schema_2cf_...`), or by the last
//! line of a file under `ui`, whose own name is the mistake.

#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, fs, path::Path};

/// Rules that no test names, each with the reason.
const WITHOUT_A_TEST: &[(u32, &str)] = &[
    (4, "a Message is written as a path, and rustc resolves it"),
    (9, "superseded: a method's return type says what it makes"),
    (10, "a shared action is a function and an `#[args]` type; there is no second way to name one"),
    (19, "a subset of Messages is a type of its own, and types are nominal"),
    (20, "the examples of `Server::principal` hold it: one of them must not compile"),
    (68, "superseded: one closure decides, so lists cannot contradict each other"),
    (100, "a sink sees the stable id and never the principal, so it has no principal's type"),
    (
        110,
        "superseded: what comes before a handshake is judged by VER-14, and `ping` is always answered",
    ),
    (142, "superseded: principal and sessions come with the transport"),
];

/// The field cases.
const CASES: &str = "
    schema-2cf schema-0a0 schema-a73 schema-547 schema-cbb schema-8a1 schema-9f2 schema-176 schema-23d
    schema-a14 schema-42e schema-73e schema-637 output-802 output-8ab output-a23 output-824 output-ba1
    output-d78 args-755 args-5f7 args-909 args-4fc args-555 macro-fdf macro-f29 macro-cd9 macro-e0a
    macro-2c5 macro-6bd macro-76e macro-016 names-7b8 names-a99 stdio-614 stdio-b1d stdio-561 stdio-42d
    stdio-e06 stdio-969 stdio-65c stdio-ef6 jsonrpc-130 jsonrpc-c09 jsonrpc-d79 jsonrpc-224 jsonrpc-a51
    jsonrpc-251 lifecycle-b00 lifecycle-58b lifecycle-b40 lifecycle-628 dynamic-93b dynamic-113
    dynamic-18d dynamic-1da dynamic-f90 cancel-c25 cancel-b7f cancel-042 cancel-ffb runtime-c51
    runtime-e0e runtime-8d7 errors-f05 errors-8ca audit-29f audit-6ca audit-72c
    http-19a http-3bc http-9e3 http-dd4 http-1d7 http-599 sse-682 sse-ca6 sse-480 sse-dcd sse-d27 sse-fb3
    session-77a session-95c session-c87 session-142 session-24b session-43e lifecycle-104 jsonrpc-eaf
    cancel-175 auth-5ac auth-16b auth-41c http-192 http-353 session-3ac runtime-d83";

/// The text of every test: the `tests` folders and the test modules beside the code.
fn tests() -> String {
    fn gather(folder: &Path, inside_tests: bool, text: &mut String) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !matches!(name.as_str(), "target" | "node_modules" | ".git") {
                    gather(&path, inside_tests || name == "tests", text);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && name != "rules.rs"
            {
                let source = fs::read_to_string(&path).unwrap();
                if inside_tests || name == "tests.rs" {
                    text.push_str(&source);
                } else if let Some(start) = source.find("#[cfg(test)]") {
                    text.push_str(&source[start..]);
                }
                text.push('\n');
            }
        }
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut text = String::new();
    gather(workspace, false, &mut text);
    text.to_lowercase().replace('-', "_")
}

/// The words of the text, cut where neither a letter nor a digit stands.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|it: char| !it.is_ascii_alphanumeric()).collect()
}

#[test]
fn every_rule_up_to_b171_is_named_by_a_test() {
    let text = tests();
    let words = words(&text);
    let excused: BTreeSet<_> = WITHOUT_A_TEST.iter().map(|(rule, _)| *rule).collect();
    let missing: Vec<_> = (1..=171)
        .filter(|rule| words.contains(&*format!("b{rule}")) == excused.contains(rule))
        .collect();
    assert!(missing.is_empty(), "no test names these rules, or an excuse is stale: {missing:?}");
}

#[test]
fn every_field_case_is_a_test_named_after_it() {
    let text = tests();
    let missing: Vec<_> =
        CASES.split_whitespace().filter(|case| !text.contains(&case.replace('-', "_"))).collect();
    assert!(missing.is_empty(), "no test is named after these cases: {missing:?}");
}
