use agent_mcp::{Audio, Content, Embedded, Image, agent};

/// A red PNG of one pixel.
pub(crate) const PIXEL: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xcf, 0xc0, 0x00,
    0x00, 0x03, 0x01, 0x01, 0x00, 0xf7, 0x03, 0x41, 0x43, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e,
    0x44, 0xae, 0x42, 0x60, 0x82,
];

/// A WAV file with a header and one silent sample.
const SILENCE: &[u8] = b"RIFF\x25\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x01\0\0\0\x80";

/// What is read of a contact; its schema is written by hand.
#[derive(serde::Deserialize)]
pub(crate) struct Contact {
    name: Option<String>,
}

/// Every kind of content.
pub(crate) struct Contents;

/// A server for the conformance suite.
#[agent]
impl Contents {
    /// Answer with a text.
    #[capability(read_only)]
    fn test_simple_text() -> &'static str {
        "This is a simple text response for testing."
    }

    /// Answer with a picture.
    #[capability(read_only)]
    fn test_image_content() -> Image {
        Image::png(PIXEL)
    }

    /// Answer with a sound.
    #[capability(read_only)]
    fn test_audio_content() -> Audio {
        Audio::wav(SILENCE)
    }

    /// Answer with a resource.
    #[capability(read_only)]
    fn test_embedded_resource() -> Embedded {
        Embedded::text("test://embedded-resource", "This is an embedded resource content.")
            .mime_type("text/plain")
    }

    /// Answer with a text, a picture and a resource.
    #[capability(read_only)]
    fn test_multiple_content_types() -> [Content; 3] {
        [
            "Multiple content types test:".into(),
            Image::png(PIXEL).into(),
            Embedded::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#)
                .mime_type("application/json")
                .into(),
        ]
    }

    /// Takes a contact, described by all that JSON Schema has.
    #[capability(input_schema = include_str!("contact.json"))]
    fn json_schema_2020_12_tool(#[args] contact: Contact) -> String {
        format!("{} is noted.", contact.name.as_deref().unwrap_or("Somebody"))
    }
}
