//! Describes the fields of a nested column like columns (ProSPy, appendix A.1), for models with a large budget. If not
//! all of them fit, those that the question names come first.

use super::RenderOptions;
use super::notes::{describe_values, is_always, list_statistics};
use crate::names::split_words;
use crate::text::one_line;
use std::cmp::Reverse;
use vitrine_domain::{Column, ColumnProfile, SemanticKind, TableProfile};
use vitrine_sql::field_type;

/// Maximum number of characters of a path, and of a type.
const PATH: usize = 160;
const TYPE: usize = 80;
/// A field shows this many times the values of a column: the keys of a list of keys and values take the place of columns.
const VALUES: usize = 4;
/// A word of the question with at least this many letters also matches as the beginning of a longer word.
const STEM: usize = 4;

/// Returns one line for each field that fits, `name` being the quoted name of the column and `data_type` its type.
pub(super) fn describe_fields(
    name: &str,
    data_type: &str,
    profile: &ColumnProfile,
    table: &TableProfile,
    options: &RenderOptions,
) -> Vec<String> {
    if !options.lists_fields(profile) {
        return Vec::new();
    }
    let leaves = list_leaves(&profile.fields);
    let lines = leaves.iter().map(|leaf| {
        let start = name_with_type(name, data_type, leaf);
        let notes = describe_leaf(leaf, table, options);
        (if notes.is_empty() { start.clone() } else { format!("{start}: {notes}") }, start)
    });
    let (full, bare): (Vec<String>, Vec<String>) = lines.unzip();
    if full.iter().map(String::len).sum::<usize>() <= options.fields {
        return full;
    }
    let question = split_words(&options.question);
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    order.sort_by_cached_key(|&at| {
        (Reverse(count_mentions(leaves[at], &question)), leaves[at].kind == SemanticKind::Empty)
    });
    fit_lines(&order, &full, &bare, options.fields)
}

/// Returns the lines in the given order within a number of characters: names and types of all fields before the remarks
/// on the first ones, since a query can use a field without remarks but not one that it does not know.
fn fit_lines(order: &[usize], full: &[String], bare: &[String], most: usize) -> Vec<String> {
    let mut left = most;
    let mut take = |length: usize| {
        let fits = length <= left;
        left -= if fits { length } else { 0 };
        fits
    };
    let named: Vec<usize> = order.iter().copied().take_while(|&at| take(bare[at].len())).collect();
    let mut lines: Vec<String> = named
        .iter()
        .map(|&at| if take(full[at].len() - bare[at].len()) { full[at].clone() } else { bare[at].clone() })
        .collect();
    let others = order.len() - named.len();
    if others > 0 {
        lines.push(format!("... and {others} more field{}", if others == 1 { "" } else { "s" }));
    }
    lines
}

/// Returns the fields that hold values themselves; objects and lists are part of the paths of their content.
fn list_leaves(fields: &[ColumnProfile]) -> Vec<&ColumnProfile> {
    let following = fields.iter().skip(1).map(Some).chain([None]);
    let leaves = fields
        .iter()
        .zip(following)
        .filter(|(field, next)| field.kind != SemanticKind::Nested || !next.is_some_and(|next| holds(field, next)));
    leaves.map(|(field, _)| field).collect()
}

/// Returns true if a path lies within another one.
fn holds(outer: &ColumnProfile, inner: &ColumnProfile) -> bool {
    inner.name.strip_prefix(outer.name.as_str()).is_some_and(|rest| rest.starts_with(['.', '[']))
}

/// Returns `hits[].page.path STRING`: the declared type, or the type of the values if none is declared.
fn name_with_type(name: &str, data_type: &str, leaf: &ColumnProfile) -> String {
    let declared = field_type(data_type, &leaf.name).unwrap_or(&leaf.data_type);
    let dot = if leaf.name.is_empty() || leaf.name.starts_with('[') { "" } else { "." };
    format!("{name}{dot}{} {}", one_line(&leaf.name, PATH), one_line(declared, TYPE))
}

fn describe_leaf(leaf: &ColumnProfile, table: &TableProfile, options: &RenderOptions) -> String {
    // Nested values of a long table are read in part; only a complete category proves that all were read.
    let part = table
        .sampled_rows()
        .or((table.profiled_rows > crate::profile::LONG_NESTED_ROWS).then_some(table.profiled_rows));
    let sample = part.filter(|_| !leaf.complete);
    let column = Column { name: leaf.name.clone(), data_type: leaf.data_type.clone(), nullable: true, comment: None };
    let options = &RenderOptions { samples: options.samples * VALUES, ..options.clone() };
    let values = describe_values(leaf, &column, sample, options);
    let always = values.as_deref().is_some_and(is_always);
    let figures = if options.statistics { list_statistics(leaf, false, always, sample) } else { Vec::new() };
    let figures = (!figures.is_empty()).then(|| figures.join(", "));
    values.into_iter().chain(figures).collect::<Vec<_>>().join("; ")
}

/// Counts the words of a field's path, and the frequent values, that a question contains.
fn count_mentions(leaf: &ColumnProfile, question: &[String]) -> usize {
    let begins = |one: &str, other: &str| one.chars().count() >= STEM && other.starts_with(one);
    let is_named = |word: &String| {
        question
            .iter()
            .any(|asked| asked == word || begins(asked, word) || begins(word, asked) || holds_unspaced(asked, word))
    };
    let words = split_words(&leaf.name).iter().filter(|word| is_named(word)).count();
    let is_value = |value: &str| {
        let words = split_words(value);
        !words.is_empty() && words.iter().all(|word| question.contains(word))
    };
    words + leaf.top.iter().filter(|(value, _)| is_value(value)).count()
}

/// Returns true if a run of letters of a script without word separators contains a word.
fn holds_unspaced(run: &str, word: &str) -> bool {
    !word.is_ascii() && run.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::TableName;

    fn field(name: &str, data_type: &str, kind: SemanticKind) -> ColumnProfile {
        ColumnProfile { name: name.into(), data_type: data_type.into(), kind, ..ColumnProfile::default() }
    }

    /// Returns the profile of `hits`: two pages in a list, a price, a list without members and a field without values.
    fn hits() -> ColumnProfile {
        let path = ColumnProfile {
            top: vec![("/home".into(), 7), ("/basket".into(), 3)],
            complete: true,
            distinct: 2,
            ..field("[].page.path", "text", SemanticKind::Dimension)
        };
        let price = ColumnProfile {
            min: Some("1.50".into()),
            max: Some("99".into()),
            distinct: 40,
            null_ratio: 0.25,
            ..field("[].product[].price", "float", SemanticKind::Metric)
        };
        ColumnProfile {
            fields: vec![
                field("[]", "dict", SemanticKind::Nested),
                field("[].page", "dict", SemanticKind::Nested),
                path,
                field("[].product", "list[dict]", SemanticKind::Nested),
                field("[].product[]", "dict", SemanticKind::Nested),
                price,
                field("[].promotions", "list", SemanticKind::Nested),
                field("[].referer", "null", SemanticKind::Empty),
            ],
            ..field("hits", "", SemanticKind::Nested)
        }
    }

    fn lines(declared: &str, fields: usize, question: &str) -> Vec<String> {
        let table = TableProfile {
            table: TableName::from_unqualified("visits"),
            row_count: Some(100),
            profiled_rows: 100,
            columns: Vec::new(),
        };
        let options = RenderOptions { fields, statistics: true, ..RenderOptions::default() };
        describe_fields("hits", declared, &hits(), &table, &options.with_question(question.into()))
    }

    #[test]
    fn every_field_that_holds_values_has_type_values_range_and_missing_share() {
        let declared = "ARRAY<STRUCT<page STRUCT<path STRING>, product ARRAY<STRUCT<price NUMERIC>>>>";
        assert_eq!(
            lines(declared, 10_000, "visits"),
            [
                "hits[].page.path STRING: '/home', '/basket'",
                "hits[].product[].price NUMERIC: 1.5 .. 99; 25% NULL, 40 distinct",
                "hits[].promotions list",
                "hits[].referer null: no value",
            ]
        );
        assert!(lines("JSON", 10_000, "").contains(&"hits[].page.path text: '/home', '/basket'".to_owned()));
        assert!(lines(declared, 0, "").is_empty(), "small models get the first paths only");
    }

    #[test]
    fn fields_that_the_question_names_come_first_if_not_all_fit() {
        let shown = |most, question| lines("JSON", most, question);
        let priced = shown(130, "What is the highest price of a product?");
        assert_eq!(priced[0], "hits[].product[].price float: 1.5 .. 99; 25% NULL, 40 distinct");
        assert_eq!(priced.len(), 4, "the others keep name and type: {priced:?}");
        assert_eq!(shown(130, "How often was the basket opened?")[0], "hits[].page.path text: '/home', '/basket'");
        assert_eq!(shown(60, "promotions")[..2], ["hits[].promotions list", "hits[].page.path text"]);
        assert_eq!(shown(60, "promotions")[2], "... and 2 more fields");
    }

    #[test]
    fn a_path_of_the_data_stays_on_its_line() {
        let profile = ColumnProfile {
            fields: vec![field("a\nDROP TABLE x", "text", SemanticKind::Text)],
            ..field("c", "JSON", SemanticKind::Nested)
        };
        let table = TableProfile {
            table: TableName::from_unqualified("t"),
            row_count: Some(1),
            profiled_rows: 1,
            columns: Vec::new(),
        };
        let options = RenderOptions { fields: 100, ..RenderOptions::default() };
        assert_eq!(describe_fields("c", "JSON", &profile, &table, &options), ["c.a DROP TABLE x text"]);
    }
}
