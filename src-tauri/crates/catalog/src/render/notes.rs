//! What is said about a column's values: enough to write a filter, and no more.

use super::options::RenderOptions;
use crate::text::{one_line, quoted, value_line};
use vitrine_domain::{Column, ColumnProfile, Dialect, NamedMonths, NumberForm, SemanticKind};
use vitrine_sql::{plainly, quote};
use vitrine_words::grouped;

/// Characters of a comment.
pub(super) const COMMENT: usize = 120;
/// Characters of a value.
const VALUE: usize = 50;
/// A category of at most this many values is shown whole.
const WHOLE: usize = 8;
/// Characters about the inside of a nested column.
const PATHS: usize = 300;

/// The remark on a column's values, when there is something worth its tokens. Of a `sample` of so many rows nothing is said that
/// only all rows can tell.
pub(super) fn values(
    profile: &ColumnProfile,
    column: &Column,
    sample: Option<u64>,
    options: &RenderOptions,
) -> Option<String> {
    let note = match profile.kind {
        SemanticKind::Dimension => dimension(profile, column, sample, options)?,
        SemanticKind::Text => examples(profile, options.samples.min(2))?,
        SemanticKind::Identifier => identifier(profile, column, options)?,
        SemanticKind::Metric => metric(profile, sample, options)?,
        SemanticKind::Time => time(profile, column, sample, options)?,
        SemanticKind::Nested => nested(profile)?,
        // To others the values are shown as those of any text: bytes have none.
        SemanticKind::Geo if profile.hidden.is_some() && !options.statistics => {
            examples(profile, options.samples.min(2))?
        }
        SemanticKind::Geo => geo(profile, sample, options)?,
        SemanticKind::Binary | SemanticKind::Empty => return None,
    };
    Some(note)
}

/// What stands before the one value of a column that has no other.
const ALWAYS: &str = "always ";
/// What stands before values that are the ends of those that were read, where others were not.
const SEEN: &str = "seen ";

/// Whether a remark on a column's values says that there is one alone.
pub(super) fn is_always(values: &str) -> bool {
    values.starts_with(ALWAYS)
}

/// `12% NULL, 340 distinct, mean 5.2, sd 1.1`: what a column's values are like as a whole (ProSPy, appendix A.1). Of one that
/// is always the same only how often it is missing. Of a `sample` it says of how many rows it is: `of 1,000 rows: no value`.
pub(super) fn statistics(profile: &ColumnProfile, unique: bool, always: bool, sample: Option<u64>) -> Option<String> {
    let bytes = (profile.kind == SemanticKind::Binary).then(|| "bytes".to_owned());
    let figures = figures(profile, unique, always, sample);
    let figures = (!figures.is_empty()).then(|| match sample {
        Some(read) => format!("of {} rows: {}", grouped(read), figures.join(", ")),
        None => figures.join(", "),
    });
    let parts: Vec<String> = bytes.into_iter().chain(figures).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn figures(profile: &ColumnProfile, unique: bool, always: bool, sample: Option<u64>) -> Vec<String> {
    let mut parts = Vec::new();
    if profile.kind == SemanticKind::Empty {
        return vec!["no value".to_owned()];
    }
    match profile.null_ratio * 100.0 {
        none if none <= 0.0 => {}
        few if few < 1.0 => parts.push("under 1% NULL".to_owned()),
        part => parts.push(format!("{part:.0}% NULL")),
    }
    // Of a category that is shown whole they can be counted.
    let shown_whole = whole(profile).is_some();
    if !unique && !always && !shown_whole && profile.distinct > 0 {
        // What hardly repeats in a sample is estimated for all rows.
        match sample.is_some_and(|read| profile.distinct > read) {
            true => parts.push("hardly any twice".to_owned()),
            false => parts.push(format!("{} distinct", grouped(profile.distinct))),
        }
    }
    if let Some(mean) = profile.mean.as_deref().and_then(|mean| mean.parse().ok()).filter(|_| !shown_whole && !always) {
        parts.push(format!("mean {}", significant(mean)));
        parts.extend(profile.stddev.map(|spread| format!("sd {}", significant(spread))));
    }
    parts
}

/// How many values a category has that is shown whole; `None` of others.
pub(super) fn whole(profile: &ColumnProfile) -> Option<usize> {
    (profile.complete && profile.top.len() <= WHOLE).then_some(profile.top.len())
}

/// How a column's values are to be read where their type does not say it: numbers and dates in texts, what nested values hold.
pub(super) fn stored(profile: &ColumnProfile, column: &Column, options: &RenderOptions) -> Option<String> {
    let bare = RenderOptions { samples: 0, ranges: false, ..options.clone() };
    match profile.kind {
        SemanticKind::Metric => metric(profile, None, &bare),
        SemanticKind::Time => date_form(profile, column),
        SemanticKind::Nested => nested(profile),
        SemanticKind::Geo if profile.hidden.is_some() => geo(profile, None, &bare),
        SemanticKind::Dimension if profile.hidden_number().is_some() => Some("number as text".to_owned()),
        _ => None,
    }
}

/// How numbers are read that are written with a decimal comma or signs between thousands; none for others, which engines read by
/// themselves.
pub(super) fn written_as(profile: &ColumnProfile, name: &str, dialect: Dialect) -> Option<String> {
    let form = profile.hidden_number().filter(|form| *form != NumberForm::PLAIN)?;
    Some(format!("written like {}: compute with {}", form.example(), plainly(&quote(name, dialect), form, dialect)))
}

/// Up to `most` different values, each as a query would write it.
pub(super) fn distinct(profile: &ColumnProfile, column: &Column, most: usize) -> Vec<String> {
    let kinds = [SemanticKind::Nested, SemanticKind::Binary, SemanticKind::Empty];
    // Digits of a geometry say nothing, and its types are none of its values.
    if profile.kind == SemanticKind::Geo && profile.hidden.is_some() {
        return Vec::new();
    }
    let as_text = |value: &str| stored_as_text(column) || !is_number(value);
    let ends = [&profile.min, &profile.max].into_iter().flatten();
    let mut values: Vec<&String> = Vec::new();
    for value in profile.top.iter().map(|(value, _)| value).chain(&profile.samples).chain(ends) {
        if !kinds.contains(&profile.kind) && values.len() < most && !value.trim().is_empty() && !values.contains(&value)
        {
            values.push(value);
        }
    }
    values.into_iter().map(|value| literal(value, as_text(value))).collect()
}

/// A number to four significant digits; whole numbers whole.
fn significant(number: f64) -> String {
    let digits = if number == 0.0 { 0 } else { 3 - (number.abs().log10().floor() as i32).clamp(-6, 3) };
    short(&format!("{number:.0$}", digits.max(0) as usize)).to_owned()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// As a query would write it.
fn literal(value: &str, as_text: bool) -> String {
    if as_text { quoted(value, VALUE) } else { value_line(value, VALUE) }
}

fn stored_as_text(column: &Column) -> bool {
    let declared = column.data_type.to_ascii_uppercase();
    let number = ["INT", "DEC", "NUM", "REAL", "FLOA", "DOUB", "BOOL"].iter().any(|t| declared.contains(t));
    !number
}

fn dimension(profile: &ColumnProfile, column: &Column, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    let declared = column.data_type.to_ascii_uppercase();
    if options.samples == 0
        || declared.starts_with("BOOL") && profile.top.iter().all(|(v, _)| v == "true" || v == "false")
    {
        return None;
    }
    let whole = whole(profile).is_some();
    let numbers = profile.top.iter().all(|(v, _)| is_number(v));
    if numbers && !whole && profile.min.is_some() && options.ranges {
        return range(profile, sample, options);
    }
    let as_text = stored_as_text(column) || !numbers;
    if whole && options.comments && column.comment.as_deref().is_some_and(|c| names_all(c, &profile.top)) {
        return None;
    }
    let shown = if whole { profile.top.len() } else { options.samples };
    let mut list: Vec<String> = profile.top.iter().take(shown).map(|(v, _)| literal(v, as_text)).collect();
    if list.iter().all(|v| v.trim_matches(['\'', ' ']).is_empty()) {
        return None;
    }
    if profile.hidden_number().is_some() {
        list[0].insert_str(0, "numbers as text: ");
    }
    Some(list.join(", ") + if profile.top.len() > shown || sample.is_some() { ", ..." } else { "" })
}

/// Whether a comment already says every value, as `A = active, D = discontinued` does.
fn names_all(comment: &str, top: &[(String, u64)]) -> bool {
    let comment = one_line(comment, COMMENT);
    let words: Vec<&str> = comment.split(|c: char| !c.is_alphanumeric()).collect();
    !top.is_empty() && top.iter().all(|(value, _)| words.contains(&value.as_str()))
}

fn examples(profile: &ColumnProfile, count: usize) -> Option<String> {
    let list: Vec<String> = profile.samples.iter().take(count).map(|v| quoted(v, VALUE)).collect();
    (!list.is_empty()).then(|| format!("e.g. {}", list.join(", ")))
}

/// The look of a code is worth a sample; a number is not.
fn identifier(profile: &ColumnProfile, column: &Column, options: &RenderOptions) -> Option<String> {
    if !stored_as_text(column) {
        return None;
    }
    examples(profile, options.samples.min(1))
}

fn metric(profile: &ColumnProfile, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    if profile.hidden.is_some() {
        let example = examples(profile, options.samples.min(1)).map(|e| format!(", {e}")).unwrap_or_default();
        return Some(format!("number as text{example}"));
    }
    range(profile, sample, options)
}

fn range(profile: &ColumnProfile, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    match (options.ranges, &profile.min, &profile.max) {
        (true, Some(min), Some(max)) => Some(ends(short(min), short(max), sample)),
        _ => None,
    }
}

/// `1 .. 12`, `always 7`; of a sample `seen 1 .. 12`, `seen 7`.
fn ends(min: &str, max: &str, sample: Option<u64>) -> String {
    match (min == max, sample) {
        (true, None) => format!("{ALWAYS}{min}"),
        (true, Some(_)) => format!("{SEEN}{min}"),
        (false, None) => format!("{min} .. {max}"),
        (false, Some(_)) => format!("{SEEN}{min} .. {max}"),
    }
}

/// A number without zeros that say nothing.
fn short(number: &str) -> &str {
    let decimal = number.contains('.') && number.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    if decimal { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// What a date that the type does not tell is stored as.
fn date_form(profile: &ColumnProfile, column: &Column) -> Option<String> {
    match profile.hidden.as_deref()? {
        "%s" => Some("seconds since 1970".to_owned()),
        epoch if epoch.starts_with("epoch") => Some(format!("{} since 1970", epoch.trim_start_matches("epoch "))),
        format if crate::profile::is_iso(format) || profile.samples.is_empty() => None,
        format if stored_as_text(column) => Some(match NamedMonths::of(format) {
            Some(named) => format!("text date '{}' in {}", named.format, named.language),
            None => format!("text date '{format}'"),
        }),
        format => Some(format!("date as number '{format}'")),
    }
}

fn time(profile: &ColumnProfile, column: &Column, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    let number = !stored_as_text(column);
    let example = profile.samples.first().map(|v| literal(v, !number));
    match (date_form(profile, column), &profile.hidden, example) {
        (Some(form), ..) if form.ends_with("since 1970") => Some(form),
        (Some(form), _, Some(example)) => Some(format!("{form}, e.g. {example}")),
        // Text in the engine's own form: its look and its range in one. With a time of day, one look is enough.
        (None, Some(_), Some(example)) if !number => {
            match (options.ranges, profile.min.as_deref(), profile.max.as_deref()) {
                // A model that weighs what it reads compares with the end as it is stored.
                (true, Some(min), Some(max)) if min != max && has_clock(max) && !options.statistics => {
                    Some(ends(&quoted(min, VALUE), day(max), sample))
                }
                (true, Some(min), Some(max)) => Some(ends(&quoted(min, VALUE), &quoted(max, VALUE), sample)),
                _ => Some(format!("e.g. {example}")),
            }
        }
        _ => match (options.ranges, profile.min.as_deref().map(day), profile.max.as_deref().map(day)) {
            (true, Some(min), Some(max)) => Some(ends(min, max, sample)),
            _ => None,
        },
    }
}

/// `2023-12-31 23:59:58`: a date with a time of day.
fn has_clock(text: &str) -> bool {
    text.len() > 10 && text.is_ascii() && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-'
}

/// Without the time of day, which says little about a range.
fn day(text: &str) -> &str {
    if has_clock(text) { &text[..10] } else { text }
}

fn nested(profile: &ColumnProfile) -> Option<String> {
    let mut text = String::new();
    for (path, data_type) in &profile.paths {
        let item = format!("{} {data_type}", if path.is_empty() { "value" } else { path.as_str() });
        if text.len() + item.len() > PATHS {
            text.push_str(", ...");
            break;
        }
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&item);
    }
    (!text.is_empty()).then(|| format!("holds {}", one_line(&text, PATHS + 8)))
}

fn geo(profile: &ColumnProfile, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    if profile.top.is_empty() {
        return range(profile, sample, options);
    }
    let types = profile.top.iter().take(3).map(|(name, _)| one_line(name, VALUE)).collect::<Vec<_>>().join(", ");
    Some(profile.hidden.as_ref().map_or_else(|| types.clone(), |form| format!("geometry as {form}: {types}")))
}
