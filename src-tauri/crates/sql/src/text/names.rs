//! Compares names: equality, and probable misspellings.

/// Reduces a text to its letters and digits in lower case, because people and models add or omit underscores, spaces
/// and hyphens.
pub fn normalize_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns a normalized name without a plural ending.
pub fn singular_name(name: &str) -> String {
    let folded = normalize_name(name);
    let stem = |s: &str, cut: usize, add: &str| format!("{}{add}", &s[..s.len() - cut]);
    if folded.len() > 4 && folded.ends_with("ies") {
        stem(&folded, 3, "y")
    } else if folded.len() > 4 && ["sses", "shes", "ches", "xes"].iter().any(|e| folded.ends_with(e)) {
        stem(&folded, 2, "")
    } else if folded.len() > 2 && folded.ends_with('s') && !folded.ends_with("ss") {
        stem(&folded, 1, "")
    } else {
        folded
    }
}

/// Returns the edit distance of two names. `None` if neither can be a misspelling of the other. A misspelling keeps the
/// first letter and the digits, and is small within each word: `imports` and `exports`, `max_price` and `min_price` are
/// different names.
pub(crate) fn misspelling_distance(a: &str, b: &str) -> Option<usize> {
    let (whole_a, whole_b) = (normalize_name(a), normalize_name(b));
    if whole_a == whole_b {
        return Some(0);
    }
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    if digits(&whole_a) != digits(&whole_b) {
        return None;
    }
    let (words_a, words_b) = (name_words(a), name_words(b));
    if words_a.len() == words_b.len() {
        return words_a.iter().zip(&words_b).map(|(a, b)| word_slip(a, b)).sum();
    }
    word_slip(&whole_a, &whole_b)
}

/// Returns the words of a name in lower case, split at underscores, spaces and capitals.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (lower && c.is_uppercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("never empty").extend(c.to_lowercase());
        }
        lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the edit distance of two words if one can be a misspelling of the other: an added, missing or swapped
/// letter, and in long words a wrong one. Short words that differ in a letter are different words: `cost` and `cast`.
fn word_slip(a: &str, b: &str) -> Option<usize> {
    let (length_a, length_b) = (a.chars().count(), b.chars().count());
    let distance = strsim::osa_distance(a, b);
    let allowed = match length_a.min(length_b) {
        0..=3 => 0,
        4..=8 => 1,
        _ => 2,
    };
    if a != b && dedup_letters(a) == dedup_letters(b) {
        return Some(1);
    }
    let same_letters = {
        let sorted = |word: &str| {
            let mut letters: Vec<char> = word.chars().collect();
            letters.sort_unstable();
            letters
        };
        sorted(a) == sorted(b)
    };
    let wrong_letter = length_a == length_b && distance > 0 && !same_letters;
    let swapped = same_letters && distance <= 2 && length_a > 6;
    let small = swapped || (distance <= allowed && (!wrong_letter || length_a > 4));
    (distance == 0 || (small && a.chars().next() == b.chars().next())).then_some(distance)
}

/// Reduces doubled letters of a word to one.
fn dedup_letters(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// Returns the nearest candidate. `None` if there is none, or if two are equally near.
pub(crate) fn find_nearest<T>(name: &str, candidates: impl IntoIterator<Item = (String, T)>) -> Option<T> {
    let mut best: Option<(usize, T)> = None;
    let mut tied = false;
    for (candidate, payload) in candidates {
        let Some(distance) = misspelling_distance(name, &candidate) else { continue };
        match &best {
            Some((b, _)) if distance > *b => {}
            Some((b, _)) if distance == *b => tied = true,
            _ => {
                best = Some((distance, payload));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, payload)| payload)
}

/// Returns candidates that are similar to a name, best first, for suggestions.
pub fn find_similar_names(
    name: &str,
    candidates: impl IntoIterator<Item = (String, String)>,
    count: usize,
) -> Vec<String> {
    let folded = normalize_name(name);
    let mut scored: Vec<(f64, String)> = candidates
        .into_iter()
        .map(|(key, shown)| {
            let key = normalize_name(&key);
            let mut score =
                strsim::normalized_damerau_levenshtein(&folded, &key).max(strsim::jaro_winkler(&folded, &key) - 0.15);
            if folded.len() > 2 && key.len() > 2 && (key.contains(&folded) || folded.contains(&key)) {
                score = score.max(0.75);
            }
            (score, shown)
        })
        .filter(|(score, _)| *score >= 0.7)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut shown = Vec::new();
    for (_, candidate) in scored {
        if !shown.contains(&candidate) {
            shown.push(candidate);
        }
        if shown.len() == count {
            break;
        }
    }
    shown
}

/// Returns true if engines treat two names as the same: case is ignored.
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b) || a.to_lowercase() == b.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_small_for_short_names() {
        assert_eq!(misspelling_distance("Stadium_ID", "stadiumid"), Some(0));
        assert_eq!(misspelling_distance("capcity", "capacity"), Some(1));
        assert_eq!(misspelling_distance("age", "page"), None);
        assert_eq!(misspelling_distance("total_price", "totl_prise"), Some(2));
        assert_eq!(misspelling_distance("costumer_name", "customer_name"), Some(2));
        for (one, other) in [
            ("imports", "exports"),
            ("max_price", "min_price"),
            ("altitude", "latitude"),
            ("sales_2025", "sales_2024"),
            ("cost", "cast"),
            ("height", "weight"),
            ("start_date", "state_date"),
        ] {
            assert_eq!(misspelling_distance(one, other), None, "{one} {other}");
        }
    }

    #[test]
    fn plurals_lose_their_ending() {
        for (many, one) in [
            ("Singers", "singer"),
            ("countries", "country"),
            ("matches", "match"),
            ("address", "address"),
            ("boxes", "box"),
        ] {
            assert_eq!(singular_name(many), one);
        }
    }

    #[test]
    fn two_equally_near_names_are_no_answer() {
        let names = |list: &[&str]| list.iter().map(|n| ((*n).to_owned(), (*n).to_owned())).collect::<Vec<_>>();
        assert_eq!(find_nearest("amount", names(&["amounts", "account"])), Some("amounts".to_owned()));
        assert_eq!(find_nearest("year1", names(&["year2", "year3"])), None);
    }
}
