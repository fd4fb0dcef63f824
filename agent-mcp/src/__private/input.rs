//! How a capability's arguments are read and described.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{runtime::InputCodec, schema::InputSchema};

/// Finds the codec of `I`: `(&&Input::<I>::new()).codec()`.
pub struct Input<I>(PhantomData<fn() -> I>);

impl<I> Input<I> {
    /// The probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

// The input of a capability that takes no arguments: the closed empty object (B27). A doc comment would
// become the description of its schema.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

/// The input can be read.
pub trait Read<I> {
    fn codec(&self) -> InputCodec<I>;
}

impl<I: DeserializeOwned + JsonSchema> Read<I> for &Input<I> {
    fn codec(&self) -> InputCodec<I> {
        InputCodec { schema: InputSchema::of::<I>, decode: |schema, raw| schema.decode(raw) }
    }
}

/// An argument is broken, and rustc has said so at its type.
pub trait Unread<I> {
    fn codec(&self) -> InputCodec<I>;
}

impl<I> Unread<I> for Input<I> {
    fn codec(&self) -> InputCodec<I> {
        let () = Missed::<I>::BY_A_CHECK;
        unreachable!("the line above does not compile")
    }
}

/// Stops the build where the check of an argument missed something. It hangs on `I`, or an optimised
/// build of this crate would judge it before there is any `I`.
pub(super) struct Missed<I>(PhantomData<I>);

impl<I> Missed<I> {
    pub(super) const BY_A_CHECK: () = panic!("an argument of a capability is not JSON");
}
