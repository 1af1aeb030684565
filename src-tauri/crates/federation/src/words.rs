//! The words of a query, by which it can mention a column.

use std::collections::HashSet;

/// Collects everything in a text that may be a name, in lower case: runs of letters and digits, and the contents of double
/// quotes. Texts and comments may add other words, which costs a column at most.
pub(crate) fn collect_words(sql: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut word = String::new();
    for letter in sql.chars() {
        if letter.is_alphanumeric() || matches!(letter, '_' | '$') {
            word.extend(letter.to_lowercase());
        } else if !word.is_empty() {
            words.insert(std::mem::take(&mut word));
        }
    }
    words.insert(word);
    // Every pair of quotes may enclose a name, whatever lies between them.
    let quotes: Vec<usize> = sql.match_indices('"').map(|(at, _)| at).collect();
    for pair in quotes.windows(2) {
        words.insert(sql[pair[0] + 1..pair[1]].to_lowercase());
    }
    words
}

/// Returns true if a query may mention a column.
pub(crate) fn mentions(words: &HashSet<String>, column: &str) -> bool {
    let lower = column.to_lowercase();
    // A quote within a name is doubled in a query, so that such a name is split.
    lower.contains('"') || words.contains(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_name_is_a_mention() {
        let words = collect_words("SELECT t.Region, \"Order Date\", 'x', \"größe\" FROM a.t -- amount");
        for name in ["region", "REGION", "Order Date", "Größe", "amount", "we\"ird"] {
            assert!(mentions(&words, name), "{name}");
        }
        assert!(!mentions(&words, "gion") && !mentions(&words, "price"));
    }
}
