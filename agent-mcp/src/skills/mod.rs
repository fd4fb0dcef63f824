//! Skills: folders with instructions that agents load when they need them (SEP-2640).
//!
//! A skill is a folder with a file `SKILL.md`, which begins with a name and a description, and whatever files
//! belong to it. [`Skills`] holds what a server has of them, and
//! [`Server::skills`](crate::Server::skills) serves it: clients that know the extension
//! `io.modelcontextprotocol/skills` list the skills with a digest of each file, and everybody reads the files as
//! resources at `skill://`.

mod folder;
mod frontmatter;

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use bytes::Bytes;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// How many files a skill may have.
const MOST_FILES: usize = 512;
/// How many bytes the files of a skill may have together.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// The file that makes a folder a skill.
const MANIFEST: &str = "SKILL.md";

/// What a server has of skills. It is read once; what changes on the disk afterwards is not seen.
///
/// ```
/// use agent_mcp::{Server, agent, skills::Skills};
///
/// struct Desk;
///
/// /// A desk.
/// #[agent]
/// impl Desk {
///     /// Rings.
///     #[capability]
///     async fn ring(&self) {}
/// }
///
/// let skills = Skills::from_files([(
///     "ring-politely/SKILL.md",
///     "---\nname: ring-politely\ndescription: How to ring without waking anybody.\n---\nRing once, then wait.\n",
/// )])?;
/// let handler = Server::new(Desk).skills(skills).handler()?;
/// # Ok::<(), agent_mcp::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skills {
    /// In the order of their uris.
    pub(crate) skills: Vec<Skill>,
    /// By uri.
    pub(crate) files: BTreeMap<String, File>,
    /// What is in each folder, by uri.
    pub(crate) folders: BTreeMap<String, BTreeMap<String, Child>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Skill {
    /// That of its `SKILL.md`.
    pub(crate) uri: String,
    pub(crate) frontmatter: Map<String, Value>,
    /// The uris of its files.
    pub(crate) files: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct File {
    pub(crate) mime_type: &'static str,
    pub(crate) bytes: Bytes,
    /// `sha256:` and the digest of the bytes.
    pub(crate) digest: String,
}

/// What is in a folder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Child {
    File(String),
    Folder(String),
}

/// Why skills cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillsError {
    /// A file or folder cannot be read.
    #[error("`{path}` cannot be read: {error}")]
    Read {
        /// Which one.
        path: String,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// A path leads out of its folder, or is none.
    #[error("`{path}` cannot be the path of a skill's file: write names with `/` between them")]
    Path {
        /// The path.
        path: String,
    },
    /// A link, which could lead anywhere.
    #[error("`{path}` is a symbolic link, which is not followed; put the file itself there")]
    Link {
        /// Where it is.
        path: String,
    },
    /// Two files at one path.
    #[error("`{path}` is there twice")]
    Twice {
        /// The path.
        path: String,
    },
    /// A file that belongs to no skill.
    #[error("`{path}` belongs to no skill: no folder above it has a `SKILL.md`")]
    Stray {
        /// The path.
        path: String,
    },
    /// There is no skill at all.
    #[error("there is no skill: a skill is a folder with a file `SKILL.md`")]
    None,
    /// A `SKILL.md` that does not say what it has to.
    #[error("`{path}`: {why}")]
    Manifest {
        /// Which one.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// A skill that is larger than clients take.
    #[error("the skill `{skill}` has more than {limit} {what}")]
    TooLarge {
        /// Which one.
        skill: String,
        /// What it has too much of.
        what: &'static str,
        /// How much it may have.
        limit: usize,
    },
}

impl Skills {
    /// Reads the skills of a folder: every folder below it with a `SKILL.md`, at any depth. Files that belong to
    /// no skill and hidden ones are left out; symbolic links are refused.
    ///
    /// # Errors
    ///
    /// See [`SkillsError`].
    pub fn from_dir(folder: impl AsRef<Path>) -> Result<Self, SkillsError> {
        let mut files = folder::read(folder.as_ref())?;
        let manifests: Vec<String> =
            files.keys().filter_map(|path| folder_of_skill(path)).map(str::to_owned).collect();
        files.retain(|path, _| manifests.iter().any(|skill| is_within(path, skill)));
        Self::new(files)
    }

    /// Takes skills from files that the program holds, such as `include_bytes!`: the path of each within the
    /// skills' folder, with `/` between the names, and what is in it.
    ///
    /// # Errors
    ///
    /// See [`SkillsError`].
    pub fn from_files<P: Into<String>, B: AsRef<[u8]>>(
        files: impl IntoIterator<Item = (P, B)>,
    ) -> Result<Self, SkillsError> {
        let mut all = BTreeMap::new();
        for (path, bytes) in files {
            let path = path.into();
            let is_name = |name: &str| {
                !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '\0'])
            };
            if !path.split('/').all(is_name) || !path.contains('/') {
                return Err(SkillsError::Path { path });
            }
            if all.insert(path.clone(), Bytes::copy_from_slice(bytes.as_ref())).is_some() {
                return Err(SkillsError::Twice { path });
            }
        }
        Self::new(all)
    }

    /// By path, in its order.
    fn new(all: BTreeMap<String, Bytes>) -> Result<Self, SkillsError> {
        let mut skills = Vec::new();
        for (path, bytes) in &all {
            let Some(folder) = folder_of_skill(path) else { continue };
            let name = folder.rsplit('/').next().unwrap_or(folder);
            let frontmatter = frontmatter::read(bytes, name)
                .map_err(|why| SkillsError::Manifest { path: path.clone(), why })?;
            let files: Vec<&String> = all.keys().filter(|path| is_within(path, folder)).collect();
            let size: usize = files.iter().map(|path| all[*path].len()).sum();
            for (has, limit, what) in
                [(files.len(), MOST_FILES, "files"), (size, MOST_BYTES, "bytes")]
            {
                if has > limit {
                    return Err(SkillsError::TooLarge { skill: folder.to_owned(), what, limit });
                }
            }
            let files = files.into_iter().map(|path| uri(path)).collect();
            skills.push(Skill { uri: uri(path), frontmatter, files });
        }
        if skills.is_empty() {
            return Err(SkillsError::None);
        }
        let mut folders: BTreeMap<String, BTreeMap<String, Child>> = BTreeMap::new();
        let roots: Vec<String> =
            all.keys().filter_map(|path| folder_of_skill(path)).map(str::to_owned).collect();
        let mut files = BTreeMap::new();
        for (path, bytes) in all {
            let Some(root) = roots.iter().find(|root| is_within(&path, root)) else {
                return Err(SkillsError::Stray { path });
            };
            let mut child = Child::File(uri(&path));
            let mut inner = &*path;
            // The file in its folder, that folder in the one above, up to the skill's own.
            while let Some((folder, name)) = inner.rsplit_once('/') {
                if inner.len() == root.len() {
                    break;
                }
                folders.entry(uri(folder)).or_default().insert(name.to_owned(), child);
                child = Child::Folder(uri(folder));
                inner = folder;
            }
            let digest =
                Sha256::digest(&bytes).iter().fold(String::from("sha256:"), |mut text, byte| {
                    // Writing to a `String` cannot fail.
                    let _ = write!(text, "{byte:02x}");
                    text
                });
            let mime_type = mime_type(&path, &bytes);
            files.insert(uri(&path), File { mime_type, bytes, digest });
        }
        Ok(Self { skills, files, folders })
    }
}

/// The folder of the skill that a file makes one.
fn folder_of_skill(path: &str) -> Option<&str> {
    path.strip_suffix(MANIFEST)?.strip_suffix('/')
}

fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// `skill://` and the path, percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::from("skill://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

fn mime_type(path: &str, bytes: &[u8]) -> &'static str {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("md" | "markdown") => "text/markdown",
        Some("html" | "htm") => "text/html",
        Some("css") => "text/css",
        Some("csv") => "text/csv",
        Some("js" | "mjs") => "text/javascript",
        Some("json") => "application/json",
        Some("yaml" | "yml") => "application/yaml",
        Some("xml") => "application/xml",
        Some("py") => "text/x-python",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("webp") => "image/webp",
        Some("pdf") => "application/pdf",
        _ if std::str::from_utf8(bytes).is_ok() => "text/plain",
        _ => "application/octet-stream",
    }
}
