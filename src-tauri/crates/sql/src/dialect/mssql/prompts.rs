use super::Mssql;
use crate::dialect::Prompts;

impl Prompts for Mssql {
    fn display_name(&self) -> &'static str {
        "SQL Server (T-SQL)"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &[
            "There is no LIMIT: the first n rows, only where they are asked for, are SELECT TOP (n).",
            "Quote names with [name]; bit columns are 1 or 0. Use YEAR(d), DATEDIFF(day, a, b), LEN(x), CASE WHEN.",
        ]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/mssql.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-mssql.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-mssql.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-mssql.txt")
    }
}
