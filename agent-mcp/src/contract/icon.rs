//! Pictures that clients show beside a name.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;

/// A picture that clients may show beside the name of a server, a capability or a resource.
///
/// Several icons are one picture in several sizes, formats or colours; a client takes what suits it. Revisions
/// of the protocol before 2025-11-25 have no icons.
///
/// ```
/// use agent_mcp::{Icon, Theme};
///
/// let icon = Icon::new("https://app.example/todo.png").mime_type("image/png").size("48x48");
/// let night = Icon::inline("image/svg+xml", b"<svg/>").size("any").theme(Theme::Dark);
/// assert_eq!(night.src, "data:image/svg+xml;base64,PHN2Zy8+");
/// # assert!(icon.check().is_ok() && night.check().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// Where the picture is: an `https:` address, best of the server's own origin, or a `data:` uri.
    pub src: String,
    /// Its type, where the server at `src` may say another one or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes that it has: `48x48`, or `any` for one that scales.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background that it is made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
}

/// The background that an [`Icon`] is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}

/// What is wrong with an [`Icon`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IconError {
    /// It is neither at an `https:` address nor a `data:` uri (ICON-2).
    #[error("an icon is at an `https:` address or is a `data:` uri; clients load nothing else")]
    Address,
    /// It has a size that is none.
    #[error("a size is written as `48x48`, or `any` for a picture that scales")]
    Size,
}

impl Icon {
    /// The picture at `src`.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// A picture that is sent as it stands, such as `include_bytes!("icon.png")`. Keep it small: it is part
    /// of every list.
    pub fn inline(mime_type: &str, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(format!("data:{mime_type};base64,{}", STANDARD.encode(bytes)))
            .mime_type(mime_type)
    }

    /// Says of which type it is.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Says which size it has, `48x48` or `any`; once for each.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Self {
        self.sizes.push(size.into());
        self
    }

    /// Says for which background it is made.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = Some(theme);
        self
    }

    /// Whether clients will show it.
    ///
    /// # Errors
    ///
    /// See [`IconError`].
    pub fn check(&self) -> Result<(), IconError> {
        let scheme = |scheme: &str| {
            self.src.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
                && self.src.len() > scheme.len()
        };
        if !(scheme("https://") || scheme("data:")) || self.src.contains(char::is_whitespace) {
            return Err(IconError::Address);
        }
        let is_number = |text: &str| {
            !text.is_empty() && text.len() < 6 && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_size = |size: &String| {
            size == "any" || size.split_once('x').is_some_and(|(w, h)| is_number(w) && is_number(h))
        };
        if self.sizes.iter().all(is_size) { Ok(()) } else { Err(IconError::Size) }
    }
}

impl From<&str> for Icon {
    fn from(src: &str) -> Self {
        Self::new(src)
    }
}

impl From<String> for Icon {
    fn from(src: String) -> Self {
        Self::new(src)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icon_2_only_what_every_client_may_load_is_taken() {
        for src in
            ["https://a.example/i.png", "HTTPS://a.example/i.png", "data:image/png;base64,AA=="]
        {
            assert_eq!(Icon::new(src).check(), Ok(()), "{src}");
        }
        for src in [
            "http://a.example/i.png",
            "javascript:alert(1)",
            "file:///i.png",
            "/i.png",
            "",
            "https://",
            "https://a b",
        ] {
            assert_eq!(Icon::new(src).check(), Err(IconError::Address), "{src}");
        }
    }

    #[test]
    fn icon_1_sizes_are_pixels_or_any() {
        let sized = |size: &str| Icon::new("data:,x").size("any").size(size).check();
        for size in ["48x48", "1x1024", "any"] {
            assert_eq!(sized(size), Ok(()), "{size}");
        }
        for size in ["48", "48 x 48", "48X48", "x", "4x", "-1x1", ""] {
            assert_eq!(sized(size), Err(IconError::Size), "{size}");
        }
    }
}
