//! What the repository promises outside its code: links, commands, licences, dependencies.
#![allow(clippy::unwrap_used)] // Tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The folders of the workspace's members.
fn members() -> Vec<PathBuf> {
    let manifest = text("Cargo.toml");
    let (_, list) = manifest.split_once("members = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split('"').skip(1).step_by(2).map(|member| root().join(member)).collect()
}

/// All Markdown that people read.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    let mut folders = vec![root().join("book/src")];
    folders
        .extend(fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path()));
    for folder in folders {
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(files.filter(|file| file.extension().is_some_and(|ending| ending == "md")));
    }
    pages
}

/// The targets of `[text](target)` and `[text]: target`, code blocks left out.
fn links(page: &str) -> Vec<String> {
    let mut code = false;
    let mut links = Vec::new();
    for line in page.lines() {
        code ^= line.trim_start().starts_with("```");
        if code {
            continue;
        }
        links.extend(
            line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())),
        );
        if let Some((_, target)) = line.strip_prefix('[').and_then(|line| line.split_once("]: ")) {
            links.push(target.to_owned());
        }
    }
    links
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || link.contains("://") {
                continue;
            }
            assert!(page.with_file_name(file).exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn every_chapter_of_the_book_is_in_its_summary() {
    let summary: BTreeSet<_> = links(&text("book/src/SUMMARY.md")).into_iter().collect();
    for entry in fs::read_dir(root().join("book/src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "SUMMARY.md" || summary.contains(&name), "{name} is in no summary");
    }
}

#[test]
fn the_two_commands_of_the_readme_are_real() {
    let (readme, ci) = (text("README.md"), text(".ci/run"));
    assert!(readme.contains("\ncargo run --locked -p notes --example tour\n"));
    assert!(root().join("examples/notes/examples/tour.rs").exists());
    assert!(readme.contains("\ncargo test --workspace --locked\n"));
    assert!(
        ci.contains("\nstep cargo test --workspace --locked\n"),
        "CI runs what the README says"
    );
}

/// What a reader may paste is compiled: the page is a doctest, and `rs` or `ignore` would keep a block out.
#[test]
fn every_program_in_the_readme_is_compiled() {
    let readme = text("README.md");
    let blocks: Vec<_> = readme.lines().filter(|line| line.starts_with("```r")).collect();
    assert_eq!(blocks, ["```rust,no_run"; 5]);
    assert_eq!(readme.matches("\n#[tokio::main]\n").count(), 5, "each is a whole program");
    assert!(text("book/lib.rs").contains("README.md"));
}

#[test]
fn both_licences_are_here() {
    assert!(text("LICENSE-MIT").starts_with("MIT License"));
    assert!(text("LICENSE-APACHE").contains("Version 2.0, January 2004"));
    assert!(text("Cargo.toml").contains("license = \"MIT OR Apache-2.0\""));
}

#[test]
fn every_member_inherits_the_lints_and_the_licence() {
    for member in members() {
        let manifest = fs::read_to_string(member.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{}", member.display());
        assert!(manifest.contains("license.workspace = true"), "{}", member.display());
    }
}

#[test]
fn a_user_builds_each_dependency_once() {
    // What `jwt` verifies signatures with has an older syn of its own.
    for features in [
        &["--no-default-features"][..],
        &[],
        &["--features=http"],
        &["--features=http,cli,testing"],
    ] {
        let tree = ["tree", "--locked", "-p", "agent-mcp", "-e", "normal", "--prefix", "none"];
        let tree = cargo(&[&tree[..], features].concat());
        let mut packages: BTreeSet<(&str, &str)> = BTreeSet::new();
        for line in tree.lines() {
            let mut words = line.split_whitespace();
            packages.extend(words.next().zip(words.next()));
        }
        assert!(
            packages.iter().any(|(name, _)| *name == "syn"),
            "the macros parse with syn:\n{tree}"
        );
        let names: BTreeSet<_> = packages.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), packages.len(), "two versions of one package: {packages:#?}");
    }
}

#[test]
fn sec_8_the_library_has_no_client_and_so_is_no_proxy() {
    let tree = ["tree", "--locked", "-p", "agent-mcp", "--all-features", "--prefix", "none"];
    let tree = cargo(&[&tree[..], &["-e", "normal,features"]].concat());
    assert!(tree.contains("hyper feature \"server\""), "the features are listed:\n{tree}");
    for client in ["hyper feature \"client\"", "hyper-util feature \"client\"", "reqwest "] {
        assert!(!tree.contains(client), "{client}");
    }
}
