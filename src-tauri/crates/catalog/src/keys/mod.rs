//! Infers keys that a database does not declare from names, the profile and a few queries (inclusion dependencies).
//!
//! Files and most cloud warehouses declare none. A primary key is a column, or a few, with unique values and typical
//! properties: its name, its position, references to it. A foreign key needs matching names and included values:
//! numbers from 1 to n occur in nearly every column of ids. The number of queries grows linearly with the number of
//! columns, not quadratically: names are looked up, and only the matches are compared.

mod check;
mod foreign;
mod merge;
mod names;
mod options;
mod primary;
mod targets;
#[cfg(test)]
mod tests;
mod units;

pub use merge::with_inferred;
pub use options::KeyOptions;

use check::Checker;
use foreign::Reference;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;
use targets::{ColumnPosition, Targets};
use tokio_util::sync::CancellationToken;
use units::Unit;
use vitrine_domain::{Catalog, InferredKey, InferredKeys, KeyReference, Profile, Table};
use vitrine_warehouse::{Warehouse, WarehouseError};

/// Minimum confidence of a foreign key.
const LEAST: f64 = 0.68;
/// Minimum confidence if a third of the tables declare foreign keys: the missing ones may be omitted on purpose.
const LEAST_BESIDE_DECLARED: f64 = 0.9;

/// Maximum number of tables of databases in which values are compared without matching names.
const FEW_TABLES: usize = 100;

/// Infers the keys that a catalog lacks. Declared primary keys are kept, and columns of declared foreign keys get no
/// others.
///
/// # Errors
/// Returns an error only if cancelled. A key whose query fails is treated as not found.
pub async fn infer_keys(
    warehouse: Arc<dyn Warehouse>,
    catalog: &Catalog,
    profile: &Profile,
    options: KeyOptions,
    cancel: CancellationToken,
) -> Result<InferredKeys, WarehouseError> {
    let ends = Instant::now() + options.budget;
    let checker = Checker { warehouse, options, cancel };
    let mut search = Search { units: units::build_units(catalog, profile), keys: Vec::new(), ends, complete: true };
    search.primary_keys(&checker).await?;
    search.foreign_keys(catalog, &checker).await?;
    let Search { mut keys, complete, .. } = search;
    let places: HashMap<_, _> = catalog.tables.iter().enumerate().map(|(at, table)| (&table.name, at)).collect();
    keys.sort_by_key(|key| (places.get(&key.table).copied(), key.references.is_some()));
    Ok(InferredKeys { fingerprint: catalog.fingerprint.clone(), keys, complete })
}

struct Search<'a> {
    units: Vec<Unit<'a>>,
    keys: Vec<InferredKey>,
    ends: Instant,
    complete: bool,
}

impl Search<'_> {
    fn is_late(&mut self) -> bool {
        self.complete &= Instant::now() < self.ends;
        !self.complete
    }

    /// Runs two rounds, because references are clearer once the keys of other tables are known.
    async fn primary_keys(&mut self, checker: &Checker) -> Result<(), WarehouseError> {
        let targets = Targets::new(&self.units);
        let open: Vec<usize> = (0..self.units.len()).filter(|&at| self.units[at].primary.is_empty()).collect();
        for round in [primary::Round::Plain, primary::Round::All] {
            for &at in &open {
                if self.is_late() {
                    return Ok(());
                }
                if !self.units[at].primary.is_empty() {
                    continue;
                }
                let Some(key) = primary::primary_key(&self.units, &targets, at, round, checker).await? else {
                    continue;
                };
                let unit = &mut self.units[at];
                if let [only] = key.columns[..] {
                    unit.columns[only].unique = Some(true);
                }
                unit.primary = key.columns;
                self.keys.extend(primary_keys_of(&self.units[at], key.confidence));
            }
        }
        Ok(())
    }

    async fn foreign_keys(&mut self, catalog: &Catalog, checker: &Checker) -> Result<(), WarehouseError> {
        let targets = Targets::new(&self.units);
        let declaring = catalog.tables.iter().filter(|table| !table.foreign_keys.is_empty()).count();
        let least = if declaring * 3 >= catalog.tables.len().max(1) { LEAST_BESIDE_DECLARED } else { LEAST };
        let mut left: Vec<ColumnPosition> = Vec::new();
        let mut composite: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.primary.len() > 1 && !unit.is_family())
        {
            composite.entry(unit.columns[unit.primary[0]].name.join_words()).or_default().push(at);
        }
        for at in 0..self.units.len() {
            let open = open_columns(&self.units[at]);
            let mut found: Vec<Reference> = Vec::new();
            for &place in &open {
                if self.is_late() {
                    return Ok(());
                }
                found.extend(foreign::find_reference(&self.units, &targets, (at, place), least, checker).await?);
            }
            if self.units[at].table.foreign_keys.is_empty() {
                let single: Vec<usize> = found.iter().flat_map(|key| key.columns.iter().copied()).collect();
                found.extend(foreign::find_composite_keys(&self.units, at, &composite, &single, checker).await?);
            }
            let refers = |place: &usize| found.iter().any(|key| key.columns.contains(place));
            left.extend(open.into_iter().filter(|place| !refers(place)).map(|place| (at, place)));
            for reference in &found {
                self.keys.extend(foreign_keys_of(&self.units, at, reference));
            }
        }
        if least == LEAST && self.units.len() <= FEW_TABLES {
            self.foreign_keys_by_values(left, checker).await?;
        }
        Ok(())
    }

    /// Checks columns that no name explains. It runs last because it takes the most time.
    async fn foreign_keys_by_values(
        &mut self,
        left: Vec<ColumnPosition>,
        checker: &Checker,
    ) -> Result<(), WarehouseError> {
        for own in left {
            if self.is_late() {
                return Ok(());
            }
            if let Some(found) = foreign::reference_by_values(&self.units, own, checker).await? {
                self.keys.extend(foreign_keys_of(&self.units, own.0, &found));
            }
        }
        Ok(())
    }
}

/// Returns the columns that are not part of a declared foreign key.
fn open_columns(unit: &Unit) -> Vec<usize> {
    let declared: HashSet<String> =
        unit.table.foreign_keys.iter().flat_map(|key| &key.columns).map(|column| column.to_lowercase()).collect();
    let is_open = |place: &usize| !declared.contains(&unit.columns[*place].column.name.to_lowercase());
    (0..unit.columns.len()).filter(is_open).collect()
}

/// Returns the key of a unit for each table that the unit represents.
fn primary_keys_of<'a>(unit: &'a Unit<'_>, confidence: f64) -> impl Iterator<Item = InferredKey> + 'a {
    let columns = column_names(unit, &unit.primary);
    let rows = format!("all {} rows", vitrine_words::format_english_number(unit.rows));
    let said = columns.join(" and ");
    let verb = if columns.len() > 1 { "together tell" } else { "tells" };
    let reason = format!("{said} {verb} {rows} of {} apart", unit.table.name);
    of_members(unit, columns, None, confidence, reason)
}

fn foreign_keys_of<'a>(units: &'a [Unit<'_>], at: usize, found: &Reference) -> impl Iterator<Item = InferredKey> + 'a {
    let to = &units[found.to];
    let references = KeyReference { table: to.table.name.clone(), columns: column_names(to, &found.referenced) };
    let columns = column_names(&units[at], &found.columns);
    of_members(&units[at], columns, Some(references), found.confidence, found.reason.clone())
}

fn of_members<'a>(
    unit: &'a Unit<'_>,
    columns: Vec<String>,
    references: Option<KeyReference>,
    confidence: f64,
    reason: String,
) -> impl Iterator<Item = InferredKey> + 'a {
    unit.members.iter().map(move |table: &&Table| InferredKey {
        table: table.name.clone(),
        columns: columns.clone(),
        references: references.clone(),
        confidence,
        reason: reason.clone(),
    })
}

fn column_names(unit: &Unit, places: &[usize]) -> Vec<String> {
    places.iter().map(|&place| unit.columns[place].column.name.clone()).collect()
}
