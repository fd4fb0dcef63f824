//! What rustc says about mistakes, word for word. What must compile, `ui/pass`, is part of `hygiene.rs`.
//!
//! `TRYBUILD=overwrite` writes the `.stderr` files anew. Read them before you commit them.

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    for rule in std::fs::read_dir("ui").unwrap() {
        let rule = rule.unwrap().path();
        // A single case that compiles would have every dependency built instead of checked.
        if !rule.ends_with("pass") {
            cases.compile_fail(rule.join("*.rs"));
        }
    }
}
