//! Words of a text with their positions, and lists of small words in English, German and French.

use std::ops::Range;

/// A word: letters and digits, including an apostrophe that is part of it (`l'`, `what's`), or a number with its separators.
pub(super) struct TextWord<'a> {
    /// Word in lower case, with a straight apostrophe.
    pub low: String,
    /// Start of the word's byte range in the text.
    pub from: usize,
    pub to: usize,
    /// Text between the previous word and this one.
    pub gap: &'a str,
}

/// A text with its words.
pub(super) struct Text<'a> {
    pub text: &'a str,
    pub words: Vec<TextWord<'a>>,
}

/// Language of a text, determined by its small words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    French,
}

/// Maximum number of letters of a word that ends in an apostrophe: `qu'`.
const ELIDED: usize = 2;

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let letters: Vec<(usize, char)> = text.char_indices().collect();
        let is_word = |at: usize| letters.get(at).is_some_and(|(_, c)| c.is_alphanumeric());
        let is_digit = |at: usize| letters.get(at).is_some_and(|(_, c)| c.is_ascii_digit());
        let byte = |at: usize| letters.get(at).map_or(text.len(), |(byte, _)| *byte);
        let (mut words, mut at, mut end) = (Vec::new(), 0, 0);
        while at < letters.len() {
            if !is_word(at) {
                at += 1;
                continue;
            }
            let start = at;
            loop {
                let next = letters.get(at).map(|(_, c)| *c);
                let inside = at > start && is_word(at + 1);
                match next {
                    Some(c) if c.is_alphanumeric() => at += 1,
                    Some('.' | ',') if inside && is_digit(at - 1) && is_digit(at + 1) => at += 1,
                    Some('\'' | '’') if inside && at - start <= ELIDED => {
                        at += 1;
                        break;
                    }
                    Some('\'' | '’') if inside => at += 1,
                    _ => break,
                }
            }
            let (from, to) = (byte(start), byte(at));
            let low = text[from..to].to_lowercase().replace('’', "'");
            words.push(TextWord { low, from, to, gap: &text[end..from] });
            end = to;
        }
        Self { text, words }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the word at an index in lower case; empty beyond the end.
    pub(super) fn lowercase_word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.low.as_str())
    }

    /// Returns the byte range of a range of words.
    pub(super) fn byte_range(&self, words: &Range<usize>) -> Range<usize> {
        self.words[words.start].from..self.words[words.end - 1].to
    }

    /// Returns the original text of a range of words.
    pub(super) fn slice(&self, words: &Range<usize>) -> &'a str {
        if words.is_empty() { "" } else { &self.text[self.byte_range(words)] }
    }

    /// Returns true if the word at an index follows the previous one without punctuation.
    pub(super) fn joins_previous(&self, at: usize) -> bool {
        let no_break = |c: char| c.is_whitespace() || "-'\"“”„«»‘’".contains(c);
        at > 0 && self.words.get(at).is_some_and(|word| word.gap.chars().all(no_break))
    }

    /// Returns true if a word begins with a capital letter.
    pub(super) fn is_capital(&self, at: usize) -> bool {
        let first = self.words.get(at).and_then(|word| self.text[word.from..].chars().next());
        first.is_some_and(char::is_uppercase)
    }

    /// Returns the number of words of the longest of these phrases that begins at an index; 0 if none does.
    pub(super) fn match_phrase(&self, at: usize, phrases: &[&str]) -> usize {
        let fits = |phrase: &str| {
            let fit = |(n, word): (usize, &str)| {
                self.lowercase_word(at + n) == word && (n == 0 || self.joins_previous(at + n))
            };
            phrase.split(' ').enumerate().all(fit).then(|| phrase.split(' ').count())
        };
        phrases.iter().filter_map(|phrase| fits(phrase)).max().unwrap_or(0)
    }

    /// Returns the number of words of the longest of these phrases that ends before an index and is joined to it; 0 if none does.
    pub(super) fn match_phrase_before(&self, at: usize, phrases: &[&str]) -> usize {
        let fits = |phrase: &&str| {
            let length = phrase.split(' ').count();
            (length <= at && self.joins_previous(at) && self.match_phrase(at - length, &[phrase]) == length)
                .then_some(length)
        };
        phrases.iter().filter_map(fits).max().unwrap_or(0)
    }

    /// Returns the language with the most small words; `None` if two have equally many.
    pub(super) fn detect_language(&self) -> Option<Language> {
        let count = |list: &[&str]| self.words.iter().filter(|word| list.contains(&word.low.as_str())).count();
        let mut counts =
            [(count(ENGLISH), Language::English), (count(GERMAN), Language::German), (count(FRENCH), Language::French)];
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        (counts[0].0 > counts[1].0).then_some(counts[0].1)
    }
}

/// Returns true if the list contains the word.
pub(super) fn is_in(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}

const ENGLISH: &[&str] = &[
    "the", "how", "many", "much", "which", "what", "who", "where", "show", "list", "of", "were", "was", "is", "are",
    "did", "do", "does", "by", "per", "each", "for", "from", "with", "and", "top", "our", "we", "have", "had", "last",
    "than", "there", "total", "average", "number", "in", "only",
];
const GERMAN: &[&str] = &[
    "der", "die", "das", "den", "dem", "des", "wie", "viel", "viele", "welche", "welcher", "welches", "was", "wer",
    "wo", "zeige", "im", "in", "hatten", "hat", "haben", "wir", "je", "pro", "nach", "für", "von", "und", "mit", "gab",
    "es", "ist", "sind", "waren", "war", "wurden", "wurde", "aus", "letztes", "letzten", "als", "nur", "umsatz",
    "ohne",
];
const FRENCH: &[&str] = &[
    "le",
    "la",
    "les",
    "l'",
    "d'",
    "de",
    "des",
    "du",
    "combien",
    "quel",
    "quelle",
    "quels",
    "quelles",
    "qui",
    "où",
    "en",
    "au",
    "aux",
    "par",
    "pour",
    "et",
    "avec",
    "ont",
    "a",
    "avons",
    "nous",
    "sont",
    "est",
    "été",
    "dans",
    "à",
    "chaque",
    "montre",
    "seulement",
    "sans",
    "plus",
];

/// Words of a follow-up that only connect it to the previous question, and polite words.
pub(super) const CONNECTORS: &[&str] = &[
    "and",
    "or",
    "but",
    "now",
    "then",
    "also",
    "so",
    "ok",
    "okay",
    "please",
    "thanks",
    "thank you",
    "instead",
    "again",
    "what about",
    "what's about",
    "how about",
    "same",
    "the same",
    "same thing",
    "the same thing",
    "same question",
    "this time",
    "make it",
    "make that",
    "show it",
    "show that",
    "break it down",
    "break that down",
    "split it",
    "group it",
    "show",
    "show me",
    "give me",
    "can you",
    "could you",
    "do",
    "do that",
    "do it",
    "i mean",
    "i meant",
    "let's see",
    "zeig",
    "zeig mir",
    "zeige",
    "zeige mir",
    "mach",
    "mach das",
    "kannst du",
    "wie war das",
    "montre",
    "montre moi",
    "donne moi",
    "peux tu",
    "und",
    "oder",
    "aber",
    "jetzt",
    "nun",
    "dann",
    "auch",
    "bitte",
    "danke",
    "stattdessen",
    "nochmal",
    "noch einmal",
    "was ist mit",
    "wie ist es mit",
    "wie wäre es mit",
    "wie steht es mit",
    "wie sieht es aus",
    "wie sieht es",
    "wie war es",
    "wie ist es",
    "und wie",
    "dasselbe",
    "das gleiche",
    "das selbe",
    "gleiche frage",
    "diesmal",
    "et",
    "ou",
    "mais",
    "maintenant",
    "alors",
    "aussi",
    "merci",
    "plutôt",
    "à la place",
    "svp",
    "stp",
    "s' il te plaît",
    "s' il vous plaît",
    "s' il te plait",
    "s' il vous plait",
    "qu' en est il",
    "quid",
    "même chose",
    "la même chose",
    "pareil",
    "idem",
    "cette fois",
    "encore",
];
/// Words that keep only rows with the value that follows.
pub(super) const ONLY: &[&str] =
    &["only", "just", "solely", "nur", "lediglich", "ausschließlich", "bloß", "seulement", "uniquement", "juste"];
/// Words that exclude the value that follows.
pub(super) const WITHOUT: &[&str] = &[
    "without",
    "excluding",
    "exclude",
    "but not",
    "and not",
    "except",
    "except for",
    "not",
    "other than",
    "apart from",
    "ohne",
    "außer",
    "ausser",
    "nicht",
    "ausgenommen",
    "sans",
    "sauf",
    "hors",
    "excepté",
    "à part",
];
/// Words before the part that the follow-up replaces.
pub(super) const INSTEAD_OF: &[&str] =
    &["instead of", "rather than", "statt", "anstatt", "anstelle von", "au lieu de", "à la place de"];
/// Pronouns that refer to the rows of the previous question.
pub(super) const PRONOUNS: &[&str] =
    &["those", "these", "ones", "the ones", "diejenigen", "jene", "solche", "ceux", "celles", "celui", "celle"];
/// Prepositions that only refer to the previous question, whose own preposition is kept.
pub(super) const GENERIC: &[&str] =
    &["for", "of", "about", "with", "by", "für", "von", "mit", "pour", "par", "de", "d'", "du", "des", "concernant"];
/// Prepositions that indicate a place or a time themselves.
pub(super) const SPECIFIC: &[&str] = &[
    "in",
    "at",
    "from",
    "on",
    "during",
    "within",
    "to",
    "via",
    "im",
    "am",
    "aus",
    "bei",
    "an",
    "auf",
    "zu",
    "zum",
    "zur",
    "während",
    "en",
    "au",
    "aux",
    "à",
    "dans",
    "chez",
    "durant",
    "pendant",
    "au cours de",
    "au cours du",
    "au cours des",
];
/// Prepositions of a time with an open end.
pub(super) const DIRECTIONAL: &[&str] = &[
    "since",
    "before",
    "after",
    "until",
    "till",
    "up to",
    "prior to",
    "starting in",
    "seit",
    "vor",
    "nach",
    "bis",
    "ab",
    "depuis",
    "avant",
    "après",
    "jusqu'en",
    "jusqu'à",
    "jusqu'au",
    "à partir de",
    "à partir d'",
    "à partir du",
    "dès",
];
pub(super) const ARTICLES: &[&str] = &["the", "der", "die", "das", "den", "dem", "le", "la", "les", "l'"];
/// Nouns between a preposition and a time: "in the year 2023".
pub(super) const TIME_NOUNS: &[&str] =
    &["year", "years", "calendar year", "month of", "jahr", "jahre", "jahres", "monat", "année", "mois de", "mois d'"];
/// Words, besides the lists above, that neither begin nor end a phrase with content.
const OTHER_SMALL: &[&str] = &[
    "per", "each", "every", "je", "pro", "jede", "jedem", "jeden", "jeder", "chaque", "as", "than", "a", "an", "ein",
    "eine", "un", "une", "is", "are", "was", "were", "did", "do", "does", "have", "had", "has", "who", "that", "which",
    "what", "how", "many", "much", "wie", "viele", "viel", "welche", "hatten", "wir", "we", "our", "there", "it", "i",
    "ist", "sind", "war", "waren", "gab", "es", "haben", "hat", "wurden", "wurde", "combien", "quels", "quelles",
    "quel", "quelle", "ont", "a-t-il", "avons", "nous", "sont", "est", "été", "y", "qui", "que", "between", "zwischen",
    "entre", "compared", "order", "ordered", "sorted", "all", "any",
];

/// Returns true if a word is a function word that names nothing.
pub(super) fn is_small(word: &str) -> bool {
    [CONNECTORS, ONLY, WITHOUT, PRONOUNS, GENERIC, SPECIFIC, DIRECTIONAL, ARTICLES, OTHER_SMALL]
        .iter()
        .any(|list| is_in(word, list))
}
