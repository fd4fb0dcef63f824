//! Forms on the wire: the `requestedSchema` of an elicitation (EL-2).

use serde::{
    Serialize, Serializer,
    ser::{SerializeMap as _, SerializeSeq as _},
};
use serde_json::{Number, Value};

use super::revision::Revision;
use crate::runtime::{FieldKind, FormField, FormOption, FormSchema};

/// What a form asks for, in the form that the revision has.
///
/// Before 2025-11-25 only a yes or no has a default, titles are `enumNames`, and there is no choice of several. What
/// is missing is said in words there: a default counts whether it is shown or not, and several options are read from
/// a text with commas.
pub(crate) struct Requested<'a> {
    form: &'a FormSchema,
    revision: Revision,
}

impl<'a> Requested<'a> {
    pub(crate) fn new(form: &'a FormSchema, revision: Revision) -> Self {
        Self { form, revision }
    }
}

impl Serialize for Requested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { form, revision } = *self;
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("type", "object")?;
        let properties = form.fields.iter();
        let properties = properties.map(|field| (field.name, Property { field, revision }));
        members.serialize_entry("properties", &Members(properties))?;
        let required = form.fields.iter().filter(|field| field.required);
        let required: Vec<_> = required.map(|field| field.name).collect();
        if !required.is_empty() {
            members.serialize_entry("required", &required)?;
        }
        members.end()
    }
}

/// An object whose members stay in their order: people see the fields in it.
struct Members<I>(I);

impl<'a, I: Iterator<Item = (&'a str, Property<'a>)> + Clone> Serialize for Members<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

struct Property<'a> {
    field: &'a FormField,
    revision: Revision,
}

impl Serialize for Property<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { field, revision } = *self;
        let whole = revision.has_whole_forms();
        let (kind, list) = match &field.kind {
            FieldKind::Text { .. } | FieldKind::Single { .. } => ("string", false),
            FieldKind::Number { integer: true, .. } => ("integer", false),
            FieldKind::Number { integer: false, .. } => ("number", false),
            FieldKind::Boolean => ("boolean", false),
            FieldKind::Multi { .. } if whole => ("array", true),
            FieldKind::Multi { .. } => ("string", true),
        };
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("type", kind)?;
        if let Some(title) = field.title {
            members.serialize_entry("title", title)?;
        }
        let shown = whole || matches!(field.kind, FieldKind::Boolean);
        let words = if whole { field.description.map(str::to_owned) } else { in_words(field) };
        if let Some(words) = words {
            members.serialize_entry("description", &words)?;
        }
        match &field.kind {
            FieldKind::Text { format, min_length, max_length } => {
                entry(&mut members, "format", *format)?;
                entry(&mut members, "minLength", *min_length)?;
                entry(&mut members, "maxLength", *max_length)?;
            }
            FieldKind::Number { minimum, maximum, .. } => {
                entry(&mut members, "minimum", minimum.as_ref().filter(|limit| is_exact(limit)))?;
                entry(&mut members, "maximum", maximum.as_ref().filter(|limit| is_exact(limit)))?;
            }
            FieldKind::Single { options, enum_names } => {
                let old = *enum_names || !whole;
                one_of(&mut members, options, if old { Titles::Names } else { Titles::OneOf })?;
            }
            FieldKind::Multi { options, min_items, max_items } if list && whole => {
                entry(&mut members, "minItems", *min_items)?;
                entry(&mut members, "maxItems", *max_items)?;
                members.serialize_entry("items", &Items(options))?;
            }
            FieldKind::Boolean | FieldKind::Multi { .. } => {}
        }
        entry(&mut members, "default", field.default.as_ref().filter(|_| shown))?;
        members.end()
    }
}

/// The options of one item of a list.
struct Items<'a>(&'a [FormOption]);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        if !titled(self.0) {
            members.serialize_entry("type", "string")?;
        }
        one_of(&mut members, self.0, Titles::AnyOf)?;
        members.end()
    }
}

/// How titles are written.
enum Titles {
    OneOf,
    AnyOf,
    Names,
}

fn one_of<M: serde::ser::SerializeMap>(
    members: &mut M,
    options: &[FormOption],
    titles: Titles,
) -> Result<(), M::Error> {
    let key = match titles {
        Titles::OneOf if titled(options) => "oneOf",
        Titles::AnyOf if titled(options) => "anyOf",
        _ => {
            members.serialize_entry("enum", &Each(options, |option| option.value))?;
            if matches!(titles, Titles::Names) && titled(options) {
                members.serialize_entry("enumNames", &Each(options, FormOption::label))?;
            }
            return Ok(());
        }
    };
    members.serialize_entry(key, &Each(options, Labelled::of))
}

fn titled(options: &[FormOption]) -> bool {
    options.iter().any(|option| option.title.is_some())
}

#[derive(Serialize)]
struct Labelled {
    r#const: &'static str,
    title: &'static str,
}

impl Labelled {
    fn of(option: &FormOption) -> Self {
        Self { r#const: option.value, title: option.label() }
    }
}

/// A list of something for each option.
struct Each<'a, T>(&'a [FormOption], fn(&FormOption) -> T);

impl<T: Serialize> Serialize for Each<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for option in self.0 {
            list.serialize_element(&self.1(option))?;
        }
        list.end()
    }
}

fn entry<M: serde::ser::SerializeMap>(
    members: &mut M,
    key: &'static str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| members.serialize_entry(key, &value))
}

/// Whether clients hold the number as it is: 2^53 is where those that know only doubles begin to round.
fn is_exact(limit: &Number) -> bool {
    limit.as_f64().is_some_and(|limit| limit.abs() <= 9_007_199_254_740_992.0)
}

/// The description, and what the revision has no member for.
fn in_words(field: &FormField) -> Option<String> {
    let mut words: Vec<String> = field.description.into_iter().map(str::to_owned).collect();
    if let FieldKind::Multi { options, .. } = &field.kind {
        let options: Vec<_> = options.iter().map(Labelled::of).collect();
        let options = options.iter().map(|Labelled { r#const, title }| match r#const == title {
            true => (*title).to_owned(),
            false => format!("{} ({title})", r#const),
        });
        words.push(format!(
            "Any of these, with commas: {}.",
            options.collect::<Vec<_>>().join(", ")
        ));
    }
    match &field.default {
        Some(Value::Bool(_)) | None => {}
        Some(Value::Array(values)) => {
            let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
            words.push(format!("Default: {}.", values.join(", ")));
        }
        Some(Value::String(text)) if text.is_empty() => {}
        Some(Value::String(text)) => words.push(format!("Default: {text}.")),
        Some(value) => words.push(format!("Default: {value}.")),
    }
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Choice,
        runtime::{TextFormat, described},
    };
    use serde_json::json;

    #[derive(Clone, Copy)]
    enum Plain {
        Low,
        High,
    }

    impl Choice for Plain {
        const OPTIONS: &'static [FormOption] =
            &[FormOption::new("low", None), FormOption::new("high", None)];

        fn at(place: usize) -> Option<Self> {
            [Self::Low, Self::High].get(place).copied()
        }

        fn place(&self) -> usize {
            *self as usize
        }
    }

    struct Titled(Plain);

    impl Choice for Titled {
        const OPTIONS: &'static [FormOption] =
            &[FormOption::new("low", Some("Can wait")), FormOption::new("high", None)];

        fn at(place: usize) -> Option<Self> {
            Plain::at(place).map(Self)
        }

        fn place(&self) -> usize {
            self.0.place()
        }
    }

    fn written(form: &FormSchema, revision: Revision) -> Value {
        serde_json::to_value(Requested::new(form, revision)).unwrap()
    }

    fn scalars() -> FormSchema {
        described(|form| {
            form.field::<String>("name", |f| {
                f.title("Name").description("Yours.").default("Ada".into())
            });
            form.field::<Option<String>>("mail", |f| {
                f.format(TextFormat::Email).min_length(3).max_length(80)
            });
            form.field::<u8>("age", |f| f.min(18).default(30));
            form.field::<u64>("big", |f| f);
            form.field::<f64>("score", |f| f.default(95.5).max(100.0));
            form.field::<bool>("sure", |f| f.default(true));
        })
    }

    fn choices() -> FormSchema {
        described(|form| {
            form.field::<Plain>("plain", |f| f.default(Plain::High));
            form.field::<Titled>("titled", |f| f);
            form.field::<Titled>("names", |f| f.enum_names(true));
            form.field::<Vec<Plain>>("several", |f| f.min_items(1).max_items(2));
            form.field::<Vec<Titled>>("titled_several", |f| f.default(vec![Titled(Plain::Low)]));
        })
    }

    #[test]
    fn el_2_everything_is_said_where_the_revision_has_it() {
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            assert_eq!(
                written(&scalars(), revision),
                json!({
                    "type": "object",
                    "properties": {
                        "name": {
                            "type": "string", "title": "Name", "description": "Yours.", "default": "Ada",
                        },
                        "mail": {"type": "string", "format": "email", "minLength": 3, "maxLength": 80},
                        "age": {"type": "integer", "minimum": 18, "maximum": 255, "default": 30},
                        "big": {"type": "integer", "minimum": 0},
                        "score": {"type": "number", "maximum": 100.0, "default": 95.5},
                        "sure": {"type": "boolean", "default": true},
                    },
                    "required": ["big"],
                })
            );
            let both =
                json!([{"const": "low", "title": "Can wait"}, {"const": "high", "title": "high"}]);
            assert_eq!(
                written(&choices(), revision)["properties"],
                json!({
                    "plain": {"type": "string", "enum": ["low", "high"], "default": "high"},
                    "titled": {"type": "string", "oneOf": both},
                    "names": {
                        "type": "string", "enum": ["low", "high"], "enumNames": ["Can wait", "high"],
                    },
                    "several": {
                        "type": "array", "minItems": 1, "maxItems": 2,
                        "items": {"type": "string", "enum": ["low", "high"]},
                    },
                    "titled_several": {"type": "array", "items": {"anyOf": both}, "default": ["low"]},
                })
            );
        }
    }

    #[test]
    fn ver_21_what_an_old_revision_has_no_member_for_is_said_in_words() {
        let revision = Revision::V2025_06_18;
        assert_eq!(
            written(&scalars(), revision)["properties"],
            json!({
                "name": {"type": "string", "title": "Name", "description": "Yours. Default: Ada."},
                "mail": {"type": "string", "format": "email", "minLength": 3, "maxLength": 80},
                "age": {
                    "type": "integer", "minimum": 18, "maximum": 255, "description": "Default: 30.",
                },
                "big": {"type": "integer", "minimum": 0},
                "score": {"type": "number", "maximum": 100.0, "description": "Default: 95.5."},
                "sure": {"type": "boolean", "default": true},
            })
        );
        assert_eq!(
            written(&choices(), revision)["properties"],
            json!({
                "plain": {"type": "string", "enum": ["low", "high"], "description": "Default: high."},
                "titled": {"type": "string", "enum": ["low", "high"], "enumNames": ["Can wait", "high"]},
                "names": {"type": "string", "enum": ["low", "high"], "enumNames": ["Can wait", "high"]},
                "several": {
                    "type": "string", "description": "Any of these, with commas: low, high.",
                },
                "titled_several": {
                    "type": "string",
                    "description": "Any of these, with commas: low (Can wait), high. Default: low.",
                },
            })
        );
    }

    #[test]
    fn fields_stay_in_their_order() {
        let text =
            serde_json::to_string(&Requested::new(&scalars(), Revision::V2026_07_28)).unwrap();
        let places = ["name", "mail", "age", "big", "score", "sure"]
            .map(|name| text.find(&format!("\"{name}\":")).unwrap());
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn a_form_without_fields_asks_for_consent() {
        let form = FormSchema::default();
        let expected = json!({"type": "object", "properties": {}});
        assert_eq!(written(&form, Revision::V2026_07_28), expected);
    }
}
