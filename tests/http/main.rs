//! Streamable HTTP, seen by a client: the router without a port, and a few real sockets.
#![allow(clippy::unwrap_used)] // helpers of tests are tests

mod asking;
mod audit;
mod auth;
mod client;
#[path = "../mcp/desk.rs"]
#[allow(dead_code)] // other tests use the rest of it
mod desk;
mod embedding;
mod gates;
mod hostile;
mod identity;
mod jwt;
mod listen;
mod media;
mod modern;
mod names;
mod order;
mod params;
mod per_caller;
mod replicas;
mod resume;
mod rights;
mod serving;
mod sessions;
mod socket;
mod states;
mod streams;
mod updates;
mod walker;
