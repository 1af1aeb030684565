//! Named connections, and the definitions that belong to addresses.

use crate::open::Problem;
use crate::runs::to_json;
use crate::{Store, StoreError};
use rusqlite::{OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{Definitions, Environment, ScanLimits};

/// A database to which the user gave a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// A stable id, which does not change with the name.
    pub id: String,
    /// The name that the user chose; unique ignoring case.
    pub name: String,
    /// The address without secrets; unique among connections.
    pub address: String,
    /// The purpose of the connection, if set.
    pub environment: Option<Environment>,
    /// The schemas that questions may use; empty means all.
    pub schemas: Vec<String>,
    /// Further settings of the user.
    pub settings: ConnectionSettings,
    /// The time of creation; RFC 3339, UTC.
    pub created_at: String,
    /// The time of last use; RFC 3339, UTC. `None` before the first use.
    pub used_at: Option<String>,
}

/// The user's settings of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, rename_all = "camelCase")]
pub struct ConnectionSettings {
    /// True if profile and value index are built with the first question; false if only on request.
    pub read_ahead: bool,
    /// Limits of the rows that are read in advance from cloud databases.
    pub previews: PreviewSettings,
    /// Limits of the bytes that queries are billed for or read, for engines that report bytes.
    pub scans: ScanLimits,
    /// True if SQL runs only after a user has approved its exact text; see docs/safety.md.
    pub require_approval: bool,
}

impl Default for ConnectionSettings {
    fn default() -> Self {
        Self {
            read_ahead: true,
            previews: PreviewSettings::default(),
            scans: ScanLimits::default(),
            require_approval: false,
        }
    }
}

/// Limits of reading in advance from a cloud database, either by free listings or by one query per table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, rename_all = "camelCase")]
pub struct PreviewSettings {
    /// Maximum number of rows per table; 0 disables it.
    pub rows: u32,
    /// Maximum number of tables, in the order of the catalog.
    pub tables: u32,
    /// Maximum number of bytes that queries for approximate statistics of large tables may read; 0 runs no such query.
    #[specta(type = f64)]
    pub statistics_bytes: u64,
}

impl Default for PreviewSettings {
    fn default() -> Self {
        Self { rows: 1_000, tables: 500, statistics_bytes: 0 }
    }
}

pub(crate) const COLUMNS: &str = "id, name, address, environment, schemas, settings, created_at, used_at";

impl Store {
    /// Returns all connections by name.
    pub fn connections(&self) -> Result<Vec<Connection>, StoreError> {
        self.with_reader(|db| {
            db.prepare_cached(&format!("SELECT {COLUMNS} FROM connections ORDER BY name COLLATE NOCASE"))?
                .query_map([], read_connection_row)?
                .collect()
        })
    }

    /// Returns the connection with a name, ignoring case.
    pub fn connection_named(&self, name: &str) -> Result<Option<Connection>, StoreError> {
        self.find_connection("name", name)
    }

    /// Returns the connection to an address.
    pub fn connection_at(&self, address: &str) -> Result<Option<Connection>, StoreError> {
        self.find_connection("address", address)
    }

    /// Returns the connection with an id.
    pub fn connection_by_id(&self, id: &str) -> Result<Connection, StoreError> {
        self.find_connection("id", id)?.ok_or_else(|| StoreError::not_found("connection", id))
    }

    fn find_connection(&self, column: &str, value: &str) -> Result<Option<Connection>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM connections WHERE {column} = ?1");
        self.with_reader(|db| db.query_row(&select, [value], read_connection_row).optional())
    }

    /// Stores a connection, replacing the one with its id. If its address changed, definitions and interpretations move
    /// to the new address.
    ///
    /// # Errors
    /// Fails if another connection has the name or the address.
    pub fn keep_connection(&self, kept: &Connection) -> Result<(), StoreError> {
        let taken = |other: Connection, what: &'static str| StoreError::Taken { what, name: other.name };
        if let Some(other) = self.connection_named(&kept.name)?.filter(|other| other.id != kept.id) {
            return Err(taken(other, "name"));
        }
        if let Some(other) = self.connection_at(&kept.address)?.filter(|other| other.id != kept.id) {
            return Err(taken(other, "address"));
        }
        self.with_transaction(|db| {
            let before: Option<String> = db
                .query_row("SELECT address FROM connections WHERE id = ?1", [&kept.id], |row| row.get(0))
                .optional()?;
            put_connection(db, kept)?;
            if let Some(before) = before.filter(|before| *before != kept.address) {
                db.execute(
                    "UPDATE OR IGNORE definitions SET address = ?2 WHERE address = ?1",
                    [&before, &kept.address],
                )?;
                db.execute("UPDATE OR IGNORE readings SET address = ?2 WHERE address = ?1", [&before, &kept.address])?;
            }
            Ok(())
        })
    }

    /// Records that a connection was used.
    pub fn connection_used(&self, address: &str, at: &str) -> Result<(), StoreError> {
        self.with_transaction(|db| {
            Ok(db.execute("UPDATE connections SET used_at = ?2 WHERE address = ?1", [address, at]).map(drop)?)
        })
    }

    /// Removes a connection with its definitions and chosen interpretations; its database and its runs are kept.
    pub fn remove_connection(&self, id: &str) -> Result<(), StoreError> {
        self.with_transaction(|db| {
            for table in ["definitions", "readings"] {
                let own =
                    format!("DELETE FROM {table} WHERE address = (SELECT address FROM connections WHERE id = ?1)");
                db.execute(&own, [id])?;
            }
            match db.execute("DELETE FROM connections WHERE id = ?1", [id])? {
                0 => Err(Problem::from(StoreError::not_found("connection", id))),
                _ => Ok(()),
            }
        })
    }

    /// Returns the definitions of an address.
    pub fn definitions(&self, address: &str) -> Result<Definitions, StoreError> {
        let select = "SELECT body FROM definitions WHERE address = ?1";
        let text: Option<String> =
            self.with_reader(|db| db.query_row(select, [address], |row| row.get(0)).optional())?;
        Ok(text.map(|text| parse_or_default(&text)).unwrap_or_default())
    }

    /// Stores the definitions of an address, or deletes them if empty.
    pub fn set_definitions(&self, address: &str, known: &Definitions) -> Result<(), StoreError> {
        self.with_transaction(|db| {
            if *known == Definitions::default() {
                db.execute("DELETE FROM definitions WHERE address = ?1", [address])?;
            } else {
                put_definitions(db, address, known)?;
            }
            Ok(())
        })
    }
}

/// Writes a connection, replacing the one with its id.
pub(crate) fn put_connection(db: &rusqlite::Connection, kept: &Connection) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO connections VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, address = excluded.address,
             environment = excluded.environment, schemas = excluded.schemas, settings = excluded.settings",
        params![
            kept.id,
            kept.name,
            kept.address,
            kept.environment.as_ref().map(to_json),
            to_json(&kept.schemas),
            to_json(&kept.settings),
            kept.created_at,
            kept.used_at,
        ],
    )?;
    Ok(())
}

/// Writes the definitions of an address.
pub(crate) fn put_definitions(db: &rusqlite::Connection, address: &str, known: &Definitions) -> rusqlite::Result<()> {
    let upsert = "INSERT INTO definitions VALUES (?1, ?2) ON CONFLICT (address) DO UPDATE SET body = excluded.body";
    db.execute(upsert, params![address, to_json(known)])?;
    Ok(())
}

pub(crate) fn read_connection_row(row: &Row<'_>) -> rusqlite::Result<Connection> {
    let environment: Option<String> = row.get(3)?;
    Ok(Connection {
        id: row.get(0)?,
        name: row.get(1)?,
        address: row.get(2)?,
        environment: environment.map(|text| parse_or_default::<Option<Environment>>(&text)).unwrap_or_default(),
        schemas: parse_or_default(&row.get::<_, String>(4)?),
        settings: parse_or_default(&row.get::<_, String>(5)?),
        created_at: row.get(6)?,
        used_at: row.get(7)?,
    })
}

/// Parses a stored value; returns the default if it does not match its type.
pub(crate) fn parse_or_default<T: DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| {
        tracing::warn!(%error, "a part of a connection does not fit; the default is used");
        T::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Definition, DefinitionSource};

    fn make_connection(id: &str, name: &str, address: &str) -> Connection {
        Connection {
            id: id.to_owned(),
            name: name.to_owned(),
            address: address.to_owned(),
            environment: "production".parse().ok(),
            schemas: vec!["sales".to_owned()],
            settings: ConnectionSettings { read_ahead: false, require_approval: true, ..ConnectionSettings::default() },
            created_at: "2026-11-24T00:00:00Z".to_owned(),
            used_at: None,
        }
    }

    fn open_store() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        (dir, store)
    }

    #[test]
    fn a_connection_is_found_by_name_and_by_address() {
        let (_dir, store) = open_store();
        let shop = make_connection("1", "Shop", "postgresql://ann@db/shop");
        store.keep_connection(&shop).unwrap();
        assert_eq!(store.connection_named("SHOP").unwrap().as_ref(), Some(&shop));
        assert_eq!(store.connection_at(&shop.address).unwrap().as_ref(), Some(&shop));
        assert_eq!(store.connection_named("shop2").unwrap(), None);
        store.connection_used(&shop.address, "2026-11-25T00:00:00Z").unwrap();
        assert_eq!(store.connections().unwrap()[0].used_at.as_deref(), Some("2026-11-25T00:00:00Z"));
        store.remove_connection("1").unwrap();
        assert!(store.connections().unwrap().is_empty() && store.remove_connection("1").is_err());
    }

    #[test]
    fn no_two_connections_share_a_name_or_an_address_and_a_rename_is_neither() {
        let (_dir, store) = open_store();
        store.keep_connection(&make_connection("1", "Shop", "sqlite:/a.db")).unwrap();
        let taken = |kept: &Connection| store.keep_connection(kept).unwrap_err().to_string();
        assert!(taken(&make_connection("2", "shop", "sqlite:/b.db")).contains("'Shop'"));
        assert!(taken(&make_connection("2", "Other", "sqlite:/a.db")).contains("'Shop'"));
        store.keep_connection(&make_connection("1", "SHOP", "sqlite:/a.db")).unwrap();
        assert_eq!(store.connections().unwrap()[0].name, "SHOP");
    }

    #[test]
    fn what_is_known_in_words_goes_with_its_connection() {
        let (_dir, store) = open_store();
        let known = Definitions {
            text: "Prices are in cents.".to_owned(),
            entries: vec![Definition {
                term: "active".to_owned(),
                synonyms: vec!["aktiv".to_owned()],
                meaning: "ordered this year".to_owned(),
                condition: Some("last_order >= '2026-01-01'".to_owned()),
                always: false,
                subject: None,
                source: DefinitionSource::User,
            }],
        };
        store.set_definitions("sqlite:/a.db", &known).unwrap();
        store.keep_connection(&make_connection("1", "Shop", "sqlite:/a.db")).unwrap();
        store.keep_connection(&make_connection("1", "Shop", "sqlite:/moved.db")).unwrap();
        assert_eq!(store.definitions("sqlite:/moved.db").unwrap(), known);
        assert_eq!(store.definitions("sqlite:/a.db").unwrap(), Definitions::default());
        store.remove_connection("1").unwrap();
        assert_eq!(store.definitions("sqlite:/moved.db").unwrap(), Definitions::default());
    }
}
