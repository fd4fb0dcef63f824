//! What is said of an entry beside what it is.

use serde_json::Value;

use crate::contract::{Icon, View};

/// A picture, from what the user writes.
pub fn icon(icon: impl IntoIcon) -> Icon {
    icon.into_icon()
}

/// A value of `_meta`, from what the user writes.
pub fn meta_value(value: impl IntoMeta) -> Value {
    value.into_meta()
}

// Not for all `Into`: rustc would then blame a missing `From`, in words of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no icon",
    label = "not an icon",
    note = "write the address of the picture in quotes, or an `agent_mcp::Icon`"
)]
pub trait IntoIcon {
    fn into_icon(self) -> Icon;
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value of `_meta`",
    label = "not a JSON value",
    note = "write a text, a number, `true`, `false` or a `serde_json::Value`"
)]
pub trait IntoMeta {
    fn into_meta(self) -> Value;
}

macro_rules! from {
    ($trait:ident :: $method:ident -> $target:ty: $($source:ty),*) => {$(
        impl $trait for $source {
            fn $method(self) -> $target {
                self.into()
            }
        }
    )*};
}

from!(IntoIcon::into_icon -> Icon: Icon, &str, String);
from!(IntoMeta::into_meta -> Value: Value, View, &str, String, bool, i32, i64, u32, u64, usize, f64);
