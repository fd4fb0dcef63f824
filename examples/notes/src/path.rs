use std::path::{Path, PathBuf};

use crate::NoteError;

/// Where a note or a folder is, relative to the notes folder, as an agent may write it.
///
/// Only plain names joined by `/` get this far, so that the path means the same on every system and
/// joining it to the notes folder cannot leave it. What a symbolic link does is [`Folder`]'s concern.
///
/// [`Folder`]: crate::Folder
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotePath(String);

impl NotePath {
    /// Checks the path of a note: a plain path that ends in `.md`.
    ///
    /// # Errors
    ///
    /// [`NoteError::Outside`] for everything that is not a plain relative path, and
    /// [`NoteError::NotMarkdown`] for another ending.
    pub fn note(path: &str) -> Result<Self, NoteError> {
        let path = Self::folder(path)?;
        if !has_note_name(&path.0) {
            return Err(NoteError::NotMarkdown);
        }
        Ok(path)
    }

    /// Checks the path of a folder.
    ///
    /// # Errors
    ///
    /// [`NoteError::Outside`] for everything that is not a plain relative path.
    pub fn folder(path: &str) -> Result<Self, NoteError> {
        if path.split('/').all(is_plain) {
            Ok(Self(path.to_owned()))
        } else {
            Err(NoteError::Outside)
        }
    }

    /// The path as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same path below `root`.
    pub(crate) fn below(&self, root: &Path) -> PathBuf {
        self.0.split('/').fold(root.to_owned(), |path, name| path.join(name))
    }
}

/// Whether a file of this name is a note.
pub(crate) fn has_note_name(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// Whether a name is one that every system reads as a file's own name.
///
/// A leading dot covers `.` and `..` as well as hidden files such as `.git`; a colon or a backslash would
/// be a drive, a stream or a separator on Windows, which also takes some names for devices and drops a dot or
/// a space at the end.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.ends_with(['.', ' '])
        && !is_device(name)
        && !name.contains(|c: char| c.is_control() || matches!(c, '/' | '\\' | ':'))
}

/// Whether Windows opens a device by this name, whatever its ending and case.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = port.is_some_and(|number| {
        let mut digits = number.chars();
        digits.next().is_some_and(|digit| matches!(digit, '0'..='9' | '¹' | '²' | '³'))
            && digits.next().is_none()
    });
    is_port || matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_path_is_taken_as_it_is() {
        for path in [
            "a.md",
            "ideas/today.md",
            "Ünïcode/日本.md",
            "two words.md",
            "a.b.md",
            "LOUD.MD",
            "console.md",
            "com.md",
            "com10.md",
        ] {
            assert_eq!(NotePath::note(path).unwrap().as_str(), path);
        }
    }

    #[test]
    fn a_path_that_could_leave_the_folder_is_refused() {
        let paths = [
            "",
            "/",
            "/etc/passwd.md",
            "..",
            "../a.md",
            "a/../../b.md",
            "a/./b.md",
            "a//b.md",
            "a/",
            ".hidden.md",
            ".git/config.md",
            "C:\\a.md",
            "C:a.md",
            "\\\\server\\share\\a.md",
            "\\\\?\\C:\\a.md",
            "a\\..\\..\\b.md",
            "note.md:stream.md",
            "nul\0.md",
            "con.md",
            "NUL.txt.md",
            "ideas/Com1.md",
            "lpt².md",
            "aux .md",
            "a./b.md",
            "a /b.md",
            "line\nbreak.md",
        ];
        for path in paths {
            assert!(matches!(NotePath::note(path), Err(NoteError::Outside)), "{path:?}");
            assert!(matches!(NotePath::folder(path), Err(NoteError::Outside)), "{path:?}");
        }
    }

    #[test]
    fn a_note_is_markdown() {
        for path in ["a.txt", "md", "a.md.exe", "a"] {
            assert!(matches!(NotePath::note(path), Err(NoteError::NotMarkdown)), "{path:?}");
        }
    }
}
