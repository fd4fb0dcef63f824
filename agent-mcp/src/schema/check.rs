//! Checks JSON text against a shape in one pass, without building anything.
//!
//! The answer "no" only means that the slow path has to look: it is also given when the text is
//! broken, too deep, or so ambiguous that checking it would take more than a few passes.

use super::number::Number;
use super::scan::{MAX_DEPTH, Scan, Text};
use super::shape::{List, Node, NodeId, Object, Shape};

/// Whether the text is a value of the shape.
pub(super) fn fits(shape: &Shape, text: &[u8]) -> bool {
    let mut check = Check { shape, budget: text.len() as u64 * 8 + 1024 };
    let mut scan = Scan::new(text);
    check.value(shape.root, &mut scan, 0).is_some() && scan.is_done()
}

struct Check<'s> {
    shape: &'s Shape,
    /// What may still be read, in bytes. Nested unions could otherwise take exponential time.
    budget: u64,
}

impl<'s> Check<'s> {
    fn value(&mut self, id: NodeId, scan: &mut Scan<'_>, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let start = scan.at();
        match self.shape.node(id) {
            Node::Any => self.anything(scan, depth)?,
            Node::Null => scan.word("null")?,
            Node::Bool => scan.word("true").or_else(|| scan.word("false"))?,
            Node::Number(range) => {
                let number = Number::parse(scan.number()?)?;
                range.holds(number).then_some(())?;
            }
            Node::Text(rule) if rule.digits && scan.peek()? != b'"' => {
                Number::parse(scan.number()?)?.is_whole().then_some(())?;
            }
            Node::Text(rule) => {
                let text = scan.text()?;
                if !rule.is_free() {
                    rule.holds(&text.decode()?).then_some(())?;
                }
            }
            Node::Choice(values) => choice(values, scan)?,
            Node::List(list) => self.list(list, scan, depth)?,
            Node::Object(object) => self.object(object, scan, depth)?,
            Node::Union(branches) => return self.union(branches, scan, depth),
        }
        self.spend((scan.at() - start) as u64)
    }

    fn spend(&mut self, bytes: u64) -> Option<()> {
        self.budget = self.budget.checked_sub(bytes)?;
        Some(())
    }

    fn union(&mut self, branches: &[NodeId], scan: &mut Scan<'_>, depth: usize) -> Option<()> {
        branches.iter().find_map(|branch| {
            let mut ahead = *scan;
            self.spend(1)?;
            let fits = self.value(*branch, &mut ahead, depth + 1);
            if fits.is_some() {
                *scan = ahead;
            }
            fits
        })
    }

    fn list(&mut self, list: &'s List, scan: &mut Scan<'_>, depth: usize) -> Option<()> {
        let mut count = 0;
        let mut more = scan.enter(b'[', b']')?;
        while more {
            let node = list.first.get(count).copied().unwrap_or(list.rest);
            self.value(node, scan, depth + 1)?;
            count += 1;
            more = scan.more(b']')?;
        }
        (count >= list.min && list.max.is_none_or(|max| count <= max)).then_some(())
    }

    fn object(&mut self, object: &'s Object, scan: &mut Scan<'_>, depth: usize) -> Option<()> {
        let mut seen = Seen::default();
        let (mut count, mut hint) = (0, 0);
        let mut more = scan.enter(b'{', b'}')?;
        while more {
            let name = scan.name()?;
            count += 1;
            match object.position(hint, |member| name.is(member)) {
                Some(place) => {
                    seen.declared(place)?;
                    hint = place + 1;
                    let member = &object.members[place];
                    // `null` for an optional member counts as absent.
                    let absent = !member.required
                        && scan.peek()? == b'n'
                        && !self.shape.admits_null(member.node);
                    if absent {
                        scan.word("null")?;
                    } else {
                        self.value(member.node, scan, depth + 1)?;
                    }
                }
                None => {
                    let name = name.decode()?;
                    let node = object.other(&name)?;
                    seen.other(name.as_bytes())?;
                    self.value(node, scan, depth + 1)?;
                }
            }
            more = scan.more(b'}')?;
        }
        let complete = object
            .members
            .iter()
            .enumerate()
            .all(|(place, member)| !member.required || seen.has(place));
        let sized = count >= object.min && object.max.is_none_or(|max| count <= max);
        (complete && sized).then_some(())
    }

    /// Steps over a value that may be anything; its objects still name each member once.
    fn anything(&mut self, scan: &mut Scan<'_>, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match scan.peek()? {
            b'"' => scan.text().map(drop),
            b'{' => {
                let mut seen = Seen::default();
                let mut more = scan.enter(b'{', b'}')?;
                while more {
                    seen.other(scan.name()?.decode()?.as_bytes())?;
                    self.anything(scan, depth + 1)?;
                    more = scan.more(b'}')?;
                }
                Some(())
            }
            b'[' => {
                let mut more = scan.enter(b'[', b']')?;
                while more {
                    self.anything(scan, depth + 1)?;
                    more = scan.more(b']')?;
                }
                Some(())
            }
            b't' => scan.word("true"),
            b'f' => scan.word("false"),
            b'n' => scan.word("null"),
            _ => scan.number().map(drop),
        }
    }
}

fn choice(values: &[serde_json::Value], scan: &mut Scan<'_>) -> Option<()> {
    use serde_json::Value;
    match scan.peek()? {
        b'"' => {
            let text: Text<'_> = scan.text()?;
            values.iter().any(|v| v.as_str().is_some_and(|v| text.is(v))).then_some(())
        }
        b'-' | b'0'..=b'9' => {
            let number = Number::parse(scan.number()?)?;
            values
                .iter()
                .filter(|value| value.is_number())
                .any(|value| Number::parse(&value.to_string()) == Some(number))
                .then_some(())
        }
        b't' if values.contains(&Value::Bool(true)) => scan.word("true"),
        b'f' if values.contains(&Value::Bool(false)) => scan.word("false"),
        b'n' if values.contains(&Value::Null) => scan.word("null"),
        _ => None,
    }
}

/// Which members an object has had. Nothing is allocated for up to 64 declared and 16 other ones.
#[derive(Default)]
struct Seen {
    declared: u64,
    declared_more: Vec<u64>,
    others: [u64; 16],
    count: usize,
    others_more: std::collections::HashSet<u64>,
}

impl Seen {
    /// Notes a declared member; `None` when it came before.
    fn declared(&mut self, place: usize) -> Option<()> {
        if self.has(place) {
            return None;
        }
        let bit = 1 << (place % 64);
        if place < 64 {
            self.declared |= bit;
        } else {
            let word = place / 64 - 1;
            if self.declared_more.len() <= word {
                self.declared_more.resize(word + 1, 0);
            }
            self.declared_more[word] |= bit;
        }
        Some(())
    }

    fn has(&self, place: usize) -> bool {
        let word = match place / 64 {
            0 => self.declared,
            word => self.declared_more.get(word - 1).copied().unwrap_or(0),
        };
        word & (1 << (place % 64)) != 0
    }

    /// Notes any other member by its hash. Two names with one hash only cost the slow path a look.
    fn other(&mut self, name: &[u8]) -> Option<()> {
        let hash = name.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        if let Some(place) = self.others.get_mut(self.count) {
            *place = hash;
            let before = &self.others[..self.count];
            if before.contains(&hash) {
                return None;
            }
        } else if self.others.contains(&hash) || !self.others_more.insert(hash) {
            return None;
        }
        self.count += 1;
        Some(())
    }
}
