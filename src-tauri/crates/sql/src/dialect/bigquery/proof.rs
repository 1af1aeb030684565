use super::Bigquery;
use crate::dialect::Proof;
use crate::dialect::proof::{
    COMMON_FUNCTIONS, FileName, FunctionList, KeywordCall, has_name, is_listed, suggest_strftime,
};
use crate::rejection::Instead;

static FUNCTIONS: FunctionList = FunctionList::new(&[COMMON_FUNCTIONS, include_str!("functions.txt")]);

impl Proof for Bigquery {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        self.is_scalar_function(name)
    }

    fn is_system_schema(&self, qualifier: &[String]) -> bool {
        matches!(qualifier, [one] if ["safe", "net", "hll_count"].contains(&one.as_str()))
    }

    fn replacement(&self, name: &str) -> Instead {
        suggest_strftime(name)
    }

    fn keyword_calls(&self) -> &'static [KeywordCall] {
        &[KeywordCall::WeekDay]
    }

    fn holds_secrets(&self, _qualifier: &[&str], _table: &str) -> bool {
        false
    }

    fn is_descriptive_table(&self, qualifier: &[&str], table: &str) -> bool {
        has_name(qualifier, &["information_schema"]) || is_listed(&["__tables__", "__tables_summary__"], table)
    }

    fn file_name(&self, _parts: &[&str], _is_text: bool) -> FileName {
        FileName::Never
    }

    fn reads_variables_as_columns(&self) -> bool {
        true
    }

    fn prints_texts_in_single_quotes(&self) -> bool {
        true
    }
}
