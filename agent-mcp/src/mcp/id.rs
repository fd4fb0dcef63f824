//! The id of a request.

use std::borrow::Cow;

/// The id of a request: its JSON text, kept as it came (BASE-3).
///
/// `1` and `"1"` are two ids, and an integer of any length keeps its digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id<'a>(&'a str);

impl<'a> Id<'a> {
    /// Reads an id; `None` for what is neither a string nor an integer (BASE-2, O8).
    pub(crate) fn new(raw: &'a str) -> Option<Self> {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        let integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (integer || raw.starts_with('"')).then_some(Self(raw))
    }

    /// The JSON text as it came.
    pub(crate) fn raw(self) -> &'a str {
        self.0
    }

    /// What all spellings of this id have in common: the text without needless escapes.
    pub(crate) fn key(self) -> Cow<'a, str> {
        if self.0.contains('\\') {
            let text = serde_json::from_str::<String>(self.0)
                .and_then(|text| serde_json::to_string(&text));
            if let Ok(text) = text {
                return text.into();
            }
        }
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jsonrpc_130_kinds_of_request_id() {
        for raw in ["0", "-1", "9007199254740993", "\"0\"", "\"\"", "\"a-b\""] {
            assert_eq!(Id::new(raw).unwrap().raw(), raw);
            assert_eq!(Id::new(raw).unwrap().key(), raw);
        }
        assert_ne!(Id::new("1").unwrap().key(), Id::new("\"1\"").unwrap().key());
    }

    #[test]
    fn o8_other_kinds_are_no_ids() {
        for raw in ["null", "true", "1.5", "1.0", "1e3", "{}", "[1]", "-", ""] {
            assert!(Id::new(raw).is_none(), "{raw}");
        }
    }

    #[test]
    fn two_spellings_of_one_string_are_one_id() {
        let plain = Id::new(r#""aé""#).unwrap();
        let escaped = Id::new(r#""\u0061\u00e9""#).unwrap();
        assert_eq!(plain.key(), escaped.key());
        assert_eq!(escaped.raw(), r#""\u0061\u00e9""#);
    }
}
