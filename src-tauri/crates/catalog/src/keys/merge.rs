//! Combines declared and inferred keys in one catalog.

use std::collections::{HashMap, HashSet};
use vitrine_domain::keys::primary_id;
use vitrine_domain::{Catalog, DecidedKey, ForeignKey, InferredKey, KeyDecision, TableName};

/// Returns the catalog with inferred keys added to the declared ones. Keys that a user has confirmed are included;
/// rejected ones are not, nor are foreign keys that refer to a rejected primary key. The fingerprint does not change,
/// since it belongs to the database.
pub fn with_inferred(catalog: &Catalog, inferred: &[InferredKey], decided: &[DecidedKey]) -> Catalog {
    let mut effective = catalog.clone();
    let places: HashMap<&TableName, usize> =
        catalog.tables.iter().enumerate().map(|(place, table)| (&table.name, place)).collect();
    let holds = |table: &TableName, columns: &[String]| {
        let place = *places.get(table)?;
        columns.iter().all(|column| catalog.tables[place].find_column(column).is_some()).then_some(place)
    };
    let keys = used_keys(inferred, decided);
    for key in keys.iter().filter(|key| key.references.is_none()) {
        if let Some(place) = holds(&key.table, &key.columns)
            && effective.tables[place].primary_key.is_empty()
        {
            effective.tables[place].primary_key.clone_from(&key.columns);
        }
    }
    for key in keys {
        let Some(to) = &key.references else { continue };
        let (Some(from), Some(referenced)) = (holds(&key.table, &key.columns), holds(&to.table, &to.columns)) else {
            continue;
        };
        let known = &mut effective.tables[from].foreign_keys;
        if known.iter().any(|known| known.columns == key.columns) {
            continue;
        }
        let (ref_table, ref_columns) = (to.table.clone(), to.columns.clone());
        known.push(ForeignKey { columns: key.columns.clone(), ref_table, ref_columns });
        // The target of a foreign key is unique.
        let table = &mut effective.tables[referenced];
        if !table.unique_keys.iter().chain([&table.primary_key]).any(|key| *key == to.columns) {
            table.unique_keys.push(to.columns.clone());
        }
    }
    effective
}

/// Returns the keys that apply after the user's decisions, confirmed ones first.
fn used_keys<'a>(inferred: &'a [InferredKey], decided: &'a [DecidedKey]) -> Vec<&'a InferredKey> {
    let said = |decision| decided.iter().filter(move |known| known.decision == decision).map(|known| &known.key);
    let struck: HashSet<String> = said(KeyDecision::Struck).map(InferredKey::id).collect();
    let mut seen = HashSet::new();
    let is_used = |key: &&InferredKey| {
        let referenced = key.references.as_ref().map(|to| primary_id(&to.table, &to.columns));
        seen.insert(key.id())
            && !struck.contains(&key.id())
            && !referenced.is_some_and(|referenced| struck.contains(&referenced))
    };
    said(KeyDecision::Confirmed).chain(inferred).filter(is_used).collect()
}
