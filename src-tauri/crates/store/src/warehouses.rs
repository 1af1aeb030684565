//! Recently used warehouses and their settings.

use crate::{Store, StoreError};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{DecidedKey, FileOptions, InferredKey, KeyDecision, TableOptions};

/// A warehouse that was used recently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecentWarehouse {
    /// The address of the warehouse, without secrets.
    pub uri: String,
    /// The display name of the warehouse.
    pub title: String,
    /// The time of last use; RFC 3339, UTC.
    pub last_used: String,
}

impl Store {
    /// Records the use of a warehouse.
    pub fn remember_warehouse(&self, warehouse: &RecentWarehouse) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            transaction.execute(
                "INSERT INTO warehouses VALUES (?1, ?2, ?3)
                 ON CONFLICT (uri) DO UPDATE SET title = excluded.title, last_used = excluded.last_used",
                params![warehouse.uri, warehouse.title, warehouse.last_used],
            )?;
            Ok(())
        })
    }

    /// Returns recently used warehouses, latest first.
    pub fn recent_warehouses(&self) -> Result<Vec<RecentWarehouse>, StoreError> {
        self.with_reader(|connection| {
            connection
                .prepare_cached("SELECT uri, title, last_used FROM warehouses ORDER BY last_used DESC, uri")?
                .query_map([], |row| {
                    Ok(RecentWarehouse { uri: row.get(0)?, title: row.get(1)?, last_used: row.get(2)? })
                })?
                .collect()
        })
    }

    /// Returns the user-defined functions of a warehouse that its queries may call.
    pub fn allowed_functions(&self, uri: &str) -> Result<Vec<String>, StoreError> {
        Ok(self.setting(&functions_of(uri))?.unwrap_or_default())
    }

    /// Stores the user-defined functions of a warehouse that its queries may call.
    pub fn set_allowed_functions(&self, uri: &str, names: &[String]) -> Result<(), StoreError> {
        match names {
            [] => self.delete_setting(&functions_of(uri)),
            names => self.set_setting(&functions_of(uri), &names),
        }
    }

    /// Returns the user's options for the tables of data files.
    pub fn table_options(&self, uri: &str) -> Result<TableOptions, StoreError> {
        Ok(self.setting(&files_of(uri))?.unwrap_or_default())
    }

    /// Stores the user's options for one table; default options are deleted.
    pub fn set_table_options(&self, uri: &str, table: &str, options: FileOptions) -> Result<(), StoreError> {
        let mut known = self.table_options(uri)?;
        match options == FileOptions::default() {
            true => known.remove(table),
            false => known.insert(table.to_owned(), options),
        };
        if known.is_empty() { self.delete_setting(&files_of(uri)) } else { self.set_setting(&files_of(uri), &known) }
    }

    /// Returns the inferred keys of a warehouse that a user has decided on.
    pub fn decided_keys(&self, uri: &str) -> Result<Vec<DecidedKey>, StoreError> {
        Ok(self.setting(&keys_of(uri))?.unwrap_or_default())
    }

    /// Stores the user's decision on a key; `None` removes it.
    pub fn decide_key(
        &self,
        uri: &str,
        key: &InferredKey,
        decision: Option<KeyDecision>,
    ) -> Result<Vec<DecidedKey>, StoreError> {
        let mut decided = self.decided_keys(uri)?;
        decided.retain(|known| known.key.id() != key.id());
        decided.extend(decision.map(|decision| DecidedKey { key: key.clone(), decision }));
        match decided.as_slice() {
            [] => self.delete_setting(&keys_of(uri))?,
            decided => self.set_setting(&keys_of(uri), &decided)?,
        }
        Ok(decided)
    }

    /// Removes a warehouse from the list; the database itself and its runs are kept.
    pub fn forget_warehouse(&self, uri: &str) -> Result<(), StoreError> {
        self.delete_setting(&functions_of(uri))?;
        self.delete_setting(&keys_of(uri))?;
        self.delete_setting(&files_of(uri))?;
        self.with_transaction(|transaction| {
            match transaction.execute("DELETE FROM warehouses WHERE uri = ?1", [uri])? {
                0 => Err(StoreError::not_found("warehouse", uri).into()),
                _ => Ok(()),
            }
        })
    }
}

/// Name of the setting for allowed functions; it may exist for a warehouse that is not in the list.
fn functions_of(uri: &str) -> String {
    format!("functions:{uri}")
}

/// Name of the setting for tables of data files.
pub(crate) fn files_of(uri: &str) -> String {
    format!("files:{uri}")
}

/// Name of the setting for decided keys.
pub(crate) fn keys_of(uri: &str) -> String {
    format!("keys:{uri}")
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use vitrine_domain::{FileOptions, InferredKey, KeyDecision, TableName};

    #[test]
    fn what_is_said_about_a_file_is_kept_until_nothing_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        let told = FileOptions { keep_rows: true, as_text: vec!["plz".to_owned()], ..FileOptions::default() };
        store.set_table_options("file:/a", "sales", told.clone()).unwrap();
        assert_eq!(store.table_options("file:/a").unwrap().get("sales"), Some(&told));
        assert!(store.table_options("file:/b").unwrap().is_empty());
        store.set_table_options("file:/a", "sales", FileOptions::default()).unwrap();
        assert!(store.table_options("file:/a").unwrap().is_empty());
        store.set_table_options("file:/a", "sales", told).unwrap();
        assert!(store.forget_warehouse("file:/a").is_err(), "it was never opened");
        assert!(store.table_options("file:/a").unwrap().is_empty());
    }

    #[test]
    fn keys_are_decided_for_one_warehouse_until_it_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        let key = |column: &str| InferredKey {
            table: TableName::from_unqualified("orders"),
            columns: vec![column.to_owned()],
            references: None,
            confidence: 0.9,
            reason: "it tells rows apart".to_owned(),
        };
        store.decide_key("duckdb:/a", &key("id"), Some(KeyDecision::Confirmed)).unwrap();
        store.decide_key("duckdb:/a", &key("no"), Some(KeyDecision::Confirmed)).unwrap();
        let decided = store.decide_key("duckdb:/a", &key("no"), Some(KeyDecision::Struck)).unwrap();
        let decisions: Vec<_> = decided.iter().map(|known| (known.key.id(), known.decision)).collect();
        let expected = [("orders(id)", KeyDecision::Confirmed), ("orders(no)", KeyDecision::Struck)];
        assert_eq!(decisions, expected.map(|(id, decision)| (id.to_owned(), decision)));
        assert_eq!(store.decided_keys("duckdb:/a").unwrap(), decided);
        assert!(store.decided_keys("duckdb:/b").unwrap().is_empty());
        assert_eq!(store.decide_key("duckdb:/a", &key("no"), None).unwrap().len(), 1);
        assert!(store.forget_warehouse("duckdb:/a").is_err(), "it was never opened");
        assert!(store.decided_keys("duckdb:/a").unwrap().is_empty());
    }

    #[test]
    fn functions_are_allowed_for_one_warehouse_until_it_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        let names = vec!["sales.margin".to_owned()];
        store.set_allowed_functions("duckdb:/a", &names).unwrap();
        assert_eq!(store.allowed_functions("duckdb:/a").unwrap(), names);
        assert!(store.allowed_functions("duckdb:/b").unwrap().is_empty());
        assert!(store.forget_warehouse("duckdb:/a").is_err(), "it was never opened");
        assert!(store.allowed_functions("duckdb:/a").unwrap().is_empty());
        store.set_allowed_functions("duckdb:/a", &names).unwrap();
        store.set_allowed_functions("duckdb:/a", &[]).unwrap();
        assert!(store.allowed_functions("duckdb:/a").unwrap().is_empty());
    }
}
