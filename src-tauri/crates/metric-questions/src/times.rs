//! Times of a question: years, quarters, months, days, ranges, and periods relative to today. A time whose meaning is
//! not certain is none, such as a month without its year.

use crate::language::{Language, Relative, TimeWords, match_any, match_phrase};
use crate::period::{Period, move_by};
use crate::words::{Word, are_joined};
use chrono::NaiveDate;
use std::collections::HashMap;
use vitrine_metrics::{Grain, WeekDay};

/// Years that a number of four digits may mean.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2100;
/// Most periods of "last 30 days".
const MOST_PERIODS: u32 = 1_000;

/// Reads the times of a question in one language.
pub(crate) struct TimeReader<'w> {
    words: &'w [Word],
    language: &'static Language,
    times: &'static TimeWords,
    months: HashMap<String, u32>,
    today: Option<NaiveDate>,
    week_start: WeekDay,
}

/// The end of a phrase, and the period that it means.
type Found = Option<(usize, Period)>;

impl<'w> TimeReader<'w> {
    pub fn new(words: &'w [Word], language: &'static Language, today: Option<NaiveDate>, week_start: WeekDay) -> Self {
        let names = language.id.month_names().into_iter();
        let months =
            names.filter_map(|(name, number)| Some((crate::words::fold_text(&name), number.parse().ok()?))).collect();
        Self { words, language, times: language.times, months, today, week_start }
    }

    /// Reads the longest time that begins at a word.
    pub fn read_at(&self, at: usize) -> Found {
        let found = [self.read_range(at), self.read_open(at), self.read_last(at), self.read_period(at)];
        found.into_iter().flatten().max_by_key(|(end, _)| *end)
    }

    fn folded(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.folded.as_str())
    }

    fn is_joined(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(are_joined)
    }

    fn gap(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.gap.as_str())
    }

    /// Returns the place after one of these phrases, if nothing but a space or an apostrophe follows it.
    fn after_phrase(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        let next = match_any(self.words, at, phrases)?;
        matches!(self.gap(next).trim(), "" | "'" | "’").then_some(next)
    }

    /// Reads "from A to B", "between A and B", and "A to B".
    fn read_range(&self, at: usize) -> Found {
        let begun = self.after_phrase(at, self.times.from);
        let between = self.after_phrase(at, self.times.between);
        let (start, joins) = match (begun, between) {
            (_, Some(next)) => (next, self.times.and),
            (Some(next), None) => (next, self.times.to),
            (None, None) => (at, self.times.to),
        };
        let after = |end: usize| {
            let is_dash = matches!(self.gap(end).trim(), "-" | "–") && between.is_none();
            if is_dash { Some(end) } else { self.after_phrase(end, joins) }
        };
        if let Some((end, first)) = self.read_period(start)
            && let Some((end, last)) = after(end).and_then(|next| self.read_period(next))
        {
            return Some((end, Period::range(first, last)?));
        }
        // The year of the last month or quarter also applies to the first.
        let (end, part) = self.read_part(start)?;
        let (end, last) = after(end).and_then(|next| self.read_period(next))?;
        let year = chrono::Datelike::year(&last.from?);
        let first = match part {
            Part::Month(month) => Period::month(year, month)?,
            Part::Quarter(quarter) => Period::quarter(year, quarter)?,
            Part::Half(_) => return None,
        };
        (first.unit == last.unit).then_some(())?;
        Some((end, Period::range(first, last)?))
    }

    /// Reads a range with one bound: "since 2023".
    fn read_open(&self, at: usize) -> Found {
        let times = self.times;
        if let Some(next) = self.after_phrase(at, times.since)
            && let Some((end, period)) = self.read_period(next)
        {
            return Some((end, Period { from: period.from, to: None, unit: None }));
        }
        if let Some(next) = self.after_phrase(at, times.after)
            && let Some((end, period)) = self.read_period(next)
        {
            return Some((end, Period { from: Some(period.to?.succ_opt()?), to: None, unit: None }));
        }
        let next = self.after_phrase(at, times.before)?;
        let (end, period) = self.read_period(next)?;
        Some((end, Period { from: None, to: Some(period.from?.pred_opt()?), unit: None }))
    }

    /// Reads "last 30 days" and "30 derniers jours". Days end today; longer periods are complete ones before the
    /// current one.
    fn read_last(&self, at: usize) -> Found {
        let (next, count) = match match_any(self.words, at, self.times.last) {
            Some(next) => (next + 1, self.number(next)?),
            None => {
                let articles = ["les", "las", "los", "ces", "die", "den", "the"];
                let start = at + usize::from(articles.contains(&self.folded(at)));
                let count = self.number(start)?;
                (match_any(self.words, start + 1, self.times.last)?, count)
            }
        };
        if !(1..=MOST_PERIODS).contains(&count) || !self.is_joined(next) {
            return None;
        }
        let grain = self.language.grain_of(self.folded(next))?;
        let (today, count) = (self.today?, i32::try_from(count).ok()?);
        if grain == Grain::Day {
            let from = move_by(today, Grain::Day, 1 - count)?;
            return Some((next + 1, Period { from: Some(from), to: Some(today), unit: None }));
        }
        let current = Period::containing(today, grain, 0, self.week_start)?.from?;
        let period = Period { from: Some(move_by(current, grain, -count)?), to: current.pred_opt(), unit: None };
        Some((next + 1, period))
    }

    fn number(&self, at: usize) -> Option<u32> {
        let word = self.folded(at);
        word.parse().ok().or_else(|| parse_number(word))
    }

    /// Reads one period: a day, a month, a quarter, half a year or a year.
    fn read_period(&self, at: usize) -> Found {
        let found = [
            self.read_relative(at),
            self.read_day(at),
            self.read_part_of_year(at),
            self.read_month_number(at),
            self.read_year(at),
        ];
        found.into_iter().flatten().max_by_key(|(end, _)| *end)
    }

    fn read_relative(&self, at: usize) -> Found {
        let today = self.today?;
        // "In the last year" may mean the twelve months before today.
        let has_article = at.checked_sub(1).is_some_and(|before| self.folded(before) == "the");
        if has_article && self.times.last.contains(&self.folded(at)) {
            return None;
        }
        let found = self.times.relative.iter().filter_map(|(phrase, relative)| {
            let end = at + match_phrase(self.words, at, phrase)?;
            let period = match *relative {
                Relative::Whole(grain, moved) => Period::containing(today, grain, moved, self.week_start)?,
                Relative::ToDate(grain) => {
                    let whole = Period::containing(today, grain, 0, self.week_start)?;
                    Period { to: Some(today), unit: None, ..whole }
                }
            };
            Some((end, period))
        });
        found.max_by_key(|(end, _)| *end)
    }

    /// Reads a year in digits, with a noun before it or without.
    fn read_year(&self, at: usize) -> Found {
        let start = self.after_phrase(at, self.times.year_nouns).unwrap_or(at);
        let year = self.year_at(start)?;
        Some((start + 1, Period::year(year)?))
    }

    fn year_at(&self, at: usize) -> Option<i32> {
        let word = self.folded(at);
        // "1,2024" and "3.2024" are not years.
        let is_part = |gap: &str| gap.len() == 1 && gap.contains(['.', ',', '/', ':']);
        let is_alone = !(is_part(self.gap(at)) || is_part(self.gap(at + 1)));
        parse_year(word).filter(|_| is_alone)
    }

    /// Reads a month or a quarter without its year.
    fn read_part(&self, at: usize) -> Option<(usize, Part)> {
        let word = self.folded(at);
        if let Some(month) = self.months.get(word) {
            return Some((at + 1, Part::Month(*month)));
        }
        let letter =
            |letters: &[&str]| letters.iter().find_map(|letter| word.strip_prefix(letter)?.parse::<u32>().ok());
        if let Some(quarter) = letter(self.times.quarter_letters) {
            return (1..=4).contains(&quarter).then_some((at + 1, Part::Quarter(quarter)));
        }
        if let Some(half) = letter(self.times.half_letters) {
            return (1..=2).contains(&half).then_some((at + 1, Part::Half(half)));
        }
        let number = self.ordinal_at(at)?;
        let noun = self.folded(at + 1);
        if self.language.grain_of(noun) == Some(Grain::Quarter) {
            return Some((at + 2, Part::Quarter(number)));
        }
        (self.times.halves.contains(&noun) && number <= 2).then_some((at + 2, Part::Half(number)))
    }

    /// Returns the number of an ordinal from 1 to 4: "first", "1st", "1.".
    fn ordinal_at(&self, at: usize) -> Option<u32> {
        let word = self.folded(at);
        let by_name = self.times.ordinals.iter().position(|forms| forms.contains(&word));
        if let Some(place) = by_name {
            return u32::try_from(place + 1).ok();
        }
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        let ending = &word[digits.len()..];
        let has_ending = self.times.ordinal_endings.contains(&ending);
        let has_stop = ending.is_empty() && self.gap(at + 1).trim() == ".";
        let number: u32 = digits.parse().ok()?;
        ((has_ending || has_stop) && (1..=4).contains(&number)).then_some(number)
    }

    /// Reads a month, a quarter or half a year with its year.
    fn read_part_of_year(&self, at: usize) -> Found {
        if let Some(year) = self.year_at(at)
            && self.is_joined(at + 1)
            && let Some((end, part)) = self.read_part(at + 1).filter(|(_, part)| !matches!(part, Part::Month(_)))
        {
            return Some((end, part.of_year(year)?));
        }
        let (end, part) = self.read_part(at)?;
        let (end, year) = self.read_own_year(end)?;
        Some((end, part.of_year(year)?))
    }

    /// Reads the year of a month or a quarter: "2024", "of 2024", ", 2024", "of the year 2024".
    fn read_own_year(&self, at: usize) -> Option<(usize, i32)> {
        let start = match_any(self.words, at, self.times.of).unwrap_or(at);
        let start = match_any(self.words, start, self.times.year_nouns).unwrap_or(start);
        let is_beside = self.words[at..=start.min(self.words.len().checked_sub(1)?)]
            .iter()
            .all(|word| are_joined(word) || word.gap.trim() == ",");
        let year = parse_year(self.folded(start)).filter(|_| is_beside)?;
        Some((start + 1, year))
    }

    /// Reads `2024-03`.
    fn read_month_number(&self, at: usize) -> Found {
        let year = parse_year(self.folded(at))?;
        let month = self.two_digits(at + 1, "-")?;
        Some((at + 2, Period::month(year, month)?))
    }

    fn two_digits(&self, at: usize, gap: &str) -> Option<u32> {
        let word = self.folded(at);
        (self.gap(at) == gap && word.len() == 2).then(|| word.parse().ok()).flatten()
    }

    /// Reads a day: `2024-03-05`, `05.03.2024`, "5 March 2024", "March 5, 2024".
    fn read_day(&self, at: usize) -> Found {
        if let Some(year) = parse_year(self.folded(at))
            && let (Some(month), Some(day)) = (self.two_digits(at + 1, "-"), self.two_digits(at + 2, "-"))
        {
            return Some((at + 3, Period::day(NaiveDate::from_ymd_opt(year, month, day)?)));
        }
        let number = |at: usize| self.folded(at).parse::<u32>().ok().filter(|number| (1..=31).contains(number));
        if let (Some(day), Some(month), Some(year)) = (number(at), number(at + 1), parse_year(self.folded(at + 2)))
            && self.times.day_first
            && (self.gap(at + 1).trim(), self.gap(at + 2).trim()) == (".", ".")
        {
            return Some((at + 3, Period::day(NaiveDate::from_ymd_opt(year, month, day)?)));
        }
        let ordinal = |at: usize| {
            let word = self.folded(at);
            let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
            let ending = &word[digits.len()..];
            let is_ordinal = ending.is_empty() || self.times.ordinal_endings.contains(&ending);
            digits.parse::<u32>().ok().filter(|number| is_ordinal && (1..=31).contains(number))
        };
        if let Some(day) = ordinal(at) {
            let next = match_any(self.words, at + 1, self.times.of).unwrap_or(at + 1);
            let month = *self.months.get(self.folded(next))?;
            let (end, year) = self.read_own_year(next + 1)?;
            return Some((end, Period::day(NaiveDate::from_ymd_opt(year, month, day)?)));
        }
        // The day follows the month only in English.
        let month = *self.months.get(self.folded(at)).filter(|_| !self.times.day_first)?;
        let day = ordinal(at + 1)?;
        let (end, year) = self.read_own_year(at + 2)?;
        Some((end, Period::day(NaiveDate::from_ymd_opt(year, month, day)?)))
    }
}

/// A part of a year.
#[derive(Debug, Clone, Copy)]
enum Part {
    Month(u32),
    Quarter(u32),
    Half(u32),
}

impl Part {
    fn of_year(self, year: i32) -> Option<Period> {
        match self {
            Part::Month(month) => Period::month(year, month),
            Part::Quarter(quarter) => Period::quarter(year, quarter),
            Part::Half(half) => Period::half(year, half),
        }
    }
}

fn parse_year(word: &str) -> Option<i32> {
    let is_plain = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|year| is_plain && YEARS.contains(year))
}

/// Returns the number of a folded word.
pub(crate) fn parse_number(folded: &str) -> Option<u32> {
    // The shared list has accents.
    let accented = match folded {
        "funf" => "fünf",
        "zwolf" => "zwölf",
        "funfzehn" => "fünfzehn",
        "dreissig" => "dreißig",
        other => other,
    };
    vitrine_sql::parse_number_word(accented)
}
