//! Reading of data files, and the user's options for it.

use crate::app::App;
use vitrine_domain::{AppError, ErrorCode, FileOptions, FileReading};
use vitrine_warehouse::check_file_options;
use vitrine_words::tr;

impl App {
    /// Returns how the tables of data files were read; empty for other warehouses.
    pub async fn file_readings(&self, warehouse: String) -> Result<Vec<FileReading>, AppError> {
        Ok(self.ensure_open(&warehouse).await?.warehouse.file_readings().await?)
    }

    /// Reads the file of a table with the user's options from now on, and returns the outcome. If the file cannot be read with them, the
    /// previous options apply again.
    pub async fn read_file_as(
        &self,
        warehouse: String,
        table: String,
        options: FileOptions,
    ) -> Result<Vec<FileReading>, AppError> {
        let opened = self.ensure_open(&warehouse).await;
        let uri = match &opened {
            Ok(open) => open.uri.clone(),
            Err(error) if error.code == ErrorCode::Unconfirmed => return Err(error.clone()),
            // The previous options may be the reason that the warehouse cannot be opened.
            Err(_) => self.resolve_address(&warehouse).await?.to_string(),
        };
        if let Ok(open) = &opened {
            let known = open.warehouse.file_readings().await?;
            if known.iter().all(|reading| reading.table != table) {
                let message = tr!("{table} is not a table of a CSV, JSON or Excel file", table);
                return Err(
                    AppError::new(ErrorCode::Usage, message).with_hint(tr!("`vitrine files` lists those that are"))
                );
            }
        }
        check_file_options(&options).map_err(|message| AppError::new(ErrorCode::Usage, message))?;
        let before = self.tell_options(&uri, &table, options).await?;
        self.reopen_warehouse(&uri).await;
        match self.file_readings(uri.clone()).await {
            Ok(readings) => Ok(readings),
            Err(error) => {
                self.tell_options(&uri, &table, before).await?;
                self.reopen_warehouse(&uri).await;
                Err(error)
            }
        }
    }

    /// Stores the options of a table and returns the previous ones.
    async fn tell_options(&self, uri: &str, table: &str, options: FileOptions) -> Result<FileOptions, AppError> {
        let (uri, table) = (uri.to_owned(), table.to_owned());
        self.with_store(move |store| {
            let before = store.table_options(&uri)?.remove(&table).unwrap_or_default();
            store.set_table_options(&uri, &table, options)?;
            Ok(before)
        })
        .await
    }

    /// Closes a warehouse so that the next request opens it again. Running questions keep the old one until they end.
    async fn reopen_warehouse(&self, uri: &str) {
        if let Some(open) = self.inner.warehouses.remove_open(uri) {
            open.cancel.cancel();
        }
    }
}
