//! Streams that can only block: each gets a thread of its own.
//!
//! Not one of the runtime's: a runtime waits for its threads when it ends, and a read from a terminal may
//! never return. These end with the process at the latest.

use std::{
    io::{self, Read, Write},
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncWrite, AsyncWriteExt, DuplexStream, duplex},
    runtime::Handle,
    sync::mpsc,
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
    let (chunks, mut to_write) = mpsc::unbounded_channel::<Vec<u8>>();
    let (written, results) = mpsc::unbounded_channel();
    spawn("stdout", move || {
        while let Some(chunk) = to_write.blocking_recv() {
            let result = output.write_all(&chunk).and_then(|()| output.flush());
            if written.send(result).is_err() {
                return;
            }
        }
    })?;
    Ok(Writer { chunks, results, busy: false })
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(format!("agent-mcp {name}")).spawn(run).map(drop)
}

/// The loop's end of an output that is written on a thread, one chunk at a time.
pub(super) struct Writer {
    chunks: mpsc::UnboundedSender<Vec<u8>>,
    results: mpsc::UnboundedReceiver<io::Result<()>>,
    /// The thread has a chunk.
    busy: bool,
}

impl AsyncWrite for Writer {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().poll_flush(cx))?;
        let chunk = &bytes[..bytes.len().min(CHUNK)];
        self.chunks.send(chunk.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        self.busy = true;
        Poll::Ready(Ok(chunk.len()))
    }

    /// Waits until the thread has written everything.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.busy {
            let result = ready!(self.results.poll_recv(cx));
            self.busy = false;
            return Poll::Ready(result.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into())));
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
