//! What an agent may see of the list and do with it.

use agent_mcp::{AuditLog, Caller, Completion, Context, Denied, agent, data};

use crate::admin;
use crate::import;
use crate::model::{Filter, Model, Todo, TodoId};
use crate::storage::{Storage, checklist};
use crate::update::Message;
use crate::user::User;

/// The list, as agents meet it. What it shows and changes is in the [`Model`].
#[derive(Clone, Default)]
pub struct TodoAgent {
    /// Who did what.
    pub(crate) audit: AuditLog,
    /// Where the list is kept.
    pub(crate) storage: Storage,
}

/// What an agent sees at a glance.
#[data]
pub struct Visible {
    /// What the list shows.
    pub filter: Filter,
    /// The selected todo.
    pub selected: Option<TodoView>,
    /// How many todos there are.
    pub todos: usize,
    /// How many of them are still to be done.
    pub open: usize,
    /// Whether everything is saved.
    pub saved: bool,
}

/// A todo.
#[data]
#[derive(Debug, Clone, PartialEq)]
pub struct TodoView {
    /// Its number, for `select`.
    #[id]
    pub id: TodoId,
    /// What is to be done.
    pub title: String,
    /// Whether it is done.
    pub done: bool,
}

/// Which todos to find.
#[data]
pub struct Find {
    /// A part of the title, in any case.
    #[serde(default)]
    pub text: String,
    /// Only those that are to be done, or only those that are done.
    #[serde(default)]
    pub filter: Filter,
    /// How many at most.
    #[schemars(range(min = 1))]
    pub limit: Option<usize>,
}

/// A todo of another list.
#[data]
#[derive(Debug, Clone)]
pub struct Imported {
    /// What is to be done.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// Whether it is done.
    #[serde(default)]
    pub done: bool,
}

/// What is saved now.
#[data]
#[derive(Debug)]
pub struct Saved {
    /// How many changes there have been since the program was started.
    pub changes: u64,
}

/// The number is none of the list's.
#[derive(Debug, thiserror::Error)]
#[error("there is no todo {0}; `find` shows the numbers")]
pub struct NoSuchTodo(TodoId);

/// There is no file to copy.
#[derive(Debug, thiserror::Error)]
#[error("this list lives as long as the program, so there is nothing to back up")]
pub struct NotKept;

/// A todo list that the person at the screen and you share.
///
/// `select` a todo before you rename, complete or delete it: the person sees what is selected, and may select
/// something else at any time.
#[agent(
    name = "todo",
    model = Model,
    message = Message,
    principal = User,
    parts(admin::Admin, import::Import),
    calls = pub TodoCalls,
)]
impl TodoAgent {
    /// The list at a glance.
    #[context]
    fn context(cx: &Context<Self>) -> Visible {
        let model = cx.model();
        Visible {
            filter: model.filter,
            selected: model.selected().map(TodoView::of),
            todos: model.todos.len(),
            open: model.todos.iter().filter(|todo| Filter::Open.shows(todo)).count(),
            saved: model.saving.is_complete(),
        }
    }

    /// The todos that the list shows, newest first.
    #[resource]
    fn todos(cx: &Context<Self>) -> Vec<TodoView> {
        cx.model().shown().map(TodoView::of).collect()
    }

    /// The selected todo, or null.
    #[resource]
    fn selected(cx: &Context<Self>) -> Option<TodoView> {
        cx.model().selected().map(TodoView::of)
    }

    /// One todo, whether the list shows it or not.
    #[resource(uri = "todo://{id}")]
    fn todo(
        cx: &Context<Self>,
        /// Its number, as `find` shows it.
        #[suggest(numbers)]
        id: TodoId,
    ) -> Option<TodoView> {
        cx.model().todo(id).map(TodoView::of)
    }

    /// Plan the day with what is still to be done.
    #[prompt(title = "Plan the day")]
    fn plan_day(
        cx: &Context<Self>,
        /// How many hours there are.
        #[schemars(range(min = 1, max = 24))]
        hours: u8,
        /// What comes first: a todo, or something else.
        #[suggest(open_titles)]
        first: Option<String>,
    ) -> String {
        let first = first.map_or_else(String::new, |first| format!(" Begin with this: {first}."));
        let open: Vec<_> = open(cx).cloned().collect();
        format!(
            "I have {hours} hours today. Plan them with what is on my list, and say what has to wait.{first}\n\n{}",
            checklist(&open),
        )
    }

    /// Find todos, newest first, whatever the list shows at the moment.
    #[capability(read_only, coerce)]
    fn find(cx: &Context<Self>, #[args] wanted: Find) -> Vec<TodoView> {
        let text = wanted.text.to_lowercase();
        let matches =
            |todo: &&Todo| wanted.filter.shows(todo) && todo.title.to_lowercase().contains(&text);
        let found = cx.model().todos.iter().rev().filter(matches).map(TodoView::of);
        found.take(wanted.limit.unwrap_or(usize::MAX)).collect()
    }

    /// The whole list as a Markdown checklist.
    #[capability(read_only)]
    fn export(cx: &Context<Self>) -> String {
        checklist(&cx.model().todos)
    }

    /// Write down something to do.
    #[capability(authorize = may_edit)]
    fn add(
        /// What is to be done, in a few words.
        #[schemars(length(min = 1, max = 200))]
        title: String,
    ) -> Message {
        Message::Added { title }
    }

    /// Take over todos from another list. Whatever else they say, such as when they are due, is left out.
    #[capability(authorize = may_edit, open)]
    fn import(
        /// The todos, oldest first.
        todos: Vec<Imported>,
    ) -> Message {
        Message::Imported(todos.into_iter().map(|todo| (todo.title, todo.done)).collect())
    }

    /// Choose what the list shows.
    #[capability(idempotent)]
    fn show(
        /// Which todos.
        filter: Filter,
    ) -> Message {
        Message::Filtered(filter)
    }

    /// Select a todo.
    #[capability(idempotent)]
    fn select(
        cx: &Context<Self>,
        /// Its number, as `find` shows it.
        #[id]
        id: TodoId,
    ) -> Result<Message, NoSuchTodo> {
        cx.model().todo(id).map(|todo| Message::Selected { id: todo.id }).ok_or(NoSuchTodo(id))
    }

    /// Select nothing.
    #[capability(available = is_selected, idempotent)]
    fn deselect() -> Message {
        Message::Deselected
    }

    /// Give the selected todo another title.
    #[capability(available = is_selected, authorize = may_edit, idempotent)]
    fn rename_selected(
        cx: &Context<Self>,
        /// The new title.
        #[schemars(length(min = 1, max = 200))]
        title: String,
    ) -> Message {
        Message::Renamed { id: selected(cx), title }
    }

    /// Mark the selected todo as done.
    #[capability(
        available = |model| model.selected().is_some_and(|todo| !todo.done),
        authorize = may_edit,
        idempotent,
    )]
    fn complete_selected(cx: &Context<Self>) -> Message {
        Message::Completed { id: selected(cx) }
    }

    /// Move the selected todo to the archive. Answers when it is there.
    #[capability(
        available = |model| model.selected.is_some() && model.archiving.is_none(),
        authorize = |call| call.principal.may_delete,
        completion = |call, message| match message {
            Message::Deleted { request, .. } if *request == call.invocation.id => Completion::Done(()),
            Message::DeleteFailed { request, why } if *request == call.invocation.id => Completion::failed(why),
            _ => Completion::Pending,
        },
        timeout = "10s",
        destructive,
    )]
    fn delete_selected(cx: &Context<Self>) -> Message {
        Message::DeleteRequested { request: cx.invocation().id.clone(), id: selected(cx) }
    }

    /// Save the list. Answers when all changes are on disk.
    #[capability(
        authorize = may_edit,
        completion = when(|_call, model| match &model.saving.problem {
            Some(why) => Completion::failed(why),
            None if model.saving.is_complete() => Completion::Done(Saved { changes: model.saving.saved }),
            None => Completion::Pending,
        }),
        timeout = "10s",
        concurrency = 1,
        idempotent,
    )]
    fn save() -> Message {
        Message::SaveRequested
    }

    /// Copy the list as it is now to a backup beside its file. Answers when the copy is there.
    #[capability(
        authorize = may_edit,
        completion = when(|agent| agent.storage.backup(), |call, backup| match &backup.problem {
            Some((request, why)) if *request == call.invocation.id => Completion::failed(why),
            _ if backup.changes >= Some(call.model.saving.changes) => Completion::Done(()),
            _ => Completion::Pending,
        }),
        timeout = "10s",
        inline,
        idempotent,
    )]
    fn back_up(&self, cx: &Context<Self>) -> Result<Message, NotKept> {
        let request = cx.invocation().id.clone();
        self.storage.is_kept().then_some(Message::BackupRequested { request }).ok_or(NotKept)
    }
}

/// The selected todo of the snapshot that `available` has seen; zero is no todo's number.
fn selected(cx: &Context<TodoAgent>) -> TodoId {
    cx.model().selected.unwrap_or_default()
}

/// What is still to be done, oldest first.
fn open(cx: &Context<TodoAgent>) -> impl Iterator<Item = &Todo> {
    cx.model().todos.iter().filter(|todo| Filter::Open.shows(todo))
}

/// What is still to be done and has the typed text in its title.
fn open_titles(cx: &Context<TodoAgent>, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let titles = open(cx).map(|todo| todo.title.clone());
    titles.filter(|title| title.to_lowercase().contains(&typed)).collect()
}

/// The numbers of the list's todos that begin with what is typed, newest first.
fn numbers(cx: &Context<TodoAgent>, typed: &str) -> Vec<String> {
    let numbers = cx.model().todos.iter().rev().map(|todo| todo.id.to_string());
    numbers.filter(|number| number.starts_with(typed)).collect()
}

/// Whether a todo is selected, and what the agent reads when it calls all the same.
fn is_selected(model: &Model) -> Result<(), &'static str> {
    model.selected.map(|_| ()).ok_or("no todo is selected; `select` one first")
}

/// One rule for several capabilities, whatever their input is.
pub(crate) fn may_edit(call: &Caller<TodoAgent>) -> Result<(), Denied> {
    let user = &call.principal;
    if user.may_edit {
        Ok(())
    } else {
        Err(Denied::because(format!("{} may only look", user.name)))
    }
}

impl TodoView {
    fn of(todo: &Todo) -> Self {
        Self { id: todo.id, title: todo.title.clone(), done: todo.done }
    }
}
