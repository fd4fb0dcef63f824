//! Views: pages that a client shows beside what a capability gives (MCP Apps).

use serde_json::{Map, Value, json};

/// The type of a page that clients show as a view.
pub const VIEW_TYPE: &str = "text/html;profile=mcp-app";

/// The scheme of the uris of views.
pub(crate) const VIEW_SCHEME: &str = "ui://";

/// The member of `_meta` that speaks of views.
pub(crate) const VIEW_META: &str = "ui";

/// What a view needs of the client that shows it: a client gives it nothing that is not asked for.
///
/// It goes into the `_meta` of the view's resource:
///
/// ```
/// use agent_mcp::{Server, agent, contract::View};
///
/// struct Weather;
///
/// #[agent]
/// impl Weather {
///     /// The temperature of the next days.
///     #[capability(read_only, ui = "ui://weather/chart")]
///     async fn forecast(&self, city: String) -> Vec<f64> {
///         vec![20.5, 21.0]
///     }
///
///     /// Draws a forecast.
///     #[resource(
///         uri = "ui://weather/chart",
///         meta("ui" = View::new().connect("https://api.weather.example").border(true)),
///     )]
///     async fn chart(&self) -> &'static str {
///         "<!doctype html><title>Forecast</title>"
///     }
/// }
/// # let runtime = Server::new(Weather).runtime()?;
/// # let view = &runtime.contract().resources[0];
/// # assert_eq!(view.mime_type.as_deref(), Some(agent_mcp::contract::VIEW_TYPE));
/// # Ok::<(), agent_mcp::runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    csp: Map<String, Value>,
    rest: Map<String, Value>,
}

/// What a view may ask the browser for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // The names say it.
pub enum Permission {
    Camera,
    Microphone,
    Geolocation,
    ClipboardWrite,
}

impl View {
    /// A view that needs nothing but itself.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets it send requests to `origin`; once for each.
    #[must_use]
    pub fn connect(self, origin: &str) -> Self {
        self.origin("connectDomains", origin)
    }

    /// Lets it load scripts, styles, pictures and fonts from `origin`; once for each.
    #[must_use]
    pub fn load(self, origin: &str) -> Self {
        self.origin("resourceDomains", origin)
    }

    /// Lets it show pages of `origin` within itself; once for each.
    #[must_use]
    pub fn frame(self, origin: &str) -> Self {
        self.origin("frameDomains", origin)
    }

    /// Asks for a permission; the client may refuse it.
    #[must_use]
    pub fn permission(mut self, permission: Permission) -> Self {
        let word = match permission {
            Permission::Camera => "camera",
            Permission::Microphone => "microphone",
            Permission::Geolocation => "geolocation",
            Permission::ClipboardWrite => "clipboardWrite",
        };
        let permissions = self.rest.entry("permissions").or_insert_with(|| json!({}));
        permissions[word] = json!({});
        self
    }

    /// Says whether the client draws a border around it.
    #[must_use]
    pub fn border(mut self, border: bool) -> Self {
        self.rest.insert("prefersBorder".to_owned(), border.into());
        self
    }

    /// Asks for an origin of its own, in the form that the client has for it.
    #[must_use]
    pub fn domain(mut self, domain: &str) -> Self {
        self.rest.insert("domain".to_owned(), domain.into());
        self
    }

    fn origin(mut self, directive: &str, origin: &str) -> Self {
        match self.csp.entry(directive).or_insert_with(|| json!([])) {
            Value::Array(origins) => origins.push(origin.into()),
            other => *other = json!([origin]),
        }
        self
    }
}

impl From<View> for Value {
    fn from(view: View) -> Self {
        let mut members = view.rest;
        if !view.csp.is_empty() {
            members.insert("csp".to_owned(), Self::Object(view.csp));
        }
        Self::Object(members)
    }
}
