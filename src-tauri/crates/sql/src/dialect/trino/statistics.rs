use super::Trino;
use crate::dialect::statistics::{Statistics, TypeFamily};
use sqlparser::ast::{DataType, ExactNumberInfo};

impl Statistics for Trino {
    fn own_type_family(&self, declared: &str) -> Option<TypeFamily> {
        declared.starts_with("ROW(").then_some(TypeFamily::Nested)
    }

    fn joined_date(&self, _parts: [String; 3]) -> Option<String> {
        None
    }

    fn lacks_common_forms(&self) -> bool {
        true
    }

    fn replaced_type(&self, common: &DataType) -> Option<DataType> {
        match common {
            DataType::Text | DataType::String(None) => Some(DataType::Varchar(None)),
            DataType::Float(_) | DataType::Float64 => Some(DataType::Double(ExactNumberInfo::None)),
            _ => None,
        }
    }
}
