//! Comparison of inferred with declared keys of one database.

use anyhow::Result;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{KeyOptions, ProfileOptions, infer_keys, profile_database};
use vitrine_domain::{Catalog, InferredKey, InferredKeys, Profile, Table, TableName};
use vitrine_warehouse::WarehouseUri;

/// Counts of declared and inferred keys over all databases.
#[derive(Default)]
pub struct Tally {
    pub databases: u64,
    /// Declared primary keys without NULLs, of tables with rows.
    pub primary: u64,
    pub primary_found: u64,
    /// Inferred primary keys that differ from the declared ones, and how many are a part of them.
    pub primary_other: u64,
    pub primary_part: u64,
    /// Inferred primary keys of tables without a declared one, which cannot be judged.
    pub primary_unknown: u64,
    /// Declared foreign keys, those between tables with rows, and those found.
    pub foreign: u64,
    pub foreign_findable: u64,
    pub foreign_found: u64,
    /// Inferred foreign keys, those not declared, and among these the ones without support by declared keys.
    pub inferred: u64,
    pub foreign_other: u64,
    pub foreign_wrong: u64,
    /// Time of the inference relative to the profile, for each database.
    pub ratios: Vec<f64>,
    /// Missed and wrong keys, one per line.
    pub lines: Vec<String>,
}

type ColumnOf = (String, String);
type Pairs = HashSet<(ColumnOf, ColumnOf)>;

impl Tally {
    /// Removes all keys from a database's catalog, infers them, and compares.
    pub async fn add(&mut self, uri: &str) -> Result<()> {
        let warehouse = vitrine_warehouse::open_warehouse(&WarehouseUri::parse(uri)?).await?;
        let declared = warehouse.load_catalog().await?;
        let mut catalog = declared.clone();
        for table in &mut catalog.tables {
            table.primary_key.clear();
            table.unique_keys.clear();
            table.foreign_keys.clear();
        }
        let began = Instant::now();
        let cancel = CancellationToken::new();
        let profile =
            profile_database(warehouse.clone(), &catalog, ProfileOptions::default(), |_, _, _| {}, cancel.clone())
                .await?;
        let profiled = began.elapsed();
        let began = Instant::now();
        let inferred = infer_keys(warehouse.clone(), &catalog, &profile, KeyOptions::default(), cancel).await?;
        self.ratios.push(began.elapsed().as_secs_f64() / profiled.as_secs_f64().max(1e-9));
        warehouse.close().await;
        self.databases += 1;
        self.judge(&declared, &profile, &inferred);
        Ok(())
    }

    fn judge(&mut self, declared: &Catalog, profile: &Profile, inferred: &InferredKeys) {
        self.judge_primary_keys(declared, profile, inferred);
        let told: Vec<Pairs> = inferred.keys.iter().filter_map(pairs_of_inferred).collect();
        let pairs: Pairs = told.iter().flatten().cloned().collect();
        let mut known = Pairs::new();
        for table in &declared.tables {
            for key in &table.foreign_keys {
                let Some(to) = declared.find_table(&key.ref_table.to_string()) else { continue };
                let of = pairs_of(&table.name, &key.columns, &to.name, &key.ref_columns);
                let found = of.is_subset(&pairs);
                let findable = rows(table, profile) > 0 && rows(to, profile) > 0;
                self.foreign += 1;
                self.foreign_findable += u64::from(findable);
                self.foreign_found += u64::from(found);
                if findable && !found {
                    self.lines.push(format!("missed foreign key, {}: {}", declared.database, text(&of)));
                }
                known.extend(of);
            }
        }
        let domains = Domains::of(&known);
        self.inferred += told.len() as u64;
        for of in told.iter().filter(|of| !of.is_subset(&known)) {
            let implied = of.iter().all(|(a, b)| domains.are_one(a, b) || repeats_key(declared, a, b));
            self.foreign_other += 1;
            self.foreign_wrong += u64::from(!implied);
            let kind = if implied { "implied" } else { "wrong" };
            self.lines.push(format!("{kind} foreign key, {}: {}", declared.database, text(of)));
        }
    }

    fn judge_primary_keys(&mut self, declared: &Catalog, profile: &Profile, inferred: &InferredKeys) {
        let primary: HashMap<&TableName, HashSet<String>> = inferred
            .keys
            .iter()
            .filter(|key| key.references.is_none())
            .map(|key| (&key.table, lower_all(&key.columns)))
            .collect();
        for table in &declared.tables {
            let found = primary.get(&table.name);
            let key = lower_all(&table.primary_key);
            if key.is_empty() {
                self.primary_unknown += u64::from(found.is_some());
            } else if rows(table, profile) > 0 && is_present(table, profile) {
                let other = found.filter(|found| **found != key);
                self.primary += 1;
                self.primary_found += u64::from(found == Some(&key));
                self.primary_other += u64::from(other.is_some());
                self.primary_part += u64::from(other.is_some_and(|other| other.is_subset(&key)));
                if found != Some(&key) {
                    let line = format!("{}.{}: {key:?}, inferred {found:?}", declared.database, table.name);
                    self.lines
                        .push(format!("{} primary key, {line}", if found.is_some() { "other" } else { "missed" }));
                }
            }
        }
    }
}

fn rows(table: &Table, profile: &Profile) -> u64 {
    profile.find_table(&table.name).and_then(|known| known.row_count).unwrap_or_default()
}

fn pairs_of(table: &TableName, columns: &[String], to: &TableName, referenced: &[String]) -> Pairs {
    let place = |table: &TableName, column: &str| (lower(&table.to_string()), lower(column));
    columns.iter().zip(referenced).map(|(a, b)| (place(table, a), place(to, b))).collect()
}

fn pairs_of_inferred(key: &InferredKey) -> Option<Pairs> {
    let to = key.references.as_ref()?;
    Some(pairs_of(&key.table, &key.columns, &to.table, &to.columns))
}

/// Checks if a column has the name of another column that is its table's declared primary key.
fn repeats_key(declared: &Catalog, a: &ColumnOf, b: &ColumnOf) -> bool {
    let key = declared.find_table(&b.0).map(|table| lower_all(&table.primary_key)).unwrap_or_default();
    a.1 == b.1 && key.len() == 1 && key.contains(&b.1)
}

/// Checks that the columns of a declared primary key have no NULLs; the engine ensures uniqueness.
fn is_present(table: &Table, profile: &Profile) -> bool {
    let Some(known) = profile.find_table(&table.name) else { return false };
    table.primary_key.iter().all(|column| known.find_column(column).is_some_and(|column| column.null_ratio == 0.0))
}

/// Columns that declared foreign keys connect, directly or indirectly, and that therefore hold the same values.
struct Domains(BTreeMap<ColumnOf, usize>);

impl Domains {
    fn of(known: &Pairs) -> Self {
        let mut domains: BTreeMap<ColumnOf, usize> = BTreeMap::new();
        for (number, (a, b)) in known.iter().enumerate() {
            let (of_a, of_b) = (domains.get(a).copied(), domains.get(b).copied());
            let kept = of_a.unwrap_or(number);
            for domain in domains.values_mut().filter(|domain| Some(**domain) == of_b) {
                *domain = kept;
            }
            domains.insert(a.clone(), kept);
            domains.insert(b.clone(), kept);
        }
        Self(domains)
    }

    fn are_one(&self, a: &ColumnOf, b: &ColumnOf) -> bool {
        self.0.get(a).is_some_and(|domain| self.0.get(b) == Some(domain))
    }
}

fn text(pairs: &Pairs) -> String {
    let mut texts: Vec<String> = pairs.iter().map(|(a, b)| format!("{}.{} -> {}.{}", a.0, a.1, b.0, b.1)).collect();
    texts.sort();
    texts.join(", ")
}

fn lower_all(columns: &[String]) -> HashSet<String> {
    columns.iter().map(|column| lower(column)).collect()
}

fn lower(name: &str) -> String {
    name.to_lowercase()
}
