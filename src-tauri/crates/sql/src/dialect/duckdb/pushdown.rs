//! Conditions that a DuckDB source evaluates for a join in another DuckDB.

use super::Duckdb;
use crate::column_type::ColumnType;
use crate::dialect::pushdown::{Comparison, Pushdown, PushedKey, has_zone, is_double};
use crate::dialect::{Expressions, Syntax};

impl Pushdown for Duckdb {
    fn keeps_products(&self) -> bool {
        true
    }

    fn compares_floats(&self, data_type: &str) -> bool {
        is_double(data_type)
    }

    // An enumeration fails when it is compared with a text that is none of its values.
    fn pushed_text(&self, data_type: &str, comparison: Comparison, text: &str) -> Option<String> {
        let plain = !text.contains(['\0', char::REPLACEMENT_CHARACTER]) && data_type.eq_ignore_ascii_case("VARCHAR");
        (comparison == Comparison::Equal && plain).then(|| self.text_literal(text))
    }

    fn pushed_timestamp(&self, data_type: &str, timestamp: &str) -> Option<String> {
        Some(match has_zone(data_type) {
            true => format!("TIMESTAMPTZ '{timestamp}+00'"),
            false => format!("TIMESTAMP '{timestamp}'"),
        })
    }

    fn keeps_unicode(&self) -> bool {
        true
    }

    fn likes_as_usual(&self) -> bool {
        true
    }

    fn pushed_key(&self, name: &str, data_type: &str) -> Option<PushedKey> {
        match self.column_type(data_type) {
            ColumnType::Whole
            | ColumnType::Decimal
            | ColumnType::Boolean
            | ColumnType::Date
            | ColumnType::Timestamp => Some(PushedKey { group: name.to_owned(), select: name.to_owned() }),
            // A column may be declared with a collation that ignores case.
            ColumnType::Text if data_type.eq_ignore_ascii_case("VARCHAR") => {
                Some(PushedKey { group: format!("encode({name})"), select: format!("decode(encode({name}))") })
            }
            _ => None,
        }
    }
}
