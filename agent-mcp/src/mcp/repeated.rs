//! Arguments that the frame of a call repeats (MH-10 to MH-12).

use std::{borrow::Cow, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::envelope::{self, Raw};
use crate::contract::{CapabilityDescriptor, repeated};

/// An argument that the frame of a call repeats.
pub(crate) struct Repeated {
    /// What it is called there.
    pub(crate) name: String,
    /// The way to it: the names of members, the outermost first.
    path: Vec<String>,
    /// Whether a text is read as the object that it spells.
    coerced: bool,
}

/// What a message holds, as far as a frame can say it.
#[derive(Debug, PartialEq)]
pub(crate) enum Held<'a> {
    /// What is written as it is.
    Text(Cow<'a, str>),
    /// A number, which can be written in several ways.
    Number(&'a str),
    /// What no frame can say.
    Other,
}

impl Repeated {
    /// The arguments of a tool that are repeated.
    pub(crate) fn of(tool: &CapabilityDescriptor) -> Vec<Self> {
        let arguments = repeated(&tool.input).0.into_iter();
        arguments
            .map(|found| Self { name: found.header, path: found.path, coerced: tool.coerce })
            .collect()
    }

    /// What the arguments of a call hold of it; nothing where it is absent or null.
    pub(crate) fn held<'a>(&self, arguments: Raw<'a>) -> Option<Held<'a>> {
        // What is no object is refused for that, later.
        let mut value = arguments.filter(|raw| is_object(raw))?;
        for name in &self.path {
            if !is_object(value) {
                // The schema refuses it, unless it is read as something else than it is here.
                return (self.coerced && value.get().starts_with('"')).then_some(Held::Other);
            }
            value = envelope::given(member(value, name))?;
        }
        Some(Held::of(value))
    }
}

impl<'a> Held<'a> {
    fn of(value: &'a RawValue) -> Self {
        let json = value.get();
        match json.as_bytes().first() {
            Some(b'"') => envelope::text(value).map_or(Self::Other, Self::Text),
            Some(b't' | b'f') => Self::Text(json.into()),
            Some(b'-' | b'0'..=b'9') => Self::Number(json),
            _ => Self::Other,
        }
    }

    /// Whether that is what is said.
    pub(crate) fn is(&self, said: &str) -> bool {
        match self {
            Self::Text(text) => text == said,
            // MH-11.
            Self::Number(number) => {
                *number == said || Digits::of(number).is_some_and(|n| Some(n) == Digits::of(said))
            }
            Self::Other => false,
        }
    }
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// The member of an object that has this name. One that is there twice is refused when it is decoded.
fn member<'a>(object: &'a RawValue, name: &str) -> Raw<'a> {
    serde_json::Deserializer::from_str(object.get()).deserialize_map(Members(name)).ok().flatten()
}

struct Members<'n>(&'n str);

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Raw<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Raw<'de>, A::Error> {
        let mut found = None;
        while let Some(is_it) = members.next_key_seed(IsName(self.0))? {
            if is_it {
                found = Some(members.next_value()?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

struct IsName<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for IsName<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for IsName<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<bool, E> {
        Ok(name == self.0)
    }
}

/// A number of JSON by its digits, so that it is compared exactly, however long it is.
#[derive(PartialEq)]
struct Digits {
    negative: bool,
    /// Without zeros at either end.
    digits: String,
    /// The power of ten of the last digit.
    exponent: i64,
}

impl Digits {
    fn of(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let all = format!("{whole}{fraction}");
        let padded = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || padded || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = all.trim_matches('0');
        if digits.is_empty() {
            return Some(Self { negative: false, digits: String::new(), exponent: 0 });
        }
        let zeros = i64::try_from(all.len() - all.trim_end_matches('0').len()).ok()?;
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        let exponent = exponent.checked_add(zeros)?;
        Some(Self { negative, digits: digits.to_owned(), exponent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(path: &[&str], arguments: &str) -> Option<String> {
        let path = path.iter().map(|&name| name.to_owned()).collect();
        let argument = Repeated { name: "X".to_owned(), path, coerced: false };
        let arguments: &RawValue = serde_json::from_str(arguments).unwrap();
        argument.held(Some(arguments)).map(|held| match held {
            Held::Text(text) => text.into_owned(),
            Held::Number(number) => number.to_owned(),
            Held::Other => "something".to_owned(),
        })
    }

    #[test]
    fn mh_10_a_value_is_found_in_the_bytes() {
        let arguments = r#" {"a": {"b": [{"c": 1}], "\u0063": "x\ty"}, "n": null, "t": true,
            "i": -9007199254740993.0, "s": "", "o": {"a": {"c": 2}}} "#;
        for (path, value) in [
            (&["a", "c"][..], Some("x\ty")),
            (&["a", "b"], Some("something")),
            (&["a"], Some("something")),
            (&["a", "b", "c"], None),
            (&["o", "a", "c"], Some("2")),
            (&["o", "c"], None),
            (&["t"], Some("true")),
            (&["t", "x"], None),
            (&["i"], Some("-9007199254740993.0")),
            (&["s"], Some("")),
            (&["n"], None),
            (&["n", "x"], None),
            (&["absent"], None),
        ] {
            assert_eq!(held(path, arguments).as_deref(), value, "{path:?}");
        }
        assert_eq!(held(&["a"], "[1]"), None);
    }

    #[test]
    fn mh_11_numbers_are_compared_by_value_and_exactly() {
        let same = |held: &str, said: &str| Held::Number(held).is(said);
        for (held, said) in [
            ("42", "42.0"),
            ("42.0", "42"),
            ("42", "4.2e1"),
            ("-7", "-70E-1"),
            ("0", "-0.00"),
            ("1e2", "100"),
            ("100", "1e+2"),
            (
                "123456789012345678901234567890123456789012",
                "123456789012345678901234567890123456789012.0",
            ),
        ] {
            assert!(same(held, said), "{held} {said}");
        }
        for (held, said) in [
            ("42", "43"),
            ("42", "-42"),
            ("42", "4.2"),
            ("42", "042"),
            ("42", "+42"),
            ("42", "42."),
            ("42", "0x2a"),
            ("42", " 42"),
            ("42", ""),
            ("42", "42,0"),
            ("0", "-"),
            ("0", ".0"),
            ("10", "1e"),
            ("9007199254740993", "9007199254740992"),
            (
                "123456789012345678901234567890123456789012",
                "123456789012345678901234567890123456789013",
            ),
            ("1", "1e99999999999999999999"),
            ("1e9223372036854775807", "10e9223372036854775807"),
        ] {
            assert!(!same(held, said), "{held} {said}");
        }
    }
}
