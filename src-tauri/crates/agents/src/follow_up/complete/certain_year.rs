//! Numbers of a question that are certainly years.

use super::grouping::{Groupings, find_groupings};
use super::modifier::{begins_question, is_timed};
use super::names::StoredNames;
use super::period::{Period, PeriodKind};
use super::words::{Language, ONLY, Text, WITHOUT, is_in, is_small};
use super::year::is_year;

/// Prepositions that rarely precede a quantity.
const OF_TIME: &[&str] = &[
    "in",
    "during",
    "within",
    "since",
    "before",
    "after",
    "starting in",
    "prior to",
    "im",
    "während",
    "seit",
    "vor",
    "nach",
    "en",
    "dans",
    "durant",
    "pendant",
    "au cours de",
    "depuis",
    "avant",
    "après",
    "dès",
];
/// Prepositions of times and of quantities.
const OF_BOTH: &[&str] = &[
    "of",
    "for",
    "from",
    "between",
    "until",
    "till",
    "up to",
    "to",
    "by",
    "about",
    "von",
    "vom",
    "für",
    "zwischen",
    "bis",
    "ab",
    "de",
    "d'",
    "du",
    "des",
    "pour",
    "entre",
    "jusqu'en",
    "jusqu'à",
    "à partir de",
];
/// Prepositions of both that may also precede a price: "sold for 1999".
const FOR: &[&str] = &["for", "für", "pour"];
const SOLD: &[&str] = &[
    "sold",
    "sell",
    "sells",
    "bought",
    "buy",
    "buys",
    "purchased",
    "went",
    "go",
    "verkauft",
    "verkauften",
    "gekauft",
    "kauften",
    "vendu",
    "vendus",
    "vendue",
    "vendues",
    "acheté",
    "achetés",
    "achetée",
    "achetées",
];
/// Words of an amount, before a number.
const AMOUNTS: &[&str] = &[
    "spent",
    "spend",
    "spends",
    "spending",
    "paid",
    "pay",
    "pays",
    "paying",
    "earn",
    "earns",
    "earned",
    "earning",
    "worth",
    "costing",
    "balance",
    "balances",
    "amount",
    "amounts",
    "amounting",
    "priced",
    "prices",
    "value",
    "values",
    "valued",
    "salary",
    "salaries",
    "wage",
    "wages",
    "income",
    "budget",
    "limit",
    "weight",
    "weigh",
    "weighs",
    "weighing",
    "capacity",
    "size",
    "area",
    "population",
    "score",
    "scores",
    "scored",
    "points",
    "mileage",
    "credit",
    "sum",
    "quantity",
    "stock",
    "altitude",
    "elevation",
    "height",
    "length",
    "distance",
    "reaching",
    "charged",
    "donated",
    "donate",
    "raised",
    "owe",
    "owes",
    "owed",
    "deposited",
    "withdrew",
    "transferred",
    "totaling",
    "totalling",
    "rent",
    "range",
    "ranging",
    "ausgeben",
    "gaben",
    "gab",
    "ausgegeben",
    "ausgaben",
    "bezahlt",
    "bezahlen",
    "bezahlten",
    "zahlt",
    "zahlen",
    "zahlten",
    "gezahlt",
    "verdient",
    "verdienen",
    "verdienten",
    "wert",
    "betrag",
    "preise",
    "gehalt",
    "lohn",
    "einkommen",
    "guthaben",
    "saldo",
    "summe",
    "menge",
    "gewicht",
    "wiegt",
    "wiegen",
    "kapazität",
    "größe",
    "fläche",
    "punkte",
    "gespendet",
    "überwiesen",
    "schulden",
    "gekostet",
    "miete",
    "dépensé",
    "dépensent",
    "dépense",
    "payé",
    "payent",
    "paient",
    "paie",
    "gagné",
    "gagnent",
    "gagne",
    "valeur",
    "montant",
    "salaire",
    "solde",
    "somme",
    "quantité",
    "poids",
    "pèse",
    "pèsent",
    "capacité",
    "taille",
    "superficie",
    "surface",
    "loyer",
    "versé",
    "donné",
];
/// Words that ask for an amount. A number beside such a word is not a condition on an amount, so it may be a year.
const ASKED: &[&str] = &[
    "how much",
    "total",
    "average",
    "mean",
    "median",
    "sum of",
    "wie viel",
    "wieviel",
    "durchschnittlicher",
    "durchschnittliche",
    "durchschnittliches",
    "durchschnitt",
    "gesamt",
    "moyen",
    "moyenne",
    "totale",
];
const ASKED_IN_GERMAN: &[&str] = &["wie viel", "wieviel", "am meisten", "am wenigsten"];
/// Words before an amount that the question does not ask for: "with a balance of 1999".
const OPENS_QUANTITY: &[&str] =
    &["a", "an", "with", "having", "einem", "einen", "einer", "mit", "un", "une", "avec", "ayant"];
/// Names of measures, which a year follows without a preposition: "revenue 2023".
const MEASURES: &[&str] = &[
    "revenue",
    "turnover",
    "profit",
    "growth",
    "margin",
    "churn",
    "umsatz",
    "gewinn",
    "absatz",
    "ertrag",
    "erlös",
    "umsätze",
    "erlöse",
    "verkäufe",
    "aufträge",
    "marge",
    "bénéfice",
    "revenu",
    "ca",
];
/// German words that a year follows without a preposition: "gab es 2023".
const BEFORE_GERMAN_YEAR: &[&str] = &[
    "haben", "hat", "hatten", "hatte", "gab", "gibt", "es", "wir", "sie", "man", "ich", "ihr", "wurden", "wurde",
    "war", "waren", "sind", "ist", "kamen", "kam", "gingen", "machten", "machte", "uns",
];
/// Nouns of weeks that a number and a year follow.
const WEEKS: &[&str] = &["week", "w", "wk", "kw", "kalenderwoche", "woche", "semaine"];
/// Divisor of years that are also round numbers.
pub(super) const ROUND: i64 = 50;
/// Number of words at the beginning of a question that may ask for an amount.
const OPENING_WORDS: usize = 5;
/// Minimum number of letters of a plural noun.
const LETTERS: usize = 4;

/// Returns true if a time cannot be a quantity or a part of a name: a year needs a word or a position that indicates a time.
pub(super) fn is_certain(text: &Text<'_>, period: &Period, names: &dyn StoredNames) -> bool {
    let at = period.core.start;
    // "did April place", "the Audi Q3": a time or a name.
    let is_part = period.kind.is_part() && period.core.len() == 1;
    if is_part && period.lead.words.is_empty() && !begins_question(text, at) {
        let content_follows = text.joins_previous(period.core.end) && !is_small(text.lowercase_word(period.core.end));
        let named = at > 1
            && text.joins_previous(at)
            && text.is_capital(at - 1)
            && text.detect_language() != Some(Language::German);
        return !content_follows && !named;
    }
    let is_plain = matches!(period.kind, PeriodKind::Year | PeriodKind::Range) && is_year(text, at);
    if !is_plain || period.is_short_range(text) {
        return true;
    }
    let lead = &period.lead;
    let preposition = lead.preposition_text(text);
    let is_led = |list: &[&str]| is_in(&preposition, list);
    let round = is_round(text, period);
    if lead.has_noun() || (is_timed(text, period) && !round) {
        return true;
    }
    let end = period.core.end;
    let content_follows = text.joins_previous(end) && !is_small(text.lowercase_word(end));
    // "in 1999 stores"
    if content_follows && (round || is_plural(text.lowercase_word(end))) && !preposition.is_empty() {
        return false;
    }
    if is_led(OF_TIME) {
        return true;
    }
    if round {
        return false;
    }
    if is_led(OF_BOTH) {
        let list = if is_led(FOR) { SOLD } else { AMOUNTS };
        return !is_beside_amount(text, lead.words.start, end, list);
    }
    preposition.is_empty() && is_bare_year(text, period, names)
}

fn is_round(text: &Text<'_>, period: &Period) -> bool {
    let years = period.core.clone().filter_map(|at| text.lowercase_word(at).parse::<i64>().ok());
    years.filter(|year| *year >= 1000).any(|year| year % ROUND == 0)
}

/// Returns true if an amount precedes or follows a range of words, and the question does not ask for it.
fn is_beside_amount(text: &Text<'_>, place: usize, end: usize, amounts: &[&str]) -> bool {
    let Some(before) = place.checked_sub(1) else { return false };
    let has_article =
        before > 0 && text.joins_previous(before) && is_in(text.lowercase_word(before - 1), OPENS_QUANTITY);
    if has_article {
        return true;
    }
    let asked = (0..OPENING_WORDS).any(|at| text.match_phrase(at, ASKED) > 0);
    (is_in(text.lowercase_word(before), amounts) || is_in(text.lowercase_word(end), amounts)) && !asked
}

/// Returns true if the position of a number without a preposition shows that it is a year.
fn is_bare_year(text: &Text<'_>, period: &Period, names: &dyn StoredNames) -> bool {
    let (at, end) = (period.lead.words.start, period.core.end);
    if begins_question(text, at) {
        return true;
    }
    let previous = text.lowercase_word(at - 1);
    let gap = text.words[at].gap;
    if !gap.contains(char::is_whitespace) {
        return false;
    }
    let is_week = |word: &str| is_in(word.trim_end_matches(|c: char| c.is_ascii_digit()), WEEKS);
    let numbered = previous.ends_with(|c: char| c.is_ascii_digit())
        && (is_week(previous) || is_week(text.lowercase_word(at.wrapping_sub(2))));
    if numbered || !text.joins_previous(at) || is_in(previous, ONLY) || is_in(previous, WITHOUT) {
        return true;
    }
    let german = text.detect_language() == Some(Language::German);
    let any = |list: &[&str]| (0..text.len()).any(|at| text.match_phrase(at, list) > 0);
    let spends = !any(ASKED_IN_GERMAN)
        && (0..text.len()).any(|at| is_in(text.lowercase_word(at), AMOUNTS) && text.lowercase_word(at) != "gab");
    if german && is_in(previous, BEFORE_GERMAN_YEAR) {
        let names_next = text.joins_previous(end) && text.is_capital(end);
        return !names_next && !spends;
    }
    let ends = !text.joins_previous(end) || is_small(text.lowercase_word(end));
    ends && !is_in(previous, AMOUNTS) && (is_measured(text, at - 1, names) || ends_phrase(text, at, names))
}

/// Returns true if a word is a noun that a year may follow: a measure, or a plural.
fn is_measured(text: &Text<'_>, at: usize, names: &dyn StoredNames) -> bool {
    let word = text.lowercase_word(at);
    // "Windows 2019" is a name.
    let is_noun = !text.is_capital(at) || at == 0;
    let plural = word.chars().count() >= LETTERS
        && ((is_noun && is_plural(word)) || (text.is_capital(at) && word.ends_with("en")));
    let quantity = names.is_name(word) && !names.names_dimension(word);
    // "with a horsepower 1999"
    let opens = at > 0 && is_in(text.lowercase_word(at - 1), OPENS_QUANTITY);
    !opens && !is_small(word) && (is_in(word, MEASURES) || plural || quantity)
}

/// Returns true if a word may be a plural noun.
fn is_plural(word: &str) -> bool {
    word.chars().count() >= LETTERS && word.ends_with('s') && !word.ends_with("ss")
}

/// Returns true if a grouping or a value with its preposition ends before an index: "by country 2023", "in Berlin 2023".
fn ends_phrase(text: &Text<'_>, at: usize, names: &dyn StoredNames) -> bool {
    if let Groupings::Known(groupings) = find_groupings(text, names)
        && groupings.iter().any(|grouping| grouping.end == at)
    {
        return true;
    }
    let capitals = (0..at).rev().take_while(|&word| text.is_capital(word) && text.joins_previous(word + 1)).count();
    let first = at - capitals;
    let placed = first > 0 && is_in(text.lowercase_word(first - 1), &["in", "from", "aus", "à", "en", "au"]);
    let value = || names.find_columns(&[text.slice(&(first..at)).to_owned()], None);
    capitals > 0 && placed && value().iter().any(|columns| !columns.is_empty())
}
