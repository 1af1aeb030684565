use super::Sqlite;
use crate::dialect::names::json_function_columns;
use crate::dialect::{ImplicitNames, NameResolution, UngroupedColumns};

const SYSTEM_TABLES: &[&str] = &[
    "sqlite_master",
    "sqlite_schema",
    "sqlite_temp_master",
    "sqlite_temp_schema",
    "sqlite_sequence",
    "sqlite_stat1",
    "dbstat",
];

impl NameResolution for Sqlite {
    fn quotes_names_in_brackets(&self) -> bool {
        true
    }

    fn reads_unresolved_quotes_as_strings(&self) -> bool {
        true
    }

    fn hidden_columns(&self) -> &'static [&'static str] {
        &["rowid", "oid", "_rowid_"]
    }

    fn row_id_is_primary_key(&self) -> bool {
        true
    }

    // `docs MATCH 'word'` searches the full-text table `docs`.
    fn has_full_text_tables(&self) -> bool {
        true
    }

    fn full_text_functions(&self) -> &'static [&'static str] {
        &["bm25", "highlight", "matchinfo", "offsets", "snippet"]
    }

    fn is_omitted_from_catalogs(&self, _qualifiers: &[&str], table: &str) -> bool {
        SYSTEM_TABLES.contains(&table)
    }

    fn table_function_columns(&self, function: &str) -> &'static [&'static str] {
        json_function_columns(function)
    }

    fn has_nested_values(&self) -> bool {
        false
    }

    fn implicit_names(&self) -> ImplicitNames {
        ImplicitNames::Text
    }

    fn where_sees_aliases(&self) -> bool {
        true
    }

    fn having_prefers_columns(&self) -> bool {
        true
    }

    // A key is a column's own name only where it would resolve elsewhere.
    fn order_by_sees_implicit_names(&self) -> bool {
        false
    }

    fn keys_see_outer_query(&self) -> bool {
        false
    }

    fn join_conditions_see_later_names(&self) -> bool {
        true
    }

    fn using_takes_first_column(&self) -> bool {
        true
    }

    fn recursion_needs_keyword(&self) -> bool {
        false
    }

    fn views_see_later_views(&self) -> bool {
        true
    }

    fn materialized_view_keyword(&self) -> &'static str {
        "AS MATERIALIZED"
    }

    fn keeps_row_numbers_of_views(&self) -> bool {
        true
    }

    fn set_operations_have_equal_precedence(&self) -> bool {
        true
    }

    fn set_operations_type_columns_by_expression(&self) -> bool {
        true
    }

    fn ungrouped_columns(&self) -> UngroupedColumns {
        UngroupedColumns::AnyRow
    }

    fn min_and_max_compare_arguments(&self) -> bool {
        true
    }

    fn descending_keys_reverse_groups(&self) -> bool {
        true
    }

    // The result of a function has no declared type.
    fn compares_computed_text_with_numbers_as_text(&self) -> bool {
        true
    }

    fn executes_not_exists_as_anti_join(&self) -> bool {
        false
    }
}
