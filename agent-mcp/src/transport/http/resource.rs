//! The server as a resource that tokens protect: what it says of itself (RFC 9728).

use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode, Uri, header};
use serde::Serialize;

use super::{
    body::Body,
    challenge::Challenges,
    respond::{self, Refusal},
};
use crate::runtime::BuildError;

/// Where the metadata of a resource is, before the path of the resource.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The server as clients know it, and who signs its callers in.
///
/// ```
/// use agent_mcp::transport::http::ProtectedResource;
///
/// # fn main() -> agent_mcp::Result<()> {
/// let resource = ProtectedResource::new("https://tools.example/mcp")
///     .authorization_server("https://login.example")
///     .scopes(["todo:read"]);
/// # let router: axum::Router = resource.router()?;
/// # Ok(())
/// # }
/// ```
///
/// [`Http::protected_resource`](super::Http::protected_resource) makes a server of it.
#[derive(Clone, Debug)]
pub struct ProtectedResource {
    address: String,
    authorization_servers: Vec<String>,
    scopes: Vec<String>,
    name: Option<String>,
    documentation: Option<String>,
}

impl ProtectedResource {
    /// The endpoint at its public address, such as `https://tools.example/mcp`. Whether a slash is at the end
    /// makes no difference.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            authorization_servers: Vec::new(),
            scopes: Vec::new(),
            name: None,
            documentation: None,
        }
    }

    /// Adds the issuer of an authorization server that clients may go to. There must be one at least.
    #[must_use]
    pub fn authorization_server(mut self, issuer: impl Into<String>) -> Self {
        self.authorization_servers.push(issuer.into());
        self
    }

    /// The scopes that a client should ask for to begin with. A client learns what a capability needs
    /// beyond them when it calls it without.
    #[must_use]
    pub fn scopes<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// The name of the resource, for people who are asked to let a client use it.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Where people read about the resource.
    #[must_use]
    pub fn documentation(mut self, address: impl Into<String>) -> Self {
        self.documentation = Some(address.into());
        self
    }

    /// The routes of the metadata alone, for an application that mounts the endpoint itself: they belong to
    /// the root of the host, wherever the endpoint is.
    ///
    /// # Errors
    ///
    /// An address or a scope is none.
    pub fn router(&self) -> Result<axum::Router, BuildError> {
        Ok(self.resolve()?.router())
    }

    /// Checks everything.
    pub(super) fn resolve(&self) -> Result<Resource, BuildError> {
        let address = Address::read(&self.address).map_err(setting)?;
        if self.authorization_servers.is_empty() {
            // AUTH-2
            return Err(setting("no authorization server is named".to_owned()));
        }
        for server in &self.authorization_servers {
            Address::read(server).map_err(setting)?;
        }
        if let Some(scope) = self.scopes.iter().find(|scope| !is_scope(scope)) {
            return Err(setting(format!("`{scope}` is not a scope that a client can ask for")));
        }
        let resource = address.to_string();
        let metadata = Metadata {
            resource: &resource,
            authorization_servers: &self.authorization_servers,
            scopes_supported: &self.scopes,
            bearer_methods_supported: ["header"],
            resource_name: self.name.as_deref(),
            resource_documentation: self.documentation.as_deref(),
        };
        let metadata = serde_json::to_vec(&metadata).unwrap_or_default().into();
        let challenges = Challenges {
            metadata: Some(format!("{}{WELL_KNOWN}{}", address.origin(), address.path)),
            scope: (!self.scopes.is_empty()).then(|| self.scopes.join(" ")),
        };
        Ok(Resource { address, metadata, challenges })
    }
}

fn setting(reason: String) -> BuildError {
    BuildError::Setting { setting: "protected_resource", reason }
}

/// RFC 6749, 3.3. AUTH-12: `offline_access` is between a client and the authorization server.
fn is_scope(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    !text.is_empty() && text != "offline_access" && text.bytes().all(allowed)
}

/// A resource whose parts are checked.
#[derive(Debug)]
pub(super) struct Resource {
    pub(super) address: Address,
    metadata: Bytes,
    pub(super) challenges: Challenges,
}

#[derive(Serialize)]
struct Metadata<'a> {
    resource: &'a str,
    authorization_servers: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes_supported: &'a [String],
    bearer_methods_supported: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_documentation: Option<&'a str>,
}

impl Resource {
    /// AUTH-3: at the place that the path of the resource leads to, and at the root.
    pub(super) fn router(&self) -> axum::Router {
        let path = &self.address.path;
        let mut places = vec![WELL_KNOWN.to_owned(), format!("{WELL_KNOWN}/")];
        if !path.is_empty() {
            // auth-16b: who types the slash looks for it behind the slash.
            places.extend([format!("{WELL_KNOWN}{path}"), format!("{WELL_KNOWN}{path}/")]);
        }
        places.into_iter().fold(axum::Router::new(), |router, place| {
            let metadata = self.metadata.clone();
            let answer = move |method: Method| async move { answer(&method, metadata) };
            router.route(&place, axum::routing::any(answer))
        })
    }
}

/// AUTH-15: nobody has to show anything for it. It holds nothing but what is public, so the pages of every
/// site may read it, as they must to sign in.
fn answer(method: &Method, metadata: Bytes) -> Response<Body> {
    let mut response = match *method {
        Method::GET => respond::json(StatusCode::OK, metadata),
        Method::HEAD => respond::json(StatusCode::OK, Bytes::new()),
        Method::OPTIONS => {
            let mut response = respond::empty(StatusCode::NO_CONTENT);
            let headers = response.headers_mut();
            for (name, value) in [
                (header::ALLOW, OFFERED),
                (header::ACCESS_CONTROL_ALLOW_METHODS, "GET"),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, "*, authorization"),
                (header::ACCESS_CONTROL_MAX_AGE, "600"),
            ] {
                headers.insert(name, HeaderValue::from_static(value));
            }
            response
        }
        _ => Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "The metadata can only be read")
            .header(header::ALLOW, HeaderValue::from_static(OFFERED))
            .respond(),
    };
    let everybody = HeaderValue::from_static("*");
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, everybody);
    response
}

const OFFERED: &str = "GET, HEAD, OPTIONS";

/// An address in its canonical form (auth-16b): lower case, no port that goes without saying, no slash at the
/// end.
#[derive(Debug, PartialEq)]
pub(super) struct Address {
    scheme: &'static str,
    pub(super) authority: String,
    /// Nothing, or a slash and more.
    pub(super) path: String,
}

impl Address {
    fn read(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| format!("`{text}` {why}");
        // What is behind `#` is lost when the rest is read.
        if text.contains(['#', '?']) {
            return Err(wrong("has more than a path"));
        }
        let uri = Uri::try_from(text).map_err(|_| wrong("is not an address"))?;
        let (scheme, port) = match uri.scheme_str() {
            Some("https") => ("https", ":443"),
            Some("http") => ("http", ":80"),
            _ => return Err(wrong("does not begin with `https://`")),
        };
        let authority = uri.authority().map(|it| it.as_str().to_ascii_lowercase());
        let authority =
            authority.filter(|it| !it.contains('@')).ok_or_else(|| wrong("has no host"))?;
        let authority = authority.strip_suffix(port).unwrap_or(&authority).to_owned();
        let path = uri.path().trim_end_matches('/').to_owned();
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()+,;=:@%/".contains(c);
        if !path.chars().all(allowed) || path.contains("//") {
            return Err(wrong("has characters in its path that must be percent-encoded"));
        }
        Ok(Self { scheme, authority, path })
    }

    fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}{}", self.scheme, self.authority, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auth_16b_an_address_has_one_form() {
        for (text, canonical) in [
            ("https://tools.example/mcp", "https://tools.example/mcp"),
            ("https://tools.example/mcp/", "https://tools.example/mcp"),
            ("HTTPS://Tools.Example:443/MCP", "https://tools.example/MCP"),
            ("https://tools.example", "https://tools.example"),
            ("https://tools.example/", "https://tools.example"),
            ("http://localhost:8787/a/b", "http://localhost:8787/a/b"),
            ("http://[::1]:80/mcp", "http://[::1]/mcp"),
        ] {
            assert_eq!(Address::read(text).unwrap().to_string(), canonical);
        }
        for text in [
            "",
            "/mcp",
            "tools.example",
            "tools.example/mcp",
            "ftp://tools.example",
            "https://",
            "https://user@tools.example/mcp",
            "https://tools.example/mcp?x",
            "https://tools.example/mcp#x",
            "https://tools.example/{mcp}",
            "https://tools.example//mcp",
            "https://tools.example/m c p",
        ] {
            assert!(Address::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn auth_2_auth_12_what_cannot_be_published_is_refused() {
        let good = || ProtectedResource::new("https://a.example/mcp");
        let issuer = "https://login.example";
        for (resource, said) in [
            (good(), "no authorization server"),
            (good().authorization_server("login.example"), "`login.example` does not begin"),
            (good().authorization_server(issuer).scopes(["a b"]), "`a b` is not a scope"),
            (good().authorization_server(issuer).scopes(["offline_access"]), "`offline_access`"),
            (ProtectedResource::new("mcp").authorization_server(issuer), "`mcp`"),
        ] {
            let error = resource.router().unwrap_err().to_string();
            assert!(error.contains("`protected_resource`") && error.contains(said), "{error}");
        }
    }
}
