//! The official conformance suite, run against the server of this package: a test for each way to run it.
//!
//! `suite/expected.yaml` says what may fail. With such a file the suite is strict: a warning is a failure, too,
//! and so is something that is expected to fail and does not.

mod harness;

use harness::{Pass, Suite};

#[test]
fn at_2025_03_26() {
    Pass::at("2025-03-26").runs(1, 3);
}

#[test]
fn at_2025_06_18() {
    Pass::at("2025-06-18").runs(27, 45);
}

#[test]
fn at_2025_11_25() {
    Pass::at("2025-11-25").runs(33, 62);
}

#[test]
fn at_2025_11_25_with_every_answer_as_a_stream() {
    Pass::at("2025-11-25").always_stream().runs(33, 63);
}

#[test]
fn at_2026_07_28() {
    Pass::at("2026-07-28").runs(40, 121);
}

#[test]
fn at_2026_07_28_with_every_answer_as_a_stream() {
    Pass::at("2026-07-28").always_stream().runs(40, 122);
}

/// Every scenario at the revision that it was made for, with those of the extensions.
#[test]
fn all_scenarios() {
    Pass::of(Suite::Newest).runs(65, 201);
}

/// The last version of the suite that is called stable. It knows the legacy era only.
#[test]
fn all_scenarios_of_the_stable_suite() {
    Pass::of(Suite::Stable).runs(32, 25);
}
