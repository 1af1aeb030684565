//! Texts that sort differently from what they mean: `12 kg`, `1.5k`, `9:05 PM`, `Jan 2024`. Their column stays text, and
//! the reading reports it, because the largest text is not the largest value.

use super::amount_text::are_amounts;
use super::column::Column;
use super::missing_words::is_known;
use super::moment_text::are_moments;
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result};
use vitrine_words::tr;

/// Number of first rows that are examined, and maximum number of their distinct texts.
const SAMPLE: usize = 1000;
const READ: usize = 200;
/// Maximum length of an examined text in characters.
const LONGEST: usize = 60;

/// Reports the text columns with values that sort differently as text.
pub(super) fn describe_text_order(connection: &Connection, raw: &str, columns: &[&mut Column]) -> Result<Vec<String>> {
    let texts: Vec<_> = columns
        .iter()
        .filter(|column| {
            column.data_type == "VARCHAR" && column.value.is_none() && column.others.is_empty() && !column.has_reason
        })
        .collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let expressions: Vec<String> = texts.iter().map(|column| column.text_expression()).collect();
    let samples = sample_texts(connection, raw, &expressions)?;
    let doubts = texts.iter().zip(samples).filter_map(|(column, sample)| {
        describe_sample(&column.name, &sample.iter().map(String::as_str).collect::<Vec<_>>())
    });
    Ok(doubts.collect())
}

/// Returns distinct texts of each expression from the first rows.
pub(super) fn sample_texts(connection: &Connection, raw: &str, texts: &[String]) -> Result<Vec<Vec<String>>> {
    let samples = texts.iter().map(|text| {
        format!(
            "coalesce(to_json(list_slice(list_sort(list_distinct(list(left({text}, {})))), 1, {READ}))::VARCHAR, '[]')",
            LONGEST + 1
        )
    });
    let sql = format!("SELECT {} FROM (SELECT * FROM {raw} LIMIT {SAMPLE})", samples.collect::<Vec<_>>().join(", "));
    connection.query_row(&sql, [], |row| {
        let sample = |at: usize| Ok(serde_json::from_str(&row.get::<_, String>(at)?).unwrap_or_default());
        (0..texts.len()).map(sample).collect()
    })
}

/// Reports a column by distinct texts of it, if most of them sort differently from what they mean.
pub(super) fn describe_sample(name: &str, texts: &[&str]) -> Option<String> {
    let texts: Vec<&str> =
        texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty() && !is_known(text)).collect();
    if texts.len() < 2 || texts.iter().any(|text| text.chars().count() > LONGEST) {
        return None;
    }
    let example = || quote_literal(texts[0]);
    if are_amounts(&texts) {
        return Some(tr!(
            "{name} contains numbers with other text, such as {example}; it stays text, which is compared and sorted letter by letter.",
            name,
            example = example()
        ));
    }
    are_moments(&texts).then(|| {
        tr!(
            "{name} contains dates or times in a notation that is not converted, such as {example}; it stays text, which is compared and sorted letter by letter.",
            name,
            example = example()
        )
    })
}

/// Returns the beginning of a text that [`describe_sample`] needs.
pub(super) fn shorten(text: &str) -> &str {
    text.char_indices().nth(LONGEST + 1).map_or(text, |(end, _)| &text[..end])
}
