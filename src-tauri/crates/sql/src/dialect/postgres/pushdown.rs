//! Conditions that PostgreSQL evaluates for a join.

use super::Postgres;
use crate::column_type::ColumnType;
use crate::dialect::Syntax;
use crate::dialect::pushdown::{Pushdown, PushedKey, has_zone, is_double};

impl Pushdown for Postgres {
    fn keeps_products(&self) -> bool {
        true
    }

    // NaN is the largest number, as in the local engine.
    fn compares_floats(&self, data_type: &str) -> bool {
        is_double(data_type)
    }

    fn sums_as_double(&self, data_type: &str) -> bool {
        is_double(data_type)
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
        let plain = || Some(PushedKey { group: name.to_owned(), select: name.to_owned() });
        match self.column_type(data_type) {
            ColumnType::Whole
            | ColumnType::Decimal
            | ColumnType::Boolean
            | ColumnType::Date
            | ColumnType::Timestamp => plain(),
            // A collation may regard different texts as equal. Other types of text, such as citext, have their own equality.
            ColumnType::Text if is_varying(data_type) => {
                Some(PushedKey { group: format!("{name} COLLATE \"C\""), select: format!("MIN({name} COLLATE \"C\")") })
            }
            _ => None,
        }
    }
}

fn is_varying(data_type: &str) -> bool {
    let lower = data_type.trim().to_ascii_lowercase();
    lower == "text" || lower.starts_with("varchar") || lower.starts_with("character varying")
}
