//! A todo list that people and agents share.
//!
//! This is the larger of the two examples: an *application*, whose state changes by messages only. What an agent
//! may do is in one impl block; each of its capabilities names one of the messages that the application has
//! anyway, and the rest of the crate does not know that there are agents.

pub mod model;
pub mod storage;
pub mod update;
pub mod user;
