//! Dialogues without a caller.

use super::*;
use serde_json::json;

const ALL: Means = Means::ALL;

fn form(message: &str) -> Question {
    Question::form(message, std::sync::Arc::default())
}

fn given(value: i64) -> Answer {
    Answer::Given(json!({"action": "accept", "content": {"n": value}}))
}

/// Polls once.
fn poll(dialogue: &Dialogue, key: &str, question: Question) -> Option<Answer> {
    let asking = std::pin::pin!(dialogue.ask(key, question));
    match asking.poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(answer) => Some(answer),
        std::task::Poll::Pending => None,
    }
}

#[test]
fn an_answer_counts_for_its_question_only() {
    let dialogue = Dialogue::new(ALL);
    dialogue.begin_run();
    assert_eq!(poll(&dialogue, "n", form("one")), None);
    assert!(matches!(dialogue.take_end(), Some(End::Asks)));
    assert!(dialogue.answer("n", given(1)) && !dialogue.answer("n", given(2)));
    dialogue.begin_run();
    assert_eq!(poll(&dialogue, "n", form("one")), Some(given(1)));
    dialogue.begin_run();
    assert_eq!(poll(&dialogue, "n", form("another")), None);
    assert_eq!(dialogue.open().len(), 1);
    assert!(dialogue.answer("n", given(3)));
    dialogue.begin_run();
    assert_eq!(poll(&dialogue, "n", form("another")), Some(given(3)));
}

#[test]
fn mr_9_answers_that_come_beforehand_belong_to_the_first_question() {
    let dialogue = Dialogue::new(ALL);
    dialogue.answer_beforehand("n", given(1));
    dialogue.begin_run();
    assert_eq!(poll(&dialogue, "n", form("one")), Some(given(1)));
    assert_eq!(poll(&dialogue, "n", form("another")), None);
}

#[test]
fn mr_7_what_was_not_asked_is_not_answered() {
    let dialogue = Dialogue::new(ALL);
    dialogue.begin_run();
    assert_eq!(poll(&dialogue, "n", form("one")), None);
    assert!(!dialogue.answer("other", given(1)));
    assert_eq!(dialogue.open().len(), 1);
}

#[test]
fn a_memory_goes_on_elsewhere() {
    let first = Dialogue::new(ALL);
    first.begin_run();
    assert_eq!(poll(&first, "a", form("a")), None);
    first.answer("a", given(1));
    first.remember("sent", json!(true));
    first.begin_run();
    assert_eq!(poll(&first, "b", form("b")), None);
    let json = serde_json::to_string(&first.memory()).unwrap();

    let second = Dialogue::resume(ALL, serde_json::from_str(&json).unwrap());
    assert!(second.answer("b", given(2)));
    second.begin_run();
    assert_eq!(poll(&second, "a", form("a")), Some(given(1)));
    assert_eq!(poll(&second, "b", form("b")), Some(given(2)));
    assert_eq!(second.remembered("sent"), Some(json!(true)));
}

#[test]
fn mr_3_what_the_caller_cannot_do_is_not_asked() {
    let dialogue = Dialogue::new(Means { form: true, ..Means::default() });
    dialogue.begin_run();
    assert_eq!(poll(&dialogue, "roots", Question::Roots), None);
    assert!(dialogue.open().is_empty());
    let Some(End::Lacks(needs)) = dialogue.take_end() else { panic!() };
    assert_eq!(needs, [Need::Roots]);
}

#[tokio::test]
async fn a_live_run_waits_for_its_answer() {
    let dialogue = std::sync::Arc::new(Dialogue::new(ALL));
    dialogue.go_live(1);
    dialogue.begin_run();
    let asking = tokio::spawn({
        let dialogue = dialogue.clone();
        async move { dialogue.ask("n", form("one")).await }
    });
    dialogue.asked().await;
    assert!(!dialogue.ends_run());
    assert!(dialogue.answer("n", given(1)));
    assert_eq!(asking.await.unwrap(), given(1));
}

#[test]
fn a_live_run_has_its_rounds() {
    let dialogue = Dialogue::new(ALL);
    dialogue.go_live(2);
    dialogue.go_live(9);
    dialogue.begin_run();
    // What is asked together is one round.
    assert_eq!(poll(&dialogue, "a", form("a")), None);
    assert_eq!(poll(&dialogue, "b", form("b")), None);
    dialogue.answer("a", given(1));
    dialogue.refuse("a", "first".to_owned());
    assert_eq!(poll(&dialogue, "a", form("a")), None);
    assert!(!dialogue.ends_run(), "the second round");
    dialogue.answer("a", given(1));
    dialogue.refuse("a", "second".to_owned());
    assert!(matches!(dialogue.take_end(), Some(End::BadAnswer { .. })));
    dialogue.answer("b", given(1));
    assert_eq!(poll(&dialogue, "c", form("c")), None);
    assert!(matches!(dialogue.take_end(), Some(End::TooOften)));
    assert!(dialogue.open().is_empty());
}
