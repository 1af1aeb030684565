//! Words with letters that a wrong encoding puts there: `MŸller`, `Stra§e`, `W³adys³aw`.

/// Returns the first word with a sign, a control character or a capital between its letters.
pub(super) fn misplaced_letter(text: &str) -> Option<&str> {
    if text.is_ascii() {
        return None;
    }
    let is_word = |c: char| !c.is_whitespace() && !matches!(c, ',' | ';' | '|' | '"' | '\t' | '^');
    text.split(|c| !is_word(c)).filter(|word| !word.is_ascii()).find(|word| is_misplaced(word))
}

fn is_misplaced(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let is_inside = |at: usize| {
        let beside = |at: Option<usize>| at.and_then(|at| chars.get(at)).copied().filter(|c| c.is_alphabetic());
        match (beside(at.checked_sub(1)), beside(Some(at + 1))) {
            (Some(before), Some(after)) => match chars[at] {
                c if c.is_uppercase() => before.is_lowercase() || after.is_lowercase(),
                c => !c.is_alphabetic() && !is_mark(c),
            },
            _ => false,
        }
    };
    (0..chars.len()).any(|at| !chars[at].is_ascii() && (is_control(chars[at]) || is_inside(at)))
}

fn is_control(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9f}')
}

/// Returns true for signs between the parts of a word or of an expression.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        '’' | '‘'
            | '´'
            | '–'
            | '—'
            | '·'
            | '•'
            | '…'
            | '²'
            | '°'
            | '×'
            | '÷'
            | '±'
            | '\u{a0}'
            | '\u{ad}'
            | '«'
            | '»'
            | '“'
            | '”'
            | '„'
    )
}

#[cfg(test)]
mod tests {
    use super::misplaced_letter;

    #[test]
    fn words_of_a_wrong_encoding_are_told_from_words() {
        for text in ["MŸller", "Stra§e", "W³adys³aw", "M\u{81}ller", "FranŽois", "OrlŽans", "1;a\nTom¹š;2"] {
            assert!(misplaced_letter(text).is_some(), "{text}");
        }
        for text in [
            "Müller",
            "Straße",
            "L’Étoile",
            "ÉCOLE",
            "m³",
            "5 m³/h",
            "Nº 5",
            "¿Qué?",
            "Köln–Süd",
            "„Neu“",
            "Foo®",
            "5 €",
            "Łódź",
            "Ærøskøbing",
            "ÄRGER",
            "µg",
            "½l",
            "naïve",
            "Ångström",
            "W/m²K",
        ] {
            assert_eq!(misplaced_letter(text), None, "{text}");
        }
    }
}
