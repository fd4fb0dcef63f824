//! Values of headers that are no plain text (MH-9): `=?base64?...?=`.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// The text that a value stands for; `None` for one that is marked and cannot be decoded.
pub(super) fn decode(value: Cow<'_, str>) -> Option<Cow<'_, str>> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        // The engine takes the one canonical spelling alone.
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok().map(Cow::Owned),
        None => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mh_9_a_marked_value_is_decoded_strictly() {
        let decoded = |value: &str| decode(value.to_owned().into()).map(Cow::into_owned);
        for (value, text) in [
            ("plain", "plain"),
            ("=?base64?R3LDvMOfZQ==?=", "Grüße"),
            ("=?base64?YWI=?=", "ab"),
            ("=?base64?YWJj?=", "abc"),
            ("=?base64??=", ""),
            // Without both marks it is what it is.
            ("=?base64?YWJj", "=?base64?YWJj"),
            ("YWJj?=", "YWJj?="),
            ("=?BASE64?YWJj?=", "=?BASE64?YWJj?="),
        ] {
            assert_eq!(decoded(value).as_deref(), Some(text), "{value}");
        }
        for value in ["YWI", "YWJ=", "Y===", "YW-j", "YW j", "====", "=YWJ", "/w=="] {
            assert_eq!(decoded(&format!("=?base64?{value}?=")), None, "{value}");
        }
    }
}
