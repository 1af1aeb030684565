//! Functions that the proof allows by name, for a check against a server that also looks names up in schemas of other
//! users.

use super::functions::{reaches_out, scalar_allowed};
use super::instead::suggest_replacement;
use crate::dialect::DialectExt;
use crate::parse::SqlRejection;
use vitrine_domain::Dialect;

/// Returns the names of the functions that a query may call without the user's permission.
pub fn known_functions(dialect: Dialect) -> Vec<&'static str> {
    dialect.sql().scalar_functions().iter().collect()
}

/// Returns true if a function is one of [`known_functions`]. `name` is in any case.
pub fn is_known_function(name: &str, dialect: Dialect) -> bool {
    scalar_allowed(name, dialect)
}

/// Returns true if a built-in function that changes nothing may still run SQL, or read more than values and
/// definitions.
pub fn runs_more(name: &str, dialect: Dialect) -> bool {
    reaches_out(name) && !dialect.sql().is_descriptive_function(name, false)
}

/// Returns the rejection of a function that the connected server does not define, because the owner of a database could
/// define it.
pub fn missing_function(name: &str, dialect: Dialect) -> SqlRejection {
    let name = name.to_lowercase();
    SqlRejection::Function { instead: suggest_replacement(&name, dialect), name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_lacks_is_said_with_what_to_write_instead() {
        for (name, written) in [("nvl", "COALESCE"), ("median", "percentile_cont"), ("group_concat", "string_agg")] {
            let said = missing_function(name, Dialect::Postgres).in_words();
            assert!(said.contains(name) && said.contains(written), "{said}");
        }
    }

    #[test]
    fn functions_behind_a_dot_are_known() {
        let is_called = |name: &str| Dialect::Postgres.sql().is_called_on_values(&name.to_lowercase());
        for name in ["pg_read_file", "PG_SLEEP", "lo_export", "nextval", "current_setting"] {
            assert!(is_called(name), "{name}");
        }
        for name in ["city", "url", "file", "pg_typeof", "upper"] {
            assert!(!is_called(name), "{name}");
        }
    }
}
