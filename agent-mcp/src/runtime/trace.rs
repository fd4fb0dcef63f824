//! Where a call stands in a distributed trace.

use crate::contract::MetaMap;

/// A caller's place in a distributed trace, in the words of W3C Trace Context and W3C Baggage. What is not well
/// formed is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace<'a> {
    /// The trace and the caller's span in it: `traceparent`.
    pub parent: Option<&'a str>,
    /// What tracing systems add: `tracestate`. It means nothing without a parent.
    pub state: Option<&'a str>,
    /// What the application's parts pass on: `baggage`.
    pub baggage: Option<&'a str>,
}

impl<'a> Trace<'a> {
    pub(super) fn of(meta: &'a MetaMap) -> Self {
        let text = |key: &str, longest: usize| {
            let text = meta.get(key)?.as_str()?;
            let is_visible = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            (text.len() <= longest && is_visible).then_some(text)
        };
        let parent = text("traceparent", 512).filter(|text| is_parent(text));
        Self {
            parent,
            // The least that everybody passes on is 512 characters and 8192 bytes; no more is taken here.
            state: text("tracestate", 512).filter(|_| parent.is_some()),
            baggage: text("baggage", 8192),
        }
    }
}

/// `00-<trace>-<span>-<flags>`; a later version may go on behind the flags.
fn is_parent(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut hex = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length)?;
        part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).then_some(part)
    };
    let (Some(version), Some(trace), Some(span), Some(_)) = (hex(2), hex(32), hex(16), hex(2))
    else {
        return false;
    };
    let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    version != "ff"
        && !is_zero(trace)
        && !is_zero(span)
        && (version != "00" || parts.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn trace(meta: serde_json::Value) -> [Option<String>; 3] {
        let meta = meta.as_object().unwrap();
        let Trace { parent, state, baggage } = Trace::of(meta);
        [parent, state, baggage].map(|text| text.map(str::to_owned))
    }

    #[test]
    fn meta_4_what_is_well_formed_is_passed_on() {
        let meta = json!({"traceparent": PARENT, "tracestate": "a=1", "baggage": "user=7"});
        let all = [PARENT, "a=1", "user=7"].map(|text| Some(text.to_owned()));
        assert_eq!(trace(meta), all);
        let later = PARENT.replacen("00", "01", 1) + "-more";
        assert_eq!(trace(json!({"traceparent": later}))[0], Some(later));
    }

    #[test]
    fn meta_4_what_is_not_well_formed_is_not_there() {
        for parent in [
            json!(7),
            json!(""),
            json!("00"),
            json!(PARENT.to_uppercase()),
            json!(format!("{PARENT}-more")),
            json!(PARENT.replacen("00", "ff", 1)),
            json!(PARENT.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32))),
            json!(PARENT.replace("00f067aa0ba902b7", &"0".repeat(16))),
            json!(format!("{PARENT}\n")),
        ] {
            let meta = json!({"traceparent": parent, "tracestate": "a=1"});
            assert_eq!(trace(meta), [None, None, None], "a state means nothing without a parent");
        }
        assert_eq!(trace(json!({"baggage": "x".repeat(9000)}))[2], None);
        assert_eq!(trace(json!({"baggage": "a\u{0}b"}))[2], None);
    }
}
