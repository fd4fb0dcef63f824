//! A folder of Markdown notes, served to agents.
//!
//! This is the smaller of the two examples: a *service*, whose methods do the work themselves. Everything
//! an agent can do is in the one impl block of [`Notes`]; the rest of the crate is what such a program
//! would have anyway.

mod error;
mod folder;
mod path;
mod search;

use std::time::Duration;

use agent_mcp::{Context, Effects, Server, Store, agent, data};

pub use error::NoteError;
pub use folder::{Folder, LONGEST_NOTE};
pub use path::NotePath;

/// How often a note is looked at while somebody waits for it to change.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The notes of one folder.
#[derive(Clone)]
pub struct Notes {
    folder: Folder,
    shelf: Store<Shelf, Shelf>,
}

/// What decides which tools there are: nothing can be read where nothing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shelf {
    /// Whether there are no notes, as far as is known.
    pub empty: bool,
}

/// A note that matches a search.
#[data]
#[derive(Debug)]
pub struct Hit {
    /// The note's path, for `read`.
    pub path: String,
    /// Its first heading, or its name.
    pub title: String,
    /// The line with the most of the words in it, from 1.
    pub line: usize,
    /// That line.
    pub excerpt: String,
}

/// What a search found.
#[data]
#[derive(Debug)]
pub struct Found {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// How many further notes match.
    pub more: usize,
}

/// What a folder holds.
#[data]
#[derive(Debug)]
pub struct Listing {
    /// The folders in it.
    pub folders: Vec<String>,
    /// The notes in it.
    pub notes: Vec<String>,
}

/// What `append` did.
#[data]
#[derive(Debug)]
pub struct Appended {
    /// Whether the note is new.
    pub created: bool,
    /// How many bytes it has now.
    pub bytes: u64,
}

/// Serves the notes of a folder.
pub fn app(folder: Folder) -> Server {
    let notes = Notes::new(folder);
    let shelf = notes.shelf.clone();
    Server::bind(notes, shelf)
}

impl Notes {
    fn new(folder: Folder) -> Self {
        let shelf = Shelf { empty: !folder.has_notes() };
        Self { folder, shelf: Store::new(shelf, |_, now: Shelf| (now, Effects::none())) }
    }

    /// Clients are told when the first note comes and when the last is gone.
    fn shelve(&self, empty: bool) {
        if self.shelf.model().empty != empty {
            // The shelf takes what it is told for as long as there is one.
            let _ = self.shelf.send(Shelf { empty });
        }
    }

    async fn notes(&self) -> Result<Vec<NotePath>, NoteError> {
        let notes = self.folder.all_notes().await?;
        self.shelve(notes.is_empty());
        Ok(notes)
    }
}

/// A folder of Markdown notes.
///
/// Paths are relative to the folder, with `/` between the names: `ideas/today.md`. There is no way to delete a
/// note or to change a line; `append` adds lines at the end.
#[agent(name = "notes", model = Shelf, message = Shelf)]
impl Notes {
    /// The paths of all notes.
    #[resource(name = "notes")]
    async fn all(&self) -> Result<Vec<String>, NoteError> {
        let notes = self.notes().await?;
        Ok(notes.iter().map(|path| path.as_str().to_owned()).collect())
    }

    /// Find the notes that contain all words of a query, in their text or their name. The best come first.
    #[capability(read_only, available = |shelf| !shelf.empty)]
    async fn search(
        &self,
        cx: &Context<Self>,
        /// One or more words, in any case.
        query: String,
        /// The most hits to return.
        #[serde(default = "ten")]
        #[schemars(range(min = 1, max = 50))]
        limit: usize,
    ) -> Result<Found, NoteError> {
        let query = search::Query::new(&query).ok_or(NoteError::EmptyQuery)?;
        let mut found = Vec::new();
        let notes = self.notes().await?;
        for (index, path) in notes.iter().enumerate() {
            cx.progress().report_of(index as f64, notes.len() as f64);
            // A note that cannot be read must not hide those that can.
            let Ok(text) = self.folder.read(path).await else { continue };
            if let Some(matched) = query.find(path.as_str(), &text) {
                let title = search::title(path.as_str(), &text);
                let path = path.as_str().to_owned();
                let hit = Hit { path, title, line: matched.line, excerpt: matched.excerpt };
                found.push((matched.count, hit));
            }
        }
        found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let more = found.len().saturating_sub(limit);
        Ok(Found { hits: found.into_iter().take(limit).map(|(_, hit)| hit).collect(), more })
    }

    /// Read a note.
    #[capability(read_only, available = |shelf| !shelf.empty)]
    async fn read(
        &self,
        /// The note's path, such as `ideas/today.md`.
        path: String,
    ) -> Result<String, NoteError> {
        self.folder.read(&NotePath::note(&path)?).await
    }

    /// Add lines to the end of a note. A note that does not exist is created, with its folders.
    #[capability]
    async fn append(
        &self,
        /// The note's path, such as `ideas/today.md`.
        path: String,
        /// The lines to add.
        #[schemars(length(min = 1, max = 100_000))]
        text: String,
    ) -> Result<Appended, NoteError> {
        let (bytes, created) = self.folder.append(&NotePath::note(&path)?, &text).await?;
        self.shelve(false);
        Ok(Appended { created, bytes })
    }

    /// List the notes and folders of a folder.
    #[capability(read_only)]
    async fn list(
        &self,
        /// The folder; without it, the notes folder itself.
        folder: Option<String>,
    ) -> Result<Listing, NoteError> {
        let folder = folder.as_deref().map(NotePath::folder).transpose()?;
        let content = self.folder.content(folder.as_ref()).await?;
        Ok(Listing { folders: content.folders, notes: content.notes })
    }

    /// Wait until somebody changes a note, and read it then. Fails after ten minutes without a change.
    #[capability(read_only, available = |shelf| !shelf.empty, timeout = "10m")]
    async fn wait_for_change(
        &self,
        /// The note's path, such as `ideas/today.md`.
        path: String,
    ) -> Result<String, NoteError> {
        let path = NotePath::note(&path)?;
        let before = self.folder.version(&path).await?;
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            // The call ends here when the caller gives up.
            looks.tick().await;
            if self.folder.version(&path).await? != before {
                return self.folder.read(&path).await;
            }
        }
    }
}

fn ten() -> usize {
    10
}

#[cfg(test)]
mod tests;
