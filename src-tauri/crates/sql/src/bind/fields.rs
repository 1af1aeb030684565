//! Fields of nested types, all read as `column.field`: `STRUCT<city STRING>` (BigQuery), `STRUCT(city VARCHAR)`
//! (DuckDB), `Tuple(city String)` (ClickHouse), `row(city varchar)` (Trino).

use crate::column_type::member_type;
use crate::text::same_name;

/// Maximum nesting depth of the search for fields.
const DEPTH: usize = 4;

/// Returns the path to each field called `name` within a type, outermost name first. With `in_lists`, searches list
/// members as well.
pub(super) fn ways_to(name: &str, data_type: &str, in_lists: bool) -> Vec<Vec<String>> {
    let mut ways = Vec::new();
    collect_field_paths(name, data_type, in_lists, &mut Vec::new(), &mut ways);
    ways
}

/// Returns the names of a type's fields, in order. Empty if the type has no named fields.
pub fn field_names(data_type: &str) -> Vec<String> {
    parse_fields(data_type).into_iter().map(|(name, _)| name).collect()
}

/// Returns the declared type at a path within a type, such as `items[].price`; `None` if the type does not declare it.
pub fn field_type<'a>(data_type: &'a str, path: &str) -> Option<&'a str> {
    path.split('.').try_fold(data_type, |outer, step| {
        let key = step.trim_end_matches("[]");
        let lists = (step.len() - key.len()) / 2;
        let named = |of| parse_fields(of).into_iter().find(|(name, _)| same_name(name, key)).map(|(_, of)| of);
        let inner = if key.is_empty() { outer } else { named(outer)? };
        (0..lists).try_fold(inner, |list, _| member_type(list))
    })
}

fn collect_field_paths(
    name: &str,
    data_type: &str,
    in_lists: bool,
    above: &mut Vec<String>,
    ways: &mut Vec<Vec<String>>,
) {
    let of_list = member_type(data_type);
    if above.len() == DEPTH || (of_list.is_some() && !in_lists) {
        return;
    }
    for (field, of) in parse_fields(of_list.unwrap_or(data_type)) {
        above.push(field.clone());
        if same_name(&field, name) {
            ways.push(above.clone());
        }
        collect_field_paths(name, of, in_lists, above, ways);
        above.pop();
    }
}

/// Returns the names and types of a type's fields. Empty if the type has no named fields.
fn parse_fields(data_type: &str) -> Vec<(String, &str)> {
    let text = data_type.trim();
    let Some(open) = text.find(['<', '(']) else { return Vec::new() };
    let is_struct = ["STRUCT", "TUPLE", "ROW"].iter().any(|word| text[..open].trim().eq_ignore_ascii_case(word));
    let close = if text[open..].starts_with('<') { '>' } else { ')' };
    match text[open + 1..].strip_suffix(close) {
        Some(inside) if is_struct => split_top_level(inside).into_iter().filter_map(parse_field).collect(),
        _ => Vec::new(),
    }
}

/// Parses one field: `city STRING`, `"the city" VARCHAR` or `city: STRING`.
fn parse_field(text: &str) -> Option<(String, &str)> {
    let text = text.trim();
    if let Some(quote) = text.chars().next().filter(|c| "\"`".contains(*c)) {
        let (name, of) = text[1..].split_once(quote)?;
        return Some((name.to_owned(), of.trim_start_matches(':').trim()));
    }
    let (name, of) = text.split_once(|c: char| c == ':' || c.is_whitespace())?;
    // In an unnamed tuple member such as `Decimal(10, 2)`, the text before the space belongs to the type.
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), of.trim()))
}

/// Splits a list at its top-level commas.
fn split_top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begun, mut quoted) = (Vec::new(), 0_usize, 0, None);
    for (at, c) in text.char_indices() {
        match (c, quoted) {
            (c, Some(quote)) if c == quote => quoted = None,
            (_, Some(_)) => {}
            ('"' | '`' | '\'', None) => quoted = Some(c),
            ('<' | '(' | '[', None) => depth += 1,
            ('>' | ')' | ']', None) => depth = depth.saturating_sub(1),
            (',', None) if depth == 0 => {
                parts.push(&text[begun..at]);
                begun = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begun..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::{field_type, ways_to};

    #[test]
    fn a_path_leads_to_its_declared_type() {
        let hits = "ARRAY<STRUCT<page STRUCT<path STRING, codes ARRAY<INT64>>, at TIMESTAMP>>";
        assert_eq!(field_type(hits, "[].page.path"), Some("STRING"));
        assert_eq!(field_type(hits, "[].page.codes[]"), Some("INT64"));
        assert_eq!(field_type("STRUCT(items STRUCT(price DOUBLE)[])", "items[].price"), Some("DOUBLE"));
        assert_eq!(field_type("DATE[]", "[]"), Some("DATE"));
        assert_eq!(field_type(hits, "page.path"), None, "the list is missing in the path");
        assert_eq!(field_type(hits, "[].other"), None);
        assert_eq!(field_type("JSON", "a.b"), None);
    }

    fn field_paths(name: &str, data_type: &str) -> Vec<String> {
        ways_to(name, data_type, true).iter().map(|way| way.join(".")).collect()
    }

    #[test]
    fn fields_are_found_as_each_engine_writes_them() {
        for data_type in [
            "STRUCT<city STRING, country STRING>",
            "STRUCT(city VARCHAR, country VARCHAR)",
            "Tuple(city String, country LowCardinality(String))",
            "struct<city: string, country: string>",
            "STRUCT(\"city\" VARCHAR, \"country\" DECIMAL(10, 2))",
            "STRUCT(country VARCHAR)[]",
            "row(city varchar(20), country varchar)",
            "array(row(country varchar))",
            "ARRAY<STRUCT<country STRING>>",
            "Array(Tuple(country String))",
        ] {
            assert_eq!(field_paths("Country", data_type), ["country"], "{data_type}");
        }
        let deep = "STRUCT<at STRUCT<city STRING, code STRUCT<n INT64>>, city STRING, list ARRAY<STRUCT<n INT64>>>";
        assert_eq!(field_paths("city", deep), ["at.city", "city"]);
        assert_eq!(field_paths("n", deep), ["at.code.n", "list.n"]);
        assert_eq!(ways_to("n", deep, false), [["at", "code", "n"]], "an engine may take a list of fields for it");
        assert_eq!(field_paths("the city", "STRUCT(\"the city\" VARCHAR)"), ["the city"]);
    }

    #[test]
    fn other_types_have_no_fields() {
        for data_type in ["Tuple(String, Decimal(10, 2))", "Map(String, String)", "VARIANT", "STRUCT<", ""] {
            assert_eq!(field_paths("city", data_type), Vec::<String>::new(), "{data_type}");
        }
    }
}
