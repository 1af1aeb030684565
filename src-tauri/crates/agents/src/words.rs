//! Words of questions and of names, made alike.

/// Lower-case words of a name or a sentence, in the singular.
pub fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (lower && c.is_uppercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("never empty").extend(c.to_lowercase());
        }
        lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| singular(word)).collect()
}

/// A word without the ending of the plural; what only looks like one loses it alike wherever it stands.
pub fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(&word).to_owned(),
    }
}
