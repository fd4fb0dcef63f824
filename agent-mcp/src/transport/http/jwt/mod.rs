//! Tokens that an authorization server has signed: JSON Web Tokens.
//!
//! ```
//! use agent_mcp::transport::http::jwt::{Claims, Jwt};
//! # use agent_mcp::{Server, agent};
//! # async fn fetch(address: &str) -> Result<Vec<u8>, std::io::Error> { Ok(Vec::new()) }
//!
//! struct Diary;
//!
//! /// A diary.
//! #[agent(principal = Claims)]
//! impl Diary {
//!     /// Today's page.
//!     #[capability(scopes = ["diary:read"])]
//!     async fn today(&self) -> String { "It rained.".to_owned() }
//! }
//!
//! # fn app() -> agent_mcp::Result<axum::Router> {
//! let tokens = Jwt::new("https://login.example", "https://tools.example/mcp", || {
//!     fetch("https://login.example/jwks.json")
//! });
//! let http = Server::new(Diary).http().authenticate(tokens.principal(Some));
//! Ok(http.into_router()?)
//! # }
//! ```
//!
//! A token is good when its signature is by a key of the issuer, its algorithm is among the allowed ones, it is
//! from the issuer (`iss`), for this server (`aud`), names a subject (`sub`), and its time is now (`exp`, `nbf`).
//! Everything else is answered 401 with `invalid_token`.

mod claims;
mod keys;

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use jsonwebtoken::{
    Validation,
    crypto::{CryptoProvider, rust_crypto},
    errors::ErrorKind,
};

pub use self::claims::Claims;
use self::keys::Keys;
use super::authenticate::{Head, Unauthenticated, token};
use crate::host::BoxError;

/// A signature algorithm. Those with a shared secret are left out on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // They are named as in RFC 7518 and RFC 8037.
pub enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

impl Algorithm {
    const ALL: [Self; 9] = [
        Self::Rs256,
        Self::Rs384,
        Self::Rs512,
        Self::Ps256,
        Self::Ps384,
        Self::Ps512,
        Self::Es256,
        Self::Es384,
        Self::EdDsa,
    ];

    fn known(self) -> jsonwebtoken::Algorithm {
        match self {
            Self::Rs256 => jsonwebtoken::Algorithm::RS256,
            Self::Rs384 => jsonwebtoken::Algorithm::RS384,
            Self::Rs512 => jsonwebtoken::Algorithm::RS512,
            Self::Ps256 => jsonwebtoken::Algorithm::PS256,
            Self::Ps384 => jsonwebtoken::Algorithm::PS384,
            Self::Ps512 => jsonwebtoken::Algorithm::PS512,
            Self::Es256 => jsonwebtoken::Algorithm::ES256,
            Self::Es384 => jsonwebtoken::Algorithm::ES384,
            Self::EdDsa => jsonwebtoken::Algorithm::EdDSA,
        }
    }
}

/// Verifies tokens of one issuer for one server.
#[must_use = "`principal` makes of it what `authenticate` takes"]
pub struct Jwt {
    issuer: String,
    audience: String,
    algorithms: Vec<Algorithm>,
    leeway: Duration,
    keys: Keys,
}

impl Jwt {
    /// Takes tokens of `issuer` for the resource `audience`, which is the server's public address; a slash at
    /// its end makes no difference (AUTH-6).
    ///
    /// `fetch` gets the issuer's keys, a JSON Web Key Set, most often from its `jwks_uri`. It is called when
    /// the first token comes, when a token names a key that is not known (at most twice a minute), and after
    /// an hour. As long as it fails, the keys that are known are good.
    pub fn new<F, R, T, E>(issuer: impl Into<String>, audience: impl Into<String>, fetch: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<T, E>> + Send + 'static,
        T: AsRef<[u8]>,
        E: Into<BoxError>,
    {
        // An application may have chosen another implementation for the process.
        if CryptoProvider::try_get_default().is_none() {
            let _ = rust_crypto::DEFAULT_PROVIDER.install_default();
        }
        let audience: String = audience.into();
        Self {
            issuer: issuer.into(),
            audience: audience.trim_end_matches('/').to_owned(),
            algorithms: Algorithm::ALL.to_vec(),
            leeway: Duration::from_secs(60),
            keys: Keys::new(fetch),
        }
    }

    /// Takes tokens with these algorithms only, in place of all that need no shared secret.
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// How far the clocks of the issuer and of this machine may be apart, in place of one minute.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// What [`Http::authenticate`](super::Http::authenticate) takes. `principal` makes the caller of what a
    /// good token says; `None` refuses it.
    pub fn principal<P, F>(
        self,
        principal: F,
    ) -> impl Fn(Head) -> Pin<Box<dyn Future<Output = Result<P, Unauthenticated>> + Send>>
    + Send
    + Sync
    + 'static
    where
        F: Fn(Claims) -> Option<P> + Send + Sync + 'static,
        P: 'static,
    {
        let shared = Arc::new((self, principal));
        move |head| {
            let shared = shared.clone();
            Box::pin(async move {
                let (jwt, principal) = &*shared;
                let claims = jwt.verify(token(&head)?).await?;
                principal(claims).ok_or_else(|| Unauthenticated::because("The caller is not known"))
            })
        }
    }

    async fn verify(&self, token: &str) -> Result<Claims, Unauthenticated> {
        let header = jsonwebtoken::decode_header(token).map_err(|error| refused(error.kind()))?;
        if !self.algorithms.iter().any(|allowed| allowed.known() == header.alg) {
            return Err(refused(&ErrorKind::InvalidAlgorithm));
        }
        let keys = self.keys.find(header.kid.as_deref(), header.alg).await;
        let keys = keys.map_err(Unauthenticated::defect)?;
        let validation = self.validation(header.alg);
        let mut fault = ErrorKind::InvalidSignature;
        for key in &keys {
            match jsonwebtoken::decode(token, &key.key, &validation) {
                Ok(token) => {
                    return Claims::read(token.claims)
                        .ok_or_else(|| refused(&ErrorKind::InvalidToken));
                }
                // Without the name of a key in the token, another one may fit.
                Err(error) => fault = error.into_kind(),
            }
            if !matches!(fault, ErrorKind::InvalidSignature) {
                break;
            }
        }
        Err(refused(&fault))
    }

    fn validation(&self, algorithm: jsonwebtoken::Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = self.leeway.as_secs();
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.issuer]);
        // auth-16b: an issuer may write the resource as a client has typed it.
        validation.set_audience(&[self.audience.clone(), format!("{}/", self.audience)]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation
    }
}

/// In words that help who has a token, and tell nothing of it.
fn refused(fault: &ErrorKind) -> Unauthenticated {
    tracing::debug!(?fault, "a token is refused");
    Unauthenticated::because(match fault {
        ErrorKind::ExpiredSignature => "The token has expired",
        ErrorKind::ImmatureSignature => "The token is not valid yet",
        ErrorKind::InvalidAudience => "The token is for another server",
        ErrorKind::InvalidIssuer => "The token is from another issuer",
        _ => "The token is not valid",
    })
}
