use super::Clickhouse;
use crate::dialect::names::is_in_schema;
use crate::dialect::{NameResolution, NestedTables};

impl NameResolution for Clickhouse {
    fn column_names_are_case_sensitive(&self) -> bool {
        true
    }

    fn table_names_are_case_sensitive(&self) -> bool {
        true
    }

    fn hidden_columns(&self) -> &'static [&'static str] {
        &["_part", "_part_index", "_part_offset", "_partition_id", "_sample_factor", "_table"]
    }

    fn has_date_part_keywords(&self) -> bool {
        true
    }

    fn is_omitted_from_catalogs(&self, qualifiers: &[&str], _table: &str) -> bool {
        is_in_schema(qualifiers, &["information_schema", "system"])
    }

    fn nested_tables(&self) -> NestedTables {
        NestedTables::ArrayJoin
    }

    fn column_functions(&self) -> &'static [&'static str] {
        &["columns", "untuple"]
    }

    fn select_list_sees_aliases(&self) -> bool {
        true
    }

    fn where_sees_aliases(&self) -> bool {
        true
    }

    fn keeps_row_numbers_of_views(&self) -> bool {
        true
    }
}
