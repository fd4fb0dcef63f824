//! Messages out: everything that waits goes into one write.

use std::{
    collections::VecDeque,
    io::{self, IoSlice},
};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::outgoing::{Outgoing, Place};

/// How many bytes of short messages are joined into one write: what a pipe holds.
const JOINED: usize = 64 * 1024;

/// A message longer than this is written from where it is; shorter ones are copied together.
const SHORT: usize = 8 * 1024;

/// The one writer (B135).
pub(super) struct Writer<W> {
    out: W,
    batch: Batch,
    joined: BytesMut,
    /// The places of the calls whose replies are in the batch.
    places: Vec<Place>,
}

impl<W: AsyncWrite + Unpin> Writer<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, batch: Batch::default(), joined: BytesMut::new(), places: Vec::new() }
    }

    /// Whether everything that was taken is written.
    pub(super) fn is_idle(&self) -> bool {
        self.places.is_empty() && !self.batch.has_remaining()
    }

    /// Waits for messages, writes all that wait and gives their places back.
    ///
    /// Dropping the future loses nothing: what is left of the messages is written by the next one.
    pub(super) async fn write(&mut self, outgoing: &Outgoing) -> io::Result<()> {
        if self.is_idle() {
            outgoing.something().await;
            self.fill(outgoing);
        }
        while self.batch.has_remaining() {
            if self.out.write_buf(&mut self.batch).await? == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
        }
        self.out.flush().await?;
        self.places.clear();
        Ok(())
    }

    /// Says that nothing more follows.
    pub(super) async fn finish(&mut self) -> io::Result<()> {
        self.out.shutdown().await
    }

    /// Takes as many short messages as fit into one write, or one long message.
    fn fill(&mut self, outgoing: &Outgoing) {
        let mut length = 0;
        let mut taken = outgoing.take_while(|message| {
            let before = length;
            length += message.bytes.len() + 1;
            before == 0 || length <= JOINED && message.bytes.len() <= SHORT
        });
        self.places.extend(taken.iter_mut().filter_map(|message| message.place.take()));
        if let [long] = &taken[..]
            && long.bytes.len() > SHORT
        {
            self.batch.0.extend([long.bytes.clone(), Bytes::from_static(b"\n")]);
            return;
        }
        for message in taken {
            self.joined.put(message.bytes);
            self.joined.put_u8(b'\n');
        }
        self.batch.0.push_back(self.joined.split().freeze());
    }
}

/// Bytes that are written together.
#[derive(Default)]
struct Batch(VecDeque<Bytes>);

impl Buf for Batch {
    fn remaining(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    fn chunk(&self) -> &[u8] {
        self.0.front().map_or(&[], |part| part)
    }

    fn chunks_vectored<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let both = slices.iter_mut().zip(&self.0);
        both.map(|(slice, part)| *slice = IoSlice::new(part)).count()
    }

    fn advance(&mut self, mut count: usize) {
        while let Some(part) = self.0.front_mut() {
            if count < part.len() {
                part.advance(count);
                return;
            }
            count -= part.len();
            self.0.pop_front();
        }
    }
}
