use super::Duckdb;
use crate::dialect::Prompts;

impl Prompts for Duckdb {
    fn display_name(&self) -> &'static str {
        "DuckDB"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &[
            "Use year(d), month(d), date_trunc('month', d); strptime(text, '%d/%m/%Y') reads text dates.",
            "Read JSON with col->>'$.key'.",
        ]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/duckdb.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-duckdb.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-duckdb.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-duckdb.txt")
    }

    fn nested_page_has_lists(&self) -> bool {
        true
    }
}
