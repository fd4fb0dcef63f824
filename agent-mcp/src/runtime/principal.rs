//! Who calls.

use std::{fmt, sync::Arc, time::SystemTime};

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
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrincipalId(Arc<str>);

impl PrincipalId {
    /// Names the caller `subject` of `issuer`. The same subject of another issuer is another caller.
    #[must_use]
    pub fn new(issuer: &str, subject: &str) -> Self {
        // The length keeps ("a b", "c") and ("a", "b c") apart.
        Self(format!("{}:{issuer} {subject}", issuer.len()).into())
    }

    /// Names a caller of this machine, such as the user who started a stdio server.
    #[must_use]
    pub fn local(subject: &str) -> Self {
        Self::new("local", subject)
    }

    /// The identity of `()`.
    #[must_use]
    pub fn anonymous() -> Self {
        static ANONYMOUS: std::sync::LazyLock<Arc<str>> =
            std::sync::LazyLock::new(|| "anonymous".into());
        Self(ANONYMOUS.clone())
    }

    /// The identity as one text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PrincipalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for PrincipalId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
