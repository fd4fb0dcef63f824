use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};

use tokio::fs;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

use crate::path::{has_note_name, is_plain};
use crate::{NoteError, NotePath};

/// The most bytes of a note that are read at once.
pub const LONGEST_NOTE: u64 = 1 << 20;

/// A folder of Markdown files that cannot be left.
#[derive(Debug, Clone)]
pub struct Folder {
    /// Canonical, so that a resolved path can be compared with it.
    root: PathBuf,
}

/// What one folder holds, in the order of the names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) folders: Vec<String>,
    pub(crate) notes: Vec<String>,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// The folder does not exist, or is not one.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        let root = root.as_ref().canonicalize()?;
        if root.is_dir() { Ok(Self { root }) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// The text of a note.
    pub(crate) async fn read(&self, path: &NotePath) -> Result<String, NoteError> {
        let path = self.resolve(path).await?;
        let found = fs::metadata(&path).await?;
        expect_note(&found)?;
        if found.len() > LONGEST_NOTE {
            return Err(NoteError::TooLong { size: found.len(), limit: LONGEST_NOTE });
        }
        String::from_utf8(fs::read(&path).await?).map_err(|_| NoteError::NotText)
    }

    /// Adds lines to the end of a note, which is created with its folders when it is not there.
    ///
    /// Says how long the note is now, and whether it is new.
    pub(crate) async fn append(
        &self,
        path: &NotePath,
        text: &str,
    ) -> Result<(u64, bool), NoteError> {
        let path = self.resolve(path).await?;
        let (before, new) = match fs::metadata(&path).await {
            Ok(found) => {
                expect_note(&found)?;
                (found.len(), false)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (0, true),
            Err(error) => return Err(error.into()),
        };
        if let (true, Some(parent)) = (new, path.parent()) {
            fs::create_dir_all(parent).await?;
        }
        let mut file =
            fs::OpenOptions::new().read(true).append(true).create(true).open(&path).await?;
        let mut lines = String::with_capacity(text.len() + 2);
        if before > 0 && !ends_a_line(&mut file).await? {
            lines.push('\n');
        }
        lines.push_str(text);
        if !text.ends_with('\n') {
            lines.push('\n');
        }
        // One write, so that two agents which append at once do not cut each other's lines.
        file.write_all(lines.as_bytes()).await?;
        file.flush().await?;
        Ok((before + lines.len() as u64, new))
    }

    /// What a folder holds; `None` is the notes folder itself.
    pub(crate) async fn content(&self, folder: Option<&NotePath>) -> Result<Content, NoteError> {
        let (path, prefix) = match folder {
            Some(folder) => (self.resolve(folder).await?, format!("{}/", folder.as_str())),
            None => (self.root.clone(), String::new()),
        };
        let mut content = Content::default();
        let mut entries = fs::read_dir(&path).await?;
        while let Some(entry) = entries.next_entry().await? {
            // A name that `NotePath` would refuse could not be asked for later.
            let Some(name) =
                entry.file_name().to_str().filter(|name| is_plain(name)).map(str::to_owned)
            else {
                continue;
            };
            let kind = entry.file_type().await?;
            // Links are left out: they may lead out of the folder, or around in it for ever.
            if kind.is_dir() {
                content.folders.push(format!("{prefix}{name}"));
            } else if kind.is_file() && has_note_name(&name) {
                content.notes.push(format!("{prefix}{name}"));
            }
        }
        content.folders.sort_unstable();
        content.notes.sort_unstable();
        Ok(content)
    }

    /// Every note of the folder and the folders in it.
    pub(crate) async fn all_notes(&self) -> Result<Vec<NotePath>, NoteError> {
        let mut notes = Vec::new();
        let mut folders = vec![None];
        while let Some(folder) = folders.pop() {
            let content = self.content(folder.as_ref()).await?;
            for note in &content.notes {
                notes.push(NotePath::note(note)?);
            }
            for folder in &content.folders {
                folders.push(Some(NotePath::folder(folder)?));
            }
        }
        notes.sort_unstable();
        Ok(notes)
    }

    /// Whether there is any note.
    pub(crate) fn has_notes(&self) -> bool {
        fn looks(folder: &Path) -> bool {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter(|entry| entry.file_name().to_str().is_some_and(is_plain)).any(|entry| {
                entry.file_type().is_ok_and(|kind| {
                    let is_note = entry.file_name().to_str().is_some_and(has_note_name);
                    kind.is_file() && is_note || kind.is_dir() && looks(&entry.path())
                })
            })
        }
        looks(&self.root)
    }

    /// When a note was last written, and its length.
    pub(crate) async fn version(&self, path: &NotePath) -> Result<Version, NoteError> {
        let found = fs::metadata(self.resolve(path).await?).await?;
        expect_note(&found)?;
        Ok(Version { modified: found.modified()?, length: found.len() })
    }

    /// Where a path really is, links followed, once that is known to be inside the folder.
    ///
    /// A path that does not exist is judged by the last part that does.
    async fn resolve(&self, path: &NotePath) -> Result<PathBuf, NoteError> {
        let wanted = path.below(&self.root);
        let mut existing = wanted.as_path();
        loop {
            match fs::canonicalize(existing).await {
                Ok(real) if real.starts_with(&self.root) => {
                    let rest = wanted.strip_prefix(existing).map_err(|_| NoteError::Outside)?;
                    // Joining an empty rest would add a `/` to a file's name.
                    let whole = rest.as_os_str().is_empty();
                    return Ok(if whole { real } else { real.join(rest) });
                }
                Ok(_) => return Err(NoteError::Outside),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    // A link to nothing would be followed when the file is created.
                    if fs::symlink_metadata(existing).await.is_ok() {
                        return Err(NoteError::Outside);
                    }
                    existing = existing.parent().ok_or(NoteError::Outside)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// What changes when a note is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    modified: std::time::SystemTime,
    length: u64,
}

/// Refuses what is not a regular file: opening a named pipe, for one, would wait for ever.
fn expect_note(found: &std::fs::Metadata) -> Result<(), NoteError> {
    if found.is_file() { Ok(()) } else { Err(NoteError::Kind { expected: "note" }) }
}

async fn ends_a_line(file: &mut fs::File) -> io::Result<bool> {
    file.seek(SeekFrom::End(-1)).await?;
    Ok(file.read_u8().await? == b'\n')
}
