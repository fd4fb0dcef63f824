//! Other people's code, run so that its panics stay where they are.

use std::{
    any::Any,
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

/// Runs `code` and turns a panic into its text.
pub(crate) fn contained<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(panic_text)
}

/// Drives a whole request. Each step contains what it runs; what panics in between, such as a value of the
/// application's when it is dropped, ends this request and no other.
pub(crate) async fn whole<T>(request: impl Future<Output = T>) -> Result<T, String> {
    let mut request = pin!(request);
    poll_fn(|cx| match contained(|| request.as_mut().poll(cx)) {
        Ok(polled) => polled.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

/// What a panic says, for the log.
fn panic_text(panic: Box<dyn Any + Send>) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".to_owned());
    // Anything can be thrown, also what panics once more when it is dropped; that one is kept for ever.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thrown;

    impl Drop for Thrown {
        fn drop(&mut self) {
            std::panic::panic_any(Self);
        }
    }

    // O57
    #[test]
    fn a_panic_whose_payload_panics_when_it_is_dropped_stays_contained() {
        let contained = contained(|| -> () { std::panic::panic_any(Thrown) });
        assert_eq!(contained, Err("a panic without a text".to_owned()));
    }

    #[test]
    fn a_panic_leaves_its_text() {
        assert_eq!(contained(|| -> () { panic!("plain") }), Err("plain".to_owned()));
        assert_eq!(contained(|| -> () { panic!("{}", 7) }), Err("7".to_owned()));
        assert_eq!(contained(|| 7), Ok(7));
    }
}
