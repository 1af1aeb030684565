use super::Trino;
use crate::dialect::Prompts;

impl Prompts for Trino {
    fn display_name(&self) -> &'static str {
        "Trino"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &[
            "Quote names with double quotes and texts with '...'.",
            "Use year(d) and date_trunc('month', d); there is no ILIKE and no ::.",
        ]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/trino.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-trino.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-trino.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-trino.txt")
    }

    fn nested_page_has_lists(&self) -> bool {
        true
    }
}
