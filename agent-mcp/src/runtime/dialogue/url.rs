//! The addresses of pages that people are sent to.

/// Whether a person may be sent to `url`; what is wrong with it otherwise (EL-3, EL-7).
pub(super) fn check(url: &str) -> Result<(), &'static str> {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() || !url.chars().all(|c| c.is_ascii_graphic()) {
        return Err("its URL is no address of a page");
    }
    if authority.contains('@') {
        return Err("its URL holds credentials");
    }
    let is_here = || {
        let host = authority.rsplit_once(':').map_or(authority, |(host, port)| {
            // The last colon of `[::1]` is its own.
            if port.ends_with(']') { authority } else { host }
        });
        ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| host.eq_ignore_ascii_case(name))
    };
    match () {
        () if scheme.eq_ignore_ascii_case("https") => Ok(()),
        () if scheme.eq_ignore_ascii_case("http") && is_here() => Ok(()),
        () => Err("its URL is neither an `https:` address nor an `http:` one of this machine"),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn el_3_and_el_7_pages_are_encrypted_and_hold_no_credentials() {
        for url in [
            "https://pay.example/1",
            "HTTPS://pay.example:8443?order=1",
            "http://localhost:8080/",
            "http://127.0.0.1",
            "http://[::1]:80/pay",
            "http://[::1]",
            "https://pay.example/@ada",
        ] {
            assert_eq!(check(url), Ok(()), "{url}");
        }
        for (url, fault) in [
            ("", "no address"),
            ("pay.example/1", "no address"),
            ("https://", "no address"),
            ("https:///1", "no address"),
            ("https://pay.example/a b", "no address"),
            ("https://pay.example/\n", "no address"),
            ("javascript:alert(1)", "no address"),
            ("https://ada:secret@pay.example/", "credentials"),
            ("https://pay.example@evil.example/", "credentials"),
            ("http://pay.example/", "neither"),
            ("http://localhost.evil.example/", "neither"),
            ("file://localhost/etc/passwd", "neither"),
        ] {
            assert!(check(url).unwrap_err().contains(fault), "{url}");
        }
    }
}
