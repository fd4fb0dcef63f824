//! What a field of a form may be.

use serde_json::{Number, Value};

use super::schema::{FieldKind, FormOption, TextFormat};

/// What a field of a form may be: a text, a number, yes or no, a choice, or a list of choices; in an `Option` where
/// it need not be filled in.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "no field of a form",
    note = "a field is a `String`, a number, a `bool`, an enum with `#[derive(agent_mcp::Choice)]` or a `Vec` of \
            such an enum, and an `Option` of these where it may be left empty",
    note = "a form is flat: for more than that, ask several times"
)]
pub trait Field: Sized {
    /// How a default is given.
    #[doc(hidden)]
    type Given;
    /// Whether it must be filled in.
    #[doc(hidden)]
    const REQUIRED: bool = true;

    #[doc(hidden)]
    fn kind() -> FieldKind;

    /// Reads what the kind has nothing against.
    #[doc(hidden)]
    fn read(value: &Value) -> Option<Self>;

    #[doc(hidden)]
    fn given(given: Self::Given) -> Self;

    #[doc(hidden)]
    fn write(&self) -> Option<Value>;

    /// What stands for a field that was left empty.
    #[doc(hidden)]
    fn empty() -> Option<Self> {
        None
    }
}

/// A field with the options `min` and `max`.
#[diagnostic::on_unimplemented(
    message = "`min` and `max` limit a number, and this field is a `{Self}`",
    label = "no number",
    note = "a text has `min_length` and `max_length`, a list of choices has `min_items` and `max_items`"
)]
pub trait NumberField: Field {
    /// How a limit is given.
    #[doc(hidden)]
    type Limit;

    #[doc(hidden)]
    fn limit(limit: Self::Limit) -> Option<Number>;
}

/// A field with the options of a text.
#[diagnostic::on_unimplemented(
    message = "`format`, `min_length` and `max_length` are about a text, and this field is a `{Self}`",
    label = "no text",
    note = "a number has `min` and `max`, a list of choices has `min_items` and `max_items`"
)]
pub trait TextField: Field {
    // The methods take what they set by such types, so that rustc blames a wrong one on the option and not on the
    // derive.
    #[doc(hidden)]
    type Format: Into<TextFormat>;
    #[doc(hidden)]
    type Length: Into<u32>;
}

/// A field with the options of a list.
#[diagnostic::on_unimplemented(
    message = "`min_items` and `max_items` limit a list of choices, and this field is a `{Self}`",
    label = "no list",
    note = "a number has `min` and `max`, a text has `min_length` and `max_length`"
)]
pub trait ListField: Field {
    #[doc(hidden)]
    type Count: Into<u32>;
}

/// A field with the options of a choice.
#[diagnostic::on_unimplemented(
    message = "`enum_names` is about the titles of one choice, and this field is a `{Self}`",
    label = "not one choice"
)]
pub trait ChoiceField: Field {
    #[doc(hidden)]
    type Flag: Into<bool>;
}

/// A choice that a person makes in a [`Form`](crate::Form): an enum without data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no choice",
    label = "no choice",
    note = "a list in a form is a list of choices: `#[derive(agent_mcp::Choice)]` on an enum without data"
)]
pub trait Choice: Sized {
    /// The options, in the order of the variants.
    #[doc(hidden)]
    const OPTIONS: &'static [FormOption];

    /// The variant in that place.
    #[doc(hidden)]
    fn at(place: usize) -> Option<Self>;

    /// The place of the variant.
    #[doc(hidden)]
    fn place(&self) -> usize;
}

/// Reads one option.
fn option<C: Choice>(value: &Value) -> Option<C> {
    let value = value.as_str()?;
    C::at(C::OPTIONS.iter().position(|option| option.value == value)?)
}

fn written<C: Choice>(choice: &C) -> Option<Value> {
    C::OPTIONS.get(choice.place()).map(|option| option.value.into())
}

impl Field for String {
    type Given = Self;

    fn kind() -> FieldKind {
        FieldKind::Text { format: None, min_length: None, max_length: None }
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }

    fn given(given: Self) -> Self {
        given
    }

    fn write(&self) -> Option<Value> {
        Some(self.as_str().into())
    }
}

impl TextField for String {
    type Format = TextFormat;
    type Length = u32;
}

impl Field for bool {
    type Given = Self;

    fn kind() -> FieldKind {
        FieldKind::Boolean
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn given(given: Self) -> Self {
        given
    }

    fn write(&self) -> Option<Value> {
        Some((*self).into())
    }
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Field for $integer {
            type Given = Self;

            fn kind() -> FieldKind {
                let limit = |limit: Self| Some(Number::from(limit));
                FieldKind::Number { integer: true, minimum: limit(Self::MIN), maximum: limit(Self::MAX) }
            }

            fn read(value: &Value) -> Option<Self> {
                match value.as_number()? {
                    number if number.is_u64() => number.as_u64()?.try_into().ok(),
                    number if number.is_i64() => number.as_i64()?.try_into().ok(),
                    // Whole and in range: `1.0`, `1e3`.
                    number => number.as_f64().map(|float| float as Self),
                }
            }

            fn given(given: Self) -> Self {
                given
            }

            fn write(&self) -> Option<Value> {
                Some((*self).into())
            }
        }

        impl NumberField for $integer {
            type Limit = Self;

            fn limit(limit: Self) -> Option<Number> {
                Some(limit.into())
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! floats {
    ($($float:ty),*) => {$(
        impl Field for $float {
            type Given = Self;

            fn kind() -> FieldKind {
                FieldKind::Number { integer: false, minimum: None, maximum: None }
            }

            fn read(value: &Value) -> Option<Self> {
                value.as_f64().map(|float| float as Self)
            }

            fn given(given: Self) -> Self {
                given
            }

            fn write(&self) -> Option<Value> {
                Number::from_f64((*self).into()).map(Value::Number)
            }
        }

        impl NumberField for $float {
            type Limit = Self;

            fn limit(limit: Self) -> Option<Number> {
                Number::from_f64(limit.into())
            }
        }
    )*};
}

floats!(f32, f64);

#[diagnostic::do_not_recommend]
impl<C: Choice> Field for C {
    type Given = Self;

    fn kind() -> FieldKind {
        FieldKind::Single { options: C::OPTIONS, enum_names: false }
    }

    fn read(value: &Value) -> Option<Self> {
        option(value)
    }

    fn given(given: Self) -> Self {
        given
    }

    fn write(&self) -> Option<Value> {
        written(self)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Choice> ChoiceField for C {
    type Flag = bool;
}

impl<C: Choice> Field for Vec<C> {
    type Given = Self;

    fn kind() -> FieldKind {
        FieldKind::Multi { options: C::OPTIONS, min_items: None, max_items: None }
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(option).collect()
    }

    fn given(given: Self) -> Self {
        given
    }

    fn write(&self) -> Option<Value> {
        self.iter().map(written).collect()
    }
}

impl<C: Choice> ListField for Vec<C> {
    type Count = u32;
}

impl<F: Field> Field for Option<F> {
    type Given = F::Given;
    const REQUIRED: bool = false;

    fn kind() -> FieldKind {
        F::kind()
    }

    fn read(value: &Value) -> Option<Self> {
        F::read(value).map(Some)
    }

    fn given(given: F::Given) -> Self {
        Some(F::given(given))
    }

    fn write(&self) -> Option<Value> {
        self.as_ref()?.write()
    }

    fn empty() -> Option<Self> {
        Some(None)
    }
}

#[diagnostic::do_not_recommend]
impl<F: NumberField> NumberField for Option<F> {
    type Limit = F::Limit;

    fn limit(limit: F::Limit) -> Option<Number> {
        F::limit(limit)
    }
}
#[diagnostic::do_not_recommend]
impl<F: TextField> TextField for Option<F> {
    type Format = F::Format;
    type Length = F::Length;
}

#[diagnostic::do_not_recommend]
impl<F: ListField> ListField for Option<F> {
    type Count = F::Count;
}

#[diagnostic::do_not_recommend]
impl<F: ChoiceField> ChoiceField for Option<F> {
    type Flag = F::Flag;
}
