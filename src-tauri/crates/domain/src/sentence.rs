//! Capitalization of sentences for users.

/// Capitalizes the first letter of a text, if its script has capitals.
pub fn capitalize_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::capitalize_first;

    #[test]
    fn a_sentence_begins_with_a_capital_in_every_script_that_has_them() {
        for (text, begun) in [("över", "Över"), ("ßig", "SSig"), ("東京 is", "東京 is"), ("", ""), ("a", "A")] {
            assert_eq!(capitalize_first(text), begun);
        }
    }
}
