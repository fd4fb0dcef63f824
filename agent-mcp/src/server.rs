//! The one builder for every transport.

mod identity;
mod per_caller;

use std::sync::Arc;

#[cfg(feature = "stdio")]
use tokio::io::{AsyncRead, AsyncWrite};

pub use self::identity::{Identified, Identity, Unidentified};
use crate::{
    Error, Result,
    contract::Contract,
    host::Host,
    mcp::{Handler, HandlerOptions, Handlers, KeptIn, StateKeys, TaskStore},
    runtime::{
        Agent, Agents, Audit, BuildError, ForAll, Gathering, Limits, NoHost, PerCaller, Principal,
        Runtime, Shared,
    },
};
#[cfg(feature = "stdio")]
use crate::{runtime::BoxFuture, transport::stdio::Stdio};

/// One or several agents, and everything that holds for all transports.
///
/// ```
/// use agent_mcp::{Server, agent};
///
/// struct Greeter;
///
/// /// Greets people.
/// #[agent]
/// impl Greeter {
///     /// A greeting for somebody.
///     #[capability(read_only)]
///     async fn greet(&self, name: String) -> String {
///         format!("Hello, {name}!")
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> agent_mcp::Result<()> {
/// let runtime = Server::new(Greeter).runtime()?;
/// let outcome = runtime.in_process().call("greet", &serde_json::json!({"name": "Ada"})).await;
/// assert_eq!(outcome.summary("greet").text, "Hello, Ada!");
/// # Ok(())
/// # }
/// ```
///
/// `I` knows whether the caller over stdio is known, `B` whether agents are [made per
/// caller](Self::per_caller).
#[must_use = "a server does nothing until it is served"]
pub struct Server<P: Principal = (), I = Unidentified, B = Shared> {
    gathering: Result<Gathering<P, B>, BuildError>,
    name: Option<String>,
    version: Option<String>,
    audit: Option<Audit>,
    limits: Limits,
    protocol: HandlerOptions,
    identity: I,
}

impl<P: Principal> Server<P> {
    /// Serves an agent that is its own Model.
    pub fn new<A>(agent: A) -> Self
    where
        A: Agent<Principal = P>,
        A::Needs: NoHost<A>,
    {
        Self::empty().with(agent)
    }

    /// Serves an agent whose Model and Messages are a host's.
    pub fn bind<A, H>(agent: A, host: H) -> Self
    where
        A: Agent<Principal = P>,
        H: Host<Model = A::Model, Message = A::Message>,
    {
        Self::empty().with_bound(agent, host)
    }

    fn empty() -> Self {
        Self {
            gathering: Ok(Gathering::new()),
            name: None,
            version: None,
            audit: None,
            limits: Limits::default(),
            protocol: HandlerOptions::default(),
            identity: Unidentified,
        }
    }
}

impl<P: Principal, B> Server<P, Unidentified, B> {
    /// Says who calls over stdio: one process has one caller.
    ///
    /// ```no_run
    /// # use agent_mcp::{Principal, PrincipalId, Server, agent};
    /// # struct User;
    /// # impl Principal for User { fn id(&self) -> PrincipalId { PrincipalId::local("ada") } }
    /// # struct Desk;
    /// # #[agent(principal = User)]
    /// # impl Desk {
    /// #     /// Rings.
    /// #     #[capability]
    /// #     async fn ring(&self) {}
    /// # }
    /// # async fn serve() -> agent_mcp::Result<()> {
    /// Server::new(Desk).principal(User).serve_stdio().await
    /// # }
    /// ```
    ///
    /// An agent that is declared with `principal = ...` cannot be served before it is known (B20):
    ///
    /// ```compile_fail,E0277
    /// # use agent_mcp::{Principal, PrincipalId, Server, agent};
    /// # struct User;
    /// # impl Principal for User { fn id(&self) -> PrincipalId { PrincipalId::local("ada") } }
    /// # struct Desk;
    /// # #[agent(principal = User)]
    /// # impl Desk {
    /// #     /// Rings.
    /// #     #[capability]
    /// #     async fn ring(&self) {}
    /// # }
    /// # async fn serve() -> agent_mcp::Result<()> {
    /// Server::new(Desk).serve_stdio().await
    /// # }
    /// ```
    pub fn principal(self, principal: impl Into<Arc<P>>) -> Server<P, Identified<P>, B> {
        Server {
            gathering: self.gathering,
            name: self.name,
            version: self.version,
            audit: self.audit,
            limits: self.limits,
            protocol: self.protocol,
            identity: Identified(principal.into()),
        }
    }
}

impl<P: Principal, I, B> Server<P, I, B> {
    /// Adds an agent that is its own Model. All agents of a server share the principal's type.
    pub fn with<A>(self, agent: A) -> Self
    where
        A: Agent<Principal = P>,
        A::Needs: NoHost<A>,
    {
        let agent = Arc::new(agent);
        let host = A::Needs::host(agent.clone());
        self.add(agent, host)
    }

    /// Adds an agent with a host of its own.
    pub fn with_bound<A, H>(self, agent: A, host: H) -> Self
    where
        A: Agent<Principal = P>,
        H: Host<Model = A::Model, Message = A::Message>,
    {
        self.add(Arc::new(agent), host)
    }

    fn add<A, H>(mut self, agent: Arc<A>, host: H) -> Self
    where
        A: Agent<Principal = P>,
        H: Host<Model = A::Model, Message = A::Message>,
    {
        self.gathering = self.gathering.and_then(|mut gathering| {
            gathering.add(agent, Arc::new(host))?;
            Ok(gathering)
        });
        self
    }

    /// Names the server, in place of its first agent's name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Gives the server a version, in place of its first agent's.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Records every decision: in an [`AuditLog`](crate::AuditLog), or as an [`Audit`] says.
    ///
    /// A server has one audit, and a second call replaces the first. Several sinks are one as a pair:
    /// `.audit((log, file))`.
    pub fn audit(mut self, audit: impl Into<Audit>) -> Self {
        self.audit = Some(audit.into());
        self
    }

    /// Changes limits.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use agent_mcp::{Principal, Server};
    /// # fn limited<P: Principal>(server: Server<P>) -> Server<P> {
    /// server.limits(|limits| {
    ///     limits.calls_in_flight = 32;
    ///     limits.drain = Duration::from_secs(3);
    /// })
    /// # }
    /// ```
    pub fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.limits);
        self
    }

    /// Changes what of the protocol is offered.
    ///
    /// ```
    /// # use agent_mcp::{Principal, Server, mcp::Revision};
    /// # fn modern_only<P: Principal>(server: Server<P>) -> Server<P> {
    /// server.protocol(|protocol| protocol.revisions = vec![Revision::V2026_07_28])
    /// # }
    /// ```
    pub fn protocol(mut self, change: impl FnOnce(&mut HandlerOptions)) -> Self {
        change(&mut self.protocol);
        self
    }

    /// Seals with the first of these keys what clients carry from one question of a call to the next, and opens
    /// what any of them has sealed: put a new key in front, and drop the old one when what it sealed is too old
    /// ([`Limits::state_age`]). Servers that stand for each other have the same keys.
    ///
    /// Without keys each process makes one of its own, and a call that asked something can be gone on with at
    /// that process only.
    ///
    /// ```
    /// # use agent_mcp::{Principal, Server};
    /// # fn keyed<P: Principal>(server: Server<P>, current: [u8; 32], previous: [u8; 32]) -> Server<P> {
    /// server.state_keys([current, previous])
    /// # }
    /// ```
    pub fn state_keys(mut self, keys: impl IntoIterator<Item = [u8; 32]>) -> Self {
        self.protocol.state_keys = StateKeys(keys.into_iter().collect());
        self
    }

    /// Keeps the tasks of calls that go on when their callers have been let go in `store`, in place of the
    /// memory of this process.
    pub fn task_store(mut self, store: impl TaskStore) -> Self {
        self.protocol.tasks = Some(KeptIn(Arc::new(store)));
        self
    }

    /// Serves [skills](crate::skills) beside what the agents offer.
    #[cfg(feature = "skills")]
    pub fn skills(mut self, skills: crate::skills::Skills) -> Self {
        self.protocol.skills = Some(Arc::new(skills));
        self
    }

    /// Binds the contract and gives the protocol without a transport.
    ///
    /// # Errors
    ///
    /// As for [`runtime`](Self::runtime).
    pub fn handler(self) -> Result<Handler<P>, BuildError>
    where
        B: ForAll,
    {
        let protocol = self.protocol.clone();
        Ok(Handler::new(self.runtime()?, protocol))
    }

    /// Binds the contract and gives the in-process door.
    ///
    /// # Errors
    ///
    /// An entry cannot be offered, two have one name, or a host does not tell of what a completion waits
    /// for.
    pub fn runtime(self) -> Result<Runtime<P>, BuildError>
    where
        B: ForAll,
    {
        self.build().map(|(agents, _)| agents.for_all())
    }

    /// Makes the agents of `principal` where they are made [per caller](Self::per_caller), and gives the
    /// protocol without a transport.
    ///
    /// # Errors
    ///
    /// As for [`runtime_for`](Self::runtime_for).
    pub async fn handler_for(self, principal: impl Into<Arc<P>>) -> Result<Handler<P>>
    where
        B: Into<PerCaller<P>>,
    {
        let (handlers, _) = self.handlers()?;
        handlers.make(&principal.into()).await.map_err(Error::unbound)
    }

    /// Makes the agents of `principal` where they are made [per caller](Self::per_caller), and gives the
    /// in-process door.
    ///
    /// # Errors
    ///
    /// As for [`runtime`](Self::runtime), and when an agent cannot be made.
    pub async fn runtime_for(self, principal: impl Into<Arc<P>>) -> Result<Runtime<P>>
    where
        B: Into<PerCaller<P>>,
    {
        let (agents, _) = self.build()?;
        agents.per_caller().runtime_for(&principal.into()).await.map_err(Error::unbound)
    }

    /// Serves over standard input and output until the client closes them: the way to be a server that a
    /// client starts. [`transport::stdio`](crate::transport::stdio) says what becomes of the streams.
    ///
    /// ```no_run
    /// # use agent_mcp::{Server, agent};
    /// # struct Greeter;
    /// # /// Greets people.
    /// # #[agent]
    /// # impl Greeter {
    /// #     /// A greeting.
    /// #     #[capability]
    /// #     async fn greet(&self) -> String { "hello".to_owned() }
    /// # }
    /// #[tokio::main]
    /// async fn main() -> agent_mcp::Result<()> {
    ///     Server::new(Greeter).serve_stdio().await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stdio::serve`].
    // A boxed future is a type like any other. In that of an `async fn` a caller that is not known would be
    // told of again, at every use.
    #[cfg(feature = "stdio")]
    pub fn serve_stdio(self) -> BoxFuture<'static, Result<()>>
    where
        I: Identity<P>,
        B: Into<PerCaller<P>> + Send + 'static,
    {
        Box::pin(self.stdio().serve())
    }

    /// Serves over other streams in the same way, until the input ends. Streams that stay on their thread go to
    /// [`Stdio::serve_on`].
    ///
    /// # Errors
    ///
    /// As for [`Stdio::serve_on`].
    #[cfg(feature = "stdio")]
    pub fn serve_on<'a>(
        self,
        reader: impl AsyncRead + Unpin + Send + 'a,
        writer: impl AsyncWrite + Unpin + Send + 'a,
    ) -> BoxFuture<'a, Result<()>>
    where
        I: Identity<P>,
        B: Into<PerCaller<P>> + Send + 'static,
    {
        Box::pin(self.stdio().serve_on(reader, writer))
    }

    /// Serves over byte streams, with more to say than where.
    #[cfg(feature = "stdio")]
    pub fn stdio(self) -> Stdio<P>
    where
        I: Identity<P>,
        B: Into<PerCaller<P>> + Send + 'static,
    {
        Stdio::new(|| {
            let (handlers, caller) = self.handlers()?;
            Ok((handlers, caller.principal()))
        })
    }

    /// Serves over HTTP.
    ///
    /// ```no_run
    /// # use agent_mcp::Server;
    /// # async fn serve(server: Server) -> agent_mcp::Result<()> {
    /// server.http().serve("127.0.0.1:8787").await
    /// # }
    /// ```
    #[cfg(feature = "http")]
    pub fn http(self) -> crate::transport::http::Http<P>
    where
        B: Into<PerCaller<P>>,
    {
        crate::transport::http::Http::new(self.handlers().map(|(handlers, _)| handlers))
    }

    pub(crate) fn handlers(self) -> Result<(Handlers<P>, I), BuildError>
    where
        B: Into<PerCaller<P>>,
    {
        let protocol = self.protocol.clone();
        let (agents, identity) = self.build()?;
        Ok((Handlers::new(agents.per_caller(), protocol), identity))
    }

    fn build(self) -> Result<(Agents<P, B>, I), BuildError> {
        let Self { gathering, name, version, audit, limits, identity, .. } = self;
        let describe = |contract: &mut Contract| {
            if let Some(name) = name {
                contract.name = name;
            }
            if version.is_some() {
                contract.version = version;
            }
        };
        Ok((gathering?.bind(describe, audit, limits)?, identity))
    }
}
