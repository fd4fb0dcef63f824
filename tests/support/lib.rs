//! What the tests share.

pub mod stdio;
pub mod witness;
