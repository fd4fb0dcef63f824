//! What is more than tools: prompts, suggestions, addresses, subscriptions, a question, an import as a task.

use agent_mcp_clients::{Client, Era, Notice, Question, Session, Transport, over_every_transport};
use serde_json::json;

use crate::{Todo, status};

over_every_transport!(scenario);

async fn scenario(client: Client, transport: Transport) {
    let todo = Todo::with_rights("edit,delete,admin");
    let (mut ada, _server) = todo.open(client, transport).await;
    ada.call("add", json!({"title": "Buy tea"})).await;
    a_prompt_plans_the_day(&mut ada).await;
    each_todo_has_an_address(client, &mut ada).await;
    who_subscribes_hears_of_changes(&mut ada).await;
    the_person_is_asked_before_several_todos_go(&mut ada).await;
    a_text_is_imported(client, &mut ada).await;
    ada.close().await;
}

async fn a_prompt_plans_the_day(ada: &mut Session) {
    let prompts = ada.prompts().await;
    assert_eq!(prompts.len(), 1);
    assert_eq!(
        (&prompts[0]["name"], &prompts[0]["title"]),
        (&json!("plan_day"), &json!("Plan the day"))
    );
    let hours = json!({
        "name": "hours", "description": "How many hours there are.", "required": true,
    });
    assert_eq!(prompts[0]["arguments"][0], hours);

    // What she types is in any case, and what is done needs no plan.
    let plan_day = json!({"type": "ref/prompt", "name": "plan_day"});
    assert_eq!(
        ada.suggestions(plan_day, "first", "TE", None).await,
        ["Water the plants", "Buy tea"]
    );

    let plan = json!({"hours": "3", "first": "Buy tea"});
    let messages = ada.prompt("plan_day", plan).await.unwrap();
    assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")));
    let text = messages[0]["content"]["text"].as_str().unwrap();
    assert!(text.starts_with("I have 3 hours today."), "{text}");
    assert!(text.contains("Begin with this: Buy tea."), "{text}");
    assert!(text.ends_with("\n\n- [ ] Water the plants\n- [ ] Buy tea\n"), "{text}");

    let refused = ada.prompt("plan_day", json!({"hours": "all"})).await.unwrap_err();
    assert_eq!(refused.code, -32602, "{refused}");
    assert!(refused.message.contains("hours"), "{refused}");
}

async fn each_todo_has_an_address(client: Client, ada: &mut Session) {
    let templates = ada.templates().await;
    assert_eq!(templates.len(), 1);
    assert_eq!(templates[0]["uriTemplate"], "todo://{id}");
    let todo = json!({"type": "ref/resource", "uri": "todo://{id}"});
    assert_eq!(ada.suggestions(todo, "id", "", None).await, ["2", "1"]);
    assert_eq!(ada.read("todo://2").await, json!({"id": "2", "title": "Buy tea", "done": false}));
    let none = ada.try_read("todo://9").await.unwrap_err();
    // The code before 2026-07-28; `@modelcontextprotocol/client` shows the new one for both.
    let old = client.era() == Era::Legacy && !matches!(client, Client::TypeScript(_));
    let code = if old { -32002 } else { -32602 };
    assert_eq!((none.code, &none.data["uri"]), (code, &json!("todo://9")));
}

async fn who_subscribes_hears_of_changes(ada: &mut Session) {
    for (watched, other) in [("2", "1"), ("1", "2")] {
        let uri = format!("todo://{watched}");
        ada.subscribe(&uri).await;
        rename(ada, other, "Sleep").await;
        // What changes at about the same time is told at the same time, in any order. Of the other todo nothing
        // is told, neither with the first of these nor before the second.
        for title in ["Eat", "Drink"] {
            rename(ada, watched, title).await;
            assert_eq!(ada.heard(Notice::Updated).await["uri"], uri);
            assert_eq!(ada.read(&uri).await["title"], title);
        }
        ada.unsubscribe(&uri).await;
    }
}

async fn rename(ada: &mut Session, id: &str, title: &str) {
    ada.call("select", json!({"id": id})).await;
    ada.call("rename_selected", json!({"title": title})).await;
}

async fn the_person_is_asked_before_several_todos_go(ada: &mut Session) {
    for id in ["1", "2"] {
        ada.call("select", json!({"id": id})).await;
        ada.call("complete_selected", json!({})).await;
    }
    ada.will_answer(Question::Form, json!({"action": "decline"})).await;
    let kept = ada.call("clear_completed", json!({})).await;
    assert_eq!((kept.is_error, &kept.text[..]), (true, "The user declined."));
    let no = json!({"action": "accept", "content": {"forget": false}});
    ada.will_answer(Question::Form, no).await;
    let kept = ada.call("clear_completed", json!({})).await;
    assert_eq!((kept.is_error, &kept.text[..]), (true, "the user wants to keep them"));
    assert_eq!(ada.read("app://context").await["todos"], 2);

    let yes = json!({"action": "accept", "content": {"forget": true}});
    ada.will_answer(Question::Form, yes).await;
    let cleared = ada.call("clear_completed", json!({})).await;
    assert_eq!(cleared.structured, status("clear_completed", "dispatched"), "{cleared:?}");
    assert_eq!(ada.read("app://todos").await, json!([]));

    let asked = ada.asked(Question::Form).await;
    assert_eq!(asked.len(), 3);
    for form in asked {
        assert_eq!(form["message"], "Forget 2 todos that are done? Drink, Sleep");
        let forget = &form["requestedSchema"]["properties"]["forget"];
        assert_eq!(
            (&forget["type"], &forget["title"], &forget["default"]),
            (&json!("boolean"), &json!("Forget them for good"), &json!(false))
        );
    }
}

/// A task for whoever keeps tasks, a call for the others; the list is the same.
async fn a_text_is_imported(client: Client, ada: &mut Session) {
    let text: String = (1..=30).map(|page| format!("Read page {page}\n\n")).collect();
    let imported = ada.call("import_text", json!({"text": text})).await;
    assert_eq!(imported.structured, status("import_text", "dispatched"), "{imported:?}");
    if client.keeps_tasks() {
        while ada.heard(Notice::Task).await["status"] != "completed" {}
    }
    assert_eq!(ada.read("app://context").await["todos"], 30);

    // What is wrong is said at once, and there is no task.
    let empty = ada.call("import_text", json!({"text": "\n \n"})).await;
    assert_eq!((empty.is_error, &empty.text[..]), (true, "all lines are empty"));
}
