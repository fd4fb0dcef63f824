//! Values of headers that are no plain text (MH-9): `=?base64?...?=`.

use std::borrow::Cow;

/// The text that a value stands for; `None` for one that is marked and cannot be decoded.
pub(super) fn decode(value: Cow<'_, str>) -> Option<Cow<'_, str>> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(base64(encoded.as_bytes())?).ok().map(Cow::Owned),
        None => Some(value),
    }
}

/// Decodes base64 in its one canonical spelling.
fn base64(encoded: &[u8]) -> Option<Vec<u8>> {
    if !encoded.len().is_multiple_of(4) {
        return None;
    }
    let padding = encoded.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = encoded.get(..encoded.len() - padding).filter(|_| padding <= 2)?;
    let mut decoded = Vec::with_capacity(encoded.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for &byte in digits {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    // What is left over must be nothing.
    (bits == 0).then_some(decoded)
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
