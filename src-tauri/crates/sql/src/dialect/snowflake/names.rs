use super::Snowflake;
use crate::dialect::NameResolution;
use crate::dialect::names::is_in_schema;

impl NameResolution for Snowflake {
    fn quotes_strings_in_dollars(&self) -> bool {
        true
    }

    fn hidden_columns_begin_with_dollar(&self) -> bool {
        true
    }

    fn has_column_positions(&self) -> bool {
        true
    }

    fn has_date_part_keywords(&self) -> bool {
        true
    }

    fn is_omitted_from_catalogs(&self, qualifiers: &[&str], _table: &str) -> bool {
        is_in_schema(qualifiers, &["information_schema", "account_usage"])
    }

    fn select_list_sees_aliases(&self) -> bool {
        true
    }

    fn where_sees_aliases(&self) -> bool {
        true
    }
}
