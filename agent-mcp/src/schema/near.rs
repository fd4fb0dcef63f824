//! The known name that a wrong one was probably meant to be.

/// The nearest of the names, if one is near enough to be worth saying.
pub(crate) fn nearest<'n>(
    wrong: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let folded = fold(wrong);
    let limit = (folded.len() / 3).max(1);
    names
        .into_iter()
        .map(|name| (name, fold(name)))
        .map(|(name, known)| (distance(&folded, &known), known.len(), name))
        .filter(|(distance, len, _)| *distance <= limit && distance < len)
        .min_by_key(|(distance, ..)| *distance)
        .map(|(.., name)| name)
}

/// `maxDepth`, `max-depth` and `MAX_DEPTH` are one name to a reader. A name longer than any real one
/// is cut, so that comparing stays cheap.
fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(80).collect()
}

/// The edit distance where swapping two neighbours counts as one edit.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let mut best = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_of_words_and_small_slips_are_seen_through() {
        let names = ["max_depth", "query", "id"];
        for (wrong, right) in
            [("maxDepth", "max_depth"), ("qurey", "query"), ("max_dept", "max_depth"), ("ID", "id")]
        {
            assert_eq!(nearest(wrong, names), Some(right), "{wrong}");
        }
        for wrong in ["limit", "zzz", "", "maximum"] {
            assert_eq!(nearest(wrong, names), None, "{wrong}");
        }
    }
}
