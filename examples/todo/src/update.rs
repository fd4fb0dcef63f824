//! Everything that can happen, and what it changes.

use std::sync::Arc;

use agent_mcp::{Effects, InvocationId};

use crate::model::{Filter, Model, Todo, TodoId};
use crate::storage::Storage;

/// What happens in the application, whoever causes it: a key that is pressed, an agent, a file that was written.
#[derive(Debug, Clone)]
pub enum Message {
    /// A todo was written down.
    Added {
        /// What is to be done.
        title: String,
    },
    /// Todos came from another list: what is to be done, and whether it is done.
    Imported(Vec<(String, bool)>),
    /// A todo got another title.
    Renamed {
        /// Which.
        id: TodoId,
        /// The new title.
        title: String,
    },
    /// A todo was done.
    Completed {
        /// Which.
        id: TodoId,
    },
    /// A todo was selected.
    Selected {
        /// Which.
        id: TodoId,
    },
    /// No todo is selected any more.
    Deselected,
    /// The list shows other todos.
    Filtered(Filter),
    /// A todo is to be moved to the archive.
    DeleteRequested {
        /// Who asked, so that the answer finds its way.
        request: InvocationId,
        /// Which.
        id: TodoId,
    },
    /// A todo is in the archive, and no longer in the list.
    Deleted {
        /// Who had asked.
        request: InvocationId,
        /// Which.
        id: TodoId,
    },
    /// The todo could not be archived and stays in the list.
    DeleteFailed {
        /// Who had asked.
        request: InvocationId,
        /// Why.
        why: String,
    },
    /// Everything that is done is to be forgotten.
    Cleared,
    /// The list is to be saved.
    SaveRequested,
    /// The list was saved.
    Saved {
        /// How many changes are in what was saved.
        changes: u64,
    },
    /// The list could not be saved.
    SaveFailed {
        /// Why.
        why: String,
    },
    /// The list is to be copied. How that goes is no concern of the list: the storage knows it.
    BackupRequested {
        /// Who asked.
        request: InvocationId,
    },
}

/// The next state, and what is to be done besides.
pub fn update(model: &Model, message: Message, storage: &Storage) -> (Model, Effects<Message>) {
    let mut next = model.clone();
    let mut effects = Effects::none();
    match message {
        Message::Added { title } => next.add([(title, false)]),
        Message::Imported(todos) => next.add(todos),
        Message::Renamed { id, title } => next.change_todo(id, |todo| todo.title = title),
        Message::Completed { id } => next.change_todo(id, |todo| todo.done = true),
        Message::Selected { id } => next.selected = model.todo(id).map(|todo| todo.id),
        Message::Deselected => next.selected = None,
        Message::Filtered(filter) => next.filter = filter,
        Message::DeleteRequested { request, id } => {
            effects = archive(&mut next, request, id, storage);
        }
        Message::Deleted { id, .. } => {
            next.archiving = None;
            next.change(|todos| todos.retain(|todo| todo.id != id));
        }
        Message::DeleteFailed { .. } => next.archiving = None,
        Message::Cleared => next.change(|todos| todos.retain(|todo| !todo.done)),
        Message::SaveRequested => effects = save(&mut next, storage),
        // Two saves may overlap; the one with more in it counts.
        Message::Saved { changes } => next.saving.saved = changes.max(next.saving.saved),
        Message::SaveFailed { why } => next.saving.problem = Some(why),
        Message::BackupRequested { request } => {
            let (todos, changes) = (model.todos.clone(), model.saving.changes);
            effects = Effects::run(storage.clone().back_up(request, todos, changes));
        }
    }
    (next, effects)
}

fn archive(
    next: &mut Model,
    request: InvocationId,
    id: TodoId,
    storage: &Storage,
) -> Effects<Message> {
    let Some(todo) = next.todo(id).cloned() else {
        return Effects::send(Message::DeleteFailed { request, why: "it is gone already".into() });
    };
    if next.archiving.is_some() {
        let why = "another todo is being deleted".into();
        return Effects::send(Message::DeleteFailed { request, why });
    }
    next.archiving = Some(id);
    let archived = storage.clone().archive(todo);
    Effects::run(async move {
        match archived.await {
            Ok(()) => Message::Deleted { request, id },
            Err(error) => {
                let why = format!("the archive cannot be written: {}", error.kind());
                Message::DeleteFailed { request, why }
            }
        }
    })
}

fn save(next: &mut Model, storage: &Storage) -> Effects<Message> {
    next.saving.problem = None;
    let changes = next.saving.changes;
    let saved = storage.clone().save(next.todos.clone());
    Effects::run(async move {
        match saved.await {
            Ok(()) => Message::Saved { changes },
            Err(error) => Message::SaveFailed { why: error.kind().to_string() },
        }
    })
}

impl Model {
    fn add(&mut self, new: impl IntoIterator<Item = (String, bool)>) {
        let first = self.last_id + 1;
        let new: Vec<_> =
            (first..).zip(new).map(|(id, (title, done))| Todo { id, title, done }).collect();
        self.last_id += new.len() as TodoId;
        self.change(|todos| todos.extend(new));
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<Todo>)) {
        change(Arc::make_mut(&mut self.todos));
        self.saving.changes += 1;
        // What is gone cannot stay selected.
        self.selected = self.selected().map(|todo| todo.id);
    }

    fn change_todo(&mut self, id: TodoId, change: impl FnOnce(&mut Todo)) {
        if let Some(at) = self.todos.iter().position(|todo| todo.id == id) {
            self.change(|todos| change(&mut todos[at]));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use agent_mcp::Store;

    use super::*;
    use crate::storage::from_checklist;

    fn store(storage: Storage) -> Store<Model, Message> {
        let todos = from_checklist("- [ ] Water the plants\n- [x] Buy tea\n");
        Store::new(Model::with(todos), move |model, message| update(model, message, &storage))
    }

    fn titles(model: &Model) -> Vec<&str> {
        model.shown().map(|todo| todo.title.as_str()).collect()
    }

    /// The Model once `is_so` holds of it.
    async fn settled(store: &Store<Model, Message>, is_so: impl Fn(&Model) -> bool) -> Arc<Model> {
        store.changes().until(is_so).await.unwrap()
    }

    #[test]
    fn a_new_todo_is_shown_first_and_changes_the_list() {
        let store = store(Storage::default());
        store.send(Message::Added { title: "Sleep".into() }).unwrap();
        let model = store.model();
        assert_eq!(titles(&model), ["Sleep", "Buy tea", "Water the plants"]);
        assert!(!model.saving.is_complete());
    }

    #[test]
    fn only_what_is_there_can_be_selected_and_what_goes_is_not_selected() {
        let store = store(Storage::default());
        store.send(Message::Selected { id: 2 }).unwrap();
        assert_eq!(store.model().selected().unwrap().title, "Buy tea");
        store.send(Message::Cleared).unwrap();
        assert_eq!(store.model().selected, None);
        store.send(Message::Selected { id: 2 }).unwrap();
        assert_eq!(store.model().selected, None);
    }

    #[test]
    fn the_filter_hides_and_does_not_change() {
        let store = store(Storage::default());
        store.send(Message::Filtered(Filter::Open)).unwrap();
        assert_eq!(titles(&store.model()), ["Water the plants"]);
        assert!(store.model().saving.is_complete());
    }

    #[test]
    fn a_change_to_what_is_gone_is_none() {
        let store = store(Storage::default());
        store.send(Message::Completed { id: 9 }).unwrap();
        store.send(Message::Renamed { id: 9, title: "Nothing".into() }).unwrap();
        assert!(store.model().saving.is_complete());
    }

    #[tokio::test(start_paused = true)]
    async fn a_todo_is_in_the_list_until_it_is_in_the_archive() {
        let store = store(Storage::default().slowed(Duration::from_secs(5)));
        let request = InvocationId::fresh();
        store.send(Message::DeleteRequested { request, id: 1 }).unwrap();
        assert_eq!(store.model().archiving, Some(1));
        assert_eq!(titles(&store.model()), ["Buy tea", "Water the plants"]);
        let model = settled(&store, |model| model.archiving.is_none()).await;
        assert_eq!(titles(&model), ["Buy tea"]);
    }

    #[tokio::test]
    async fn a_todo_that_cannot_be_archived_stays() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(Storage::in_file(dir.path().join("none/todos.md")));
        let request = InvocationId::fresh();
        store.send(Message::DeleteRequested { request, id: 1 }).unwrap();
        let model = settled(&store, |model| model.archiving.is_none()).await;
        assert_eq!(titles(&model).len(), 2);
        store.send(Message::SaveRequested).unwrap();
        let model = settled(&store, |model| model.saving.problem.is_some()).await;
        assert_eq!(model.saving.problem.as_deref(), Some("entity not found"));
    }

    #[tokio::test]
    async fn what_changes_while_it_is_saved_is_not_saved() {
        let store = store(Storage::default().slowed(Duration::from_millis(1)));
        store.send(Message::Completed { id: 1 }).unwrap();
        store.send(Message::SaveRequested).unwrap();
        store.send(Message::Added { title: "Late".into() }).unwrap();
        let model = settled(&store, |model| model.saving.saved > 0).await;
        assert_eq!((model.saving.changes, model.saving.saved), (2, 1));
    }
}
