//! A pass over the fields of a form: what is filled in is judged field by field (EL-5).

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    FieldOf, Form,
    field::Field,
    schema::{FieldKind, FormField, FormOption, FormSchema, TextFormat},
};
use crate::schema::{Fault, FaultKind, Faults, flat, item_path, list_names, nearest};

/// A pass over the fields of a form: it says what they are, or reads them.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct FormPass<'a> {
    /// What was filled in, if it is read.
    content: Option<&'a Map<String, Value>>,
    fields: Vec<FormField>,
    faults: Vec<Fault>,
}

/// What a pass comes by.
pub(crate) fn described(pass: impl FnOnce(&mut FormPass<'_>)) -> FormSchema {
    let mut form = FormPass::default();
    pass(&mut form);
    FormSchema { fields: form.fields }
}

/// Reads an answer to the form `T`; every fault of it at once.
pub(crate) fn read<T: Form>(content: &Value) -> Result<T, Faults> {
    let Some(members) = content.as_object() else {
        let kind = FaultKind::Invalid;
        return Err(Faults::new(vec![fault("content", kind, "an object".to_owned(), content)]));
    };
    let mut form = FormPass { content: Some(members), ..FormPass::default() };
    match T::pass(&mut form) {
        Some(filled) if form.faults.is_empty() => Ok(filled),
        _ => Err(Faults::new(form.faults)),
    }
}

impl FormPass<'_> {
    /// The next field, if it is there to be read.
    pub fn field<T: Field>(
        &mut self,
        name: &'static str,
        describe: impl FnOnce(FieldOf<T>) -> FieldOf<T>,
    ) -> Option<T> {
        let field = describe(FieldOf::new(name)).field;
        let Some(content) = self.content else {
            self.fields.push(field);
            return None;
        };
        let given = content.get(field.name);
        // As in arguments, `null` for what may be left out counts as absent.
        let Some(value) = given.filter(|value| field.required || !value.is_null()) else {
            let read = field.default.as_ref().and_then(T::read).or_else(T::empty);
            if read.is_none() {
                let mut faults = Vec::new();
                field.kind.judge(field.name, &Value::Null, &mut faults);
                let missing = |fault| Fault { kind: FaultKind::Missing, got: "nothing", ..fault };
                self.faults.extend(faults.into_iter().map(missing));
            }
            return read;
        };
        let value = field.kind.listed(value);
        let before = self.faults.len();
        field.kind.judge(field.name, &value, &mut self.faults);
        if self.faults.len() > before {
            return None;
        }
        T::read(&value)
    }
}

impl FieldKind {
    /// The value, or the list that a text stands for: to revisions without such a field a list of choices is shown
    /// as a text that is separated by commas.
    fn listed<'v>(&self, value: &'v Value) -> Cow<'v, Value> {
        match (self, value) {
            (Self::Multi { .. }, Value::String(text)) => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Cow::Owned(parts.collect())
            }
            _ => Cow::Borrowed(value),
        }
    }

    fn judge(&self, path: &str, value: &Value, faults: &mut Vec<Fault>) {
        let expected = match self {
            Self::Text { format, min_length, max_length } => {
                let format = format.map(TextFormat::as_str);
                flat::text(value, format, *min_length, *max_length)
            }
            Self::Number { integer, minimum, maximum } => {
                flat::number(value, *integer, minimum.as_ref(), maximum.as_ref())
            }
            Self::Boolean => value.as_bool().map(drop).ok_or_else(|| "a boolean".to_owned()),
            Self::Single { options, .. } => return one_of(options, path, value, faults),
            Self::Multi { options, min_items, max_items } => {
                let Some(items) = value.as_array().filter(|items| {
                    min_items.is_none_or(|min| items.len() >= min as usize)
                        && max_items.is_none_or(|max| items.len() <= max as usize)
                }) else {
                    let count = flat::count(*min_items, *max_items, "item");
                    let expected = format!("an array{count} of {}", names(options));
                    return faults.push(fault(path, FaultKind::Invalid, expected, value));
                };
                for (place, item) in items.iter().enumerate() {
                    one_of(options, &item_path(path, place), item, faults);
                }
                return;
            }
        };
        if let Err(expected) = expected {
            faults.push(fault(path, FaultKind::Invalid, expected, value));
        }
    }
}

fn one_of(options: &[FormOption], path: &str, value: &Value, faults: &mut Vec<Fault>) {
    let text = value.as_str();
    if text.is_some_and(|text| options.iter().any(|option| option.value == text)) {
        return;
    }
    let known = options.iter().map(|option| option.value);
    let suggestion = text.and_then(|text| nearest(text, known)).map(str::to_owned);
    let expected = format!("one of {}", names(options));
    faults.push(Fault { suggestion, ..fault(path, FaultKind::Invalid, expected, value) });
}

fn names(options: &[FormOption]) -> String {
    list_names(options.iter().map(|option| option.value))
}

fn fault(path: &str, kind: FaultKind, expected: String, value: &Value) -> Fault {
    Fault { path: path.to_owned(), kind, expected, got: flat::kind(value), suggestion: None }
}
