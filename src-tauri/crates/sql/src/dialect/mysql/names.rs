use super::Mysql;
use crate::dialect::NameResolution;
use crate::dialect::names::is_in_schema;

impl NameResolution for Mysql {
    fn table_names_are_case_sensitive(&self) -> bool {
        true
    }

    fn comments_begin_with_hash(&self) -> bool {
        true
    }

    fn merged_columns_come_first(&self) -> bool {
        true
    }

    fn recursive_views_start_from_tables(&self) -> bool {
        false
    }

    fn is_omitted_from_catalogs(&self, qualifiers: &[&str], table: &str) -> bool {
        is_in_schema(qualifiers, &["information_schema"]) || table == "dual"
    }
}
