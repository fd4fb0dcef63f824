//! The files of a folder on the disk.

use std::{collections::BTreeMap, fs, io, path::Path};

use bytes::Bytes;

use super::{MOST_BYTES, SkillsError};

/// How deeply folders may be nested.
const DEEPEST: usize = 16;
/// How many files and folders are looked at.
const MOST: usize = 16 * 1024;

/// All files below a folder, by their path in it; hidden ones are left out.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, Bytes>, SkillsError> {
    let mut files = BTreeMap::new();
    let mut left = MOST;
    walk(folder, "", 0, &mut left, &mut files)?;
    Ok(files)
}

fn walk(
    folder: &Path,
    within: &str,
    depth: usize,
    left: &mut usize,
    files: &mut BTreeMap<String, Bytes>,
) -> Result<(), SkillsError> {
    let shown = || folder.display().to_string();
    let failed = |error| SkillsError::Read { path: shown(), error };
    let too_large = |what, limit| SkillsError::TooLarge { skill: shown(), what, limit };
    if depth > DEEPEST {
        return Err(too_large("levels", DEEPEST));
    }
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        *left = left.checked_sub(1).ok_or_else(|| too_large("files and folders", MOST))?;
        let path = entry.path();
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            return Err(SkillsError::Path { path: path.display().to_string() });
        };
        if name.starts_with('.') {
            continue;
        }
        let within = if within.is_empty() { name } else { format!("{within}/{name}") };
        // Of the entry itself, and not of what a link leads to.
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_symlink() {
            return Err(SkillsError::Link { path: path.display().to_string() });
        }
        if kind.is_dir() {
            walk(&path, &within, depth + 1, left, files)?;
        } else if within.contains('/') {
            let failed = |error: io::Error| SkillsError::Read { path: within.clone(), error };
            if entry.metadata().map_err(failed)?.len() > MOST_BYTES as u64 {
                return Err(SkillsError::TooLarge {
                    skill: within,
                    what: "bytes",
                    limit: MOST_BYTES,
                });
            }
            let bytes = fs::read(&path).map_err(failed)?;
            files.insert(within, bytes.into());
        }
    }
    Ok(())
}
