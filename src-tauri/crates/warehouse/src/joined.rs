//! Tables of a local join: rows of several sources in Parquet files, which a locked DuckDB reads under the names that the
//! query uses.

use serde::{Deserialize, Serialize};

use crate::cells::TYPE_NAME;
use arrow::datatypes::Field;

/// A table of a local join, named `SOURCE.TABLE` or `SOURCE.SCHEMA.TABLE`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinedTable {
    /// The name of the source, which is a database in the local engine.
    pub source: String,
    /// The schema; `None` for the default one.
    pub schema: Option<String>,
    /// The name of the table.
    pub name: String,
    /// The name of the Parquet file in the opened folder; `None` for an empty table, which serves to check a query.
    pub file: Option<String>,
    /// The columns in the order of the source.
    pub columns: Vec<JoinedColumn>,
}

/// A column of a local join.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinedColumn {
    /// The name in queries.
    pub name: String,
    /// The name in the file.
    pub stored: String,
    /// The conversion from the file.
    pub form: JoinedForm,
}

/// The conversion of a column from the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JoinedForm {
    /// The file has the right type.
    Stored,
    /// JSON in text.
    Json,
    /// Dates in text; the column stays text if a value is not a date.
    Day,
    /// Timestamps in text; the column stays text if a value is not a timestamp.
    Moment,
    /// Timestamps with a time zone in text.
    ZonedMoment,
    /// Times of day in text.
    Clock,
    /// Decimal numbers in text; the values determine precision and scale.
    Decimal,
    /// Intervals in text.
    Interval,
    /// The text of a type that only the local engine has, such as `BIT`.
    Own(String),
}

/// Types of the local engine whose values arrive as its own text.
const OWN: [&str; 5] = ["BIT", "BIGNUM", "UHUGEINT", "TIME WITH TIME ZONE", "HUGEINT"];

impl JoinedForm {
    /// Returns the conversion of a column that a source delivers as text.
    pub fn of_text(field: &Field) -> Self {
        match field.metadata().get(TYPE_NAME).map(String::as_str) {
            Some("JSON" | "VARIANT") => Self::Json,
            Some("DATE") => Self::Day,
            Some("TIME") => Self::Clock,
            Some("TIMESTAMP WITH TIME ZONE") => Self::ZonedMoment,
            Some(name) if name.starts_with("TIMESTAMP") => Self::Moment,
            Some(name) if name.starts_with("DECIMAL") => Self::Decimal,
            Some(name) if OWN.contains(&name) => Self::Own(name.to_owned()),
            Some(name) if name.ends_with(']') || name.starts_with("STRUCT") || name.starts_with("MAP") => Self::Json,
            _ => Self::Stored,
        }
    }
}
