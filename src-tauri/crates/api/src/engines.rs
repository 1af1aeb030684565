//! Engines, and the addresses of their databases as forms.

use crate::app::App;
use crate::types::{EngineEntry, ParsedAddress, WarehouseKind, WrittenAddress};
use std::collections::BTreeMap;
use vitrine_domain::AppError;
use vitrine_warehouse::{LocationKind, TypedAddress};

impl App {
    /// Returns all engines in the order in which they are offered: data files, databases in files, then servers and clouds. Most first
    /// questions are about a file.
    pub async fn engines(&self) -> Result<Vec<EngineEntry>, AppError> {
        let mut engines: Vec<_> = vitrine_warehouse::engines().collect();
        engines.sort_by_key(|engine| {
            let is_local = engine.location == LocationKind::Path && engine.has_rows;
            // The default kind reads data files.
            (engine.kind != WarehouseKind::default(), !is_local)
        });
        Ok(engines.into_iter().map(EngineEntry::from).collect())
    }

    /// Splits a typed address into its password and the values of its engine's form. Reads no files.
    pub async fn parse_address(&self, text: String) -> Result<ParsedAddress, AppError> {
        Ok(TypedAddress::parse(&text).into())
    }

    /// Writes the address of the values of an engine's form.
    pub async fn write_address(
        &self,
        kind: WarehouseKind,
        values: BTreeMap<String, String>,
    ) -> Result<WrittenAddress, AppError> {
        Ok(match kind.info().write_address(&values) {
            Ok(address) => WrittenAddress { address, missing: None },
            Err(missing) => WrittenAddress { address: String::new(), missing: Some(missing) },
        })
    }
}
