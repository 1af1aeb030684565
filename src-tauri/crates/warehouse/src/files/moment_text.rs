//! Dates, times and durations in notations that are not converted: `Jan 2024`, `Q1 2024`, `Tue, 31 Dec 2024 10:00 GMT`,
//! `1h 30m`.

use super::value_counts::is_clear_majority;
use vitrine_domain::is_month_name;

/// Words beside the numbers of a date or time, in lower case.
#[rustfmt::skip]
const JOINERS: &[&str] = &[
    "t", "z", "utc", "gmt", "cet", "cest", "mez", "mesz", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "ist", "jst", "a", "p",
    "m", "am", "pm", "uhr", "de", "del", "of", "the", "st", "nd", "rd", "th", "er", "年", "月", "日", "時", "时", "分", "秒", "년", "월", "일",
];
/// Words for a quarter or a week of a year, in lower case.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "q", "qtr", "quarter", "quartal", "t", "trim", "trimestre", "trimester", "kwartaal", "kvartal", "kw", "cw", "wk", "w", "week", "woche",
    "kalenderwoche", "s", "sem", "semaine", "semana", "settimana", "uge", "vecka", "uke", "tydzień", "h", "hy", "halbjahr", "half",
    "semester", "semestre",
];
/// Units of durations, in lower case.
#[rustfmt::skip]
const DURATIONS: &[&str] = &[
    "d", "day", "days", "tag", "tage", "j", "jour", "jours", "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure",
    "heures", "hora", "horas", "ora", "ore", "m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "s", "sec", "secs",
    "second", "seconds", "sek", "sekunden", "seconde", "secondes", "und", "and", "et", "y",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Digits(&'t str),
    Word(&'t str),
    Sign(char),
}

/// What a text says about its place in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// A part of a year, such as a month: the year and the number of the part.
    Part(u32, u32),
    Other,
}

impl Moment {
    fn parse(text: &str) -> Option<Self> {
        let tokens = split_tokens(text);
        let words: Vec<String> = tokens.iter().filter_map(|token| word_of(*token)).collect();
        let numbers: Vec<&str> = tokens.iter().filter_map(|token| digits_of(*token)).collect();
        let signs: Vec<char> = tokens.iter().filter_map(|token| sign_of(*token)).collect();
        let is_plain = signs.iter().all(|sign| matches!(sign, '-' | '+' | '/' | '.' | ':' | ',' | '\'' | '(' | ')'));
        if numbers.is_empty() || !is_plain || tokens.len() > 24 {
            return None;
        }
        let parts = || part_of_year(&numbers);
        let joins = |word: &String| JOINERS.contains(&word.as_str());
        let is_half = |word: &String| matches!(word.as_str(), "am" | "pm" | "a" | "p");
        let first_is_word = matches!(tokens.first(), Some(Token::Word(_)));
        let others: Vec<&String> = words.iter().filter(|word| !joins(word) && !is_month_name(word)).collect();
        // One word before the date may be the day of the week in any language.
        let is_led = others.len() == 1 && first_is_word && words.first() == Some(others[0]) && numbers.len() > 1;
        let months = words.iter().filter(|word| is_month_name(word)).count();
        let is_apart = text.contains([' ', '-', '/', '.', '\'']) || numbers.iter().any(|number| number.len() == 4);
        match () {
            () if numbers.len() > 1
                && !words.is_empty()
                && words.iter().all(|word| DURATIONS.contains(&word.as_str()))
                && !signs.contains(&':') =>
            {
                Some(Self::Other)
            }
            () if months == 1 && is_apart && (others.is_empty() || is_led) => Some(Self::Other),
            () if words.len() == 1 && PARTS.contains(&words[0].as_str()) && numbers.len() == 2 => {
                parts().map(|(year, part)| Self::Part(year, part))
            }
            () if words.is_empty() && numbers.len() == 2 && matches!(signs[..], ['/' | '.' | '-']) => {
                parts().filter(|(_, part)| *part <= 12).map(|(year, part)| Self::Part(year, part))
            }
            () if words.iter().any(is_half) && words.iter().all(joins) && is_clock(&numbers) => Some(Self::Other),
            () if numbers.len() > 2 && (others.is_empty() || is_led) && is_day(&numbers, &signs, &words) => {
                Some(Self::Other)
            }
            () => None,
        }
    }
}

/// Returns the tokens of a text; blanks separate them.
fn split_tokens(text: &str) -> Vec<Token<'_>> {
    let kind = |c: char| match c {
        c if c.is_ascii_digit() => 0,
        c if c.is_alphabetic() => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let alone = kind(first) == 3;
        let end = rest.char_indices().find(|(at, c)| *at > 0 && (alone || kind(*c) != kind(first)));
        let (token, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        match kind(first) {
            0 => tokens.push(Token::Digits(token)),
            1 => tokens.push(Token::Word(token)),
            3 => tokens.push(Token::Sign(first)),
            _ => {}
        }
        rest = after;
    }
    tokens
}

fn word_of(token: Token<'_>) -> Option<String> {
    if let Token::Word(word) = token { Some(word.to_lowercase()) } else { None }
}

fn digits_of(token: Token<'_>) -> Option<&str> {
    if let Token::Digits(digits) = token { Some(digits) } else { None }
}

fn sign_of(token: Token<'_>) -> Option<char> {
    if let Token::Sign(sign) = token { Some(sign) } else { None }
}

fn year(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|year| digits.len() == 4 && (1900..2200).contains(year))
}

/// Returns the year and the number of its part: `2024` and `1` of `Q1 2024`.
fn part_of_year(numbers: &[&str]) -> Option<(u32, u32)> {
    let part = |digits: &str| digits.parse().ok().filter(|part| digits.len() <= 2 && (1..=53).contains(part));
    let [first, second] = numbers else { return None };
    match (year(first), year(second)) {
        (Some(year), None) => Some((year, part(second)?)),
        (None, Some(year)) => Some((year, part(first)?)),
        _ => None,
    }
}

/// Returns true for an hour of a clock with twelve hours, minutes and seconds.
fn is_clock(numbers: &[&str]) -> bool {
    let in_range =
        |digits: &&str, most: u32| digits.len() <= 2 && digits.parse().is_ok_and(|number: u32| number <= most);
    match numbers {
        [hour, rest @ ..] => rest.len() <= 2 && in_range(hour, 12) && rest.iter().all(|rest| in_range(rest, 59)),
        [] => false,
    }
}

/// Returns true if the first three numbers are a day with a year of four digits, between equal separators.
fn is_day(numbers: &[&str], signs: &[char], words: &[String]) -> bool {
    let short = |digits: &str| digits.len() <= 2 && digits.parse().is_ok_and(|number: u32| (1..=31).contains(&number));
    let [first, second, third] = [numbers[0], numbers[1], numbers[2]];
    let is_marked = words.iter().any(|word| matches!(word.as_str(), "年" | "년"));
    let separators: Vec<&char> = signs.iter().filter(|sign| matches!(sign, '-' | '/' | '.')).take(2).collect();
    let is_even = is_marked || matches!(separators[..], [a, b] if a == b);
    is_even && short(second) && (year(first).is_some() && short(third) || short(first) && year(third).is_some())
}

/// Returns true if most of these distinct texts are dates, times or durations whose order differs from that of the texts.
pub(super) fn are_moments(texts: &[&str]) -> bool {
    let moments: Vec<(&str, Moment)> = texts.iter().filter_map(|text| Some((*text, Moment::parse(text)?))).collect();
    if !is_clear_majority(moments.len(), texts.len()) {
        return false;
    }
    // Texts of equal form with the year first sort like dates.
    let form = |text: &str| text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>();
    let first = form(moments[0].0);
    if moments.iter().all(|(text, _)| text.get(..4).is_some_and(|start| year(start).is_some()) && form(text) == first) {
        return false;
    }
    let parts: Option<Vec<(&str, u32, u32)>> = moments
        .iter()
        .map(|(text, moment)| match moment {
            Moment::Part(year, part) => Some((*text, *year, *part)),
            Moment::Other => None,
        })
        .collect();
    parts.is_none_or(|mut parts| {
        parts.sort_unstable();
        !parts.is_sorted_by_key(|(_, year, part)| (*year, *part))
    })
}

#[cfg(test)]
mod tests {
    use super::are_moments;

    #[test]
    fn dates_that_sort_wrongly_as_text_are_told_from_codes_and_from_dates_that_sort() {
        for texts in [
            &["Jan 2024", "Feb 2024", "Apr 2024"][..],
            &["März 2024", "Mai 2024"],
            &["01/2024", "12/2023"],
            &["2024-1", "2024-10", "2024-2"],
            &["Q1 2024", "Q4 2023"],
            &["KW 5/2024", "KW 10/2024"],
            &["9:05 AM", "10:30 PM"],
            &["9 a.m.", "10 p.m."],
            &["1h 30m", "10h 00m"],
            &["8h30", "14h45"],
            &["31-Dec-24", "01-Feb-25"],
            &["Mo, 30.12.2024", "Mi, 01.01.2025"],
            &["Tue, 31 Dec 2024 10:00:00 +0000", "Sat, 01 Feb 2025 09:00:00 +0000"],
            &["2024年12月31日", "2025年2月1日"],
            &["2024-12-31", "01.02.2025"],
            &["31.12.2024", "01.02.2025"],
        ] {
            assert!(are_moments(texts), "{texts:?}");
        }
        for texts in [
            &["2024-W05", "2024-W10"][..],
            &["2024-01", "2024-10"],
            &["Q1 2024", "Q2 2024"],
            &["2024 Q1", "2025 Q2"],
            &["Q1", "Q2"],
            &["Jan", "Feb"],
            &["SEPT2", "MARCH1"],
            &["1.10.0", "1.9.0"],
            &["3:1", "10:0"],
            &["LH 400", "LH 401"],
            &["192.168.1.1", "10.0.0.2"],
            &["12 Main St", "5 Oak Ave"],
            &["978-3-16-148410-0", "978-0-306-40615-7"],
            &["2024/0815", "2024/4711"],
        ] {
            assert!(!are_moments(texts), "{texts:?}");
        }
    }
}
