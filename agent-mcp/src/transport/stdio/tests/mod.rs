//! The loop between a fake peer and a client in the same process.

mod fake;

use std::{
    collections::HashSet,
    io,
    pin::Pin,
    sync::{Arc, Mutex, atomic::Ordering::SeqCst},
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::AsyncWrite,
    time::{Instant, timeout},
};

use super::serve::serve;
use crate::runtime::Limits;
use fake::{Rig, Shared, fake, until};

#[tokio::test(start_paused = true)]
async fn stdio_614_end_of_input_while_idle_ends_the_serving() {
    let mut rig = Rig::new();
    rig.send("ping 1\n").await;
    rig.expect(&["pong 1"]).await;
    let before = Instant::now();
    rig.end_input();
    assert_eq!(rig.rest().await, [""; 0]);
    let peer = rig.peer.clone();
    rig.ended().await.unwrap();
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert!(peer.closed.load(SeqCst) > 0);
}

#[tokio::test(start_paused = true)]
async fn stdio_b1d_end_of_input_lets_calls_end() {
    let mut rig = Rig::new();
    rig.send("ping 1\nsleep 2 300\ndone 3").await;
    rig.end_input();
    assert_eq!(rig.rest().await, ["pong 1", "done 3", "done 2"]);
    assert_eq!(rig.peer.input_ended.load(SeqCst), 1);
    rig.ended().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn b140_what_does_not_end_within_the_drain_limit_is_cancelled() {
    let mut rig = Rig::with(|limits| limits.drain = Duration::from_secs(3));
    rig.send("never 1\nsleep 2 2900\nsleep 3 3100\n").await;
    rig.end_input();
    let before = Instant::now();
    assert_eq!(rig.rest().await, ["done 2"]);
    // The grace, in which methods clean up.
    assert_eq!(before.elapsed(), Duration::from_millis(3_050));
    rig.ended().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn limits_without_an_end_are_kept() {
    let mut rig = Rig::with(|limits| {
        limits.drain = Duration::MAX;
        limits.debounce = Duration::MAX;
        limits.calls_in_flight = usize::MAX;
        limits.stdio_queue = usize::MAX;
        limits.stdio_line = usize::MAX;
        limits.stdio_backlog = usize::MAX;
    });
    rig.send("change 1\nsleep 2 60000\n").await;
    rig.end_input();
    assert_eq!(rig.rest().await, ["done 1", "done 2"]);
}

#[tokio::test(start_paused = true)]
async fn b140_nothing_is_read_after_the_stop() {
    let mut rig = Rig::new();
    rig.send("sleep 1 300\n").await;
    until(|| rig.peer.started.load(SeqCst) == 1).await;
    rig.stop.cancel();
    rig.stop.cancel();
    until(|| rig.peer.input_ended.load(SeqCst) == 1).await;
    rig.send("done 2\n").await;
    assert_eq!(rig.rest().await, ["done 1"]);
    rig.ended().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn b133_dropping_the_serving_ends_everything_at_once() {
    let mut rig = Rig::new();
    rig.send("never 1\n").await;
    until(|| rig.peer.started.load(SeqCst) == 1).await;
    rig.serving.abort();
    assert_eq!(rig.rest().await, [""; 0]);
    assert!(rig.peer.closed.load(SeqCst) > 0);
    // The calls are gone too: nobody but the test holds the peer.
    until(|| Arc::strong_count(&rig.peer) == 1).await;
}

#[tokio::test(start_paused = true)]
async fn stdio_ef6_half_a_message_survives_other_events() {
    let mut rig = Rig::new();
    rig.send("sleep 1 50\npi").await;
    rig.expect(&["done 1"]).await;
    rig.send("ng 2\n").await;
    rig.expect(&["pong 2"]).await;
}

#[tokio::test(start_paused = true)]
async fn o45_a_line_over_the_limit_is_answered_once() {
    let mut rig = Rig::with(|limits| limits.stdio_line = 10);
    rig.send(&"x".repeat(100_000)).await;
    rig.send("\nping 1\n").await;
    rig.expect(&["over stdio_line 10", "pong 1"]).await;
    rig.end_input();
    assert_eq!(rig.rest().await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn runtime_e0e_a_slow_call_holds_up_nobody() {
    let mut rig = Rig::new();
    let before = Instant::now();
    rig.send("sleep 1 5000\nping 2\ndone 3\n").await;
    rig.expect(&["pong 2", "done 3"]).await;
    assert_eq!(before.elapsed(), Duration::ZERO);
    rig.expect(&["done 1"]).await;
}

#[tokio::test(start_paused = true)]
async fn cancel_b7f_cancels_and_pings_pass_calls_that_wait_for_a_place() {
    let mut rig = Rig::with(|limits| limits.calls_in_flight = 1);
    rig.send("never 1\ndone 2\ndone 3\ncancel 2\nping 4\n").await;
    rig.expect(&["pong 4"]).await;
    assert_eq!(rig.peer.started.load(SeqCst), 1);
    rig.send("cancel 1\n").await;
    rig.expect(&["done 3"]).await;
    assert_eq!(rig.peer.started.load(SeqCst), 2, "the cancelled one never starts");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_stops_telling_can_be_cancelled() {
    let mut rig = Rig::new();
    rig.send("spam 1\n").await;
    rig.expect(&["notice"]).await;
    rig.send("cancel 1\nping 2\n").await;
    while rig.line().await.as_deref() != Some("pong 2") {}
    rig.end_input();
    assert!(!rig.rest().await.contains(&"done 1".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_answers_with_the_name_of_the_setting() {
    let mut rig = Rig::with(|limits| {
        limits.calls_in_flight = 1;
        limits.stdio_queue = "done 2".len();
    });
    rig.send("never 1\ndone 2\ndone 3\nping 4\ncancel 1\n").await;
    let refused = "refused 3 The server is busy: the calls that wait have 6 bytes, which is the limit \
                   `stdio_queue`";
    rig.expect(&[refused, "pong 4", "done 2"]).await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_pipelined_calls_are_answered_once_each() {
    const CALLS: usize = 10_000;
    let mut rig = Rig::new();
    let calls: String = (0..CALLS).map(|id| format!("big {id} 1000\n")).collect();
    // The client writes everything before it reads anything.
    rig.send(&calls).await;
    // No further call starts before a reply is written; the clock stands still until all is at rest.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let started = rig.peer.started.load(SeqCst);
    assert!((256..=256 + 64 + 64).contains(&started), "the pipe holds 64 replies: {started}");
    rig.end_input();
    let replies = rig.rest().await;
    let ids: HashSet<_> = replies.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!((replies.len(), ids.len()), (CALLS, CALLS));
    assert!(replies.iter().all(|line| line.starts_with("done ") && line.ends_with('x')));
    rig.ended().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn o45_a_client_that_never_reads_is_read_from_no_more() {
    let mut rig = Rig::with(|limits| limits.stdio_backlog = 10_000);
    let pings: String = (0..100_000).map(|id| format!("ping {id}\n")).collect();
    assert!(timeout(Duration::from_secs(5), rig.send(&pings)).await.is_err());
    // What was read is answered in full when the client reads at last, and then reading goes on.
    rig.end_input();
    let mut answers = rig.rest().await;
    // The client gave up in the middle of a line.
    answers.pop();
    assert!((8_000..40_000).contains(&answers.len()), "{}", answers.len());
    for (id, answer) in answers.iter().enumerate() {
        assert_eq!(answer, &format!("pong {id}"));
    }
}

#[tokio::test(start_paused = true)]
async fn notices_that_nobody_reads_are_left_out() {
    let mut rig = Rig::with(|limits| limits.stdio_backlog = 1_000);
    rig.send("tell 1 100000\n").await;
    until(|| rig.peer.started.load(SeqCst) == 1).await;
    rig.end_input();
    let lines = rig.rest().await;
    assert!(lines.len() < 200, "{}", lines.len());
    assert_eq!(lines.last().unwrap(), "done 1");
}

#[tokio::test(start_paused = true)]
async fn notices_that_nobody_reads_do_not_keep_a_cancellation_from_being_read() {
    let mut rig = Rig::with(|limits| limits.stdio_backlog = 1_000);
    // Notices without an end fill the pipe and the backlog.
    rig.send("never 1\ntell 2 100000\nspam 3\n").await;
    until(|| rig.peer.started.load(SeqCst) == 3).await;
    rig.send("cancel 1\nnever 4\n").await;
    until(|| rig.peer.started.load(SeqCst) == 4).await;
    rig.close_output();
    rig.ended().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_is_gone_ends_the_serving_quietly() {
    let mut rig = Rig::new();
    rig.send("never 1\n").await;
    until(|| rig.peer.started.load(SeqCst) == 1).await;
    rig.close_output();
    rig.send("ping 2\n").await;
    let peer = rig.peer.clone();
    rig.ended().await.unwrap();
    assert!(peer.closed.load(SeqCst) > 0);
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_is_gone_is_noticed_while_idle() {
    let rig = Rig::new();
    rig.gone.cancel();
    rig.ended().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn b131_changes_are_compared_when_they_rest() {
    let mut rig = Rig::new();
    rig.send("ping 1\n").await;
    rig.expect(&["pong 1"]).await;
    let before = Instant::now();
    for _ in 0..3 {
        rig.peer.change();
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    rig.expect(&["changed"]).await;
    assert_eq!(before.elapsed().as_millis(), 60 + 50);

    let before = Instant::now();
    let peer = rig.peer.clone();
    let restless = tokio::spawn(async move {
        loop {
            peer.change();
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    });
    rig.expect(&["changed"]).await;
    assert_eq!(before.elapsed().as_millis(), 500);
    restless.abort();
}

#[tokio::test(start_paused = true)]
async fn b131_without_a_window_the_notice_goes_before_the_reply() {
    let mut rig = Rig::with(|limits| limits.debounce = Duration::ZERO);
    rig.send("change 1\n").await;
    rig.expect(&["changed", "done 1"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_is_not_lost_on_a_client_that_reads_slowly() {
    let mut rig = Rig::with(|limits| {
        limits.stdio_backlog = 1_000;
        limits.debounce = Duration::ZERO;
    });
    // Many more notices than the pipe and the backlog hold, and then a change.
    rig.send("tell 1 100000\nchange 2\n").await;
    until(|| rig.peer.started.load(SeqCst) == 2).await;
    let mut seen = HashSet::new();
    while !seen.contains("changed") {
        seen.insert(rig.line().await.unwrap());
    }
}

/// Counts the writes, and takes none while it is closed.
#[derive(Clone, Default)]
struct Counting(Arc<Mutex<Vec<Vec<u8>>>>);

impl AsyncWrite for Counting {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.lock().unwrap().push(bytes.to_vec());
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test(start_paused = true)]
async fn b135_replies_that_wait_are_joined_into_one_write() {
    let limits = Limits::default();
    let (peer, outgoing) = fake(&limits);
    let written = Counting::default();
    let input: String = (0..100).map(|id| format!("done {id}\nping {id}\n")).collect();
    let pending = std::future::pending;
    serve(
        Arc::new(Shared(peer)),
        outgoing,
        input.as_bytes(),
        written.clone(),
        &limits,
        pending(),
        pending(),
    )
    .await
    .unwrap();
    let expected: String = (0..100).map(|id| format!("done {id}\npong {id}\n")).collect();
    assert_eq!(*written.0.lock().unwrap(), [expected.into_bytes()]);
}

#[tokio::test(start_paused = true)]
async fn b135_a_long_reply_is_whole_among_short_ones() {
    let mut rig = Rig::new();
    rig.send("done 1\nbig 2 500000\ndone 3\nbig 4 70000\nbig 5 9000\nping 6\n").await;
    rig.end_input();
    let lines = rig.rest().await;
    let lengths: Vec<_> = lines.iter().map(String::len).collect();
    assert_eq!(lengths, [6, 500_007, 6, 70_007, 9_007, 6]);
}

#[tokio::test]
async fn an_error_of_the_writer_that_is_no_farewell_is_told() {
    struct Full;
    impl AsyncWrite for Full {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &[u8],
        ) -> Poll<io::Result<usize>> {
            Poll::Ready(Err(io::ErrorKind::StorageFull.into()))
        }
        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }
    let limits = Limits::default();
    let (peer, outgoing) = fake(&limits);
    let pending = std::future::pending;
    let served = serve(
        Arc::new(Shared(peer)),
        outgoing,
        &b"ping 1\n"[..],
        Full,
        &limits,
        pending(),
        pending(),
    );
    assert_eq!(served.await.unwrap_err().kind(), io::ErrorKind::StorageFull);
}
