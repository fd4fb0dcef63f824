//! TOOL-13, RES-7, RES-12: every kind of content, as each revision has it.

use std::borrow::Cow;

use crate::client::*;
use agent_mcp::{
    Audience, Audio, Content, Embedded, Image, Link, Server, Text, agent, mcp::Handler,
};
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG\xff\x00";
const PNG_BASE64: &str = "iVBOR/8A";

struct Studio;

#[agent]
impl Studio {
    /// A picture.
    #[capability]
    fn picture() -> Image {
        Image::png(PNG)
    }

    /// A sound.
    #[capability]
    fn sound() -> Audio {
        Audio::wav(b"RIFF".to_vec())
    }

    /// Where to look.
    #[capability]
    fn link() -> Link {
        Link::new("https://films.example/7", "seven")
            .title("Seven")
            .description("The seventh film.")
            .mime_type("video/mp4")
            .size(9_007_199_254_740_993)
    }

    /// A bare link.
    #[capability]
    fn bare_link() -> Link {
        Link::new("app://poster", "poster")
    }

    /// What can be read elsewhere.
    #[capability]
    fn embedded() -> [Embedded; 3] {
        [
            Embedded::text("file:///a%20b.md", "# A \"title\"\u{2028}").mime_type("text/markdown"),
            Embedded::bytes("app://poster", PNG).mime_type("image/png"),
            Embedded::text("app://plain", ""),
        ]
    }

    /// Everything at once.
    #[capability]
    fn mixed() -> Vec<Content> {
        vec![
            "one".into(),
            Content::text("two".to_owned()),
            Image::new(PNG, "image/webp").into(),
            Audio::mp3(PNG).into(),
            Link::new("a:b", "c").into(),
            Embedded::text("d:e", "f").into(),
        ]
    }

    /// No content.
    #[capability]
    fn nothing() -> Vec<Image> {
        Vec::new()
    }

    /// Content that says for whom it is.
    #[capability]
    fn annotated() -> Vec<Content> {
        vec![
            Text::new("for the model").audience(Audience::Assistant).priority(0.25).into(),
            Image::png(PNG)
                .audience(Audience::User)
                .audience(Audience::Assistant)
                .audience(Audience::User)
                .priority(7.0)
                .into(),
            Embedded::text("d:e", "f").last_modified("2026-07-28T09:30:00Z").into(),
            Link::new("a:b", "c").priority(f64::NAN).into(),
            Audio::wav(PNG).priority(-1.0).into(),
        ]
    }

    /// A picture, or why not.
    #[capability]
    fn risky(taken: bool) -> Result<Image, Cow<'static, str>> {
        if taken { Ok(Image::jpeg(PNG)) } else { Err("the lens is covered".into()) }
    }

    /// The poster.
    #[resource(uri = "studio://poster", mime_type = "image/png")]
    fn poster() -> Image {
        Image::png(PNG)
    }

    /// The plan.
    #[resource(mime_type = "text/markdown")]
    fn plan() -> &'static str {
        "# Plan"
    }

    /// The jingle, of some type.
    #[resource]
    fn jingle() -> Result<Audio, String> {
        Ok(Audio::new(PNG, "audio/ogg"))
    }

    /// The facts, in a format of their own.
    #[resource(mime_type = "application/vnd.studio+json")]
    fn facts() -> Vec<u8> {
        vec![1]
    }

    /// The whole folder.
    #[resource]
    fn folder() -> Vec<Content> {
        vec![
            "notes".into(),
            Image::png(PNG).into(),
            Link::new("https://films.example/7", "seven").into(),
            Embedded::bytes("studio://folder/a", PNG).into(),
        ]
    }
}

fn studio() -> Handler<()> {
    Server::new(Studio).handler().unwrap()
}

/// The content that `tool` answers with at `revision`.
async fn content(revision: &'static str, tool: &str) -> Value {
    let mut result = Client::at(&studio(), revision).call(tool, json!({})).await;
    assert!(result.get("structuredContent").is_none(), "{result}");
    assert!(result.get("isError").is_none(), "{result}");
    result["content"].take()
}

#[tokio::test]
async fn tool_13_pictures_are_base64_with_their_type_in_every_revision() {
    for revision in ALL {
        assert_eq!(
            content(revision, "picture").await,
            json!([{"type": "image", "data": PNG_BASE64, "mimeType": "image/png"}]),
            "{revision}"
        );
    }
}

#[tokio::test]
async fn tool_13_sounds_are_told_of_where_the_revision_has_none() {
    for revision in ALL {
        let expected = if revision == "2024-11-05" {
            json!({
                "type": "text",
                "text": "[audio/wav, 4 bytes] The protocol's revision 2024-11-05, which this client uses, has no sounds.",
            })
        } else {
            json!({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"})
        };
        assert_eq!(content(revision, "sound").await, json!([expected]), "{revision}");
    }
}

#[tokio::test]
async fn tool_13_links_are_texts_where_the_revision_has_none() {
    for revision in ALL {
        let (full, bare) = if revision < "2025-06-18" {
            (
                json!({"type": "text", "text": "Seven: https://films.example/7 (The seventh film.)"}),
                json!({"type": "text", "text": "poster: app://poster"}),
            )
        } else {
            (
                json!({
                    "type": "resource_link",
                    "uri": "https://films.example/7",
                    "name": "seven",
                    "title": "Seven",
                    "description": "The seventh film.",
                    "mimeType": "video/mp4",
                    "size": 9_007_199_254_740_993_u64,
                }),
                json!({"type": "resource_link", "uri": "app://poster", "name": "poster"}),
            )
        };
        assert_eq!(content(revision, "link").await, json!([full]), "{revision}");
        assert_eq!(content(revision, "bare_link").await, json!([bare]), "{revision}");
    }
}

#[tokio::test]
async fn tool_13_resources_are_embedded_as_text_or_bytes() {
    for revision in ALL {
        assert_eq!(
            content(revision, "embedded").await,
            json!([
                {"type": "resource", "resource": {
                    "uri": "file:///a%20b.md", "mimeType": "text/markdown", "text": "# A \"title\"\u{2028}",
                }},
                {"type": "resource", "resource": {
                    "uri": "app://poster", "mimeType": "image/png", "blob": PNG_BASE64,
                }},
                {"type": "resource", "resource": {"uri": "app://plain", "text": ""}},
            ]),
            "{revision}"
        );
    }
}

#[tokio::test]
async fn tool_13_a_mix_keeps_its_order() {
    let kinds = |content: &Value| -> Vec<String> {
        let blocks = content.as_array().unwrap().iter();
        blocks.map(|block| block["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        kinds(&content("2024-11-05", "mixed").await),
        ["text", "text", "image", "text", "text", "resource"]
    );
    assert_eq!(
        kinds(&content("2025-03-26", "mixed").await),
        ["text", "text", "image", "audio", "text", "resource"]
    );
    for revision in ["2025-06-18", "2025-11-25", MODERN] {
        assert_eq!(
            kinds(&content(revision, "mixed").await),
            ["text", "text", "image", "audio", "resource_link", "resource"]
        );
    }
    // `content` is there even when nothing is in it.
    assert_eq!(content(MODERN, "nothing").await, json!([]));
}

#[tokio::test]
async fn res_12_content_says_for_whom_it_is_and_how_much_it_matters() {
    for revision in ALL {
        let content = content(revision, "annotated").await;
        let notes = |place: usize| content[place].get("annotations").cloned();
        assert_eq!(notes(0), Some(json!({"audience": ["assistant"], "priority": 0.25})));
        assert_eq!(notes(1), Some(json!({"audience": ["user", "assistant"], "priority": 1.0})));
        let time = json!({"lastModified": "2026-07-28T09:30:00Z"});
        assert_eq!(notes(2), (revision >= "2025-06-18").then_some(time), "{revision}");
        assert_eq!(notes(3), None, "a priority that is no number is not said");
        // What became a text keeps its notes.
        assert_eq!(notes(4), Some(json!({"priority": 0.0})));
    }
}

#[tokio::test]
async fn tool_11_a_method_with_a_picture_may_fail() {
    let client = Client::at(&studio(), MODERN);
    let shot = client.call("risky", json!({"taken": true})).await;
    assert_eq!(shot["content"][0]["mimeType"], "image/jpeg");
    let covered = client.call("risky", json!({"taken": false})).await;
    assert_eq!(covered["isError"], true);
    assert_eq!(covered["content"], json!([{"type": "text", "text": "the lens is covered"}]));
}

#[tokio::test]
async fn tool_6_content_has_no_output_schema() {
    let tools = Client::at(&studio(), MODERN).result("tools/list", json!({})).await;
    for tool in tools["tools"].as_array().unwrap() {
        assert!(tool.get("outputSchema").is_none(), "{tool}");
    }
}

#[tokio::test]
async fn res_7_what_is_read_is_text_or_base64_with_its_type() {
    for revision in ALL {
        let client = Client::at(&studio(), revision);
        let read = async |uri: &str| {
            client.result("resources/read", json!({ "uri": uri })).await["contents"].take()
        };
        assert_eq!(
            read("studio://poster").await,
            json!([{"uri": "studio://poster", "mimeType": "image/png", "blob": PNG_BASE64}])
        );
        assert_eq!(
            read("app://plan").await,
            json!([{"uri": "app://plan", "mimeType": "text/markdown", "text": "# Plan"}])
        );
        assert_eq!(
            read("app://jingle").await,
            json!([{"uri": "app://jingle", "mimeType": "audio/ogg", "blob": PNG_BASE64}])
        );
        assert_eq!(
            read("app://facts").await,
            json!([{"uri": "app://facts", "mimeType": "application/vnd.studio+json", "text": "[1]"}])
        );
        // RES-12: several contents, of which some have addresses of their own.
        assert_eq!(
            read("app://folder").await,
            json!([
                {"uri": "app://folder", "mimeType": "text/plain", "text": "notes"},
                {"uri": "app://folder", "mimeType": "image/png", "blob": PNG_BASE64},
                {"uri": "app://folder", "mimeType": "text/uri-list", "text": "https://films.example/7"},
                {"uri": "studio://folder/a", "blob": PNG_BASE64},
            ])
        );
    }
}

#[tokio::test]
async fn res_3_the_list_says_what_is_known_of_the_type() {
    let mut result = Client::at(&studio(), MODERN).result("resources/list", json!({})).await;
    let listed: Vec<_> = result["resources"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .map(|entry| (entry["uri"].take(), entry.get("mimeType").cloned()))
        .collect();
    assert_eq!(
        listed,
        [
            (json!("studio://poster"), Some(json!("image/png"))),
            (json!("app://plan"), Some(json!("text/markdown"))),
            (json!("app://jingle"), None),
            (json!("app://facts"), Some(json!("application/vnd.studio+json"))),
            (json!("app://folder"), None),
        ]
    );
}

#[test]
fn b104_the_manifest_says_where_a_resource_is_and_of_which_type() {
    let runtime = Server::new(Studio).runtime().unwrap();
    let manifest: Value = serde_json::from_str(&runtime.contract().manifest()).unwrap();
    assert_eq!(
        manifest["resources"][0],
        json!({
            "name": "poster",
            "description": "The poster.",
            "uri": "studio://poster",
            "mimeType": "image/png",
            "authorized": false,
        })
    );
}

#[tokio::test]
async fn a_result_counts_as_what_it_takes_in_the_reply() {
    let handler = Server::new(Studio).limits(|limits| limits.result = 7).handler().unwrap();
    let result = Client::at(&handler, MODERN).call("picture", json!({})).await;
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("has 8 bytes, more than the limit `result` of 7"), "{text}");
}
