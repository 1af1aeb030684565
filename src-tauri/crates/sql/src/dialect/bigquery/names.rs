use super::Bigquery;
use crate::dialect::names::is_in_schema;
use crate::dialect::{ImplicitNames, NameResolution, NestedTables};

impl NameResolution for Bigquery {
    fn comments_begin_with_hash(&self) -> bool {
        true
    }

    fn hidden_columns(&self) -> &'static [&'static str] {
        &["_partitiontime", "_partitiondate", "_table_suffix", "_file_name"]
    }

    fn has_date_part_keywords(&self) -> bool {
        true
    }

    // A name with `*` refers to all tables that begin with it.
    fn is_omitted_from_catalogs(&self, qualifiers: &[&str], table: &str) -> bool {
        is_in_schema(qualifiers, &["information_schema"]) || table.starts_with("__tables") || table.ends_with('*')
    }

    fn rejects_fields_of_lists(&self) -> bool {
        true
    }

    fn nested_tables(&self) -> NestedTables {
        NestedTables::QualifiedColumn
    }

    fn implicit_names(&self) -> ImplicitNames {
        ImplicitNames::Number
    }
}
