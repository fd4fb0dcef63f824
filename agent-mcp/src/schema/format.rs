//! The formats that a text in a form may have.

/// Whether the text has the format: `email`, `uri`, `date` or `date-time`. Any other format says nothing.
pub(super) fn holds(format: &str, text: &str) -> bool {
    match format {
        "email" => email(text),
        "uri" => uri(text),
        "date" => date(text),
        "date-time" => date_time(text).is_some(),
        _ => true,
    }
}

/// Something before an `@`, and a name of a host behind it. Whether mail arrives there is known to nobody before it
/// was sent.
fn email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let plain = |c: char| !c.is_whitespace() && !c.is_control();
    !local.is_empty()
        && local.chars().all(|c| plain(c) && c != '@')
        && host.split('.').all(|label| !label.is_empty())
        && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '[' | ']' | ':'))
}

/// RFC 3986: a scheme, a colon, and something without characters that no address has.
fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        && !rest.is_empty()
        && rest
            .chars()
            .all(|c| !c.is_whitespace() && !c.is_control() && !r#"<>"{}|\^`"#.contains(c))
}

/// RFC 3339, full-date.
fn date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let [_, _, _, _, b'-', _, _, b'-', _, _] = bytes else { return false };
    let (Some(year), Some(month), Some(day)) =
        (digits(&bytes[..4]), digits(&bytes[5..7]), digits(&bytes[8..]))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// RFC 3339, date-time.
fn date_time(text: &str) -> Option<()> {
    let (day, time) = (text.get(..10)?, text.get(10..)?);
    let time = time.strip_prefix(['T', 't'])?.as_bytes();
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = time else { return None };
    let within = |tens: &u8, ones: &u8, max| digits(&[*tens, *ones]).filter(|n| *n <= max);
    within(h1, h2, 23)?;
    within(m1, m2, 59)?;
    // A leap second.
    within(s1, s2, 60)?;
    let rest = match rest {
        [b'.', fraction @ ..] => {
            let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (length > 0).then_some(&fraction[length..])?
        }
        rest => rest,
    };
    match rest {
        [b'Z' | b'z'] => {}
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            within(h1, h2, 23)?;
            within(m1, m2, 59)?;
        }
        _ => return None,
    }
    date(day).then_some(())
}

fn digits(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn el_2_the_four_formats_are_told_apart() {
        for (format, good, bad) in [
            (
                "email",
                &["ada@example.com", "a.b+c@mail.example", "ö@exämple.de", "a@[::1]"][..],
                &["ada", "@example.com", "ada@", "a b@example.com", "a@b@c", "ada@example..com"][..],
            ),
            (
                "uri",
                &["https://example.com/a?b=c#d", "mailto:ada@example.com", "urn:isbn:1"],
                &["example.com", "https:", "1a:b", "https://exa mple.com", ":x", "a:<b>"],
            ),
            (
                "date",
                &["2026-01-31", "2024-02-29", "2000-02-29"],
                &[
                    "2026-02-29",
                    "1900-02-29",
                    "2026-13-01",
                    "2026-1-31",
                    "2026-01-00",
                    "31.01.2026",
                ],
            ),
            (
                "date-time",
                &[
                    "2026-01-31T12:00:00Z",
                    "2026-01-31t12:00:60.5+01:30",
                    "2026-01-31T00:00:00-23:59",
                ],
                &[
                    "2026-01-31",
                    "2026-01-31T12:00:00",
                    "2026-01-31 12:00:00Z",
                    "2026-01-31T24:00:00Z",
                    "2026-01-31T12:00:00.Z",
                    "2026-02-31T12:00:00Z",
                    "2026-01-3ä12:00:00Z",
                ],
            ),
        ] {
            for text in good {
                assert!(holds(format, text), "{format}: {text}");
            }
            for text in bad {
                assert!(!holds(format, text), "{format}: {text}");
            }
        }
    }
}
