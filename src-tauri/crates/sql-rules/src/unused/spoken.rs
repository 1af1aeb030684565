//! Words of English, German and French questions: numbers, months, quarters, and what says where a period begins or ends.

/// Numbers from three on; what also means something else ("neuf", "elf") is left out.
const NUMBERS: &[(&str, f64)] = &[
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("fifteen", 15.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("hundred", 100.0),
    ("drei", 3.0),
    ("vier", 4.0),
    ("fünf", 5.0),
    ("sechs", 6.0),
    ("sieben", 7.0),
    ("acht", 8.0),
    ("neun", 9.0),
    ("zehn", 10.0),
    ("zwölf", 12.0),
    ("fünfzehn", 15.0),
    ("zwanzig", 20.0),
    ("dreißig", 30.0),
    ("fünfzig", 50.0),
    ("hundert", 100.0),
    ("trois", 3.0),
    ("quatre", 4.0),
    ("cinq", 5.0),
    ("sept", 7.0),
    ("huit", 8.0),
    ("dix", 10.0),
    ("douze", 12.0),
    ("quinze", 15.0),
    ("vingt", 20.0),
    ("trente", 30.0),
    ("cinquante", 50.0),
    ("cent", 100.0),
];

/// Words that multiply the number before them.
const SCALES: &[(&str, f64)] = &[
    ("hundred", 1e2),
    ("hundert", 1e2),
    ("cents", 1e2),
    ("dozen", 12.0),
    ("k", 1e3),
    ("thousand", 1e3),
    ("tsd", 1e3),
    ("tausend", 1e3),
    ("mille", 1e3),
    ("milliers", 1e3),
    ("m", 1e6),
    ("mio", 1e6),
    ("million", 1e6),
    ("millions", 1e6),
    ("millionen", 1e6),
    ("bn", 1e9),
    ("billion", 1e9),
    ("billions", 1e9),
    ("mrd", 1e9),
    ("milliarde", 1e9),
    ("milliarden", 1e9),
    ("milliard", 1e9),
    ("milliards", 1e9),
];

const PERCENT: [&str; 5] = ["percent", "pct", "prozent", "pour", "percentage"];

/// Units of time, by their first letters.
const TIMES: [&str; 19] = [
    "day", "week", "month", "year", "hour", "minute", "second", "quarter", "tag", "woche", "monat", "jahr", "stunde",
    "jour", "semaine", "mois", "ans", "année", "heure",
];

/// The first letters of the months' names, in the three languages.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jänner", "janvier"],
    &["february", "februar", "février"],
    &["march", "märz", "mars"],
    &["april", "avril"],
    &["may", "mai"],
    &["june", "juni", "juin"],
    &["july", "juli", "juillet"],
    &["august", "août"],
    &["september", "septembre", "sept"],
    &["october", "oktober", "octobre"],
    &["november", "novembre"],
    &["december", "dezember", "décembre"],
];
/// Names of months that are other words, too.
const OTHER_WORDS: [&str; 5] = ["may", "march", "mars", "august", "sept"];

const QUARTERS: [&str; 5] = ["quarter", "quartal", "quartals", "trimestre", "trimester"];
const ORDINALS: [&[&str]; 4] = [
    &["1", "1st", "first", "erste", "ersten", "erstes", "1er", "premier"],
    &["2", "2nd", "second", "zweite", "zweiten", "zweites", "2e", "2ème", "deuxième"],
    &["3", "3rd", "third", "dritte", "dritten", "drittes", "3e", "3ème", "troisième"],
    &["4", "4th", "fourth", "vierte", "vierten", "viertes", "4e", "4ème", "quatrième"],
];

/// Words before a time that is left out itself, or that a range ends with.
const BEFORE: [&str; 9] = ["before", "until", "till", "prior", "vor", "bis", "avant", "jusqu", "jusque"];
/// Words before a time that is left out itself, where a range begins behind it.
const AFTER: [&str; 5] = ["after", "than", "following", "nach", "après"];
/// Words after which a number only describes what there is: "the three regions".
const DEFINITE: [&str; 16] = [
    "the", "these", "those", "our", "all", "both", "die", "der", "den", "diese", "unsere", "alle", "les", "ces", "nos",
    "des",
];
const SUPERLATIVES: [&str; 17] = [
    "most",
    "best",
    "least",
    "worst",
    "top",
    "last",
    "first",
    "latest",
    "letzten",
    "premiers",
    "premières",
    "derniers",
    "dernières",
    "meilleurs",
    "meilleures",
    "plus",
    "moins",
];
/// Endings of other superlatives.
const ENDINGS: [&str; 3] = ["est", "sten", "ßten"];
/// Words behind which a month is meant.
const DURING: [&str; 26] = [
    "in", "im", "of", "en", "for", "during", "für", "pour", "this", "last", "since", "from", "to", "by", "through",
    "and", "between", "seit", "ab", "von", "zwischen", "depuis", "entre", "de", "à", "au",
];

fn find<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

/// The number that a word says.
pub(super) fn number(word: &str) -> Option<f64> {
    find(NUMBERS, word)
}

/// What a word multiplies the number before it by.
pub(super) fn scale(word: &str) -> Option<f64> {
    find(SCALES, word)
}

pub(super) fn is_percent(word: &str) -> bool {
    PERCENT.contains(&word)
}

pub(super) fn is_time(word: &str) -> bool {
    TIMES.iter().any(|unit| word.starts_with(unit))
}

/// The month that a word names. A word that means something else, too, names one only beside a year or behind a capital
/// within the sentence.
pub(super) fn month(word: &str, is_name: bool) -> Option<u8> {
    let at = MONTHS.iter().position(|names| names.contains(&word))?;
    (is_name || !OTHER_WORDS.contains(&word)).then_some(at as u8 + 1)
}

/// The month whose name a text contains, also by its first three letters.
pub(super) fn month_in(text: &str) -> Option<u8> {
    let lower = text.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let is_of = |name: &&str| lower == **name || lower.chars().count() == 3 && name.starts_with(&lower);
    MONTHS.iter().position(|names| names.iter().any(&is_of)).map(|at| at as u8 + 1)
}

pub(super) fn is_quarter(word: &str) -> bool {
    QUARTERS.contains(&word)
}

pub(super) fn ordinal(word: &str) -> Option<u8> {
    ORDINALS.iter().position(|forms| forms.contains(&word)).map(|at| at as u8 + 1)
}

pub(super) fn is_before(word: &str) -> bool {
    BEFORE.contains(&word)
}

pub(super) fn is_after(word: &str) -> bool {
    AFTER.contains(&word)
}

/// Whether a number between these words only describes what there is.
pub(super) fn describes(before: &str, next: &str) -> bool {
    let is_long = next.chars().count() > 5;
    let is_superlative = SUPERLATIVES.contains(&next) || is_long && ENDINGS.iter().any(|ending| next.ends_with(ending));
    DEFINITE.contains(&before) && !is_superlative
}

/// Whether a name behind this word is one of a time.
pub(super) fn leads_to_time(word: &str) -> bool {
    is_before(word) || is_after(word) || DURING.contains(&word)
}
