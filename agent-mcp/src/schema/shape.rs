//! A schema compiled for checking: nodes in one table, references already followed.

use std::collections::HashMap;

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::error::{Path, SchemaError};
use super::number::Number;
use super::portable::{Exact, reference_name};

/// The place of a node in its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

/// What a value has to look like.
#[derive(Debug)]
pub(super) struct Shape {
    nodes: Vec<Node>,
    pub(super) root: NodeId,
}

#[derive(Debug)]
pub(super) enum Node {
    Any,
    Null,
    Bool,
    Number(Range),
    Text(Text),
    /// One of these values.
    Choice(Vec<Value>),
    List(List),
    Object(Object),
    /// At least one of these; none for a type that has no values.
    Union(Vec<NodeId>),
}

#[derive(Debug)]
pub(super) struct Range {
    pub(super) whole: bool,
    pub(super) min: Option<Limit>,
    pub(super) max: Option<Limit>,
    pub(super) step: Option<Number>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) value: Number,
    pub(super) included: bool,
}

#[derive(Debug)]
pub(super) struct Text {
    pub(super) min: usize,
    pub(super) max: Option<usize>,
    pub(super) pattern: Option<Regex>,
    /// What schemars says about the type behind the string; told to the caller, not checked here.
    pub(super) format: Option<String>,
    /// A 64-bit id: the bare number is accepted as well (`id`).
    pub(super) digits: bool,
}

#[derive(Debug)]
pub(super) struct List {
    pub(super) first: Vec<NodeId>,
    pub(super) rest: NodeId,
    pub(super) min: usize,
    pub(super) max: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Object {
    /// Where it stands in the exact form.
    pub(super) pointer: String,
    pub(super) members: Vec<Member>,
    index: HashMap<String, usize>,
    pub(super) patterns: Vec<(Regex, NodeId)>,
    /// What further members hold; `None` refuses them.
    pub(super) rest: Option<NodeId>,
    pub(super) min: usize,
    pub(super) max: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) node: NodeId,
    pub(super) required: bool,
}

impl Shape {
    pub(super) fn compile(exact: &Exact) -> Result<Self, SchemaError> {
        let mut compiler =
            Compiler { definitions: &exact.definitions, named: HashMap::new(), nodes: Vec::new() };
        let root = compiler.node(&exact.root, &Place::of_root())?;
        Ok(Self { nodes: compiler.nodes, root })
    }

    /// Any value.
    #[cfg(feature = "json-schema")]
    pub(super) fn anything() -> Self {
        Self { nodes: vec![Node::Any], root: NodeId(0) }
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether `null` is one of the values, as opposed to standing for an absent one.
    pub(super) fn admits_null(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Any | Node::Null => true,
            Node::Choice(values) => values.contains(&Value::Null),
            // A union in a union was dissolved before, except through a reference.
            Node::Union(branches) => {
                branches.iter().any(|b| matches!(self.node(*b), Node::Any | Node::Null))
            }
            _ => false,
        }
    }
}

impl Object {
    /// The place of a declared member; `hint` is where it most likely is.
    #[inline]
    pub(super) fn position(&self, hint: usize, is: impl Fn(&str) -> bool) -> Option<usize> {
        if self.members.get(hint).is_some_and(|member| is(&member.name)) {
            return Some(hint);
        }
        self.members.iter().position(|member| is(&member.name))
    }

    pub(super) fn member(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The node of a member that is not declared.
    pub(super) fn other(&self, name: &str) -> Option<NodeId> {
        self.patterns
            .iter()
            .find(|(pattern, _)| pattern.is_match(name))
            .map(|(_, node)| *node)
            .or(self.rest)
    }
}

impl Range {
    pub(super) fn holds(&self, number: Number) -> bool {
        (!self.whole || number.is_whole())
            && self.min.is_none_or(|limit| {
                number > limit.value || (limit.included && number == limit.value)
            })
            && self.max.is_none_or(|limit| {
                number < limit.value || (limit.included && number == limit.value)
            })
            && self.step.is_none_or(|step| number.is_multiple_of(step))
    }
}

impl Text {
    pub(super) fn is_free(&self) -> bool {
        self.min == 0 && self.max.is_none() && self.pattern.is_none()
    }

    pub(super) fn holds(&self, text: &str) -> bool {
        let length = || text.chars().count();
        (self.min == 0 || length() >= self.min)
            && self.max.is_none_or(|max| length() <= max)
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
    }
}

struct Compiler<'a> {
    definitions: &'a Map<String, Value>,
    named: HashMap<&'a str, NodeId>,
    nodes: Vec<Node>,
}

/// Where a schema stands: as a reader names it, and as a JSON pointer into the exact form.
struct Place {
    path: Path,
    pointer: String,
}

impl Place {
    fn of_root() -> Self {
        Self { path: Path::default(), pointer: String::new() }
    }

    fn member(&self, keyword: &str, name: &str) -> Self {
        let path =
            if keyword == "properties" { self.path.member(name) } else { self.path.member("*") };
        let name = name.replace('~', "~0").replace('/', "~1");
        Self { path, pointer: format!("{}/{keyword}/{name}", self.pointer) }
    }

    fn rest(&self) -> Self {
        let pointer = format!("{}/additionalProperties", self.pointer);
        Self { path: self.path.member("*"), pointer }
    }

    fn item(&self, keyword: &str) -> Self {
        Self { path: self.path.items(), pointer: format!("{}/{keyword}", self.pointer) }
    }

    fn branch(&self, branch: usize) -> Self {
        Self { path: self.path.clone(), pointer: format!("{}/anyOf/{branch}", self.pointer) }
    }
}

impl<'a> Compiler<'a> {
    fn node(&mut self, schema: &'a Value, at: &Place) -> Result<NodeId, SchemaError> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.reference(reference, at);
        }
        let id = self.reserve();
        self.nodes[id.0 as usize] = self.build(schema, at)?;
        Ok(id)
    }

    fn reserve(&mut self) -> NodeId {
        self.nodes.push(Node::Any);
        NodeId((self.nodes.len() - 1) as u32)
    }

    fn reference(&mut self, reference: &str, at: &Place) -> Result<NodeId, SchemaError> {
        let unresolved = || SchemaError::UnresolvedReference {
            path: at.path.clone(),
            reference: reference.to_owned(),
        };
        let name = reference_name(reference).ok_or_else(unresolved)?;
        if let Some(id) = self.named.get(name) {
            return Ok(*id);
        }
        let (name, schema) = self.definitions.get_key_value(name).ok_or_else(unresolved)?;
        let at = Place { path: at.path.clone(), pointer: format!("/$defs/{name}") };
        if schema.get("$ref").is_some() {
            return self.node(schema, &at);
        }
        let id = self.reserve();
        self.named.insert(name, id);
        self.nodes[id.0 as usize] = self.build(schema, &at)?;
        Ok(id)
    }

    fn build(&mut self, schema: &'a Value, at: &Place) -> Result<Node, SchemaError> {
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return Ok(Node::Choice(values.clone()));
        }
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            let branches = branches.iter().enumerate();
            let branches = branches.map(|(place, branch)| self.node(branch, &at.branch(place)));
            return Ok(Node::Union(branches.collect::<Result<_, _>>()?));
        }
        Ok(match schema.get("type").and_then(Value::as_str) {
            Some("null") => Node::Null,
            Some("boolean") => Node::Bool,
            Some("integer") => Node::Number(range(schema, true)),
            Some("number") => Node::Number(range(schema, false)),
            Some("string") => Node::Text(text(schema, &at.path)?),
            Some("array") => Node::List(self.list(schema, at)?),
            Some("object") => Node::Object(self.object(schema, at)?),
            _ => Node::Any,
        })
    }

    fn list(&mut self, schema: &'a Value, at: &Place) -> Result<List, SchemaError> {
        let mut first = Vec::new();
        let items = schema.get("prefixItems").and_then(Value::as_array);
        for (place, item) in items.into_iter().flatten().enumerate() {
            first.push(self.node(item, &at.item(&format!("prefixItems/{place}")))?);
        }
        let rest = match schema.get("items") {
            Some(items) => self.node(items, &at.item("items"))?,
            None => self.reserve(),
        };
        let min = size(schema, "minItems").unwrap_or(0);
        Ok(List { first, rest, min, max: size(schema, "maxItems") })
    }

    fn object(&mut self, schema: &'a Value, at: &Place) -> Result<Object, SchemaError> {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|r| r.iter().any(|r| r == name));
        let mut members = Vec::new();
        for (name, schema) in entries(schema, "properties") {
            let node = self.node(schema, &at.member("properties", name))?;
            members.push(Member { name: name.clone(), node, required: is_required(name) });
        }
        let mut patterns = Vec::new();
        for (pattern, schema) in entries(schema, "patternProperties") {
            let node = self.node(schema, &at.member("patternProperties", pattern))?;
            patterns.push((regex(pattern, &at.path)?, node));
        }
        let rest = match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(schema @ Value::Object(_)) => Some(self.node(schema, &at.rest())?),
            _ => Some(self.reserve()),
        };
        Ok(Object {
            pointer: at.pointer.clone(),
            index: members.iter().enumerate().map(|(i, m)| (m.name.clone(), i)).collect(),
            members,
            patterns,
            rest,
            min: size(schema, "minProperties").unwrap_or(0),
            max: size(schema, "maxProperties"),
        })
    }
}

fn entries<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    schema.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn size(schema: &Value, key: &str) -> Option<usize> {
    schema.get(key).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok())
}

fn range(schema: &Value, whole: bool) -> Range {
    let limit = |key: &str, included| {
        let value = Number::parse(&schema.get(key).filter(|v| v.is_number())?.to_string())?;
        Some(Limit { value, included })
    };
    Range {
        whole,
        min: limit("minimum", true).or_else(|| limit("exclusiveMinimum", false)),
        max: limit("maximum", true).or_else(|| limit("exclusiveMaximum", false)),
        step: limit("multipleOf", true).map(|limit| limit.value),
    }
}

fn text(schema: &Value, path: &Path) -> Result<Text, SchemaError> {
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    let digits = word("format") == Some(super::id::FORMAT);
    let pattern = word("pattern").map(|pattern| regex(pattern, path)).transpose()?;
    Ok(Text {
        min: size(schema, "minLength").unwrap_or(0),
        max: size(schema, "maxLength"),
        pattern,
        format: word("format").map(str::to_owned),
        digits,
    })
}

fn regex(pattern: &str, path: &Path) -> Result<Regex, SchemaError> {
    Regex::new(pattern).map_err(|error| SchemaError::Pattern {
        path: path.clone(),
        pattern: pattern.to_owned(),
        reason: error.to_string(),
    })
}
