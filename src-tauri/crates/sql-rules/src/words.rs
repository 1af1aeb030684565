//! Normalized words of questions and names.

/// Lower-case words of a name or a sentence, in the singular.
pub fn singular_words(text: &str) -> Vec<String> {
    vitrine_sql::name_words(text).iter().map(|word| singularize(word)).collect()
}

/// A word without its plural ending; a word that only looks plural loses the ending everywhere.
pub fn singularize(word: &str) -> String {
    let word = word.to_lowercase();
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(&word).to_owned(),
    }
}
