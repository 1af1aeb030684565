use super::Snowflake;
use crate::dialect::Proof;
use crate::dialect::proof::{FileName, FunctionList, KeywordCall, has_name, suggest_strftime};
use crate::rejection::Instead;

/// Complete without the common functions: the owner of a database can define functions that Snowflake lacks, which may
/// call a service.
static FUNCTIONS: FunctionList = FunctionList::new(&[include_str!("functions.txt")]);

impl Proof for Snowflake {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        self.is_scalar_function(name)
    }

    fn replacement(&self, name: &str) -> Instead {
        suggest_strftime(name)
    }

    fn keyword_calls(&self) -> &'static [KeywordCall] {
        &[KeywordCall::LikeAll, KeywordCall::TimeTravel]
    }

    // The database `snowflake` holds usage by user and billing.
    fn holds_secrets(&self, qualifier: &[&str], _table: &str) -> bool {
        matches!(qualifier, [database, _] if database.eq_ignore_ascii_case("snowflake"))
    }

    fn is_descriptive_table(&self, qualifier: &[&str], _table: &str) -> bool {
        const SCHEMAS: &[&str] = &["information_schema", "account_usage", "organization_usage", "reader_account_usage"];
        has_name(qualifier, SCHEMAS)
    }

    // A stage or an external location.
    fn file_name(&self, _parts: &[&str], is_text: bool) -> FileName {
        if is_text { FileName::Always } else { FileName::Never }
    }

    // Reading the next number of a sequence changes it.
    fn reads_sequences_as_columns(&self) -> bool {
        true
    }

    // Other names are session variables.
    fn numbers_columns_of_values(&self) -> bool {
        true
    }

    fn ignores_case_in_scope(&self) -> bool {
        true
    }
}
