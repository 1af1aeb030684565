use super::Postgres;
use crate::dialect::Prompts;

impl Prompts for Postgres {
    fn display_name(&self) -> &'static str {
        "PostgreSQL"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &["Use EXTRACT(YEAR FROM d) and ILIKE for case-insensitive matches."]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/postgres.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-postgres.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-postgres.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-postgres.txt")
    }
}
