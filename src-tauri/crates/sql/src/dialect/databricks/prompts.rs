use super::Databricks;
use crate::dialect::Prompts;

impl Prompts for Databricks {
    fn display_name(&self) -> &'static str {
        "Databricks SQL"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &["Quote names with backticks and texts with '...'.", "Use year(d) and date_trunc('MONTH', d)."]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/databricks.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-databricks.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-databricks.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-databricks.txt")
    }

    fn nested_page_has_lists(&self) -> bool {
        true
    }
}
