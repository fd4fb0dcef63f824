//! Serving.

#[cfg(feature = "http")]
use std::net::SocketAddr;

use super::{
    Build,
    exit::{Exit, broken},
};
#[cfg(feature = "http")]
use crate::{
    host::BoxError,
    mcp::Handlers,
    runtime::BoxFuture,
    transport::http::{Authenticate, Http, Listening},
};
use crate::{runtime::Principal, transport::stdio::Stdio};

pub(super) async fn stdio<P: Principal>(build: Box<Build<P>>) -> Exit {
    ended(Stdio::new(build).serve().await)
}

fn ended(served: crate::Result<()>) -> Exit {
    match served {
        Ok(()) => Exit::Fine,
        Err(error) => broken(&error),
    }
}

/// Listens, and says under which path.
#[cfg(feature = "http")]
pub(super) type Listen<P> = Box<
    dyn FnOnce(Http<P>, SocketAddr) -> BoxFuture<'static, Result<(Listening, String), BoxError>>
        + Send,
>;

#[cfg(feature = "http")]
pub(super) fn to<P, A, F>(make: F) -> Listen<P>
where
    P: Principal,
    A: Authenticate<P>,
    F: FnOnce(Http<P>, SocketAddr) -> Result<Http<P, A>, BoxError> + Send + 'static,
{
    Box::new(|http, address| {
        let made = make(http, address);
        Box::pin(async move {
            let http = made?;
            let path = http.endpoint_path().to_owned();
            Ok((http.listen(address).await?, path))
        })
    })
}

/// Where callers are not told apart, anybody may call.
#[cfg(feature = "http")]
pub(super) fn to_everybody<P: Principal>() -> Listen<P> {
    Box::new(|http, address| {
        let http: Box<dyn std::any::Any + Send> = Box::new(http);
        match http.downcast::<Http<()>>() {
            Ok(http) => to(|http: Http<()>, _| Ok(http))(*http, address),
            Err(_) => Box::pin(std::future::ready(Err(
                "this program does not say who may call it over HTTP (`Cli::http`)".into(),
            ))),
        }
    })
}

/// Serves until Ctrl-C, which lets calls come to their end; a second one does not wait for them.
#[cfg(feature = "http")]
pub(super) async fn http<P: Principal>(
    handlers: Handlers<P>,
    listen: Listen<P>,
    address: SocketAddr,
) -> Exit {
    let (listening, path) = match listen(Http::new(Ok(handlers)), address).await {
        Ok(listening) => listening,
        Err(error) => return broken(&error),
    };
    match listening.address() {
        Ok(address) => super::contract::print(&format!("http://{address}{path}\n")),
        Err(error) => return broken(&error),
    };
    let closer = listening.closer();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            closer.close();
        }
        if tokio::signal::ctrl_c().await.is_ok() {
            closer.abort();
        }
    });
    ended(listening.serve().await)
}
