//! Times in questions: years, quarters, months, days, ranges of them, and times relative to today.

use super::lead::{Lead, Preposition};
use super::time_words::{
    AND, BETWEEN, FROM, HALVES, LAST, MONTHS, OF, ORDINALS, QUARTERS, RELATIVE, TO, UNCERTAIN_MONTHS, UNITS,
    YEAR_AFTER, YEAR_BEFORE,
};
use super::words::{Text, is_in};
use super::year::is_year;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodKind {
    Year,
    Half,
    Quarter,
    Month,
    Day,
    Range,
    /// Relative to today: "last year", "this month".
    Relative,
    /// Several units before today: "the last 6 months".
    LastUnits,
    /// Year relative to the year of the previous question: -1 for "the year before", 1 for "the year after".
    Beside(i32),
}

/// A time in a text.
#[derive(Debug, Clone)]
pub(super) struct Period {
    pub kind: PeriodKind,
    /// Words of the time, without preposition and article.
    pub core: Range<usize>,
    /// Words of the time's only year.
    pub year: Option<Range<usize>>,
    /// Words of the month, quarter or half.
    pub part: Option<Range<usize>>,
    pub lead: Lead,
}

impl PeriodKind {
    /// Returns true if the kind is a part of a year.
    pub(super) fn is_part(self) -> bool {
        matches!(self, Self::Half | Self::Quarter | Self::Month)
    }
}

impl Period {
    /// Returns true if the time is a range of whole years.
    pub(super) fn has_whole_years(&self, text: &Text<'_>) -> bool {
        let joins = |word: &str| is_in(word, TO) || is_in(word, AND);
        self.is_short_range(text) || self.core.clone().all(|at| is_year(text, at) || joins(text.lowercase_word(at)))
    }

    /// Returns true if the time is a range with a shortened second year: "2021-23".
    pub(super) fn is_short_range(&self, text: &Text<'_>) -> bool {
        is_year(text, self.core.start) && self.core.len() == 2 && text.lowercase_word(self.core.end - 1).len() == 2
    }

    /// Returns true if the time is a month, a quarter or a day without its year.
    pub(super) fn lacks_year(&self, text: &Text<'_>) -> bool {
        self.part.is_some() && !self.core.clone().any(|at| is_year(text, at))
    }
}

fn is_number(word: &str, most: u32) -> bool {
    word.parse::<u32>().is_ok_and(|number| number >= 1 && number <= most)
}

/// Returns the words of a year that follows an index, possibly after a word such as "of".
fn year_after(text: &Text<'_>, at: usize) -> Option<Range<usize>> {
    let slash = |at: usize| text.words.get(at).is_some_and(|word| [",", ", ", "/", "-", " '"].contains(&word.gap));
    let of = if text.joins_previous(at) { text.match_phrase(at, OF) } else { 0 };
    let place = at + of;
    let joined = text.joins_previous(place) || (of == 0 && slash(place));
    (joined && is_year(text, place)).then_some(place..place + 1)
}

/// Returns the kind and the end of a quarter, a half or a month that begins at an index.
fn read_part(text: &Text<'_>, at: usize, fragment: bool) -> Option<(PeriodKind, usize)> {
    let word = text.lowercase_word(at);
    let coded = |letters: &str, most: u32| {
        let digits =
            word.strip_prefix(|c: char| letters.contains(c)).or(word.strip_suffix(|c: char| letters.contains(c)));
        digits.is_some_and(|digits| digits.len() == 1 && is_number(digits, most))
    };
    // A full stop marks a German ordinal: "1. Quartal".
    let dotted = |at: usize| text.words.get(at).is_some_and(|word| word.gap == ". " || word.gap == ".");
    let unit = |at: usize| {
        [(QUARTERS, PeriodKind::Quarter), (HALVES, PeriodKind::Half)]
            .into_iter()
            .find(|(list, _)| is_in(text.lowercase_word(at), list))
    };
    if coded("qt", 4) {
        return Some((PeriodKind::Quarter, at + 1));
    }
    if coded("h", 2) {
        return Some((PeriodKind::Half, at + 1));
    }
    if is_in(word, ORDINALS)
        && (text.joins_previous(at + 1) || dotted(at + 1))
        && !matches!(word, "last" | "letzte" | "letzten" | "dernier")
        && let Some((_, kind)) = unit(at + 1)
    {
        return Some((kind, at + 2));
    }
    if let Some((_, kind)) = unit(at) {
        return (text.joins_previous(at + 1) && is_number(text.lowercase_word(at + 1), 4)).then_some((kind, at + 2));
    }
    let is_month = is_in(word, MONTHS) || word == "sept";
    let sure = fragment
        || !is_in(word, UNCERTAIN_MONTHS)
        || year_after(text, at + 1).is_some()
        || (text.is_capital(at) && (at > 0 || text.len() == 1))
        || is_in(text.lowercase_word(at.wrapping_sub(1)), &["in", "im", "en", "since", "seit", "depuis", "for"]);
    (is_month && sure).then_some((PeriodKind::Month, at + 1))
}

/// A time that is not a range: its kind, its end, its year and its part.
type Simple = (PeriodKind, usize, Option<Range<usize>>, Option<Range<usize>>);

/// Reads the simple time that begins at an index.
fn read_simple(text: &Text<'_>, at: usize, fragment: bool) -> Option<Simple> {
    let gap = |at: usize, marks: &[&str]| text.words.get(at).is_some_and(|word| marks.contains(&word.gap));
    // 2023-03-05, 2023-03, 2023-Q3
    let has_two_digits =
        text.lowercase_word(at + 1).len() == 2 && text.lowercase_word(at + 1).chars().all(|c| c.is_ascii_digit());
    if is_year(text, at) && gap(at + 1, &["-", "/", "–"]) && has_two_digits {
        if !is_number(text.lowercase_word(at + 1), 12) {
            // 2023/24
            return Some((PeriodKind::Range, at + 2, None, None));
        }
        let day = gap(at + 2, &["-", "/"]) && is_number(text.lowercase_word(at + 2), 31);
        let (kind, end) = if day { (PeriodKind::Day, at + 3) } else { (PeriodKind::Month, at + 2) };
        return Some((kind, end, None, None));
    }
    if is_year(text, at) {
        if let Some((kind, end)) =
            (text.joins_previous(at + 1) || gap(at + 1, &["/"])).then(|| read_part(text, at + 1, fragment)).flatten()
            && kind != PeriodKind::Month
        {
            return Some((kind, end, Some(at..at + 1), Some(at + 1..end)));
        }
        return Some((PeriodKind::Year, at + 1, Some(at..at + 1), None));
    }
    let word = text.lowercase_word(at);
    // 05.03.2023, 03/2023, 05/03/2023
    let dots: Vec<&str> = word.split('.').collect();
    if let [day, month, year] = dots.as_slice() {
        let dated = is_number(day, 31) && is_number(month, 12) && year.len() == 4;
        return dated.then_some((PeriodKind::Day, at + 1, None, None));
    }
    if is_number(word, 31)
        && gap(at + 1, &["/"])
        && is_number(text.lowercase_word(at + 1), 31)
        && gap(at + 2, &["/"])
        && is_year(text, at + 2)
    {
        return Some((PeriodKind::Day, at + 3, None, None));
    }
    if is_number(word, 12) && gap(at + 1, &["/"]) && is_year(text, at + 1) {
        return Some((PeriodKind::Month, at + 2, None, None));
    }
    // 5 March 2023, 5. März, 1er mars, 5th of March
    let ordinal = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
        let ending = &word[digits.len()..];
        is_number(digits, 31) && ["", "st", "nd", "rd", "th", "er"].contains(&ending)
    };
    if ordinal(word) && (text.joins_previous(at + 1) || gap(at + 1, &[". "])) {
        let month = at + 1 + usize::from(text.lowercase_word(at + 1) == "of");
        if is_in(text.lowercase_word(month), MONTHS) {
            let year = year_after(text, month + 1);
            let end = year.as_ref().map_or(month + 1, |year| year.end);
            return Some((PeriodKind::Day, end, year, Some(at..month + 1)));
        }
    }
    let (kind, end) = read_part(text, at, fragment)?;
    // March 5, 2023
    if kind == PeriodKind::Month
        && text.joins_previous(end)
        && ordinal(text.lowercase_word(end))
        && text.lowercase_word(end).len() <= 4
    {
        let year = year_after(text, end + 1);
        let whole = year.as_ref().map_or(end + 1, |year| year.end);
        return Some((PeriodKind::Day, whole, year, Some(at..end + 1)));
    }
    let year = year_after(text, end);
    let whole = year.as_ref().map_or(end, |year| year.end);
    Some((kind, whole, year, Some(at..end)))
}

/// Returns the end of "last 6 months" or "6 derniers mois" if it begins at an index.
fn read_last_units(text: &Text<'_>, at: usize) -> Option<usize> {
    let number = |at: usize| super::number::is_number_word(text.lowercase_word(at));
    let last = |at: usize| is_in(text.lowercase_word(at), LAST);
    let ordered = (last(at) && number(at + 1)) || (number(at) && last(at + 1));
    (ordered && is_in(text.lowercase_word(at + 2), UNITS)).then_some(at + 3)
}

/// Reads the time that begins at an index.
fn read_period(text: &Text<'_>, at: usize, first: usize, fragment: bool) -> Option<Period> {
    let lead = Lead::read_before(text, at, first);
    let period = |kind, end, year, part, lead| Some(Period { kind, core: at..end, year, part, lead });
    if let Some(end) = read_last_units(text, at) {
        return period(PeriodKind::LastUnits, end, None, None, lead);
    }
    for (list, years) in [(YEAR_BEFORE, -1), (YEAR_AFTER, 1)] {
        let length = text.match_phrase(at, list);
        if length > 0 {
            return period(PeriodKind::Beside(years), at + length, None, None, lead);
        }
    }
    let relative = text.match_phrase(at, RELATIVE);
    if relative > 0 {
        return period(PeriodKind::Relative, at + relative, None, None, lead);
    }
    let (kind, end, year, part) = read_simple(text, at, fragment)?;
    let opened = |list: &[&str]| at > first && text.joins_previous(at) && is_in(text.lowercase_word(at - 1), list);
    let dash = |at: usize| text.words.get(at).is_some_and(|word| ["-", " - ", "–", " – ", "—"].contains(&word.gap));
    let joined = if text.joins_previous(end) { text.match_phrase(end, TO) } else { 0 };
    let other = if joined > 0 {
        Some(end + joined)
    } else if opened(BETWEEN) && is_in(text.lowercase_word(end), AND) {
        Some(end + 1)
    } else {
        dash(end).then_some(end)
    };
    if let Some((_, last, other_year, other_part)) = other.and_then(|other| read_simple(text, other, fragment)) {
        // "from 2021 to 2023", "between 2021 and 2023".
        let lead = match opened(BETWEEN) || opened(FROM) {
            true => {
                let words = at - 1..at;
                Lead { preposition: Preposition::Specific, preposition_words: words.clone(), words, article: None }
            }
            false => lead,
        };
        let one_year = if year.is_none() && part.is_some() && other_part.is_some() { other_year } else { None };
        return period(PeriodKind::Range, last, one_year, part, lead);
    }
    period(kind, end, year, part, lead)
}

/// Returns the times of a text in their order. In a fragment, a month may also be in lower case: "and march?".
pub(super) fn find_periods(text: &Text<'_>, fragment: bool) -> Vec<Period> {
    let (mut found, mut at) = (Vec::<Period>::new(), 0);
    while at < text.len() {
        let first = found.last().map_or(0, |period| period.core.end);
        match read_period(text, at, first, fragment) {
            Some(period) => {
                at = period.core.end;
                found.push(period);
            }
            None => at += 1,
        }
    }
    found
}
