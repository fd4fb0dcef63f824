//! A cursor over JSON text that builds nothing.
//!
//! It is as strict about the grammar as it needs to be to stay in step; what it lets through is
//! still read by the JSON parser proper. Every method returns `None` where the text is not what was
//! asked for.

use std::borrow::Cow;

/// How deeply values may be nested; the JSON parser has the same limit.
pub(super) const MAX_DEPTH: usize = 128;

/// A position in JSON text.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The first byte of the next token.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Takes one punctuation mark.
    #[inline]
    pub(super) fn take(&mut self, mark: u8) -> Option<()> {
        (self.peek()? == mark).then(|| self.at += 1)
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_done(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Takes `null`, `true` or `false`.
    pub(super) fn word(&mut self, word: &str) -> Option<()> {
        self.peek()?;
        self.bytes[self.at..].starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    /// Takes a number and returns its text.
    #[inline]
    pub(super) fn number(&mut self) -> Option<&'a str> {
        if !matches!(self.peek()?, b'-' | b'0'..=b'9') {
            return None;
        }
        let start = self.at;
        self.at += 1;
        while matches!(
            self.bytes.get(self.at),
            Some(b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')
        ) {
            self.at += 1;
        }
        std::str::from_utf8(&self.bytes[start..self.at]).ok()
    }

    /// Takes a string.
    #[inline]
    pub(super) fn text(&mut self) -> Option<Text<'a>> {
        self.take(b'"')?;
        let start = self.at - 1;
        let mut escaped = false;
        loop {
            let rest = &self.bytes[self.at..];
            let found = memchr::memchr2(b'"', b'\\', rest)?;
            if rest[found] == b'"' {
                self.at += found + 1;
                return Some(Text { quoted: &self.bytes[start..self.at], escaped });
            }
            escaped = true;
            self.at += found + 2;
            if self.at > self.bytes.len() {
                return None;
            }
        }
    }

    /// Enters a list or an object; `false` when it is empty, and then it is already left.
    #[inline]
    pub(super) fn enter(&mut self, open: u8, close: u8) -> Option<bool> {
        self.take(open)?;
        if self.peek()? == close {
            self.at += 1;
            return Some(false);
        }
        Some(true)
    }

    /// Goes on after an element; `false` when the list or object ended.
    #[inline]
    pub(super) fn more(&mut self, close: u8) -> Option<bool> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b',' => Some(true),
            byte if byte == close => Some(false),
            _ => None,
        }
    }

    /// Takes a member's name and the colon after it.
    #[inline]
    pub(super) fn name(&mut self) -> Option<Text<'a>> {
        let name = self.text()?;
        self.take(b':')?;
        Some(name)
    }
}

/// A string as it stands in the text.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    quoted: &'a [u8],
    escaped: bool,
}

impl<'a> Text<'a> {
    /// Whether it spells this string.
    #[inline]
    pub(super) fn is(&self, other: &str) -> bool {
        if self.escaped {
            return self.decode().is_some_and(|text| text == other);
        }
        &self.quoted[1..self.quoted.len() - 1] == other.as_bytes()
    }

    /// What it spells.
    pub(super) fn decode(&self) -> Option<Cow<'a, str>> {
        if self.escaped {
            return serde_json::from_slice(self.quoted).ok().map(Cow::Owned);
        }
        std::str::from_utf8(&self.quoted[1..self.quoted.len() - 1]).ok().map(Cow::Borrowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_compared_by_what_they_spell() {
        let mut scan = Scan::new(br#" "ma\u0078_depth" : "#);
        let name = scan.name().unwrap();
        assert!(name.is("max_depth"));
        assert!(!name.is("max"));
        assert!(scan.is_done());
    }

    #[test]
    fn broken_text_is_never_read_past_its_end() {
        for text in ["\"", "\"\\", "\"\\\"", "[", "{", "{\"a\"", "-", "tru", ""] {
            let mut scan = Scan::new(text.as_bytes());
            let _ = scan.text();
            let _ = scan.enter(b'[', b']');
            let _ = scan.enter(b'{', b'}');
            let _ = scan.name();
            let _ = scan.word("true");
            let _ = scan.number();
            let _ = scan.more(b']');
        }
    }
}
