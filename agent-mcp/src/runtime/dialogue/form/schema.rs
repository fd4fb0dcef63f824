//! What a form asks for, in no protocol's words yet.

use serde::Serialize;
use serde_json::{Number, Value};

/// What a form asks for: its fields, in the order in which a person sees them.
///
/// It is flat by construction (EL-2). How it is written depends on the revision of the protocol, so that is the
/// adapter's.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FormSchema {
    /// The fields.
    pub fields: Vec<FormField>,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FormField {
    /// Its name in the answer.
    pub name: &'static str,
    /// Its name for people.
    pub title: Option<&'static str>,
    /// What it is for.
    pub description: Option<&'static str>,
    /// Whether it must be filled in.
    pub required: bool,
    /// What counts when it is not filled in.
    pub default: Option<Value>,
    /// What it takes.
    pub kind: FieldKind,
}

/// What a field takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)] // The limits are those of JSON Schema.
pub enum FieldKind {
    /// A text.
    #[non_exhaustive]
    Text { format: Option<TextFormat>, min_length: Option<u32>, max_length: Option<u32> },
    /// A number.
    #[non_exhaustive]
    Number { integer: bool, minimum: Option<Number>, maximum: Option<Number> },
    /// Yes or no.
    Boolean,
    /// One of several options.
    #[non_exhaustive]
    Single {
        options: &'static [FormOption],
        /// Whether titles are written as the `enumNames` of old clients.
        enum_names: bool,
    },
    /// Any of several options.
    #[non_exhaustive]
    Multi { options: &'static [FormOption], min_items: Option<u32>, max_items: Option<u32> },
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum TextFormat {
    Email,
    Uri,
    Date,
    DateTime,
}

impl TextFormat {
    /// The word of JSON Schema.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::DateTime => "date-time",
        }
    }
}

/// One of the options of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FormOption {
    /// What is answered.
    pub value: &'static str,
    /// What people read.
    pub title: Option<&'static str>,
}

impl FormOption {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(value: &'static str, title: Option<&'static str>) -> Self {
        Self { value, title }
    }

    /// What people read: the title, or the value where there is none.
    #[must_use]
    pub fn label(&self) -> &'static str {
        self.title.unwrap_or(self.value)
    }
}
