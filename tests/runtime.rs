//! The fixed order of every call, whatever the adapter: behaviours B32 to B107.

#![allow(clippy::unwrap_used)] // helpers of tests are tests

#[path = "runtime/asking.rs"]
mod asking;
#[path = "runtime/audit.rs"]
mod audit;
#[path = "runtime/await_points.rs"]
mod await_points;
#[path = "runtime/cancellation.rs"]
mod cancellation;
#[path = "runtime/completion.rs"]
mod completion;
#[path = "runtime/composition.rs"]
mod composition;
#[path = "runtime/declaring.rs"]
mod declaring;
#[path = "runtime/desk.rs"]
mod desk;
#[path = "runtime/failures.rs"]
mod failures;
#[path = "runtime/forms.rs"]
mod forms;
#[path = "runtime/order.rs"]
mod order;
#[path = "runtime/per_caller.rs"]
mod per_caller;
#[path = "runtime/reads.rs"]
mod reads;
#[path = "runtime/sampling.rs"]
mod sampling;
#[path = "runtime/tracing.rs"]
mod tracing;
