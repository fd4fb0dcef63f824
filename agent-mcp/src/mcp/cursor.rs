//! Where the next page of a list begins.

/// The cursors of one list.
///
/// A cursor names a place in the list of everything that the contract declares, not in what was on
/// offer when the page was made. So it stays right when entries come and go between two pages, and on
/// another connection or another instance of the same server (PAG-2, PAG-3).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursors {
    /// Tells the list from every other list, by its entries' names.
    list: u64,
    len: usize,
}

impl Cursors {
    pub(crate) fn new<'a>(list: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut digest = digest(SEED, list.as_bytes());
        let mut len = 0;
        for name in names {
            digest = self::digest(digest, name.as_bytes());
            len += 1;
        }
        Self { list: digest, len }
    }

    /// The cursor of a page that begins at `place`.
    pub(crate) fn at(self, place: usize) -> String {
        format!("{place:x}.{:016x}", self.seal(place))
    }

    /// Where the page of that cursor begins; `None` for a cursor that this list has never given.
    pub(crate) fn place(self, cursor: &str) -> Option<usize> {
        let (place, _) = cursor.split_once('.')?;
        let place = usize::from_str_radix(place, 16).ok()?;
        (place < self.len && self.at(place) == cursor).then_some(place)
    }

    fn seal(self, place: usize) -> u64 {
        digest(self.list, &(place as u64).to_le_bytes())
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: the same in every process, which the standard hasher does not promise. It keeps mistakes
/// out, not attackers: a forged cursor shows nothing that an honest one does not.
fn digest(start: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    // The length keeps ("a", "bc") and ("ab", "c") apart.
    step(bytes.iter().copied().fold(start, step), bytes.len() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Cursors {
        Cursors::new("tools", ["a", "b", "c"])
    }

    #[test]
    fn pag_2_a_cursor_leads_back_to_its_place() {
        for place in 0..3 {
            assert_eq!(tools().place(&tools().at(place)), Some(place));
        }
        assert_eq!(tools().at(1), tools().at(1), "the same on every connection");
    }

    #[test]
    fn dynamic_f90_other_cursors_are_unknown() {
        for cursor in ["zzz", "", ".", "1", "1.", "1.0000000000000000", "ffffffffffffffffff.0"] {
            assert_eq!(tools().place(cursor), None, "{cursor}");
        }
        assert_eq!(tools().place(&tools().at(3)), None, "past the end");
        assert_eq!(tools().place(&tools().at(1).to_uppercase().replace("1.", "01.")), None);
        assert_eq!(Cursors::new("resources", ["a", "b", "c"]).place(&tools().at(1)), None);
        assert_eq!(Cursors::new("tools", ["a", "bc"]).place(&tools().at(1)), None);
    }
}
