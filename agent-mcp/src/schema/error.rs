//! Why a type cannot be offered to agents.

use std::fmt;

/// Why a type has no schema that every client accepts; found when an agent is built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The arguments are not an object.
    #[error("the arguments are {found}, but a call carries an object; put them into a struct")]
    NotAnObject {
        /// What they are, in words.
        found: String,
    },
    /// A property has a name that clients refuse.
    #[error(
        "property {path} has a name of {length} characters, but clients accept at most {MAX_NAME}; \
         shorten it or give it a `#[serde(rename = \"...\")]`"
    )]
    LongName {
        /// Where the property is.
        path: Path,
        /// How long the name is.
        length: usize,
    },
    /// A hand-written schema refers to another document.
    #[error(
        "{path} refers to `{reference}` outside of its schema, which is never fetched; write that \
         schema in its place"
    )]
    OutsideReference {
        /// Where the reference is.
        path: Path,
        /// What it refers to.
        reference: String,
    },
    /// A reference leads nowhere.
    #[error("{path} refers to `{reference}`, which its schema does not define")]
    UnresolvedReference {
        /// Where the reference is.
        path: Path,
        /// What it refers to.
        reference: String,
    },
    /// A schema is defined as itself.
    #[error("{path} refers to `{reference}`, which is defined by nothing but itself")]
    EndlessReference {
        /// Where the reference is.
        path: Path,
        /// What it refers to.
        reference: String,
    },
    /// A written schema is not JSON.
    #[error("the written schema is not JSON: {reason}")]
    NotJson {
        /// What is wrong with it.
        reason: String,
    },
    /// The root of a written schema is not what it has to be.
    #[error("the root of the written schema must {wanted}")]
    Root {
        /// What it has to be.
        wanted: &'static str,
    },
    /// A written schema is in a dialect that nothing here can judge by.
    #[error(
        "the written schema is in the dialect `{dialect}`, which is not supported; the dialects are \
         2020-12 (that of a schema without `$schema`), 2019-09, draft-07, draft-06 and draft-04"
    )]
    Dialect {
        /// What `$schema` says.
        dialect: String,
    },
    /// A written schema breaks the rules of its dialect.
    #[error("the written schema is not valid at `{place}`: {reason}")]
    Invalid {
        /// A JSON pointer into the schema.
        place: String,
        /// What is wrong there.
        reason: String,
    },
    /// A written schema is larger than anybody wants to read.
    #[error("the written schema has more than {limit} {what}")]
    TooLarge {
        /// What it has too much of.
        what: &'static str,
        /// How much it may have.
        limit: usize,
    },
    /// A written schema of a result that has no structure.
    #[error("`output_schema` does nothing: the method returns no structured value")]
    NoStructure,
    /// A pattern cannot be checked.
    #[error("{path} has a pattern that cannot be used, `{pattern}`: {reason}")]
    Pattern {
        /// Where the pattern is.
        path: Path,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// How long the name of a property may be: a limit of model providers.
pub(super) const MAX_NAME: usize = 64;

/// The way to a part of a schema: `lines[].item`, or `the root`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(String);

impl Path {
    pub(super) fn member(&self, name: &str) -> Self {
        Self(if self.0.is_empty() { name.to_owned() } else { format!("{}.{name}", self.0) })
    }

    pub(super) fn items(&self) -> Self {
        Self(format!("{}[]", self.0))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("the root") } else { write!(f, "`{}`", self.0) }
    }
}
