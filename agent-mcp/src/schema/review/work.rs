//! How long serde's own decoding would take: it reads a union by trying one branch after the other, and
//! where unions nest, each attempt tries everything below once more.

use std::collections::HashMap;

use super::Review;
use crate::schema::shape::{Node, NodeId, Object, Shape};
use crate::schema::tree::{ItemId, Json};

/// How many values serde may look at for each value that is there, and how many in any case.
const EACH: u64 = 64;
const ANYWAY: u64 = 100_000;

/// Whether decoding the value takes out of all proportion to its size.
pub(super) fn is_endless(review: &mut Review<'_>) -> bool {
    let limit = ANYWAY + EACH * review.tree.len() as u64;
    let (root, item) = (review.shape.root, review.root);
    work(review, root, item, &mut HashMap::new()) > limit
}

type Known = HashMap<(NodeId, ItemId), u64>;

/// How many values are looked at, at most. Each pair is counted once, so counting takes no such time.
fn work(review: &mut Review<'_>, id: NodeId, item: ItemId, known: &mut Known) -> u64 {
    if let Some(work) = known.get(&(id, item)) {
        return *work;
    }
    // A union may lead back to itself without taking anything from the value.
    known.insert((id, item), 1);
    let shape = review.shape;
    let nested: Vec<(NodeId, ItemId)> = match (shape.node(id), review.tree.value(item)) {
        (Node::Union(branches), _) => {
            let mut sum = 1u64;
            for branch in branches {
                sum = sum.saturating_add(work(review, *branch, item, known));
                if review.fits(*branch, item) {
                    break;
                }
            }
            known.insert((id, item), sum);
            return sum;
        }
        (Node::List(list), Json::List(items)) => {
            let node = |place| list.first.get(place).copied().unwrap_or(list.rest);
            items.iter().enumerate().map(|(place, item)| (node(place), *item)).collect()
        }
        (Node::Object(object), Json::Object(members)) if !is_other(review, object, members) => {
            let node = |name: &str| match object.member(name) {
                Some(place) => Some(object.members[place].node),
                None => object.other(name),
            };
            members.iter().filter_map(|(name, item)| Some((node(name)?, *item))).collect()
        }
        _ => Vec::new(),
    };
    let mut sum = 1u64;
    for (node, item) in nested {
        sum = sum.saturating_add(work(review, node, item, known));
    }
    known.insert((id, item), sum);
    sum
}

/// Whether the value has another tag, by which serde knows without trying.
fn is_other(review: &Review<'_>, object: &Object, members: &[(String, ItemId)]) -> bool {
    members.iter().any(|(name, item)| {
        let Some(member) = object.member(name) else { return false };
        match review.shape.node(object.members[member].node) {
            Node::Choice(values) if values.len() == 1 => {
                !super::same(review.tree.value(*item), &values[0])
            }
            _ => false,
        }
    })
}

/// Whether a union has several branches that lead back to it, so that attempts may multiply.
pub(in crate::schema) fn may_multiply(shape: &Shape) -> bool {
    let unions = shape.ids().filter_map(|id| match shape.node(id) {
        Node::Union(branches) => Some((id, branches)),
        _ => None,
    });
    unions.into_iter().any(|(id, branches)| {
        let back: Vec<_> = branches.iter().filter(|branch| leads(shape, **branch, id)).collect();
        let alike = |(place, left): (usize, &&NodeId)| {
            back[place + 1..].iter().any(|right| !are_told_apart(shape, **left, **right))
        };
        back.iter().enumerate().any(alike)
    })
}

/// Whether `to` can be found inside of `from`.
fn leads(shape: &Shape, from: NodeId, to: NodeId) -> bool {
    let (mut seen, mut open) = (std::collections::HashSet::new(), vec![from]);
    while let Some(id) = open.pop() {
        if id == to {
            return true;
        }
        if !seen.insert(id) {
            continue;
        }
        match shape.node(id) {
            Node::List(list) => open.extend(list.first.iter().chain([&list.rest])),
            Node::Object(object) => {
                open.extend(object.members.iter().map(|member| member.node));
                open.extend(object.patterns.iter().map(|(_, node)| *node).chain(object.rest));
            }
            Node::Union(branches) => open.extend(branches),
            _ => {}
        }
    }
    false
}

/// Whether one look at a value says that at most one of two branches is meant.
fn are_told_apart(shape: &Shape, left: NodeId, right: NodeId) -> bool {
    match (shape.node(left), shape.node(right)) {
        (Node::Object(left), Node::Object(right)) => {
            let named = |object: &Object| match &object.members[..] {
                [only] if only.required && object.rest.is_none() => Some(only.name.clone()),
                _ => None,
            };
            let tag = |object: &Object, name: &str| {
                let member = &object.members[object.member(name)?];
                match shape.node(member.node) {
                    Node::Choice(values) if member.required && values.len() == 1 => {
                        Some(values[0].clone())
                    }
                    _ => None,
                }
            };
            let names = (named(left), named(right));
            let tagged = left.members.iter().any(|member| {
                let tags = (tag(left, &member.name), tag(right, &member.name));
                matches!(tags, (Some(left), Some(right)) if left != right)
            });
            tagged || matches!(names, (Some(left), Some(right)) if left != right)
        }
        (Node::Object(_), Node::List(_)) | (Node::List(_), Node::Object(_)) => true,
        _ => false,
    }
}
