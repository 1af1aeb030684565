//! The parts of a question that its query has to use: years, quarters, months and numbers, with the words that say them.

use super::spoken;
use std::ops::Range;

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// As the user writes it.
    pub text: String,
    pub kind: Kind,
    /// The words before it, the nearest first, in lower case.
    pub before: [String; 2],
}

/// What a part says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Year {
        year: i32,
        decade: bool,
    },
    Quarter(u8),
    Month(u8),
    /// A number by each way to read it: 1.500 is 1500 or 1.5.
    Number {
        values: Vec<f64>,
        percent: bool,
        of_time: bool,
    },
}

/// A word with its place; digits with their separators are one word.
#[derive(Debug)]
struct Word {
    at: Range<usize>,
    lower: String,
}

/// Characters that group digits or begin decimals.
fn separates(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}')
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (place, &(at, letter)) in letters.iter().enumerate() {
        let is_digit = |at: usize| letters.get(at).is_some_and(|(_, c)| c.is_ascii_digit());
        let inside = separates(letter) && place > 0 && is_digit(place - 1) && is_digit(place + 1);
        if !letter.is_alphanumeric() && letter != '_' && !inside {
            continue;
        }
        // Letters of a script without blanks may touch a number.
        let cut = words.last().is_some_and(|word| {
            let before = text[..at].chars().next_back();
            word.at.end == at
                && before.is_some_and(|before| {
                    letter.is_ascii_digit() != before.is_ascii_digit()
                        && !inside
                        && !separates(before)
                        && (!letter.is_ascii() || !before.is_ascii())
                })
        });
        let end = at + letter.len_utf8();
        match words.last_mut().filter(|word| word.at.end == at && !cut) {
            Some(word) => {
                word.at.end = end;
                word.lower.extend(letter.to_lowercase());
            }
            None => words.push(Word { at: at..end, lower: letter.to_lowercase().collect() }),
        }
    }
    words
}

/// Texts in quotation marks, with their places.
pub(super) fn quotes(text: &str) -> Vec<(Range<usize>, String)> {
    const PAIRS: [(char, char); 7] =
        [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’'), ('「', '」'), ('\'', '\'')];
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for (open, close) in PAIRS {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| from + at) {
            let inside = start + open.len_utf8();
            from = inside;
            let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            // An apostrophe is no quotation mark.
            if open == '\'' && touches(text[..start].chars().next_back()) {
                continue;
            }
            let ends = |at: &usize| open != '\'' || !touches(text[at + close.len_utf8()..].chars().next());
            let Some(end) = text[inside..].match_indices(close).map(|(at, _)| inside + at).find(ends) else { continue };
            let quoted = text[inside..end].trim();
            if !quoted.is_empty() && found.iter().all(|(known, _)| known.end <= start || end < known.start) {
                found.push((start..end + close.len_utf8(), quoted.to_owned()));
            }
            from = end + close.len_utf8();
        }
    }
    found
}

/// Reads the years, quarters, months and numbers of a question. What is in quotation marks is a name.
pub(super) fn parts(question: &str) -> Vec<Asked> {
    let quoted = quotes(question);
    let words = words(question);
    let reader = Reader { question, words: &words };
    let mut parts = Vec::new();
    let mut taken = vec![false; words.len()];
    for (at, word) in words.iter().enumerate() {
        taken[at] = quoted.iter().any(|(place, _)| place.contains(&word.at.start));
    }
    for at in 0..words.len() {
        if let Some((quarter, from, to)) = reader.quarter(at).filter(|(_, from, to)| !taken[*from] && !taken[*to]) {
            taken[from..=to].fill(true);
            parts.push(reader.part(from, to, Kind::Quarter(quarter)));
        }
    }
    #[allow(clippy::needless_range_loop, reason = "the loop marks words as taken by their place")]
    for at in 0..words.len() {
        if let Some(month) = reader.month(at).filter(|_| !taken[at]) {
            taken[at] = true;
            parts.push(reader.part(at, at, Kind::Month(month)));
        }
    }
    for at in (0..words.len()).filter(|at| !taken[*at]) {
        if words[at].lower.starts_with(|first: char| first.is_ascii_digit()) {
            parts.extend(reader.number(at));
        } else if !(at > 0 && taken[at - 1]) {
            parts.extend(reader.spoken(at));
        }
    }
    parts
}

struct Reader<'a> {
    question: &'a str,
    words: &'a [Word],
}

impl Reader<'_> {
    fn lower(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.words.get(at)).map(|word| word.lower.as_str()).unwrap_or_default()
    }

    /// The next word, where nothing but a blank or a hyphen is between.
    fn next(&self, at: usize) -> &str {
        let Some(next) = self.words.get(at + 1) else { return "" };
        let between = &self.question[self.words[at].at.end..next.at.start];
        let is_near = between.chars().all(|c| c.is_whitespace() || c == '-') && between.len() <= 3;
        if is_near { &next.lower } else { "" }
    }

    fn part(&self, from: usize, to: usize, kind: Kind) -> Asked {
        let text = self.question[self.words[from].at.start..self.words[to].at.end].to_owned();
        let before = [1, 2].map(|back| self.lower(from.checked_sub(back)).to_owned());
        Asked { text, kind, before }
    }

    /// `Q1`, `T1 2024`, "first quarter", "Quartal 3", with the words that say it.
    fn quarter(&self, at: usize) -> Option<(u8, usize, usize)> {
        let word = &self.words[at].lower;
        let digit = |text: &str| text.parse::<u8>().ok().filter(|number| (1..=4).contains(number));
        if let Some(number) = word.strip_prefix('q').and_then(digit) {
            return Some((number, at, at));
        }
        if let Some(number) = word.strip_prefix('t').and_then(digit).filter(|_| year_of(self.next(at)).is_some()) {
            return Some((number, at, at));
        }
        if !spoken::is_quarter(word) {
            return None;
        }
        let before =
            at.checked_sub(1).and_then(|before| Some((spoken::ordinal(self.lower(Some(before)))?, before, at)));
        before.or_else(|| Some((digit(self.next(at))?, at, at + 1)))
    }

    fn month(&self, at: usize) -> Option<u8> {
        let word = &self.words[at];
        let is_capital = self.question[word.at.clone()].starts_with(char::is_uppercase);
        let near = |at: Option<usize>| self.lower(at).starts_with(|first: char| first.is_ascii_digit());
        let in_sentence = is_capital && spoken::leads_to_time(self.lower(at.checked_sub(1)));
        spoken::month(&word.lower, in_sentence || is_capital && (near(Some(at + 1)) || near(at.checked_sub(1))))
    }

    /// Whether a word's number is a part of a date, a time or a fraction.
    fn is_joined(&self, at: usize) -> bool {
        let Range { start, end } = self.words[at].at;
        let joins = |c: Option<char>| c.is_some_and(|c| matches!(c, '/' | ':' | '-' | '–'));
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let (mut back, mut on) = (self.question[..start].chars().rev(), self.question[end..].chars());
        joins(back.next()) && digit(back.next()) || joins(on.next()) && digit(on.next())
    }

    fn number(&self, at: usize) -> Vec<Asked> {
        let word = &self.words[at].lower;
        let end = word.find(|c: char| !c.is_ascii_digit() && !separates(c)).unwrap_or(word.len());
        let (digits, suffix) = word.split_at(end);
        let values = values(digits);
        let before = self.question[..self.words[at].at.start].chars().next_back();
        let is_amount = before.is_some_and(|c| matches!(c, '$' | '€' | '£' | '¥' | '#'));
        let decade = matches!(suffix, "s" | "er");
        if let Some(year) = year_of(digits).filter(|_| (suffix.is_empty() || decade) && !is_amount) {
            return vec![self.part(at, at, Kind::Year { year, decade })];
        }
        if values.is_empty() {
            // A date: its year is a year.
            let years = digits.split(separates).filter_map(year_of);
            return years
                .map(|year| Asked { text: year.to_string(), ..self.part(at, at, Kind::Year { year, decade: false }) })
                .collect();
        }
        let (next, previous) = (self.next(at), self.lower(at.checked_sub(1)));
        let behind = &self.question[self.words[at].at.end..];
        let is_ordinal =
            matches!(suffix, "st" | "nd" | "rd" | "th" | "e" | "er" | "ère" | "ème" | "eme" | "º" | "ª" | "s")
                || digits.len() <= 2 && behind.starts_with(". ") && behind[2..].starts_with(char::is_alphabetic);
        let is_day =
            digits.len() <= 2 && (spoken::month(next, true).is_some() || spoken::month(previous, true).is_some());
        if is_ordinal || is_day || self.is_joined(at) || self.is_in_name(at) {
            return Vec::new();
        }
        let percent = behind.trim_start().starts_with('%') || spoken::is_percent(next);
        let scale = spoken::scale(suffix).or_else(|| spoken::scale(next));
        let scaled = values.iter().filter_map(|value| Some(value * scale?)).collect::<Vec<_>>();
        let of_hours = matches!(next, "am" | "pm") || matches!(suffix, "am" | "pm");
        let afternoon = values.iter().filter(|_| of_hours).map(|value| value + 12.0).collect::<Vec<_>>();
        let values = [values, scaled, afternoon].concat();
        if values.iter().all(|value| *value == 0.0 || *value == 1.0) || percent && values.contains(&100.0) {
            return Vec::new();
        }
        let of_time = spoken::is_time(next) || matches!(suffix, "h" | "d" | "min");
        let mut part = self.part(at, at, Kind::Number { values, percent, of_time });
        if percent && behind.starts_with('%') {
            part.text.push('%');
        }
        if spoken::scale(next).is_some() && next.len() > 1 {
            part.text = self.question[self.words[at].at.start..self.words[at + 1].at.end].to_owned();
        }
        match spoken::describes(previous, next) {
            true => Vec::new(),
            false => vec![part],
        }
    }

    /// "Title 1", "Platform 9": in English a number belongs to the name before it.
    fn is_in_name(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|before| *before > 0) else { return false };
        let Range { start, end } = self.words[before].at;
        let starts_sentence = self.question[..start].trim_end().ends_with(['.', '?', '!', ':']);
        let is_name = self.question[start..].starts_with(char::is_uppercase) && !starts_sentence;
        is_name && self.question[end..].starts_with(' ') && self.words[before].lower != "top"
    }

    fn spoken(&self, at: usize) -> Option<Asked> {
        let value = spoken::number(&self.words[at].lower)?;
        let (next, previous) = (self.next(at), self.lower(at.checked_sub(1)));
        let scaled = spoken::scale(next).map(|scale| value * scale);
        let is_part = spoken::number(previous).is_some()
            || spoken::scale(&self.words[at].lower).is_some()
            || previous.starts_with(|first: char| first.is_ascii_digit())
            || ["pour", "per", "pro", "a", "ein", "un"].contains(&previous);
        // "Twenty five" is left out: it takes two words.
        let is_compound = spoken::number(next).is_some() && scaled.is_none();
        if is_part || is_compound || spoken::describes(previous, next) || next == "of" || next == "quarter" {
            return None;
        }
        let (percent, of_time) = (spoken::is_percent(next), spoken::is_time(next));
        let values = vec![scaled.unwrap_or(value)];
        let to = at + usize::from(scaled.is_some());
        Some(self.part(at, to, Kind::Number { values, percent, of_time }))
    }
}

/// The year that four digits say.
pub(super) fn year_of(digits: &str) -> Option<i32> {
    let is_plain = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|year| is_plain && (1800..=2100).contains(year))
}

/// The numbers that digits with separators may say; none of a date.
fn values(digits: &str) -> Vec<f64> {
    let groups: Vec<&str> = digits.split(separates).collect();
    let signs: Vec<char> = digits.chars().filter(|c| separates(*c)).collect();
    let whole = |groups: &[&str]| groups.concat().parse::<f64>().ok();
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return Vec::new() };
    let is_grouped = |groups: &[&str]| groups.len() > 1 && first.len() <= 3 && groups[1..].iter().all(|g| g.len() == 3);
    let mut values = Vec::new();
    if signs.is_empty() || is_grouped(&groups) && signs.iter().all(|sign| *sign == signs[0]) {
        values.extend(whole(&groups));
    }
    if let [before @ .., _] = groups.as_slice()
        && matches!(signs.last(), Some('.' | ','))
        && (before.len() == 1 || is_grouped(before) && signs[0] != signs[signs.len() - 1])
    {
        values.extend(whole(before).and_then(|whole| format!("{whole}.{last}").parse::<f64>().ok()));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(question: &str) -> Vec<String> {
        let told = |part: Asked| match part.kind {
            Kind::Year { year, decade } => format!("{year}{}", if decade { "s" } else { "" }),
            Kind::Quarter(quarter) => format!("Q{quarter}"),
            Kind::Month(month) => format!("M{month}"),
            Kind::Number { values, percent, .. } => format!("{values:?}{}", if percent { "%" } else { "" }),
        };
        parts(question).into_iter().map(told).collect()
    }

    #[test]
    fn years_quarters_and_months_are_read_in_three_languages() {
        for (question, expected) in [
            ("Revenue in 2024", vec!["2024"]),
            ("Umsatz der Kunden 2024", vec!["2024"]),
            ("在2023年有多少订单?", vec!["2023"]),
            ("Sales of the first quarter of 2024", vec!["Q1", "2024"]),
            ("Umsatz im 3. Quartal 2023", vec!["Q3", "2023"]),
            ("Ventes du deuxième trimestre", vec!["Q2"]),
            ("Q4 sales", vec!["Q4"]),
            ("Ventes T1 2024", vec!["Q1", "2024"]),
            ("Orders in March 2024", vec!["M3", "2024"]),
            ("Bestellungen im Mai", vec!["M5"]),
            ("Commandes en août 2024", vec!["M8", "2024"]),
            ("May I see all orders?", vec![]),
            ("Films of the 1980s", vec!["1980s"]),
            ("Orders of 2024-05-03", vec!["2024"]),
            ("Bestellungen vom 03.05.2024", vec!["2024"]),
            ("From 2020 to 2023", vec!["2020", "2023"]),
            ("Orders on 3 May", vec!["M5"]),
        ] {
            assert_eq!(said(question), expected, "{question}");
        }
    }

    #[test]
    fn numbers_are_read_as_digits_and_as_words() {
        for (question, expected) in [
            ("Top 5 products", vec!["[5.0]"]),
            ("more than three times", vec!["[3.0]"]),
            ("Die fünf größten Kunden", vec!["[5.0]"]),
            ("Les dix meilleurs clients", vec!["[10.0]"]),
            ("over 1,500.50 or 1.500,25", vec!["[1500.5]", "[1500.25]"]),
            ("over 1.500 units", vec!["[1500.0, 1.5]"]),
            ("1.5 million inhabitants", vec!["[1.5, 1500000.0]"]),
            ("more than 50% off", vec!["[50.0]%"]),
            ("five hundred orders", vec!["[500.0]"]),
            ("the three regions", vec![]),
            ("3rd customer, F16, 9/11, 10:30, on 4 May, 1 day, 100%", vec!["M5"]),
            ("Which schools get Title 1 money?", vec![]),
            ("a song called '99 Luftballons' of 1983", vec!["1983"]),
            ("$2000 and more", vec!["[2000.0]"]),
        ] {
            assert_eq!(said(question), expected, "{question}");
        }
    }

    #[test]
    fn quotation_marks_are_told_from_apostrophes() {
        let quoted = |text: &str| quotes(text).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(quoted("the customer's orders of 'Ada' and “Bob” and «Cid»"), ["Bob", "Cid", "Ada"]);
        assert!(quoted("the customers' and vendors' names, d'accord").is_empty());
    }
}
