//! What can be asked of a caller.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{FormSchema, Sampling};

/// A question to the caller of a running method.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Question {
    /// A form for a person to fill in.
    #[non_exhaustive]
    Form {
        /// What the person reads.
        message: String,
        /// What it asks for.
        schema: Arc<FormSchema>,
    },
    /// A page for a person to visit, for what must not pass through the client.
    #[non_exhaustive]
    Url {
        /// What the person reads.
        message: String,
        /// The page.
        url: String,
    },
    /// A completion by the caller's model.
    Sample(Box<Sampling>),
    /// The folders that the caller works in.
    Roots,
}

impl Question {
    /// A form with that schema.
    pub(crate) fn form(message: impl Into<String>, schema: Arc<FormSchema>) -> Self {
        Self::Form { message: message.into(), schema }
    }

    /// What it takes to be asked this.
    pub(crate) fn needs(&self) -> impl Iterator<Item = Need> + use<> {
        let (first, second) = match self {
            Self::Form { .. } => (Need::Form, None),
            Self::Url { .. } => (Need::Url, None),
            Self::Sample(sampling) => {
                (Need::Sampling, sampling.has_tools().then_some(Need::SamplingTools))
            }
            Self::Roots => (Need::Roots, None),
        };
        std::iter::once(first).chain(second)
    }

    /// Tells this question from every other.
    pub(crate) fn digest(&self) -> Digest {
        let json = serde_json::to_vec(self).unwrap_or_default();
        Digest(Sha256::digest(json).into())
    }
}

/// A number that stands for one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Digest([u8; 32]);

/// Something that not every caller can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Need {
    /// Show a person a form.
    Form,
    /// Send a person to a page.
    Url,
    /// Ask its model.
    Sampling,
    /// Ask its model and let it use tools.
    SamplingTools,
    /// Name the folders that it works in.
    Roots,
}

impl Need {
    /// What it is, for a model.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Form => "show a form to the user",
            Self::Url => "send the user to a page",
            Self::Sampling => "ask its model",
            Self::SamplingTools => "let its model use tools",
            Self::Roots => "name its folders",
        }
    }
}

/// By which means a caller can be asked: its own word, or none where there is no way to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // As in `Need`.
pub struct Means {
    pub form: bool,
    pub url: bool,
    pub sampling: bool,
    pub sampling_tools: bool,
    pub roots: bool,
    /// Whether the client may show its model what it knows of servers (SA-2).
    pub sampling_context: bool,
}

impl Means {
    /// Everything.
    pub const ALL: Self = Self {
        form: true,
        url: true,
        sampling: true,
        sampling_tools: true,
        roots: true,
        sampling_context: true,
    };

    /// Whether the caller can do that.
    #[must_use]
    pub fn has(self, need: Need) -> bool {
        match need {
            Need::Form => self.form,
            Need::Url => self.url,
            Need::Sampling => self.sampling,
            Need::SamplingTools => self.sampling_tools,
            Need::Roots => self.roots,
        }
    }
}
