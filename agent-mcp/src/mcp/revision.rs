//! What differs between the protocol's revisions: one table, read through named questions.

use std::fmt;

/// A revision of the protocol.
///
/// The four legacy revisions open a session with a handshake; the modern one has no handshake, every
/// request says by itself which revision it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// 2024-11-05, legacy.
    V2024_11_05,
    /// 2025-03-26, legacy; the one with batches.
    V2025_03_26,
    /// 2025-06-18, legacy.
    V2025_06_18,
    /// 2025-11-25, legacy.
    V2025_11_25,
    /// 2026-07-28, modern.
    V2026_07_28,
}

/// A row of the table: a fact for each thing that is not the same everywhere (VER-21).
struct Facts {
    name: &'static str,
    /// Stateless: no handshake, `_meta` on every request.
    modern: bool,
    /// BASE-8, BASE-10.
    batches: bool,
    /// BASE-5: an error that answers nothing in particular has no id.
    errors_without_id: bool,
    /// `annotations` of a tool; the `message` of progress.
    annotations: bool,
    progress_messages: bool,
    /// `title` beside `name`.
    titles: bool,
    /// `outputSchema` and `structuredContent`.
    structured: bool,
    /// Structured output must be an object, in the schema and in the value.
    objects_only: bool,
    /// Content: sounds, links, and when it was last changed (TOOL-13, RES-12).
    sounds: bool,
    links: bool,
    content_times: bool,
    /// `description` and `websiteUrl` of the server.
    described_servers: bool,
    /// ICON-1.
    icons: bool,
    /// `_meta` of tools, resources, prompts and content.
    entity_meta: bool,
    /// EL-2: forms have defaults, titled options and choices of several.
    whole_forms: bool,
    /// CMP-1: suggestions for arguments are declared.
    completions: bool,
    /// A client can be asked to have a form filled in.
    elicitation: bool,
    /// It can be sent to a page too, and its model may use tools.
    elicitation_modes: bool,
    /// MH-10: arguments may be repeated beside a call.
    repeated_arguments: bool,
    /// TOOL-10: arguments that do not fit are an error of the tool, not of the protocol.
    faults_as_results: bool,
    /// RES-4, RES-5.
    unknown_resource: i32,
    /// SES-13: a stream begins with an event without a message, and its connection may end before it does.
    primed_streams: bool,
}

/// In the order of [`Revision`].
const TABLE: [Facts; 5] = [
    Facts {
        name: "2024-11-05",
        modern: false,
        batches: false,
        errors_without_id: false,
        annotations: false,
        progress_messages: false,
        titles: false,
        structured: false,
        objects_only: true,
        sounds: false,
        links: false,
        content_times: false,
        described_servers: false,
        icons: false,
        entity_meta: false,
        whole_forms: false,
        completions: false,
        elicitation: false,
        elicitation_modes: false,
        repeated_arguments: false,
        faults_as_results: false,
        unknown_resource: -32002,
        primed_streams: false,
    },
    Facts {
        name: "2025-03-26",
        modern: false,
        batches: true,
        errors_without_id: false,
        annotations: true,
        progress_messages: true,
        titles: false,
        structured: false,
        objects_only: true,
        sounds: true,
        links: false,
        content_times: false,
        described_servers: false,
        icons: false,
        entity_meta: false,
        whole_forms: false,
        completions: true,
        elicitation: false,
        elicitation_modes: false,
        repeated_arguments: false,
        faults_as_results: false,
        unknown_resource: -32002,
        primed_streams: false,
    },
    Facts {
        name: "2025-06-18",
        modern: false,
        batches: false,
        errors_without_id: false,
        annotations: true,
        progress_messages: true,
        titles: true,
        structured: true,
        objects_only: true,
        sounds: true,
        links: true,
        content_times: true,
        described_servers: false,
        icons: false,
        entity_meta: true,
        whole_forms: false,
        completions: true,
        elicitation: true,
        elicitation_modes: false,
        repeated_arguments: false,
        faults_as_results: false,
        unknown_resource: -32002,
        primed_streams: false,
    },
    Facts {
        name: "2025-11-25",
        modern: false,
        batches: false,
        errors_without_id: true,
        annotations: true,
        progress_messages: true,
        titles: true,
        structured: true,
        objects_only: true,
        sounds: true,
        links: true,
        content_times: true,
        described_servers: true,
        icons: true,
        entity_meta: true,
        whole_forms: true,
        completions: true,
        elicitation: true,
        elicitation_modes: true,
        repeated_arguments: false,
        faults_as_results: true,
        unknown_resource: -32002,
        primed_streams: true,
    },
    Facts {
        name: "2026-07-28",
        modern: true,
        batches: false,
        errors_without_id: true,
        annotations: true,
        progress_messages: true,
        titles: true,
        structured: true,
        objects_only: false,
        sounds: true,
        links: true,
        content_times: true,
        described_servers: true,
        icons: true,
        entity_meta: true,
        whole_forms: true,
        completions: true,
        elicitation: true,
        elicitation_modes: true,
        repeated_arguments: true,
        faults_as_results: true,
        unknown_resource: -32602,
        primed_streams: false,
    },
];

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; TABLE.len()] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The revision of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// The name, as it is on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.facts().name
    }

    /// Whether it has no handshake and no sessions.
    #[must_use]
    pub fn is_modern(self) -> bool {
        self.facts().modern
    }

    /// Whether several messages may come as one list.
    pub(crate) fn has_batches(self) -> bool {
        self.facts().batches
    }

    /// Whether an error that answers nothing in particular leaves out the id.
    pub(crate) fn has_errors_without_id(self) -> bool {
        self.facts().errors_without_id
    }

    /// Whether tools have annotations.
    pub(crate) fn has_annotations(self) -> bool {
        self.facts().annotations
    }

    /// Whether progress comes with words.
    pub(crate) fn has_progress_messages(self) -> bool {
        self.facts().progress_messages
    }

    /// Whether things have a title beside their name.
    pub(crate) fn has_titles(self) -> bool {
        self.facts().titles
    }

    /// Whether results and tools may be structured.
    pub(crate) fn has_structured_output(self) -> bool {
        self.facts().structured
    }

    /// Whether structured output that is no object must be wrapped in one.
    pub(crate) fn wraps_scalars(self) -> bool {
        self.facts().objects_only
    }

    /// Whether content may be a sound.
    pub(crate) fn has_sounds(self) -> bool {
        self.facts().sounds
    }

    /// Whether content may be a link.
    pub(crate) fn has_links(self) -> bool {
        self.facts().links
    }

    /// Whether content says when it was last changed.
    pub(crate) fn has_content_times(self) -> bool {
        self.facts().content_times
    }

    /// Whether a server says more of itself than name and version.
    pub(crate) fn describes_servers(self) -> bool {
        self.facts().described_servers
    }

    /// Whether things have pictures.
    pub(crate) fn has_icons(self) -> bool {
        self.facts().icons
    }

    /// Whether things carry `_meta`.
    pub(crate) fn has_entity_meta(self) -> bool {
        self.facts().entity_meta
    }

    /// Whether a form may have defaults, titled options and choices of several.
    pub(crate) fn has_whole_forms(self) -> bool {
        self.facts().whole_forms
    }

    /// Whether it has a word for suggestions for arguments.
    pub(crate) fn has_completions(self) -> bool {
        self.facts().completions
    }

    /// Whether a client can be asked to have a form filled in.
    pub(crate) fn has_elicitation(self) -> bool {
        self.facts().elicitation
    }

    /// Whether a client can be asked in more ways than by forms, and its model may use tools.
    pub(crate) fn has_elicitation_modes(self) -> bool {
        self.facts().elicitation_modes
    }

    /// Whether a schema says which arguments are repeated beside a call.
    pub(crate) fn repeats_arguments(self) -> bool {
        self.facts().repeated_arguments
    }

    /// Whether arguments that do not fit are answered with a result that the model sees.
    pub(crate) fn answers_faults_with_results(self) -> bool {
        self.facts().faults_as_results
    }

    /// Whether a stream begins with an event that has an id and no message, and a connection may end before
    /// its stream does. Older clients would take that event for a message.
    pub(crate) fn primes_streams(self) -> bool {
        self.facts().primed_streams
    }

    /// The error code of a resource that does not exist.
    pub(crate) fn unknown_resource_code(self) -> i32 {
        self.facts().unknown_resource
    }

    /// Its place in [`ALL`](Self::ALL), for tables with a row for each.
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    fn facts(self) -> &'static Facts {
        &TABLE[self.index()]
    }
}

impl serde::Serialize for Revision {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Revision {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| serde::de::Error::custom("no known revision"))
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_revision_has_its_row() {
        for (index, revision) in Revision::ALL.into_iter().enumerate() {
            assert_eq!(revision.index(), index);
            assert_eq!(Revision::named(revision.as_str()), Some(revision));
        }
        assert_eq!(Revision::V2024_11_05.as_str(), "2024-11-05");
        assert_eq!(Revision::V2026_07_28.as_str(), "2026-07-28");
        assert_eq!(Revision::named("2099-01-01"), None);
    }

    #[test]
    fn ver_21_names_are_dates_in_order() {
        assert!(Revision::ALL.is_sorted_by_key(|revision| revision.as_str()));
        assert!(Revision::ALL.is_sorted());
    }
}
