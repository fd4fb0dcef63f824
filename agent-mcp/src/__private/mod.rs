//! What generated code calls. Nothing here is covered by any promise of stability.
//!
//! Generated code is data and short calls, so everything that can be decided by a type is decided
//! here: `argument` judges what a parameter may be, `input` how arguments are read, `returned`
//! what becomes of a method's result. Each judges by *probes*: a method call on a few references,
//! where rustc takes the first implementation that fits. The last implementations exist to fail with
//! one error at the user's type.

mod argument;
mod extras;
mod form;
mod found;
mod header;
mod hooks;
mod input;
mod member;
mod method;
mod returned;
mod sent;
#[cfg(feature = "json-schema")]
mod written;

pub use std::time::Duration;

pub use schemars;
pub use serde;

#[cfg(feature = "json-schema")]
pub use self::written::{read, written};
pub use self::{
    argument::{Argument, default, has_default},
    extras::{icon, meta_value},
    form::{list, text},
    header::Header,
    hooks::{
        by_caller, by_function, by_model, dispatches, suggestions, suggestions_beside, verdict,
    },
    input::{Input, NoArguments},
    member::Member,
    method::{future, lend, part},
    returned::result,
    sent::{Sent, is_written},
};
pub use crate::contract::Audience;
pub use crate::{
    contract::{Extras, TaskMode},
    host::Never,
    runtime::{
        Agent, Choice, Declaration, Form, FormOption, FormPass, HostOf, InProcess, Outcome, Part,
        TextFormat,
    },
    schema::Id,
};

/// The traits that the probes and the derives need in scope, without their names.
pub mod probe {
    pub use super::{
        argument::{
            AnyArgument as _, ContextArgument as _, DescribedArgument as _, ReadArgument as _,
        },
        found::{
            FailsOrFinds as _, FailsOrIs as _, Finds as _, Is as _, TellsOrFinds as _,
            TellsOrIs as _,
        },
        header::{MaybeInHeader as _, OutsideOfHeaders as _},
        input::{Read as _, Unread as _},
        member::{AnyMember as _, UndescribedMember as _, UnreadMember as _, WholeMember as _},
        prelude::*,
        returned::{
            Any as _, Content as _, Fails as _, Message as _, Plain as _, Serialized as _,
            Tells as _, Wrapped as _,
        },
        sent::{Sends as _, Unsent as _},
    };
}

/// What schemars' derive names beside a type with `#[agent_mcp::data]`. Each name gives way to the user's own.
pub mod derived {
    pub use std::option::Option::Some;

    pub use super::prelude::*;
}

/// What schemars' derive calls by method name; a crate without the prelude lacks it.
pub mod prelude {
    pub use std::{
        convert::{From as _, Into as _},
        default::Default as _,
    };
}
