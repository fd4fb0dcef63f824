//! The protocol, driven over the pure handler (B108): no transport, no clock.

#![allow(clippy::unwrap_used)] // helpers of tests are tests

mod asking;
mod caching;
mod cancel;
mod changes;
mod client;
mod content;
mod desk;
mod extras;
mod heartbeat;
mod jsonrpc;
mod lifecycle;
mod lists;
mod modern;
mod principals;
mod prompts;
mod properties;
mod published;
mod questions;
mod resources;
mod schemas;
mod shape;
mod shelf;
mod sizes;
mod skills;
mod states;
mod tasks;
mod templates;
mod tools;
mod updates;
mod views;
mod wire;
