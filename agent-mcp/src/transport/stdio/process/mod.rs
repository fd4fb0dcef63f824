//! The streams of the process.

mod thread;
#[cfg(unix)]
mod unix;

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::atomic::{AtomicBool, Ordering},
};

use tokio::io::{AsyncRead, AsyncWrite};

/// Standard input and output, taken from the process.
pub(super) struct Streams {
    pub(super) reader: Box<dyn AsyncRead + Send + Unpin>,
    pub(super) writer: Box<dyn AsyncWrite + Send + Unpin>,
    /// Done when nobody reads the output any more, where that can be known before a write fails.
    pub(super) gone: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl Streams {
    /// Takes the streams, for as long as the process lives.
    ///
    /// They are not put back: what the process prints after it has served is no message either. The client
    /// sees the end of the output when the streams are dropped (STD-6).
    pub(super) fn take() -> io::Result<Self> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.swap(true, Ordering::SeqCst) {
            let text = "standard input and output are served already, or have been";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
        }
        #[cfg(unix)]
        return unix::take();
        #[cfg(not(unix))]
        Ok(Self {
            reader: Box::new(thread::reader(io::stdin())?),
            writer: Box::new(thread::writer(io::stdout())?),
            gone: Box::pin(std::future::pending()),
        })
    }
}
