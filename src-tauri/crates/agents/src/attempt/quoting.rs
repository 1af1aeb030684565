//! Parses a model's text, after quoting those names of the catalog that need quotes.

use crate::run::ask::Ask;
use vitrine_sql::ReadOnlySql;

/// Returns true if a text is a query after names of the catalog are quoted.
pub fn is_query(ask: &Ask, text: &str) -> bool {
    ask.prove_query(text).is_ok()
        || vitrine_sql::quote_names(text, &ask.data.catalog, &[], &|text| parse_query(ask, text))
            .is_some_and(|quoted| ask.prove_query(&quoted.sql).is_ok())
}

/// Parses a text without the engine's own parser, which takes longer.
pub fn parse_query(ask: &Ask, text: &str) -> Option<ReadOnlySql> {
    ReadOnlySql::parse_with(text, ask.data.catalog.dialect, &ask.permissions.functions).ok()
}
