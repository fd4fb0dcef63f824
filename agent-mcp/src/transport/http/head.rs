//! The head of a request: what its headers say.

use std::borrow::Cow;

use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::{sentinel, store::EventId};
use crate::mcp::{Claim, Claims, Repeats, Revision, Said};

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The forms of an answer that a caller can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// B148: qualities do not count, and without the header anything is read.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(header::ACCEPT) {
            return Self { json: true, events: true };
        }
        let mut accepts = Self { json: false, events: false };
        for value in headers.get_all(header::ACCEPT) {
            for range in value.to_str().unwrap_or_default().split(',') {
                let range = media_type(range).to_ascii_lowercase();
                accepts.json |= matches!(&*range, "*/*" | "application/*" | "application/json");
                accepts.events |= matches!(&*range, "*/*" | "text/*" | "text/event-stream");
            }
        }
        accepts
    }

    pub(super) fn nothing(self) -> bool {
        !self.json && !self.events
    }
}

/// B149: whether the body is said to be JSON. What says nothing could be a form of another site.
pub(super) fn has_json(headers: &HeaderMap) -> bool {
    one(headers, &header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| media_type(value).eq_ignore_ascii_case("application/json"))
}

/// Whether the body has to be decoded, which it never is: what is small could become large.
pub(super) fn is_coded(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    codings.any(|coding| !coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
}

/// The session that a request names. One that nobody can have is none that is known.
pub(super) fn session(headers: &HeaderMap) -> Option<&str> {
    headers
        .contains_key(SESSION)
        .then(|| one(headers, &SESSION).and_then(|value| value.to_str().ok()).unwrap_or_default())
}

/// The event that the reader of a stream had last: nothing where it does not go on, and none where it says
/// what is no id.
pub(super) fn last_event(headers: &HeaderMap) -> Option<Option<EventId>> {
    headers.contains_key(LAST_EVENT).then(|| {
        let id = one(headers, &LAST_EVENT)?.to_str().ok()?;
        id.trim_ascii().parse().ok()
    })
}

/// Whether the headers name a revision, be it one that exists or not.
pub(super) fn names_revision(headers: &HeaderMap) -> bool {
    headers.contains_key(REVISION)
}

/// The revision that the headers name.
pub(super) fn revision(headers: &HeaderMap) -> Option<Revision> {
    Revision::named(one(headers, &REVISION)?.to_str().ok()?.trim_ascii())
}

/// The only value of a header; `None` where there are none or several.
pub(super) fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

/// A media type without its parameters.
fn media_type(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim_ascii()
}

/// What the headers say of a modern request.
pub(super) fn claims(headers: &HeaderMap) -> Claims<'_> {
    Claims {
        revision: Claim { place: "MCP-Protocol-Version".into(), said: said(headers, &REVISION) },
        method: Claim { place: "Mcp-Method".into(), said: said(headers, &METHOD) },
        name: Claim { place: "Mcp-Name".into(), said: decoded(headers, &NAME) },
        arguments: headers,
    }
}

impl Repeats for HeaderMap {
    fn argument(&self, name: &str) -> Claim<'_> {
        let place = format!("Mcp-Param-{name}");
        // What cannot be a header is said by none.
        let said = HeaderName::try_from(&place).map_or(Said::Nothing, |name| decoded(self, &name));
        Claim { place: place.into(), said }
    }
}

/// MH-9: what a header says that may hold any text.
fn decoded<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Said<'a> {
    match said(headers, name) {
        Said::Text(text) => sentinel::decode(text).map_or(Said::Garbled, Said::Text),
        said => said,
    }
}

fn said<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Said<'a> {
    if !headers.contains_key(name) {
        return Said::Nothing;
    }
    // MH-8: what is around a value is not part of it.
    let text = one(headers, name).and_then(|value| value.to_str().ok()).map(str::trim_ascii);
    text.map_or(Said::Garbled, |text| Said::Text(Cow::Borrowed(text)))
}
