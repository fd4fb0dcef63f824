//! Who calls.

use std::{
    fmt,
    sync::{Arc, LazyLock},
    time::SystemTime,
};

/// The authenticated caller of an invocation.
///
/// A principal comes from the transport, never from a payload. Each request's own principal is used
/// for that request, so rights that were taken away count at once.
///
/// `()` is the anonymous principal of a server that does not tell its callers apart.
///
/// ```
/// use agent_mcp::{Principal, PrincipalId};
///
/// struct User { name: String, may_delete: bool }
///
/// impl Principal for User {
///     fn id(&self) -> PrincipalId {
///         PrincipalId::new("https://login.example", &self.name)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a principal",
    note = "implement `agent_mcp::Principal` for it: one method, `id`"
)]
pub trait Principal: Send + Sync + 'static {
    /// The stable identity: the issuer and the subject, never the bytes of a token.
    ///
    /// It owns sessions and names the caller in the audit, so it must not change when a token is
    /// renewed and must differ between any two callers.
    fn id(&self) -> PrincipalId;

    /// The scopes that the caller's credentials carry.
    fn scopes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the caller's credentials cover the scope `needed`, which a capability names.
    ///
    /// Without more, they do when it is among the [`scopes`](Self::scopes). Where a broad scope implies
    /// narrower ones, say so here:
    ///
    /// ```
    /// # use agent_mcp::{Principal, PrincipalId};
    /// # struct User { scopes: Vec<String> }
    /// impl Principal for User {
    ///     fn has_scope(&self, needed: &str) -> bool {
    ///         // `todo` implies `todo:read` and `todo:write`.
    ///         let area = needed.split(':').next();
    ///         self.scopes.iter().any(|scope| scope == needed || Some(&**scope) == area)
    ///     }
    ///     # fn id(&self) -> PrincipalId { PrincipalId::local("user") }
    ///     # fn scopes(&self) -> Vec<String> { self.scopes.clone() }
    /// }
    /// ```
    // AUTH-11
    fn has_scope(&self, needed: &str) -> bool {
        self.scopes().iter().any(|scope| scope == needed)
    }

    /// When the caller's credentials end; open streams end with them.
    fn expires_at(&self) -> Option<SystemTime> {
        None
    }
}

impl Principal for () {
    fn id(&self) -> PrincipalId {
        PrincipalId::anonymous()
    }
}

/// The stable identity of a [`Principal`]: an issuer and a subject.
///
/// As text it is both, with a space between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrincipalId {
    text: Arc<str>,
    /// Where the issuer ends in the text. It keeps ("a b", "c") and ("a", "b c") apart.
    issuer: usize,
}

impl PrincipalId {
    /// Names the caller `subject` of `issuer`. The same subject of another issuer is another caller.
    #[must_use]
    pub fn new(issuer: &str, subject: &str) -> Self {
        Self { text: format!("{issuer} {subject}").into(), issuer: issuer.len() }
    }

    /// Names a caller of this machine, such as the user who started a stdio server.
    #[must_use]
    pub fn local(subject: &str) -> Self {
        Self::new("local", subject)
    }

    /// The identity of `()`.
    #[must_use]
    pub fn anonymous() -> Self {
        static ANONYMOUS: LazyLock<Arc<str>> = LazyLock::new(|| "anonymous".into());
        Self { text: ANONYMOUS.clone(), issuer: 0 }
    }

    /// Who vouches for the caller; empty for the anonymous one.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.text[..self.issuer]
    }

    /// Who the caller is to the issuer.
    #[must_use]
    pub fn subject(&self) -> &str {
        let rest = &self.text[self.issuer..];
        rest.strip_prefix(' ').unwrap_or(rest)
    }

    /// The identity as one text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for PrincipalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl serde::Serialize for PrincipalId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::PrincipalId;

    #[test]
    fn o20_two_callers_are_never_taken_for_one() {
        assert_ne!(PrincipalId::new("a b", "c"), PrincipalId::new("a", "b c"));
        let ada = PrincipalId::new("https://login.example", "ada");
        assert_eq!((ada.issuer(), ada.subject()), ("https://login.example", "ada"));
        assert_eq!(ada.to_string(), "https://login.example ada");
        let nobody = PrincipalId::anonymous();
        assert_eq!((nobody.issuer(), nobody.subject()), ("", "anonymous"));
        assert_ne!(nobody, PrincipalId::new("", "anonymous"));
    }
}
