//! Conditions that BigQuery evaluates for a join.

use super::Bigquery;
use crate::column_type::{ColumnType, type_name};
use crate::dialect::Syntax;
use crate::dialect::pushdown::{Pushdown, PushedKey};

impl Pushdown for Bigquery {
    fn pushed_timestamp(&self, data_type: &str, timestamp: &str) -> Option<String> {
        match type_name(data_type).as_str() {
            "TIMESTAMP" => Some(format!("TIMESTAMP '{timestamp}+00'")),
            "DATETIME" => Some(format!("DATETIME '{timestamp}'")),
            _ => None,
        }
    }

    fn keeps_unicode(&self) -> bool {
        true
    }

    fn likes_as_usual(&self) -> bool {
        true
    }

    fn pushed_key(&self, name: &str, data_type: &str) -> Option<PushedKey> {
        match self.column_type(data_type) {
            ColumnType::Whole | ColumnType::Decimal | ColumnType::Boolean | ColumnType::Date => {
                Some(PushedKey { group: name.to_owned(), select: name.to_owned() })
            }
            // A column may have a collation that ignores case.
            ColumnType::Text => {
                Some(PushedKey { group: format!("CAST({name} AS BYTES)"), select: format!("MIN({name})") })
            }
            _ => None,
        }
    }
}
