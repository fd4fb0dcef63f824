//! JSON numbers by their digits: `1.0` and `10e-1` are integers, and no digit is lost above 2^53.

use std::cmp::Ordering;
use std::fmt;

/// The value of a number's text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// An integer, however it was written.
    Whole(i128),
    /// A fraction, or an integer too large to hold.
    Float(f64),
}

impl Number {
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Ok(whole) = text.parse::<i64>() {
            return Some(Self::Whole(whole.into()));
        }
        if let Some(whole) = whole(text) {
            return Some(Self::Whole(whole));
        }
        text.parse().ok().map(Self::Float)
    }

    pub(super) fn is_whole(self) -> bool {
        match self {
            Self::Whole(_) => true,
            // Beyond 2^127: every double of that size is an integer, but a fraction is not.
            Self::Float(float) => float.fract() == 0.0,
        }
    }

    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Float(float) => float,
        }
    }

    pub(super) fn is_multiple_of(self, step: Self) -> bool {
        match (self, step) {
            (_, Self::Whole(0)) => true,
            (Self::Whole(value), Self::Whole(step)) => value % step == 0,
            _ => {
                let ratio = self.to_f64() / step.to_f64();
                (ratio - ratio.round()).abs() < 1e-9
            }
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(left), Self::Whole(right)) => Some(left.cmp(right)),
            _ => self.to_f64().partial_cmp(&other.to_f64()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => whole.fmt(f),
            Self::Float(float) => float.fmt(f),
        }
    }
}

/// The integer that a text with a point, an exponent or many digits stands for, if it is one.
fn whole(text: &str) -> Option<i128> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => (true, mantissa),
        None => (false, mantissa),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = after.trim_end_matches('0');
    let mut digits = 0i128;
    for byte in before.bytes().chain(after.bytes()) {
        let digit = byte.is_ascii_digit().then(|| i128::from(byte - b'0'))?;
        digits = digits.checked_mul(10)?.checked_add(digit)?;
    }
    let mut exponent = exponent.checked_sub(i32::try_from(after.len()).ok()?)?;
    if digits == 0 {
        return Some(0);
    }
    while exponent < 0 && digits % 10 == 0 {
        digits /= 10;
        exponent += 1;
    }
    let whole = digits.checked_mul(10i128.checked_pow(u32::try_from(exponent).ok()?)?)?;
    Some(if negative { -whole } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_recognised_however_they_are_written() {
        for (text, value) in
            [("1.0", 1), ("-1e2", -100), ("120e-1", 12), ("9007199254740993.0", 9007199254740993)]
        {
            assert!(matches!(Number::parse(text), Some(Number::Whole(v)) if v == value), "{text}");
        }
        for text in ["18446744073709551615", "-9223372036854775809"] {
            assert_eq!(Number::parse(text).unwrap().to_string(), text);
        }
        for text in ["1.5", "1e-1", "-0.25", "12e-2"] {
            assert!(!Number::parse(text).unwrap().is_whole(), "{text}");
        }
        assert!(Number::parse("1e60").unwrap().is_whole());
        assert!(Number::parse("x").is_none());
    }

    #[test]
    fn numbers_compare_without_losing_digits() {
        assert!(Number::Whole(9007199254740993) > Number::Whole(9007199254740992));
        assert!(Number::Float(0.5) < Number::Whole(1));
        assert_eq!(Number::parse("1.0"), Number::parse("1"));
    }
}
