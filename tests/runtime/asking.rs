//! A method asks its caller: the run ends with its questions and is run again with the answers (design: both eras
//! mean one thing; MR-*).

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use agent_mcp::{
    Context, Failure, Form, Invocation, Outcome, Server, Unanswered, agent,
    runtime::{Answer, Asks, Dialogue, Means, Need, Question, Refusal},
};
use serde_json::json;

#[derive(Form)]
struct Sure {
    sure: bool,
}

#[derive(Default)]
struct Shop {
    charged: AtomicUsize,
}

#[agent]
impl Shop {
    /// Deletes everything.
    #[capability]
    async fn delete(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let answer: Sure = cx.ask("sure", "Delete all?").await?;
        Ok(format!("deleted: {}", answer.sure))
    }

    /// Asks twice at once, then once more.
    #[capability]
    async fn rounds(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let (one, roots) = tokio::join!(cx.ask::<Sure>("one", "One?"), cx.roots());
        let charged =
            cx.once("charge", async { self.charged.fetch_add(1, Ordering::SeqCst) }).await;
        let two: Sure = cx.ask("two", format!("Two, with {} roots?", roots?.len())).await?;
        Ok(format!("{} {} {charged}", one?.sure, two.sure))
    }

    /// Says why there is no answer.
    #[capability]
    async fn polite(&self, cx: &Context<Self>) -> Result<String, Failure> {
        let answer: Sure = cx.ask("sure", "Really?").await?;
        Ok(answer.sure.to_string())
    }
}

async fn run(server: &agent_mcp::Runtime<()>, tool: &str, dialogue: &Arc<Dialogue>) -> Outcome {
    let invocation = Invocation::new().with_dialogue(dialogue.clone());
    server.in_process().call_as(tool, &json!({}), invocation).await
}

fn accepted(sure: bool) -> Answer {
    Answer::Given(json!({"action": "accept", "content": {"sure": sure}}))
}

fn asks(outcome: Outcome) -> Asks {
    let Outcome::Asks(asks) = outcome else { panic!("{outcome:?}") };
    *asks
}

fn runtime() -> agent_mcp::Runtime<()> {
    Server::new(Shop::default()).runtime().unwrap()
}

#[tokio::test]
async fn a_run_ends_with_its_question_and_is_run_again_with_the_answer() {
    let runtime = runtime();
    let dialogue = Arc::new(Dialogue::new(Means::ALL));
    let asks = asks(run(&runtime, "delete", &dialogue).await);
    let [(key, Question::Form { message, .. })] = &asks.questions[..] else { panic!() };
    assert_eq!((&**key, &**message), ("sure", "Delete all?"));

    // Elsewhere, from what was kept.
    let dialogue = Arc::new(Dialogue::resume(Means::ALL, asks.memory));
    assert!(dialogue.answer("sure", accepted(true)));
    let outcome = run(&runtime, "delete", &dialogue).await;
    assert_eq!(outcome.json::<String>().unwrap(), "deleted: true");
}

#[tokio::test]
async fn questions_of_one_poll_go_out_together_and_answers_are_kept() {
    let runtime = runtime();
    let dialogue = Arc::new(Dialogue::new(Means::ALL));
    let first = asks(run(&runtime, "rounds", &dialogue).await);
    let keys: Vec<_> = first.questions.iter().map(|(key, _)| &**key).collect();
    assert_eq!(keys, ["one", "roots"]);

    // One of two: the other is asked again.
    dialogue.answer("one", accepted(true));
    let second = asks(run(&runtime, "rounds", &dialogue).await);
    assert_eq!(second.questions.len(), 1);
    dialogue.answer("roots", Answer::Given(json!({"roots": [{"uri": "file:///a"}]})));
    let third = asks(run(&runtime, "rounds", &dialogue).await);
    assert_eq!(third.questions[0].0, "two");
    let dialogue = Arc::new(Dialogue::resume(Means::ALL, third.memory));
    dialogue.answer("two", accepted(false));
    let outcome = run(&runtime, "rounds", &dialogue).await;
    assert_eq!(outcome.json::<String>().unwrap(), "true false 0", "charged once");
}

#[tokio::test]
async fn mr_3_a_caller_that_cannot_be_asked_is_refused() {
    let runtime = runtime();
    let outcome = runtime.in_process().call("delete", &json!({})).await;
    let Outcome::Refused(Refusal::CannotAsk { needs, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(needs, [Need::Form]);
}

#[tokio::test]
async fn el_5_no_answer_is_an_error_that_the_model_reads() {
    let runtime = runtime();
    for (answer, text) in [
        (Answer::Given(json!({"action": "decline"})), "The user declined."),
        (
            Answer::Given(json!({"action": "cancel"})),
            "The user dismissed the question without an answer.",
        ),
        (Answer::TimedOut, "The client did not answer in time."),
        (Answer::Failed { code: -1, message: "no".into() }, "The client could not answer: no (-1)"),
    ] {
        for tool in ["delete", "polite"] {
            let dialogue = Arc::new(Dialogue::new(Means::ALL));
            asks(run(&runtime, tool, &dialogue).await);
            dialogue.answer("sure", answer.clone());
            let outcome = run(&runtime, tool, &dialogue).await;
            let Outcome::Failed { text: said, .. } = outcome else { panic!("{outcome:?}") };
            assert_eq!(said, text);
        }
    }
}

#[tokio::test]
async fn mr_7_what_is_no_answer_is_refused_and_can_be_answered_again() {
    let runtime = runtime();
    for wrong in [json!(12345), json!({"action": "what"}), json!(null)] {
        let dialogue = Arc::new(Dialogue::new(Means::ALL));
        dialogue.answer_beforehand("sure", Answer::Given(wrong));
        let outcome = run(&runtime, "delete", &dialogue).await;
        let Outcome::Refused(Refusal::BadAnswer { key, .. }) = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(key, "sure");
        dialogue.answer_beforehand("sure", accepted(true));
        assert!(run(&runtime, "delete", &dialogue).await.is_ok());
    }
}
