//! EL-1: a form never asks for a secret, since what is filled in passes through the client.

/// Names, or the ends of names, of what nobody else may read.
const SECRETS: [&str; 17] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pin",
    "secret",
    "token",
    "api_key",
    "apikey",
    "access_key",
    "private_key",
    "secret_key",
    "credential",
    "credentials",
    "cvc",
    "cvv",
    "card_number",
];

/// The word of a name that tells of a secret.
pub(super) fn word(name: &str) -> Option<&'static str> {
    let words = words(name);
    // The longest first: a `secret_key` is no `key`.
    SECRETS.into_iter().filter(|secret| is_end(&words, secret)).max_by_key(|secret| secret.len())
}

/// A name in lower case with underscores: `newPassword` is `new_password`.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut lower = false;
    for letter in name.chars() {
        if letter.is_uppercase() && lower {
            words.push('_');
        }
        lower = letter.is_lowercase() || letter.is_numeric();
        words.extend(if letter == '-' { '_' } else { letter }.to_lowercase());
    }
    words
}

fn is_end(words: &str, secret: &str) -> bool {
    words.strip_suffix(secret).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn el_1_secrets_are_known_by_their_names() {
        for name in ["password", "new_password", "newPassword", "API_KEY", "api-key", "githubToken"]
        {
            assert!(word(name).is_some(), "{name}");
        }
        for name in ["token_count", "secretary", "shipping", "key", "monkey", "spin", "pinned"] {
            assert!(word(name).is_none(), "{name}");
        }
    }
}
