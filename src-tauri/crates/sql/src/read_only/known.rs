//! Functions that the proof allows by name, for a check against a server that also looks names up in schemas of other
//! users.

use super::described::is_descriptive_function;
use super::functions::{reaches_out, scalar_allowed, scalar_names};
use super::instead::suggest_replacement;
use crate::parse::SqlRejection;
use vitrine_domain::Dialect;

/// PostgreSQL settings about reading and formatting values. They reveal nothing about the server's files or other
/// users.
const HARMLESS_SETTINGS: &[&str] = &[
    "application_name",
    "block_size",
    "bytea_output",
    "client_encoding",
    "datestyle",
    "default_transaction_isolation",
    "default_transaction_read_only",
    "extra_float_digits",
    "integer_datetimes",
    "intervalstyle",
    "lc_collate",
    "lc_ctype",
    "lc_messages",
    "lc_monetary",
    "lc_numeric",
    "lc_time",
    "max_identifier_length",
    "search_path",
    "server_encoding",
    "server_version",
    "server_version_num",
    "standard_conforming_strings",
    "statement_timeout",
    "timezone",
    "transaction_isolation",
    "transaction_read_only",
];

/// Returns the names of the functions that a query may call without the user's permission.
pub fn known_functions(dialect: Dialect) -> Vec<&'static str> {
    scalar_names(dialect).collect()
}

/// Returns true if a function is one of [`known_functions`]. `name` is in any case.
pub fn is_known_function(name: &str, dialect: Dialect) -> bool {
    scalar_allowed(name, dialect)
}

/// Returns true if a built-in PostgreSQL function that changes nothing may still run SQL, or read more than values and
/// definitions.
pub fn runs_more(name: &str) -> bool {
    reaches_out(name) && !is_descriptive_function(name, false, Dialect::Postgres)
}

/// Returns the rejection of a function that the connected server does not define, because the owner of a database could
/// define it.
pub fn missing_function(name: &str, dialect: Dialect) -> SqlRejection {
    let name = name.to_lowercase();
    SqlRejection::Function { instead: suggest_replacement(&name, dialect), name }
}

/// Returns true if PostgreSQL has a function of this name for a single value that accesses more than the data:
/// `(value).name` calls it.
pub(super) fn is_called_on_values(name: &str) -> bool {
    const BEGINNINGS: &[&str] = &["binary_upgrade_", "brin_", "gin_", "lo_", "pg_", "txid_"];
    const NAMES: &[&str] = &["currval", "current_setting", "nextval", "setseed", "ts_stat"];
    let name = name.to_lowercase();
    !scalar_allowed(&name, Dialect::Postgres)
        && (BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) || NAMES.contains(&name.as_str()))
}

/// Returns true if this PostgreSQL setting contains nothing confidential.
pub(super) fn is_harmless_setting(name: &str) -> bool {
    HARMLESS_SETTINGS.iter().any(|known| known.eq_ignore_ascii_case(name))
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
        for name in ["pg_read_file", "PG_SLEEP", "lo_export", "nextval", "current_setting"] {
            assert!(is_called_on_values(name), "{name}");
        }
        for name in ["city", "url", "file", "pg_typeof", "upper"] {
            assert!(!is_called_on_values(name), "{name}");
        }
    }
}
