//! Detects dates stored as text or integers.

use vitrine_domain::{Language, NamedMonths};

/// Formats in strptime notation, unambiguous ones first. Two-digit days and months may lack their leading zero.
const FORMATS: [&str; 43] = [
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%dT%H:%M:%SZ",
    "%Y-%m-%dT%H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S.%fZ",
    "%Y-%m-%dT%H:%M:%S%z",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M:%S%z",
    "%Y-%m-%d %H:%M:%S UTC",
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%y",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%d/%m/%Y %I:%M:%S %p",
    "%m/%d/%Y %I:%M %p",
    "%m/%d/%y",
    "%d/%m/%y",
    "%m-%d-%Y",
    "%d-%m-%Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%a, %d %b %Y",
    "%b %Y",
    "%B %Y",
    "%Y-%m",
];

/// Formats that many other texts match; they are used only if the column's name refers to time.
const NAMED_FORMATS: [&str; 7] = ["%Y%m%d", "%Y%m", "%Y", "%Y%m%d%H%M%S", "%m/%Y", "%H:%M:%S", "%H:%M"];

/// Units of integers that count from 1970: seconds, milliseconds, microseconds, nanoseconds.
const EPOCHS: [(&str, i64); 4] = [("%s", 1), ("epoch ms", 1_000), ("epoch us", 1_000_000), ("epoch ns", 1_000_000_000)];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Formats with month names in any language; formats that engines can parse are in [`FORMATS`].
const NAMED_MONTHS: [&str; 7] =
    ["%d %B %Y", "%d-%B-%Y", "%d-%B-%y", "%d/%B/%Y", "%B %d %Y", "%d %B %Y %H:%M", "%d %B %Y %H:%M:%S"];

const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Returns the format that every text matches; blank texts are skipped. `named` is true if the column's name refers to
/// time.
pub(crate) fn detect_format<'a>(texts: impl Iterator<Item = &'a str> + Clone, named: bool) -> Option<&'static str> {
    let texts = texts.map(str::trim).filter(|t| !t.is_empty());
    texts.clone().next()?;
    let named_formats = NAMED_FORMATS.iter().filter(|_| named);
    let fits = |format: &&str| texts.clone().all(|text| parse_date(format, text).is_some());
    let format = FORMATS.iter().chain(named_formats).copied().find(fits)?;
    (!may_be_swapped(format, texts)).then_some(format)
}

/// Returns the format with month names of one language that every text matches.
pub(crate) fn detect_named<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let texts = texts.map(str::trim).filter(|t| !t.is_empty());
    // The first text excludes most other columns.
    let first = texts.clone().next()?;
    let fits = |named: &NamedMonths<'_>, text: &str| {
        named.replace_month_name(text).is_some_and(|plain| parse_date(&named.in_numbers(), &plain).is_some())
    };
    let all =
        Language::ALL.into_iter().flat_map(|language| NAMED_MONTHS.map(|format| NamedMonths { format, language }));
    let found = all.filter(|named| fits(named, first)).find(|named| texts.clone().all(|text| fits(named, text)))?;
    Some(found.to_hidden())
}

/// Returns true if texts are dates with an ambiguous order of day and month. Before dots, the day always comes first.
pub(crate) fn is_ambiguous<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> bool {
    let texts = texts.map(str::trim).filter(|t| !t.is_empty());
    let fits = |format: &&&str| texts.clone().all(|text| parse_date(format, text).is_some());
    texts.clone().next().is_some()
        && FORMATS.iter().find(fits).is_some_and(|format| may_be_swapped(format, texts.clone()))
}

/// Returns true if texts of a format can also be read with day and month swapped, with different results.
fn may_be_swapped<'a>(format: &str, texts: impl Iterator<Item = &'a str> + Clone) -> bool {
    let swapped = match format {
        format if format.starts_with("%m/%d/") || format.starts_with("%m-%d-") => {
            format.replacen("%m", "%x", 1).replacen("%d", "%m", 1).replacen("%x", "%d", 1)
        }
        _ => return false,
    };
    let read = |format: &str| texts.clone().map(|text| parse_date(format, text)).collect::<Option<Vec<_>>>();
    read(&swapped).is_some_and(|other| read(format).is_some_and(|first| first != other))
}

/// Returns the format of integers that represent dates, in a column whose name refers to time.
pub(crate) fn detect_integers(values: impl Iterator<Item = i64> + Clone, year_named: bool) -> Option<&'static str> {
    values.clone().next()?;
    let all = |format: &str| values.clone().all(|v| v > 0 && parse_date(format, &v.to_string()).is_some());
    if all("%Y%m%d") {
        return Some("%Y%m%d");
    }
    if year_named && all("%Y") {
        return Some("%Y");
    }
    if all("%Y%m") {
        return Some("%Y%m");
    }
    // 1990 to 2100: narrower than possible, so that other large numbers are not taken for timestamps.
    let plausible = |scale: i64| values.clone().all(|v| (631_152_000..4_102_444_800).contains(&(v / scale)));
    EPOCHS.iter().find(|(_, scale)| plausible(*scale)).map(|(name, _)| *name)
}

/// Converts an integer in a format of [`detect_integers`] to text that sorts by time.
pub(crate) fn integer_moment(format: &str, value: i64) -> Option<String> {
    match EPOCHS.iter().find(|(name, _)| *name == format) {
        None => parse_date(format, &value.to_string()),
        Some((_, scale)) => {
            let seconds = value.div_euclid(*scale);
            let (year, month, day) = civil_from_days(seconds.div_euclid(86_400));
            Some(format!("{year:04}-{month:02}-{day:02}"))
        }
    }
}

/// Returns true if text order is time order in this format, so that minimum and maximum of the text are first and last
/// moment.
pub(crate) fn sorts_as_text(format: &str) -> bool {
    ["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m", "%Y-%m", "%H:%M"].iter().any(|p| format.starts_with(p))
        || format == "%Y"
}

/// Returns true if [`parse`] returns text of this format unchanged.
pub(crate) fn is_iso(format: &str) -> bool {
    ["%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m", "%Y", "%H:%M:%S"].contains(&format)
}

/// Parses `text` in `format` and returns `2023-12-31`, `2023-12-31 23:59:58`, `2023-12`, `2023` or `23:59:58`.
pub(crate) fn parse_date(format: &str, text: &str) -> Option<String> {
    if let Some(named) = NamedMonths::from_hidden(format) {
        return parse_date(&named.in_numbers(), &named.replace_month_name(text)?);
    }
    let mut read = Fields::default();
    let mut rest = text;
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            rest = rest.strip_prefix(letter)?;
            continue;
        }
        rest = read.parse_field(letters.next()?, rest, format)?;
    }
    if rest.is_empty() { read.to_iso_text() } else { None }
}

#[derive(Default)]
struct Fields {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    hour: Option<u32>,
    minute: Option<u32>,
    second: Option<u32>,
    afternoon: Option<bool>,
}

impl Fields {
    fn parse_field<'a>(&mut self, letter: char, text: &'a str, format: &str) -> Option<&'a str> {
        // Without separators every field has its full width.
        let least = if format.starts_with("%Y%m") { 2 } else { 1 };
        let (slot, least, most, range) = match letter {
            'Y' => (&mut self.year, 4, 4, 1000..=2999),
            'y' => (&mut self.year, 2, 2, 0..=99),
            'm' => (&mut self.month, least, 2, 1..=12),
            'd' => (&mut self.day, least, 2, 1..=31),
            'H' => (&mut self.hour, least, 2, 0..=23),
            'I' => (&mut self.hour, 1, 2, 1..=12),
            'M' => (&mut self.minute, 2, 2, 0..=59),
            'S' => (&mut self.second, 2, 2, 0..=59),
            'b' | 'B' => return self.month_name(text, letter == 'B'),
            'a' => return WEEKDAYS.iter().find_map(|d| strip_word(text, d)),
            'f' => {
                let end = count_digits(text, 9);
                return (end > 0).then(|| &text[end..]);
            }
            'p' => {
                self.afternoon = Some(strip_word(text, "pm").is_some());
                return strip_word(text, "am").or_else(|| strip_word(text, "pm"));
            }
            'z' => {
                let zone = text.strip_prefix(['+', '-'])?;
                let end = zone.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(zone.len());
                return matches!(end, 2 | 4 | 5).then(|| &zone[end..]);
            }
            _ => return None,
        };
        let end = count_digits(text, most);
        if end < least {
            return None;
        }
        let mut value: u32 = text[..end].parse().ok()?;
        if !range.contains(&value) {
            return None;
        }
        if letter == 'y' {
            // POSIX: 69 to 99 belong to the last century.
            value += if value < 69 { 2000 } else { 1900 };
        }
        *slot = Some(value);
        Some(&text[end..])
    }

    fn month_name<'a>(&mut self, text: &'a str, whole: bool) -> Option<&'a str> {
        let named = |name: &&str| strip_word(text, if whole { name } else { &name[..3] });
        let (index, rest) = MONTHS.iter().enumerate().find_map(|(i, name)| Some((i, named(name)?)))?;
        self.month = Some(index as u32 + 1);
        Some(rest)
    }

    fn to_iso_text(&self) -> Option<String> {
        let hour = match (self.hour, self.afternoon) {
            (Some(12), Some(false)) => Some(0),
            (Some(hour), Some(true)) if hour < 12 => Some(hour + 12),
            (hour, _) => hour,
        };
        let time = hour.map(|h| format!("{h:02}:{:02}:{:02}", self.minute.unwrap_or(0), self.second.unwrap_or(0)));
        let date = match (self.year, self.month, self.day) {
            (Some(y), Some(m), Some(d)) => (d <= days_in(y, m)).then(|| format!("{y:04}-{m:02}-{d:02}")),
            (Some(y), Some(m), None) => Some(format!("{y:04}-{m:02}")),
            (Some(y), None, None) => Some(format!("{y:04}")),
            _ => return time,
        }?;
        Some(time.map_or(date.clone(), |time| format!("{date} {time}")))
    }
}

fn count_digits(text: &str, most: usize) -> usize {
    text.bytes().take(most).take_while(u8::is_ascii_digit).count()
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

pub(crate) fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Converts days since 1970-01-01 to year, month and day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let (era, doe) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, doy - (153 * mp + 2) / 5 + 1)
}

/// Returns the one-based positions and lengths of year, month and day in texts with the format's full width, and that
/// width.
pub(crate) fn fixed_positions(format: &str) -> Option<([(usize, usize); 3], usize)> {
    let (mut year, mut month, mut day) = (None, None, None);
    let mut at = 1;
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            at += 1;
            continue;
        }
        match letters.next()? {
            'Y' => {
                year = Some((at, 4));
                at += 4;
            }
            'm' => {
                month = Some((at, 2));
                at += 2;
            }
            'd' => {
                day = Some((at, 2));
                at += 2;
            }
            'H' | 'M' | 'S' => at += 2,
            _ => return None,
        }
    }
    Some(([year?, month?, day?], at - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect_in_texts(texts: &[&str]) -> Option<&'static str> {
        detect_format(texts.iter().copied(), false)
    }

    #[test]
    fn usual_formats_are_recognised() {
        for (text, expected, iso) in [
            ("2023-12-31", "%Y-%m-%d", "2023-12-31"),
            ("2023-12-31 23:59:58", "%Y-%m-%d %H:%M:%S", "2023-12-31 23:59:58"),
            ("2023-12-31T23:59:58.123Z", "%Y-%m-%dT%H:%M:%S.%fZ", "2023-12-31 23:59:58"),
            ("2023-12-31T23:59:58+02:00", "%Y-%m-%dT%H:%M:%S%z", "2023-12-31 23:59:58"),
            ("31/12/2023", "%d/%m/%Y", "2023-12-31"),
            ("12/31/2023", "%m/%d/%Y", "2023-12-31"),
            ("12/31/2023 1:05 PM", "%m/%d/%Y %I:%M %p", "2023-12-31 13:05:00"),
            ("31.12.2023", "%d.%m.%Y", "2023-12-31"),
            ("31-Dec-23", "%d-%b-%y", "2023-12-31"),
            ("Dec 31, 2023", "%b %d, %Y", "2023-12-31"),
            ("December 31, 2023", "%B %d, %Y", "2023-12-31"),
        ] {
            assert_eq!(detect_in_texts(&[text]), Some(expected), "{text}");
            assert_eq!(parse_date(expected, text).as_deref(), Some(iso));
        }
    }

    #[test]
    fn one_day_above_twelve_decides_the_order_of_day_and_month() {
        assert_eq!(detect_in_texts(&["01/02/2023", "13/02/2023"]), Some("%d/%m/%Y"));
        assert_eq!(detect_in_texts(&["01/02/2023", "02/13/2023"]), Some("%m/%d/%Y"));
        assert_eq!(detect_in_texts(&["02/13/2023", "13/02/2023"]), None);
    }

    #[test]
    fn days_that_may_be_months_are_not_read() {
        for texts in [["01/02/2023", "03/04/2023"], ["1/2/23", "3/4/23"], ["01-02-2023", "03-04-2023"]] {
            assert_eq!(detect_in_texts(&texts), None, "{texts:?}");
            assert!(is_ambiguous(texts.into_iter()), "{texts:?}");
        }
        assert_eq!(
            detect_in_texts(&["01/01/2023", "02/02/2023"]),
            Some("%m/%d/%Y"),
            "they are the same days either way"
        );
        assert_eq!(detect_in_texts(&["01.02.2023", "03.04.2023"]), Some("%d.%m.%Y"), "points stand behind the day");
        assert!(!is_ambiguous(["2023-01-02"].into_iter()) && !is_ambiguous(["13/02/2023"].into_iter()));
    }

    #[test]
    fn texts_that_only_look_like_dates_are_not() {
        for text in ["2023-02-30", "2023-13-01", "12345678", "2023", "10:30", "1.2.3.4", "AB-12", "5551234567"] {
            assert_eq!(detect_in_texts(&[text]), None, "{text}");
        }
        assert_eq!(detect_in_texts(&["2023-01-01", "unknown"]), None);
        assert_eq!(detect_in_texts(&["", " "]), None);
        assert_eq!(detect_in_texts(&["2023-01-01", ""]), Some("%Y-%m-%d"), "blank is not a counterexample");
    }

    #[test]
    fn names_of_months_are_read_in_their_language() {
        let named = |texts: &[&str]| detect_named(texts.iter().copied());
        for (texts, hidden, day) in [
            (&["12. März 2024", "3. Mai 2024", ""][..], "%d %B %Y in German", "2024-03-12"),
            (&["3 mai 2024", "1er août 2024"], "%d %B %Y in French", "2024-05-03"),
            (&["5 de marzo de 2024", "6 de abril de 2024"], "%d %B %Y in Spanish", "2024-03-05"),
            (&["7 gennaio 2024"], "%d %B %Y in Italian", "2024-01-07"),
            (&["12 de março de 2024"], "%d %B %Y in Portuguese", "2024-03-12"),
            (&["14 mrt 2024", "3 mei 2024"], "%d %B %Y in Dutch", "2024-03-14"),
            (&["9 maj 2024", "1 augusti 2024"], "%d %B %Y in Swedish", "2024-05-09"),
            (&["3 października 2024", "12 maja 2024"], "%d %B %Y in Polish", "2024-10-03"),
            (&["05-Mär-24", "17-Dez-69"], "%d-%B-%y in German", "2024-03-05"),
            (&["5 Sept 2024", "6 June 2024"], "%d %B %Y in English", "2024-09-05"),
            (&["June 5, 2024", "Sept. 6, 2024"], "%B %d %Y in English", "2024-06-05"),
            (&["12. März 2024 7:05"], "%d %B %Y %H:%M in German", "2024-03-12 07:05:00"),
        ] {
            assert_eq!(named(texts).as_deref(), Some(hidden), "{texts:?}");
            assert_eq!(parse_date(hidden, texts[0]).as_deref(), Some(day));
        }
        // Formats that engines can parse are preferred.
        assert_eq!(detect_in_texts(&["05-Mar-24", "17-DEC-69"]), Some("%d-%b-%y"));
    }

    #[test]
    fn names_of_months_alone_are_no_dates() {
        for texts in [
            &["Mai", "Juni"][..],
            &["May", "June", "April"],
            &["MAR-24", "MAI-25"],
            &["März 2024"],
            &["12. März 2024", "unbekannt"],
            &["12. März 2024", "3 mai 2024", "5 juin 2024"],
            &["31. Februar 2024"],
            &["12. Märzveilchen 2024"],
            &["Mai 12"],
            &["Room 12 Mai 2024"],
            &["", " "],
        ] {
            assert_eq!(detect_named(texts.iter().copied()), None, "{texts:?}");
            assert!(texts.len() < 3 || detect_in_texts(texts).is_none(), "{texts:?}");
        }
    }

    #[test]
    fn plain_digits_are_dates_only_under_a_name_of_time() {
        assert_eq!(detect_format(["20230131"].into_iter(), true), Some("%Y%m%d"));
        assert_eq!(detect_format(["2023"].into_iter(), true), Some("%Y"));
        assert_eq!(detect_integers([20230131, 20221231].into_iter(), false), Some("%Y%m%d"));
        assert_eq!(detect_integers([1999, 2004].into_iter(), true), Some("%Y"));
        assert_eq!(detect_integers([1999, 2004].into_iter(), false), None);
        assert_eq!(detect_integers([1_700_000_000].into_iter(), false), Some("%s"));
        assert_eq!(detect_integers([1_700_000_000_000].into_iter(), false), Some("epoch ms"));
        assert_eq!(detect_integers([1, 2, 3].into_iter(), false), None);
        assert_eq!(integer_moment("epoch ms", 1_700_000_000_000).as_deref(), Some("2023-11-14"));
        assert_eq!(integer_moment("%Y%m%d", 20230131).as_deref(), Some("2023-01-31"));
    }

    #[test]
    fn fixed_formats_tell_where_their_parts_stand() {
        assert_eq!(fixed_positions("%d/%m/%Y"), Some(([(7, 4), (4, 2), (1, 2)], 10)));
        assert_eq!(fixed_positions("%d-%b-%Y"), None);
    }
}
