//! User-defined macros with the names of DuckDB's own functions. DuckDB searches the database first for a function,
//! also for operators (`a + b` calls a macro named `+`), so that a query would call them unintentionally; and on a
//! server a macro may read files and network addresses.

use super::ask::query_rows;
use crate::WarehouseError;
use crate::engines::duck::listing::{Rows, cell_reader};
use crate::engines::postgres::Session;
use std::collections::{BTreeSet, HashSet};
use tokio_postgres::Error;
use vitrine_domain::{Dialect, OwnFunction};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_words::tr;

/// The dialect of the bodies of macros.
const DIALECT: Dialect = Dialect::Duckdb;

/// Qualified with the system schema, because a macro could also have the name of this function. For the same reason it
/// uses no operators.
const OWN: &str = "
    SELECT database_name, function_name, function_type, macro_definition
      FROM system.main.duckdb_functions() WHERE NOT internal";
const BUILT_IN: &str = "SELECT DISTINCT function_name FROM system.main.duckdb_functions() WHERE internal";

/// Maximum number of names in a message.
const NAMES: usize = 5;

/// Returns the names of macros that may do more than compute. All attached databases are searched, because a qualified
/// name can call a macro of each.
pub(super) async fn find_unsafe_macros(session: &Session) -> Result<Vec<String>, Error> {
    let own = query_rows(session, OWN).await?;
    // The query for built-in functions returns a thousand rows, so it runs only if there are macros.
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let built_in = query_rows(session, BUILT_IN).await?;
    let built_in = built_in.into_iter().flatten().flatten().map(|name| name.to_lowercase()).collect();
    Ok(filter_unsafe_macros(own, &built_in))
}

fn filter_unsafe_macros(own: Rows, built_in: &HashSet<String>) -> Vec<String> {
    let of_row = |row| {
        let mut next = cell_reader(row);
        let mut next = || next().unwrap_or_default();
        let (place, name, kind, definition) = (next(), next().to_lowercase(), next(), next());
        let body = if kind.contains("table") { definition } else { format!("SELECT {definition}") };
        (place, name, body)
    };
    let macros: Vec<(String, String, String)> = own.into_iter().map(of_row).collect();
    let all: Vec<OwnFunction> =
        macros.iter().map(|(_, name, _)| OwnFunction { name: name.clone(), on_rows: false }).collect();
    let allowed = AllowedFunctions::default().with_own_functions(&all);
    // A macro is harmless if its body has a read-only proof; the macros that the body calls by an operator are checked
    // separately.
    let is_harmless = |body: &str| ReadOnlySql::parse_with(body, DIALECT, &allowed).is_ok();
    let found = macros.into_iter().filter(|(_, name, body)| built_in.contains(name) && !is_harmless(body));
    found.map(|(place, name, _)| format!("{place}.{name}")).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Refuses a query if there are such macros.
pub(super) fn refuse_unsafe_macros(unawares: &[String]) -> Result<(), WarehouseError> {
    if unawares.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = unawares.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
    let more = if unawares.len() > NAMES { ", ..." } else { "" };
    let message = tr!(
        "there are macros under names of DuckDB's own functions ({names}), which may do more than compute, and which a query would call in their place: give them other names",
        names = named.join(", ") + more
    );
    Err(WarehouseError::Refused { message })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsafe_macro_names(macros: &[[&str; 4]]) -> Vec<String> {
        let built_in = ["lower", "+", "range", "list_value"].map(str::to_owned).into();
        let rows = macros.iter().map(|row| row.iter().map(|cell| Some((*cell).to_owned())).collect()).collect();
        filter_unsafe_macros(rows, &built_in)
    }

    #[test]
    fn a_macro_under_the_name_of_a_function_is_found_unless_it_only_computes() {
        let reads = "(SELECT \"content\" FROM read_text('https://example.com'))";
        assert_eq!(
            unsafe_macro_names(&[["shop", "Lower", "macro", reads], ["other", "+", "macro", reads]]),
            ["other.+", "shop.lower"]
        );
        assert_eq!(
            unsafe_macro_names(&[["shop", "range", "table_macro", "SELECT * FROM read_csv(\"n\")"]]),
            ["shop.range"]
        );
        for harmless in [
            ["shop", "lower", "macro", "upper(x)"],
            ["shop", "margin", "macro", reads],
            ["shop", "range", "table_macro", "SELECT 1 AS n"],
        ] {
            assert_eq!(unsafe_macro_names(&[harmless]), Vec::<String>::new(), "{harmless:?}");
        }
        // A body that cannot be parsed or that calls another macro is not harmless.
        assert_eq!(unsafe_macro_names(&[["shop", "lower", "macro", ""]]), ["shop.lower"]);
        let both = [["shop", "lower", "macro", "margin(x)"], ["shop", "margin", "macro", reads]];
        assert_eq!(unsafe_macro_names(&both), ["shop.lower"]);
    }

    #[test]
    fn nothing_runs_beside_such_a_macro() {
        assert_eq!(refuse_unsafe_macros(&[]), Ok(()));
        let error = refuse_unsafe_macros(&["+".to_owned()]).unwrap_err();
        assert!(matches!(&error, WarehouseError::Refused { message } if message.contains("`+`")), "{error:?}");
    }
}
