//! Addresses with variables: RFC 6570, levels 1 and 2.

use std::{fmt, fmt::Write as _};

use regex_lite::Regex;

/// An address with variables, such as `todo://{id}`: it stands for all addresses that it can be expanded to.
///
/// `{id}` is one piece of an address: every character that could part it is percent-encoded, so its value
/// holds no `/`. `{+path}` keeps slashes, and `{#section}` is that behind a `#`. What RFC 6570 has beyond
/// (its levels 3 and 4) is refused, since no address says by itself which value it was made of.
///
/// ```
/// use agent_mcp::contract::UriTemplate;
///
/// let file = UriTemplate::new("notes://{owner}/{+path}")?;
/// let uri = "notes://ada/trips/s%C3%BCden.md";
/// assert_eq!(file.values(uri).unwrap(), ["ada", "trips/süden.md"]);
/// assert_eq!(file.expand(["ada", "trips/süden.md"]).unwrap(), uri);
/// assert_eq!(file.values("notes://ada/../../etc/passwd"), None);
/// # Ok::<(), agent_mcp::contract::TemplateError>(())
/// ```
///
/// A value is never what leads out of where it stands (RES-7): not empty, not `.` or `..`, without
/// a backslash, a NUL or an encoded slash, and so is each part of a `{+path}`. An address with such a value
/// fits no template, and neither does one that is longer than 8 KiB. Where several variables follow each
/// other, each takes as little as it can.
#[derive(Clone, Debug)]
pub struct UriTemplate {
    text: String,
    parts: Vec<Part>,
    pattern: Regex,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Literal(String),
    Variable {
        name: String,
        /// Whether its value may have slashes.
        is_path: bool,
    },
}

/// Why a text is no template of addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// What is beside the variables is no address.
    #[error(
        "it needs a scheme, such as `app://`, and what is beside the variables percent-encoded"
    )]
    NoUri,
    /// A brace without its other.
    #[error("a `{{` and a `}}` belong to each variable")]
    Unbalanced,
    /// Something that is no name of a variable.
    #[error("`{0}` is no variable: its name consists of ASCII letters, digits and `_`")]
    Name(String),
    /// An expression of a higher level.
    #[error("`{0}` is beyond what can be read back: write `{{name}}`, or `{{+name}}` for a path")]
    Beyond(String),
    /// Two variables with nothing between them.
    #[error("nothing parts `{0}` from the variable before it")]
    Adjacent(String),
    /// One variable in two places.
    #[error("the variable `{0}` is there twice")]
    Twice(String),
}

/// The longest address that is looked at. Others are refused by much that is on the way.
const LONGEST: usize = 8 * 1024;

impl UriTemplate {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// What is wrong with it first.
    pub fn new(text: &str) -> Result<Self, TemplateError> {
        let parts = parse(text)?;
        let mut pattern = String::from("(?s)^");
        for part in &parts {
            match part {
                Part::Literal(literal) => pattern.push_str(&regex_lite::escape(literal)),
                Part::Variable { is_path: false, .. } => pattern.push_str("([^/?#]+?)"),
                Part::Variable { is_path: true, .. } => pattern.push_str("(.+?)"),
            }
        }
        pattern.push('$');
        // Made of literals and groups, it is always one.
        let pattern = Regex::new(&pattern).map_err(|_| TemplateError::NoUri)?;
        Ok(Self { text: text.to_owned(), parts, pattern })
    }

    /// Whether a text has variables, and so is a template or nothing.
    #[must_use]
    pub fn is_template(text: &str) -> bool {
        text.contains(['{', '}'])
    }

    /// The template as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The names of the variables, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Variable { name, .. } => Some(&**name),
            Part::Literal(_) => None,
        })
    }

    /// The values of the variables in `uri`, in order and decoded; `None` where it fits not.
    #[must_use]
    pub fn values(&self, uri: &str) -> Option<Vec<String>> {
        if uri.len() > LONGEST {
            return None;
        }
        let found = self.pattern.captures(uri)?;
        let raw = found.iter().skip(1).map(|value| value.map_or("", |value| value.as_str()));
        let kinds = self.parts.iter().filter_map(|part| match part {
            Part::Variable { is_path, .. } => Some(*is_path),
            Part::Literal(_) => None,
        });
        raw.zip(kinds).map(|(raw, is_path)| read(raw, is_path)).collect()
    }

    /// The address with these values, in order; `None` where one of them would not be read back, or their
    /// number is another.
    pub fn expand<T: AsRef<str>>(&self, values: impl IntoIterator<Item = T>) -> Option<String> {
        let mut values = values.into_iter();
        let mut uri = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(literal) => uri.push_str(literal),
                Part::Variable { is_path, .. } => {
                    write(&mut uri, values.next()?.as_ref(), *is_path)?;
                }
            }
        }
        values.next().is_none().then_some(uri)
    }

    /// Whether an address fits both, as far as one can see: where each has its literals inside of a variable
    /// of the other, it is not seen.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let shape = |template: &Self| {
            let parts = template.parts.iter().map(|part| match part {
                Part::Literal(literal) => literal.clone(),
                // What stands in both literals and values.
                Part::Variable { .. } => "x".to_owned(),
            });
            parts.collect::<String>()
        };
        self.pattern.is_match(&shape(other)) || other.pattern.is_match(&shape(self))
    }
}

impl fmt::Display for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for UriTemplate {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

fn parse(text: &str) -> Result<Vec<Part>, TemplateError> {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (literal, braced) = rest.split_at(at);
        push_literal(&mut parts, literal);
        let inner = braced.strip_prefix('{').ok_or(TemplateError::Unbalanced)?;
        let (expression, after) = inner.split_once('}').ok_or(TemplateError::Unbalanced)?;
        variable(&mut parts, expression)?;
        rest = after;
    }
    push_literal(&mut parts, rest);
    let is_uri = match parts.first() {
        Some(Part::Literal(start)) => super::check::is_beginning(start, parts.len() > 1),
        _ => false,
    };
    let encoded = parts.iter().all(|part| match part {
        Part::Literal(literal) => super::check::is_encoded(literal),
        Part::Variable { .. } => true,
    });
    if is_uri && encoded { Ok(parts) } else { Err(TemplateError::NoUri) }
}

fn push_literal(parts: &mut Vec<Part>, literal: &str) {
    match parts.last_mut() {
        _ if literal.is_empty() => {}
        Some(Part::Literal(before)) => before.push_str(literal),
        _ => parts.push(Part::Literal(literal.to_owned())),
    }
}

fn variable(parts: &mut Vec<Part>, expression: &str) -> Result<(), TemplateError> {
    let beyond = || TemplateError::Beyond(format!("{{{expression}}}"));
    let (is_path, name) = match expression.chars().next() {
        Some('+') => (true, &expression[1..]),
        Some('#') => {
            push_literal(parts, "#");
            (true, &expression[1..])
        }
        Some('.' | '/' | ';' | '?' | '&' | '=' | ',' | '!' | '@' | '|') => return Err(beyond()),
        _ => (false, expression),
    };
    if name.contains([',', ':', '*']) {
        return Err(beyond());
    }
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(TemplateError::Name(name.to_owned()));
    }
    if matches!(parts.last(), Some(Part::Variable { .. })) {
        return Err(TemplateError::Adjacent(name.to_owned()));
    }
    let is_there =
        |part: &Part| matches!(part, Part::Variable { name: other, .. } if other == name);
    if parts.iter().any(is_there) {
        return Err(TemplateError::Twice(name.to_owned()));
    }
    parts.push(Part::Variable { name: name.to_owned(), is_path });
    Ok(())
}

/// What a value in an address stands for (RES-7).
fn read(raw: &str, is_path: bool) -> Option<String> {
    if is_path {
        let pieces: Option<Vec<_>> = raw.split('/').map(piece).collect();
        return Some(pieces?.join("/"));
    }
    piece(raw)
}

fn piece(raw: &str) -> Option<String> {
    let value = decode(raw)?;
    is_harmless(&value).then_some(value)
}

/// Whether a value stays where it stands.
fn is_harmless(piece: &str) -> bool {
    !matches!(piece, "" | "." | "..") && !piece.contains(['/', '\\', '\0'])
}

fn decode(raw: &str) -> Option<String> {
    if !raw.contains('%') {
        return Some(raw.to_owned());
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'%' {
            bytes.push(byte);
            rest = after;
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

fn write(uri: &mut String, value: &str, is_path: bool) -> Option<()> {
    let pieces = if is_path { value.split('/').collect() } else { vec![value] };
    if !pieces.iter().all(|piece| is_harmless(piece)) {
        return None;
    }
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || (is_path && byte == b'/') {
            uri.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values(template: &str, uri: &str) -> Option<Vec<String>> {
        UriTemplate::new(template).unwrap().values(uri)
    }

    #[test]
    fn res_3_level_1_and_2_are_read_back() {
        let one = |value: &str| Some(vec![value.to_owned()]);
        assert_eq!(values("todo://{id}", "todo://7"), one("7"));
        assert_eq!(values("todo://{id}/notes", "todo://a%20b/notes"), one("a b"));
        assert_eq!(values("todo://{id}", "todo://gr%C3%B6%c3%9fe"), one("größe"));
        // Clients do not always encode.
        assert_eq!(values("mail://{to}", "mail://ada@example.com"), one("ada@example.com"));
        assert_eq!(values("doc://{+path}", "doc://a/b%20c/d"), one("a/b c/d"));
        assert_eq!(values("doc://page{#part}", "doc://page#a/b"), one("a/b"));
        assert_eq!(values("log://{+path}/last", "log://a/last/last"), one("a/last"));
        let two = values("x://{a}/y?z={b}", "x://1/y?z=2").unwrap();
        assert_eq!(two, ["1", "2"]);
        for uri in
            ["todo://", "todo:///", "todo://7/", "todo://7/8", "todo://7?x", "todo://7#x", "x"]
        {
            assert_eq!(values("todo://{id}", uri), None, "{uri}");
        }
    }

    #[test]
    fn res_7_nothing_leads_out() {
        for value in [
            "..", ".", "%2e%2e", "%2E.", "a%2Fb", "..%2f..", "a%5Cb", "a\\b", "%00", "a%00b", "%",
            "%4", "%zz", "%ff", "",
        ] {
            assert_eq!(values("file:///{name}", &format!("file:///{value}")), None, "{value}");
            for path in [
                value.to_owned(),
                format!("a/{value}"),
                format!("{value}/a"),
                format!("a/{value}/b"),
            ] {
                assert_eq!(values("file:///{+path}", &format!("file:///{path}")), None, "{path}");
            }
        }
        assert_eq!(values("file:///{+path}", "file:////etc/passwd"), None);
        assert_eq!(values("f:{a}", &format!("f:{}", "a".repeat(LONGEST))), None);
        assert_eq!(
            values("file:///{+path}", "file:///.hidden/..a/b.").unwrap(),
            [".hidden/..a/b."]
        );
    }

    #[test]
    fn res_9_what_is_no_template() {
        use TemplateError::*;
        let name = |name: &str| Name(name.to_owned());
        let beyond = |text: &str| Beyond(text.to_owned());
        for (text, error) in [
            ("{id}", NoUri),
            ("todo/{id}", NoUri),
            ("{scheme}://x", NoUri),
            ("to do://{id}", NoUri),
            ("todo://{id}/ö", NoUri),
            ("todo://{id", Unbalanced),
            ("todo://id}", Unbalanced),
            ("todo://{{id}}", name("{id")),
            ("todo://{}", name("")),
            ("todo://{+}", name("")),
            ("todo://{a b}", name("a b")),
            ("todo://{?id}", beyond("{?id}")),
            ("todo://{/id}", beyond("{/id}")),
            ("todo://{a,b}", beyond("{a,b}")),
            ("todo://{id:3}", beyond("{id:3}")),
            ("todo://{id*}", beyond("{id*}")),
            ("todo://{a}{b}", Adjacent("b".to_owned())),
            ("todo://{a}/{a}", Twice("a".to_owned())),
        ] {
            assert_eq!(UriTemplate::new(text).err(), Some(error), "{text}");
        }
        assert!(UriTemplate::new("todo:{id}").is_ok());
    }

    #[test]
    fn overlapping_templates_are_seen() {
        let overlap =
            |a: &str, b: &str| UriTemplate::new(a).unwrap().overlaps(&UriTemplate::new(b).unwrap());
        assert!(overlap("todo://{id}", "todo://{name}"));
        assert!(overlap("todo://{+path}", "todo://{id}/notes"));
        assert!(overlap("todo://{id}/notes", "todo://{+path}"));
        assert!(!overlap("todo://{id}", "note://{id}"));
        assert!(!overlap("todo://{id}", "todo://{id}/notes"));
    }

    fn piece() -> impl Strategy<Value = String> {
        "[^/\\\\\0]{1,12}".prop_filter("leads out", |piece| is_harmless(piece))
    }

    proptest! {
        #[test]
        fn res_3_what_is_expanded_is_read_back(
            id in piece(), owner in piece(), path in prop::collection::vec(piece(), 1..5)
        ) {
            let template = UriTemplate::new("x://{owner}/a/{id}?p={+path}#end").unwrap();
            let given = [owner, id, path.join("/")];
            let uri = template.expand(&given).unwrap();
            prop_assert!(uri.is_ascii());
            prop_assert_eq!(template.values(&uri).unwrap(), given);
        }

        #[test]
        fn res_7_no_address_whatsoever_gives_a_value_that_leads_out(rest in "[./\\\\%0-9a-fA-F]{0,24}") {
            let template = UriTemplate::new("file:///{+path}").unwrap();
            if let Some(values) = template.values(&format!("file:///{rest}")) {
                prop_assert!(values[0].split('/').all(is_harmless));
                prop_assert_eq!(template.values(&template.expand(&values).unwrap()), Some(values));
            }
        }

        #[test]
        fn any_text_is_a_template_or_an_error(text in "[a-z:/{}+#?,.]{0,24}", uri in ".{0,40}") {
            if let Ok(template) = UriTemplate::new(&text) {
                let _ = template.values(&uri);
            }
        }
    }
}
