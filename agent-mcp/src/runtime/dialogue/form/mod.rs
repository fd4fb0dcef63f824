//! Forms: what they may ask for, and how an answer is read.

mod field;
mod pass;
mod schema;

use std::marker::PhantomData;

pub use field::{Choice, ChoiceField, Field, ListField, NumberField, TextField};
pub use pass::FormPass;
pub(crate) use pass::described;
pub(super) use pass::read;
pub use schema::{FieldKind, FormField, FormOption, FormSchema, TextFormat};

/// A form that a person can be asked to fill in, made by [`#[derive(Form)]`](macro@crate::Form).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no form",
    label = "no form",
    note = "put `#[derive(agent_mcp::Form)]` on the struct; to ask for nothing but consent, ask for `()`"
)]
pub trait Form: Sized {
    /// Goes through the fields: to say what they are, or to read them.
    #[doc(hidden)]
    fn pass(form: &mut FormPass<'_>) -> Option<Self>;
}

/// Nothing to fill in: only whether the person agrees.
impl Form for () {
    fn pass(_: &mut FormPass<'_>) -> Option<Self> {
        Some(())
    }
}

/// A field in the making.
#[derive(Debug)]
#[doc(hidden)]
pub struct FieldOf<T> {
    field: FormField,
    of: PhantomData<fn() -> T>,
}

#[allow(missing_docs)] // The options of `#[form]`.
impl<T: Field> FieldOf<T> {
    fn new(name: &'static str) -> Self {
        let field = FormField {
            name,
            title: None,
            description: None,
            required: T::REQUIRED,
            default: None,
            kind: T::kind(),
        };
        Self { field, of: PhantomData }
    }

    #[must_use]
    pub fn title(mut self, title: &'static str) -> Self {
        self.field.title = Some(title);
        self
    }

    #[must_use]
    pub fn description(mut self, description: &'static str) -> Self {
        self.field.description = Some(description);
        self
    }

    #[must_use]
    pub fn default(self, given: T::Given) -> Self {
        self.or(T::given(given))
    }

    /// The default as serde knows it.
    #[must_use]
    pub fn or(mut self, default: T) -> Self {
        self.field.default = default.write();
        // Where nothing can be written, nothing stands in.
        self.field.required &= self.field.default.is_none();
        self
    }

    #[must_use]
    pub fn min(mut self, min: T::Limit) -> Self
    where
        T: NumberField,
    {
        if let FieldKind::Number { minimum, .. } = &mut self.field.kind {
            *minimum = T::limit(min).or(minimum.take());
        }
        self
    }

    #[must_use]
    pub fn max(mut self, max: T::Limit) -> Self
    where
        T: NumberField,
    {
        if let FieldKind::Number { maximum, .. } = &mut self.field.kind {
            *maximum = T::limit(max).or(maximum.take());
        }
        self
    }

    #[must_use]
    pub fn format(mut self, is: T::Format) -> Self
    where
        T: TextField,
    {
        if let FieldKind::Text { format, .. } = &mut self.field.kind {
            *format = Some(is.into());
        }
        self
    }

    #[must_use]
    pub fn min_length(mut self, min: T::Length) -> Self
    where
        T: TextField,
    {
        if let FieldKind::Text { min_length, .. } = &mut self.field.kind {
            *min_length = Some(min.into());
        }
        self
    }

    #[must_use]
    pub fn max_length(mut self, max: T::Length) -> Self
    where
        T: TextField,
    {
        if let FieldKind::Text { max_length, .. } = &mut self.field.kind {
            *max_length = Some(max.into());
        }
        self
    }

    #[must_use]
    pub fn min_items(mut self, min: T::Count) -> Self
    where
        T: ListField,
    {
        if let FieldKind::Multi { min_items, .. } = &mut self.field.kind {
            *min_items = Some(min.into());
        }
        self
    }

    #[must_use]
    pub fn max_items(mut self, max: T::Count) -> Self
    where
        T: ListField,
    {
        if let FieldKind::Multi { max_items, .. } = &mut self.field.kind {
            *max_items = Some(max.into());
        }
        self
    }

    #[must_use]
    pub fn enum_names(mut self, names: T::Flag) -> Self
    where
        T: ChoiceField,
    {
        if let FieldKind::Single { enum_names, .. } = &mut self.field.kind {
            *enum_names = names.into();
        }
        self
    }
}
