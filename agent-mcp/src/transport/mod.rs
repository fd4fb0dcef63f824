//! Bytes in and out; no policy.

#[cfg(feature = "stdio")]
pub mod stdio;
