//! When two names are the same name, and when one is likely a slip for the other.

/// Lower case, without what people and models leave out or add: underscores, blanks, hyphens.
pub(crate) fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A folded name without a plural ending.
pub(crate) fn singular(name: &str) -> String {
    let folded = fold(name);
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

/// How far two names are apart; `None` when they are too far apart to be a slip.
pub(crate) fn slip(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (fold(a), fold(b));
    let shorter = a.chars().count().min(b.chars().count());
    let allowed = match shorter {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    let distance = strsim::osa_distance(&a, &b);
    (distance <= allowed).then_some(distance)
}

/// The one candidate that is nearest; `None` when there is none or when two are equally near.
pub(crate) fn nearest<T>(name: &str, candidates: impl IntoIterator<Item = (String, T)>) -> Option<T> {
    let mut best: Option<(usize, T)> = None;
    let mut tied = false;
    for (candidate, payload) in candidates {
        let Some(distance) = slip(name, &candidate) else { continue };
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

/// Candidates that resemble a name, best first, for a suggestion.
pub(crate) fn resembling(
    name: &str,
    candidates: impl IntoIterator<Item = (String, String)>,
    count: usize,
) -> Vec<String> {
    let folded = fold(name);
    let mut scored: Vec<(f64, String)> = candidates
        .into_iter()
        .map(|(key, shown)| {
            let key = fold(&key);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_small_for_short_names() {
        assert_eq!(slip("Stadium_ID", "stadiumid"), Some(0));
        assert_eq!(slip("capcity", "capacity"), Some(1));
        assert_eq!(slip("age", "page"), None);
        assert_eq!(slip("year", "yeer"), Some(1));
        assert_eq!(slip("total_price", "totl_prise"), Some(2));
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
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn two_equally_near_names_are_no_answer() {
        let names = |list: &[&str]| list.iter().map(|n| ((*n).to_owned(), (*n).to_owned())).collect::<Vec<_>>();
        assert_eq!(nearest("amount", names(&["amounts", "account"])), Some("amounts".to_owned()));
        assert_eq!(nearest("year1", names(&["year2", "year3"])), None);
    }
}
