//! What a form asks for, and how what was filled in is read (EL-1, EL-2, EL-5).

use std::sync::Arc;

use agent_mcp::{
    Choice, Context, Form, Invocation, Outcome, Server, Unanswered, agent,
    runtime::{Answer, Dialogue, FieldKind, FormSchema, Means, Question, Refusal, TextFormat},
};
use serde_json::{Value, json};

/// The documentation of the whole says nothing in a form.
#[derive(Form)]
#[serde(rename_all = "camelCase")]
struct Profile {
    /// How others see you.
    ///
    /// It can be changed.
    #[form(title = "Name", default = "John Doe", min_length = 2, max_length = 10)]
    display_name: String,
    #[form(default = 30, min = 18)]
    age: i32,
    #[form(default = 95.5, max = 100.0)]
    score: f64,
    #[form(default = Status::Active)]
    status: Status,
    #[form(default = true)]
    verified: bool,
    #[serde(rename = "mail")]
    #[form(format = "email")]
    e_mail: Option<String>,
    #[form(min_items = 1, default = [Status::Pending])]
    history: Vec<Status>,
    #[serde(default)]
    note: String,
    #[serde(default = "seven")]
    days: u8,
    big: Option<u64>,
}

fn seven() -> u8 {
    7
}

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(Choice)]
enum Size {
    /// Fits
    /// a pocket
    ///
    /// Or nearly so.
    Small,
    #[form(title = "Fits a car")]
    #[serde(rename = "big")]
    Large,
    Other,
}

/// All five ways of a choice.
#[derive(Form)]
struct Choices {
    _untitled: Status,
    _titled: Size,
    #[form(enum_names)]
    _legacy: Size,
    _untitled_multi: Vec<Status>,
    _titled_multi: Vec<Size>,
}

#[derive(Form)]
struct Boxed<T: agent_mcp::runtime::Field> {
    value: T,
}

/// Forms that a macro makes.
macro_rules! sheets {
    ($sheet:ident { $field:ident: $default:expr }) => {
        #[derive(Form)]
        struct $sheet {
            #[form(min = 1, default = $default)]
            $field: u8,
            #[form(format = "date", max_length = 10)]
            day: Option<String>,
        }
    };
}

sheets!(Sheet { count: 3 });

struct Desk;

#[agent]
impl Desk {
    /// Asks for everything.
    #[capability]
    async fn profile(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let profile: Profile = cx.ask("form", "Who are you?").await?;
        let Profile {
            display_name,
            age,
            score,
            status,
            verified,
            e_mail,
            history,
            note,
            days,
            big,
        } = profile;
        Ok(format!(
            "{display_name} {age} {score} {status:?} {verified} {e_mail:?} {history:?} {note:?} {days} {big:?}"
        ))
    }

    /// Asks for choices.
    #[capability]
    async fn choices(&self, cx: &Context<Self>) -> Result<(), Unanswered> {
        cx.ask::<Choices>("form", "Choose.").await.map(drop)
    }

    /// Asks for consent.
    #[capability]
    async fn consent(&self, cx: &Context<Self>) -> Result<bool, Unanswered> {
        Ok(cx.ask::<()>("form", "Shall I?").await.is_ok())
    }

    /// Asks with a form that a macro makes.
    #[capability]
    async fn sheet(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let sheet: Sheet = cx.ask("form", "How many?").await?;
        Ok(format!("{} {:?}", sheet.count, sheet.day))
    }

    /// Asks for a value.
    #[capability]
    async fn boxed(&self, cx: &Context<Self>) -> Result<u16, Unanswered> {
        Ok(cx.ask::<Boxed<u16>>("form", "How many?").await?.value)
    }
}

async fn run(tool: &str, dialogue: &Arc<Dialogue>) -> Outcome {
    let runtime = Server::new(Desk).runtime().unwrap();
    let invocation = Invocation::new().with_dialogue(dialogue.clone());
    runtime.in_process().call_as(tool, &json!({}), invocation).await
}

async fn schema(tool: &str) -> Arc<FormSchema> {
    let outcome = run(tool, &Arc::new(Dialogue::new(Means::ALL))).await;
    let Outcome::Asks(asks) = outcome else { panic!("{outcome:?}") };
    let (_, Question::Form { schema, .. }) = &asks.questions[0] else { panic!() };
    schema.clone()
}

async fn fill(tool: &str, content: Value) -> Outcome {
    let dialogue = Arc::new(Dialogue::new(Means::ALL));
    let answer = json!({"action": "accept", "content": content});
    dialogue.answer_beforehand("form", Answer::Given(answer));
    run(tool, &dialogue).await
}

async fn read(tool: &str, content: Value) -> String {
    fill(tool, content).await.json().unwrap()
}

async fn refused(tool: &str, content: Value) -> String {
    let outcome = fill(tool, content).await;
    let Outcome::Refused(Refusal::BadAnswer { why, .. }) = outcome else { panic!("{outcome:?}") };
    why
}

#[tokio::test]
async fn el_2_a_struct_is_a_flat_form() {
    let schema = schema("profile").await;
    let names: Vec<_> = schema.fields.iter().map(|field| field.name).collect();
    let expected = [
        "displayName",
        "age",
        "score",
        "status",
        "verified",
        "mail",
        "history",
        "note",
        "days",
        "big",
    ];
    assert_eq!(names, expected);
    let required = schema.fields.iter().filter(|field| field.required).count();
    assert_eq!(required, 0, "what has a default, and what is optional");

    let field = |name: &str| schema.fields.iter().find(|field| field.name == name).unwrap();
    let name = field("displayName");
    assert_eq!((name.title, &name.default), (Some("Name"), &Some(json!("John Doe"))));
    assert_eq!(name.description, Some("How others see you.\n\nIt can be changed."));
    let FieldKind::Text { format: None, min_length: Some(2), max_length: Some(10), .. } = name.kind
    else {
        panic!("{name:?}")
    };
    let FieldKind::Text { format: Some(TextFormat::Email), .. } = field("mail").kind else {
        panic!()
    };
    let FieldKind::Number { integer: true, minimum: Some(minimum), .. } = &field("age").kind else {
        panic!()
    };
    assert_eq!(minimum.as_i64(), Some(18));
    for (name, default) in [
        ("age", json!(30)),
        ("score", json!(95.5)),
        ("status", json!("active")),
        ("verified", json!(true)),
        ("history", json!(["pending"])),
        ("note", json!("")),
        ("days", json!(7)),
    ] {
        assert_eq!(field(name).default, Some(default), "{name}");
    }
}

#[tokio::test]
async fn el_2_a_choice_has_titles_where_the_enum_has() {
    let schema = schema("choices").await;
    assert!(schema.fields.iter().all(|field| field.required));
    let options = |place: usize| match &schema.fields[place].kind {
        FieldKind::Single { options, .. } | FieldKind::Multi { options, .. } => {
            options.iter().map(|option| (option.value, option.title)).collect::<Vec<_>>()
        }
        kind => panic!("{kind:?}"),
    };
    assert_eq!(options(0), [("active", None), ("inactive", None), ("pending", None)]);
    let titled = [("Small", Some("Fits a pocket")), ("big", Some("Fits a car")), ("Other", None)];
    assert_eq!(options(1), titled);
    assert_eq!(options(4), titled);
    let names = |place: usize| {
        matches!(schema.fields[place].kind, FieldKind::Single { enum_names: true, .. })
    };
    assert!(!names(1) && names(2));
}

#[tokio::test]
async fn el_5_what_is_left_out_has_its_default() {
    assert_eq!(
        read("profile", json!({})).await,
        r#"John Doe 30 95.5 Active true None [Pending] "" 7 None"#
    );
    let filled = json!({
        "displayName": "Ada", "age": 36.0, "score": 7, "status": "pending", "verified": false,
        "mail": "ada@example.com", "history": ["active", "inactive"], "note": "n", "days": 1,
        "big": u64::MAX, "other": "is nobody's business",
    });
    assert_eq!(
        read("profile", filled).await,
        format!(
            r#"Ada 36 7 Pending false Some("ada@example.com") [Active, Inactive] "n" 1 Some({})"#,
            u64::MAX
        )
    );
    let nulls = json!({"mail": null, "age": null, "big": null});
    assert!(read("profile", nulls).await.starts_with("John Doe 30 "));
    assert_eq!(read("sheet", json!({})).await, "3 None");
    assert!(fill("consent", json!({})).await.json::<bool>().unwrap());
    assert_eq!(fill("boxed", json!({"value": 7})).await.json::<u16>().unwrap(), 7);
}

#[tokio::test]
async fn el_5_every_fault_is_told_and_no_value() {
    let wrong = json!({
        "displayName": "s", "age": 17, "score": "secret", "status": "activ", "verified": "yes",
        "mail": "secret", "history": [], "note": 1, "days": 256, "big": 1.5,
    });
    assert_eq!(
        refused("profile", wrong).await,
        "`displayName`: expected a string of 2 to 10 characters, got another string\n\
         `age`: expected an integer from 18 to 2147483647, got another number\n\
         `score`: expected a number of at most 100, got a string\n\
         `status`: expected one of `active`, `inactive`, `pending`, got another string, did you mean `active`?\n\
         `verified`: expected a boolean, got a string\n\
         `mail`: expected an e-mail address, got a string\n\
         `history`: expected an array of at least 1 item of `active`, `inactive`, `pending`, got another array\n\
         `note`: expected a string, got a number\n\
         `days`: expected an integer from 0 to 255, got another number\n\
         `big`: expected an integer from 0 to 18446744073709551615, got another number"
    );
    assert_eq!(
        refused("choices", json!({"_untitled": "active", "_untitled_multi": ["active", 7]})).await,
        "`_titled` is required: expected one of `Small`, `big`, `Other`\n\
         `_legacy` is required: expected one of `Small`, `big`, `Other`\n\
         `_untitled_multi[1]`: expected one of `active`, `inactive`, `pending`, got a number\n\
         `_titled_multi` is required: expected an array of `Small`, `big`, `Other`"
    );
    assert_eq!(refused("choices", json!(7)).await, "`content`: expected an object, got a number");
}

#[tokio::test]
async fn ver_21_several_options_may_be_typed() {
    let read = read("profile", json!({"history": " pending,active , "})).await;
    assert!(read.contains("[Pending, Active]"), "{read}");
    assert_eq!(
        refused("profile", json!({"history": "pending; active"})).await,
        "`history[0]`: expected one of `active`, `inactive`, `pending`, got another string"
    );
}
