/// The longest excerpt of a hit, in characters.
const EXCERPT: usize = 160;

/// The words that a note must contain, in lower case.
pub(crate) struct Query(Vec<String>);

/// Where a query was found in one note.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// How often the words occur.
    pub(crate) count: usize,
    /// The line with the most words in it, from 1.
    pub(crate) line: usize,
    /// That line, shortened.
    pub(crate) excerpt: String,
}

impl Query {
    /// Splits a query into words; `None` if it has none.
    pub(crate) fn new(query: &str) -> Option<Self> {
        let words: Vec<_> = query.split_whitespace().map(str::to_lowercase).collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// Looks for the words in a note's name and text; all of them must be there.
    pub(crate) fn find(&self, name: &str, text: &str) -> Option<Match> {
        let name = name.to_lowercase();
        let lower = text.to_lowercase();
        let mut count = 0;
        for word in &self.0 {
            let here = name.matches(word).count() + lower.matches(word).count();
            if here == 0 {
                return None;
            }
            count += here;
        }
        let (line, excerpt) = self.best_line(text);
        Some(Match { count, line, excerpt })
    }

    /// The first line with the most of the words; the first line of all if only the name has them.
    fn best_line(&self, text: &str) -> (usize, String) {
        let mut best = (0, 1, text.lines().next().unwrap_or_default());
        for (index, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            let words = self.0.iter().filter(|word| lower.contains(word.as_str())).count();
            if words > best.0 {
                best = (words, index + 1, line);
            }
        }
        (best.1, shorten(best.2.trim()))
    }
}

fn shorten(line: &str) -> String {
    match line.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

/// A note's title: its first heading, or else its file's name.
pub(crate) fn title(path: &str, text: &str) -> String {
    let heading = text
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .map(|rest| rest.trim_start_matches('#').trim())
        .find(|heading| !heading.is_empty());
    match heading {
        Some(heading) => heading.to_owned(),
        None => {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(query: &str, text: &str) -> Option<Match> {
        Query::new(query).unwrap().find("ideas/today.md", text)
    }

    #[test]
    fn all_words_must_be_there_in_any_case() {
        assert_eq!(find("tea milk", "Tea, no sugar"), None);
        let found = find("tea MILK", "first\nTea\nmilk and tea\n").unwrap();
        assert_eq!(found, Match { count: 3, line: 3, excerpt: "milk and tea".into() });
    }

    #[test]
    fn the_name_counts_too() {
        assert_eq!(find("today", "# A day\n").unwrap().excerpt, "# A day");
    }

    #[test]
    fn a_query_needs_a_word() {
        assert!(Query::new(" \n").is_none());
    }

    #[test]
    fn a_long_line_is_shortened_between_characters() {
        let found = find("ä", &"ä".repeat(500)).unwrap();
        assert_eq!(found.excerpt.chars().count(), EXCERPT + 3);
    }

    #[test]
    fn the_title_is_the_first_heading_or_the_name() {
        assert_eq!(title("a/b.md", "text\n## Plans #1\n# Later"), "Plans #1");
        assert_eq!(title("a/week.12.md", "no heading"), "week.12");
    }
}
