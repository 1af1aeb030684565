//! Names that a query looks for although neither question nor knowledge mentions them. Small models copy examples of a
//! column if they do not know the value: for a question about Volvos they look for `volkswagen`.

use crate::words::singular_words;
use vitrine_domain::Profile;
use vitrine_sql::{Literal, ReadOnlySql};

/// Minimum length, in characters, of the common prefix of two inflections: `American`, `america`.
const STEM: usize = 4;

/// Returns the first text constant that shares no word with `texts`. Excluded are columns with few values, because these
/// are often codes for the mentioned word (`F` for female students), short texts, and names whose abbreviation `texts`
/// contain (`CA` for California).
pub(crate) fn unmentioned_name(sql: &ReadOnlySql, profile: &Profile, texts: &[&str]) -> Option<String> {
    let codes: Vec<String> = texts.iter().flat_map(|text| find_codes(text)).collect();
    let words: Vec<String> = texts.iter().flat_map(|text| singular_words(text)).collect();
    let literals = vitrine_sql::collect_literals(sql);
    let abbreviated = |text: &str| codes.iter().any(|code| is_abbreviation(code, text));
    literals
        .into_iter()
        .find(|literal| {
            !has_few_values(literal, profile) && is_unmentioned(&literal.text, &words) && !abbreviated(&literal.text)
        })
        .map(|l| l.text)
}

/// Returns the short words in capitals.
fn find_codes(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '.').map(|word| word.replace('.', ""));
    words.filter(|word| (2..=4).contains(&word.chars().count()) && word.chars().all(char::is_uppercase)).collect()
}

/// Returns true if the letters of a code occur in a text in order, with the same first letter.
fn is_abbreviation(code: &str, text: &str) -> bool {
    let mut letters = text.chars().flat_map(char::to_lowercase);
    let mut code = code.chars().flat_map(char::to_lowercase);
    code.next() == letters.next() && code.all(|wanted| letters.any(|letter| letter == wanted))
}

fn has_few_values(literal: &Literal, profile: &Profile) -> bool {
    let Some(name) = &literal.column else { return true };
    let of = |table: &str| literal.table.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(table));
    let tables = profile.tables.iter().filter(|table| of(&table.table.name));
    tables.filter_map(|table| table.find_column(name)).any(|column| column.complete)
}

fn is_unmentioned(text: &str, words: &[String]) -> bool {
    let names: Vec<String> = singular_words(text).into_iter().filter(|word| is_name(word)).collect();
    !names.is_empty() && !names.iter().any(|name| words.iter().any(|word| is_form(name, word)))
}

/// Returns true if a word is long enough to be a name.
fn is_name(word: &str) -> bool {
    word.chars().count() >= STEM && word.chars().all(char::is_alphabetic)
}

fn is_form(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let stem: String = short.chars().take(STEM).collect();
    stem.chars().count() == STEM && (long.starts_with(&stem) || long.contains(short))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{ColumnProfile, Dialect, TableName, TableProfile};

    fn find_unmentioned(sql: &str, question: &str) -> Option<String> {
        let column = |name: &str, complete| ColumnProfile { name: name.into(), complete, ..ColumnProfile::default() };
        let profile = Profile {
            tables: vec![TableProfile {
                table: TableName::from_unqualified("car"),
                row_count: Some(406),
                profiled_rows: 406,
                columns: vec![column("make", false), column("kind", true)],
            }],
            ..Profile::default()
        };
        unmentioned_name(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &profile, &[question])
    }

    #[test]
    fn a_name_that_nobody_said_is_found() {
        let volvos = "What is the weight of all volvos?";
        assert_eq!(
            find_unmentioned("SELECT 1 FROM car WHERE make = 'volkswagen'", volvos).as_deref(),
            Some("volkswagen")
        );
        for sql in [
            "SELECT 1 FROM car WHERE make = 'volvo'",
            "SELECT 1 FROM car WHERE make LIKE '%Volvo 245%'",
            "SELECT 1 FROM car AS c WHERE c.kind = 'truck'",
            "SELECT 1 FROM car WHERE make = 'bmw' OR make = '411'",
        ] {
            assert_eq!(find_unmentioned(sql, volvos), None, "{sql}");
        }
        assert_eq!(
            find_unmentioned("SELECT 1 FROM car WHERE make = 'California'", "How many cars were made in CA?"),
            None
        );
        assert_eq!(
            find_unmentioned("SELECT 1 FROM car WHERE make = 'america'", "Which American cars are there?"),
            None
        );
    }
}
