//! Requests to the caller's model on the wire.

use std::borrow::Cow;

use super::{content::missing, revision::Revision};
use crate::runtime::Sampling;

/// The params of `sampling/createMessage`, with what the revision has: older ones have no sounds (TOOL-13). That
/// tools are only for clients which have them is decided before (SA-1).
pub(crate) fn params(request: &Sampling, revision: Revision) -> Cow<'_, Sampling> {
    if revision.has_sounds() {
        return Cow::Borrowed(request);
    }
    request.without_sounds(|audio| missing(audio, "sounds", revision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Audio;
    use serde_json::json;

    #[test]
    fn ver_21_a_sound_is_a_text_where_there_are_none() {
        let request = Sampling::new("What is it?").user(Audio::wav(vec![1]));
        for revision in Revision::ALL {
            let json = serde_json::to_value(params(&request, revision)).unwrap();
            assert_eq!(
                json["messages"][0]["content"],
                json!({"type": "text", "text": "What is it?"})
            );
            let second = &json["messages"][1]["content"];
            if revision.has_sounds() {
                assert_eq!(second["type"], "audio");
            } else {
                assert!(second["text"].as_str().unwrap().starts_with("[audio/wav, 1 bytes]"));
            }
        }
    }
}
