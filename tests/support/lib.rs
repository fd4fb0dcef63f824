//! What the tests share.

pub mod stdio;
pub mod tasks;
pub mod witness;
