//! Where the list is kept: a Markdown checklist, and an archive beside it.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agent_mcp::InvocationId;
use tokio::fs;
use tokio::io::AsyncWriteExt;
use tokio::sync::watch;

use crate::model::Todo;

/// The files of a list. Without a file the list lives as long as the program.
#[derive(Debug, Clone, Default)]
pub struct Storage {
    file: Option<PathBuf>,
    delay: Duration,
    backup: watch::Sender<Backup>,
}

/// How far backing up has come.
#[derive(Debug, Clone, Default)]
pub struct Backup {
    /// How many changes are in the newest copy.
    pub changes: Option<u64>,
    /// Who was the last to ask in vain, and why it failed.
    pub problem: Option<(InvocationId, String)>,
}

impl Storage {
    /// Keeps the list in `file`, and what is deleted beside it in the same name with `.archive.md`.
    pub fn in_file(file: impl Into<PathBuf>) -> Self {
        Self { file: Some(file.into()), ..Self::default() }
    }

    /// Takes this long over everything, as a server far away would.
    #[must_use]
    pub fn slowed(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The todos of the file; none if there is no file yet.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn load(&self) -> io::Result<Vec<Todo>> {
        let Some(file) = &self.file else { return Ok(Vec::new()) };
        match std::fs::read_to_string(file) {
            Ok(text) => Ok(from_checklist(&text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Writes the list.
    pub(crate) async fn save(self, todos: Arc<Vec<Todo>>) -> io::Result<()> {
        tokio::time::sleep(self.delay).await;
        let Some(file) = &self.file else { return Ok(()) };
        // Written beside and then put in place, so that nobody reads half a list.
        let new = file.with_extension("new");
        fs::write(&new, checklist(&todos)).await?;
        fs::rename(new, file).await
    }

    /// Whether there is a file.
    pub(crate) fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    /// How far backing up has come, now and from now on.
    pub(crate) fn backup(&self) -> watch::Receiver<Backup> {
        self.backup.subscribe()
    }

    /// Copies the list, in which there are so many changes, to the backup.
    pub(crate) async fn back_up(self, request: InvocationId, todos: Arc<Vec<Todo>>, changes: u64) {
        tokio::time::sleep(self.delay).await;
        let Some(file) = &self.file else { return };
        let written = fs::write(file.with_extension("backup.md"), checklist(&todos)).await;
        self.backup.send_modify(|backup| match written {
            Ok(()) => backup.changes = backup.changes.max(Some(changes)),
            Err(error) => backup.problem = Some((request, error.kind().to_string())),
        });
    }

    /// Adds a todo to the archive.
    pub(crate) async fn archive(self, todo: Todo) -> io::Result<()> {
        tokio::time::sleep(self.delay).await;
        let Some(file) = &self.file else { return Ok(()) };
        let archive = archive_of(file);
        let mut archive = fs::OpenOptions::new().create(true).append(true).open(archive).await?;
        archive.write_all(checklist(&[todo]).as_bytes()).await?;
        archive.flush().await
    }

    /// Those of the titles that are not in the archive.
    pub(crate) async fn not_archived(&self, titles: &[String]) -> io::Result<Vec<String>> {
        tokio::time::sleep(self.delay).await;
        let Some(file) = &self.file else { return Ok(titles.to_vec()) };
        let archive = match fs::read_to_string(archive_of(file)).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            archive => archive?,
        };
        let archived: HashSet<_> =
            from_checklist(&archive).into_iter().map(|todo| todo.title).collect();
        Ok(titles.iter().filter(|title| !archived.contains(*title)).cloned().collect())
    }
}

fn archive_of(file: &Path) -> PathBuf {
    file.with_extension("archive.md")
}

/// The todos as a Markdown checklist.
pub(crate) fn checklist(todos: &[Todo]) -> String {
    let line = |todo: &Todo| format!("- [{}] {}\n", if todo.done { 'x' } else { ' ' }, todo.title);
    todos.iter().map(line).collect()
}

/// The todos of a Markdown checklist, numbered from 1. Other lines are passed over.
pub(crate) fn from_checklist(text: &str) -> Vec<Todo> {
    let items = text.lines().filter_map(|line| {
        let item = line.trim_start().strip_prefix("- [")?;
        let (mark, title) = item.split_once(']')?;
        Some((mark != " ", title.trim()))
    });
    let todos = items.filter(|(_, title)| !title.is_empty()).zip(1..);
    todos.map(|((done, title), id)| Todo { id, title: title.to_owned(), done }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checklist_comes_back_as_it_was() {
        let text = "- [ ] Water the plants\n- [x] Buy tea\n";
        let todos = from_checklist(text);
        assert_eq!(
            todos.iter().map(|todo| (todo.id, todo.done)).collect::<Vec<_>>(),
            [(1, false), (2, true)]
        );
        assert_eq!(checklist(&todos), text);
    }

    #[test]
    fn other_lines_are_passed_over() {
        assert_eq!(
            from_checklist("# Todos\n\n- no box\n- [ ]\n  - [X] Nested\n")[0].title,
            "Nested"
        );
    }

    #[tokio::test]
    async fn what_is_saved_is_loaded_and_what_is_archived_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let storage = Storage::in_file(dir.path().join("todos.md"));
        assert_eq!(storage.load().unwrap(), []);
        let todos = from_checklist("- [ ] One\n- [x] Two\n");
        storage.clone().save(todos.clone().into()).await.unwrap();
        assert_eq!(storage.load().unwrap(), todos);
        for todo in todos {
            storage.clone().archive(todo).await.unwrap();
        }
        let archive = std::fs::read_to_string(dir.path().join("todos.archive.md")).unwrap();
        assert_eq!(archive, "- [ ] One\n- [x] Two\n");
    }
}
