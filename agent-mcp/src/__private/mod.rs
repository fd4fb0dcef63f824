//! What generated code calls. Nothing here is covered by any promise of stability.
//!
//! Generated code is data and short calls, so everything that can be decided by a type is decided
//! here: [`argument`] judges what a parameter may be, [`input`] how arguments are read, [`returned`]
//! what becomes of a method's result. Each judges by *probes*: a method call on a few references,
//! where rustc takes the first implementation that fits. The last implementations exist to fail with
//! one error at the user's type.

mod argument;
mod declare;
mod hooks;
mod input;
mod returned;

pub use std::time::Duration;

pub use schemars;
pub use serde;

pub use self::{
    argument::{Argument, Lends, has_default, lend},
    declare::{capability, future, resource},
    hooks::{dispatches, verdict},
    input::{Input, NoArguments},
    returned::Returns,
};
pub use crate::{
    host::Never,
    runtime::{Agent, Declaration, HostOf, Part},
};

/// The traits that the probes and the derives need in scope, without their names.
pub mod probe {
    pub use super::prelude::*;
    pub use super::{
        argument::{AnyArgument as _, Fits as _, WithoutDecode as _, WithoutSchema as _},
        input::{Read as _, Unread as _},
        returned::{
            Carries as _, Dispatches as _, Explains as _, Fails as _, Mute as _, Plain as _,
            Shapeless as _, Structures as _, Unfit as _,
        },
    };
}

/// What schemars' derive calls by method name; a crate without the prelude lacks it.
pub mod prelude {
    pub use std::{
        convert::{From as _, Into as _},
        default::Default as _,
    };
}
