//! Words of questions and of names, made alike.

/// Lower-case words of a name or a sentence, in the singular.
pub fn words(text: &str) -> Vec<String> {
    vitrine_sql::name_words(text).iter().map(|word| singular(word)).collect()
}

/// A word without the ending of the plural; what only looks like one loses it alike wherever it stands.
pub fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(&word).to_owned(),
    }
}
