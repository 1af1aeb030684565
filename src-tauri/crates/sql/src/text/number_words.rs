//! Words for numbers in the languages of questions.

/// Numbers from two, in English, German, French, Spanish, Italian, Portuguese and Dutch. Words for one are omitted
/// because most are articles, and so are words with a more frequent meaning in one of these languages: "once", "sei",
/// "due".
const NUMBER_WORDS: [(u32, &[&str]); 17] = [
    (2, &["two", "zwei", "deux", "dos", "dois", "duas", "twee"]),
    (3, &["three", "drei", "trois", "tres", "tre", "três", "drie"]),
    (4, &["four", "vier", "quatre", "cuatro", "quattro", "quatro"]),
    (5, &["five", "fünf", "cinq", "cinco", "cinque", "vijf"]),
    (6, &["six", "sechs", "seis", "zes"]),
    (7, &["seven", "sieben", "sept", "siete", "sette", "sete", "zeven"]),
    (8, &["eight", "acht", "huit", "ocho", "otto", "oito"]),
    (9, &["nine", "neun", "neuf", "nueve", "nove", "negen"]),
    (10, &["ten", "zehn", "dix", "diez", "dieci", "dez", "tien"]),
    (11, &["eleven", "elf", "onze", "undici"]),
    (12, &["twelve", "zwölf", "douze", "doce", "dodici", "doze", "twaalf"]),
    (15, &["fifteen", "fünfzehn", "quinze", "quince", "quindici", "vijftien"]),
    (20, &["twenty", "zwanzig", "vingt", "veinte", "venti", "vinte", "twintig"]),
    (30, &["thirty", "dreißig", "trente", "treinta", "trenta", "trinta", "dertig"]),
    (40, &["forty", "vierzig", "quarante", "cuarenta", "quaranta", "quarenta", "veertig"]),
    (50, &["fifty", "fünfzig", "cinquante", "cincuenta", "cinquanta", "cinquenta", "vijftig"]),
    (100, &["hundred", "hundert", "cent", "cien", "ciento", "cento", "honderd"]),
];

/// Returns the number that a lower-case word stands for.
pub fn parse_number_word(word: &str) -> Option<u32> {
    NUMBER_WORDS.iter().find(|(_, words)| words.contains(&word)).map(|(number, _)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_several_languages() {
        for word in ["five", "fünf", "cinq", "cinco", "cinque", "vijf"] {
            assert_eq!(parse_number_word(word), Some(5), "{word}");
        }
        for word in ["once", "one", "ein", "sei", "due", ""] {
            assert_eq!(parse_number_word(word), None, "{word}");
        }
    }
}
