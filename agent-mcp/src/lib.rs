//! Hand a Rust application to AI agents.
