//! The state of the application, and what may be seen of it.

use std::sync::Arc;

use agent_mcp::data;

/// The number of a todo, which it keeps for good.
pub type TodoId = u64;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Todo {
    /// Its number.
    pub id: TodoId,
    /// What is to be done.
    pub title: String,
    /// Whether it is done.
    pub done: bool,
}

/// Which todos the list shows.
#[data]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    /// All of them.
    #[default]
    All,
    /// Those that are still to be done.
    Open,
    /// Those that are done.
    Done,
}

/// The whole state. It is never changed in place: `update` makes the next one.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The todos, oldest first.
    pub todos: Arc<Vec<Todo>>,
    /// The number of the last todo that was made.
    pub last_id: TodoId,
    /// The todo that the person and the agent look at.
    pub selected: Option<TodoId>,
    /// What the list shows.
    pub filter: Filter,
    /// The todo that is on its way to the archive.
    pub archiving: Option<TodoId>,
    /// How far saving has come.
    pub saving: Saving,
}

/// Which changes are on disk. Changes are counted; the list is saved when both counts are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Saving {
    /// How many changes there have been.
    pub changes: u64,
    /// How many of them are saved.
    pub saved: u64,
    /// Why the last attempt failed, if it did.
    pub problem: Option<String>,
}

impl Model {
    /// The state with these todos and nothing else.
    pub fn with(todos: Vec<Todo>) -> Self {
        let last_id = todos.iter().map(|todo| todo.id).max().unwrap_or(0);
        Self { todos: Arc::new(todos), last_id, ..Self::default() }
    }

    /// The todo of that number.
    pub fn todo(&self, id: TodoId) -> Option<&Todo> {
        self.todos.iter().find(|todo| todo.id == id)
    }

    /// The selected todo.
    pub fn selected(&self) -> Option<&Todo> {
        self.todo(self.selected?)
    }

    /// The todos that the list shows, newest first.
    pub fn shown(&self) -> impl Iterator<Item = &Todo> {
        self.todos.iter().rev().filter(|todo| self.filter.shows(todo))
    }
}

impl Filter {
    /// Whether the list shows this todo.
    pub fn shows(self, todo: &Todo) -> bool {
        match self {
            Self::All => true,
            Self::Open => !todo.done,
            Self::Done => todo.done,
        }
    }
}

impl Saving {
    /// Whether everything is on disk.
    pub fn is_complete(&self) -> bool {
        self.saved == self.changes
    }
}
