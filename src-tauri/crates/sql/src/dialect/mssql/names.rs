use super::Mssql;
use crate::dialect::NameResolution;

impl NameResolution for Mssql {
    fn quotes_names_in_brackets(&self) -> bool {
        true
    }

    fn has_date_part_keywords(&self) -> bool {
        true
    }
}
