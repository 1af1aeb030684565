//! Normalizes the words of questions and names.

/// Returns the lower-case words of a name or a sentence, in the singular.
pub fn singular_words(text: &str) -> Vec<String> {
    vitrine_sql::name_words(text).iter().map(|word| singularize(word)).collect()
}

/// Returns a word without its plural ending. A word that only looks like a plural loses the ending consistently.
pub fn singularize(word: &str) -> String {
    let word = word.to_lowercase();
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(&word).to_owned(),
    }
}
