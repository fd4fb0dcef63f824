//! Who may talk to the server at all: the names it answers to, and the sites whose pages may use it.

use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Uri, header, request::Parts};

use super::{
    body::Body,
    head::one,
    respond::{self, Refusal},
};
use crate::runtime::Status;

/// The names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The lists that a request is checked against before anything else.
#[derive(Clone, Debug, Default)]
pub(super) struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Guard {
    pub(super) fn allow_host(&mut self, host: String) {
        self.hosts.push(host.to_ascii_lowercase());
    }

    pub(super) fn allow_origin(&mut self, origin: String) {
        self.origins.push(origin);
    }

    /// Refuses what comes under a foreign name or from a foreign page (B145, HTTP-2, HTTP-3). Gives the
    /// origin that the browser is to be told of.
    pub(super) fn admit<'a>(&self, parts: &'a Parts) -> Result<Option<&'a HeaderValue>, Refusal> {
        let host = self.host(&parts.uri, &parts.headers)?;
        if !parts.headers.contains_key(header::ORIGIN) {
            return Ok(None);
        }
        let origin = one(&parts.headers, &header::ORIGIN);
        let text = origin.and_then(|origin| origin.to_str().ok()).unwrap_or_default();
        if self.origins.iter().any(|allowed| allowed == text) {
            return Ok(origin);
        }
        if is_own(text, &host) {
            return Ok(None);
        }
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "This origin is not allowed (setting `allowed_origins`)",
        )
        .audited(Status::Forbidden))
    }

    /// The name that the request is for, where it is one of the server's.
    fn host(&self, uri: &Uri, headers: &HeaderMap) -> Result<String, Refusal> {
        let target = uri.authority().map(http::uri::Authority::as_str);
        let named = headers.contains_key(header::HOST).then(|| {
            one(headers, &header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default()
        });
        // A request may say it in both places; neither may lie.
        let mut names = target.into_iter().chain(named).map(str::to_ascii_lowercase);
        let first = names.next().filter(|name| self.knows(name));
        first.filter(|_| names.all(|name| self.knows(&name))).ok_or_else(|| {
            Refusal::new(
                StatusCode::FORBIDDEN,
                "The server does not go by this host name (setting `allowed_hosts`)",
            )
            .audited(Status::Forbidden)
        })
    }

    fn knows(&self, host: &str) -> bool {
        let name = without_port(host);
        LOOPBACK.contains(&name)
            || self.hosts.iter().any(|allowed| allowed == host || allowed == name)
    }

    /// Answers a browser that asks before it sends, which it does without credentials (O19).
    pub(super) fn preflight(parts: &Parts, origin: &HeaderValue) -> Option<Response<Body>> {
        let headers = &parts.headers;
        if parts.method != http::Method::OPTIONS
            || !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
        {
            return None;
        }
        let mut response = respond::empty(StatusCode::NO_CONTENT);
        share(&mut response, origin);
        let answer = response.headers_mut();
        let methods = HeaderValue::from_static("GET, POST, DELETE");
        answer.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        let asked = headers.get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).iter();
        let asked = asked.filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
        let allowed: Vec<_> = asked
            .map(|name| name.trim_ascii().to_ascii_lowercase())
            .filter(|n| is_sent(n))
            .collect();
        if let Ok(allowed) = HeaderValue::from_str(&allowed.join(", ")) {
            answer.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        }
        answer.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        Some(response)
    }
}

/// Lets the pages of `origin` read a response.
pub(super) fn share(response: &mut Response<Body>, origin: &HeaderValue) {
    const EXPOSED: &str = "mcp-session-id, www-authenticate, retry-after";
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
}

/// Whether clients send a header of this name.
fn is_sent(name: &str) -> bool {
    matches!(name, "accept" | "content-type" | "authorization" | "last-event-id")
        || name.starts_with("mcp-") && HeaderName::try_from(name).is_ok()
}

/// Whether an origin is the server's own, which a proxy may serve with or without TLS.
fn is_own(origin: &str, host: &str) -> bool {
    [("http://", ":80"), ("https://", ":443")].into_iter().any(|(scheme, port)| {
        origin.strip_prefix(scheme).is_some_and(|authority| {
            authority.strip_suffix(port).unwrap_or(authority)
                == host.strip_suffix(port).unwrap_or(host)
        })
    })
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_3_names_are_compared_without_their_port() {
        let mut guard = Guard::default();
        guard.allow_host("Tools.example".to_owned());
        guard.allow_host("exact.example:8443".to_owned());
        for host in [
            "localhost",
            "localhost:4100",
            "127.0.0.1:4100",
            "[::1]:4100",
            "[::1]",
            "tools.example",
            "tools.example:1",
            "exact.example:8443",
        ] {
            assert!(guard.knows(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "evil.example:80",
            "exact.example",
            "localhost:80@evil.example",
            "127.0.0.1.evil.example",
            "exact.example:1",
            ":80",
        ] {
            assert!(!guard.knows(host), "{host}");
        }
    }

    #[test]
    fn http_2_the_own_origin_is_that_of_the_host() {
        for (origin, host) in [
            ("http://localhost:4100", "localhost:4100"),
            ("http://localhost", "localhost:80"),
            ("http://localhost:80", "localhost"),
            ("https://tools.example", "tools.example"),
        ] {
            assert!(is_own(origin, host), "{origin} {host}");
        }
        for (origin, host) in [
            ("http://localhost:3000", "localhost:4100"),
            ("null", "localhost"),
            ("", ""),
            ("localhost", "localhost"),
            ("http://localhost:443", "localhost"),
            ("http://evil.example", "localhost"),
        ] {
            assert!(!is_own(origin, host), "{origin} {host}");
        }
    }
}
