use std::{borrow::Cow, fmt};

use super::Notes;
use crate::contract::Icon;

/// Where something can be read: a resource of this server, or a page.
///
/// ```
/// use agent_mcp::Link;
///
/// let link = Link::new("app://todos", "todos").description("All todos.").mime_type("application/json");
/// assert_eq!(link.uri(), "app://todos");
/// ```
///
/// Revisions of the protocol before 2025-06-18 have no links; a client that uses one reads the address.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    uri: String,
    name: String,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<Cow<'static, str>>,
    size: Option<u64>,
    icons: Vec<Icon>,
    pub(super) notes: Notes,
}

impl Link {
    /// A link to what can be read at `uri`, and its name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            notes: Notes::default(),
        }
    }

    /// Gives it a name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what is there.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Says of which type it is.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Says how many bytes it has.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Adds a picture of it. One that clients would not show ([`Icon::check`]) is left out, and so are all
    /// for revisions before 2025-11-25.
    #[must_use]
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icons.push(icon.into());
        self
    }

    /// Its pictures.
    pub(crate) fn icons(&self) -> impl Iterator<Item = &Icon> {
        self.icons.iter().filter(|icon| icon.check().is_ok())
    }

    /// Where it is.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Everything that is said, in the protocol's words: texts, and the size.
    pub(crate) fn members(&self) -> (impl Iterator<Item = (&'static str, &str)>, Option<u64>) {
        let texts = [
            ("uri", Some(&*self.uri)),
            ("name", Some(&*self.name)),
            ("title", self.title.as_deref()),
            ("description", self.description.as_deref()),
            ("mimeType", self.mime_type.as_deref()),
        ];
        (texts.into_iter().filter_map(|(key, text)| Some((key, text?))), self.size)
    }

    pub(super) fn len(&self) -> usize {
        let icons: usize = self.icons.iter().map(|icon| icon.src.len()).sum();
        self.members().0.map(|(_, text)| text.len()).sum::<usize>() + icons
    }
}

/// Says all that a reader needs to go there.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.title.as_ref().unwrap_or(&self.name), self.uri)?;
        match &self.description {
            Some(description) => write!(f, " ({description})"),
            None => Ok(()),
        }
    }
}
