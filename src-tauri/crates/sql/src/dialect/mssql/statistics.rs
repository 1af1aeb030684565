use super::Mssql;
use crate::dialect::statistics::Statistics;
use sqlparser::ast::{CharacterLength, DataType, ExactNumberInfo, Ident, ObjectName, TimezoneInfo};

impl Statistics for Mssql {
    fn joined_date(&self, _parts: [String; 3]) -> Option<String> {
        None
    }

    fn lacks_common_forms(&self) -> bool {
        true
    }

    fn replaced_type(&self, common: &DataType) -> Option<DataType> {
        match common {
            // A cast to VARCHAR without a length truncates to thirty characters.
            DataType::Text | DataType::String(None) | DataType::Varchar(None) => {
                Some(DataType::Nvarchar(Some(CharacterLength::IntegerLength { length: 4000, unit: None })))
            }
            DataType::Boolean | DataType::Bool => Some(DataType::Bit(None)),
            DataType::Double(_) => Some(DataType::Float(ExactNumberInfo::None)),
            DataType::Timestamp(None, TimezoneInfo::None) => {
                Some(DataType::Custom(ObjectName::from(vec![Ident::new("DATETIME2")]), Vec::new()))
            }
            _ => None,
        }
    }

    fn has_standard_expressions(&self) -> bool {
        false
    }

    fn has_nulls_order(&self) -> bool {
        false
    }

    fn groups_by_number(&self) -> bool {
        false
    }
}
