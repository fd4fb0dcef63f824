use std::io;

/// Why a request about notes failed, in words that help an agent to try again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoteError {
    /// The path could leave the notes folder, or does so through a link.
    #[error(
        "a path must stay inside the notes folder: write it relative and with `/`, such as `ideas/today.md`, \
         without `..`, hidden names or links that lead out"
    )]
    Outside,
    /// The path is no note's.
    #[error("a note's name ends in `.md`")]
    NotMarkdown,
    /// Nothing is there.
    #[error("there is nothing at this path; `list` shows the notes and folders there are")]
    Missing,
    /// Something is there, but not what was asked for.
    #[error("this path is not a {expected}; `list` shows which is which")]
    Kind {
        /// What would have been right.
        expected: &'static str,
    },
    /// The note is too long to hand out.
    #[error("the note has {size} bytes and at most {limit} are read; `search` shows parts of it")]
    TooLong {
        /// Its size in bytes.
        size: u64,
        /// The most that is read.
        limit: u64,
    },
    /// The file holds something else than text.
    #[error("the note is not UTF-8 text")]
    NotText,
    /// There is no word to look for.
    #[error("the query has no word in it; give one or more words that the note contains")]
    EmptyQuery,
    /// The file system said no.
    #[error("the notes folder answered: {}", .0.kind())]
    Io(io::Error),
}

impl From<io::Error> for NoteError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::NotADirectory => Self::Kind { expected: "folder" },
            io::ErrorKind::IsADirectory => Self::Kind { expected: "note" },
            _ => Self::Io(error),
        }
    }
}
