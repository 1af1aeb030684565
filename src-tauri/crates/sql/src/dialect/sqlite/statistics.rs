use super::Sqlite;
use crate::dialect::statistics::{ExplainStatement, PlanFormat, RowSampling, Statistics, TypeFamily};

impl Statistics for Sqlite {
    // Columns may be declared without a type.
    fn own_type_family(&self, declared: &str) -> Option<TypeFamily> {
        declared.is_empty().then_some(TypeFamily::Text)
    }

    fn has_dynamic_types(&self) -> bool {
        true
    }

    // Any column may contain blobs.
    fn readable_value(&self, column: &str) -> String {
        format!("CASE WHEN typeof({column}) = 'blob' THEN NULL ELSE {column} END")
    }

    fn number_value(&self, column: &str) -> String {
        format!("CASE WHEN typeof({column}) IN ('integer', 'real') THEN {column} END")
    }

    fn parsed_number(&self, column: &str) -> String {
        format!("CASE WHEN trim({column}) <> '' THEN CAST({column} AS REAL) END")
    }

    fn storage_class_count(&self, column: &str, class: &str) -> String {
        format!("count(CASE WHEN typeof({column}) = '{class}' THEN 1 END)")
    }

    fn leading_bytes(&self, column: &str, _declared: &str, length: usize) -> Option<String> {
        Some(format!(
            "CASE WHEN typeof({column}) = 'blob' THEN hex(substr({column}, 1, {length})) || '/' || length({column}) END"
        ))
    }

    // JSON is stored as text.
    fn nested_text(&self, column: &str) -> String {
        self.readable_value(column)
    }

    fn row_sampling(&self) -> RowSampling {
        RowSampling::RowIdRanges
    }

    fn explain_statement(&self) -> Option<ExplainStatement> {
        Some(ExplainStatement { keywords: "EXPLAIN QUERY PLAN", format: PlanFormat::StepRows })
    }

    fn compares_numbers_as_text(&self) -> bool {
        true
    }
}
