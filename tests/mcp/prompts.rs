//! Prompts and suggestions (PRM-1 to PRM-6, CMP-1 to CMP-5).

use agent_mcp::{
    Content, Context, Embedded, Form, Image, PromptMessage, Server, Unanswered, agent,
    mcp::Handler, runtime::Suggested,
};
use serde_json::{Value, json};

use crate::client::{ALL, Client, LEGACY, MODERN, names};

/// How it sounds.
#[agent_mcp::data]
#[serde(rename_all = "snake_case")]
enum Tone {
    Kind,
    Keen,
    Strict,
}

#[derive(Form)]
struct Who {
    name: String,
}

struct Planner;

fn numbers(_: &Context<Planner>, typed: &str) -> Vec<String> {
    (0..250).map(|number| format!("{typed}{number}")).collect()
}

#[agent(name = "planner")]
impl Planner {
    /// Plan a day.
    #[prompt(title = "Plan the day")]
    fn plan_day(
        &self,
        /// The day.
        #[suggest(|_, typed| ["monday", "tuesday", "moonday"].into_iter().filter(move |day| day.starts_with(typed)))]
        day: String,
        /// How it sounds.
        tone: Tone,
        #[serde(default)] hours: Option<u32>,
    ) -> Vec<PromptMessage> {
        let tone = match tone {
            Tone::Kind => "kind",
            Tone::Keen => "keen",
            Tone::Strict => "strict",
        };
        vec![
            PromptMessage::user(format!("Plan {day} for {hours:?} hours, {tone}.")),
            PromptMessage::assistant("Gladly."),
        ]
    }

    /// One text.
    #[prompt]
    async fn simple(&self) -> &'static str {
        "Say something."
    }

    /// Everything that a message can hold.
    #[prompt]
    async fn mixed(&self) -> Vec<Content> {
        vec![
            "Look:".into(),
            Image::png(b"png".to_vec()).into(),
            Embedded::text("a:b", "x").into(),
            Embedded::bytes("a:c", b"png".to_vec()).into(),
            Embedded::text("a:d", "# x").mime_type("text/markdown").into(),
        ]
    }

    /// Fails.
    #[prompt]
    async fn failing(&self) -> Result<String, String> {
        Err("no paper".to_owned())
    }

    /// Asks first.
    #[prompt]
    async fn letter(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let who: Who = cx.ask("who", "To whom?").await?;
        Ok(format!("Write to {}.", who.name))
    }

    /// Counts.
    #[prompt]
    async fn count(
        &self,
        #[suggest(numbers)] number: String,
        #[suggest(async |cx, typed, others| {
            let _ = cx.principal();
            vec![format!("{typed} after {}", others.get("number").map_or("nothing", |it| it))]
        })]
        next: String,
        #[serde(default)] free: String,
    ) -> String {
        format!("{number} {next} {free}")
    }

    /// A day's page.
    #[resource(uri = "day://{day}/{tone}")]
    async fn page(
        &self,
        #[suggest(|_, typed| vec![format!("{typed}-day")])] day: String,
        tone: Tone,
    ) -> String {
        let _ = tone;
        day
    }
}

fn serve() -> Handler<()> {
    Server::new(Planner).handler().unwrap()
}

#[tokio::test]
async fn prm_1_prompts_are_declared_and_listed_in_every_revision() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let list = client.result("prompts/list", json!({})).await;
        let expected = ["plan_day", "simple", "mixed", "failing", "letter", "count"];
        assert_eq!(names(&list["prompts"]), expected, "{revision}");
        let plan = &list["prompts"][0];
        assert_eq!(plan.get("title").is_some(), revision >= "2025-06-18", "{revision}");
        assert_eq!(
            plan["arguments"],
            json!([
                {"name": "day", "description": "The day.", "required": true},
                {"name": "tone", "description": "How it sounds.", "required": true},
                {"name": "hours", "required": false},
            ]),
            "{revision}"
        );
        assert!(list["prompts"][1].get("arguments").is_none());
    }
    let discovery = Client::at(&handler, MODERN).result("server/discover", json!({})).await;
    assert_eq!(discovery["capabilities"]["prompts"], json!({}));
    assert_eq!(discovery["capabilities"]["completions"], json!({}));
}

#[tokio::test]
async fn prm_4_and_5_a_prompt_is_filled_in() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let arguments = json!({"day": "monday", "tone": "keen", "hours": "3"});
        let plan =
            client.result("prompts/get", json!({"name": "plan_day", "arguments": arguments})).await;
        assert_eq!(plan["description"], "Plan a day.");
        let text = "Plan monday for Some(3) hours, keen.";
        assert_eq!(
            plan["messages"],
            json!([
                {"role": "user", "content": {"type": "text", "text": text}},
                {"role": "assistant", "content": {"type": "text", "text": "Gladly."}},
            ])
        );
        let simple = client.result("prompts/get", json!({"name": "simple"})).await;
        assert_eq!(simple["messages"][0]["content"]["text"], "Say something.");
        let mixed = client.result("prompts/get", json!({"name": "mixed"})).await;
        let mixed = mixed["messages"].as_array().unwrap().iter();
        let blocks: Vec<_> = mixed.map(|it| it["content"].clone()).collect();
        // A resource says of which type it is, whoever wrote it.
        let resource = |resource: Value| json!({"type": "resource", "resource": resource});
        assert_eq!(
            blocks,
            [
                json!({"type": "text", "text": "Look:"}),
                json!({"type": "image", "data": "cG5n", "mimeType": "image/png"}),
                resource(json!({"uri": "a:b", "mimeType": "text/plain", "text": "x"})),
                resource(
                    json!({"uri": "a:c", "mimeType": "application/octet-stream", "blob": "cG5n"})
                ),
                resource(json!({"uri": "a:d", "mimeType": "text/markdown", "text": "# x"})),
            ],
            "{revision}"
        );
    }
}

#[tokio::test]
async fn prm_2_and_3_what_is_wrong_with_a_request_for_a_prompt() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let get = async |params: Value| client.error("prompts/get", params).await;
        let unknown = get(json!({"name": "plan_days"})).await;
        assert_eq!(unknown["code"], -32602);
        let missing = get(json!({"name": "plan_day", "arguments": {"tone": "loud"}})).await;
        assert_eq!(missing["code"], -32602, "{revision}");
        assert_eq!(missing["data"]["faults"].as_array().unwrap().len(), 2, "{missing}");
        let more = json!({"day": "x", "tone": "kind", "hour": "1"});
        let more = get(json!({"name": "plan_day", "arguments": more})).await;
        assert_eq!(more["data"]["faults"][0]["suggestion"], "hours", "{more}");
        let number = json!({"day": "x", "tone": "kind", "hours": 3});
        let number = get(json!({"name": "plan_day", "arguments": number})).await;
        assert!(number["message"].as_str().unwrap().contains("`hours` must be a string"));
        for arguments in [json!([]), json!("x"), json!(1)] {
            let error = get(json!({"name": "simple", "arguments": arguments})).await;
            assert_eq!(error["code"], -32602);
        }
        assert_eq!(get(json!({"name": 1})).await["code"], -32602);
        let failing = get(json!({"name": "failing"})).await;
        assert_eq!((&failing["code"], &failing["message"]), (&json!(-32603), &json!("no paper")));
    }
}

#[tokio::test]
async fn mr_1_a_prompt_may_ask_too() {
    let handler = serve();
    let client = Client::able(&handler, MODERN, json!({"elicitation": {}}));
    let asks = client.result("prompts/get", json!({"name": "letter"})).await;
    assert_eq!(asks["resultType"], "input_required");
    let answer = json!({"action": "accept", "content": {"name": "Ada"}});
    let params = json!({
        "name": "letter", "requestState": asks["requestState"], "inputResponses": {"who": answer},
    });
    let letter = client.result("prompts/get", params).await;
    assert_eq!(letter["messages"][0]["content"]["text"], "Write to Ada.");
    let able = Client::at(&handler, MODERN);
    assert_eq!(able.error("prompts/get", json!({"name": "letter"})).await["code"], -32021);
    let legacy = Client::at(&handler, LEGACY[3]);
    assert_eq!(legacy.error("prompts/get", json!({"name": "letter"})).await["code"], -32603);
}

async fn complete(client: &Client, reference: Value, name: &str, value: &str) -> Value {
    let params = json!({"ref": reference, "argument": {"name": name, "value": value}});
    client.result("completion/complete", params).await["completion"].take()
}

fn prompt(name: &str) -> Value {
    json!({"type": "ref/prompt", "name": name})
}

#[tokio::test]
async fn cmp_1_to_5_values_are_suggested() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let page = json!({"type": "ref/resource", "uri": "day://{day}/{tone}"});
        for (reference, name, typed, expected) in [
            (prompt("plan_day"), "day", "mo", json!(["monday", "moonday"])),
            // What is a list needs no source.
            (prompt("plan_day"), "tone", "K", json!(["kind", "keen"])),
            (prompt("plan_day"), "hours", "1", json!([])),
            (prompt("count"), "free", "x", json!([])),
            (prompt("count"), "next", "x", json!(["x after nothing"])),
            (page.clone(), "day", "sun", json!(["sun-day"])),
            (page, "tone", "str", json!(["strict"])),
        ] {
            let found = complete(&client, reference, name, typed).await;
            assert_eq!(found["values"], expected, "{revision} {name}");
            let count = expected.as_array().unwrap().len();
            assert_eq!((&found["total"], &found["hasMore"]), (&json!(count), &json!(false)));
        }
        let params = json!({
            "ref": prompt("count"),
            "argument": {"name": "next", "value": "x"},
            "context": {"arguments": {"number": "7"}},
        });
        let found = client.result("completion/complete", params).await;
        assert_eq!(found["completion"]["values"], json!(["x after 7"]));
    }
}

#[tokio::test]
async fn completion_fa4_many_values() {
    let handler = serve();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let found = complete(&client, prompt("count"), "number", "n").await;
        assert_eq!(found["values"].as_array().unwrap().len(), 100);
        assert_eq!(found["values"][99], "n99");
        assert_eq!((&found["total"], &found["hasMore"]), (&json!(250), &json!(true)));
    }
}

#[tokio::test]
async fn cmp_3_what_cannot_be_completed() {
    let handler = serve();
    let client = Client::at(&handler, MODERN);
    for (reference, name, said) in [
        (prompt("plan_dy"), "day", "did you mean `plan_day`?"),
        (prompt("plan_day"), "dya", "did you mean `day`?"),
        (json!({"type": "ref/resource", "uri": "day://{day}"}), "day", "Unknown template"),
        (json!({"type": "ref/tool", "name": "x"}), "x", "`ref` must be"),
        (json!("x"), "x", "`ref` must be"),
        (Value::Null, "x", "`ref` must be"),
    ] {
        let params = json!({"ref": reference, "argument": {"name": name, "value": ""}});
        let error = client.error("completion/complete", params).await;
        assert_eq!(error["code"], -32602);
        assert!(error["message"].as_str().unwrap().contains(said), "{error}");
    }
    for argument in [Value::Null, json!({"name": "day"}), json!({"name": "day", "value": 1})] {
        let params = json!({"ref": prompt("plan_day"), "argument": argument});
        assert_eq!(client.error("completion/complete", params).await["code"], -32602);
    }
}

#[tokio::test]
async fn cmp_1_no_prompts_no_completions() {
    struct Bare;

    #[agent]
    impl Bare {
        /// Rings.
        #[capability]
        async fn ring(&self) {}
    }

    let handler = Server::new(Bare).handler().unwrap();
    for revision in ALL {
        let client = Client::at(&handler, revision);
        for method in ["prompts/list", "prompts/get", "completion/complete"] {
            assert_eq!(client.error(method, json!({})).await["code"], -32601, "{revision}");
        }
    }
    let _: Option<Suggested> = None;
}

mod coming_and_going {
    use agent_mcp::{Effects, Store};

    use super::*;
    use crate::client::start;

    struct Press;

    #[agent(name = "press", model = bool, message = bool)]
    impl Press {
        /// Only when there is paper.
        #[prompt(available = |paper| *paper)]
        fn print(_cx: &Context<Self>, #[suggest(|_, _| ["a4"])] format: String) -> String {
            format
        }

        /// Always.
        #[prompt]
        fn think() -> &'static str {
            "Think."
        }
    }

    fn update(_: &bool, paper: bool) -> (bool, Effects<bool>) {
        (paper, Effects::none())
    }

    #[tokio::test]
    async fn prm_6_prompts_come_and_go_with_the_state() {
        let store = Store::new(false, update);
        let handler = Server::bind(Press, store.clone()).handler().unwrap();
        for revision in ALL {
            store.send(false).unwrap();
            let client = Client::at(&handler, revision);
            let list = client.result("prompts/list", json!({})).await;
            assert_eq!(names(&list["prompts"]), ["think"]);
            let params = json!({"name": "print", "arguments": {"format": "a4"}});
            let gone = client.error("prompts/get", params.clone()).await;
            assert_eq!(gone["code"], -32602);
            let reference =
                json!({"ref": prompt("print"), "argument": {"name": "format", "value": ""}});
            let hidden = client.error("completion/complete", reference).await;
            assert_eq!(hidden["code"], -32602, "CMP-4");
            if revision == MODERN {
                let listen = client.request(
                    json!(9),
                    "subscriptions/listen",
                    json!({"notifications": {"promptsListChanged": true}}),
                );
                let agent_mcp::mcp::Received::Call(mut stream) = client.receive(&listen) else {
                    panic!()
                };
                start(&mut stream).await;
                store.send(true).unwrap();
                client.connection.announce_changes();
                let heard = client.heard();
                assert_eq!(
                    heard[0]["params"]["notifications"],
                    json!({"promptsListChanged": true})
                );
                assert_eq!(heard[1]["method"], "notifications/prompts/list_changed");
            } else {
                store.send(true).unwrap();
                client.connection.announce_changes();
                let heard = client.heard();
                assert_eq!(heard[0]["method"], "notifications/prompts/list_changed", "{revision}");
            }
            let list = client.result("prompts/list", json!({})).await;
            assert_eq!(names(&list["prompts"]), ["print", "think"]);
            assert!(client.result("prompts/get", params).await["messages"].is_array());
        }
    }
}
