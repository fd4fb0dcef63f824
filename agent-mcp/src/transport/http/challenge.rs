//! What a caller without rights is told in `WWW-Authenticate`.

use std::fmt::Write as _;

use http::HeaderValue;

/// The challenges of one server. Without more to say they are those of RFC 6750.
#[derive(Clone, Debug, Default)]
pub(super) struct Challenges {
    /// Where the metadata of the resource is (AUTH-3).
    pub(super) metadata: Option<String>,
    /// What a caller should ask for to begin with (AUTH-4).
    pub(super) scope: Option<String>,
}

impl Challenges {
    /// For a caller that shows no token.
    pub(super) fn sign_in(&self) -> HeaderValue {
        self.write(None, self.scope.as_deref())
    }

    /// For a token that is not good, or not good any more.
    pub(super) fn invalid_token(&self) -> HeaderValue {
        self.write(Some("invalid_token"), self.scope.as_deref())
    }

    /// For a token that is not sent as it must be (AUTH-9).
    pub(super) fn invalid_request(&self) -> HeaderValue {
        self.write(Some("invalid_request"), None)
    }

    /// For a token that is good for other things. AUTH-10: all scopes, in one challenge.
    pub(super) fn insufficient_scope(&self, scopes: &[String]) -> HeaderValue {
        self.write(Some("insufficient_scope"), Some(&scopes.join(" ")))
    }

    fn write(&self, error: Option<&str>, scope: Option<&str>) -> HeaderValue {
        let mut challenge = String::from("Bearer");
        let mut separator = " ";
        let members =
            [("error", error), ("scope", scope), ("resource_metadata", self.metadata.as_deref())];
        for (name, value) in members {
            if let Some(value) = value {
                // Writing to a `String` cannot fail.
                let _ = write!(challenge, "{separator}{name}=\"{}\"", quoted(value));
                separator = ", ";
            }
        }
        HeaderValue::try_from(challenge).unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
    }
}

/// The text between quotation marks: nothing in it ends it, and nothing in it ends the header.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for character in text.chars().filter(|c| c.is_ascii_graphic() || *c == ' ') {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auth_10_a_text_cannot_leave_its_quotation_marks() {
        let scopes = ["a\", error=\"x", "b\\", "c\r\nSet-Cookie: d", "ü"].map(str::to_owned);
        assert_eq!(
            Challenges::default().insufficient_scope(&scopes),
            r#"Bearer error="insufficient_scope", scope="a\", error=\"x b\\ cSet-Cookie: d ""#
        );
    }

    #[test]
    fn auth_4_each_challenge_says_where_to_go_on() {
        let challenges = Challenges {
            metadata: Some("https://tools.example/.well-known/x".to_owned()),
            scope: Some("todo:read".to_owned()),
        };
        let metadata = r#"resource_metadata="https://tools.example/.well-known/x""#;
        for (challenge, begins) in [
            (challenges.sign_in(), r#"Bearer scope="todo:read""#),
            (challenges.invalid_token(), r#"Bearer error="invalid_token", scope="todo:read""#),
            (challenges.invalid_request(), r#"Bearer error="invalid_request""#),
        ] {
            assert_eq!(challenge, format!("{begins}, {metadata}"));
        }
        assert_eq!(Challenges::default().sign_in(), "Bearer");
    }
}
