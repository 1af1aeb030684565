//! Month names in DuckDB's SQL.

use vitrine_domain::months_of_all_languages;

/// Returns the expression for the two-digit number of a month's name; NULL for other words.
pub(super) fn month_of(name: &str) -> String {
    let cases: String = months_of_all_languages()
        .iter()
        .enumerate()
        .map(|(at, names)| {
            let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            format!(" WHEN strip_accents(lower({name})) IN ({}) THEN '{:02}'", names.join(", "), at + 1)
        })
        .collect();
    format!("CASE{cases} END")
}
