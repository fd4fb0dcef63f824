//! Drives somebody else's code: contains its panics, ends with the caller, keeps the time limit.

use std::{
    convert::Infallible,
    future::{Future, poll_fn},
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{hooks::BoxFuture, invocation::Invocation, port::Port};
use crate::contain::contained;

/// Why code that was driven did not come to its end.
#[derive(Debug, PartialEq)]
pub(super) enum Stopped {
    Cancelled,
    TimedOut,
    /// It needs an answer of its caller and is to be run again.
    Asking,
    /// It panicked, with this text for the log.
    Panicked(String),
}

/// When code has to stop.
pub(super) struct Bounds<'a> {
    pub(super) cancellation: &'a CancellationToken,
    pub(super) deadline: Option<Instant>,
    pub(super) grace: Duration,
    /// Whose dialogue may end the work at a question.
    pub(super) asking: Option<&'a Invocation>,
    /// Tells the caller meanwhile that the work goes on.
    pub(super) heartbeat: Option<Heartbeat<'a>>,
}

/// What tells the caller of work that it goes on.
#[derive(Clone, Copy)]
pub(super) struct Heartbeat<'a> {
    pub(super) port: &'a dyn Port,
    pub(super) every: Duration,
    pub(super) began: Instant,
}

impl<'a> Heartbeat<'a> {
    /// None where there is nobody to tell.
    pub(super) fn of(invocation: &'a Invocation, every: Option<Duration>) -> Option<Self> {
        let port = invocation.port.as_deref()?;
        Some(Self { port, every: every?, began: Instant::now() })
    }

    /// Beats as long as somebody listens, and never resolves.
    async fn beats(&self) -> Infallible {
        let mut next = Instant::now() + self.every;
        loop {
            tokio::time::sleep_until(next).await;
            if !self.port.beat(self.began.elapsed()) {
                return std::future::pending().await;
            }
            next += self.every;
        }
    }
}

impl Bounds<'_> {
    /// Drives `work` to its end, or to the first bound. Work that is stopped is polled on for the grace
    /// period, apart from the caller, who is answered at once.
    pub(super) async fn drive<T: Send + 'static>(
        &self,
        work: BoxFuture<'static, T>,
    ) -> Result<T, Stopped> {
        let mut work = work;
        // Most work is done at the first poll; neither a timer nor a waiter is set up for it.
        if let Poll::Ready(done) = poll_fn(|cx| Poll::Ready(self.poll(&mut work, cx))).await {
            return done;
        }
        let deadline = self.time_is_up();
        let stopped = tokio::select! {
            biased;
            done = poll_fn(|cx| self.poll(&mut work, cx)) => return done,
            () = self.cancellation.cancelled() => Stopped::Cancelled,
            () = deadline => Stopped::TimedOut,
            never = self.beats() => match never {},
        };
        self.cancellation.cancel();
        linger(work, self.grace);
        Err(stopped)
    }

    /// Resolves at the deadline, which moves while the work waits for answers of its caller.
    async fn time_is_up(&self) {
        let Some(deadline) = self.deadline else { return std::future::pending().await };
        let mut until = deadline;
        loop {
            tokio::time::sleep_until(until).await;
            let Some(dialogue) = self.asking.and_then(Invocation::begun_dialogue) else { return };
            match dialogue.waited() {
                Some(waited) if deadline + waited <= until => return,
                Some(waited) => until = deadline + waited,
                None => dialogue.has_answers().await,
            }
        }
    }

    /// Polls the work; one that has asked what is not answered goes no further (so that all questions of one
    /// poll go out together).
    fn poll<T>(
        &self,
        work: &mut BoxFuture<'static, T>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<T, Stopped>> {
        match poll_contained(work, cx) {
            Poll::Ready(done) => Poll::Ready(done.map_err(Stopped::Panicked)),
            Poll::Pending => match self.asking.and_then(Invocation::begun_dialogue) {
                Some(dialogue) if dialogue.ends_run() => Poll::Ready(Err(Stopped::Asking)),
                _ => Poll::Pending,
            },
        }
    }

    /// Waits for `event` to the first bound. Nothing is left to clean up when it is stopped.
    pub(super) async fn wait<T>(&self, event: impl Future<Output = T>) -> Result<T, Stopped> {
        let deadline = async {
            match self.deadline {
                Some(deadline) => tokio::time::sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            done = event => Ok(done),
            () = self.cancellation.cancelled() => Err(Stopped::Cancelled),
            () = deadline => Err(Stopped::TimedOut),
            never = self.beats() => match never {},
        }
    }

    async fn beats(&self) -> Infallible {
        match &self.heartbeat {
            Some(heartbeat) => heartbeat.beats().await,
            None => std::future::pending().await,
        }
    }
}

fn poll_contained<T>(
    work: &mut BoxFuture<'static, T>,
    cx: &mut Context<'_>,
) -> Poll<Result<T, String>> {
    match contained(|| work.as_mut().poll(cx)) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(done)) => Poll::Ready(Ok(done)),
        Err(panic) => Poll::Ready(Err(panic)),
    }
}

fn linger<T: Send + 'static>(mut work: BoxFuture<'static, T>, grace: Duration) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(async move {
            let rest = poll_fn(|cx| poll_contained(&mut work, cx));
            let _ = tokio::time::timeout(grace, rest).await;
        });
    }
}
