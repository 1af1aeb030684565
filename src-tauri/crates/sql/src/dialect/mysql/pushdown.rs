//! Conditions that MySQL evaluates for a join. Most collations ignore case and trailing spaces, so equality of texts holds
//! for more rows than in the local engine, and other comparisons of texts are not pushed.

use super::Mysql;
use crate::column_type::ColumnType;
use crate::dialect::Syntax;
use crate::dialect::pushdown::{Comparison, Constant, Pushdown, PushedKey, default_constant, is_double, plain_number};

impl Pushdown for Mysql {
    // A boolean is a number, which may be another one than 0 and 1.
    fn pushed_constant(&self, data_type: &str, comparison: Comparison, constant: &Constant) -> Option<String> {
        match (self.column_type(data_type), constant) {
            (ColumnType::Boolean, Constant::Number(number)) => plain_number(number),
            (ColumnType::Boolean, _) => None,
            _ => default_constant(self, data_type, comparison, constant),
        }
    }

    fn keeps_products(&self) -> bool {
        true
    }

    fn compares_floats(&self, data_type: &str) -> bool {
        is_double(data_type)
    }

    // The session's time zone is UTC, for values and constants alike.
    fn pushed_timestamp(&self, _data_type: &str, timestamp: &str) -> Option<String> {
        Some(format!("TIMESTAMP '{timestamp}'"))
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
            // The texts of a group are equal byte by byte, so any of them is the key.
            ColumnType::Text => {
                Some(PushedKey { group: format!("CAST({name} AS BINARY)"), select: format!("MIN({name})") })
            }
            _ => None,
        }
    }
}
