//! Standard input and output as file descriptors.
//!
//! Whether a descriptor blocks is a property of its open file description, which a parent, a child or the
//! standard error may share. None of them must get an `EAGAIN` because of us, so no description that we were
//! given is ever switched to non-blocking:
//!
//! - a socket (what Node.js hands to its children) is read and written with a flag for each call;
//! - a pipe is opened once more by its number, which gives a description of our own (Linux);
//! - everything else, a terminal or a file for example, blocks on a thread.

use std::{
    fs::File,
    future::{Future, pending},
    io::{self, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::fs::{FileTypeExt, MetadataExt},
    },
    pin::Pin,
    task::{Context, Poll, ready},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    net::{RecvFlags, SendFlags, recv, send},
    stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout},
};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, unix::AsyncFd};

use super::{Streams, thread};

/// Takes the descriptors 0 and 1; what reads 0 finds nothing afterwards, and what writes to 1 comes out on
/// standard error (O46). Children that are started later inherit that, and not the streams.
pub(super) fn take() -> io::Result<Streams> {
    let input = File::from(stdin().try_clone_to_owned()?);
    let output = File::from(stdout().try_clone_to_owned()?);
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let strays = if is_stderr(&output)? { nothing.as_fd() } else { stderr() };
    dup2_stdout(strays)?;
    dup2_stdin(&nothing)?;
    let (writer, gone) = writer(output)?;
    Ok(Streams { reader: reader(input)?, writer, gone })
}

/// Whether standard error is the same pipe as the output (`2>&1`).
fn is_stderr(output: &File) -> io::Result<bool> {
    let output = output.metadata()?;
    let errors = File::from(stderr().try_clone_to_owned()?).metadata()?;
    let is_stream = output.file_type().is_fifo() || output.file_type().is_socket();
    Ok(is_stream && (output.dev(), output.ino()) == (errors.dev(), errors.ino()))
}

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;
type Gone = Pin<Box<dyn Future<Output = ()> + Send>>;

fn reader(input: File) -> io::Result<Reader> {
    if input.metadata()?.file_type().is_socket() {
        return Ok(Box::new(Socket(watch(input.into(), Interest::READABLE)?)));
    }
    #[cfg(target_os = "linux")]
    if let Some(pipe) = pipe::reader(&input) {
        return Ok(Box::new(pipe));
    }
    Ok(Box::new(thread::reader(Patient(input))?))
}

fn writer(output: File) -> io::Result<(Writer, Gone)> {
    if output.metadata()?.file_type().is_socket() {
        let gone = gone(output.try_clone()?)?;
        let socket = watch(output.into(), Interest::WRITABLE)?;
        return Ok((Box::new(Socket(socket)), gone));
    }
    #[cfg(target_os = "linux")]
    if let Some(pipe) = pipe::writer(&output) {
        return Ok((Box::new(pipe), gone(output)?));
    }
    Ok((Box::new(thread::writer(Patient(output))?), Box::pin(pending())))
}

/// What to be woken for: an error and a hang-up are told of whatever is asked for, so it is the rarest thing
/// there is. A client that only says that it will write no more is still reading.
#[cfg(target_os = "linux")]
const ENDS: Interest = Interest::PRIORITY;
#[cfg(not(target_os = "linux"))]
const ENDS: Interest = Interest::READABLE;

/// Waits until nobody reads `output` any more. Waiting takes no time of the processor.
fn gone(output: File) -> io::Result<Gone> {
    let output = watch(output.into(), ENDS)?;
    Ok(Box::pin(async move {
        // An error that keeps us from watching is no reason to end: the next write will tell.
        while let Ok(mut ready) = output.ready(ENDS | Interest::ERROR).await {
            if is_hung_up(output.get_ref().as_fd()) {
                return;
            }
            // This one is never cleared.
            if ready.ready().is_read_closed() {
                break;
            }
            ready.clear_ready();
        }
        pending::<()>().await;
    }))
}

fn is_hung_up(output: BorrowedFd<'_>) -> bool {
    let ends = PollFlags::ERR | PollFlags::HUP;
    let mut polled = [PollFd::from_borrowed_fd(output, PollFlags::empty())];
    let now = Timespec::default();
    poll(&mut polled, Some(&now)).is_ok() && polled[0].revents().intersects(ends)
}

/// A descriptor that blocks also when somebody who shares it has switched it to non-blocking.
struct Patient(File);

impl Patient {
    fn retry<T>(
        &mut self,
        wanted: PollFlags,
        mut attempt: impl FnMut(&mut File) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            match attempt(&mut self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    poll(&mut [PollFd::new(&self.0, wanted)], None)?;
                }
                done => return done,
            }
        }
    }
}

impl Read for Patient {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.retry(PollFlags::IN, |file| file.read(into))
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(PollFlags::OUT, |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Has the runtime tell when `descriptor` is ready.
fn watch(descriptor: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    // Deprecated for types that may give another descriptor each time they are asked, in favour of a
    // function that is unsafe. An `OwnedFd` has one.
    #[allow(deprecated)]
    AsyncFd::with_interest(descriptor, interest)
}

/// A socket that was not switched to non-blocking, used as if it were.
struct Socket(AsyncFd<OwnedFd>);

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.0.poll_read_ready(cx))?;
            let space = into.initialize_unfilled();
            let read = ready.try_io(|socket| Ok(recv(socket, space, RecvFlags::DONTWAIT)?));
            if let Ok(read) = read {
                into.advance(read?.1);
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.0.poll_write_ready(cx))?;
            let sent = ready.try_io(|socket| Ok(send(socket, bytes, SendFlags::DONTWAIT)?));
            if let Ok(sent) = sent {
                return Poll::Ready(sent);
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The other end sees the end when the descriptor is closed; a shutdown would also end it for whoever
    /// shares the socket.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(target_os = "linux")]
mod pipe {
    use std::{
        fs::{File, read_link},
        os::{fd::AsRawFd, unix::ffi::OsStrExt},
        path::PathBuf,
    };

    use tokio::net::unix::pipe::{OpenOptions, Receiver, Sender};

    pub(super) fn reader(input: &File) -> Option<Receiver> {
        OpenOptions::new().open_receiver(unnamed(input)?).ok()
    }

    pub(super) fn writer(output: &File) -> Option<Sender> {
        OpenOptions::new().open_sender(unnamed(output)?).ok()
    }

    /// Where a pipe can be opened once more. Not one with a name: opened after its last writer has gone,
    /// it never tells of its end.
    fn unnamed(file: &File) -> Option<PathBuf> {
        let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        let target = read_link(&path).ok()?;
        target.as_os_str().as_bytes().starts_with(b"pipe:").then_some(path)
    }
}
