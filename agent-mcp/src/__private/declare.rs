//! How a declaration of one entry begins.

use super::returned::Kind;
use crate::runtime::{Agent, BoxFuture, CapabilityBuilder, InputCodec, ResourceBuilder};

/// Begins a capability. Its agent and its input are known from the two probes.
pub fn capability<A, I, R, T, How>(
    name: &str,
    method: &str,
    description: &str,
    codec: InputCodec<I>,
    kind: Kind<A, R, T, How>,
) -> CapabilityBuilder<A, I>
where
    A: Agent,
    I: Send + Sync + 'static,
{
    CapabilityBuilder::new(name, method, description, codec, kind.describe())
}

/// Begins a resource, or the context.
pub fn resource<A: Agent, R, T, How>(
    name: &str,
    description: &str,
    kind: Kind<A, R, T, How>,
) -> ResourceBuilder<A> {
    ResourceBuilder::new(name, description, kind.describe())
}

/// The one box of a call. Named apart so that rustc blames the method when its future may not be sent
/// between threads.
pub fn future<T>(method: impl Future<Output = T> + Send + 'static) -> BoxFuture<'static, T> {
    Box::pin(method)
}
