//! What the tests share.

pub mod stdio;
