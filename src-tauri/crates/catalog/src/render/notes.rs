//! Remarks on a column's values: enough to write a filter, and no more.

use super::options::RenderOptions;
use crate::text::{one_line, quote_value, value_line};
use vitrine_domain::{Column, ColumnProfile, Dialect, NamedMonths, NumberForm, SemanticKind};
use vitrine_sql::{cast_plain_number, quote_identifier};
use vitrine_words::format_english_number;

/// Maximum number of characters of a comment.
pub(super) const COMMENT: usize = 120;
/// Maximum number of characters of a value.
const VALUE: usize = 50;
/// A category with at most this many values is listed completely.
const WHOLE: usize = 8;
/// Maximum number of characters about the content of a nested column.
const PATHS: usize = 300;

/// Returns the remark on a column's values, if there is useful information. For a `sample` of this number of rows,
/// statements that need all rows are omitted.
pub(super) fn describe_values(
    profile: &ColumnProfile,
    column: &Column,
    sample: Option<u64>,
    options: &RenderOptions,
) -> Option<String> {
    let note = match profile.kind {
        SemanticKind::Dimension => describe_dimension(profile, column, sample, options)?,
        SemanticKind::Text => list_examples(profile, options.samples.min(2))?,
        SemanticKind::Identifier => describe_identifier(profile, column, options)?,
        SemanticKind::Metric => describe_metric(profile, sample, options)?,
        SemanticKind::Time => describe_time(profile, column, sample, options)?,
        SemanticKind::Nested => describe_nested(profile, options)?,
        // Small models get the values as for any text; bytes have none.
        SemanticKind::Geo if profile.hidden.is_some() && !options.statistics => {
            list_examples(profile, options.samples.min(2))?
        }
        SemanticKind::Geo => describe_geometry(profile, sample, options)?,
        SemanticKind::Binary | SemanticKind::Empty => return None,
    };
    Some(note)
}

/// Prefix of the only value of a column.
const ALWAYS: &str = "always ";
/// Prefix of the range of a sample.
const SEEN: &str = "seen ";

/// Returns true if a remark mentions a single value.
pub(super) fn is_always(values: &str) -> bool {
    values.starts_with(ALWAYS)
}

/// Returns summary statistics, such as `12% NULL, 340 distinct, mean 5.2, sd 1.1` (ProSPy, appendix A.1); for a
/// constant column only the ratio of NULLs. For a `sample`, the number of rows is included: `of 1,000 rows: no value`.
pub(super) fn describe_statistics(
    profile: &ColumnProfile,
    unique: bool,
    always: bool,
    sample: Option<u64>,
) -> Option<String> {
    let bytes = (profile.kind == SemanticKind::Binary).then(|| "bytes".to_owned());
    let figures = list_statistics(profile, unique, always, sample);
    let figures = (!figures.is_empty()).then(|| match sample {
        Some(read) => format!("of {} rows: {}", format_english_number(read), figures.join(", ")),
        None => figures.join(", "),
    });
    let parts: Vec<String> = bytes.into_iter().chain(figures).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the parts of [`describe_statistics`].
pub(super) fn list_statistics(profile: &ColumnProfile, unique: bool, always: bool, sample: Option<u64>) -> Vec<String> {
    let mut parts = Vec::new();
    if profile.kind == SemanticKind::Empty {
        return vec!["no value".to_owned()];
    }
    match profile.null_ratio * 100.0 {
        none if none <= 0.0 => {}
        few if few < 1.0 => parts.push("under 1% NULL".to_owned()),
        part => parts.push(format!("{part:.0}% NULL")),
    }
    // The values of a completely listed category can be counted.
    let shown_whole = complete_value_count(profile).is_some();
    if !unique && !always && !shown_whole && profile.distinct > 0 {
        // The number of nearly unique values in a sample was extrapolated to all rows.
        match sample.is_some_and(|read| profile.distinct > read) {
            true => parts.push("hardly any twice".to_owned()),
            false => parts.push(format!("{} distinct", format_english_number(profile.distinct))),
        }
    }
    if let Some(mean) = profile.mean.as_deref().and_then(|mean| mean.parse().ok()).filter(|_| !shown_whole && !always) {
        parts.push(format!("mean {}", format_significant(mean)));
        parts.extend(profile.stddev.map(|spread| format!("sd {}", format_significant(spread))));
    }
    parts
}

/// Returns the number of values of a category that is listed completely; `None` otherwise.
pub(super) fn complete_value_count(profile: &ColumnProfile) -> Option<usize> {
    (profile.complete && profile.top.len() <= WHOLE).then_some(profile.top.len())
}

/// Describes the encoding of values that the type does not show: numbers and dates in text, content of nested values.
pub(super) fn describe_encoding(profile: &ColumnProfile, column: &Column, options: &RenderOptions) -> Option<String> {
    let bare = RenderOptions { samples: 0, ranges: false, ..options.clone() };
    match profile.kind {
        SemanticKind::Metric => describe_metric(profile, None, &bare),
        SemanticKind::Time => date_form(profile, column),
        SemanticKind::Nested => describe_nested(profile, options),
        SemanticKind::Geo if profile.hidden.is_some() => describe_geometry(profile, None, &bare),
        SemanticKind::Dimension if profile.hidden_number().is_some() => Some("number as text".to_owned()),
        _ => None,
    }
}

/// Describes how to compute with numbers that have a decimal comma or thousands separators; `None` for numbers that
/// engines parse themselves.
pub(super) fn written_as(profile: &ColumnProfile, name: &str, dialect: Dialect) -> Option<String> {
    let form = profile.hidden_number().filter(|form| *form != NumberForm::PLAIN)?;
    Some(format!(
        "written like {}: compute with {}",
        form.example_number(),
        cast_plain_number(&quote_identifier(name, dialect), form, dialect)
    ))
}

/// Returns up to `most` different values as SQL literals.
pub(super) fn distinct_literals(profile: &ColumnProfile, column: &Column, most: usize) -> Vec<String> {
    let kinds = [SemanticKind::Nested, SemanticKind::Binary, SemanticKind::Empty];
    // Hexadecimal geometries are not readable, and `top` contains their types rather than values.
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
    values.into_iter().map(|value| format_literal(value, as_text(value))).collect()
}

/// Formats a number with four significant digits, whole numbers completely.
fn format_significant(number: f64) -> String {
    let digits = if number == 0.0 { 0 } else { 3 - (number.abs().log10().floor() as i32).clamp(-6, 3) };
    trim_trailing_zeros(&format!("{number:.0$}", digits.max(0) as usize)).to_owned()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Formats a value as a SQL literal.
fn format_literal(value: &str, as_text: bool) -> String {
    if as_text { quote_value(value, VALUE) } else { value_line(value, VALUE) }
}

fn stored_as_text(column: &Column) -> bool {
    let declared = column.data_type.to_ascii_uppercase();
    let number = ["INT", "DEC", "NUM", "REAL", "FLOA", "DOUB", "BOOL"].iter().any(|t| declared.contains(t));
    !number
}

fn describe_dimension(
    profile: &ColumnProfile,
    column: &Column,
    sample: Option<u64>,
    options: &RenderOptions,
) -> Option<String> {
    let declared = column.data_type.to_ascii_uppercase();
    if options.samples == 0
        || declared.starts_with("BOOL") && profile.top.iter().all(|(v, _)| v == "true" || v == "false")
    {
        return None;
    }
    let whole = complete_value_count(profile).is_some();
    let numbers = profile.top.iter().all(|(v, _)| is_number(v));
    if numbers && !whole && profile.min.is_some() && options.ranges {
        return describe_range(profile, sample, options);
    }
    let as_text = stored_as_text(column) || !numbers;
    if whole && options.comments && column.comment.as_deref().is_some_and(|c| names_all(c, &profile.top)) {
        return None;
    }
    let shown = if whole { profile.top.len() } else { options.samples };
    let mut list: Vec<String> = profile.top.iter().take(shown).map(|(v, _)| format_literal(v, as_text)).collect();
    if list.iter().all(|v| v.trim_matches(['\'', ' ']).is_empty()) {
        return None;
    }
    if profile.hidden_number().is_some() {
        list[0].insert_str(0, "numbers as text: ");
    }
    Some(list.join(", ") + if profile.top.len() > shown || sample.is_some() { ", ..." } else { "" })
}

/// Returns true if a comment already mentions every value, as `A = active, D = discontinued` does.
fn names_all(comment: &str, top: &[(String, u64)]) -> bool {
    let comment = one_line(comment, COMMENT);
    let words: Vec<&str> = comment.split(|c: char| !c.is_alphanumeric()).collect();
    !top.is_empty() && top.iter().all(|(value, _)| words.contains(&value.as_str()))
}

fn list_examples(profile: &ColumnProfile, count: usize) -> Option<String> {
    let list: Vec<String> = profile.samples.iter().take(count).map(|v| quote_value(v, VALUE)).collect();
    (!list.is_empty()).then(|| format!("e.g. {}", list.join(", ")))
}

/// Shows an example of text identifiers; numeric ones need none.
fn describe_identifier(profile: &ColumnProfile, column: &Column, options: &RenderOptions) -> Option<String> {
    if !stored_as_text(column) {
        return None;
    }
    list_examples(profile, options.samples.min(1))
}

fn describe_metric(profile: &ColumnProfile, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    if profile.hidden.is_some() {
        let example = list_examples(profile, options.samples.min(1)).map(|e| format!(", {e}")).unwrap_or_default();
        return Some(format!("number as text{example}"));
    }
    describe_range(profile, sample, options)
}

fn describe_range(profile: &ColumnProfile, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    match (options.ranges, &profile.min, &profile.max) {
        (true, Some(min), Some(max)) => Some(format_range(trim_trailing_zeros(min), trim_trailing_zeros(max), sample)),
        _ => None,
    }
}

/// Formats a range: `1 .. 12`, `always 7`; for a sample `seen 1 .. 12`, `seen 7`.
fn format_range(min: &str, max: &str, sample: Option<u64>) -> String {
    match (min == max, sample) {
        (true, None) => format!("{ALWAYS}{min}"),
        (true, Some(_)) => format!("{SEEN}{min}"),
        (false, None) => format!("{min} .. {max}"),
        (false, Some(_)) => format!("{SEEN}{min} .. {max}"),
    }
}

/// Removes trailing zeros of decimals.
fn trim_trailing_zeros(number: &str) -> &str {
    let decimal = number.contains('.') && number.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    if decimal { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// Describes the encoding of dates that the type does not show.
fn date_form(profile: &ColumnProfile, column: &Column) -> Option<String> {
    match profile.hidden.as_deref()? {
        "%s" => Some("seconds since 1970".to_owned()),
        epoch if epoch.starts_with("epoch") => Some(format!("{} since 1970", epoch.trim_start_matches("epoch "))),
        format if crate::profile::is_iso(format) || profile.samples.is_empty() => None,
        format if stored_as_text(column) => Some(match NamedMonths::from_hidden(format) {
            Some(named) => format!("text date '{}' in {}", named.format, named.language),
            None => format!("text date '{format}'"),
        }),
        format => Some(format!("date as number '{format}'")),
    }
}

fn describe_time(
    profile: &ColumnProfile,
    column: &Column,
    sample: Option<u64>,
    options: &RenderOptions,
) -> Option<String> {
    let number = !stored_as_text(column);
    let example = profile.samples.first().map(|v| format_literal(v, !number));
    match (date_form(profile, column), &profile.hidden, example) {
        (Some(form), ..) if form.ends_with("since 1970") => Some(form),
        (Some(form), _, Some(example)) => Some(format!("{form}, e.g. {example}")),
        // Text in the engine's own format: one remark shows format and range. With a time of day, one example is
        // enough.
        (None, Some(_), Some(example)) if !number => {
            match (options.ranges, profile.min.as_deref(), profile.max.as_deref()) {
                // Models that get statistics see the stored form of the range's end.
                (true, Some(min), Some(max)) if min != max && has_clock(max) && !options.statistics => {
                    Some(format_range(&quote_value(min, VALUE), date_part(max), sample))
                }
                (true, Some(min), Some(max)) => {
                    Some(format_range(&quote_value(min, VALUE), &quote_value(max, VALUE), sample))
                }
                _ => Some(format!("e.g. {example}")),
            }
        }
        _ => match (options.ranges, profile.min.as_deref().map(date_part), profile.max.as_deref().map(date_part)) {
            (true, Some(min), Some(max)) => Some(format_range(min, max, sample)),
            _ => None,
        },
    }
}

/// Returns true for a date with a time of day: `2023-12-31 23:59:58`.
fn has_clock(text: &str) -> bool {
    text.len() > 10 && text.is_ascii() && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-'
}

/// Removes the time of day, which is irrelevant for a range.
fn date_part(text: &str) -> &str {
    if has_clock(text) { &text[..10] } else { text }
}

/// Lists the first paths of a column whose fields are not described on lines of their own.
fn describe_nested(profile: &ColumnProfile, options: &RenderOptions) -> Option<String> {
    if options.lists_fields(profile) {
        return None;
    }
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

fn describe_geometry(profile: &ColumnProfile, sample: Option<u64>, options: &RenderOptions) -> Option<String> {
    if profile.top.is_empty() {
        return describe_range(profile, sample, options);
    }
    let types = profile.top.iter().take(3).map(|(name, _)| one_line(name, VALUE)).collect::<Vec<_>>().join(", ");
    Some(profile.hidden.as_ref().map_or_else(|| types.clone(), |form| format!("geometry as {form}: {types}")))
}
