//! The request of a comparison, and its two sides.

use crate::number::Number;
use crate::period::Period;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{AppError, Catalog, ErrorCode};
use vitrine_metrics::{MetricsFile, find_dimension_column};
use vitrine_sql::{ColumnType, DialectExt};
use vitrine_words::tr;

/// A question about the change of a metric between two periods, or its difference between two groups.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MetricChangeRequest {
    /// The name of the metric.
    pub metric: String,
    /// The first of two periods: `2024`, `2024-Q1`, `2024-03`, `2024-03-15` or `2024-03-01..2024-03-15`.
    pub from: Option<String>,
    /// The second period.
    pub to: Option<String>,
    /// Two values of a dimension that are compared instead of two periods.
    pub between: Option<GroupPair>,
    /// The period of a comparison between two values; all rows without it.
    pub during: Option<String>,
    /// The dimensions that may explain the change; without any, categories with few values.
    pub by: Vec<String>,
    /// Conditions on dimensions that hold for both sides.
    pub filters: Vec<String>,
    /// Maximum number of values that are listed for each dimension; the others are added up.
    pub members: Option<u32>,
}

/// Two values of a dimension.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupPair {
    /// The name of the dimension.
    pub dimension: String,
    /// The value that the other one is compared with; rows without a value if absent.
    pub before: Option<String>,
    /// The other value; rows without a value if absent.
    pub after: Option<String>,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The side in words, such as `March 2024`.
    pub title: String,
    /// The days that count; all if absent.
    pub period: Option<Period>,
    /// Conditions on dimensions.
    pub filters: Vec<String>,
}

/// Determines the two sides of a request: periods, or values of a dimension.
///
/// # Errors
/// Fails if the request has neither two periods nor two values, both of them, or equal sides.
pub fn resolve_sides(
    file: &MetricsFile,
    catalog: &Catalog,
    request: &MetricChangeRequest,
) -> Result<[Side; 2], AppError> {
    let sides = match (&request.from, &request.to, &request.between) {
        (Some(from), Some(to), None) => {
            if request.during.is_some() {
                return Err(AppError::new(
                    ErrorCode::Usage,
                    tr!("A period for both sides is only possible for a comparison between two values"),
                ));
            }
            [period_side(from)?, period_side(to)?]
        }
        (None, None, Some(pair)) => group_sides(file, catalog, request, pair)?,
        _ => {
            return Err(AppError::new(ErrorCode::Usage, tr!("Two periods or two values of a dimension are needed"))
                .with_hint(tr!(
                    "For example: --from 2024-03 --to 2024-04, or --between store__region=North,South --during 2024"
                )));
        }
    };
    let [before, after] = &sides;
    if before.filters == after.filters && before.period == after.period {
        return Err(AppError::new(
            ErrorCode::Usage,
            tr!("Both sides of the comparison are {side}", side = after.title),
        ));
    }
    Ok(sides)
}

fn period_side(text: &str) -> Result<Side, AppError> {
    let period = Period::parse(text)?;
    Ok(Side { title: period.title.clone(), period: Some(period), filters: Vec::new() })
}

fn group_sides(
    file: &MetricsFile,
    catalog: &Catalog,
    request: &MetricChangeRequest,
    pair: &GroupPair,
) -> Result<[Side; 2], AppError> {
    let name = pair.dimension.trim();
    let dimension = find_dimension_column(file, catalog, &request.metric, name)?;
    let label = dimension.label.clone().unwrap_or_else(|| name.to_owned());
    let period = request.during.as_deref().map(Period::parse).transpose()?;
    let side = |value: &Option<String>| -> Result<Side, AppError> {
        let Some(value) = value else {
            let title = tr!("{dimension} without a value", dimension = label);
            return Ok(Side { title, period: period.clone(), filters: vec![format!("{name} IS NULL")] });
        };
        let meant = |words: &Vec<String>| words.iter().any(|word| word.eq_ignore_ascii_case(value));
        let stored =
            dimension.values.iter().find(|(_, words)| meant(words)).map_or(value.as_str(), |(stored, _)| stored);
        let literal = write_literal(catalog, dimension.column_type, stored).ok_or_else(|| {
            AppError::new(ErrorCode::Usage, tr!("'{value}' is not a value of {dimension}", value, dimension = label))
        })?;
        Ok(Side {
            title: format!("{label} {value}"),
            period: period.clone(),
            filters: vec![format!("{name} = {literal}")],
        })
    };
    Ok([side(&pair.before)?, side(&pair.after)?])
}

/// Writes a value as a constant of a column's type; `None` if it cannot be one.
fn write_literal(catalog: &Catalog, column_type: ColumnType, value: &str) -> Option<String> {
    let sql = catalog.dialect.sql();
    let boolean = match value.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    match column_type {
        ColumnType::Whole | ColumnType::Decimal | ColumnType::Float => {
            let number = Number::parse(value)?;
            Some(number.format(number.decimal_places()?))
        }
        ColumnType::Boolean => boolean.map(|value| sql.boolean_literal(value).to_owned()),
        ColumnType::Unknown if boolean.is_some() => boolean.map(|value| sql.boolean_literal(value).to_owned()),
        _ => Some(sql.text_literal(value)),
    }
}
