//! Rows that sources delivered earlier for the same question, which runs many queries over the same tables.

use crate::blocking::blocking;
use crate::part::TablePart;
use crate::source::SourceRead;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;
use vitrine_warehouse::{JoinedColumn, JoinedTable, WarehouseError};

/// Maximum size of the kept rows in memory, in bytes; their files are smaller.
const MOST_BYTES: u64 = 4 << 30;

/// Delivered tables by source and query.
pub(crate) struct Cache {
    folder: TempDir,
    kept: Mutex<CachedTables>,
}

#[derive(Default)]
struct CachedTables {
    tables: HashMap<(usize, String), (PathBuf, Vec<JoinedColumn>)>,
    bytes: u64,
    files: u64,
}

impl Cache {
    pub fn new(folder: TempDir) -> Self {
        Self { folder, kept: Mutex::default() }
    }

    /// Places the file of an earlier query into `folder` and returns its table.
    pub async fn find(
        &self,
        source: &str,
        (part, sql): (&TablePart, &str),
        (folder, number): (&Path, usize),
    ) -> Result<Option<JoinedTable>, WarehouseError> {
        let key = (part.table.source, sql.to_owned());
        let known = self.kept.lock().unwrap_or_else(PoisonError::into_inner).tables.get(&key).cloned();
        let Some((file, columns)) = known else { return Ok(None) };
        let file_name = format!("{number}.parquet");
        let target = folder.join(&file_name);
        blocking(move || share_file(&file, &target)).await?;
        let named = columns
            .into_iter()
            .zip(&part.columns)
            .map(|(column, own)| JoinedColumn { name: own.name.clone(), ..column });
        Ok(Some(JoinedTable {
            source: source.to_owned(),
            schema: part.table.schema.clone(),
            name: part.name.clone(),
            file: Some(file_name),
            columns: named.collect(),
        }))
    }

    /// Keeps the file of a query.
    pub async fn keep(
        &self,
        (part, sql): (&TablePart, &str),
        folder: &Path,
        table: &JoinedTable,
        read: &SourceRead,
    ) -> Result<(), WarehouseError> {
        let Some(name) = &table.file else { return Ok(()) };
        let number = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.bytes + read.bytes > MOST_BYTES {
                return Ok(());
            }
            kept.bytes += read.bytes;
            kept.files += 1;
            kept.files
        };
        let (file, target) =
            (folder.join(name), self.folder.path().join(format!("{}-{number}.parquet", part.table.source)));
        let place = target.clone();
        blocking(move || share_file(&file, &target)).await?;
        let key = (part.table.source, sql.to_owned());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.tables.insert(key, (place, table.columns.clone()));
        Ok(())
    }
}

/// Makes a file available at another path, without a copy if the file system can.
fn share_file(file: &Path, target: &Path) -> Result<(), WarehouseError> {
    // Another query of the same question may have placed it.
    if target.exists() || std::fs::hard_link(file, target).is_ok() {
        return Ok(());
    }
    std::fs::copy(file, target).map(drop).map_err(|error| WarehouseError::Io {
        action: "copying".to_owned(),
        path: file.to_path_buf(),
        message: error.to_string(),
        disk_full: vitrine_domain::is_disk_full(&error),
    })
}
