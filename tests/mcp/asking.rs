//! What a method asks of its caller is written once and means one thing in both eras (LSR-6, MR-*, EL-*, SA-*,
//! RO-*): each example is driven over live requests and over results that ask for more, to the same outcome.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

use agent_mcp::{
    Context, Form, LogLevel, Server, Unanswered, agent,
    mcp::{Exchange, Handler, Received},
    runtime::Sampling,
};
use serde_json::{Value, json};

use crate::client::{Client, LEGACY, MODERN, request};

#[derive(Form)]
struct Sure {
    sure: bool,
}

#[derive(Clone, Default)]
struct Desk {
    runs: Arc<AtomicUsize>,
    charged: Arc<AtomicUsize>,
    rude: Arc<AtomicUsize>,
}

#[agent(name = "desk")]
impl Desk {
    /// Asks before it deletes.
    #[capability(destructive)]
    async fn delete(&self, cx: &Context<Self>, count: u32) -> Result<String, Unanswered> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        let answer: Sure = cx.ask("sure", format!("Delete {count}?")).await?;
        Ok(if answer.sure { format!("deleted {count}") } else { "kept".to_owned() })
    }

    /// Asks two people at once and then one again.
    #[capability]
    async fn rounds(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let (one, roots) = tokio::join!(cx.ask::<Sure>("one", "One?"), cx.roots());
        let (one, roots) = (one?, roots?);
        let charged =
            cx.once("charge", async { self.charged.fetch_add(1, Ordering::SeqCst) }).await;
        let two: Sure = cx.ask("two", format!("Two, in {}?", roots[0].uri)).await?;
        Ok(format!("{} {} {charged}", one.sure, two.sure))
    }

    /// Changes its mind about what it asks.
    #[capability(read_only)]
    async fn fickle(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let round = self.rude.fetch_add(1, Ordering::SeqCst).min(1);
        let answer: Sure = cx.ask("sure", format!("Round {round}?")).await?;
        Ok(format!("{} after {round}", answer.sure))
    }

    /// Asks the model.
    #[capability]
    async fn sum_up(&self, cx: &Context<Self>, text: String) -> Result<String, Unanswered> {
        let sampled = cx.sample("sum", Sampling::new(text)).await?;
        Ok(format!("LLM response: {}", sampled.text()))
    }

    /// Sends the person to a page.
    #[capability]
    async fn pay(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        cx.ask_url("pay", "Pay here", "https://pay.example/1").await?;
        Ok("paid".to_owned())
    }

    /// Talks while it asks.
    #[capability]
    async fn chat(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        cx.progress().report(1.0);
        cx.log(LogLevel::Info, "asking");
        let answer: Sure = cx.ask("sure", "Sure?").await?;
        cx.progress().report(2.0);
        Ok(answer.sure.to_string())
    }

    /// A page for whoever says who they are.
    #[resource(uri = "desk://page")]
    async fn page(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let answer: Sure = cx.ask("sure", "Sure?").await?;
        Ok(format!("page {}", answer.sure))
    }
}

fn serve() -> (Desk, Handler<()>) {
    let desk = Desk::default();
    let handler = Server::new(desk.clone()).handler().unwrap();
    (desk, handler)
}

fn everything() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

/// The revisions that have forms.
const WITH_FORMS: [&str; 3] = ["2025-06-18", "2025-11-25", MODERN];

/// A caller and what it answers to a question: `Ok` a result, `Err` an error.
type Person<'a> = &'a dyn Fn(&str, &Value) -> Result<Value, Value>;

fn accepts(sure: bool) -> Value {
    json!({"action": "accept", "content": {"sure": sure}})
}

/// Makes a request and answers all that it asks; gives the whole reply and what was asked.
async fn converse(
    client: &Client,
    method: &str,
    params: Value,
    person: Person<'_>,
) -> (Value, Vec<String>) {
    let mut asked = Vec::new();
    let mut params = params;
    loop {
        let Received::Call(mut exchange) =
            client.receive(&client.request(json!(1), method, params.clone()))
        else {
            panic!("not a call")
        };
        let reply = loop {
            match futures(&mut exchange).await {
                Some(reply) => break reply,
                None => {
                    for question in client.heard() {
                        if question.get("id").is_some() {
                            asked.push(question["method"].as_str().unwrap().to_owned());
                            answer(client, &question, person);
                        }
                    }
                }
            }
        };
        if reply["result"]["resultType"] != "input_required" {
            return (reply, asked);
        }
        assert!(reply["result"].get("ttlMs").is_none(), "CAC-2");
        let mut responses = json!({"never asked": {"action": "accept"}});
        for (key, question) in reply["result"]["inputRequests"].as_object().unwrap() {
            asked.push(question["method"].as_str().unwrap().to_owned());
            let answer = person(question["method"].as_str().unwrap(), &question["params"]);
            responses[key] = answer.unwrap();
        }
        params["inputResponses"] = responses;
        params["requestState"] = reply["result"]["requestState"].clone();
    }
}

/// Polls the exchange; `None` where it waits.
async fn futures(exchange: &mut Exchange) -> Option<Value> {
    let reply = std::future::poll_fn(|cx| {
        Poll::Ready(match std::pin::Pin::new(&mut *exchange).poll(cx) {
            Poll::Ready(reply) => Some(reply.unwrap()),
            Poll::Pending => None,
        })
    })
    .await?;
    Some(serde_json::from_slice(&reply).unwrap())
}

fn answer(client: &Client, question: &Value, person: Person<'_>) {
    let answer = person(question["method"].as_str().unwrap(), &question["params"]);
    let message = match answer {
        Ok(result) => json!({"jsonrpc": "2.0", "id": question["id"], "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": question["id"], "error": error}),
    };
    assert!(matches!(client.receive(&message), Received::Nothing));
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}"))
}

#[tokio::test]
async fn lsr_6_one_example_has_one_outcome_in_every_revision() {
    for revision in WITH_FORMS {
        for (action, expected, is_error) in [
            (accepts(true), "deleted 3", false),
            (accepts(false), "kept", false),
            (json!({"action": "decline"}), "The user declined.", true),
            (
                json!({"action": "cancel"}),
                "The user dismissed the question without an answer.",
                true,
            ),
        ] {
            let (desk, handler) = serve();
            let client = Client::able(&handler, revision, everything());
            let params = json!({"name": "delete", "arguments": {"count": 3}});
            let person = |method: &str, params: &Value| {
                assert_eq!(method, "elicitation/create");
                assert_eq!(params["message"], "Delete 3?");
                assert_eq!(params["requestedSchema"]["properties"]["sure"]["type"], "boolean");
                assert_eq!(params["requestedSchema"]["required"], json!(["sure"]));
                Ok(action.clone())
            };
            let (reply, asked) = converse(&client, "tools/call", params, &person).await;
            assert_eq!(text(&reply), expected, "{revision}");
            assert_eq!(reply["result"]["isError"] == true, is_error, "{revision}");
            assert_eq!(asked.len(), 1, "{revision}");
            assert_eq!(desk.runs.load(Ordering::SeqCst), 2, "{revision}");
        }
    }
}

#[tokio::test]
async fn lsr_6_questions_go_out_together_answers_are_kept_and_effects_done_once() {
    for revision in WITH_FORMS {
        let (desk, handler) = serve();
        let client = Client::able(&handler, revision, everything());
        let person = |method: &str, params: &Value| {
            Ok(match method {
                "roots/list" => json!({"roots": [{"uri": "file:///a", "name": "A"}]}),
                _ if params["message"] == "One?" => accepts(true),
                _ => {
                    assert_eq!(params["message"], "Two, in file:///a?");
                    accepts(false)
                }
            })
        };
        let (reply, asked) =
            converse(&client, "tools/call", json!({"name": "rounds"}), &person).await;
        assert_eq!(text(&reply), "true false 0", "{revision}");
        assert_eq!(asked, ["elicitation/create", "roots/list", "elicitation/create"], "{revision}");
        assert_eq!(desk.charged.load(Ordering::SeqCst), 1, "{revision}");
    }
}

#[tokio::test]
async fn mr_5_a_question_that_changed_is_asked_again() {
    for revision in WITH_FORMS {
        let (_, handler) = serve();
        let client = Client::able(&handler, revision, everything());
        let person = |_: &str, params: &Value| Ok(accepts(params["message"] == "Round 1?"));
        let (reply, asked) =
            converse(&client, "tools/call", json!({"name": "fickle"}), &person).await;
        assert_eq!((text(&reply), asked.len()), ("true after 1", 2), "{revision}");
    }
}

#[tokio::test]
async fn sa_1_and_ro_1_models_and_pages() {
    for revision in LEGACY.into_iter().chain([MODERN]) {
        let (_, handler) = serve();
        let client = Client::able(&handler, revision, everything());
        let person = |method: &str, params: &Value| {
            assert_eq!(method, "sampling/createMessage");
            let message = &params["messages"][0];
            assert_eq!(
                (&message["role"], &message["content"]["text"]),
                (&json!("user"), &json!("x"))
            );
            assert!(params["maxTokens"].is_u64());
            let content = json!({"type": "text", "text": "y"});
            Ok(json!({"role": "assistant", "model": "m", "content": content}))
        };
        let params = json!({"name": "sum_up", "arguments": {"text": "x"}});
        let (reply, _) = converse(&client, "tools/call", params, &person).await;
        assert_eq!(text(&reply), "LLM response: y", "{revision}");
    }
    for revision in ["2025-11-25", MODERN] {
        let (_, handler) = serve();
        let client = Client::able(&handler, revision, everything());
        let person = |method: &str, params: &Value| {
            assert_eq!((method, &params["mode"]), ("elicitation/create", &json!("url")));
            assert_eq!(params["url"], "https://pay.example/1");
            assert_eq!(params.get("elicitationId").is_some(), revision != MODERN, "EL-3");
            Ok(json!({"action": "accept"}))
        };
        let (reply, _) = converse(&client, "tools/call", json!({"name": "pay"}), &person).await;
        assert_eq!(text(&reply), "paid", "{revision}");
    }
}

#[tokio::test]
async fn mr_1_a_resource_may_ask_too() {
    for revision in WITH_FORMS {
        let (_, handler) = serve();
        let client = Client::able(&handler, revision, everything());
        let person = |_: &str, _: &Value| Ok(accepts(true));
        let (reply, _) =
            converse(&client, "resources/read", json!({"uri": "desk://page"}), &person).await;
        assert_eq!(reply["result"]["contents"][0]["text"], "page true", "{revision}");
        if revision == MODERN {
            assert_eq!(
                (&reply["result"]["ttlMs"], &reply["result"]["cacheScope"]),
                (&json!(0), &json!("private"))
            );
        }
    }
}

#[tokio::test]
async fn mr_3_and_lsr_1_a_caller_that_cannot_be_asked() {
    for revision in LEGACY.into_iter().chain([MODERN]) {
        let (_, handler) = serve();
        let client = Client::able(&handler, revision, json!({"sampling": {}}));
        for (params, needed) in [
            (json!({"name": "delete", "arguments": {"count": 1}}), json!({"elicitation": {}})),
            (json!({"name": "pay"}), json!({"elicitation": {"url": {}}})),
            (json!({"name": "rounds"}), json!({"elicitation": {}, "roots": {}})),
        ] {
            if revision == MODERN {
                let error = client.error("tools/call", params).await;
                assert_eq!(error["code"], -32021);
                assert_eq!(error["data"]["requiredCapabilities"], needed);
            } else {
                let result = client.result("tools/call", params).await;
                assert_eq!(result["isError"], true, "{revision}");
                let text = result["content"][0]["text"].as_str().unwrap();
                assert!(text.contains("needs a client that can do more"), "{text}");
            }
            assert!(client.heard().is_empty(), "{revision}");
        }
    }
}

#[tokio::test]
async fn el_6_a_page_is_asked_for_in_place_and_never_by_an_error() {
    // 2025-11-25 has an error, -32042, that names pages to be visited first.
    let (_, handler) = serve();
    let with_forms = Client::able(&handler, "2025-11-25", json!({"elicitation": {}}));
    let refused = with_forms.result("tools/call", json!({"name": "pay"})).await;
    assert_eq!(refused["isError"], true);
    assert_eq!(
        refused["content"][0]["text"],
        "`pay` needs a client that can do more: send the user to a page. This one does not offer it."
    );
    assert!(!refused.to_string().contains("pay.example"), "{refused}");

    let with_pages = Client::able(&handler, "2025-11-25", everything());
    let person = |method: &str, params: &Value| {
        assert_eq!((method, &params["mode"]), ("elicitation/create", &json!("url")));
        assert!(params["elicitationId"].is_string(), "EL-3");
        Ok(json!({"action": "accept"}))
    };
    let (reply, asked) = converse(&with_pages, "tools/call", json!({"name": "pay"}), &person).await;
    assert_eq!((text(&reply), asked.len()), ("paid", 1));
}

#[tokio::test]
async fn prg_and_log_come_in_order_while_a_method_asks() {
    for revision in WITH_FORMS {
        let (_, handler) = serve();
        let client = Client::able(&handler, revision, everything());
        let mut params = json!({"name": "chat", "_meta": {"progressToken": 7}});
        if revision == MODERN {
            params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
        }
        let Received::Call(mut exchange) =
            client.receive(&client.request(json!(1), "tools/call", params))
        else {
            panic!()
        };
        let first = futures(&mut exchange).await;
        let heard = client.heard();
        let methods: Vec<_> = heard.iter().map(|it| it["method"].as_str().unwrap()).collect();
        if revision == MODERN {
            assert_eq!(methods, ["notifications/progress", "notifications/message"]);
            assert_eq!(first.unwrap()["result"]["resultType"], "input_required");
            continue;
        }
        assert!(first.is_none());
        assert_eq!(
            methods,
            ["notifications/progress", "notifications/message", "elicitation/create"]
        );
        answer(&client, &heard[2], &|_, _| Ok(accepts(true)));
        let reply = futures(&mut exchange).await.unwrap();
        assert_eq!(text(&reply), "true");
        // Progress rises over all runs of a call (PRG-2).
        let progress: Vec<_> = client
            .heard()
            .iter()
            .filter(|it| it["method"] == "notifications/progress")
            .map(|it| it["params"]["progress"].clone())
            .collect();
        assert_eq!(progress, [json!(2)]);
    }
}

#[tokio::test]
async fn lsr_3_only_the_answer_to_the_question_counts() {
    let (_, handler) = serve();
    let client = Client::able(&handler, "2025-11-25", everything());
    let params = json!({"name": "delete", "arguments": {"count": 1}});
    let call = client.request(json!(1), "tools/call", params);
    let Received::Call(mut exchange) = client.receive(&call) else { panic!() };
    assert!(futures(&mut exchange).await.is_none());
    let question = client.heard().remove(0);
    // Another session's, another id, an id that is no text: nothing of it is an answer.
    let stranger = Client::able(&handler, "2025-11-25", everything());
    answer(&stranger, &question, &|_, _| Ok(accepts(false)));
    for id in [json!("other"), json!(1), Value::Null] {
        let message = json!({"jsonrpc": "2.0", "id": id, "result": accepts(false)});
        assert!(matches!(client.receive(&message), Received::Nothing));
        assert!(futures(&mut exchange).await.is_none());
    }
    answer(&client, &question, &|_, _| Ok(accepts(true)));
    assert_eq!(text(&futures(&mut exchange).await.unwrap()), "deleted 1");
    // A second answer is one too many and harms nobody.
    answer(&client, &question, &|_, _| Ok(accepts(false)));
}

#[tokio::test]
async fn el_5_a_client_that_answers_with_an_error() {
    let (_, handler) = serve();
    let client = Client::able(&handler, "2025-11-25", everything());
    let person = |_: &str, _: &Value| Err(json!({"code": -1, "message": "User rejected"}));
    let params = json!({"name": "sum_up", "arguments": {"text": "x"}});
    let (reply, _) = converse(&client, "tools/call", params, &person).await;
    assert_eq!(reply["result"]["isError"], true);
    assert_eq!(text(&reply), "The client could not answer: User rejected (-1)");
}

#[tokio::test]
async fn el_5_and_mr_7_an_answer_that_is_none() {
    for wrong in [
        json!(12345),
        json!({"action": "what"}),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": {"sure": "no boolean"}}),
    ] {
        for revision in WITH_FORMS {
            let (_, handler) = serve();
            let client = Client::able(&handler, revision, everything());
            let params = json!({"name": "delete", "arguments": {"count": 1}});
            let person = |_: &str, _: &Value| Ok(wrong.clone());
            let (reply, _) = converse(&client, "tools/call", params, &person).await;
            if revision == MODERN {
                assert_eq!(reply["error"]["code"], -32602, "{reply}");
                assert!(reply["error"]["message"].as_str().unwrap().contains("`sure`"), "{reply}");
            } else {
                assert_eq!(reply["result"]["isError"], true, "{reply}");
                assert!(text(&reply).contains("`sure`"), "{reply}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn lsr_an_answer_that_does_not_come() {
    let (_, handler) = serve();
    let client = Client::able(&handler, "2025-11-25", everything());
    let params = json!({"name": "delete", "arguments": {"count": 1}});
    let call = client.request(json!(1), "tools/call", params);
    let Received::Call(exchange) = client.receive(&call) else { panic!() };
    let reply = client.finish(exchange).await.unwrap();
    assert_eq!(text(&reply), "The client did not answer in time.");
    let heard = client.heard();
    assert_eq!(heard[0]["method"], "elicitation/create");
    assert_eq!(heard[1]["method"], "notifications/cancelled");
    assert_eq!(heard[1]["params"]["requestId"], heard[0]["id"]);
    assert_eq!(heard.len(), 2);
}

#[tokio::test]
async fn can_1_a_call_is_cancelled_while_it_waits_for_an_answer() {
    let (desk, handler) = serve();
    let client = Client::able(&handler, "2025-11-25", everything());
    let params = json!({"name": "delete", "arguments": {"count": 1}});
    let call = client.request(json!(1), "tools/call", params);
    let Received::Call(mut exchange) = client.receive(&call) else { panic!() };
    assert!(futures(&mut exchange).await.is_none());
    let question = client.heard().remove(0);
    client.cancel(json!(1));
    assert_eq!(client.finish(exchange).await, None);
    let heard = client.heard();
    assert_eq!(heard[0]["method"], "notifications/cancelled");
    assert_eq!(heard[0]["params"]["requestId"], question["id"]);
    assert_eq!(desk.runs.load(Ordering::SeqCst), 1);
    // The session goes on.
    answer(&client, &question, &|_, _| Ok(accepts(true)));
    let person = |_: &str, _: &Value| Ok(accepts(true));
    let params = json!({"name": "delete", "arguments": {"count": 2}});
    let (reply, _) = converse(&client, "tools/call", params, &person).await;
    assert_eq!(text(&reply), "deleted 2");
}

#[tokio::test]
async fn mr_9_answers_without_a_state_and_mr_7_what_is_missing() {
    let (_, handler) = serve();
    let client = Client::able(&handler, MODERN, everything());
    let params = json!({"name": "delete", "arguments": {"count": 1}});
    let with = |responses: Value| {
        let mut params = params.clone();
        params["inputResponses"] = responses;
        params
    };
    let answered = with(json!({"sure": accepts(true), "other": 1}));
    let result = client.result("tools/call", answered).await;
    assert_eq!(result["content"][0]["text"], "deleted 1");
    for nothing in [json!({}), json!({"other": accepts(true)}), Value::Null] {
        let result = client.result("tools/call", with(nothing)).await;
        assert_eq!(result["resultType"], "input_required");
    }
    for malformed in [json!([]), json!("x"), json!(1)] {
        assert_eq!(client.error("tools/call", with(malformed)).await["code"], -32602);
    }
}

#[tokio::test]
async fn mr_4_5_and_6_a_state_is_for_its_call_and_is_used_once() {
    let (desk, handler) = serve();
    let client = Client::able(&handler, MODERN, everything());
    let params = |count: u32| json!({"name": "delete", "arguments": {"count": count}});
    let asks = client.result("tools/call", params(1)).await;
    let state = asks["requestState"].as_str().unwrap();
    let retry = |mut params: Value, state: Value| {
        params["requestState"] = state;
        params["inputResponses"] = json!({"sure": accepts(true)});
        params
    };
    let tampered = json!(format!("{state}-TAMPERED"));
    for (params, state) in [
        (params(1), tampered),
        (params(1), json!("")),
        (params(1), json!(17)),
        (params(2), json!(state)),
        (json!({"name": "rounds"}), json!(state)),
    ] {
        let error = client.error("tools/call", retry(params, state)).await;
        assert_eq!(error["code"], -32602);
        assert!(error["message"].as_str().unwrap().contains("requestState"), "{error}");
    }
    assert_eq!(desk.runs.load(Ordering::SeqCst), 1, "what is refused is not run");
    // Members in another order are the same arguments.
    let result = client.result("tools/call", retry(params(1), json!(state))).await;
    assert_eq!(result["content"][0]["text"], "deleted 1");
    let again = client.error("tools/call", retry(params(1), json!(state))).await;
    assert_eq!(again["code"], -32602);
    assert!(again["message"].as_str().unwrap().contains("used before"), "{again}");

    // What only reads may be asked for as often as one likes.
    let asks = client.result("tools/call", json!({"name": "fickle"})).await;
    for _ in 0..2 {
        let retried = retry(json!({"name": "fickle"}), asks["requestState"].clone());
        assert!(client.result("tools/call", retried).await.get("resultType").is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn mr_5_a_state_that_is_too_old() {
    let (_, handler) = serve();
    let client = Client::able(&handler, MODERN, everything());
    let mut params = json!({"name": "delete", "arguments": {"count": 1}});
    let asks = client.result("tools/call", params.clone()).await;
    params["requestState"] = asks["requestState"].clone();
    params["inputResponses"] = json!({"sure": accepts(true)});
    tokio::time::advance(Duration::from_secs(602)).await;
    assert_eq!(client.error("tools/call", params).await["code"], -32602);
}

#[tokio::test]
async fn mr_8_any_server_with_the_keys_goes_on() {
    let serve = |keys: &[u8]| {
        let keys: Vec<_> = keys.iter().map(|key| [*key; 32]).collect();
        Server::new(Desk::default()).state_keys(keys).handler().unwrap()
    };
    let (first, second, third) = (serve(&[1]), serve(&[2, 1]), serve(&[3]));
    let mut params = json!({"name": "delete", "arguments": {"count": 1}});
    let asks =
        Client::able(&first, MODERN, everything()).result("tools/call", params.clone()).await;
    params["requestState"] = asks["requestState"].clone();
    params["inputResponses"] = json!({"sure": accepts(true)});
    let result =
        Client::able(&second, MODERN, everything()).result("tools/call", params.clone()).await;
    assert_eq!(result["content"][0]["text"], "deleted 1");
    let error = Client::able(&third, MODERN, everything()).error("tools/call", params).await;
    assert_eq!(error["code"], -32602);
}

#[tokio::test]
async fn a_legacy_client_cannot_answer_in_the_modern_way() {
    let (_, handler) = serve();
    let client = Client::able(&handler, "2025-11-25", json!({}));
    let params = json!({
        "name": "delete", "arguments": {"count": 1}, "inputResponses": {"sure": accepts(true)},
    });
    let reply = client.send(&request(json!(1), "tools/call", params)).await.unwrap();
    assert_eq!(reply["result"]["isError"], true);
}
