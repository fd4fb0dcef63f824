//! Agents that are made for each caller.

use std::{future::Future, sync::Arc};

use super::{Server, Unidentified};
use crate::runtime::{Agent, Bindable, Failure, PerCaller, Principal, Shared};

impl<P: Principal> Server<P> {
    /// Serves an agent that `make` makes for each caller.
    ///
    /// What `make` returns serves one caller and nobody else: an agent that is its own Model, or
    /// `(agent, host)`. It is made
    ///
    /// - over HTTP, when a session begins, for that session; where requests have no sessions (since
    ///   2026-07-28), for each [id](Principal::id) of a principal, with its first request. Callers without
    ///   a name are one caller there. At most [`callers`](crate::Limits::callers) are kept; one that nobody
    ///   has used for [`session_idle`](crate::Limits::session_idle) is dropped, and one with a call or a
    ///   stream never is.
    /// - over stdio and in process, once: when serving starts.
    ///
    /// What must outlive it belongs in the application's own store; so does what a session needs that goes on
    /// at another server, which makes an agent of its own for it.
    ///
    /// The principal is there to look things up. What a caller may do is decided by the principal of each
    /// request, as everywhere, so rights that are taken away count at once.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agent_mcp::{Principal, PrincipalId, Server, agent};
    ///
    /// struct User { name: String }
    ///
    /// impl Principal for User {
    ///     fn id(&self) -> PrincipalId { PrincipalId::local(&self.name) }
    /// }
    ///
    /// struct Diary { pages: Vec<String> }
    ///
    /// /// A diary.
    /// #[agent(principal = User)]
    /// impl Diary {
    ///     /// Every page.
    ///     #[capability(read_only)]
    ///     async fn pages(&self) -> Vec<String> { self.pages.clone() }
    /// }
    ///
    /// async fn load(name: &str) -> std::io::Result<Vec<String>> {
    ///     Ok(vec![format!("{name} was here")])
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::per_caller(|user: Arc<User>| async move {
    ///     Ok(Diary { pages: load(&user.name).await? })
    /// });
    /// let ada = Arc::new(User { name: "Ada".to_owned() });
    /// let runtime = server.runtime_for(ada.clone()).await?;
    /// let outcome = runtime.acting_as(ada).call("pages", &serde_json::json!({})).await;
    /// assert_eq!(outcome.json::<Vec<String>>()?, ["Ada was here"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # When it fails
    ///
    /// `?` takes every error. The caller learns nothing of it; the log holds it under the reference number
    /// that the caller is answered. `Failure::say` refuses the caller with a reason that it reads. A failure
    /// is not kept: the next request tries again. The limit [`binding`](crate::Limits::binding) bounds an
    /// attempt.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use agent_mcp::{Failure, Principal, Server, agent};
    /// # struct Desk;
    /// # #[agent]
    /// # impl Desk {
    /// #     /// Rings.
    /// #     #[capability]
    /// #     async fn ring(&self) {}
    /// # }
    /// # let is_open = false;
    /// # let _ =
    /// Server::per_caller(move |_: Arc<()>| async move {
    ///     if !is_open {
    ///         return Err(Failure::say("the desk opens at nine"));
    ///     }
    ///     Ok(Desk)
    /// })
    /// # ;
    /// ```
    ///
    /// # Limits of a capability
    ///
    /// `concurrency` counts the calls of one caller's agent. What all callers share is limited by something
    /// that all agents share, such as a semaphore or a pool.
    pub fn per_caller<F, R, B>(make: F) -> Server<P, Unidentified, PerCaller<P>>
    where
        F: Fn(Arc<P>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<B, Failure>> + Send + 'static,
        B: Bindable<Agent: Agent<Principal = P>>,
    {
        Server::<P, Unidentified, Shared>::empty().with_per_caller(make)
    }
}

impl<P, I, B> Server<P, I, B>
where
    P: Principal,
    B: Into<PerCaller<P>>,
{
    /// Adds an agent that `make` makes for each caller, as [`per_caller`](Server::per_caller) says. The
    /// agents beside it stay as they are.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use agent_mcp::{Principal, Server, agent};
    /// # struct Clock;
    /// # #[agent]
    /// # impl Clock {
    /// #     /// The time.
    /// #     #[capability]
    /// #     async fn now(&self) -> u64 { 0 }
    /// # }
    /// # struct Basket;
    /// # #[agent]
    /// # impl Basket {
    /// #     /// What is in it.
    /// #     #[capability]
    /// #     async fn items(&self) -> Vec<String> { Vec::new() }
    /// # }
    /// # let _ =
    /// Server::new(Clock).with_per_caller(|_: Arc<()>| async { Ok(Basket) })
    /// # ;
    /// ```
    pub fn with_per_caller<F, R, N>(self, make: F) -> Server<P, I, PerCaller<P>>
    where
        F: Fn(Arc<P>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<N, Failure>> + Send + 'static,
        N: Bindable<Agent: Agent<Principal = P>>,
    {
        let gathering = self.gathering.and_then(|gathering| {
            let mut gathering = gathering.per_caller();
            gathering.add_per_caller(Box::new(move |principal| {
                let made = make(principal);
                Box::pin(async move { Ok(made.await?.into_parts()) })
            }))?;
            Ok(gathering)
        });
        Server {
            gathering,
            name: self.name,
            version: self.version,
            audit: self.audit,
            limits: self.limits,
            protocol: self.protocol,
            identity: self.identity,
        }
    }
}
