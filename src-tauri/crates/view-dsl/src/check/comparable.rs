//! Checks joins of numbers with text. Engines handle them differently, and stored values are more informative than
//! types.

use super::scope::Scope;
use crate::model::relation::ViewColumn;
use vitrine_domain::{ColumnProfile, Dialect};
use vitrine_sql::{ColumnType, DialectExt};

/// An engine's behaviour when a number column is compared with a text column.
enum Comparison {
    /// Converts the text to a number: SQLite by column affinity, MySQL as far as the text begins with one.
    Converts,
    /// Casts the text to a number and fails if it is not one.
    Casts,
    /// Rejects the query with an error.
    Refuses,
}

fn dialect_comparison(dialect: Dialect) -> Comparison {
    match dialect {
        Dialect::Sqlite | Dialect::Mysql => Comparison::Converts,
        Dialect::Duckdb | Dialect::Snowflake | Dialect::Databricks | Dialect::Mssql => Comparison::Casts,
        Dialect::Postgres | Dialect::Bigquery | Dialect::Clickhouse | Dialect::Trino => Comparison::Refuses,
    }
}

/// Returns an error if two columns cannot be joined; the names are those used in the spec.
pub(super) fn check_comparable(
    one: (&str, &ViewColumn),
    other: (&str, &ViewColumn),
    scope: &Scope<'_>,
) -> Result<(), String> {
    let is_number = |column: &ViewColumn| column.family.is_number() && column.family != ColumnType::Unknown;
    let (number, text) = match (one.1.family, other.1.family) {
        (_, ColumnType::Text) if is_number(one.1) => (one, other),
        (ColumnType::Text, _) if is_number(other.1) => (other, one),
        _ => return Ok(()),
    };
    let dialect = scope.catalog.dialect;
    let odd = text_values(text.1, scope).filter(|_| is_of_numbers(number.1, scope));
    let odd = odd.map(|values| (values.iter().find(|(value, _)| !may_be_number(value)), values));
    if let Some((Some((value, _)), values)) = odd {
        if !values.iter().any(|(value, _)| may_be_number(value)) {
            let so = match dialect {
                Dialect::Mysql => "MySQL takes each of them for 0",
                _ => "they are never equal",
            };
            let (number, text) = (number.0, text.0);
            return Err(format!("{number} is a number, and no value of {text} is one (\"{value}\"): {so}."));
        }
        if matches!(dialect_comparison(dialect), Comparison::Casts) {
            return Err(format!(
                "{} is a number, {} is text, and {} fails on a text that is none, such as \"{value}\". {CAST}",
                number.0,
                text.0,
                dialect.sql().display_name()
            ));
        }
    }
    match dialect_comparison(dialect) {
        Comparison::Refuses => Err(format!(
            "{} is a number and {} is text: {} does not compare them. {CAST}",
            number.0,
            text.0,
            dialect.sql().display_name()
        )),
        Comparison::Converts | Comparison::Casts => Ok(()),
    }
}

const CAST: &str = "Cast one of them in a view of its own, and join that.";

/// Returns all values of a text column, if its profile covers all rows and contains every value.
fn text_values<'a>(column: &ViewColumn, scope: &Scope<'a>) -> Option<&'a [(String, u64)]> {
    let profile = whole_profile(column, scope)?;
    (profile.complete && !profile.top.is_empty()).then_some(profile.top.as_slice())
}

/// Returns true if a number column contains only numbers. SQLite accepts text in columns of any type and sorts it after
/// numbers.
fn is_of_numbers(column: &ViewColumn, scope: &Scope<'_>) -> bool {
    let is_number = |value: &Option<String>| value.as_ref().is_some_and(|value| value.parse::<f64>().is_ok());
    scope.catalog.dialect != Dialect::Sqlite
        || whole_profile(column, scope).is_some_and(|profile| is_number(&profile.min) && is_number(&profile.max))
}

/// Returns the profile of an unchanged table column, if all rows were profiled.
fn whole_profile<'a>(column: &ViewColumn, scope: &Scope<'a>) -> Option<&'a ColumnProfile> {
    let [(table, name)] = column.sources.as_slice() else { return None };
    let table = scope.profile.find_table(&scope.catalog.find_table(table).filter(|_| column.plain)?.name)?;
    table.find_column(name).filter(|_| table.is_whole())
}

/// Returns true if some engine may convert a text, or its beginning, to a number.
fn may_be_number(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit()) || text.trim().parse::<f64>().is_ok()
}
