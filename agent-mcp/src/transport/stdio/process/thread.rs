//! Streams that can only block: each gets a thread of its own.
//!
//! Not one of the runtime's: a runtime waits for its threads when it ends, and a read from a terminal may
//! never return. These end with the process at the latest.

use std::{
    future::Future,
    io::{self, Read, Write},
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, duplex},
    runtime::Handle,
    sync::oneshot,
};

/// How much is on its way between a thread and the loop.
const CHUNK: usize = 64 * 1024;

/// Reads `input` on a thread.
pub(super) fn reader(mut input: impl Read + Send + 'static) -> io::Result<DuplexStream> {
    let (mut pipe, reader) = duplex(CHUNK);
    let runtime = Handle::current();
    spawn("stdin", move || {
        let mut chunk = vec![0; CHUNK];
        loop {
            match input.read(&mut chunk) {
                Ok(0) => return,
                Ok(count) => {
                    if runtime.block_on(pipe.write_all(&chunk[..count])).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    tracing::warn!(%error, "standard input cannot be read any more");
                    return;
                }
            }
        }
    })?;
    Ok(reader)
}

/// Writes `output` on a thread.
pub(super) fn writer(mut output: impl Write + Send + 'static) -> io::Result<Writer> {
    let (writer, mut pipe) = duplex(CHUNK);
    let (end, ended) = oneshot::channel();
    let runtime = Handle::current();
    spawn("stdout", move || {
        let mut chunk = vec![0; CHUNK];
        let written = loop {
            match runtime.block_on(pipe.read(&mut chunk)) {
                Ok(0) | Err(_) => break Ok(()),
                Ok(count) => {
                    if let Err(error) =
                        output.write_all(&chunk[..count]).and_then(|()| output.flush())
                    {
                        break Err(error);
                    }
                }
            }
        };
        // The loop asks for the error when it finds the pipe closed, so the error has to be there first.
        let _ = end.send(written);
        drop(pipe);
    })?;
    Ok(Writer { pipe: writer, ended })
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(format!("agent-mcp {name}")).spawn(run).map(drop)
}

/// The loop's end of an output that is written on a thread.
pub(super) struct Writer {
    pipe: DuplexStream,
    ended: oneshot::Receiver<io::Result<()>>,
}

impl Writer {
    /// Puts the thread's own error in place of that of the pipe.
    fn cause<T>(&mut self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match polled {
            Poll::Ready(Err(error)) => Poll::Ready(Err(match self.ended.try_recv() {
                Ok(Err(cause)) => cause,
                _ => error,
            })),
            polled => polled,
        }
    }
}

impl AsyncWrite for Writer {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.pipe).poll_write(cx, bytes);
        self.cause(polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.pipe).poll_flush(cx);
        self.cause(polled)
    }

    /// Waits until the thread has written everything.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.pipe).poll_shutdown(cx);
        ready!(self.cause(polled))?;
        Poll::Ready(ready!(Pin::new(&mut self.ended).poll(cx)).unwrap_or(Ok(())))
    }
}
