//! Bytes in, lines out: the framing of the input, without any I/O.

use bytes::{Buf, Bytes, BytesMut};
use memchr::memchr;

/// How much is read at a time: what a pipe holds.
const CHUNK: usize = 64 * 1024;

/// A line longer than this does not lend its memory to the lines after it.
const LARGE: usize = 1024 * 1024;

/// The byte order mark that some programs put before the first byte.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What a line holds.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// One message, not looked into.
    Message(Bytes),
    /// More than the limit. The line is left out; the next one is read as usual.
    TooLong,
}

/// Cuts the input into lines, whatever pieces it comes in (B136).
///
/// Lines are cut at the byte 0x0A before anything is decoded, so a character may be split between two pieces.
/// Each line is a slice of what was read, not a copy of it.
pub(super) struct Lines {
    buffer: BytesMut,
    limit: usize,
    /// How much of the buffer is known to hold no line end.
    searched: usize,
    /// The rest of a line that is too long is being left out.
    skipping: bool,
    /// No line has been cut yet.
    first: bool,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), limit, searched: 0, skipping: false, first: true }
    }

    /// Where the next bytes of the input go.
    pub(super) fn space(&mut self) -> &mut BytesMut {
        self.buffer.reserve(CHUNK);
        &mut self.buffer
    }

    /// The next line that is not blank, if its end has been read.
    pub(super) fn next(&mut self) -> Option<Line> {
        self.skip_mark();
        loop {
            let Some(end) = memchr(b'\n', &self.buffer[self.searched..]) else {
                return self.unfinished();
            };
            let mut line = self.buffer.split_to(self.searched + end + 1);
            line.truncate(line.len() - 1);
            self.searched = 0;
            self.first = false;
            if line.len() > LARGE {
                self.buffer = BytesMut::from(&self.buffer[..]);
            }
            if let Some(line) = self.judge(line) {
                return Some(line);
            }
        }
    }

    /// The last line, which no line end follows (O44).
    pub(super) fn finish(&mut self) -> Option<Line> {
        let line = self.buffer.split();
        self.searched = 0;
        self.judge(line)
    }

    /// Nothing is kept of a line that is known to be too long: it is told at once, and then left out up to
    /// its end (O45).
    fn unfinished(&mut self) -> Option<Line> {
        self.searched = self.buffer.len();
        if !self.skipping && self.searched <= self.limit {
            return None;
        }
        self.buffer = BytesMut::new();
        self.searched = 0;
        self.first = false;
        (!std::mem::replace(&mut self.skipping, true)).then_some(Line::TooLong)
    }

    fn skip_mark(&mut self) {
        if self.first && self.buffer.len() >= BOM.len() {
            self.first = false;
            if self.buffer.starts_with(BOM) {
                self.buffer.advance(BOM.len());
                self.searched = 0;
            }
        }
    }

    fn judge(&mut self, line: BytesMut) -> Option<Line> {
        if std::mem::take(&mut self.skipping) {
            return None;
        }
        if line.len() > self.limit {
            return Some(Line::TooLong);
        }
        // B137: blank lines are nobody's message; the `\r` of Windows is a blank to JSON.
        (!line.trim_ascii().is_empty()).then(|| Line::Message(line.freeze()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(pieces: &[&[u8]], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(limit);
        let mut read = Vec::new();
        for piece in pieces {
            lines.space().extend_from_slice(piece);
            while let Some(line) = lines.next() {
                read.push(line);
            }
        }
        read.extend(lines.finish());
        read
    }

    fn message(text: &[u8]) -> Line {
        Line::Message(Bytes::copy_from_slice(text))
    }

    #[test]
    fn stdio_42d_a_byte_order_mark_is_ignored_at_the_start_only() {
        assert_eq!(read(&[b"\xEF", b"\xBB\xBF{", b"}\n"], 9), [message(b"{}")]);
        assert_eq!(read(&[b"\xEF\xBB\xBF"], 9), []);
        assert_eq!(
            read(&[b"{}\n\xEF\xBB\xBF{}\n"], 9),
            [message(b"{}"), message(b"\xEF\xBB\xBF{}")]
        );
    }

    #[test]
    fn stdio_e06_blank_lines_are_nobodys_message() {
        assert_eq!(read(&[b"\n \t \r\n\r\n\xFF\n{}\r\n"], 9), [message(b"\xFF"), message(b"{}\r")]);
    }

    #[test]
    fn b136_a_character_may_be_split_between_pieces() {
        let text = "\"\u{e9}\u{1F600}a\"\n".as_bytes();
        for cut in 0..text.len() {
            let (head, tail) = text.split_at(cut);
            assert_eq!(read(&[head, tail], 99), [message(&text[..text.len() - 1])]);
        }
    }

    #[test]
    fn o44_the_last_line_needs_no_line_end() {
        assert_eq!(read(&[b"{}\n[", b"]"], 9), [message(b"{}"), message(b"[]")]);
    }

    #[test]
    fn o45_a_line_over_the_limit_is_told_once_and_not_kept() {
        let mut lines = Lines::new(4);
        let mut told = 0;
        for _ in 0..1000 {
            lines.space().extend_from_slice(b"12345");
            told += usize::from(lines.next().is_some());
            assert!(lines.buffer.is_empty());
        }
        lines.space().extend_from_slice(b"6\nab\n");
        assert_eq!((told, lines.next(), lines.next()), (1, Some(message(b"ab")), None));
        assert_eq!(
            read(&[b"12345\n1234\n123456"], 4),
            [Line::TooLong, message(b"1234"), Line::TooLong]
        );
    }

    #[test]
    fn a_large_line_does_not_keep_its_memory() {
        let mut lines = Lines::new(16 * LARGE);
        lines.space().extend_from_slice(&vec![b'a'; 8 * LARGE]);
        assert_eq!(lines.next(), None);
        lines.space().extend_from_slice(b"\n{}\n");
        drop(lines.next());
        assert_eq!(lines.next(), Some(message(b"{}")));
        assert!(lines.space().capacity() < LARGE);
    }

    /// What has to come out, found by the dullest means.
    fn expected(input: &[u8], limit: usize) -> Vec<Line> {
        let input = input.strip_prefix(BOM).unwrap_or(input);
        input
            .split(|byte| *byte == b'\n')
            .filter(|line| line.len() > limit || !line.trim_ascii().is_empty())
            .map(|line| if line.len() > limit { Line::TooLong } else { message(line) })
            .collect()
    }

    proptest! {
        #[test]
        fn b136_framing_survives_any_chunking(
            input in prop::collection::vec(
                prop_oneof![4 => Just(b'\n'), 2 => Just(b' '), 1 => Just(b'\r'), 9 => any::<u8>()],
                0..200,
            ),
            bom in any::<bool>(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let mut bytes = if bom { BOM.to_vec() } else { Vec::new() };
            bytes.extend(input);
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut start = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                pieces.push(&bytes[start..cut]);
                start = cut;
            }
            prop_assert_eq!(read(&pieces, 12), expected(&bytes, 12));
        }
    }
}
