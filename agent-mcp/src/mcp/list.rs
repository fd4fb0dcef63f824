//! The entries of a list, kept as bytes.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::{cursor::Cursors, error::RpcError, writer::Writer};

/// One list of one revision. Each entry is written once; a list is those bytes, joined.
pub(crate) struct List {
    /// The member of the result that holds it.
    pub(crate) member: &'static str,
    entries: Vec<Bytes>,
    /// Which bit says whether an entry is on offer; one without is always. Empty where each has its own.
    numbers: Vec<Option<usize>>,
    cursors: Cursors,
    /// The last whole lists and what was on offer in each, the newest last.
    joins: Mutex<Vec<(Box<[bool]>, Bytes)>>,
}

/// A part of a list.
#[derive(Debug, PartialEq)]
pub(crate) struct Page {
    /// The entries as a JSON list.
    pub(crate) entries: Bytes,
    /// Where the next page begins; none after the last.
    pub(crate) next: Option<String>,
}

/// How many joined lists are kept.
const KEPT: usize = 8;

impl List {
    pub(crate) fn new<'a>(
        member: &'static str,
        entries: impl Iterator<Item = (&'a str, Bytes)>,
    ) -> Self {
        let (names, entries): (Vec<_>, Vec<_>) = entries.unzip();
        let (numbers, cursors) = (Vec::new(), Cursors::new(member, names));
        Self { member, cursors, entries, numbers, joins: Mutex::default() }
    }

    /// Says which bit stands for each entry.
    pub(crate) fn numbered(self, numbers: Vec<Option<usize>>) -> Self {
        Self { numbers, ..self }
    }

    /// The page at `cursor`, with those entries whose bit in `offered` is set (all, without bits).
    pub(crate) fn page(
        &self,
        offered: Option<&[bool]>,
        cursor: Option<&str>,
        size: usize,
    ) -> Result<Page, RpcError> {
        let start = match cursor {
            None => 0,
            Some(cursor) => self
                .cursors
                .place(cursor)
                .ok_or_else(|| RpcError::invalid_params("Unknown cursor; begin the list anew"))?,
        };
        let is_offered = |place: &usize| {
            let number = self.numbers.get(*place).copied().unwrap_or(Some(*place));
            let bit = |bits: &[bool]| number.is_none_or(|number| bits.get(number) == Some(&true));
            offered.is_none_or(bit)
        };
        let mut places = (start..self.entries.len()).filter(is_offered);
        if start == 0 && places.clone().nth(size).is_none() {
            return Ok(Page { entries: self.whole(offered, places), next: None });
        }
        // Even a size of zero gets on.
        let entries = self.join(places.by_ref().take(size.max(1)));
        Ok(Page { entries, next: places.next().map(|place| self.cursors.at(place)) })
    }

    fn whole(&self, offered: Option<&[bool]>, places: impl Iterator<Item = usize>) -> Bytes {
        let key = offered.unwrap_or_default();
        let mut joins = self.joins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, joined)) = joins.iter().find(|(bits, _)| **bits == *key) {
            return joined.clone();
        }
        let joined = self.join(places);
        if joins.len() == KEPT {
            joins.remove(0);
        }
        joins.push((key.into(), joined.clone()));
        joined
    }

    fn join(&self, places: impl Iterator<Item = usize>) -> Bytes {
        let mut list =
            Writer::new(2 + self.entries.iter().map(|entry| entry.len() + 1).sum::<usize>());
        list.raw("[");
        for place in places {
            list.comma();
            list.ready(&self.entries[place]);
        }
        list.raw("]");
        list.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 25] = [
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r",
        "s", "t", "u", "v", "w", "x", "y",
    ];

    fn list() -> List {
        List::new("tools", NAMES.iter().map(|name| (*name, Bytes::from(format!("\"{name}\"")))))
    }

    fn names(page: &Page) -> Vec<String> {
        serde_json::from_slice(&page.entries).unwrap()
    }

    #[test]
    fn a_list_that_fits_is_one_page() {
        for size in [25, 26, 1000] {
            let page = list().page(None, None, size).unwrap();
            assert_eq!(names(&page), NAMES);
            assert_eq!(page.next, None);
        }
        let empty = List::new("tools", std::iter::empty()).page(None, None, 10).unwrap();
        assert_eq!(empty, Page { entries: Bytes::from("[]"), next: None });
    }

    #[test]
    fn dynamic_f90_pages_while_a_tool_disappears() {
        let list = list();
        let mut offered = vec![true; 25];
        let mut seen = Vec::new();
        let mut cursor = None;
        for round in 0.. {
            let page = list.page(Some(&offered), cursor.as_deref(), 10).unwrap();
            seen.extend(names(&page));
            // `c` was on the first page, `k` is what the cursor points at.
            (offered[2], offered[10]) = (false, false);
            cursor = page.next;
            if cursor.is_none() {
                assert_eq!(round, 2);
                break;
            }
        }
        let stable: Vec<_> = NAMES.into_iter().filter(|name| *name != "k").collect();
        assert_eq!(seen, stable);
    }

    #[test]
    fn dynamic_f90_the_last_page_has_no_cursor() {
        let list = list();
        let mut offered = [true; 25];
        let next = list.page(Some(&offered), None, 20).unwrap().next;
        assert_eq!(list.page(Some(&offered), next.as_deref(), 5).unwrap().next, None);
        offered[24] = false;
        assert_eq!(list.page(Some(&offered), next.as_deref(), 4).unwrap().next, None);
        assert!(list.page(Some(&offered), Some("zzz"), 4).is_err());
        assert!(list.page(Some(&offered), Some(""), 4).is_err());
    }

    #[test]
    fn equal_bits_share_bytes_and_few_are_kept() {
        let list = list();
        let bits = |gone: usize| -> Vec<bool> { (0..25).map(|place| place != gone).collect() };
        let first = list.page(Some(&bits(0)), None, 100).unwrap().entries;
        let again = list.page(Some(&bits(0)), None, 100).unwrap().entries;
        assert_eq!(first.as_ptr(), again.as_ptr());
        for (gone, name) in NAMES.into_iter().enumerate() {
            let page = list.page(Some(&bits(gone)), None, 100).unwrap();
            assert_eq!(names(&page).len(), 24);
            assert!(!names(&page).contains(&name.to_owned()));
        }
        assert_eq!(list.joins.lock().unwrap().len(), KEPT);
    }
}
