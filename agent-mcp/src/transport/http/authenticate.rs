//! Who calls: the only source of identity.

use std::{future::Future, pin::Pin, sync::Arc};

use http::{StatusCode, header, request::Parts};

use super::{challenge::Challenges, head::one, respond::Refusal};
use crate::{
    host::BoxError,
    runtime::{Principal, Status},
};

/// The head of a request: its headers, its target, and what layers in front have put into its extensions.
pub type Head = Arc<Parts>;

/// Why a request has no principal.
///
/// Every error converts into one, as a defect: `?` is right for whatever went wrong on the server's side. A
/// caller is refused on purpose, with [`Unauthenticated::because`].
#[derive(Debug)]
pub struct Unauthenticated(Why);

#[derive(Debug)]
enum Why {
    Refused(String),
    Malformed(String),
    Defect(BoxError),
}

impl Unauthenticated {
    /// The caller is refused: 401, with `reason`, which the caller sees.
    #[must_use]
    pub fn because(reason: impl Into<String>) -> Self {
        Self(Why::Refused(reason.into()))
    }

    /// The request shows who calls in a way that is not allowed: 400, with `reason`, which the caller sees. To
    /// sign in again would not help (AUTH-9).
    #[must_use]
    pub fn malformed(reason: impl Into<String>) -> Self {
        Self(Why::Malformed(reason.into()))
    }

    /// The server cannot tell: 500. The caller learns nothing of `error`, which goes to the log.
    #[must_use]
    pub fn defect(error: impl Into<BoxError>) -> Self {
        Self(Why::Defect(error.into()))
    }

    pub(super) fn refusal(self, head: &Parts, challenges: &Challenges) -> Refusal {
        match self.0 {
            Why::Refused(reason) => {
                // A caller that has shown nothing yet has made no mistake.
                let challenge = if shows_token(head) {
                    challenges.invalid_token()
                } else {
                    challenges.sign_in()
                };
                Refusal::new(StatusCode::UNAUTHORIZED, reason)
                    .header(header::WWW_AUTHENTICATE, challenge)
                    .audited(Status::Unauthenticated)
            }
            Why::Malformed(reason) => Refusal::new(StatusCode::BAD_REQUEST, reason)
                .header(header::WWW_AUTHENTICATE, challenges.invalid_request())
                .audited(Status::Unauthenticated),
            Why::Defect(error) => {
                tracing::error!(%error, "a caller cannot be authenticated");
                Refusal::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "The server cannot authenticate you",
                )
            }
        }
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Unauthenticated {
    fn from(error: E) -> Self {
        Self::defect(error)
    }
}

/// A server over HTTP that has not been told how to authenticate. It needs no telling when the principal is
/// `()`.
#[derive(Debug, Default)]
pub struct Open;

/// A server over HTTP that authenticates its callers.
pub struct Authenticated<P>(Check<P>);

type Check<P> = Box<
    dyn Fn(Head) -> Pin<Box<dyn Future<Output = Result<P, Unauthenticated>> + Send>> + Send + Sync,
>;

impl<P> Authenticated<P> {
    pub(super) fn new<F, R>(check: F) -> Self
    where
        F: Fn(Head) -> R + Send + Sync + 'static,
        R: Future<Output = Result<P, Unauthenticated>> + Send + 'static,
    {
        Self(Box::new(move |head| Box::pin(check(head))))
    }
}

/// Says who calls over HTTP.
#[diagnostic::on_unimplemented(
    message = "this server does not know who calls it over HTTP",
    note = "its agents are declared with `principal = {P}`: call `.authenticate(...)` before serving"
)]
pub trait Authenticate<P: Principal>: Send + Sync + 'static {
    /// The caller of the request with that head.
    fn authenticate(
        &self,
        head: &Head,
    ) -> impl Future<Output = Result<Arc<P>, Unauthenticated>> + Send;
}

impl Authenticate<()> for Open {
    async fn authenticate(&self, _head: &Head) -> Result<Arc<()>, Unauthenticated> {
        Ok(Arc::new(()))
    }
}

impl<P: Principal> Authenticate<P> for Authenticated<P> {
    async fn authenticate(&self, head: &Head) -> Result<Arc<P>, Unauthenticated> {
        self.0(head.clone()).await.map(Arc::new)
    }
}

/// Authenticates by the token of the header `Authorization: Bearer`.
///
/// `verify` gets the token and gives the caller; `None` refuses it. A token anywhere else, such as in the
/// address, or more than one, is refused before it is looked at.
///
/// ```
/// # use agent_mcp::{Principal, Server, transport::http::bearer};
/// # async fn find(token: &str) -> Option<String> { None }
/// # fn serve<User: Principal + From<String>>(server: Server<User>) {
/// server.http().authenticate(bearer(|token| async move { find(&token).await.map(User::from) }))
/// # ; }
/// ```
pub fn bearer<P, F, R>(
    verify: F,
) -> impl Fn(Head) -> Pin<Box<dyn Future<Output = Result<P, Unauthenticated>> + Send>>
+ Send
+ Sync
+ 'static
where
    F: Fn(String) -> R + Send + Sync + 'static,
    R: Future<Output = Option<P>> + Send + 'static,
{
    move |head| {
        let verifying = token(&head).map(|token| verify(token.to_owned()));
        Box::pin(async move {
            verifying?.await.ok_or_else(|| Unauthenticated::because("The token is not valid"))
        })
    }
}

/// The token of a request. AUTH-8: from the header and from nowhere else.
pub(super) fn token(head: &Parts) -> Result<&str, Unauthenticated> {
    let parameters = head.uri.query().unwrap_or_default().split('&');
    if parameters.map(|it| it.split('=').next()).any(|name| name == Some("access_token")) {
        return Err(Unauthenticated::malformed(
            "A token belongs in the header `Authorization`; one in an address is not secret",
        ));
    }
    if head.headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
        return Err(Unauthenticated::malformed("The header `Authorization` is given twice"));
    }
    let value = one(&head.headers, &header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = value.and_then(credentials).filter(|token| !token.contains([' ', '\t', ',']));
    token.ok_or_else(|| Unauthenticated::because("A bearer token is needed"))
}

/// What is behind the word `Bearer`.
fn credentials(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_ascii())
}

/// RFC 6750, 3.1: other ways to authenticate are no token that could be invalid.
fn shows_token(head: &Parts) -> bool {
    let mut values = head.headers.get_all(header::AUTHORIZATION).iter();
    values.any(|value| value.to_str().ok().and_then(credentials).is_some())
}
