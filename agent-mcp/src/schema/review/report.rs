//! Lists the faults of a value, each at its place.

use super::describe::{choices, describe, describe_valid};
use super::{Review, Verdict, same};
use crate::schema::faults::{Fault, FaultKind, item_path, list_names, member_path};
use crate::schema::near::nearest;
use crate::schema::shape::{Node, NodeId, Object};
use crate::schema::tree::{ItemId, Json};

/// No more faults than this are looked for.
const ENOUGH: usize = 1000;

pub(super) fn report(
    review: &mut Review<'_>,
    id: NodeId,
    item: ItemId,
    path: &str,
    faults: &mut Vec<Fault>,
) {
    if faults.len() >= ENOUGH || review.fits(id, item) {
        return;
    }
    let shape = review.shape;
    let item = review.effective(id, item);
    match (shape.node(id), review.tree.value(item)) {
        (Node::Any, _) => repeated(review, item, path, faults),
        (Node::List(list), Json::List(items)) => {
            let items = items.clone();
            if items.len() < list.min || list.max.is_some_and(|max| items.len() > max) {
                faults.push(invalid(review, id, item, path));
            }
            for (place, item) in items.into_iter().enumerate() {
                let node = list.first.get(place).copied().unwrap_or(list.rest);
                report(review, node, item, &item_path(path, place), faults);
            }
        }
        (Node::Object(object), Json::Object(_)) => {
            members(review, id, object, item, path, faults);
        }
        (Node::Union(branches), _) => union(review, id, branches, item, path, faults),
        _ => faults.push(invalid(review, id, item, path)),
    }
}

/// The fault of a value that fits its shape and that the type refused when it had read up to here.
pub(super) fn refused(review: &mut Review<'_>, offset: usize) -> Fault {
    let shape = review.shape;
    let way = review.tree.at(review.root, offset);
    let (mut node, mut path) = (Some(shape.root), String::new());
    for step in way.windows(2) {
        node = node.and_then(|node| settled(review, node, step[0]));
        match review.tree.value(step[0]) {
            Json::Object(members) => {
                let Some((name, _)) = members.iter().find(|(_, item)| *item == step[1]) else {
                    break;
                };
                path = member_path(&path, name);
                node = node.and_then(|node| match shape.node(node) {
                    Node::Object(object) => match object.member(name) {
                        Some(place) => Some(object.members[place].node),
                        None => object.other(name),
                    },
                    _ => None,
                });
            }
            Json::List(items) => {
                let place = items.iter().position(|item| *item == step[1]).unwrap_or(0);
                path = item_path(&path, place);
                node = node.and_then(|node| match shape.node(node) {
                    Node::List(list) => Some(list.first.get(place).copied().unwrap_or(list.rest)),
                    _ => None,
                });
            }
            _ => break,
        }
    }
    let item = way.last().copied().unwrap_or(review.root);
    let node = node.and_then(|node| settled(review, node, item));
    Fault {
        path,
        kind: FaultKind::Invalid,
        expected: node
            .map_or_else(|| "another value".to_owned(), |node| describe_valid(shape, node)),
        got: review.tree.value(item).word(),
        suggestion: None,
    }
}

/// The branch that a value takes through unions.
fn settled(review: &mut Review<'_>, mut id: NodeId, item: ItemId) -> Option<NodeId> {
    for _ in 0..64 {
        let Node::Union(branches) = review.shape.node(id) else { return Some(id) };
        id = branches.iter().copied().find(|branch| review.fits(*branch, item))?;
    }
    None
}

fn invalid(review: &Review<'_>, id: NodeId, item: ItemId, path: &str) -> Fault {
    let json = review.tree.value(item);
    let suggestion = match (review.shape.node(id), json) {
        (Node::Choice(values), Json::Text(text)) => {
            nearest(text, values.iter().filter_map(serde_json::Value::as_str)).map(str::to_owned)
        }
        _ => None,
    };
    let expected = describe(review.shape, id);
    Fault {
        path: path.to_owned(),
        kind: FaultKind::Invalid,
        expected,
        got: json.word(),
        suggestion,
    }
}

fn members(
    review: &mut Review<'_>,
    id: NodeId,
    object: &Object,
    item: ItemId,
    path: &str,
    faults: &mut Vec<Fault>,
) {
    let shape = review.shape;
    for verdict in review.members(object, item) {
        let Json::Object(members) = review.tree.value(item) else { return };
        match verdict {
            Verdict::Absent => {}
            Verdict::Nested(node, place) => {
                let (name, value) = &members[place];
                let (path, value) = (member_path(path, name), *value);
                report(review, node, value, &path, faults);
            }
            Verdict::Repeated(place) => {
                let (name, value) = &members[place];
                faults.push(twice(review, path, name, *value));
            }
            Verdict::Undeclared(place) => {
                let (name, value) = &members[place];
                let names = object.members.iter().map(|member| member.name.as_str());
                faults.push(undeclared(review, path, name, *value, names));
            }
            Verdict::Missing(place) => {
                let member = &object.members[place];
                faults.push(Fault {
                    path: member_path(path, &member.name),
                    kind: FaultKind::Missing,
                    expected: describe(shape, member.node),
                    got: "nothing",
                    suggestion: None,
                });
            }
            Verdict::Size => faults.push(invalid(review, id, item, path)),
        }
        if faults.len() >= ENOUGH {
            return;
        }
    }
}

fn undeclared<'n>(
    review: &Review<'_>,
    path: &str,
    name: &str,
    value: ItemId,
    names: impl ExactSizeIterator<Item = &'n str> + Clone,
) -> Fault {
    let suggestion = nearest(name, names.clone()).map(str::to_owned);
    let expected = match names.len() {
        0 => "no members".to_owned(),
        1 => list_names(names),
        _ => format!("one of {}", list_names(names)),
    };
    let got = review.tree.value(value).word();
    Fault { path: member_path(path, name), kind: FaultKind::Unknown, expected, got, suggestion }
}

fn twice(review: &Review<'_>, path: &str, name: &str, value: ItemId) -> Fault {
    Fault {
        path: member_path(path, name),
        kind: FaultKind::Duplicate,
        expected: "each member once".to_owned(),
        got: review.tree.value(value).word(),
        suggestion: None,
    }
}

/// The repeated members inside of a free value.
fn repeated(review: &Review<'_>, item: ItemId, path: &str, faults: &mut Vec<Fault>) {
    match review.tree.value(item) {
        Json::List(items) => {
            for (place, item) in items.iter().enumerate() {
                repeated(review, *item, &item_path(path, place), faults);
            }
        }
        Json::Object(members) => {
            let mut seen = std::collections::HashSet::new();
            for (name, value) in members {
                if !seen.insert(name) {
                    faults.push(twice(review, path, name, *value));
                }
                repeated(review, *value, &member_path(path, name), faults);
            }
        }
        _ => {}
    }
}

fn union(
    review: &mut Review<'_>,
    id: NodeId,
    branches: &[NodeId],
    item: ItemId,
    path: &str,
    faults: &mut Vec<Fault>,
) {
    let mut candidates = Vec::new();
    leaves(review, branches, item, &mut candidates, 0);
    let shape = review.shape;
    let objects: Vec<&Object> = candidates
        .iter()
        .filter_map(|node| match shape.node(*node) {
            Node::Object(object) => Some(object),
            _ => None,
        })
        .collect();
    if objects.len() > 1
        && objects.len() == candidates.len()
        && let Some(mut found) = by_tag(review, &objects, item, path)
            .or_else(|| by_only_member(review, &objects, item, path))
    {
        faults.append(&mut found);
        return;
    }
    let nearest = candidates.iter().copied().min_by_key(|node| review.distance(*node, item));
    match nearest.map(|node| (node, shape.node(node))) {
        Some((node, Node::List(_) | Node::Object(_))) => report(review, node, item, path, faults),
        Some((node, _)) if candidates.len() == 1 => faults.push(invalid(review, node, item, path)),
        _ => faults.push(invalid(review, id, item, path)),
    }
}

/// The branches of a union that take a value of this JSON type.
fn leaves(
    review: &mut Review<'_>,
    branches: &[NodeId],
    item: ItemId,
    found: &mut Vec<NodeId>,
    depth: usize,
) {
    let shape = review.shape;
    for branch in branches {
        let item = review.effective(*branch, item);
        let takes = match (shape.node(*branch), review.tree.value(item)) {
            (Node::Union(inner), _) => {
                if depth < 16 {
                    leaves(review, inner, item, found, depth + 1);
                }
                false
            }
            (Node::Any, _)
            | (Node::Null, Json::Null)
            | (Node::Bool, Json::Bool(_))
            | (Node::Number(_), Json::Number(_))
            | (Node::Text(_), Json::Text(_))
            | (Node::List(_), Json::List(_))
            | (Node::Object(_), Json::Object(_)) => true,
            (Node::Choice(values), Json::Text(_)) => {
                values.iter().any(serde_json::Value::is_string)
            }
            _ => false,
        };
        if takes && !found.contains(branch) {
            found.push(*branch);
        }
    }
}

/// A tag that is missing or names no branch: then nothing else can be said.
fn by_tag(
    review: &Review<'_>,
    objects: &[&Object],
    item: ItemId,
    path: &str,
) -> Option<Vec<Fault>> {
    let shape = review.shape;
    let choice = |object: &Object, name: &str| match object.member(name) {
        Some(place) if object.members[place].required => {
            match shape.node(object.members[place].node) {
                Node::Choice(values) => Some(values.clone()),
                _ => None,
            }
        }
        _ => None,
    };
    let Json::Object(members) = review.tree.value(item) else { return None };
    for member in &objects[0].members {
        let name = member.name.as_str();
        let Some(all) =
            objects.iter().map(|object| choice(object, name)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let mut values: Vec<serde_json::Value> = Vec::new();
        for value in all.into_iter().flatten() {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let given = members.iter().find(|(given, _)| given == name).map(|(_, value)| *value);
        let json = given.map(|given| review.tree.value(given));
        if json.is_some_and(|json| values.iter().any(|value| same(json, value))) {
            continue;
        }
        let suggestion = match json {
            Some(Json::Text(text)) => nearest(text, values.iter().filter_map(|v| v.as_str())),
            _ => None,
        };
        return Some(vec![Fault {
            path: member_path(path, name),
            kind: if json.is_some() { FaultKind::Invalid } else { FaultKind::Missing },
            expected: choices(values.iter()),
            got: json.map_or("nothing", Json::word),
            suggestion: suggestion.map(str::to_owned),
        }]);
    }
    None
}

/// Branches told apart by the name of their only member, as serde writes enums by default.
fn by_only_member(
    review: &Review<'_>,
    objects: &[&Object],
    item: ItemId,
    path: &str,
) -> Option<Vec<Fault>> {
    let names: Option<Vec<&str>> = objects
        .iter()
        .map(|object| match object.members.as_slice() {
            [only] if only.required => Some(only.name.as_str()),
            _ => None,
        })
        .collect();
    let names = names?;
    let Json::Object(members) = review.tree.value(item) else { return None };
    if members.iter().any(|(name, _)| names.contains(&name.as_str())) {
        return None;
    }
    if members.is_empty() {
        return Some(vec![Fault {
            path: path.to_owned(),
            kind: FaultKind::Invalid,
            expected: format!("an object with one of {}", list_names(names.into_iter())),
            got: "an object",
            suggestion: None,
        }]);
    }
    let each = members.iter().take(16);
    Some(each.map(|(name, v)| undeclared(review, path, name, *v, names.iter().copied())).collect())
}
