//! Writes a value that fits its shape the way the type's decoder takes it: integers as digits,
//! absent members left out, strings that were coerced as what they spell.

use std::io::Write;

use super::{Review, Verdict};
use crate::schema::number::Number;
use crate::schema::shape::{Node, NodeId};
use crate::schema::tree::{ItemId, Json};

pub(super) fn rewrite(review: &mut Review<'_>, id: NodeId, item: ItemId, out: &mut Vec<u8>) {
    let shape = review.shape;
    let item = review.effective(id, item);
    match (shape.node(id), review.tree.value(item)) {
        (Node::Union(branches), _) => match branch(review, branches, item) {
            Some(branch) => rewrite(review, branch, item, out),
            None => copy(review, item, out),
        },
        (Node::List(list), Json::List(items)) => {
            let items = items.clone();
            out.push(b'[');
            for (place, item) in items.into_iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                let node = list.first.get(place).copied().unwrap_or(list.rest);
                rewrite(review, node, item, out);
            }
            out.push(b']');
        }
        (Node::Object(object), Json::Object(_)) => {
            out.push(b'{');
            let mut first = true;
            for verdict in review.members(object, item) {
                let Verdict::Nested(node, place) = verdict else { continue };
                let Some((name, value)) = review.tree.member(item, place) else { continue };
                if !first {
                    out.push(b',');
                }
                first = false;
                write_text(name, out);
                out.push(b':');
                rewrite(review, node, value, out);
            }
            out.push(b'}');
        }
        (Node::Number(range), Json::Number(text)) if range.whole => write_whole(text, out),
        (Node::Text(_) | Node::Choice(_), Json::Number(text)) => write_whole(text, out),
        _ => copy(review, item, out),
    }
}

/// The branch of a union that a value takes, one that takes it as it is before one that coerces it.
fn branch(review: &mut Review<'_>, branches: &[NodeId], item: ItemId) -> Option<NodeId> {
    let fitting: Vec<NodeId> =
        branches.iter().copied().filter(|branch| review.fits(*branch, item)).collect();
    let as_it_is = fitting.iter().find(|branch| review.effective(**branch, item) == item);
    as_it_is.or(fitting.first()).copied()
}

fn copy(review: &Review<'_>, item: ItemId, out: &mut Vec<u8>) {
    match review.tree.value(item) {
        Json::Null => out.extend(b"null"),
        Json::Bool(value) => out.extend(value.to_string().as_bytes()),
        Json::Number(text) => out.extend(text.as_bytes()),
        Json::Text(text) => write_text(text, out),
        Json::List(items) => {
            out.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                copy(review, *item, out);
            }
            out.push(b']');
        }
        Json::Object(members) => {
            out.push(b'{');
            for (place, (name, item)) in members.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                write_text(name, out);
                out.push(b':');
                copy(review, *item, out);
            }
            out.push(b'}');
        }
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    // Writing a string to memory does not fail.
    let _ = serde_json::to_writer(out, text);
}

fn write_whole(text: &str, out: &mut Vec<u8>) {
    match Number::parse(text) {
        Some(Number::Whole(whole)) => {
            let _ = write!(out, "{whole}");
        }
        _ => out.extend(text.as_bytes()),
    }
}
