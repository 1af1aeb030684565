//! Converts text to its hidden type. Text that does not parse becomes NULL.

use crate::model::hidden::Hidden;
use vitrine_domain::{Dialect, NamedMonths, NumberForm};
use vitrine_sql::dialect::date_format::is_iso;
use vitrine_sql::{DialectExt, written_number};

/// Converts a text column to its hidden type.
pub(crate) fn read_as_hidden(expr: &str, hidden: &Hidden, dialect: Dialect) -> String {
    match hidden {
        Hidden::Nothing => expr.to_owned(),
        Hidden::Number(NumberForm::PLAIN) => dialect.sql().read_number(expr),
        Hidden::Number(form) => written_number(expr, *form, dialect),
        Hidden::Moment(format) => read_moment(expr, format, dialect),
    }
}

/// Converts text for uses of the day only: where dates are text, date functions parse the ISO form.
pub(crate) fn read_day(expr: &str, hidden: &Hidden, dialect: Dialect) -> String {
    match hidden {
        Hidden::Moment(format) if !dialect.sql().has_date_types() && is_iso(format) => expr.to_owned(),
        _ => read_as_hidden(expr, hidden, dialect),
    }
}

fn read_moment(expr: &str, format: &str, dialect: Dialect) -> String {
    match NamedMonths::from_hidden(format) {
        Some(named) => dialect.sql().text_to_moment(&replace_month_names(expr, named, dialect), &named.in_numbers()),
        None => dialect.sql().text_to_moment(expr, format),
    }
}

/// Replaces month names by numbers; NULL if the text has no such name. The name is the rest after removing digits and
/// separators around it.
fn replace_month_names(expr: &str, named: NamedMonths<'_>, dialect: Dialect) -> String {
    let sql = dialect.sql();
    let small = format!("{}(TRIM({expr}))", sql.lower_function());
    let plain = named
        .replacement_pairs()
        .into_iter()
        .fold(small, |plain, (from, to)| format!("REPLACE({plain}, '{from}', '{to}')"));
    let name = sql.month_name_in(&plain);
    let month = |(name, number): &(String, &str)| format!(" WHEN {} THEN '{number}'", sql.text_literal(name));
    let months: String = named.language.month_names().iter().map(month).collect();
    // For an empty pattern, REPLACE of SQLite and MariaDB is not NULL even if the replacement is.
    format!("REPLACE({plain}, NULLIF({name}, ''), CASE {name}{months} END)")
}
