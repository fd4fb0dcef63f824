//! A result in the making.

use bytes::Bytes;
use serde::Serialize;

use super::{face::Face, writer::Writer};

/// For how long and by whom a result may be kept (CAC-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cache {
    pub(crate) ttl_ms: u64,
    /// CAC-4: the same for every caller.
    pub(crate) public: bool,
}

impl Cache {
    /// What depends on the state or the caller.
    pub(crate) const NONE: Self = Self { ttl_ms: 0, public: false };
}

/// The result of one request, written in the form that the request's revision has.
pub(crate) struct Reply<'a> {
    writer: Writer,
    face: &'a Face,
    has_meta: bool,
}

impl<'a> Reply<'a> {
    /// Begins the result of the request `id`.
    pub(crate) fn new(id: &str, face: &'a Face, capacity: usize) -> Self {
        let mut writer = Writer::new(capacity + id.len() + face.server.len() + 160);
        writer.raw(r#"{"jsonrpc":"2.0","id":"#);
        writer.json(id);
        writer.raw(r#","result":{"#);
        Self { writer, face, has_meta: false }
    }

    /// Begins a member. All members come before all of `_meta`.
    pub(crate) fn key(&mut self, name: &str) -> &mut Writer {
        self.writer.key(name)
    }

    /// Adds cache hints, where the revision has them.
    pub(crate) fn cache(&mut self, cache: Cache) {
        if self.face.revision.is_modern() {
            self.key("ttlMs").value(&cache.ttl_ms);
            self.key("cacheScope").text(if cache.public { "public" } else { "private" });
        }
    }

    /// Adds a member of `_meta`.
    pub(crate) fn meta(&mut self, key: &str, value: &impl Serialize) {
        self.open_meta().key(key).value(value);
    }

    /// Adds a member of `_meta` that is JSON already.
    pub(crate) fn meta_json(&mut self, key: &str, json: &str) {
        self.open_meta().key(key).json(json);
    }

    /// Ends the result.
    pub(crate) fn end(mut self) -> Bytes {
        if self.face.revision.is_modern() {
            // VER-7: every result says who gives it. BASE-11: and that it is whole.
            let face = self.face;
            self.open_meta().key("io.modelcontextprotocol/serverInfo").raw(&face.server);
            self.writer.raw("}");
            self.has_meta = false;
            self.key("resultType").text("complete");
        }
        if self.has_meta {
            self.writer.raw("}");
        }
        self.writer.end()
    }

    fn open_meta(&mut self) -> &mut Writer {
        if !self.has_meta {
            self.has_meta = true;
            self.key("_meta").raw("{");
        }
        &mut self.writer
    }
}
