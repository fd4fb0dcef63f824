//! What a state belongs to (MR-5).

use std::{borrow::Cow, fmt};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use sha2::{Digest, Sha256};

use crate::runtime::PrincipalId;

/// What a state belongs to: one operation of one caller.
pub(crate) struct Bound([u8; 32]);

impl Bound {
    /// What a state of that operation belongs to.
    pub(crate) fn new(owner: &PrincipalId, method: &str, name: &str, arguments: &[u8]) -> Self {
        let mut digest = Sha256::new();
        for part in [owner.issuer(), owner.subject(), method, name] {
            add(&mut digest, part.as_bytes());
        }
        add_json(&mut digest, arguments);
        Self(digest.finalize().into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Adds a text so that it cannot be taken for a part of the next.
fn add(digest: &mut Sha256, text: &[u8]) {
    digest.update((text.len() as u64).to_le_bytes());
    digest.update(text);
}

/// Adds a JSON text: the order of members and the space between make no difference, every digit does.
fn add_json(digest: &mut Sha256, text: &[u8]) {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let adding = Adding { digest, numbers: &mut Numbers(text) };
    if adding.deserialize(&mut reader).and_then(|()| reader.end()).is_err() {
        // No method is ever run with it.
        digest.update(b"!");
        add(digest, text);
    }
}

/// The numbers in a JSON text as they are written, in order.
///
/// What reads JSON has the larger ones rounded, so that two of them could be taken for one.
struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    fn next(&mut self) -> &'a [u8] {
        let mut at = 0;
        while let Some(byte) = self.0.get(at) {
            match byte {
                b'"' => at = self.after_string(at + 1),
                b'-' | b'0'..=b'9' => break,
                _ => at += 1,
            }
        }
        let rest = self.0.get(at..).unwrap_or_default();
        let is_part = |byte: &u8| byte.is_ascii_digit() || b"-+.eE".contains(byte);
        let (number, rest) = rest.split_at(rest.iter().take_while(|it| is_part(it)).count());
        self.0 = rest;
        number
    }

    fn after_string(&self, mut at: usize) -> usize {
        while let Some(byte) = self.0.get(at) {
            match byte {
                b'"' => return at + 1,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        at
    }
}

/// Reads a value and adds it: first a byte that says what it is.
struct Adding<'d, 'a> {
    digest: &'d mut Sha256,
    numbers: &'d mut Numbers<'a>,
}

impl<'a> Adding<'_, 'a> {
    fn number<E>(self) -> Result<(), E> {
        self.digest.update(b"0");
        add(self.digest, self.numbers.next());
        Ok(())
    }

    fn word<E>(self, word: &[u8; 1]) -> Result<(), E> {
        self.digest.update(word);
        Ok(())
    }

    /// The same, for a value within.
    fn within(&mut self) -> Adding<'_, 'a> {
        Adding { digest: self.digest, numbers: self.numbers }
    }
}

impl<'de> DeserializeSeed<'de> for Adding<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Adding<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.word(b"n")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.word(if value { b"t" } else { b"f" })
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.number()
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.number()
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.number()
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.digest.update(b"\"");
        add(self.digest, value.as_bytes());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.digest.update(b"[");
        while items.next_element_seed(self.within())?.is_some() {}
        self.word(b"]")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { digest, numbers } = self;
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            let mut value = Sha256::new();
            map.next_value_seed(Adding { digest: &mut value, numbers })?;
            members.push((name, value.finalize()));
        }
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
        digest.update(b"{");
        for (name, value) in members {
            digest.update(b"\"");
            add(digest, name.as_bytes());
            digest.update(value);
        }
        digest.update(b"}");
        Ok(())
    }
}

/// The name of a member, borrowed where it can be.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> bool {
        let bound =
            |text: &str| Bound::new(&PrincipalId::local("ada"), "tools/call", "t", text.as_bytes());
        bound(one).0 == bound(other).0
    }

    #[test]
    fn mr_5_the_order_of_members_and_space_make_no_difference() {
        for (one, other) in [
            (r#"{"a":1,"b":[2,{"c":3,"d":4}]}"#, r#" {"b" : [2, {"d":4 ,"c":3}], "a": 1 } "#),
            (r#"{"a":"x"}"#, r#"{"\u0061":"\u0078"}"#),
            (r#"{"a":{"1":2},"b":-3.5e7}"#, r#"{"b":-3.5e7,"a":{"1":2}}"#),
            (r#"{"a":"1 \" 2","b":3}"#, r#"{"b":3,"a":"1 \" 2"}"#),
        ] {
            assert!(same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn mr_5_everything_else_makes_a_difference() {
        let all = [
            "null",
            "true",
            "false",
            "0",
            "-0",
            "0.0",
            r#""0""#,
            r#""""#,
            "[]",
            "[0]",
            "[[0]]",
            "[0,0]",
            "{}",
            r#"{"a":null}"#,
            r#"{"a":{"b":1}}"#,
            r#"{"a":{},"b":1}"#,
            r#"{"a":1,"a":2}"#,
            r#"{"a":2,"a":1}"#,
            r#"{"a":2}"#,
            r#"{"ab":"c"}"#,
            r#"{"a":"bc"}"#,
            "[1,2]",
            "[2,1]",
            "",
            "{",
            "{} {}",
            // All of them are one number to whoever rounds.
            "18446744073709551616",
            "18446744073709551617",
            "-9223372036854775809",
            "-9223372036854775810",
            "0.1",
            "0.10000000000000000001",
        ];
        for (place, one) in all.iter().enumerate() {
            for other in &all[..place] {
                assert!(!same(one, other), "{one} {other}");
            }
        }
    }

    #[test]
    fn a_text_is_never_deeper_than_the_stack() {
        let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(!same(&deep("1"), &deep("2")));
    }
}
