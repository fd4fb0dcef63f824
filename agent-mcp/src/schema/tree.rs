//! JSON text as a tree that keeps what a map would lose: repeated members and the text of numbers.

use std::borrow::Cow;

use super::scan::{MAX_DEPTH, Scan};

/// The place of a value in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ItemId(usize);

/// A tree holds this many values; each takes many times the memory that its text does.
const MAX_ITEMS: usize = 1 << 18;

/// A parsed text; further texts can be grafted on (`coerce`).
#[derive(Debug, Default)]
pub(super) struct Tree {
    items: Vec<Item>,
}

#[derive(Debug)]
pub(super) struct Item {
    pub(super) value: Json,
    /// Where the value stands in its text.
    start: usize,
    end: usize,
}

#[derive(Debug)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<ItemId>),
    Object(Vec<(String, ItemId)>),
}

impl Json {
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

impl Tree {
    /// Adds the value of a text; `None` when it is not JSON.
    pub(super) fn graft(&mut self, text: &str) -> Option<ItemId> {
        // The scan below leans on the grammar having been checked.
        serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
        let mut scan = Scan::new(text.as_bytes());
        self.parse(&mut scan, 0)
    }

    /// How many values it holds.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.items.len() >= MAX_ITEMS
    }

    /// A member of an object by its place.
    pub(super) fn member(&self, id: ItemId, place: usize) -> Option<(&str, ItemId)> {
        match self.value(id) {
            Json::Object(members) => members.get(place).map(|(name, item)| (name.as_str(), *item)),
            _ => None,
        }
    }

    pub(super) fn value(&self, id: ItemId) -> &Json {
        &self.items[id.0].value
    }

    /// The innermost value that a reader had begun or just read when it stood at this byte.
    pub(super) fn at(&self, root: ItemId, offset: usize) -> Vec<ItemId> {
        let mut way = vec![root];
        loop {
            let inside = |id: &ItemId| {
                let item = &self.items[id.0];
                item.start < offset && offset <= item.end
            };
            let last = way[way.len() - 1];
            let next = match self.value(last) {
                Json::List(items) => items.iter().copied().find(inside),
                Json::Object(members) => members.iter().map(|(_, id)| *id).find(inside),
                _ => None,
            };
            match next {
                Some(next) => way.push(next),
                None => return way,
            }
        }
    }

    fn parse(&mut self, scan: &mut Scan<'_>, depth: usize) -> Option<ItemId> {
        if depth > MAX_DEPTH || self.is_full() {
            return None;
        }
        let first = scan.peek()?;
        let start = scan.at();
        let value = match first {
            b'"' => Json::Text(scan.text()?.decode()?.into_owned()),
            b'[' => {
                let mut items = Vec::new();
                let mut more = scan.enter(b'[', b']')?;
                while more {
                    items.push(self.parse(scan, depth + 1)?);
                    more = scan.more(b']')?;
                }
                Json::List(items)
            }
            b'{' => {
                let mut members = Vec::new();
                let mut more = scan.enter(b'{', b'}')?;
                while more {
                    let name = scan.name()?.decode().map(Cow::into_owned)?;
                    members.push((name, self.parse(scan, depth + 1)?));
                    more = scan.more(b'}')?;
                }
                Json::Object(members)
            }
            b'n' => scan.word("null").map(|()| Json::Null)?,
            b't' => scan.word("true").map(|()| Json::Bool(true))?,
            b'f' => scan.word("false").map(|()| Json::Bool(false))?,
            _ => Json::Number(scan.number()?.to_owned()),
        };
        self.items.push(Item { value, start, end: scan.at() });
        Some(ItemId(self.items.len() - 1))
    }
}
