//! Finds out which types serde alone reads as strictly as their schema says.
//!
//! Nothing in a schema tells whether a struct was flattened into another one, is buffered on the way
//! or has a decoder of its own. So the decoder is asked: it gets a sample of the shape with every
//! member present, then the same sample with one thing wrong, for each thing that can be wrong. A type
//! that takes one of those needs the shape check before each decoding; the others need no second pass.

use serde::de::DeserializeOwned;

use super::check;
use super::number::Number;
use super::shape::{List, Node, NodeId, Object, Range, Shape, Text};
use super::strict::{self, Names};
use crate::contain::contained;

/// Larger shapes are checked without asking: asking costs time when the agent is built.
const MAX_NODES: usize = 300;

/// As do shapes with more combinations of branches.
const MAX_SAMPLES: usize = 48;

/// Whether the strict deserializer refuses all that the shape refuses.
pub(super) fn is_plain<T: DeserializeOwned>(shape: &Shape, closed: bool) -> bool {
    let mut names = Vec::new();
    let mut accepts = |text: &[u8]| tried(|| strict::observe::<T>(text, closed, &mut names));
    let same = agrees(shape, &mut accepts);
    same && names.iter().all(|names| is_declared(shape, names))
}

/// The members that the schema calls optional and the decoder demands, each with the place of its
/// object. A field with a decoder of its own and no `#[serde(default)]` is one, even an `Option`.
pub(super) fn demanded<T: DeserializeOwned>(shape: &Shape) -> Vec<(String, String)> {
    let accepts = |text: &[u8]| tried(|| strict::decode::<T>(text, false).is_ok());
    let Some(sample) = Sample::write(shape, &[]) else { return Vec::new() };
    if shape.nodes().len() > MAX_NODES || !accepts(&sample.text) {
        return Vec::new();
    }
    let mut demanded = Vec::new();
    for (place, object, index) in sample.optional {
        let plan = [(place, Change::Omit(index))];
        let shorter = Sample::write(shape, &plan);
        let refused = shorter.is_some_and(|s| check::fits(shape, &s.text) && !accepts(&s.text));
        if refused {
            demanded.push((object.pointer.clone(), object.members[index].name.clone()));
        }
    }
    demanded
}

/// What a decoder answers; one that panics at a sample takes nothing.
fn tried(decode: impl FnOnce() -> bool) -> bool {
    contained(decode).unwrap_or(false)
}

/// Whether a decoder takes every sample and refuses every broken one.
fn agrees(shape: &Shape, accepts: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    let unclear = |node: &Node| match node {
        Node::Number(range) => range.step.is_some(),
        Node::Text(text) => text.pattern.is_some() && !text.digits,
        _ => false,
    };
    if shape.nodes().len() > MAX_NODES || shape.nodes().iter().any(unclear) {
        return false;
    }
    let mut open: Vec<Vec<(usize, Change)>> = vec![Vec::new()];
    let mut samples = 0;
    while let Some(plan) = open.pop() {
        samples += 1;
        let Some(sample) = Sample::write(shape, &plan).filter(|_| samples <= MAX_SAMPLES) else {
            return false;
        };
        if !check::fits(shape, &sample.text) || !accepts(&sample.text) {
            return false;
        }
        let last = plan.last().map_or(0, |(place, _)| place + 1);
        for (place, change) in sample.possible {
            let mut plan = plan.clone();
            if matches!(change, Change::Branch(_)) {
                if place >= last {
                    plan.push((place, change));
                    open.push(plan);
                }
                continue;
            }
            plan.push((place, change));
            let Some(broken) = Sample::write(shape, &plan) else { continue };
            if !check::fits(shape, &broken.text) && accepts(&broken.text) {
                return false;
            }
        }
    }
    true
}

/// Whether a struct answers to declared names only. An alias is one that the schema does not list.
fn is_declared(shape: &Shape, names: Names) -> bool {
    shape.nodes().iter().any(|node| match node {
        Node::Object(object) => names.iter().all(|name| object.member(name).is_some()),
        _ => false,
    })
}

/// A way in which a sample can differ from the plain one.
#[derive(Clone, Debug)]
enum Change {
    /// Another branch of a union, which is still right.
    Branch(usize),
    /// Another value.
    Replace(String),
    /// One more member.
    Extra,
    /// The first member twice.
    Repeat,
    /// One member less.
    Omit(usize),
    /// One item less.
    Fewer,
    /// One item more.
    More,
}

struct Sample<'s> {
    shape: &'s Shape,
    plan: &'s [(usize, Change)],
    text: Vec<u8>,
    /// The changes that are possible, by the place of the value they apply to.
    possible: Vec<(usize, Change)>,
    /// The optional members that were written, with the place of their object.
    optional: Vec<(usize, &'s Object, usize)>,
    count: usize,
    /// The nodes around the current one.
    around: Vec<NodeId>,
}

impl<'s> Sample<'s> {
    fn write(shape: &'s Shape, plan: &'s [(usize, Change)]) -> Option<Self> {
        let mut sample = Self {
            shape,
            plan,
            text: Vec::new(),
            possible: Vec::new(),
            optional: Vec::new(),
            count: 0,
            around: Vec::new(),
        };
        sample.value(shape.root)?;
        Some(sample)
    }

    fn value(&mut self, id: NodeId) -> Option<()> {
        let place = self.count;
        self.count += 1;
        let change = self.plan.iter().find(|(at, _)| *at == place).map(|(_, change)| change);
        if let Some(Change::Replace(text)) = change {
            self.push(text);
            return Some(());
        }
        // A recursive type ends at its second appearance.
        if self.around.iter().filter(|outer| **outer == id).count() > 1 {
            return None;
        }
        self.around.push(id);
        for text in ["null", "true", "7", "\"x\"", "[]", "{}"] {
            self.offer(place, Change::Replace(text.to_owned()));
        }
        let written = match self.shape.node(id) {
            Node::Any => {
                self.offer(place, Change::Replace(r#"{"a":1,"a":2}"#.to_owned()));
                self.push(r#"{"a":[1,"x",{"b":null}]}"#)
            }
            Node::Null => self.push("null"),
            Node::Bool => self.push("true"),
            Node::Number(range) => self.number(place, range),
            Node::Text(rule) => self.text(place, rule),
            Node::Choice(values) => {
                self.offer(place, Change::Replace("\"no such choice\"".to_owned()));
                values.first().and_then(|value| self.push(&value.to_string()))
            }
            Node::List(list) => self.list(place, list, change),
            Node::Object(object) => self.object(place, object, change),
            Node::Union(branches) => {
                for branch in 1..branches.len() {
                    self.offer(place, Change::Branch(branch));
                }
                match change {
                    Some(Change::Branch(branch)) => self.value(branches[*branch]),
                    _ => branches.iter().find_map(|branch| self.attempt(|s| s.value(*branch))),
                }
            }
        };
        self.around.pop();
        written
    }

    fn push(&mut self, text: &str) -> Option<()> {
        self.text.extend(text.as_bytes());
        Some(())
    }

    fn offer(&mut self, place: usize, change: Change) {
        self.possible.push((place, change));
    }

    /// Writes something, or nothing of it.
    fn attempt(&mut self, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let (text, possible, around) = (self.text.len(), self.possible.len(), self.around.len());
        let optional = self.optional.len();
        let written = write(self);
        if written.is_none() {
            self.optional.truncate(optional);
            self.text.truncate(text);
            self.possible.truncate(possible);
            self.around.truncate(around);
        }
        written
    }

    fn number(&mut self, place: usize, range: &Range) -> Option<()> {
        if range.whole {
            self.offer(place, Change::Replace("0.5".to_owned()));
        }
        let bounds = [(range.min, -1), (range.max, 1)];
        for (limit, step) in bounds {
            if let Some(Number::Whole(value)) = limit.map(|limit| limit.value) {
                self.offer(place, Change::Replace((value + step).to_string()));
                self.offer(place, Change::Replace(value.to_string()));
            }
        }
        let near = bounds.iter().filter_map(|(limit, _)| limit.map(|limit| limit.value));
        let near = near.flat_map(|value| match value {
            Number::Whole(value) => [-1, 0, 1].map(|step| Number::Whole(value + step)),
            Number::Float(value) => [-0.125, 0.0, 0.125].map(|step| Number::Float(value + step)),
        });
        let found = [1, 0, -1].map(Number::Whole).into_iter().chain(near).find(|n| range.holds(*n));
        self.push(&found?.to_string())
    }

    fn text(&mut self, place: usize, rule: &Text) -> Option<()> {
        if rule.digits {
            return self.push("\"7\"");
        }
        if rule.min > 0 {
            self.offer(place, Change::Replace(quoted(rule.min - 1)));
        }
        if let Some(max) = rule.max {
            self.offer(place, Change::Replace(quoted(max.min(1 << 16) + 1)));
        }
        match rule.format.as_deref().and_then(example) {
            Some(example) => self.push(&format!("\"{example}\"")),
            None => self.push(&quoted(rule.min.max(1).min(rule.max.unwrap_or(usize::MAX)))),
        }
    }

    fn list(&mut self, place: usize, list: &List, change: Option<&Change>) -> Option<()> {
        let least = list.min.max(list.first.len());
        let wanted = if list.max.is_some_and(|max| max <= least) { least } else { least + 1 };
        if wanted > 64 {
            return None;
        }
        self.offer(place, Change::Fewer);
        self.offer(place, Change::More);
        self.push("[");
        let mut written = 0;
        while written < wanted {
            let node = list.first.get(written).copied().unwrap_or(list.rest);
            let comma = written > 0;
            let item = self.attempt(|s| {
                if comma {
                    s.push(",");
                }
                s.value(node)
            });
            if item.is_none() {
                break;
            }
            written += 1;
            let drop_last = written + 1 == wanted && matches!(change, Some(Change::Fewer));
            if drop_last {
                return self.push("]");
            }
        }
        if written < list.min {
            return None;
        }
        if matches!(change, Some(Change::More)) && written > 0 {
            self.push(",");
            let node = list.first.get(written).or(list.first.last()).copied().unwrap_or(list.rest);
            self.value(node)?;
        }
        self.push("]")
    }

    fn object(&mut self, place: usize, object: &'s Object, change: Option<&Change>) -> Option<()> {
        self.offer(place, Change::Extra);
        self.offer(place, Change::Repeat);
        self.push("{");
        let mut first = true;
        for (index, member) in object.members.iter().enumerate() {
            self.offer(place, Change::Omit(index));
            if matches!(change, Some(Change::Omit(omitted)) if *omitted == index) {
                continue;
            }
            let written = self.member(first, &member.name, member.node);
            match (written, member.required) {
                (None, true) => return None,
                (Some(()), false) => self.optional.push((place, object, index)),
                _ => {}
            }
            if written.is_some() && first && matches!(change, Some(Change::Repeat)) {
                self.member(false, &member.name, member.node)?;
            }
            first &= written.is_none();
        }
        let key = |node: &(regex_lite::Regex, NodeId)| {
            ["7", "probe"].into_iter().find(|key| node.0.is_match(key)).map(|key| (key, node.1))
        };
        let others =
            object.patterns.iter().filter_map(key).chain(object.rest.map(|n| ("probe", n)));
        for (name, node) in others {
            let written = self.member(first, name, node);
            if written.is_some() && first && matches!(change, Some(Change::Repeat)) {
                self.member(false, name, node)?;
            }
            first &= written.is_none();
        }
        if matches!(change, Some(Change::Extra)) {
            let comma = if first { "" } else { "," };
            self.push(&format!("{comma}\"no such member\":1"));
        }
        self.push("}")
    }

    fn member(&mut self, first: bool, name: &str, node: NodeId) -> Option<()> {
        let name = serde_json::Value::from(name);
        self.attempt(|s| {
            s.push(&format!("{}{name}:", if first { "" } else { "," }));
            s.value(node)
        })
    }
}

fn quoted(length: usize) -> String {
    format!("\"{}\"", "x".repeat(length.min(1 << 17)))
}

/// A string of a format that schemars gives to a known type.
fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "67e55044-10b1-426f-9247-bb680e5fe0c8",
        "uri" => "https://example.org/",
        "date-time" => "2026-01-31T12:00:00Z",
        "partial-date-time" => "2026-01-31T12:00:00",
        "date" => "2026-01-31",
        "time" | "partial-time" => "12:00:00",
        "ip" | "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        _ => return None,
    })
}
