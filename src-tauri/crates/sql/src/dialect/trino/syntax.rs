use super::Trino;
use super::grammar::TrinoGrammar;
use crate::column_type::{ColumnType, type_name};
use crate::dialect::{RowLimitForm, Syntax};
use sqlparser::dialect::Dialect as Grammar;

impl Syntax for Trino {
    fn grammar(&self) -> &'static dyn Grammar {
        &TrinoGrammar
    }

    // Trino accepts `OFFSET n LIMIT m` but not the opposite order that the tree prints.
    fn row_limit_form(&self) -> RowLimitForm {
        RowLimitForm::FetchAfterOffset
    }

    fn has_catalogs_in_names(&self) -> bool {
        true
    }

    fn system_catalogs(&self) -> &'static [&'static str] {
        &["system", "jmx"]
    }

    fn text_type(&self) -> &'static str {
        "VARCHAR"
    }

    fn column_type(&self, data_type: &str) -> ColumnType {
        match type_name(data_type).as_str() {
            "ROW" | "IPADDRESS" | "HYPERLOGLOG" | "TDIGEST" => ColumnType::Other,
            _ => ColumnType::from_common_type(data_type),
        }
    }

    fn division_truncates(&self) -> bool {
        true
    }

    fn number_from_text(&self, text: &str) -> String {
        format!("TRY_CAST({text} AS DOUBLE)")
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["trino"]
    }
}
