//! Describes a database as a whole for a model: subject areas, central tables, large tables and date ranges (ProSPy, 3.1:
//! database-level knowledge), from keys and profile.

use crate::compress::{Compressed, CompressedTable};
use crate::profile::holds_dates;
use crate::render::Profiles;
use crate::text::one_line;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use vitrine_domain::{Profile, TableProfile};
use vitrine_words::format_english_number;

/// Maximum numbers of listed areas, tables of an area, central tables, large tables and date columns.
const AREAS: usize = 8;
const TABLES: usize = 4;
const CENTRAL: usize = 5;
const LARGE: usize = 3;
const DATES: usize = 5;
/// Number of joined tables from which a table is central.
const JOINS: usize = 2;
/// Maximum number of characters of a name.
const NAME: usize = 80;

/// Describes the database in a few lines; empty if it has a single table. Look-alike tables count as one.
pub fn describe_database(compressed: &Compressed, profile: Option<&Profile>) -> Vec<String> {
    if compressed.tables.len() < 2 {
        return Vec::new();
    }
    let overview = Overview { compressed, profiles: Profiles::new(profile), joined: find_joins(compressed) };
    [overview.list_areas(), overview.list_central_tables(), overview.list_large_tables(), overview.list_dates()]
        .into_iter()
        .flatten()
        .collect()
}

struct Overview<'a> {
    compressed: &'a Compressed,
    profiles: Profiles<'a>,
    /// Tables that keys join with each table, by index.
    joined: Vec<BTreeSet<usize>>,
}

impl Overview<'_> {
    /// Lists the subject areas: schemas if there are several, else groups of tables that keys join.
    fn list_areas(&self) -> Option<String> {
        let schemas = self.group_by_schema();
        let areas: Vec<(String, Vec<usize>)> = match schemas.len() {
            0 | 1 => self.find_components().into_iter().map(|tables| (String::new(), tables)).collect(),
            _ => schemas.into_iter().collect(),
        };
        let (mut areas, alone): (Vec<_>, Vec<_>) = areas.into_iter().partition(|(_, tables)| tables.len() > 1);
        let alone: Vec<usize> =
            alone.into_iter().flat_map(|(_, tables)| tables).filter(|&at| self.joined[at].is_empty()).collect();
        if areas.is_empty() {
            return None;
        }
        areas.sort_by_key(|(_, tables)| Reverse(tables.len()));
        let area = |(schema, tables): &(String, Vec<usize>)| {
            let mut central = tables.clone();
            central.sort_by_key(|&at| (Reverse(self.joined[at].len()), at));
            let names: Vec<String> = central.iter().take(TABLES).map(|&at| self.name(at)).collect();
            let more = tables.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let title = if schema.is_empty() { String::new() } else { format!("{} with ", one_line(schema, NAME)) };
            format!("{title}{}{more}", names.join(", "))
        };
        let mut listed: Vec<String> = areas.iter().take(AREAS).map(area).collect();
        if areas.len() > AREAS {
            listed.push(format!("{} further areas", areas.len() - AREAS));
        }
        if !alone.is_empty() {
            listed.push(format!("{} that no key joins", count_tables(alone.len())));
        }
        Some(format!("Subject areas ({}): {}", count_tables(self.compressed.tables.len()), listed.join("; ")))
    }

    fn group_by_schema(&self) -> BTreeMap<String, Vec<usize>> {
        let mut schemas: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, table) in self.compressed.tables.iter().enumerate() {
            schemas.entry(table.representative.name.schema.clone().unwrap_or_default()).or_default().push(at);
        }
        schemas
    }

    fn find_components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.joined.len()];
        let mut components = Vec::new();
        for start in 0..seen.len() {
            let mut component = Vec::new();
            let mut left = vec![start];
            while let Some(at) = left.pop() {
                if !std::mem::replace(&mut seen[at], true) {
                    component.push(at);
                    left.extend(&self.joined[at]);
                }
            }
            if !component.is_empty() {
                component.sort_unstable();
                components.push(component);
            }
        }
        components
    }

    fn list_central_tables(&self) -> Option<String> {
        let mut central: Vec<usize> = (0..self.joined.len()).filter(|&at| self.joined[at].len() >= JOINS).collect();
        central.sort_by_key(|&at| (Reverse(self.joined[at].len()), at));
        let named = |at: usize| format!("{} (joined with {} others)", self.name(at), self.joined[at].len());
        list("Central tables", central.into_iter().take(CENTRAL).map(named))
    }

    fn list_large_tables(&self) -> Option<String> {
        let mut large: Vec<(u64, usize)> = (0..self.joined.len())
            .filter_map(|at| Some((self.row_count(at)?, at)))
            .filter(|known| known.0 > 0)
            .collect();
        large.sort_by_key(|&(rows, at)| (Reverse(rows), at));
        let named = |(rows, at): (u64, usize)| format!("{} ({} rows)", self.name(at), format_english_number(rows));
        list("Largest tables", large.into_iter().take(LARGE).map(named))
    }

    /// Lists the ranges of date columns, those of the largest tables first.
    fn list_dates(&self) -> Option<String> {
        let mut tables: Vec<usize> = (0..self.joined.len()).collect();
        tables.sort_by_key(|&at| (Reverse(self.row_count(at).unwrap_or(0)), at));
        let ranges = tables.into_iter().flat_map(|at| self.date_ranges(at));
        list("Dates", ranges.take(DATES))
    }

    fn date_ranges(&self, at: usize) -> Vec<String> {
        let table = &self.compressed.tables[at];
        // The profile of one member says nothing about the others.
        let Some(profile) = self.profile(table).filter(|_| table.members.len() == 1) else { return Vec::new() };
        let seen = if profile.is_whole() { "" } else { " in a sample" };
        let range = |column: &crate::compress::CompressedColumn| {
            let known = profile.find_column(&column.column.name)?;
            let (min, max) = (known.min.as_deref()?, known.max.as_deref()?);
            let is_date = holds_dates(&column.column, Some(known), table.dialect);
            let column = one_line(&column.column.name, NAME);
            is_date.then(|| {
                let (min, max) = (one_line(min, NAME), one_line(max, NAME));
                format!("{}.{column} from {min} to {max}{seen}", self.name(at))
            })
        };
        table.columns.iter().filter_map(range).collect()
    }

    fn profile(&self, table: &CompressedTable) -> Option<&TableProfile> {
        self.profiles.find_for_group(table)
    }

    fn row_count(&self, at: usize) -> Option<u64> {
        let table = &self.compressed.tables[at];
        if table.members.len() > 1 {
            return None;
        }
        self.profile(table).and_then(|profile| profile.row_count).or(table.representative.row_count)
    }

    /// Returns the name of a table, or the pattern of a group.
    fn name(&self, at: usize) -> String {
        one_line(&self.compressed.tables[at].pattern, NAME)
    }
}

fn list(title: &str, items: impl Iterator<Item = String>) -> Option<String> {
    let items: Vec<String> = items.collect();
    (!items.is_empty()).then(|| format!("{title}: {}", items.join("; ")))
}

fn count_tables(count: usize) -> String {
    if count == 1 { "1 table".to_owned() } else { format!("{} tables", format_english_number(count as u64)) }
}

/// Returns for each table the others that foreign keys join with it, in either direction.
fn find_joins(compressed: &Compressed) -> Vec<BTreeSet<usize>> {
    let places: HashMap<_, _> = compressed.group_indices();
    let mut joined = vec![BTreeSet::new(); compressed.tables.len()];
    for (from, table) in compressed.tables.iter().enumerate() {
        for key in &table.representative.foreign_keys {
            if let Some(&to) = places.get(&key.ref_table).filter(|&&to| to != from) {
                joined[from].insert(to);
                joined[to].insert(from);
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests;
