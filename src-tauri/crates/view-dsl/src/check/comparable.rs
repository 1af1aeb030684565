//! Checks joins of numbers with text. Engines handle them differently, and stored values are more informative than
//! types.

use super::scope::Scope;
use crate::model::relation::ViewColumn;
use vitrine_domain::ColumnProfile;
use vitrine_sql::dialect::NumberTextComparison;
use vitrine_sql::{ColumnType, DialectExt};

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
    let comparison = dialect.sql().number_text_comparison();
    let odd = text_values(text.1, scope).filter(|_| is_of_numbers(number.1, scope));
    let odd = odd.map(|values| (values.iter().find(|(value, _)| !may_be_number(value)), values));
    if let Some((Some((value, _)), values)) = odd {
        if !values.iter().any(|(value, _)| may_be_number(value)) {
            let so = match comparison {
                NumberTextComparison::ConvertsPrefix => {
                    format!("{} takes each of them for 0", dialect.sql().display_name())
                }
                _ => "they are never equal".to_owned(),
            };
            let (number, text) = (number.0, text.0);
            return Err(format!("{number} is a number, and no value of {text} is one (\"{value}\"): {so}."));
        }
        if comparison == NumberTextComparison::Casts {
            return Err(format!(
                "{} is a number, {} is text, and {} fails on a text that is none, such as \"{value}\". {CAST}",
                number.0,
                text.0,
                dialect.sql().display_name()
            ));
        }
    }
    if comparison == NumberTextComparison::Refuses {
        return Err(format!(
            "{} is a number and {} is text: {} does not compare them. {CAST}",
            number.0,
            text.0,
            dialect.sql().display_name()
        ));
    }
    Ok(())
}

const CAST: &str = "Cast one of them in a view of its own, and join that.";

/// Returns all values of a text column, if its profile covers all rows and contains every value.
fn text_values<'a>(column: &ViewColumn, scope: &Scope<'a>) -> Option<&'a [(String, u64)]> {
    let profile = whole_profile(column, scope)?;
    (profile.complete && !profile.top.is_empty()).then_some(profile.top.as_slice())
}

/// Returns true if a number column contains only numbers. Where columns accept values of any type, the extreme values
/// show it, because text sorts after numbers.
fn is_of_numbers(column: &ViewColumn, scope: &Scope<'_>) -> bool {
    let is_number = |value: &Option<String>| value.as_ref().is_some_and(|value| value.parse::<f64>().is_ok());
    !scope.catalog.dialect.sql().has_dynamic_types()
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
