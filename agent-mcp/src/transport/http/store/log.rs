//! What was said on the streams of one session.

use std::{
    collections::VecDeque,
    task::{Context, Poll, Waker},
    time::Duration,
};

use bytes::Bytes;

use super::{EventId, StreamKind, Told};

/// The streams of a session, as far as they are remembered.
///
/// A reader is a place in a stream and nothing else: what was there before it came and what comes while it
/// reads are one sequence (O23).
pub(super) struct Logs {
    messages: usize,
    bytes: usize,
    /// How many streams there were.
    opened: u64,
    /// How often somebody began to read.
    readers: u64,
    /// In the order in which they were opened.
    logs: Vec<Log>,
}

struct Log {
    number: u64,
    kind: StreamKind,
    events: VecDeque<Bytes>,
    /// How many events are forgotten: the number of the first in `events` is one more.
    forgotten: u64,
    bytes: usize,
    finished: bool,
    reader: Option<Reader>,
}

/// Who reads a stream at the moment.
struct Reader {
    number: u64,
    release: Option<Duration>,
    waker: Option<Waker>,
}

impl Log {
    /// The number of the last event.
    fn last(&self) -> u64 {
        self.forgotten + self.events.len() as u64
    }

    fn forget_first(&mut self) {
        if let Some(first) = self.events.pop_front() {
            self.forgotten += 1;
            self.bytes -= first.len();
        }
    }

    fn wake(&mut self) -> Option<Waker> {
        self.reader.as_mut()?.waker.take()
    }
}

/// What is to be woken when no lock is held.
pub(super) type Wake = Option<Waker>;

impl Logs {
    pub(super) fn new(messages: usize, bytes: usize) -> Self {
        Self { messages, bytes, opened: 0, readers: 0, logs: Vec::new() }
    }

    pub(super) fn open(&mut self, kind: StreamKind) -> u64 {
        self.opened += 1;
        let number = self.opened;
        let (events, forgotten, bytes) = (VecDeque::new(), 0, 0);
        self.logs.push(Log {
            number,
            kind,
            events,
            forgotten,
            bytes,
            finished: false,
            reader: None,
        });
        while self.logs.len() > self.messages.max(1) && self.forget_one(number) {}
        number
    }

    pub(super) fn append(&mut self, number: u64, message: Bytes) -> Wake {
        let (messages, bytes) = (self.messages, self.bytes);
        let log = self.log(number).filter(|log| !log.finished)?;
        log.bytes += message.len();
        log.events.push_back(message);
        // One alone is never too long.
        while log.events.len() > 1 && (log.events.len() > messages || log.bytes > bytes) {
            log.forget_first();
        }
        log.wake()
    }

    /// B163: the newest that is read, else the newest.
    pub(super) fn tell(&mut self, message: Bytes) -> Wake {
        let standing = || self.logs.iter().rev().filter(|log| log.kind == StreamKind::Standing);
        let read = standing().find(|log| log.reader.is_some());
        let number = read.or_else(|| standing().next())?.number;
        self.append(number, message)
    }

    pub(super) fn finish(&mut self, number: u64) -> Wake {
        let log = self.log(number)?;
        log.finished = true;
        let wake = log.wake();
        self.trim(number);
        wake
    }

    pub(super) fn release(&mut self, number: u64, retry: Duration) -> Wake {
        let reader = self.log(number)?.reader.as_mut()?;
        reader.release = Some(retry);
        reader.waker.take()
    }

    /// B164, B165.
    pub(super) fn resume(&self, last: Option<EventId>) -> Option<(EventId, StreamKind)> {
        let remembered = last.and_then(|last| {
            let log = self.logs.iter().find(|log| log.number == last.stream)?;
            // What is forgotten its reader has missed, and what is left waits for it: a question, the reply.
            let misses = last.event < log.forgotten && !log.events.is_empty();
            let event = if misses { log.forgotten } else { last.event };
            let place = EventId { stream: last.stream, event };
            (log.forgotten..=log.last()).contains(&event).then_some((place, log.kind))
        });
        remembered.or_else(|| match &*self.logs {
            // One that is over would end at once, and its reader would ask again and again.
            [only] if !only.finished => {
                Some((EventId { stream: only.number, event: only.forgotten }, only.kind))
            }
            _ => None,
        })
    }

    /// Begins to read a stream, in place of whoever read it before.
    pub(super) fn attach(&mut self, number: u64) -> (u64, Wake) {
        self.readers += 1;
        let reader = self.readers;
        let Some(log) = self.log(number) else { return (reader, None) };
        let wake = log.wake();
        log.reader = Some(Reader { number: reader, release: None, waker: None });
        (reader, wake)
    }

    /// B169: what comes from now on goes to a stream that is read.
    pub(super) fn detach(&mut self, number: u64, reader: u64) {
        if let Some(log) = self.log(number)
            && log.reader.as_ref().is_some_and(|current| current.number == reader)
        {
            log.reader = None;
            if log.finished {
                self.trim(number);
            }
        }
    }

    /// What follows after the event `after`, which is then the one that was read.
    pub(super) fn poll(
        &mut self,
        number: u64,
        reader: u64,
        after: &mut u64,
        cx: &Context<'_>,
    ) -> Poll<Option<Told>> {
        let bytes = self.bytes;
        let Some(log) = self.log(number) else { return Poll::Ready(None) };
        // A reader that is too slow misses some.
        *after = (*after).max(log.forgotten);
        let next = usize::try_from(*after - log.forgotten).unwrap_or(usize::MAX);
        let next = log.events.get(next).cloned();
        let (is_last, finished) = (*after >= log.last(), log.finished);
        let Some(current) = log.reader.as_mut().filter(|current| current.number == reader) else {
            return Poll::Ready(None);
        };
        if let Some(message) = next {
            *after += 1;
            return Poll::Ready(Some(Told::Message(*after, message)));
        }
        if finished {
            // What is short is kept, for a connection that breaks in this moment.
            if is_last && log.bytes > bytes {
                (0..log.events.len()).for_each(|_| log.forget_first());
            }
            return Poll::Ready(None);
        }
        if let Some(retry) = current.release.take() {
            return Poll::Ready(Some(Told::Release(retry)));
        }
        current.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Forgets everything, and lets all readers go.
    pub(super) fn end(&mut self) -> Vec<Waker> {
        self.logs.drain(..).filter_map(|mut log| log.wake()).collect()
    }

    fn log(&mut self, number: u64) -> Option<&mut Log> {
        let place = self.logs.binary_search_by_key(&number, |log| log.number).ok()?;
        self.logs.get_mut(place)
    }

    /// B168: the oldest that nobody reads, those first that are over. A request that goes on keeps its stream,
    /// for its caller may come back for a question or the reply; there are no more of them than calls in flight.
    fn forget_one(&mut self, but: u64) -> bool {
        let unread = |log: &Log| log.reader.is_none() && log.number != but;
        let place = self.logs.iter().position(|log| unread(log) && log.finished).or_else(|| {
            let standing = |log: &Log| unread(log) && log.kind == StreamKind::Standing;
            self.logs.iter().position(standing)
        });
        place.map(|place| self.logs.remove(place)).is_some()
    }

    /// What is finished and not read has one stream's room together; the newest is kept in any case.
    fn trim(&mut self, newest: u64) {
        let mut kept = 0;
        let mut places = (0..self.logs.len()).rev();
        let over = places.find(|&place| {
            let log = &self.logs[place];
            if log.finished && log.reader.is_none() {
                kept += log.bytes;
            }
            kept > self.bytes && log.number != newest
        });
        if let Some(over) = over {
            let mut place = 0;
            self.logs.retain(|log| {
                place += 1;
                place > over + 1 || !log.finished || log.reader.is_some() || log.number == newest
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(logs: &mut Logs, number: u64, after: &mut u64) -> Vec<String> {
        let (reader, _) = logs.attach(number);
        let cx = Context::from_waker(Waker::noop());
        let mut told = Vec::new();
        while let Poll::Ready(Some(Told::Message(_, message))) =
            logs.poll(number, reader, after, &cx)
        {
            told.push(String::from_utf8(message.to_vec()).unwrap());
        }
        told
    }

    #[test]
    fn b164_a_reader_goes_on_in_its_own_stream() {
        let mut logs = Logs::new(100, 1000);
        let (first, second) = (logs.open(StreamKind::Request), logs.open(StreamKind::Standing));
        for message in ["a", "b", "c"] {
            logs.append(first, message.into());
        }
        logs.append(second, "x".into());
        let mut after = 1;
        assert_eq!(told(&mut logs, first, &mut after), ["b", "c"]);
        assert_eq!(after, 3);
        assert_eq!(told(&mut logs, first, &mut after), [""; 0], "nothing twice");
        assert_eq!(told(&mut logs, second, &mut 0), ["x"]);
    }

    #[test]
    fn b165_an_id_that_no_stream_remembers() {
        let mut logs = Logs::new(2, 1000);
        let id = |stream, event| EventId { stream, event };
        let resume = |logs: &Logs, last| logs.resume(last).map(|(from, _)| from);
        assert_eq!(logs.resume(None), None);
        let first = logs.open(StreamKind::Standing);
        for message in ["a", "b", "c"] {
            logs.append(first, message.into());
        }
        // The first event is forgotten: who has read it has missed nothing.
        assert_eq!(resume(&logs, Some(id(first, 1))), Some(id(first, 1)));
        assert_eq!(resume(&logs, Some(id(first, 3))), Some(id(first, 3)));
        // Who has read nothing goes on with what is left.
        assert_eq!(resume(&logs, Some(id(first, 0))), Some(id(first, 1)));
        for unknown in [None, Some(id(first, 4)), Some(id(9, 1))] {
            assert_eq!(resume(&logs, unknown), Some(id(first, 1)), "the only stream");
        }
        logs.open(StreamKind::Request);
        assert_eq!(resume(&logs, Some(id(first, 4))), None);
        assert_eq!(resume(&logs, Some(id(first, 0))), Some(id(first, 1)));
        assert_eq!(resume(&logs, Some(id(first, 2))), Some(id(first, 2)));
    }

    #[test]
    fn b168_bounded_by_messages_bytes_and_streams() {
        let mut logs = Logs::new(3, 10);
        let first = logs.open(StreamKind::Standing);
        for message in ["1", "2", "3", "4"] {
            logs.append(first, message.into());
        }
        assert_eq!(told(&mut logs, first, &mut 0), ["2", "3", "4"]);
        logs.append(first, "long enough alone".into());
        assert_eq!(told(&mut logs, first, &mut 0), ["long enough alone"]);
        // The first is read and stays.
        let others: Vec<_> = (0..4).map(|_| logs.open(StreamKind::Standing)).collect();
        let kept: Vec<_> = logs.logs.iter().map(|log| log.number).collect();
        assert_eq!(kept, [first, others[2], others[3]]);
        // What is finished shares the room of one.
        logs.append(others[2], "123456".into());
        logs.finish(others[2]);
        logs.append(others[3], "123456".into());
        logs.finish(others[3]);
        let kept: Vec<_> = logs.logs.iter().map(|log| log.number).collect();
        assert_eq!(kept, [first, others[3]]);
    }

    #[test]
    fn b168_the_stream_of_a_request_that_goes_on_is_kept() {
        let mut logs = Logs::new(2, 1000);
        let asking = logs.open(StreamKind::Request);
        logs.append(asking, "?".into());
        for kind in [StreamKind::Standing, StreamKind::Standing, StreamKind::Request] {
            logs.open(kind);
        }
        assert_eq!(told(&mut logs, asking, &mut 0), ["?"]);
        let done = logs.open(StreamKind::Request);
        logs.finish(done);
        logs.open(StreamKind::Standing);
        assert!(logs.log(done).is_none(), "what is over goes first");
    }

    #[test]
    fn o25_who_reads_later_reads_alone() {
        let mut logs = Logs::new(3, 10);
        let cx = Context::from_waker(Waker::noop());
        let number = logs.open(StreamKind::Standing);
        let ((former, _), (latter, _)) = (logs.attach(number), logs.attach(number));
        logs.append(number, "a".into());
        assert_eq!(logs.poll(number, former, &mut 0, &cx), Poll::Ready(None));
        logs.detach(number, former);
        let message = Told::Message(1, "a".into());
        assert_eq!(logs.poll(number, latter, &mut 0, &cx), Poll::Ready(Some(message)));
        assert_eq!(logs.poll(number, latter, &mut 1, &cx), Poll::Pending);
        logs.finish(number);
        assert_eq!(logs.poll(number, latter, &mut 1, &cx), Poll::Ready(None));
    }

    #[test]
    fn b163_a_notice_goes_to_one_stream() {
        let mut logs = Logs::new(9, 1000);
        logs.tell("nobody".into());
        let (older, newer) = (logs.open(StreamKind::Standing), logs.open(StreamKind::Standing));
        logs.open(StreamKind::Request);
        logs.tell("newest".into());
        let (reader, _) = logs.attach(older);
        logs.tell("read".into());
        logs.detach(older, reader);
        assert_eq!(told(&mut logs, newer, &mut 0), ["newest"]);
        assert_eq!(told(&mut logs, older, &mut 0), ["read"]);
    }

    #[test]
    fn what_is_long_is_let_go_when_it_is_read() {
        let mut logs = Logs::new(9, 10);
        let number = logs.open(StreamKind::Request);
        logs.append(number, "longer than ten".into());
        logs.finish(number);
        let mut after = 0;
        assert_eq!(told(&mut logs, number, &mut after).len(), 1);
        assert_eq!(logs.logs[0].bytes, 0);
        let last = EventId { stream: number, event: after };
        assert_eq!(
            logs.resume(Some(last)),
            Some((last, StreamKind::Request)),
            "it is over, and known to be"
        );
    }
}
