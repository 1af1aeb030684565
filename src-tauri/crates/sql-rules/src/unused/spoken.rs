//! Words in English, German and French questions: months, quarters, and the bounds of periods.

/// Words for numbers with another frequent meaning: "new" in French, and a mythical being.
const AMBIGUOUS_NUMBERS: [&str; 2] = ["neuf", "elf"];
/// Least number that a question writes as a word to be counted; "two" also refers to things that it names.
const LEAST_NUMBER_WORD: u32 = 3;

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

/// Units of time, by prefix.
const TIMES: [&str; 19] = [
    "day", "week", "month", "year", "hour", "minute", "second", "quarter", "tag", "woche", "monat", "jahr", "stunde",
    "jour", "semaine", "mois", "ans", "année", "heure",
];

/// Prefixes of the names of months in the three languages.
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
/// Names of months that have another meaning.
const OTHER_WORDS: [&str; 5] = ["may", "march", "mars", "august", "sept"];

const QUARTERS: [&str; 5] = ["quarter", "quartal", "quartals", "trimestre", "trimester"];
const ORDINALS: [&[&str]; 4] = [
    &["1", "1st", "first", "erste", "ersten", "erstes", "1er", "premier"],
    &["2", "2nd", "second", "zweite", "zweiten", "zweites", "2e", "2ème", "deuxième"],
    &["3", "3rd", "third", "dritte", "dritten", "drittes", "3e", "3ème", "troisième"],
    &["4", "4th", "fourth", "vierte", "vierten", "viertes", "4e", "4ème", "quatrième"],
];

/// Words before a time that is excluded or ends a range.
const BEFORE: [&str; 15] = [
    "before",
    "until",
    "till",
    "prior",
    "earlier",
    "older",
    "vor",
    "bis",
    "früher",
    "älter",
    "avant",
    "jusqu",
    "jusque",
    "antérieur",
    "antérieures",
];
/// Words with this meaning only right before a time: "at the start of 2024".
const BEFORE_NEAR: [&str; 11] =
    ["by", "start", "beginning", "as", "anfang", "beginn", "unterhalb", "spätestens", "début", "sous", "inférieur"];
/// Words before the start of a period in which an event did not happen: "not ordered since 2023".
const SINCE: [&str; 3] = ["since", "seit", "depuis"];
/// Words that are irrelevant to the meaning of the following number or time; days and names of months are as well.
const FILLERS: [&str; 26] = [
    "the", "of", "end", "year", "month", "quarter", "der", "die", "das", "dem", "den", "des", "ende", "jahr", "jahres",
    "monat", "quartal", "le", "la", "les", "de", "du", "d", "l", "fin", "année",
];
/// Words that connect an entity with its ranking.
const RANKED_BY: [&str; 16] = [
    "with", "by", "having", "that", "who", "which", "whose", "mit", "nach", "deren", "avec", "par", "ayant", "qui",
    "dont", "selon",
];
/// Words with the ending of a superlative that are not superlatives.
const NO_SUPERLATIVES: [&str; 16] = [
    "interest",
    "request",
    "forest",
    "invest",
    "contest",
    "protest",
    "harvest",
    "kosten",
    "gästen",
    "listen",
    "posten",
    "westen",
    "osten",
    "northwest",
    "southwest",
    "northeast",
];
/// Words after a time of day.
const CLOCK: [&str; 6] = ["uhr", "h", "heures", "am", "pm", "o"];
/// Words after which "may" is a verb in a question.
const ASKS: [&str; 6] = ["how", "what", "which", "who", "we", "i"];
/// Pairs of words before a number, the nearer word first, with the comparison that they express: "more than".
const COMPARES: [(&str, &str, Compared); 15] = [
    ("than", "more", Compared::More),
    ("than", "greater", Compared::More),
    ("than", "higher", Compared::More),
    ("als", "mehr", Compared::More),
    ("que", "plus", Compared::More),
    ("least", "at", Compared::AtLeast),
    ("moins", "au", Compared::AtLeast),
    ("than", "less", Compared::Less),
    ("than", "fewer", Compared::Less),
    ("than", "lower", Compared::Less),
    ("than", "smaller", Compared::Less),
    ("als", "weniger", Compared::Less),
    ("als", "kleiner", Compared::Less),
    ("most", "at", Compared::AtMost),
    ("plus", "au", Compared::AtMost),
];
/// Single words before a number with the comparison that they express.
const COMPARES_ALONE: [(&str, Compared); 13] = [
    ("over", Compared::More),
    ("above", Compared::More),
    ("über", Compared::More),
    ("plus", Compared::More),
    ("mindestens", Compared::AtLeast),
    ("wenigstens", Compared::AtLeast),
    ("under", Compared::Less),
    ("below", Compared::Less),
    ("unter", Compared::Less),
    ("moins", Compared::Less),
    ("höchstens", Compared::AtMost),
    ("maximal", Compared::AtMost),
    ("minimum", Compared::AtLeast),
];

/// The comparison with a number that a question expresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    More,
    AtLeast,
    Less,
    AtMost,
}
/// Words before an excluded time after which a range begins: "after 2023".
const AFTER: [&str; 5] = ["after", "than", "following", "nach", "après"];
/// Words after which a number is only descriptive: "the three regions".
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
/// Endings of superlatives that follow the regular form.
const ENDINGS: [&str; 3] = ["est", "sten", "ßten"];
/// Words before the name of a month.
const DURING: [&str; 26] = [
    "in", "im", "of", "en", "for", "during", "für", "pour", "this", "last", "since", "from", "to", "by", "through",
    "and", "between", "seit", "ab", "von", "zwischen", "depuis", "entre", "de", "à", "au",
];

fn find_word<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

/// Returns the number for a word.
pub(super) fn parse_number_word(word: &str) -> Option<f64> {
    let number = vitrine_sql::parse_number_word(word).filter(|number| *number >= LEAST_NUMBER_WORD)?;
    (!AMBIGUOUS_NUMBERS.contains(&word)).then(|| number.into())
}

/// Returns the factor by which a word multiplies the number before it.
pub(super) fn parse_scale_word(word: &str) -> Option<f64> {
    find_word(SCALES, word)
}

pub(super) fn is_percent(word: &str) -> bool {
    PERCENT.contains(&word)
}

pub(super) fn is_time(word: &str) -> bool {
    TIMES.iter().any(|unit| word.starts_with(unit))
}

/// Returns the month for a word. An ambiguous word is a month only if `is_name` is true: next to a year, or capitalized
/// within the sentence.
pub(super) fn parse_month_word(word: &str, is_name: bool) -> Option<u8> {
    let at = MONTHS.iter().position(|names| names.contains(&word))?;
    (is_name || !OTHER_WORDS.contains(&word)).then_some(at as u8 + 1)
}

/// Returns the month whose name a text contains, also abbreviated to three letters.
pub(super) fn month_in(text: &str) -> Option<u8> {
    let lower = text.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let is_of = |name: &&str| lower == **name || lower.chars().count() == 3 && name.starts_with(&lower);
    MONTHS.iter().position(|names| names.iter().any(&is_of)).map(|at| at as u8 + 1)
}

pub(super) fn is_quarter(word: &str) -> bool {
    QUARTERS.contains(&word)
}

pub(super) fn parse_ordinal_word(word: &str) -> Option<u8> {
    ORDINALS.iter().position(|forms| forms.contains(&word)).map(|at| at as u8 + 1)
}

fn is_before(word: &str) -> bool {
    BEFORE.contains(&word)
}

/// Returns true if the words before a time, nearest first, say that a range ends with or before it.
pub(super) fn ends_range(before: &[String; 2]) -> bool {
    let [near, far] = before.each_ref().map(String::as_str);
    is_before(near)
        || is_before(far)
        || BEFORE_NEAR.contains(&near)
        || (near, far) == ("to", "up")
        || matches!(parse_comparison(before), Some(Compared::Less | Compared::AtMost))
}

/// Returns true if a period begins after this word.
pub(super) fn is_since(word: &str) -> bool {
    SINCE.contains(&word)
}

pub(super) fn is_after(word: &str) -> bool {
    AFTER.contains(&word)
}

pub(super) fn is_filler(word: &str) -> bool {
    let is_day = word.len() <= 3 && word.starts_with(|first: char| first.is_ascii_digit());
    FILLERS.contains(&word) || is_day || parse_month_word(word, true).is_some()
}

/// Returns the comparison that the words before a number express; nearest word first.
pub(super) fn parse_comparison(before: &[String; 2]) -> Option<Compared> {
    let [near, far] = before.each_ref().map(String::as_str);
    let pair = COMPARES.iter().find(|(one, other, _)| (*one, *other) == (near, far)).map(|(.., compared)| *compared);
    pair.or_else(|| find_word(&COMPARES_ALONE, near))
}

/// Returns true if "may" after this word is a verb.
pub(super) fn may_ask(word: &str) -> bool {
    ASKS.contains(&word)
}

pub(super) fn is_clock(word: &str) -> bool {
    CLOCK.contains(&word)
}

/// Returns true if the words after this one may rank the preceding noun.
pub(super) fn joins_rank(word: &str) -> bool {
    RANKED_BY.contains(&word)
}

pub(super) fn is_superlative(word: &str) -> bool {
    let is_long = word.chars().count() > 5 && !NO_SUPERLATIVES.contains(&word);
    SUPERLATIVES.contains(&word) || is_long && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Returns true if a number between these words is only descriptive.
pub(super) fn is_descriptive(before: &str, next: &str) -> bool {
    DEFINITE.contains(&before) && !is_superlative(next)
}

/// Returns true if a name after this word is that of a time.
pub(super) fn leads_to_time(word: &str) -> bool {
    is_before(word) || is_after(word) || DURING.contains(&word)
}
