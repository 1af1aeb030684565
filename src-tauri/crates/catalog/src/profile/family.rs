//! Corrects declared types by the values of a column.

use vitrine_sql::dialect::TypeFamily;

/// Numbers of values of each storage class in a SQLite column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    pub integer: u64,
    pub real: u64,
    pub text: u64,
    pub blob: u64,
}

impl Classes {
    /// Returns the family of the values themselves if they contradict the declared one.
    pub(crate) fn correct_family(self, declared: TypeFamily) -> TypeFamily {
        let most = self.integer.max(self.real).max(self.text).max(self.blob);
        if most == 0 {
            declared
        } else if self.blob == most {
            TypeFamily::Binary
        } else if self.text == most {
            // SQLite stores dates and JSON as text.
            if matches!(declared, TypeFamily::Nested | TypeFamily::Geo) { declared } else { TypeFamily::Text }
        } else if declared == TypeFamily::Boolean {
            TypeFamily::Boolean
        } else if self.real > 0 {
            TypeFamily::Float
        } else {
            TypeFamily::Integer
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sqlite_values_decide_over_the_declaration() {
        let classes = |integer, real, text, blob| Classes { integer, real, text, blob };
        assert_eq!(classes(0, 0, 9, 0).correct_family(TypeFamily::Temporal), TypeFamily::Text);
        assert_eq!(classes(9, 0, 0, 0).correct_family(TypeFamily::Temporal), TypeFamily::Integer);
        assert_eq!(classes(9, 1, 0, 0).correct_family(TypeFamily::Text), TypeFamily::Float);
        assert_eq!(classes(9, 0, 0, 0).correct_family(TypeFamily::Boolean), TypeFamily::Boolean);
        assert_eq!(classes(0, 0, 0, 0).correct_family(TypeFamily::Float), TypeFamily::Float);
    }
}
