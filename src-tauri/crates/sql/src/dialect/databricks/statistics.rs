use super::Databricks;
use crate::dialect::statistics::{Statistics, is_plain_key};

impl Statistics for Databricks {
    fn pass_of_value(&self, text: &str, passes: u32) -> String {
        format!("pmod(xxhash64({text}), {passes})")
    }

    // A dot accesses the fields of structs, which are not documents.
    fn is_document_type(&self, name: &str) -> bool {
        name == "VARIANT"
    }

    fn document_field(&self, column: &str, path: &str, value_type: Option<&str>) -> Option<String> {
        let value_type = value_type.map(|value_type| format!(", '{value_type}'")).unwrap_or_default();
        path.split('.').all(is_plain_key).then(|| format!("variant_get({column}, '$.{path}'{value_type})"))
    }
}
