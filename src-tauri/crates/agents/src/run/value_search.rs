//! Searches in the value index.

use crate::run::context::RunContext;
use std::sync::Arc;
use vitrine_domain::{EventBody, NodeId, ValueMatch};
use vitrine_values::{Embedder, SearchOptions, SearchTerm};
use vitrine_words::tr;

impl RunContext {
    /// Looks literals up in the value index (AV-SQL, 4.1.3) and records the matches. Returns no matches without an index.
    pub async fn retrieve_values(&self, node: &NodeId, terms: Vec<SearchTerm>) -> Vec<ValueMatch> {
        if terms.is_empty() || self.ask.data.values.is_none() {
            return Vec::new();
        }
        let literals = terms.iter().map(|t| t.text.clone()).collect();
        let matches = self.search_values(node, terms, self.ask.data.embedder.clone()).await;
        self.emit(EventBody::ValuesRetrieved { node: node.to_owned(), literals, matches: matches.clone() });
        matches
    }

    /// Searches the value index, also by meaning if there is an embedder; the caller records the matches.
    pub async fn search_values(
        &self,
        node: &NodeId,
        terms: Vec<SearchTerm>,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Vec<ValueMatch> {
        let Some(index) = self.ask.data.values.clone() else { return Vec::new() };
        let options = SearchOptions {
            edit_threshold: self.ask.options.settings.edit_threshold,
            semantic_threshold: self.ask.options.settings.semantic_threshold,
            limit: 8,
        };
        match tokio::task::spawn_blocking(move || index.search(&terms, options, embedder.as_deref())).await {
            Ok(Ok(mut matches)) => {
                if self.ask.options.given_schema.is_some() {
                    matches.retain(|found| self.contains_column(&found.table, &found.column));
                }
                self.egress.retain_unmasked(matches)
            }
            Ok(Err(error)) => {
                self.warn(Some(node), tr!("The value index could not be searched: {error}", error));
                Vec::new()
            }
            Err(error) => {
                self.warn(Some(node), tr!("The value search stopped: {error}", error));
                Vec::new()
            }
        }
    }

    fn contains_column(&self, table: &str, column: &str) -> bool {
        self.ask.data.catalog.find_table(table).is_some_and(|table| table.find_column(column).is_some())
    }
}
