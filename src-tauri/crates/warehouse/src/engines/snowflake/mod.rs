//! Snowflake, with its ADBC driver in a process of its own. Snowflake has no read-only sessions: only the read-only
//! proof of each statement and the permissions of the role protect it, which is why secondary roles are disabled.

mod address;
mod engine;
mod estimate;
mod form;
mod introspect;
mod options;
mod rights;

use crate::cells;
use crate::engine::Engine;
use crate::engines::adbc::{self, Hidden, LibraryFile, Pool, SignsIn};
use crate::run::{run_blocking, stream_batches};
use crate::{Batches, Checked, Limits, OpenOptions, ServerAddress, WarehouseError, fingerprint};
use address::{Account, SignIn};
use arrow::datatypes::Field;
use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer};
use vitrine_words::tr;

pub(crate) use engine::ENGINE;

/// Types of columns that contain JSON.
const NESTED: [&str; 4] = ["variant", "object", "array", "map"];

/// A database of a Snowflake account.
pub(crate) struct SnowflakeWarehouse {
    pool: Arc<Pool>,
    account: Arc<Account>,
    memory_bytes: u64,
    closed: CancellationToken,
}

impl SnowflakeWarehouse {
    /// Signs in and checks that the database exists.
    ///
    /// # Errors
    /// Fails if the address is invalid, a secret is missing, or Snowflake refuses the login.
    pub(crate) fn open(library: &Path, server: &ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let shown = server.to_string();
        let wrong = |reason: String| WarehouseError::Address { text: shown.clone(), reason };
        let account = server.snowflake_account().map_err(wrong)?;
        if account.key_file.is_some() && !options.own_address {
            return Err(wrong(tr!("an address that came with another person's run cannot use your keys")));
        }
        let needs_secret = options::needs_secret(account.sign_in);
        if needs_secret && server.password().is_none_or(str::is_empty) {
            return Err(WarehouseError::Password { server: shown, refused: false, detail: String::new() });
        }
        let all = options::driver_options(&account, server.password(), &shown)?;
        let signs_in = if account.sign_in == SignIn::Browser { SignsIn::Somebody } else { SignsIn::Alone };
        let (hidden, beginning) =
            (Hidden::from_password(server.password()), vec![options::NO_SECONDARY_ROLES.to_owned()]);
        let library = LibraryFile { path: library, sha256: options.driver_sha256.as_deref() };
        let pool = Pool::open(&library, all, beginning, &shown, hidden, signs_in)
            .map_err(|error| options::at_connect(&error, &shown, server.password().is_some()))?;
        let warehouse = Self {
            pool: Arc::new(pool),
            account: Arc::new(account),
            memory_bytes: options.memory_bytes,
            closed: CancellationToken::new(),
        };
        introspect::ensure_schema_exists(&warehouse.pool, &warehouse.account, &shown)?;
        Ok(warehouse)
    }
}

/// Labels a text column as JSON if its Snowflake type is a nested one.
fn convert_field(field: &Field) -> Field {
    let named = ["SNOWFLAKE_TYPE", "logicalType"].iter().find_map(|name| field.metadata().get(*name));
    let nested = named.filter(|name| NESTED.contains(&name.to_ascii_lowercase().as_str()));
    cells::build_field(field.name(), field.data_type().clone(), nested.map(|_| "VARIANT"))
}

#[async_trait]
impl Engine for SnowflakeWarehouse {
    const DIALECT: Dialect = Dialect::Snowflake;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let (pool, account) = (self.pool.clone(), self.account.clone());
        run_blocking(move || {
            let (tables, version) = introspect::read_tables(&pool, &account)?;
            let catalog = Catalog {
                database: account.database.clone(),
                dialect: Self::DIALECT,
                search_path: account.schema.iter().cloned().collect(),
                own_functions: Vec::new(),
                fingerprint: String::new(),
                tables,
            };
            Ok(fingerprint::set_fingerprint(catalog, &version))
        })
        .await
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        let (pool, sql) = (self.pool.clone(), sql.to_owned());
        run_blocking(move || {
            let checked = adbc::check_statement(&pool, &sql, convert_field)?;
            Ok(Checked { bytes: estimate::estimate_bytes(&pool, &sql), ..checked })
        })
        .await
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let pool = self.pool.clone();
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            adbc::run_statement(&pool, &sql, convert_field, sink)
        })
        .await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let (pool, account) = (self.pool.clone(), self.account.clone());
        run_blocking(move || Ok(rights::build_safety_layers(&pool, &account))).await
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {
        self.pool.clear_idle();
    }
}

#[cfg(test)]
mod tests;
