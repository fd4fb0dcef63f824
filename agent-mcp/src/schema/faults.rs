//! What is wrong with a call's arguments, in words that let a model repair the call.

use std::fmt;

use serde::Serialize;

/// How many faults are listed; the rest is counted.
const LISTED: usize = 32;

/// How many names a fault offers.
const OFFERED: usize = 24;

/// Everything that is wrong with the arguments of a call.
///
/// The text is written for a model: it names each place, what is expected there and what kind of
/// value came. Values that were received are never repeated (O30); only the names of members are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Faults(Vec<Fault>);

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fault {
    /// Where: `lines[2].item`; empty for the arguments as a whole.
    pub path: String,
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// What the schema wants there.
    pub expected: String,
    /// The JSON type of what came, `nothing` when it is missing.
    pub got: &'static str,
    /// The valid name that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A required member is missing.
    Missing,
    /// A member that the schema does not declare.
    Unknown,
    /// A member that is there twice.
    Duplicate,
    /// A value of another type or outside of its limits.
    Invalid,
    /// Stands for the faults that were not listed.
    More,
}

impl Faults {
    pub(crate) fn new(mut faults: Vec<Fault>) -> Self {
        if faults.len() > LISTED {
            let more = faults.len() - LISTED;
            faults.truncate(LISTED);
            faults.push(Fault {
                path: String::new(),
                kind: FaultKind::More,
                expected: format!("{more} further faults to be repaired"),
                got: "nothing",
                suggestion: None,
            });
        }
        Self(faults)
    }

    /// The faults in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Faults {
    type Item = &'a Fault;
    type IntoIter = std::slice::Iter<'a, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::error::Error for Faults {}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, kind, expected, got, suggestion } = self;
        match kind {
            FaultKind::More => return write!(f, "and {expected}"),
            _ if path.is_empty() => f.write_str("the arguments")?,
            _ => write!(f, "`{path}`")?,
        }
        match kind {
            FaultKind::Missing => write!(f, " is required: expected {expected}"),
            FaultKind::Unknown => {
                f.write_str(" is not declared")?;
                if let Some(name) = suggestion {
                    write!(f, ", did you mean `{name}`?")?;
                }
                write!(f, " (expected {expected})")
            }
            FaultKind::Duplicate => write!(f, " is there more than once: expected {expected}"),
            FaultKind::Invalid | FaultKind::More => {
                // Of the same kind, it has not what is expected of it.
                let is_kind = expected.starts_with(got)
                    || (expected.starts_with("one of ") && *got == "a string")
                    || (expected.starts_with("an integer") && *got == "a number");
                match got.split_once(' ') {
                    Some((_, kind)) if is_kind => {
                        write!(f, ": expected {expected}, got another {kind}")?;
                    }
                    _ => write!(f, ": expected {expected}, got {got}")?,
                }
                if let Some(name) = suggestion {
                    write!(f, ", did you mean `{name}`?")?;
                }
                Ok(())
            }
        }
    }
}

/// Names as a list in words, cut where it gets long.
pub(crate) fn list_names<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let count = names.len();
    let mut list: Vec<String> = names.take(OFFERED).map(|name| format!("`{name}`")).collect();
    if count > OFFERED {
        list.push(format!("{} more", count - OFFERED));
    }
    list.join(", ")
}

/// The name of a member as part of a path: one line of bounded length, whatever was received.
pub(super) fn member_path(path: &str, name: &str) -> String {
    let mut shown: String =
        name.chars().take(64).map(|c| if c.is_control() { '?' } else { c }).collect();
    if name.chars().nth(64).is_some() {
        shown.push('…');
    }
    let plain = !shown.is_empty()
        && shown.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '…'));
    match (path.is_empty(), plain) {
        (true, true) => shown,
        (false, true) => format!("{path}.{shown}"),
        (_, false) => format!("{path}[{shown:?}]"),
    }
}

pub(crate) fn item_path(path: &str, place: usize) -> String {
    format!("{path}[{place}]")
}
