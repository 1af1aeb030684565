use super::Bigquery;
use crate::dialect::Prompts;

impl Prompts for Bigquery {
    fn display_name(&self) -> &'static str {
        "BigQuery"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &["Quote names with backticks."]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/bigquery.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-bigquery.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-bigquery.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-bigquery.txt")
    }

    fn nested_page_has_lists(&self) -> bool {
        true
    }
}
