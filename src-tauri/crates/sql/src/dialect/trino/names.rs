use super::Trino;
use crate::dialect::NameResolution;

impl NameResolution for Trino {
    // For instance `"$path"`, in double quotes.
    fn hidden_columns_begin_with_dollar(&self) -> bool {
        true
    }
}
