//! A result in the making.

use bytes::Bytes;

use super::{face::Face, writer::Writer};
use crate::{
    contract::{CacheHint, MetaMap},
    runtime::Code,
};

/// The member of `_meta` that holds an outcome's machine code.
pub(crate) const OUTCOME: &str = "agent-mcp/outcome";

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

impl From<CacheHint> for Cache {
    fn from(hint: CacheHint) -> Self {
        let ttl_ms = u64::try_from(hint.ttl.as_millis()).unwrap_or(u64::MAX);
        Self { ttl_ms, public: hint.public }
    }
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

    /// Writes members that somebody else knows.
    pub(crate) fn members(&mut self, write: impl FnOnce(&mut Writer)) {
        write(&mut self.writer);
    }

    /// Adds cache hints, where the revision has them.
    pub(crate) fn cache(&mut self, cache: Cache) {
        if self.face.revision.is_modern() {
            self.key("ttlMs").value(&cache.ttl_ms);
            self.key("cacheScope").word(if cache.public { "public" } else { "private" });
        }
    }

    /// Begins a member of `_meta`.
    pub(crate) fn meta(&mut self, key: &str) -> &mut Writer {
        self.open_meta().key(key)
    }

    /// Adds an outcome's machine code to `_meta` (O14).
    pub(crate) fn outcome(&mut self, code: Code) {
        let meta = self.meta(OUTCOME).open('{');
        meta.key("kind").word(code.kind.as_str());
        meta.key("dispatched").word(code.dispatched.as_str());
        meta.key("status").word(code.status.as_str());
        meta.close('}');
    }

    /// Adds what the method has added to `_meta`.
    pub(crate) fn added(&mut self, meta: &MetaMap) {
        for (key, value) in meta {
            self.meta(key).value(value);
        }
    }

    /// Ends the result.
    pub(crate) fn end(self) -> Bytes {
        self.end_as("complete")
    }

    /// Ends a result of another kind than the usual.
    pub(crate) fn end_as(mut self, kind: &'static str) -> Bytes {
        if self.face.revision.is_modern() {
            // VER-7: every result says who gives it.
            let face = self.face;
            self.meta("io.modelcontextprotocol/serverInfo").raw(&face.server);
        }
        if self.has_meta {
            self.writer.close('}');
        }
        if self.face.revision.is_modern() {
            // BASE-11
            self.key("resultType").word(kind);
        }
        self.writer.end()
    }

    fn open_meta(&mut self) -> &mut Writer {
        if !self.has_meta {
            self.has_meta = true;
            self.key("_meta").open('{');
        }
        &mut self.writer
    }
}
