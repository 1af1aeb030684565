use super::Sqlite;
use crate::dialect::Prompts;

impl Prompts for Sqlite {
    fn display_name(&self) -> &'static str {
        "SQLite"
    }

    // Models know SQLite best. Hints about division or dates are copied into queries that need neither.
    fn prompt_hints(&self) -> &'static [&'static str] {
        &[]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/sqlite.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-sqlite.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-sqlite.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-sqlite.txt")
    }
}
