//! The parts of a question that its query has to use: years, quarters, months and numbers, with the words for them.

use super::spoken;
use super::tokens::{QuestionWord, find_quotes, is_digit_separator, split_words};
use std::ops::Range;

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// Text of the part in the question.
    pub text: String,
    pub kind: Kind,
    /// The two words before it, nearest first, in lower case.
    pub before: [String; 2],
}

/// The meaning of a part.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Year {
        year: i32,
        decade: bool,
    },
    Quarter(u8),
    Month(u8),
    /// A number with all its possible readings: 1.500 is 1500 or 1.5.
    Number {
        values: Vec<f64>,
        percent: bool,
        of_time: bool,
    },
}

/// Returns the years, quarters, months and numbers of a question. Text in quotation marks is a name.
pub(super) fn parse_question(question: &str) -> Vec<Asked> {
    let quoted = find_quotes(question);
    let words = split_words(question);
    let reader = Reader { question, words: &words };
    let mut parts = Vec::new();
    let mut taken = vec![false; words.len()];
    for (at, word) in words.iter().enumerate() {
        taken[at] = quoted.iter().any(|(place, _)| place.contains(&word.at.start));
    }
    for at in 0..words.len() {
        if let Some((quarter, from, to)) = reader.parse_quarter(at).filter(|(_, from, to)| !taken[*from] && !taken[*to])
        {
            taken[from..=to].fill(true);
            parts.push(reader.build_part(from, to, Kind::Quarter(quarter)));
        }
    }
    #[allow(clippy::needless_range_loop, reason = "the loop marks words as taken by their place")]
    for at in 0..words.len() {
        if let Some(month) = reader.parse_month(at).filter(|_| !taken[at]) {
            taken[at] = true;
            parts.push(reader.build_part(at, at, Kind::Month(month)));
        }
    }
    for at in (0..words.len()).filter(|at| !taken[*at]) {
        if words[at].lower.starts_with(|first: char| first.is_ascii_digit()) {
            parts.extend(reader.parse_number(at));
        } else if !(at > 0 && taken[at - 1]) {
            parts.extend(reader.parse_spoken_number(at));
        }
    }
    parts
}

struct Reader<'a> {
    question: &'a str,
    words: &'a [QuestionWord],
}

impl Reader<'_> {
    fn lower_word(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.words.get(at)).map(|word| word.lower.as_str()).unwrap_or_default()
    }

    /// Returns the next word if only a space or a hyphen precedes it.
    fn next(&self, at: usize) -> &str {
        let Some(next) = self.words.get(at + 1) else { return "" };
        let between = &self.question[self.words[at].at.end..next.at.start];
        let is_near = between.chars().all(|c| c.is_whitespace() || c == '-') && between.len() <= 3;
        if is_near { &next.lower } else { "" }
    }

    fn build_part(&self, from: usize, to: usize, kind: Kind) -> Asked {
        let text = self.question[self.words[from].at.start..self.words[to].at.end].to_owned();
        let near = (0..from).rev().find(|at| !spoken::is_filler(self.lower_word(Some(*at))));
        let before = [near, near.and_then(|near| near.checked_sub(1))].map(|at| self.lower_word(at).to_owned());
        Asked { text, kind, before }
    }

    /// Parses `Q1`, `T1 2024`, "first quarter" or "Quartal 3". Returns the quarter with the range of its words.
    fn parse_quarter(&self, at: usize) -> Option<(u8, usize, usize)> {
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
        let before = at
            .checked_sub(1)
            .and_then(|before| Some((spoken::parse_ordinal_word(self.lower_word(Some(before)))?, before, at)));
        before.or_else(|| Some((digit(self.next(at))?, at, at + 1)))
    }

    fn parse_month(&self, at: usize) -> Option<u8> {
        let word = &self.words[at];
        // Next to a year, "sept" and "Jan" are months as well.
        if year_of(self.next(at)).is_some() && !spoken::may_ask(self.lower_word(at.checked_sub(1))) {
            return spoken::month_in(&word.lower);
        }
        let is_capital = self.question[word.at.clone()].starts_with(char::is_uppercase);
        let near = |at: Option<usize>| self.lower_word(at).starts_with(|first: char| first.is_ascii_digit());
        let in_sentence = is_capital && spoken::leads_to_time(self.lower_word(at.checked_sub(1)));
        spoken::parse_month_word(
            &word.lower,
            in_sentence || is_capital && (near(Some(at + 1)) || near(at.checked_sub(1))),
        )
    }

    /// Returns true if a word's number is a part of a date, a time or a fraction.
    fn is_joined(&self, at: usize) -> bool {
        let Range { start, end } = self.words[at].at;
        let joins = |c: Option<char>| c.is_some_and(|c| matches!(c, '/' | ':' | '-' | '–'));
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let (mut back, mut on) = (self.question[..start].chars().rev(), self.question[end..].chars());
        joins(back.next()) && digit(back.next()) || joins(on.next()) && digit(on.next())
    }

    fn parse_number(&self, at: usize) -> Vec<Asked> {
        let word = &self.words[at].lower;
        let end = word.find(|c: char| !c.is_ascii_digit() && !is_digit_separator(c)).unwrap_or(word.len());
        let (digits, suffix) = word.split_at(end);
        let values = number_readings(digits);
        let before = self.question[..self.words[at].at.start].chars().next_back();
        let is_amount = before.is_some_and(|c| matches!(c, '$' | '€' | '£' | '¥' | '#'));
        let decade = matches!(suffix, "s" | "er");
        if let Some(year) = year_of(digits).filter(|_| (suffix.is_empty() || decade) && !is_amount) {
            return vec![self.build_part(at, at, Kind::Year { year, decade })];
        }
        let (next, previous) = (self.next(at), self.lower_word(at.checked_sub(1)));
        let behind = &self.question[self.words[at].at.end..];
        if is_day_or_time(digits, suffix, behind, next) {
            return Vec::new();
        }
        if values.is_empty() {
            // The year of a date is a year.
            let years = digits.split(is_digit_separator).filter_map(year_of);
            return years
                .map(|year| Asked {
                    text: year.to_string(),
                    ..self.build_part(at, at, Kind::Year { year, decade: false })
                })
                .collect();
        }
        let is_ordinal =
            matches!(suffix, "st" | "nd" | "rd" | "th" | "e" | "er" | "ère" | "ème" | "eme" | "º" | "ª" | "s")
                || digits.len() <= 2 && behind.starts_with(". ") && behind[2..].starts_with(char::is_alphabetic);
        let is_day = digits.len() <= 2
            && (spoken::parse_month_word(next, true).is_some() || spoken::parse_month_word(previous, true).is_some());
        if is_ordinal || is_day || self.is_joined(at) || self.is_in_name(at) {
            return Vec::new();
        }
        let percent = behind.trim_start().starts_with('%') || spoken::is_percent(next);
        let scale = spoken::parse_scale_word(suffix).or_else(|| spoken::parse_scale_word(next));
        let scaled = values.iter().filter_map(|value| Some(value * scale?)).collect::<Vec<_>>();
        let of_hours = matches!(next, "am" | "pm") || matches!(suffix, "am" | "pm");
        let afternoon = values.iter().filter(|_| of_hours).map(|value| value + 12.0).collect::<Vec<_>>();
        let values = [values, scaled, afternoon].concat();
        if values.iter().all(|value| *value == 0.0 || *value == 1.0) || percent && values.contains(&100.0) {
            return Vec::new();
        }
        let of_time = spoken::is_time(next) || matches!(suffix, "h" | "d" | "min");
        let mut part = self.build_part(at, at, Kind::Number { values, percent, of_time });
        if percent && behind.starts_with('%') {
            part.text.push('%');
        }
        if spoken::parse_scale_word(next).is_some() && next.len() > 1 {
            part.text = self.question[self.words[at].at.start..self.words[at + 1].at.end].to_owned();
        }
        match spoken::is_descriptive(previous, next) && !self.is_ranking_count(at) {
            true => Vec::new(),
            false => vec![part],
        }
    }

    /// Returns true if a superlative after the counted noun ranks it: "the 10 products with the most orders".
    fn is_ranking_count(&self, at: usize) -> bool {
        // "At least 10", "plus de 10" and "last year" do not rank.
        let is_ranking = |at: usize| {
            let (before, word, next) =
                (self.lower_word(at.checked_sub(1)), self.lower_word(Some(at)), self.lower_word(Some(at + 1)));
            let is_bound = matches!(before, "at" | "au") || matches!(word, "plus" | "moins") && before != "le";
            let is_time = spoken::is_time(next) || spoken::parse_month_word(next, true).is_some();
            spoken::is_superlative(word) && !is_bound && !is_time
        };
        let mut joins = (at + 2..at + 5).filter(|at| spoken::joins_rank(self.lower_word(Some(*at))));
        joins.any(|join| (join + 1..join + 4).any(is_ranking))
    }

    /// Returns true if a number belongs to the English name before it: "Title 1", "Platform 9".
    fn is_in_name(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let Range { start, end } = self.words[before].at;
        let starts_sentence = self.question[..start].trim_end().ends_with(['.', '?', '!', ':']);
        let is_name = before > 0 && self.question[start..].starts_with(char::is_uppercase) && !starts_sentence;
        // Names such as "COVID-19".
        let by_hyphen = &self.question[end..self.words[at].at.start] == "-";
        let letters = self.words[before].lower.chars().all(char::is_alphabetic);
        by_hyphen && letters && self.words[before].lower != "top"
            || is_name && self.question[end..].starts_with(' ') && self.words[before].lower != "top"
    }

    fn parse_spoken_number(&self, at: usize) -> Option<Asked> {
        let value = spoken::parse_number_word(&self.words[at].lower)?;
        let (next, previous) = (self.next(at), self.lower_word(at.checked_sub(1)));
        let scaled = spoken::parse_scale_word(next).map(|scale| value * scale);
        let is_part = spoken::parse_number_word(previous).is_some()
            || spoken::parse_scale_word(&self.words[at].lower).is_some()
            || previous.starts_with(|first: char| first.is_ascii_digit())
            || ["pour", "per", "pro", "a", "ein", "un"].contains(&previous);
        // "Twenty five" is excluded because it consists of two words.
        let is_compound = spoken::parse_number_word(next).is_some() && scaled.is_none();
        let describes = spoken::is_descriptive(previous, next) && !self.is_ranking_count(at);
        if is_part || is_compound || describes || next == "of" || next == "quarter" {
            return None;
        }
        let (percent, of_time) = (spoken::is_percent(next), spoken::is_time(next));
        let values = vec![scaled.unwrap_or(value)];
        let to = at + usize::from(scaled.is_some());
        Some(self.build_part(at, to, Kind::Number { values, percent, of_time }))
    }
}

/// Returns the year for four digits.
pub(super) fn year_of(digits: &str) -> Option<i32> {
    let is_plain = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|year| is_plain && (1800..=2100).contains(year))
}

/// Returns true for a day or a time of day: 05.03., 12.30 Uhr, 8h30. Numbers have no leading zero.
fn is_day_or_time(digits: &str, suffix: &str, behind: &str, next: &str) -> bool {
    let hours = |text: &str| text.parse::<u8>().is_ok_and(|hour| hour < 25);
    if suffix.strip_prefix('h').is_some_and(|minutes| minutes.parse::<u8>().is_ok()) {
        return hours(digits);
    }
    let [first, second] = digits.split('.').collect::<Vec<_>>()[..] else { return false };
    let in_range = |text: &str, most: u8| text.len() <= 2 && text.parse::<u8>().is_ok_and(|n| (1..=most).contains(&n));
    let goes_on = behind.strip_prefix('.').is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(['-', '–']) || rest.trim_start().starts_with(|c: char| c.is_lowercase())
    });
    let is_day = in_range(first, 31) && in_range(second, 12) && (goes_on || first.len() == 2 && first.starts_with('0'));
    is_day || second.len() == 2 && hours(first) && spoken::is_clock(next)
}

/// Returns the possible numbers for digits with separators. Empty for a date.
fn number_readings(digits: &str) -> Vec<f64> {
    let groups: Vec<&str> = digits.split(is_digit_separator).collect();
    let signs: Vec<char> = digits.chars().filter(|c| is_digit_separator(*c)).collect();
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

    fn read_parts(question: &str) -> Vec<String> {
        let told = |part: Asked| match part.kind {
            Kind::Year { year, decade } => format!("{year}{}", if decade { "s" } else { "" }),
            Kind::Quarter(quarter) => format!("Q{quarter}"),
            Kind::Month(month) => format!("M{month}"),
            Kind::Number { values, percent, .. } => format!("{values:?}{}", if percent { "%" } else { "" }),
        };
        parse_question(question).into_iter().map(told).collect()
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
            ("Orders in sept 2024", vec!["M9", "2024"]),
            ("les sept meilleurs clients", vec!["[7.0]"]),
            ("Orders of Sep 2024 and okt 2023", vec!["M9", "M10", "2024", "2023"]),
            ("Bestellungen vom 05.03. bis 10.03.2024", vec!["2024"]),
            ("Bestellungen vom 5.3. bis 10.3.2024", vec!["2024"]),
            ("Bestellungen um 12.30 Uhr", vec![]),
            ("Commandes avant 8h30", vec![]),
        ] {
            assert_eq!(read_parts(question), expected, "{question}");
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
            ("plus de 1 500 €", vec!["[1500.0]"]),
            ("COVID-19 cases, Top-10 lists and F-16 flights", vec!["[10.0]"]),
            ("the 10 products with the most orders", vec!["[10.0]"]),
            ("die zehn Kunden mit den meisten Bestellungen", vec!["[10.0]"]),
            ("les dix clients ayant le plus de commandes", vec!["[10.0]"]),
            ("the three accounts with interest", vec![]),
            ("Which of the three regions sells most?", vec![]),
            ("weniger als 0.05 or 5.3 stars", vec!["[0.05]", "[5.3]"]),
        ] {
            assert_eq!(read_parts(question), expected, "{question}");
        }
    }
}
