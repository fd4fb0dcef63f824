//! The official conformance suite, run against the server of this package: a test for each way to run it.
//!
//! The suite is strict: a warning is a failure, too, since `suite/expected.yaml` lists nothing that may fail.
//! The numbers are the most that a server can reach.

mod harness;

use harness::{Pass, Suite};

#[test]
fn at_2025_03_26() {
    Pass::of(Suite::Newest).at("2025-03-26").runs(1, 3);
}

#[test]
fn at_2025_06_18() {
    Pass::of(Suite::Newest).at("2025-06-18").runs(27, 56);
}

/// One check is left out where lists are not answered with streams: whether these can be read.
#[test]
fn at_2025_11_25() {
    Pass::of(Suite::Newest).at("2025-11-25").runs(33, 83);
}

#[test]
fn at_2025_11_25_with_every_answer_as_a_stream() {
    Pass::of(Suite::Newest).at("2025-11-25").always_stream().runs(33, 84);
}

#[test]
fn at_2026_07_28() {
    Pass::of(Suite::Newest).at("2026-07-28").runs(40, 152);
}

#[test]
fn at_2026_07_28_with_every_answer_as_a_stream() {
    Pass::of(Suite::Newest).at("2026-07-28").always_stream().runs(40, 153);
}

#[test]
fn what_2025_11_25_requires() {
    Pass::of(Suite::Newest).required_by("2025-11-25").always_stream().runs(33, 84);
}

/// With the extension for tasks.
#[test]
fn what_2026_07_28_requires() {
    Pass::of(Suite::Newest).required_by("2026-07-28").always_stream().runs(50, 197);
}

/// Every scenario at the revision that it was made for, with those of the extensions.
#[test]
fn all_scenarios() {
    Pass::of(Suite::Newest).always_stream().runs(65, 276);
}

/// The last version of the suite that is called stable. It knows the legacy era only.
#[test]
fn all_scenarios_of_the_stable_suite() {
    Pass::of(Suite::Stable).always_stream().runs(32, 47);
}

#[test]
fn the_stable_suite_at_2025_06_18() {
    Pass::of(Suite::Stable).at("2025-06-18").runs(26, 26);
}
