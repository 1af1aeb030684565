use super::Trino;
use crate::dialect::Names;

impl Names for Trino {
    // For instance `"$path"`, in double quotes.
    fn hidden_columns_begin_with_dollar(&self) -> bool {
        true
    }
}
