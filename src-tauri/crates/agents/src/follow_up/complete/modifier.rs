//! Words immediately before or after a time or a value that modify it: "early 2023", "2021 onwards", "outside of Berlin".

use super::lead::Preposition;
use super::period::{Period, PeriodKind};
use super::time_words::AND;
use super::words::{ARTICLES, CONNECTORS, Language, Text, is_in, is_small};

/// Words that restrict the time that follows.
const NARROWING: &[&str] = &[
    "early",
    "late",
    "mid",
    "end",
    "beginning",
    "start",
    "middle",
    "rest",
    "remainder",
    "whole",
    "entire",
    "all",
    "full",
    "half",
    "course",
    "throughout",
    "summer",
    "winter",
    "spring",
    "fall",
    "autumn",
    "season",
    "christmas",
    "easter",
    "holidays",
    "weekend",
    "weekends",
    "week",
    "weeks",
    "day",
    "days",
    "month",
    "months",
    "quarter",
    "quarters",
    "fy",
    "fiscal",
    "financial",
    "school",
    "academic",
    "tax",
    "ytd",
    "ende",
    "anfang",
    "mitte",
    "frühen",
    "späten",
    "sommer",
    "frühling",
    "frühjahr",
    "herbst",
    "weihnachten",
    "ostern",
    "geschäftsjahr",
    "wirtschaftsjahr",
    "schuljahr",
    "woche",
    "wochen",
    "tage",
    "tagen",
    "monate",
    "monaten",
    "laufe",
    "ganz",
    "ganzen",
    "gesamten",
    "fin",
    "début",
    "milieu",
    "été",
    "hiver",
    "printemps",
    "automne",
    "noël",
    "pâques",
    "exercice",
    "cours",
    "courant",
    "semaine",
    "semaines",
    "jours",
    "mois",
    "toute",
    "trimestres",
];
/// Words before a time or a quantity that is approximate or compared.
const ABOUT: &[&str] =
    &["than", "as", "around", "circa", "ca", "approximately", "roughly", "etwa", "ungefähr", "environ", "vers"];
/// Adverbs of time before a preposition: "early in 2023".
const ADVERBS: &[&str] = &["early", "late", "mid", "later", "earlier"];
/// Words that give the time before them an open end.
const OPENING: &[&str] =
    &["onwards", "onward", "forward", "earlier", "later", "upwards", "aufwärts", "or", "oder", "ou"];
/// Words that give a time an open end after an "and".
const OPENING_AFTER_AND: &[&str] = &[
    "later", "after", "before", "earlier", "newer", "older", "beyond", "onwards", "up", "später", "danach", "davor",
    "früher", "neuer", "älter", "après", "avant", "au",
];
/// Words that give a time an open end at the end of a phrase.
const OPENING_AT_END: &[&str] = &["on", "an", "ab", "up"];
const TO: &[&str] = &["to", "until", "till", "through", "bis", "à", "jusqu'à"];
const NOW: &[&str] = &["date", "now", "present", "heute", "jetzt", "dato", "aujourd'hui", "maintenant", "ce"];
/// Words for a unique event of a thing: a time after them describes the thing.
const ONCE: &[&str] = &[
    "born",
    "hired",
    "founded",
    "published",
    "released",
    "built",
    "made",
    "manufactured",
    "created",
    "joined",
    "acquired",
    "registered",
    "geboren",
    "eingestellt",
    "gegründet",
    "veröffentlicht",
    "erschienen",
    "gebaut",
    "hergestellt",
    "erstellt",
    "registriert",
    "nés",
    "né",
    "née",
    "nées",
    "embauchés",
    "embauchées",
    "fondées",
    "fondés",
    "publiés",
    "publiées",
    "sortis",
    "sorties",
    "construits",
    "construites",
    "créés",
    "créées",
    "inscrits",
    "inscrites",
];
const GROUPS: &[&str] = &["by", "per", "nach", "je", "pro", "par"];
/// Words that mean outside of, near or away from a value, or negate it.
const AROUND: &[&str] = &[
    "outside",
    "outside of",
    "beyond",
    "near",
    "nearby",
    "close",
    "next",
    "around",
    "north",
    "south",
    "east",
    "west",
    "away",
    "far",
    "neither",
    "never",
    "außerhalb",
    "ausserhalb",
    "jenseits",
    "nahe",
    "nähe",
    "nördlich",
    "südlich",
    "östlich",
    "westlich",
    "weder",
    "nie",
    "fern",
    "hors",
    "dehors",
    "extérieur",
    "près",
    "proche",
    "loin",
    "autour",
    "nord",
    "sud",
    "est",
    "ouest",
    "ni",
    "pas",
    "jamais",
    "instead",
    "non",
    "into",
    "onto",
    "toward",
    "towards",
    "through",
    "across",
    "against",
    "versus",
    "vs",
    "gegen",
    "durch",
    "vers",
    "contre",
    "km",
    "kilometers",
    "kilometres",
    "kilometer",
    "kilomètres",
    "miles",
    "meters",
    "metres",
    "meter",
    "mètres",
];
const POSSESSIVES: &[&str] = &["our", "my", "unser", "unsere", "unseren", "mein", "meine", "nos", "notre", "mes"];
/// Words before a time at the beginning of a question.
const BEGINNINGS: &[&str] = &["list", "compare", "how many", "liste", "nenne", "wie viele", "combien de"];

/// Returns true if the words before an index only begin a question: "show our 2023 revenue".
pub(super) fn begins_question(text: &Text<'_>, place: usize) -> bool {
    let mut at = 0;
    while at < place {
        let lists = [CONNECTORS, ARTICLES, POSSESSIVES, BEGINNINGS];
        match lists.iter().map(|list| text.match_phrase(at, list)).max() {
            None | Some(0) => return false,
            Some(length) => at += length,
        }
    }
    at == place
}

/// Returns true if a word before a time modifies it: "early 2023", "around 2023".
pub(super) fn is_narrowed(text: &Text<'_>, period: &Period) -> bool {
    is_timed(text, period) || text.match_phrase_before(period.lead.words.start, ABOUT) > 0
}

/// Returns true if a word of time before a time restricts it: "summer 2023".
pub(super) fn is_timed(text: &Text<'_>, period: &Period) -> bool {
    let lead = &period.lead;
    let list = if lead.preposition == Preposition::Specific { ADVERBS } else { NARROWING };
    text.match_phrase_before(lead.words.start, list) > 0
}

/// Returns true if a time describes a thing and not the whole question: "customers born in 1990 ordered".
pub(super) fn is_of_thing(text: &Text<'_>, period: &Period) -> bool {
    let start = period.lead.words.start;
    let end = period.core.end;
    let once = start > 0 && is_in(text.lowercase_word(start - 1), ONCE);
    once && text.joins_previous(end) && !is_in(text.lowercase_word(end), GROUPS)
}

/// Returns true if words after a time give it an open end: "2021 or earlier".
pub(super) fn is_opened_behind(text: &Text<'_>, period: &Period) -> bool {
    let end = period.core.end;
    let opens = |at: usize, list: &[&str]| text.joins_previous(at) && text.match_phrase(at, list) > 0;
    let to = if text.joins_previous(end) { text.match_phrase(end, TO) } else { 0 };
    let ends = !text.joins_previous(end + 1) || is_small(text.lowercase_word(end + 1));
    opens(end, OPENING)
        || (opens(end, AND) && opens(end + 1, OPENING_AFTER_AND))
        || (opens(end, OPENING_AT_END) && ends)
        || (to > 0 && opens(end + to, NOW))
}

/// Returns true if a time is an attribute of the noun that follows: "2023 revenue", "in the 2023 season".
pub(super) fn is_adjective(text: &Text<'_>, period: &Period, language: Option<Language>) -> bool {
    let (end, lead) = (period.core.end, &period.lead);
    let with_article = lead.article.is_some() && period.kind == PeriodKind::Year;
    let first = lead.preposition == Preposition::None && begins_question(text, lead.words.start);
    let noun = text.joins_previous(end)
        && !is_small(text.lowercase_word(end))
        && !text.lowercase_word(end).starts_with(|c: char| c.is_ascii_digit());
    // A German verb follows a time at the beginning: "2023 kamen".
    (with_article || first) && noun && (language != Some(Language::German) || text.is_capital(end))
}

/// Returns true if a word before an index means outside of or near what follows, or negates it.
pub(super) fn is_put_elsewhere(text: &Text<'_>, place: usize) -> bool {
    text.match_phrase_before(place, AROUND) > 0
}

/// Returns true if a word may continue a name: it has a capital letter and is not a name of the database.
pub(super) fn is_further_name(text: &Text<'_>, at: usize, is_name: impl Fn(&str) -> bool) -> bool {
    text.is_capital(at)
        && !is_small(text.lowercase_word(at))
        && !is_name(text.lowercase_word(at))
        && !is_in(text.lowercase_word(at), NARROWING)
}
