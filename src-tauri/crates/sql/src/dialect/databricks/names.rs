use super::Databricks;
use crate::dialect::NameResolution;

impl NameResolution for Databricks {
    fn hidden_columns(&self) -> &'static [&'static str] {
        &["_metadata"]
    }

    fn has_date_part_keywords(&self) -> bool {
        true
    }

    fn select_list_sees_aliases(&self) -> bool {
        true
    }
}
