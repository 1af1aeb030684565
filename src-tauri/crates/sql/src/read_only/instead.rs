//! Replacements for functions that an engine lacks.

use crate::dialect::DialectExt;
use crate::rejection::Instead::{self, Write};
use vitrine_domain::Dialect;

/// Returns the replacement for a function that models use from other engines. [`Instead::Nothing`] if none is known.
pub(crate) fn suggest_replacement(name: &str, dialect: Dialect) -> Instead {
    match name {
        // Names of operators as functions come from report and spreadsheet formulas.
        "divide" => Write("a / b"),
        "multiply" => Write("a * b"),
        "subtract" => Write("a - b"),
        _ => dialect.sql().replacement(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_for_signs_are_told_by_the_sign() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::Bigquery, Dialect::Mssql] {
            let told = ["divide", "multiply", "subtract"].map(|name| match suggest_replacement(name, dialect) {
                Write(sql) => sql,
                _ => "nothing",
            });
            assert_eq!(told, ["a / b", "a * b", "a - b"], "{dialect:?}");
        }
    }
}
