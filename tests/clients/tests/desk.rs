//! The travel desk, which talks back in every way that there is, as real clients meet it over stdio and over HTTP.

#![allow(clippy::unwrap_used)] // helpers of tests are tests

use agent_mcp_clients::{
    Client, Era, Notice, Question, Reach, Served, Server, Session, Transport, over_every_transport,
};
use serde_json::{Value, json};

over_every_transport!(scenario);

async fn scenario(client: Client, transport: Transport) {
    let desk = Served::new(env!("CARGO_BIN_EXE_desk-under-test"));
    let (reach, _server) = match transport {
        Transport::Stdio => (Reach::Stdio(desk), None),
        Transport::Http => {
            let server = Server::start(&desk.arg("http").arg("127.0.0.1:0")).await;
            (server.reach("nobody's"), Some(server))
        }
    };
    let mut session = Session::open(client, reach, env!("CARGO_TARGET_TMPDIR").as_ref()).await;
    assert_eq!(session.hello().await["protocol"], client.revision());
    the_model_is_asked(&mut session).await;
    the_model_uses_a_tool(&mut session).await;
    the_folders_are_listed(&mut session).await;
    a_form_is_filled_in(client, &mut session).await;
    if client.era() == Era::Legacy {
        a_question_goes_away_with_its_call(client, transport, &mut session).await;
    }
    everybody_is_asked(&mut session).await;
    a_prompt_asks(&mut session).await;
    suggestions_depend_on_what_is_chosen(&mut session).await;
    log_messages_come_from_the_level_that_is_wanted(&mut session).await;
    a_plan_is_given_up(client, &mut session).await;
    a_plan_is_made_while_something_else_is_done(client, &mut session).await;
    session.close().await;
}

/// What the client's model says.
fn said(text: &str) -> Value {
    json!({
        "role": "assistant",
        "content": {"type": "text", "text": text},
        "model": "parrot",
        "stopReason": "endTurn",
    })
}

fn accepted(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

async fn the_model_is_asked(session: &mut Session) {
    session.will_answer(Question::Sampling, said("A list of groceries.")).await;
    let summary = session.call("summarize", json!({"text": "tea, milk"})).await;
    assert_eq!((summary.is_error, &summary.text[..]), (false, "A list of groceries."));
    let [asked] = &session.asked(Question::Sampling).await[..] else { panic!("asked once") };
    assert_eq!(asked["systemPrompt"], "Say in one line what this is about.");
    assert_eq!((&asked["maxTokens"], &asked["messages"][0]["role"]), (&json!(50), &json!("user")));
    assert_eq!(asked["messages"][0]["content"]["text"], "tea, milk");
}

async fn the_model_uses_a_tool(session: &mut Session) {
    let graz = json!({"city": "Graz"});
    let used = json!({"type": "tool_use", "id": "1", "name": "timetable", "input": graz});
    let mut uses = said("");
    (uses["content"], uses["stopReason"]) = (json!([used]), json!("toolUse"));
    session.will_answer(Question::Sampling, uses).await;
    session.will_answer(Question::Sampling, said("Take the train at 8:05.")).await;
    let connection = session.call("connection", graz).await;
    assert_eq!(connection.text, "Take the train at 8:05.", "{connection:?}");

    let asked = session.asked(Question::Sampling).await;
    let [first, second] = &asked[..] else { panic!("asked twice: {asked:?}") };
    let tool = &first["tools"][0];
    assert_eq!(
        (&tool["name"], &tool["inputSchema"]["required"]),
        (&json!("timetable"), &json!(["city"]))
    );
    assert_eq!(second["messages"][1]["content"], json!([used]));
    let answer = &second["messages"][2]["content"][0];
    assert_eq!((&answer["type"], &answer["toolUseId"]), (&json!("tool_result"), &json!("1")));
    assert_eq!(answer["content"][0]["text"], "The train to Graz leaves at 8:05.");
}

async fn the_folders_are_listed(session: &mut Session) {
    // Each time anew: they may have changed.
    for folder in ["trips", "bills"] {
        let root = json!({"uri": format!("file:///home/ada/{folder}"), "name": folder});
        session.will_answer(Question::Roots, json!({"roots": [root]})).await;
        let folders = session.call("folders", json!({})).await;
        assert_eq!(folders.text, format!("{folder}: file:///home/ada/{folder}"));
    }
    assert_eq!(session.asked(Question::Roots).await.len(), 2);
}

async fn a_form_is_filled_in(client: Client, session: &mut Session) {
    // What is left empty has its default.
    let guest = json!({"name": "Ada", "extras": ["sauna", "parking"]});
    session.will_answer(Question::Form, accepted(guest)).await;
    let booked = session.call("book", json!({})).await;
    assert_eq!(booked.text, "Ada, 1, Breakfast, [Sauna, Parking], None", "{booked:?}");

    let [asked] = &session.asked(Question::Form).await[..] else { panic!("asked once") };
    assert_eq!(asked["message"], "Who comes?");
    let form = &asked["requestedSchema"];
    assert_eq!(form["required"], json!(["name", "extras"]));
    let fields = &form["properties"];
    assert_eq!(fields["name"]["description"], "How we call you.");
    let people = &fields["people"];
    assert_eq!((&people["type"], &people["title"]), (&json!("integer"), &json!("Guests")));
    assert_eq!((&people["maximum"], &people["default"]), (&json!(9), &json!(1)));
    let board = &fields["board"]["oneOf"][1];
    assert_eq!(board, &json!({"const": "full", "title": "Three meals"}));
    assert_eq!(fields["extras"]["items"]["enum"], json!(["sauna", "bicycle", "parking"]));

    // What does not fit is told with all that is wrong, as the result of the call or as an error of the request
    // that brought the answer.
    session.will_answer(Question::Form, accepted(json!({"name": "Ada", "people": 12}))).await;
    let refused = session.try_call("book", json!({})).await;
    let why = match client.era() {
        Era::Legacy => refused.ok().filter(|call| call.is_error).map(|call| call.text),
        Era::Modern => {
            refused.err().filter(|error| error.code == -32602).map(|error| error.message)
        }
    };
    let why = why.unwrap_or_default();
    assert!(why.contains("`people`: expected an integer from 1 to 9"), "{why}");
    assert!(why.contains("`extras` is required"), "{why}");

    session.will_answer(Question::Form, json!({"action": "cancel"})).await;
    let dismissed = session.call("book", json!({})).await;
    assert_eq!(
        (dismissed.is_error, &dismissed.text[..]),
        (true, "The user dismissed the question without an answer.")
    );
    assert_eq!(session.asked(Question::Form).await.len(), 2);
}

/// At 2026-07-28 the question is in the hands of the client, and of no concern to the server.
async fn a_question_goes_away_with_its_call(
    client: Client,
    transport: Transport,
    session: &mut Session,
) {
    session.will_not_answer(Question::Form).await;
    session.start("book", json!({})).await;
    while session.asked(Question::Form).await.is_empty() {}
    session.give_up().await;
    // `rmcp` reads no further in the stream of a call that is given up, and there the notice is.
    if (client, transport) != (Client::Rust(Era::Legacy), Transport::Http) {
        session.heard(Notice::Withdrawn).await;
    }
}

/// The client and its model at once, then the person.
async fn everybody_is_asked(session: &mut Session) {
    session.will_answer(Question::Roots, json!({"roots": []})).await;
    session.will_answer(Question::Sampling, said("Graz")).await;
    session.will_answer(Question::Form, accepted(json!({"city": "Linz"}))).await;
    let advice = session.call("advise", json!({})).await;
    assert_eq!(advice.text, "Graz was said, Linz is wished, 0 folders", "{advice:?}");
    let asked = session.asked(Question::Form).await;
    assert_eq!((asked.len(), &asked[0]["message"]), (1, &json!("How about Graz?")));
    // Nobody is asked twice, though the tool runs again after each round.
    assert_eq!(session.asked(Question::Roots).await.len(), 1);
    assert_eq!(session.asked(Question::Sampling).await.len(), 1);
}

async fn a_prompt_asks(session: &mut Session) {
    session.will_answer(Question::Form, accepted(json!({"city": "Volos"}))).await;
    let messages = session.prompt("interview", json!({})).await.unwrap();
    assert_eq!(messages[0]["content"]["text"], "Ask me what I know of Volos.");
    let asked = session.asked(Question::Form).await;
    assert_eq!((asked.len(), &asked[0]["message"]), (1, &json!("What is it about?")));
}

async fn suggestions_depend_on_what_is_chosen(session: &mut Session) {
    let describe = || json!({"type": "ref/prompt", "name": "describe"});
    assert_eq!(session.suggestions(describe(), "country", "A", None).await, ["Austria"]);
    for (country, cities) in
        [("Austria", &["Graz", "Linz", "Vienna"][..]), ("Greece", &["Athens", "Volos"])]
    {
        let chosen = Some(json!({"country": country}));
        assert_eq!(session.suggestions(describe(), "city", "", chosen).await, cities);
    }
    assert!(session.suggestions(describe(), "city", "", None).await.is_empty());
}

async fn log_messages_come_from_the_level_that_is_wanted(session: &mut Session) {
    let warning = ("warning", "The desk closes soon.");
    let all = [("debug", "The desk is looked for."), ("info", "The desk is open."), warning];
    for (from, messages) in [("warning", &[warning][..]), ("debug", &all)] {
        session.log_from(from).await;
        assert_eq!(session.call("announce", json!({})).await.text, "It is announced.");
        for (level, data) in messages {
            let heard = session.heard(Notice::Log).await;
            assert_eq!((&heard["level"], &heard["data"]), (&json!(level), &json!(data)));
        }
    }
}

/// Begins a plan, which is a task for whoever keeps tasks and a call for the others. Both say how far they are.
async fn half_of_a_plan_is_made(client: Client, session: &mut Session) {
    session.start("plan", json!({})).await;
    let half = "half of the plan is made";
    if client.keeps_tasks() {
        while session.heard(Notice::Task).await != json!({"status": "working", "message": half}) {}
    } else {
        assert_eq!(session.progressed(half).await, (Some(1.0), Some(2.0)));
    }
}

async fn a_plan_is_given_up(client: Client, session: &mut Session) {
    half_of_a_plan_is_made(client, session).await;
    assert_eq!(session.call("plans", json!({})).await.text, "Plans that wait: 1.");
    session.give_up().await;
    if client.keeps_tasks() {
        while session.heard(Notice::Task).await["status"] != "cancelled" {}
    }
    while session.call("plans", json!({})).await.text != "Plans that wait: 0." {}
}

async fn a_plan_is_made_while_something_else_is_done(client: Client, session: &mut Session) {
    session.will_answer(Question::Form, accepted(json!({"city": "Athens"}))).await;
    half_of_a_plan_is_made(client, session).await;
    assert_eq!(session.call("finish", json!({})).await.text, "ok");
    let plan = session.finish().await.unwrap();
    assert_eq!((plan.is_error, &plan.text[..]), (false, "The plan for Athens is made."));
    // It asks in the middle.
    let asked = session.asked(Question::Form).await;
    assert_eq!((asked.len(), &asked[0]["message"]), (1, &json!("Where do you want to go?")));
    if client.keeps_tasks() {
        while session.heard(Notice::Task).await["status"] != "input_required" {}
        while session.heard(Notice::Task).await["status"] != "completed" {}
    }
}
