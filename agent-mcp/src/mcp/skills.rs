//! `skills/list`, `skills/get`, `resources/directory/read`, and the files of skills as resources (SEP-2640).

use std::{collections::HashMap, sync::Arc};

use bytes::Bytes;
use serde_json::{Value, json};

use super::{
    content, envelope, error::RpcError, exchange::Received, face::Offers, list::List, listing,
    reply::Cache, request::Request, revision::Revision, writer::Writer,
};
use crate::{
    contract::ResourceDescriptor,
    runtime::{Body, Principal},
    skills::{Child, Skill, Skills},
};

/// The extension that the protocol knows them as.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// What is said of it where it is declared.
pub(crate) const SETTINGS: &str = r#"{"directoryRead":true}"#;

/// A method of the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    List,
    Get,
    ReadFolder,
}

/// The method of that name, where the revision has it and the server offers it.
pub(crate) fn named(name: &str, revision: Revision, offers: Offers) -> Option<Verb> {
    let verb = match name {
        "skills/list" => Verb::List,
        "skills/get" => Verb::Get,
        "resources/directory/read" => Verb::ReadFolder,
        _ => return None,
    };
    (offers.skills && revision.is_modern()).then_some(verb)
}

/// The skills of a server, written once.
pub(crate) struct Shelf {
    skills: Arc<Skills>,
    list: List,
    entries: HashMap<String, Bytes>,
    folders: HashMap<String, List>,
}

impl Shelf {
    pub(crate) fn new(skills: Arc<Skills>) -> Self {
        let entries: Vec<_> =
            skills.skills.iter().map(|skill| (&*skill.uri, entry(&skills, skill))).collect();
        let folders = skills.folders.iter().map(|(uri, children)| {
            let children =
                children.iter().map(|(name, child)| (&**name, child_entry(&skills, name, child)));
            (uri.clone(), List::new("resources", children))
        });
        Self {
            folders: folders.collect(),
            list: List::new("skills", entries.clone().into_iter()),
            entries: entries.into_iter().map(|(uri, entry)| (uri.to_owned(), entry)).collect(),
            skills,
        }
    }
}

/// Each `SKILL.md`, for `resources/list`.
pub(crate) fn resources(skills: &Skills) -> impl Iterator<Item = ResourceDescriptor> {
    skills.skills.iter().map(|skill| {
        let text =
            |key: &str| skill.frontmatter.get(key).and_then(Value::as_str).unwrap_or_default();
        let mut resource = ResourceDescriptor::new(text("name"), text("description"));
        resource.uri.clone_from(&skill.uri);
        resource.mime_type = Some("text/markdown".to_owned());
        resource
    })
}

pub(crate) fn serve<P: Principal>(
    request: &Request<'_, P>,
    verb: Verb,
) -> Result<Received, RpcError> {
    let Some(shelf) = request.handler.shelf() else {
        return Err(RpcError::invalid_params("There are no skills"));
    };
    if verb == Verb::List {
        return listing::fixed(request, &shelf.list);
    }
    let uri = request
        .params
        .uri
        .and_then(envelope::text)
        .ok_or_else(|| RpcError::invalid_params("`uri` must be a string"))?;
    let unknown = |what: &str| {
        RpcError::invalid_params(format!("Unknown {what}: {uri}")).with(&json!({ "uri": uri }))
    };
    if verb == Verb::ReadFolder {
        let folder = shelf.folders.get(&*uri).ok_or_else(|| unknown("directory"))?;
        return listing::fixed(request, folder);
    }
    let entry = shelf.entries.get(&*uri).ok_or_else(|| unknown("skill"))?;
    let mut reply = request.reply(entry.len());
    reply.key("skill").ready(entry);
    reply.cache(Cache { ttl_ms: request.handler.list_ttl_ms(), public: true });
    Ok(reply.end().into())
}

/// The file of a skill that `resources/read` asks for; `None` where it asks for something else.
pub(crate) fn file<P: Principal>(request: &Request<'_, P>) -> Option<Received> {
    let shelf = request.handler.shelf()?;
    let uri = request.params.uri.and_then(envelope::text)?;
    let file = shelf.skills.files.get(&*uri)?;
    let mut reply = request.reply(file.bytes.len() + uri.len() + 64);
    let body = match std::str::from_utf8(&file.bytes) {
        Ok(text) => Body::Text(text),
        Err(_) => Body::Bytes(&file.bytes),
    };
    let list = reply.key("contents").open('[');
    content::resource(list, &uri, Some(file.mime_type), body).close('}');
    list.close(']');
    reply.cache(Cache { ttl_ms: request.handler.list_ttl_ms(), public: true });
    Some(reply.end().into())
}

fn entry(skills: &Skills, skill: &Skill) -> Bytes {
    let files: Vec<Value> = skill
        .files
        .iter()
        .filter_map(|uri| {
            let file = skills.files.get(uri)?;
            Some(json!({"uri": uri, "digest": file.digest, "size": file.bytes.len()}))
        })
        .collect();
    let mut entry = Writer::new(256);
    entry.value(&json!({
        "uri": skill.uri,
        "frontmatter": skill.frontmatter,
        "resources": files,
    }));
    entry.finish()
}

fn child_entry(skills: &Skills, name: &str, child: &Child) -> Bytes {
    let mut entry = Writer::new(128);
    entry.value(&match child {
        Child::Folder(uri) => json!({"uri": uri, "name": name, "mimeType": "inode/directory"}),
        Child::File(uri) => {
            let file = skills.files.get(uri);
            let mime_type = file.map_or("application/octet-stream", |file| file.mime_type);
            let size = file.map_or(0, |file| file.bytes.len());
            json!({"uri": uri, "name": name, "mimeType": mime_type, "size": size})
        }
    });
    entry.finish()
}
