//! EL-1: a form never asks for a secret, since what is filled in passes through the client.

use syn::Ident;

use crate::diag::Mistake;

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

/// Whether a name tells of a secret.
pub(super) fn is_called(name: &str) -> bool {
    let words = words(name);
    SECRETS.into_iter().any(|secret| is_end(&words, secret))
}

/// What is said of such a field.
pub(super) fn mistake(field: &Ident) -> Mistake {
    Mistake::at(
        field,
        format!("`{field}` is called like a secret, and a form does not ask for one"),
    )
    .note("what is filled in passes through the client and may reach its model")
    .help("send the person to a page of yours with `ask_url`")
    .help("if it is no secret, write `#[form(not_secret)]` above it")
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
    use super::is_called;

    #[test]
    fn el_1_secrets_are_known_by_their_names() {
        for name in ["password", "new_password", "newPassword", "API_KEY", "api-key", "githubToken"]
        {
            assert!(is_called(name), "{name}");
        }
        for name in ["token_count", "secretary", "shipping", "key", "monkey", "spin", "pinned"] {
            assert!(!is_called(name), "{name}");
        }
    }
}
