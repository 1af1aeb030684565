use super::Snowflake;
use crate::dialect::Prompts;

impl Prompts for Snowflake {
    fn display_name(&self) -> &'static str {
        "Snowflake"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &["Quote mixed-case names."]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/snowflake.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-snowflake.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-snowflake.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-snowflake.txt")
    }
}
