//! What a client sends and the protocol reads into a tree. A value takes many times the room of its text there, and
//! what is deep takes the stack, so both have their limits.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The most values of a tree that is let go with its request, each member of an object and item of a list counted.
pub(crate) const MOST: usize = 10_000;

/// The most values of a tree that is kept for as long as a session.
pub(crate) const MOST_KEPT: usize = 256;

/// Reads a tree of at most so many values; `None` where it has more, or is no `T`.
pub(crate) fn read<T: DeserializeOwned>(raw: &RawValue, most: usize) -> Option<T> {
    (!is_larger(raw.get(), most)).then(|| serde_json::from_str(raw.get()).ok())?
}

/// Whether a JSON text may have more than `limit` values.
pub(crate) fn is_larger(json: &str, limit: usize) -> bool {
    // Each takes two bytes with what parts it from the next.
    if json.len() <= limit * 2 {
        return false;
    }
    values(json) > limit
}

/// How many values a JSON text has at the most.
pub(crate) fn values(json: &str) -> usize {
    let mut values = 1;
    structure(json, |byte| {
        values += usize::from(matches!(byte, b'{' | b'[' | b','));
        false
    });
    values
}

/// Whether a JSON text is nested deeper than `limit`.
pub(crate) fn is_deeper(json: &str, limit: usize) -> bool {
    // Each level takes two bytes, so that a small message is not even looked at.
    if json.len() <= limit * 2 {
        return false;
    }
    let mut depth = 0_usize;
    structure(json, |byte| {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > limit
    })
}

/// Looks at each byte that is in no string, up to the first for which `stop` holds; whether there is one.
fn structure(json: &str, mut stop: impl FnMut(u8) -> bool) -> bool {
    let mut rest = json.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'"' {
            // Most of a large message is text, which is skipped and not walked through.
            rest = after_text(rest);
        } else if stop(byte) {
            return true;
        }
    }
    false
}

/// What follows a JSON string whose opening quote has been read.
fn after_text(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        if rest[at] == b'"' {
            return &rest[at + 1..];
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_outside_of_strings_only() {
        assert!(is_deeper("[[[]]]", 2));
        assert!(!is_deeper("[[[]]]", 3));
        assert!(!is_deeper(r#"["[[[[\"[[[["]"#, 1));
        assert!(!is_deeper("[[],[],[],[],[]]", 2));
    }

    #[test]
    fn no_tree_has_more_values_than_it_may() {
        for (json, values) in [
            ("[1,2,3,4,5,6]", 7),
            (r#"{"a":{"b":{"c":[1]}}}"#, 5),
            (r#"[",,,,,[[[[{{{{",""]"#, 3),
            ("[[[[[[1]]]]]]", 7),
        ] {
            assert!(is_larger(json, values - 1), "{json}");
            assert!(!is_larger(json, values), "{json}");
            let raw: &RawValue = serde_json::from_str(json).unwrap();
            assert!(read::<serde_json::Value>(raw, values).is_some());
            assert!(read::<serde_json::Value>(raw, values - 1).is_none());
        }
    }
}
