//! The slow path, taken when a value was not decoded: finds every fault, or, where the schema has
//! nothing against the value, the plain spelling of it that the type does decode.

pub(super) mod describe;
mod report;
mod rewrite;
mod work;

use std::collections::HashMap;

pub(super) use work::may_multiply;

use super::faults::{Fault, FaultKind, Faults};
use super::number::Number;
use super::shape::{List, Node, NodeId, Object, Shape};
use super::tree::{ItemId, Json, Tree};

/// A value beside the shape it should have.
pub(super) struct Review<'s> {
    shape: &'s Shape,
    tree: Tree,
    root: ItemId,
    coerce: bool,
    /// Each pair is judged once, so that nested unions do not multiply.
    known: HashMap<(NodeId, ItemId), u32>,
    grafted: HashMap<ItemId, Option<ItemId>>,
}

/// How much the several kinds of faults weigh when the nearest branch of a union is looked for.
mod weight {
    pub(super) const MEMBER: u32 = 2;
    pub(super) const LIMIT: u32 = 5;
    pub(super) const TYPE: u32 = 50;
    pub(super) const TAG: u32 = 1000;
    pub(super) const ENDLESS: u32 = 1_000_000;
}

impl<'s> Review<'s> {
    /// Starts with a text; `Err` when it is not JSON.
    pub(super) fn new(shape: &'s Shape, text: &[u8], coerce: bool) -> Result<Self, Faults> {
        let mut tree = Tree::default();
        let root = std::str::from_utf8(text).ok().and_then(|text| tree.graft(text));
        if let Some(root) = root {
            let (known, grafted) = (HashMap::new(), HashMap::new());
            return Ok(Self { shape, tree, root, coerce, known, grafted });
        }
        let got = if tree.is_full() { "too many values to say more" } else { "no JSON" };
        Err(Faults::new(vec![Fault {
            path: String::new(),
            kind: FaultKind::Invalid,
            expected: describe::describe(shape, shape.root),
            got,
            suggestion: None,
        }]))
    }

    /// Every fault, or the text that the type decodes. Where attempts may [multiply](may_multiply), a value
    /// that would take for ever is a fault as well.
    pub(super) fn settle(&mut self, multiplies: bool) -> Result<Vec<u8>, Faults> {
        let mut faults = Vec::new();
        report::report(self, self.shape.root, self.root, "", &mut faults);
        if !faults.is_empty() {
            return Err(Faults::new(faults));
        }
        if multiplies && work::is_endless(self) {
            return Err(Faults::new(vec![Fault {
                path: String::new(),
                kind: FaultKind::Invalid,
                expected: "less nesting of values that can be read in several ways".to_owned(),
                got: self.tree.value(self.root).word(),
                suggestion: None,
            }]));
        }
        let mut text = Vec::new();
        rewrite::rewrite(self, self.shape.root, self.root, &mut text);
        Ok(text)
    }

    /// The fault behind an error of the type's own decoding, which the schema knows nothing of.
    /// The error's text is not used: it may hold the value.
    pub(super) fn unexplained(&mut self, error: &serde_json::Error) -> Faults {
        let offset = if error.line() == 0 { 0 } else { error.column() };
        Faults::new(vec![report::refused(self, offset)])
    }

    /// How far a value is from a node; 0 when it fits.
    fn distance(&mut self, id: NodeId, item: ItemId) -> u32 {
        if !matches!(
            self.shape.node(id),
            Node::Any | Node::List(_) | Node::Object(_) | Node::Union(_)
        ) {
            return self.judge(id, item);
        }
        if let Some(known) = self.known.get(&(id, item)) {
            return *known;
        }
        // A union may lead back to itself without taking anything from the value.
        self.known.insert((id, item), weight::ENDLESS);
        let distance = self.judge(id, item);
        self.known.insert((id, item), distance);
        distance
    }

    fn fits(&mut self, id: NodeId, item: ItemId) -> bool {
        self.distance(id, item) == 0
    }

    fn judge(&mut self, id: NodeId, item: ItemId) -> u32 {
        let shape = self.shape;
        let item = self.effective(id, item);
        match (shape.node(id), self.tree.value(item)) {
            (Node::Any, _) => self.repeats(item),
            (Node::Null, Json::Null) | (Node::Bool, Json::Bool(_)) => 0,
            (Node::Number(range), Json::Number(text)) => {
                let holds = Number::parse(text).is_some_and(|number| range.holds(number));
                if holds { 0 } else { weight::LIMIT }
            }
            (Node::Text(rule), Json::Text(text)) => {
                if rule.holds(text) {
                    0
                } else {
                    weight::LIMIT
                }
            }
            (Node::Text(rule), Json::Number(text)) if rule.digits => {
                let whole = Number::parse(text).is_some_and(Number::is_whole);
                if whole { 0 } else { weight::LIMIT }
            }
            (Node::Choice(values), json) => match values.iter().any(|value| same(json, value)) {
                true => 0,
                false if values.len() == 1 => weight::TAG,
                false => weight::TYPE,
            },
            (Node::List(list), Json::List(items)) => {
                let items = items.clone();
                self.judge_list(list, &items)
            }
            (Node::Object(object), Json::Object(_)) => self.judge_object(object, item),
            (Node::Union(branches), _) => {
                let all = branches.iter().map(|branch| self.distance(*branch, item));
                all.min().unwrap_or(weight::TYPE)
            }
            _ => weight::TYPE,
        }
    }

    fn judge_list(&mut self, list: &List, items: &[ItemId]) -> u32 {
        let sized = items.len() >= list.min && list.max.is_none_or(|max| items.len() <= max);
        let start = if sized { 0 } else { weight::LIMIT };
        items.iter().enumerate().fold(start, |sum, (place, item)| {
            let node = list.first.get(place).copied().unwrap_or(list.rest);
            sum.saturating_add(self.distance(node, *item))
        })
    }

    fn judge_object(&mut self, object: &Object, item: ItemId) -> u32 {
        let mut sum = 0u32;
        for verdict in self.members(object, item) {
            sum = sum.saturating_add(match verdict {
                Verdict::Nested(node, place) => match self.tree.member(item, place) {
                    Some((_, value)) => self.distance(node, value),
                    None => 0,
                },
                Verdict::Absent => 0,
                _ => weight::MEMBER,
            });
        }
        sum
    }

    /// What there is to say about each member of an object, then about the missing ones.
    fn members(&self, object: &Object, item: ItemId) -> Vec<Verdict> {
        let Json::Object(members) = self.tree.value(item) else { return Vec::new() };
        let mut seen = std::collections::HashSet::new();
        let mut verdicts = Vec::with_capacity(members.len());
        for (place, (name, value)) in members.iter().enumerate() {
            if !seen.insert(name.as_str()) {
                verdicts.push(Verdict::Repeated(place));
                continue;
            }
            let declared = object.member(name).map(|member| &object.members[member]);
            verdicts.push(match declared {
                Some(member) => {
                    let null = matches!(self.tree.value(*value), Json::Null);
                    if null && !member.required && !self.shape.admits_null(member.node) {
                        Verdict::Absent
                    } else {
                        Verdict::Nested(member.node, place)
                    }
                }
                None => match object.other(name) {
                    Some(node) => Verdict::Nested(node, place),
                    None => Verdict::Undeclared(place),
                },
            });
        }
        for (place, member) in object.members.iter().enumerate() {
            if member.required && !seen.contains(member.name.as_str()) {
                verdicts.push(Verdict::Missing(place));
            }
        }
        if members.len() < object.min || object.max.is_some_and(|max| members.len() > max) {
            verdicts.push(Verdict::Size);
        }
        verdicts
    }

    /// How often members are repeated anywhere inside of a free value.
    fn repeats(&self, item: ItemId) -> u32 {
        match self.tree.value(item) {
            Json::List(items) => items.iter().map(|item| self.repeats(*item)).sum(),
            Json::Object(members) => {
                let names: std::collections::HashSet<_> = members.iter().map(|(n, _)| n).collect();
                let here = (members.len() - names.len()) as u32 * weight::MEMBER;
                here + members.iter().map(|(_, item)| self.repeats(*item)).sum::<u32>()
            }
            _ => 0,
        }
    }

    /// The value to judge: with `coerce`, what a string spells where something else is due.
    fn effective(&mut self, id: NodeId, item: ItemId) -> ItemId {
        let Json::Text(text) = self.tree.value(item) else { return item };
        if !self.coerce {
            return item;
        }
        let spelled = match self.grafted.get(&item) {
            Some(spelled) => *spelled,
            None => {
                // Exact only: no surrounding space, no other notation than JSON's.
                let text = text.clone();
                let exact = text.trim() == text;
                let spelled = if exact { self.tree.graft(&text) } else { None };
                self.grafted.insert(item, spelled);
                spelled
            }
        };
        let Some(spelled) = spelled else { return item };
        match (self.shape.node(id), self.tree.value(spelled)) {
            (Node::Number(_), Json::Number(_))
            | (Node::Bool, Json::Bool(_))
            | (Node::List(_), Json::List(_))
            | (Node::Object(_), Json::Object(_)) => spelled,
            _ => item,
        }
    }
}

enum Verdict {
    /// The node that a member should fit; here and below the place is that among the members of the
    /// value.
    Nested(NodeId, usize),
    /// An optional member that is `null`.
    Absent,
    Repeated(usize),
    Undeclared(usize),
    /// The place among the members of the shape.
    Missing(usize),
    /// Too few or too many members.
    Size,
}

/// Whether a value is one of a choice.
fn same(json: &Json, value: &serde_json::Value) -> bool {
    use serde_json::Value;
    match (json, value) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(left), Value::Bool(right)) => left == right,
        (Json::Text(left), Value::String(right)) => left == right,
        (Json::Number(left), Value::Number(right)) => {
            let (left, right) = (Number::parse(left), Number::parse(&right.to_string()));
            left.is_some() && left == right
        }
        _ => false,
    }
}
