//! What a running method says to its caller, as the runtime sees it.
//!
//! The runtime defines this seam and an adapter implements it, so that nothing below knows a protocol.

use std::time::Duration;

/// The caller's side of a running invocation.
pub trait Port: Send + Sync {
    /// Tells how far the work is. Values that do not rise are the adapter's to drop.
    fn progress(&self, report: ProgressReport<'_>);

    /// Tells that the work goes on and since when, until it has told itself how far it is; `false` where nobody
    /// wants to hear of it any more.
    fn beat(&self, running: Duration) -> bool;

    /// Sends a log message to the caller, if the caller wants that level.
    fn log(&self, level: LogLevel, data: serde_json::Value);

    /// Adds a member to the `_meta` of the result.
    fn meta(&self, key: &str, value: serde_json::Value);

    /// Lets the caller's connection go while the invocation runs on; the caller may ask for the outcome after
    /// that time. Where the caller could not, nothing happens.
    fn release(&self, retry: Duration);
}

/// One report of progress.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProgressReport<'a> {
    /// How much is done, in a unit of the method's choice.
    pub done: f64,
    /// How much there is to do, where it is known, in the same unit.
    pub total: Option<f64>,
    /// What is being done, in words.
    pub message: Option<&'a str>,
}

/// How grave a log message is (RFC 5424).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The names are RFC 5424's own.
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl LogLevel {
    /// Every level, the least grave first.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];
}

/// What is known of the program that calls. It is the caller's own word: nothing may be decided by it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Client {
    /// The program's name.
    pub name: Option<String>,
    /// The program's version.
    pub version: Option<String>,
    /// The protocol's revision that the call uses.
    pub revision: Option<&'static str>,
    /// What the caller can do, as it declared it.
    pub capabilities: serde_json::Value,
}

/// Reports progress to the caller of a running method; made by [`Context::progress`](crate::Context::progress).
///
/// Reporting to nobody is free: in-process calls and callers that did not ask hear nothing.
#[derive(Clone, Copy)]
pub struct Progress<'a>(pub(super) Option<&'a dyn Port>);

impl Progress<'_> {
    /// `done` units of work are done.
    pub fn report(self, done: f64) {
        self.send(ProgressReport { done, total: None, message: None });
    }

    /// `done` of `total` units of work are done.
    pub fn report_of(self, done: f64, total: f64) {
        self.send(ProgressReport { done, total: Some(total), message: None });
    }

    /// `done` of `total` units of work are done, and in words.
    pub fn say(self, done: f64, total: Option<f64>, message: impl AsRef<str>) {
        self.send(ProgressReport { done, total, message: Some(message.as_ref()) });
    }

    fn send(self, report: ProgressReport<'_>) {
        if let Some(port) = self.0 {
            port.progress(report);
        }
    }
}
