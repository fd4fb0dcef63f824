//! What the caller's model is asked, and how its answer is read (SA-1, SA-2, LSR-7).

use std::sync::Arc;

use agent_mcp::{
    Audio, Content, Context, Failure, Image, IncludeContext, Invocation, Link, Outcome, Sampled,
    SampledContent, Sampling, Server, ToolChoice, agent,
    runtime::{Answer, Dialogue, Means, Need, Question, Refusal},
};
use serde_json::{Value, json};

#[agent_mcp::data]
struct Find {
    word: String,
}

struct Library;

#[agent]
impl Library {
    /// Asks for everything.
    #[capability]
    async fn all(&self, cx: &Context<Self>) -> Result<String, Failure> {
        Ok(cx.sample("model", whole()).await?.text())
    }

    /// Lets the model use a tool.
    #[capability]
    async fn tools(&self, cx: &Context<Self>) -> Result<String, Failure> {
        let request = Sampling::new("Find it.").tool::<Find>("find", "Finds books.");
        let said = cx.sample("first", request.clone()).await?;
        let answers = said.tool_uses().filter(|tool| tool.name() == "find").map(|tool| match tool
            .read::<Find>(
        ) {
            Ok(Find { word }) => {
                tool.answer(word).and(Link::new("app://1", "one")).and(Content::text("end"))
            }
            Err(faults) => tool.fail(faults.to_string()),
        });
        let request = request.answer(&said, answers);
        Ok(cx.sample("second", request).await?.text())
    }

    /// Lets the model use a tool that cannot be described.
    #[capability]
    async fn broken(&self, cx: &Context<Self>) -> Result<String, Failure> {
        Ok(cx.sample("first", Sampling::new("Find it.").tool::<u8>("find", "Finds.")).await?.text())
    }
}

fn whole() -> Sampling {
    Sampling::new("What is this?")
        .user(Image::png(vec![1, 2, 3]))
        .assistant("A bell?")
        .user(Audio::wav(vec![4]))
        .system("Be brief.")
        .max_tokens(7)
        .temperature(0.5)
        .stop("\n")
        .hint("small")
        .hint("large")
        .cost(2.0)
        .speed(f64::NAN)
        .intelligence(0.25)
        .metadata("seed", 1)
        .include_context(IncludeContext::ThisServer)
        .tool_choice(ToolChoice::Required)
}

async fn run(tool: &str, dialogue: &Arc<Dialogue>) -> Outcome {
    let runtime = Server::new(Library).runtime().unwrap();
    let invocation = Invocation::new().with_dialogue(dialogue.clone());
    runtime.in_process().call_as(tool, &json!({}), invocation).await
}

fn asked(outcome: Outcome) -> Value {
    let Outcome::Asks(asks) = outcome else { panic!("{outcome:?}") };
    let (_, Question::Sample(sampling)) = &asks.questions[0] else { panic!() };
    serde_json::to_value(sampling).unwrap()
}

fn said(content: Value) -> Answer {
    Answer::Given(json!({"role": "assistant", "model": "m", "content": content}))
}

#[tokio::test]
async fn everything_that_a_model_can_be_asked() {
    let means = Means::ALL;
    let asked = asked(run("all", &Arc::new(Dialogue::new(means))).await);
    assert_eq!(
        asked,
        json!({
            "messages": [
                {"role": "user", "content": {"type": "text", "text": "What is this?"}},
                {"role": "user", "content": {"type": "image", "data": "AQID", "mimeType": "image/png"}},
                {"role": "assistant", "content": {"type": "text", "text": "A bell?"}},
                {"role": "user", "content": {"type": "audio", "data": "BA==", "mimeType": "audio/wav"}},
            ],
            "maxTokens": 7,
            "systemPrompt": "Be brief.",
            "temperature": 0.5,
            "stopSequences": ["\n"],
            "modelPreferences": {
                "hints": [{"name": "small"}, {"name": "large"}],
                "costPriority": 1.0,
                "intelligencePriority": 0.25,
            },
            "metadata": {"seed": 1},
            "includeContext": "thisServer",
        }),
        "SA-1: a choice among no tools is left out"
    );
}

#[tokio::test]
async fn sa_2_context_is_asked_of_clients_that_have_it_only() {
    let mut means = Means::default();
    means.sampling = true;
    let asked = asked(run("all", &Arc::new(Dialogue::new(means))).await);
    assert!(asked.get("includeContext").is_none() && asked.get("modelPreferences").is_some());
}

#[tokio::test]
async fn sa_1_a_model_without_tools_is_not_given_any() {
    let mut means = Means::default();
    means.sampling = true;
    let outcome = run("tools", &Arc::new(Dialogue::new(means))).await;
    let Outcome::Refused(Refusal::CannotAsk { needs, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(needs, [Need::SamplingTools]);
}

#[tokio::test]
async fn sa_1_every_use_of_a_tool_has_its_answer() {
    let dialogue = Arc::new(Dialogue::new(Means::ALL));
    let first = asked(run("tools", &dialogue).await);
    assert_eq!(first["maxTokens"], 1024);
    assert_eq!(first["tools"][0]["name"], "find");
    assert_eq!(first["tools"][0]["inputSchema"]["required"], json!(["word"]));

    let used = |id: &str, name: &str, input: Value| json!({"type": "tool_use", "id": id, "name": name, "input": input, "_meta": {"kept": id}});
    let uses = json!([
        {"type": "text", "text": "Let me see."},
        used("1", "find", json!({"word": "whale"})),
        used("2", "find", json!({"wort": "secret"})),
        used("3", "other", json!({})),
    ]);
    assert!(dialogue.answer("first", said(uses.clone())));
    let second = asked(run("tools", &dialogue).await);
    assert_eq!(second["messages"][1], json!({"role": "assistant", "content": uses}));
    let faults = "`wort` is not declared, did you mean `word`? (expected `word`)\n\
                  `word` is required: expected a string";
    assert_eq!(
        second["messages"][2],
        json!({"role": "user", "content": [
            {"type": "tool_result", "toolUseId": "1", "content": [
                {"type": "text", "text": "whale"},
                {"type": "resource_link", "uri": "app://1", "name": "one"},
                {"type": "text", "text": "end"},
            ]},
            {"type": "tool_result", "toolUseId": "2", "isError": true, "content": [
                {"type": "text", "text": faults},
            ]},
            {"type": "tool_result", "toolUseId": "3", "isError": true, "content": [
                {"type": "text", "text": "There is no answer."},
            ]},
        ]}),
        "only answers, one for each use"
    );
    assert!(dialogue.answer("second", said(json!({"type": "text", "text": "Here."}))));
    assert_eq!(run("tools", &dialogue).await.json::<String>().unwrap(), "Here.");
}

#[tokio::test]
async fn a_tool_without_a_schema_is_a_defect() {
    let outcome = run("broken", &Arc::new(Dialogue::new(Means::ALL))).await;
    assert!(matches!(outcome, Outcome::Defect(_)), "{outcome:?}");
}

#[test]
fn lsr_7_a_model_says_one_block_or_several() {
    let read = |content: Value| -> Sampled {
        serde_json::from_value(json!({"model": "m", "stopReason": "endTurn", "content": content}))
            .unwrap()
    };
    let text = json!({"type": "text", "text": "Yes."});
    let one = read(text.clone());
    assert_eq!(one.content, [SampledContent::Text("Yes.".into())]);
    assert_eq!(one.stop_reason.as_deref(), Some("endTurn"));
    let picture = json!({"type": "image", "data": "AQID", "mimeType": "image/png"});
    let sound =
        json!({"type": "audio", "data": "BA==", "mimeType": "audio/wav", "annotations": {}});
    let several = read(json!([text, picture, sound, text]));
    assert_eq!(several.text(), "Yes.\nYes.");
    assert_eq!(several.content[1], SampledContent::Image(Image::png(vec![1, 2, 3])));
    assert_eq!(several.content[2], SampledContent::Audio(Audio::wav(vec![4])));
}

#[tokio::test]
async fn sa_2_what_is_no_answer_of_a_model_is_refused() {
    for content in [
        json!(null),
        json!("Yes."),
        json!({"type": "text"}),
        json!({"type": "video", "data": ""}),
        json!({"type": "image", "data": "?", "mimeType": "image/png"}),
        json!([{"type": "tool_use", "id": 1, "name": "find", "input": {}}]),
    ] {
        let dialogue = Arc::new(Dialogue::new(Means::ALL));
        dialogue.answer_beforehand("model", said(content.clone()));
        let outcome = run("all", &dialogue).await;
        assert!(matches!(outcome, Outcome::Refused(Refusal::BadAnswer { .. })), "{content}");
    }
}
