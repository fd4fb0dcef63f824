//! Messages written straight into their bytes.

use std::io;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};

/// One message in the making: a line of JSON without a line break, whatever is put in.
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity) }
    }

    /// Begins a notification; the caller goes on inside the object of its params.
    pub(crate) fn notification(method: &str) -> Self {
        let mut writer = Self::new(192);
        writer.raw(r#"{"jsonrpc":"2.0","method":""#);
        writer.raw(method);
        writer.raw(r#"","params":{"#);
        writer
    }

    /// Begins a member of the object at hand. The name is one of ours and needs no escapes.
    pub(crate) fn key(&mut self, name: &str) -> &mut Self {
        self.comma().raw("\"").raw(name).raw("\":")
    }

    /// Parts the next member or element from the one before, if there is one.
    pub(crate) fn comma(&mut self) -> &mut Self {
        match self.bytes.last() {
            Some(b'{' | b'[') => self,
            _ => self.raw(","),
        }
    }

    /// Opens an object or a list: `{` or `[`.
    pub(crate) fn open(&mut self, bracket: char) -> &mut Self {
        self.bytes.push(bracket as u8);
        self
    }

    /// Closes an object or a list: `}` or `]`.
    pub(crate) fn close(&mut self, bracket: char) -> &mut Self {
        self.open(bracket)
    }

    /// Our own words, which are known to be JSON on one line.
    pub(crate) fn raw(&mut self, json: &str) -> &mut Self {
        self.ready(json.as_bytes())
    }

    /// Bytes that a writer has made before.
    pub(crate) fn ready(&mut self, json: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(json);
        self
    }

    /// JSON that somebody else wrote: copied, without what some readers take for the end of a line.
    pub(crate) fn json(&mut self, json: &str) -> &mut Self {
        if json.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~')) {
            return self.raw(json);
        }
        for part in json.split_inclusive(|c: char| c.is_control() || line_break(c).is_some()) {
            let Some(last) = part.chars().next_back() else { continue };
            let rest = &part[..part.len() - last.len_utf8()];
            self.raw(rest);
            match line_break(last) {
                // Outside of strings JSON has no such character, so it is in one.
                Some(escape) => self.raw(escape),
                // In strings JSON has no bare control character, so it is between two values.
                None if last.is_ascii_control() && last != '\x7f' => self.raw(" "),
                None => self.raw(&part[rest.len()..]),
            };
        }
        self
    }

    /// A string that is one of our own words and needs no escapes.
    pub(crate) fn word(&mut self, word: &'static str) -> &mut Self {
        self.raw("\"").raw(word).raw("\"")
    }

    /// A string.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.value(text)
    }

    /// Bytes as a string of base64, encoded in place.
    pub(crate) fn base64(&mut self, bytes: &[u8]) -> &mut Self {
        self.raw("\"");
        let start = self.bytes.len();
        let room = bytes.len().div_ceil(3) * 4;
        self.bytes.resize(start + room, 0);
        // The room is what the encoding takes, so it succeeds.
        let written = STANDARD.encode_slice(bytes, &mut self.bytes[start..]).unwrap_or_default();
        self.bytes.truncate(start + written);
        self.raw("\"")
    }

    /// A value of ours; one that cannot be encoded is null.
    pub(crate) fn value<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> &mut Self {
        let before = self.bytes.len();
        let mut serializer = Serializer::with_formatter(&mut self.bytes, OneLine);
        if value.serialize(&mut serializer).is_err() {
            self.bytes.truncate(before);
            self.raw("null");
        }
        self
    }

    /// A whole number.
    pub(crate) fn number(&mut self, number: i64) -> &mut Self {
        self.value(&number)
    }

    /// Ends a message by closing its two objects.
    pub(crate) fn end(mut self) -> Bytes {
        self.raw("}}");
        self.finish()
    }

    /// The bytes as text.
    pub(crate) fn into_text(self) -> String {
        // Only text was ever put in.
        String::from_utf8(self.bytes).unwrap_or_default()
    }

    /// The bytes as they are.
    pub(crate) fn finish(self) -> Bytes {
        self.bytes.into()
    }
}

/// Characters that JSON allows in a string and that some readers take for the end of a line.
fn line_break(c: char) -> Option<&'static str> {
    match c {
        '\u{85}' => Some("\\u0085"),
        '\u{2028}' => Some("\\u2028"),
        '\u{2029}' => Some("\\u2029"),
        _ => None,
    }
}

/// Compact JSON that is one line for every reader.
struct OneLine;

impl Formatter for OneLine {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        if fragment.is_ascii() {
            return writer.write_all(fragment.as_bytes());
        }
        for part in fragment.split_inclusive(|c| line_break(c).is_some()) {
            match part.chars().next_back().and_then(|last| Some((last, line_break(last)?))) {
                Some((last, escape)) => {
                    writer.write_all(&part.as_bytes()[..part.len() - last.len_utf8()])?;
                    writer.write_all(escape.as_bytes())?;
                }
                None => writer.write_all(part.as_bytes())?,
            }
        }
        Ok(())
    }

    fn write_char_escape<W>(&mut self, writer: &mut W, char_escape: CharEscape) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        CompactFormatter.write_char_escape(writer, char_escape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn written(write: impl FnOnce(&mut Writer) -> &mut Writer) -> String {
        let mut writer = Writer::new(0);
        write(&mut writer);
        String::from_utf8(writer.finish().to_vec()).unwrap()
    }

    #[test]
    fn output_d78_line_breaks_in_text_are_escaped() {
        let text = "a\nb\r\nc\u{2028}d\u{2029}e\u{85}f größe \u{7f}\0";
        let json = written(|writer| writer.text(text));
        assert!(!json.contains(|c: char| c == '\n' || c == '\r' || line_break(c).is_some()));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn output_d78_line_breaks_in_copied_json_are_escaped() {
        let value = json!({"a": "x\u{2028}y\u{85}größe\u{7f}", "b": [1, "\u{2029}"]});
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let json = written(|writer| writer.json(&pretty));
        assert_eq!(json.lines().count(), 1);
        assert!(!json.contains(|c: char| line_break(c).is_some()));
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
    }

    #[test]
    fn plain_json_is_copied_to_the_byte() {
        let json = r#"{"id":9007199254740993,"t":"\u0061 b"}"#;
        assert_eq!(written(|writer| writer.json(json)), json);
    }

    #[test]
    fn tool_13_bytes_are_base64_with_padding() {
        for (bytes, text) in
            [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("?>~\u{ff}", "Pz5+w78=")]
        {
            assert_eq!(written(|writer| writer.base64(bytes.as_bytes())), format!("\"{text}\""));
        }
    }

    #[test]
    fn members_are_parted_by_commas() {
        let mut writer = Writer::notification("notifications/x");
        writer.key("a").number(1);
        writer.key("b").raw("[");
        writer.key("c").text("d");
        assert_eq!(
            writer.end(),
            r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1,"b":["c":"d"}}"#
        );
    }
}
