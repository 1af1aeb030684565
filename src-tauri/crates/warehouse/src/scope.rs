//! A warehouse that is restricted to some of its schemas.

use crate::{Batches, Checked, Limits, Metering, Preview, Walls, Warehouse, WarehouseError, fingerprint};
use async_trait::async_trait;
use std::sync::Arc;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, QueryPlan, SafetyLayer, Table};
use vitrine_sql::{DialectExt, ReadOnlySql, named_tables};

/// A warehouse with its scope. Its catalog contains only the scope, and queries with other names are refused. A view
/// inside the scope may read tables outside it.
pub(crate) struct ScopedWarehouse {
    inner: Arc<dyn Warehouse>,
    schemas: Vec<String>,
    /// The project, database or catalog of the schemas, if the engine has one.
    holder: Option<String>,
    /// Tables whose names need no schema, in the order of the first catalog.
    bare: OnceCell<Vec<String>>,
}

impl ScopedWarehouse {
    pub(crate) fn new(inner: Arc<dyn Warehouse>, schemas: Vec<String>, holder: Option<String>) -> Self {
        Self { inner, schemas, holder, bare: OnceCell::new() }
    }

    fn has_schema(&self, name: &str) -> bool {
        self.schemas.iter().any(|own| self.is_same_name(own, name))
    }

    fn is_same_name(&self, a: &str, b: &str) -> bool {
        a == b || (self.inner.dialect().sql().ignores_case_in_scope() && a.eq_ignore_ascii_case(b))
    }

    /// Returns true if a name denotes some of the tables that a wildcard name covers.
    fn is_part(&self, own: &str, named: &str) -> bool {
        let prefix = own.strip_suffix('*').filter(|_| self.inner.dialect().sql().has_wildcard_tables());
        prefix.is_some_and(|prefix| named.starts_with(prefix))
    }

    async fn load_scoped_catalog(&self) -> Result<Catalog, WarehouseError> {
        let mut catalog = self.inner.load_catalog().await?;
        let default = catalog.search_path.first().cloned().unwrap_or_else(|| "main".to_owned());
        let knows = self.inner.dialect().sql().restricts_catalog_to_scope();
        let inside = |table: &Table| match &table.name.schema {
            Some(schema) => self.has_schema(schema),
            None => knows || self.has_schema(&default),
        };
        let before = catalog.tables.len();
        catalog.tables.retain(inside);
        let names: Vec<_> = catalog.tables.iter().map(|table| table.name.clone()).collect();
        for table in &mut catalog.tables {
            table.foreign_keys.retain(|key| names.contains(&key.ref_table));
        }
        if catalog.tables.len() < before {
            let data = std::mem::take(&mut catalog.fingerprint);
            catalog = fingerprint::set_fingerprint(catalog, &data);
        }
        Ok(catalog)
    }

    async fn check_scope(&self, sql: &ReadOnlySql) -> Result<(), WarehouseError> {
        let outside = |table: String| WarehouseError::OutOfScope { table, schemas: self.schemas.clone() };
        // Such a query describes the whole database, beyond the scope.
        if sql.describes_database() {
            return Err(outside("the catalog".to_owned()));
        }
        let engine = || sql.names_read().map(|names| names.stored.clone());
        let Some(named) = named_tables(sql).or_else(engine) else { return Err(outside("the query".to_owned())) };
        let bare = async || {
            let tables = self.load_scoped_catalog().await?.tables;
            Ok::<_, WarehouseError>(
                tables.into_iter().filter(|table| table.name.schema.is_none()).map(|table| table.name.name).collect(),
            )
        };
        for parts in named {
            let inside = match parts.as_slice() {
                [] => false,
                [name] => {
                    let bare: &Vec<String> = self.bare.get_or_try_init(bare).await?;
                    bare.iter().any(|own| self.is_same_name(own, name) || self.is_part(own, name))
                }
                [.., holder, schema, _] if self.holder.is_some() => {
                    self.holder.as_ref().is_some_and(|own| self.is_same_name(own, holder)) && self.has_schema(schema)
                }
                [.., schema, _] => self.has_schema(schema),
            };
            if !inside {
                return Err(outside(parts.join(".")));
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Warehouse for ScopedWarehouse {
    fn dialect(&self) -> Dialect {
        self.inner.dialect()
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        self.load_scoped_catalog().await
    }

    fn metering(&self) -> Metering {
        self.inner.metering()
    }

    async fn preview_rows(&self, table: &Table, rows: u64) -> Result<Preview, WarehouseError> {
        if !self.load_scoped_catalog().await?.tables.iter().any(|own| own.name == table.name) {
            return Err(WarehouseError::OutOfScope { table: table.name.to_string(), schemas: self.schemas.clone() });
        }
        self.inner.preview_rows(table, rows).await
    }

    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        self.inner.safety_layers().await
    }

    async fn sandbox_state(&self) -> Result<Option<Walls>, WarehouseError> {
        self.inner.sandbox_state().await
    }

    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        self.check_scope(sql).await?;
        self.inner.check_query(sql).await
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.check_scope(sql).await?;
        self.inner.run_query(sql, limits, cancel).await
    }

    async fn query_plan(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        self.check_scope(sql).await?;
        self.inner.query_plan(sql, limits, cancel).await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}
