//! What a `SKILL.md` says of its skill before it begins.

use serde_json::{Map, Value};

/// The front matter of a file as JSON; an error says what is wrong with it. `folder` is the name of the skill's
/// folder.
pub(super) fn read(bytes: &[u8], folder: &str) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let yaml = block(text).ok_or_else(|| {
        "it does not begin with front matter: a line `---`, `name` and `description`, and a line `---`"
            .to_owned()
    })?;
    // YAML 1.2 has two words for a truth value, and no more.
    let options = serde_saphyr::options! { strict_booleans: true };
    let value: Value = serde_saphyr::from_str_with_options(yaml, options)
        .map_err(|error| format!("its front matter is no YAML: {error}"))?;
    let Value::Object(members) = value else {
        return Err("its front matter is no list of names and values".to_owned());
    };
    let text = |key: &str| {
        let text = members.get(key).and_then(Value::as_str);
        text.filter(|text| !text.trim().is_empty())
            .ok_or_else(|| format!("its front matter has no text `{key}`"))
    };
    let name = text("name")?;
    text("description")?;
    if !is_name(name) {
        return Err(format!(
            "`{name}` is no name of a skill: write 1 to 64 small letters, digits and single hyphens"
        ));
    }
    if name != folder {
        return Err(format!(
            "its name is `{name}`, and its folder's is `{folder}`; they must be the same"
        ));
    }
    Ok(members)
}

fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.len() <= 64
        && name.bytes().all(allowed)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

/// What is between the two lines `---`.
fn block(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some(&rest[..end]);
        }
        end += line.len();
    }
    None
}
