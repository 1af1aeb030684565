use super::Mysql;
use crate::dialect::Prompts;

impl Prompts for Mysql {
    fn display_name(&self) -> &'static str {
        "MySQL"
    }

    fn prompt_hints(&self) -> &'static [&'static str] {
        &["Quote names with backticks and texts with '...'.", "Use CONCAT(a, b), YEAR(d), DATE_FORMAT(d, '%Y-%m')."]
    }

    fn reference_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/mysql.txt")
    }

    fn date_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/dates-mysql.txt")
    }

    fn text_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/texts-mysql.txt")
    }

    fn nested_page(&self) -> &'static str {
        include_str!("../../../../../../prompts/dialect/nested-mysql.txt")
    }
}
