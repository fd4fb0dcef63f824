//! One message, read in one pass: what is needed is borrowed, the rest is skipped.
//!
//! No tree of values is built. Everything that is passed on or sent back (id, arguments, tokens) is a
//! slice of the message's own bytes.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::{error::Category, value::RawValue};

use super::{error::RpcError, id::Id, loose::Loose, tree};
use crate::contract::MetaMap;

/// The deepest nesting of a message; what is deeper is refused before anybody walks down.
const DEEPEST: usize = 128;

/// One message of JSON-RPC.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request {
        id: Id<'a>,
        call: Asked<'a>,
    },
    Notification(Asked<'a>),
    /// An answer to a question of ours.
    Response {
        id: Raw<'a>,
        result: Raw<'a>,
        error: Raw<'a>,
    },
}

/// What a request or a notification asks for.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
}

/// A message that cannot be taken, and the id to answer under.
#[derive(Debug)]
pub(crate) struct Rejected<'a> {
    pub(crate) id: Option<Id<'a>>,
    pub(crate) error: RpcError,
}

/// The members of all params that mean something to us. A member with the value null is present.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Params<'a> {
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) name: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) arguments: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) uri: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) cursor: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) level: Raw<'a>,
    #[serde(borrow, deserialize_with = "present", rename = "requestId")]
    pub(crate) request_id: Raw<'a>,
    #[serde(borrow, deserialize_with = "present", rename = "ref")]
    pub(crate) reference: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) argument: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) context: Raw<'a>,
    #[serde(borrow, deserialize_with = "present", rename = "taskId")]
    pub(crate) task_id: Raw<'a>,
    #[serde(borrow, deserialize_with = "present", rename = "inputResponses")]
    pub(crate) input_responses: Raw<'a>,
    #[serde(borrow, deserialize_with = "present", rename = "requestState")]
    pub(crate) request_state: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) notifications: Raw<'a>,
    #[serde(borrow, deserialize_with = "present", rename = "protocolVersion")]
    pub(crate) protocol_version: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub(crate) capabilities: Raw<'a>,
    #[serde(borrow, deserialize_with = "present", rename = "clientInfo")]
    pub(crate) client_info: Raw<'a>,
    #[serde(borrow, rename = "_meta")]
    meta: Loose<Meta<'a>>,
}

impl<'a> Params<'a> {
    /// The metadata of the message, where there is any.
    pub(crate) fn meta(&self) -> Option<&Meta<'a>> {
        match &self.meta {
            Loose::Object(meta) => Some(meta),
            Loose::Absent | Loose::Other => None,
        }
    }
}

/// The members of `_meta`: those that mean something to us, and the others as they are.
#[derive(Debug, Default)]
pub(crate) struct Meta<'a> {
    pub(crate) progress_token: Raw<'a>,
    pub(crate) protocol_version: Raw<'a>,
    pub(crate) client_capabilities: Raw<'a>,
    pub(crate) client_info: Raw<'a>,
    pub(crate) log_level: Raw<'a>,
    /// META-3: nothing is known of them here; a method may ask for them.
    others: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl Meta<'_> {
    /// Whether the message comes in a modern envelope (VER-12).
    pub(crate) fn is_modern(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some()
    }

    /// What a method may ask for; `None` where there is nothing.
    ///
    /// # Errors
    ///
    /// There is too much of it.
    pub(crate) fn others(&self) -> Result<Option<MetaMap>, RpcError> {
        if self.others.is_empty() {
            return Ok(None);
        }
        let values: usize = self.others.iter().map(|(_, raw)| tree::values(raw.get())).sum();
        if values > tree::MOST {
            let text = format!("`_meta` must not hold more than {} values", tree::MOST);
            return Err(RpcError::invalid_params(text));
        }
        let members = self.others.iter().filter_map(|(key, raw)| {
            Some((key.clone().into_owned(), serde_json::from_str(raw.get()).ok()?))
        });
        Ok(Some(members.collect()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Meta<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Meta<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Meta<'de>, A::Error> {
                let mut meta = Meta::default();
                while let Some(Key(key)) = map.next_key()? {
                    let value: &'de RawValue = map.next_value()?;
                    let known = match &*key {
                        "progressToken" => &mut meta.progress_token,
                        "io.modelcontextprotocol/protocolVersion" => &mut meta.protocol_version,
                        "io.modelcontextprotocol/clientCapabilities" => {
                            &mut meta.client_capabilities
                        }
                        "io.modelcontextprotocol/clientInfo" => &mut meta.client_info,
                        "io.modelcontextprotocol/logLevel" => &mut meta.log_level,
                        _ => {
                            meta.others.push((key, value));
                            continue;
                        }
                    };
                    if known.replace(value).is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
                    }
                }
                Ok(meta)
            }
        }

        #[derive(Deserialize)]
        struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

        deserializer.deserialize_map(Members)
    }
}

/// The JSON text of a member, if it is there.
pub(crate) type Raw<'a> = Option<&'a RawValue>;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Raw<'a>,
    #[serde(borrow, default)]
    params: Loose<Params<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Raw<'a>,
}

/// What is read when the rest of a message does not fit: who to answer.
#[derive(Deserialize)]
struct Sender<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    id: Raw<'a>,
}

/// Reads one message.
pub(crate) fn read(message: &str) -> Result<Message<'_>, Rejected<'_>> {
    let envelope: Envelope<'_> = serde_json::from_str(message).map_err(|error| {
        if error.classify() != Category::Data {
            let error = RpcError::new(RpcError::PARSE, format!("The message is no JSON: {error}"));
            return Rejected { id: None, error };
        }
        let sender = serde_json::from_str::<Sender<'_>>(message).ok();
        let id = sender.and_then(|sender| Id::new(sender.id?.get()));
        Rejected { id, error: RpcError::invalid_request("The message is no JSON-RPC request") }
    })?;
    let id = envelope.id.map(|id| Id::new(id.get()));
    let reject = |error| Rejected { id: id.flatten(), error };
    let invalid = |text: &'static str| reject(RpcError::invalid_request(text));

    if envelope.jsonrpc.is_none_or(|version| text(version).as_deref() != Some("2.0")) {
        return Err(invalid("`jsonrpc` must be \"2.0\""));
    }
    let Some(method) = envelope.method else {
        let answers = envelope.result.is_some() || envelope.error.is_some();
        if !answers {
            return Err(invalid("`method` is missing"));
        }
        if tree::is_deeper(message, DEEPEST) {
            let text = format!("The message is nested deeper than {DEEPEST} levels");
            return Err(reject(RpcError::invalid_request(text)));
        }
        let Envelope { id, result, error, .. } = envelope;
        return Ok(Message::Response { id, result, error });
    };
    let Some(method) = text(method) else { return Err(invalid("`method` must be a string")) };
    if tree::is_deeper(message, DEEPEST) {
        let text = format!("The message is nested deeper than {DEEPEST} levels");
        return Err(reject(RpcError::invalid_request(text)));
    }
    let params = match envelope.params {
        Loose::Object(params) => params,
        Loose::Absent => Params::default(),
        // BASE-6: a notification is never answered, so there is nobody to complain to.
        Loose::Other if id.is_none() => Params::default(),
        Loose::Other => return Err(reject(RpcError::invalid_params("`params` must be an object"))),
    };
    let call = Asked { method, params };
    match id {
        None => Ok(Message::Notification(call)),
        Some(Some(id)) => Ok(Message::Request { id, call }),
        Some(None) => Err(invalid("`id` must be a string or an integer")),
    }
}

/// The members of a batch; `None` for what is not a list.
pub(crate) fn members(message: &str) -> Option<serde_json::Result<Vec<&RawValue>>> {
    message.trim_ascii_start().starts_with('[').then(|| serde_json::from_str(message))
}

/// The text of a JSON string; `None` for any other value.
pub(crate) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let quoted = raw.get();
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str::<String>(quoted).ok().map(Cow::Owned)
    } else {
        Some(inner.into())
    }
}

/// The text of an optional member, for which null counts as absent.
pub(crate) fn given(raw: Raw<'_>) -> Raw<'_> {
    raw.filter(|raw| raw.get() != "null")
}

/// Keeps null apart from absence.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Raw<'de>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(message: &str) -> (Option<&str>, i32) {
        let rejected = read(message).unwrap_err();
        (rejected.id.map(Id::raw), rejected.error.code)
    }

    #[test]
    fn a_request_is_borrowed_from_its_bytes() {
        let message = r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{
            "extra":[1], "name":"find", "arguments":{"q": "x"}, "_meta":{"progressToken":0}}}"#;
        let Ok(Message::Request { id, call }) = read(message) else { panic!() };
        assert_eq!(id.raw(), "9007199254740993");
        assert!(matches!(call.method, Cow::Borrowed("tools/call")));
        assert_eq!(call.params.arguments.unwrap().get(), r#"{"q": "x"}"#);
        assert_eq!(call.params.meta().unwrap().progress_token.unwrap().get(), "0");
        assert!(!call.params.meta().unwrap().is_modern());
    }

    #[test]
    fn jsonrpc_a51_params_null_or_missing() {
        for params in ["", r#","params":null"#, r#","params":{}"#] {
            let request = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping"{params}}}"#);
            assert!(matches!(read(&request), Ok(Message::Request { .. })), "{params}");
            let notification = format!(r#"{{"jsonrpc":"2.0","method":"x"{params}}}"#);
            assert!(matches!(read(&notification), Ok(Message::Notification(_))), "{params}");
        }
        for params in ["[]", "[[[1]]]", "1", "-1", "1.5", "true", "\"text\""] {
            let request = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{params}}}"#);
            assert_eq!(rejected(&request), (Some("1"), -32602), "{params}");
            let notification = format!(r#"{{"jsonrpc":"2.0","method":"x","params":{params}}}"#);
            assert!(matches!(read(&notification), Ok(Message::Notification(_))), "{params}");
        }
    }

    #[test]
    fn jsonrpc_251_wrong_protocol_marker() {
        for marker in ["", r#""jsonrpc":"1.0","#, r#""jsonrpc":2.0,"#, r#""jsonrpc":null,"#] {
            let message = format!(r#"{{{marker}"id":"a","method":"tools/list"}}"#);
            assert_eq!(rejected(&message), (Some("\"a\""), -32600), "{marker}");
        }
    }

    #[test]
    fn jsonrpc_c09_id_null_is_no_notification() {
        for id in ["null", "1.5", "true", "{}", "[]"] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
            assert_eq!(rejected(&message), (None, -32600), "{id}");
        }
    }

    #[test]
    fn b114_what_has_no_method_is_no_request() {
        assert_eq!(rejected(r#"{"jsonrpc":"2.0","id":1}"#), (Some("1"), -32600));
        assert_eq!(rejected(r#"{"jsonrpc":"2.0","id":1,"method":5}"#), (Some("1"), -32600));
        assert_eq!(rejected(r#"{"jsonrpc":"2.0","id":1,"method":null}"#), (Some("1"), -32600));
        assert_eq!(rejected(r#""text""#), (None, -32600));
        assert_eq!(rejected("17"), (None, -32600));
        assert_eq!(rejected("null"), (None, -32600));
    }

    #[test]
    fn b138_what_is_no_json_is_a_parse_error() {
        for message in ["", "{", "{]", "nonsense", r#"{"jsonrpc":"2.0","id":1,"method":"x"}}"#] {
            assert_eq!(rejected(message), (None, -32700), "{message}");
        }
    }

    #[test]
    fn a_member_that_comes_twice_is_refused_with_the_id() {
        let message = r#"{"jsonrpc":"2.0","method":"x","params":{"name":"a","name":"b"},"id":4}"#;
        assert_eq!(rejected(message), (Some("4"), -32600));
    }

    #[test]
    fn an_answer_is_no_request() {
        for body in [r#""result":{}"#, r#""error":{"code":1,"message":""}"#] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":1,{body}}}"#);
            assert!(matches!(read(&message), Ok(Message::Response { .. })));
        }
    }

    #[test]
    fn deep_nesting_is_refused_with_the_id() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"arguments":{open}{close}}}}}"#
            )
        };
        assert_eq!(rejected(&nested(127)), (Some("1"), -32600));
        assert_eq!(rejected(&nested(1_000_000)), (Some("1"), -32600));
        assert!(read(&nested(126)).is_ok());
    }

    #[test]
    fn ver_12_what_makes_an_envelope_modern() {
        let modern = |meta: &str| {
            let message =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"_meta":{meta}}}}}"#);
            let Ok(Message::Request { call, .. }) = read(&message) else { panic!("{meta}") };
            call.params.meta().is_some_and(Meta::is_modern)
        };
        assert!(modern(r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#));
        assert!(modern(r#"{"io.modelcontextprotocol/protocolVersion":null}"#));
        assert!(modern(r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#));
        assert!(!modern(r#"{"io.modelcontextprotocol/clientInfo":{},"progressToken":1}"#));
        assert!(!modern("7"));
        assert!(!modern("null"));
    }
}
