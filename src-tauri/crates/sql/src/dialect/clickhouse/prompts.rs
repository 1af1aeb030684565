use super::Clickhouse;
use crate::dialect::Prompts;

impl Prompts for Clickhouse {
    fn display_name(&self) -> &'static str {
        "ClickHouse"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &[
            "Quote names with backticks; names of tables and columns are case-sensitive.",
            "Use toYear(d) and toStartOfMonth(d).",
        ]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/clickhouse.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-clickhouse.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-clickhouse.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-clickhouse.txt")
    }

    fn nested_page_has_lists(&self) -> bool {
        true
    }
}
