//! Content on the wire: as blocks of a result, and as what a resource holds.

use std::fmt::Display;

use serde_json::Value;

use super::{revision::Revision, views, writer::Writer};
use crate::runtime::{Body, Content, Link, Notes};

pub(super) const PLAIN_TEXT: Option<&str> = Some("text/plain");

/// Writes a list of blocks, in the form of the revision (TOOL-13).
pub(super) fn blocks(list: &mut Writer, revision: Revision, blocks: &[Content]) {
    list.open('[');
    for one in blocks {
        block(list.comma(), revision, one);
    }
    list.close(']');
}

/// Writes one block.
pub(super) fn block(list: &mut Writer, revision: Revision, block: &Content) {
    list.open('{');
    let notes = match block {
        Content::Text(text) => {
            said(list, text.as_str());
            text.notes()
        }
        Content::Image(image) => {
            media(list, "image", image.data(), image.mime_type());
            image.notes()
        }
        Content::Audio(audio) if revision.has_sounds() => {
            media(list, "audio", audio.data(), audio.mime_type());
            audio.notes()
        }
        Content::Audio(audio) => {
            said(list, &missing(audio, "sounds", revision));
            audio.notes()
        }
        Content::Link(link) if revision.has_links() => {
            resource_link(list, revision, link);
            link.notes()
        }
        Content::Link(link) => {
            said(list, &link.to_string());
            link.notes()
        }
        Content::Embedded(embedded) => {
            list.key("type").word("resource");
            let (uri, mime_type) = (embedded.uri(), embedded.kind());
            resource(list.key("resource"), uri, mime_type, embedded.body()).close('}');
            embedded.notes()
        }
    };
    annotations(list, revision, notes);
    meta(list, revision, notes);
    list.close('}');
}

/// Writes one block of text.
pub(super) fn text<'a>(list: &'a mut Writer, text: &str) -> &'a mut Writer {
    list.open('{');
    said(list, text);
    list.close('}')
}

fn said(block: &mut Writer, text: &str) {
    block.key("type").word("text");
    block.key("text").text(text);
}

fn media(block: &mut Writer, kind: &'static str, data: &[u8], mime_type: &str) {
    block.key("type").word(kind);
    block.key("data").base64(data);
    block.key("mimeType").text(mime_type);
}

fn resource_link(block: &mut Writer, revision: Revision, link: &Link) {
    block.key("type").word("resource_link");
    let (texts, size) = link.members();
    for (key, text) in texts {
        block.key(key).text(text);
    }
    if let Some(size) = size {
        block.key("size").value(&size);
    }
    let icons: Vec<_> = link.icons().filter(|_| revision.has_icons()).collect();
    if !icons.is_empty() {
        block.key("icons").value(&icons);
    }
}

/// What stands in the place of content that the revision does not have.
pub(super) fn missing(block: impl Display, kind: &str, revision: Revision) -> String {
    format!("{block} The protocol's revision {revision}, which this client uses, has no {kind}.")
}

pub(super) fn annotations(block: &mut Writer, revision: Revision, notes: &Notes) {
    let time = notes.last_modified.as_deref().filter(|_| revision.has_content_times());
    if notes.audience.is_empty() && notes.priority.is_none() && time.is_none() {
        return;
    }
    let member = block.key("annotations").open('{');
    if !notes.audience.is_empty() {
        member.key("audience").open('[');
        for audience in &notes.audience {
            member.comma().word(audience.as_str());
        }
        member.close(']');
    }
    if let Some(priority) = notes.priority {
        member.key("priority").value(&priority);
    }
    if let Some(time) = time {
        member.key("lastModified").text(time);
    }
    member.close('}');
}

/// META-1
fn meta(block: &mut Writer, revision: Revision, notes: &Notes) {
    if revision.has_entity_meta() && !notes.meta.is_empty() {
        block.key("_meta").value(&notes.meta);
    }
}

/// Writes what was read at `uri`, one entry for each block. What has an address of its own is read there.
pub(super) fn contents(
    list: &mut Writer,
    revision: Revision,
    (uri, mime_type, needs): (&str, Option<&str>, Option<&Value>),
    blocks: &[Content],
) {
    for block in blocks {
        let (uri, mime_type, body) = match block {
            Content::Text(text) => (uri, mime_type.or(PLAIN_TEXT), Body::Text(text.as_str())),
            Content::Image(image) => (uri, Some(image.mime_type()), Body::Bytes(image.data())),
            Content::Audio(audio) => (uri, Some(audio.mime_type()), Body::Bytes(audio.data())),
            Content::Link(link) => (uri, Some("text/uri-list"), Body::Text(link.uri())),
            Content::Embedded(embedded) => (embedded.uri(), embedded.kind(), embedded.body()),
        };
        let entry = resource(list.comma(), uri, mime_type, body);
        // What a block says itself stands for what is said of the resource.
        if block.notes().meta.is_empty() {
            views::write_needs(entry, revision, needs);
        }
        meta(entry, revision, block.notes());
        entry.close('}');
    }
}

/// Begins what is read at `uri` (RES-7).
pub(super) fn resource<'a>(
    writer: &'a mut Writer,
    uri: &str,
    mime_type: Option<&str>,
    body: Body<'_>,
) -> &'a mut Writer {
    writer.open('{');
    writer.key("uri").text(uri);
    if let Some(mime_type) = mime_type {
        writer.key("mimeType").text(mime_type);
    }
    match body {
        Body::Text(text) => writer.key("text").text(text),
        Body::Bytes(bytes) => writer.key("blob").base64(bytes),
    };
    writer
}
