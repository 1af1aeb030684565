//! The catalog for front ends. A small catalog is sent completely; of a large one only the visible parts: a page of tables, a table with
//! related ones, or names that match the typed text.

use crate::app::App;
use crate::state::table_index::TableIndex;
use crate::state::work::run_blocking;
use crate::types::{CatalogPart, CatalogView, FoundName, Reach, TablePage, TableSummary};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use vitrine_domain::{AppError, Catalog, ErrorCode, Profile, TableKind, TableName};
use vitrine_words::tr;

/// Maximum number of tables for which a catalog is sent completely.
const WHOLE_TABLES: usize = 1_000;
const WHOLE_COLUMNS: usize = 20_000;
/// Maximum number of tables in one page or part.
const LARGEST_PAGE: u32 = 500;
/// Maximum number of names in one answer.
const MOST_NAMES: u32 = 100;
/// Maximum number of matching columns that are listed for a table in search results.
const MOST_HITS: usize = 50;

/// Returns true if a catalog is small enough to be sent completely.
pub(crate) fn is_whole(catalog: &Catalog) -> bool {
    catalog.tables.len() <= WHOLE_TABLES && catalog.column_count() <= WHOLE_COLUMNS
}

impl App {
    /// Returns tables, columns, keys (declared and inferred) and comments; without tables if the catalog is large.
    pub async fn catalog(&self, uri: String) -> Result<CatalogView, AppError> {
        let catalog = self.ensure_open(&uri).await?.catalog();
        let (tables, whole) = (catalog.tables.len() as u32, is_whole(&catalog));
        let catalog = if whole { catalog.as_ref().clone() } else { catalog.without_tables() };
        Ok(CatalogView { catalog, whole, tables })
    }

    /// Returns the profile so far; without tables if the catalog is large, because `table` returns them.
    pub async fn profile(&self, uri: String) -> Result<Profile, AppError> {
        let open = self.ensure_open(&uri).await?;
        let profile = open.profile();
        if is_whole(&open.declared) {
            return Ok(profile.as_ref().clone());
        }
        Ok(Profile { fingerprint: profile.fingerprint.clone(), complete: profile.complete, ..Profile::default() })
    }

    /// Returns the tables of a warehouse whose name, comment or columns contain every word of `search`: at most `limit` of them, from
    /// number `offset`.
    pub async fn tables(&self, uri: String, search: String, offset: u32, limit: u32) -> Result<TablePage, AppError> {
        let open = self.ensure_open(&uri).await?;
        let (index, profile) = (open.table_index(), open.profile());
        run_blocking(move || {
            let found = index.search_tables(&search);
            let rows: HashMap<&TableName, u64> =
                profile.tables.iter().filter_map(|known| Some((&known.table, known.row_count?))).collect();
            let summary = |at: &usize| {
                let table = index.catalog.tables.get(*at)?;
                Some(TableSummary {
                    table: table.name.clone(),
                    name: table.name.to_string(),
                    is_view: table.kind == TableKind::View,
                    columns: table.columns.len() as u32,
                    rows: table.row_count.or_else(|| rows.get(&table.name).copied()),
                    comment: table.comment.clone(),
                    hits: index.matching_columns(*at, &search, MOST_HITS),
                })
            };
            let page = found.iter().skip(offset as usize).take(limit.min(LARGEST_PAGE) as usize);
            Ok(TablePage {
                tables: page.filter_map(summary).collect(),
                found: found.len() as u32,
                total: index.catalog.tables.len() as u32,
            })
        })
        .await
    }

    /// Returns a table and at most `limit` tables within reach of it, with their profiles and keys.
    ///
    /// # Errors
    /// When the table does not exist.
    pub async fn table(&self, uri: String, name: TableName, reach: Reach, limit: u32) -> Result<CatalogPart, AppError> {
        let open = self.ensure_open(&uri).await?;
        let inferred = self.inferred_keys(uri).await?;
        let (index, profile) = (open.table_index(), open.profile());
        run_blocking(move || {
            let start = index
                .find_table(&name)
                .ok_or_else(|| AppError::new(ErrorCode::NotFound, tr!("The table {name} no longer exists", name)))?;
            let around = index.tables_in_reach(start, reach);
            let shown = around.iter().take(limit.clamp(1, LARGEST_PAGE) as usize);
            let shown: Vec<_> = shown.filter_map(|at| Some((*at, index.catalog.tables.get(*at)?))).collect();
            let names: HashSet<&TableName> = shown.iter().map(|(_, table)| &table.name).collect();
            Ok(CatalogPart {
                keys: shown.iter().map(|(at, _)| index.count_keys(*at)).collect(),
                profiles: profile.tables.iter().filter(|known| names.contains(&known.table)).cloned().collect(),
                inferred: inferred.into_iter().filter(|row| names.contains(&row.key.table)).collect(),
                left: (around.len() - shown.len()) as u32,
                tables: shown.iter().map(|(_, table)| (*table).clone()).collect(),
            })
        })
        .await
    }

    /// Returns the names of tables and columns that match the typed text, the best first.
    pub async fn names(&self, uri: String, typed: String, limit: u32) -> Result<Vec<FoundName>, AppError> {
        let index = self.ensure_open(&uri).await?.table_index();
        run_blocking(move || Ok(index.search_names(&typed, limit.min(MOST_NAMES) as usize))).await
    }

    /// Returns the columns, as `orders.total`, that contain every typed word.
    pub async fn columns(&self, uri: String, typed: String, limit: u32) -> Result<Vec<String>, AppError> {
        let index = self.ensure_open(&uri).await?.table_index();
        run_blocking(move || Ok(index.search_columns(&typed, limit.min(MOST_NAMES) as usize))).await
    }
}

impl crate::state::warehouses::OpenWarehouse {
    /// Returns the search index of the catalog, rebuilt if the catalog has changed.
    fn table_index(&self) -> Arc<TableIndex> {
        let catalog = self.catalog();
        let mut known = self.tables.lock();
        match known.as_ref().filter(|index| Arc::ptr_eq(&index.catalog, &catalog)) {
            Some(index) => Arc::clone(index),
            None => Arc::clone(known.insert(Arc::new(TableIndex::new(catalog)))),
        }
    }
}
