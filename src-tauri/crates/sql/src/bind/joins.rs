//! Joins that add a table which a query references but does not read.

use super::edit::{Edit, JoinStep};
use super::join_path::JoinPath;
use super::key_graph::{KeyGraph, KeyLink};
use super::scope::{Col, Rel, Scope, Walk};
use crate::text::{normalize_name, same_name};
use sqlparser::tokenizer::Span;
use vitrine_domain::{ForeignKey, Table};
use vitrine_words::{join_with_and, tr};

/// Returns the first item if all items are equal.
pub(super) fn exactly_one<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut items = items.into_iter();
    let first = items.next()?;
    items.all(|other| other == first).then_some(first)
}

/// Maximum number of many-to-one keys in a path, such as customer, city, region, country, continent.
const MOST_STEPS: usize = 4;
/// Maximum number of incomplete paths, so that the search stays bounded in schemas with many keys.
const MOST_PATHS: usize = 512;

/// A path of joins with the item of the FROM clause from which it begins.
#[derive(Debug, Clone, PartialEq)]
struct FoundPath {
    item: usize,
    steps: Vec<JoinStep>,
}

impl FoundPath {
    fn describe(&self) -> JoinPath {
        let columns = self.steps.iter().flat_map(|step| &step.on).map(|[(_, column), _]| column.clone());
        JoinPath { tables: self.steps.iter().map(|step| step.table.clone()).collect(), columns: columns.collect() }
    }
}

/// Returns true for names of keys that do not say which table they identify.
pub(super) fn is_generic_key_name(name: &str) -> bool {
    matches!(normalize_name(name).as_str(), "id" | "key" | "code" | "name" | "number" | "no" | "nr" | "uid" | "uuid")
}

impl Walk<'_> {
    /// Joins the table that has this column if foreign keys lead to it from an item in scope, along the shortest path. Of
    /// several such paths, the caller chooses one. The opposite direction is excluded because it would multiply rows.
    pub(super) fn join_for_column(&self, scope: &Scope, name: &str) -> Option<Edit> {
        let holds = |table: &Table| table.find_column(name).is_some() && self.may_join(scope, table);
        let paths = self.shortest_paths(scope, holds, true);
        if paths.is_empty() {
            // Keys by name are less certain than declared ones.
            let holders = self.catalog.tables.iter().filter(|table| holds(table));
            exactly_one(holders.filter_map(|table| self.join_by_name(scope, table)))
        } else {
            self.choose_path(scope, name, paths)
        }
    }

    /// Returns the joins that add a table along the shortest path of foreign keys.
    pub(super) fn join_to(&self, scope: &Scope, table: &Table, only_forward: bool) -> Option<Edit> {
        if !self.may_join(scope, table) {
            return None;
        }
        let paths = self.shortest_paths(scope, |other| other.name == table.name, only_forward);
        if paths.is_empty() {
            self.join_by_name(scope, table)
        } else {
            self.choose_path(scope, &table.name.name, paths)
        }
    }

    /// Returns true if a table can be added to this FROM clause under its own name.
    fn may_join(&self, scope: &Scope, table: &Table) -> bool {
        let taken = scope.rels.iter().any(|r| same_name(r.name(), &table.name.name));
        !taken && !scope.has_unlisted_columns() && scope.select != Span::empty()
    }

    /// Returns the shortest paths of foreign keys from the items in scope to tables for which `is_goal` is true: at most
    /// [`MOST_STEPS`] keys that add no rows, otherwise at most two. An incomplete search returns no path, because it
    /// would not show that a path is the only one.
    fn shortest_paths(&self, scope: &Scope, is_goal: impl Fn(&Table) -> bool, only_forward: bool) -> Vec<FoundPath> {
        let keys = KeyGraph::from_catalog(self.catalog);
        let is_read = |table: &Table| {
            let own = table.name.to_string();
            scope.rels.iter().any(|r| r.table.as_deref() == Some(&own) || same_name(r.name(), &table.name.name))
        };
        let mut open = self.first_steps(scope, &keys, only_forward);
        let most = if only_forward { MOST_STEPS } else { 2 };
        for taken in 1..=most {
            let (arrived, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|(table, _)| is_goal(table));
            if !arrived.is_empty() || taken == most || rest.len() > MOST_PATHS {
                return arrived.into_iter().map(|(_, path)| path).collect();
            }
            open = rest
                .iter()
                .filter(|(table, _)| !is_read(table))
                .flat_map(|(table, path)| extend_path(table, path, &keys, only_forward))
                .collect();
        }
        Vec::new()
    }

    /// Returns the edit for the only path, or for the one that the caller chooses.
    fn choose_path(&self, scope: &Scope, name: &str, mut paths: Vec<FoundPath>) -> Option<Edit> {
        let at = match paths.len() {
            1 => 0,
            _ => self
                .choose
                .and_then(|choose| choose(name, &paths.iter().map(FoundPath::describe).collect::<Vec<_>>()))?,
        };
        if at >= paths.len() {
            return None;
        }
        let FoundPath { item, steps } = paths.swap_remove(at);
        let names: Vec<String> = steps.iter().map(|s| s.table.name.clone()).collect();
        let note = match names.as_slice() {
            [one] => tr!("{table} was joined along its foreign key", table = one),
            many => tr!("{tables} were joined along their foreign keys", tables = join_with_and(many)),
        };
        Some(Edit::Join { select: scope.select, item, note, steps })
    }

    /// Joins a table whose whole primary key matches a column in scope by name, without a declared foreign key, because
    /// many databases omit them. Generic names such as "id" are excluded, and so are pairs of primary keys.
    fn join_by_name(&self, scope: &Scope, table: &Table) -> Option<Edit> {
        let [key] = table.primary_key.as_slice() else { return None };
        if is_generic_key_name(key) {
            return None;
        }
        let own_key = |rel: &Rel| {
            let owner = self
                .catalog
                .tables
                .iter()
                .find(|t| rel.table.as_deref().is_some_and(|r| same_name(r, &t.name.to_string())));
            owner.is_some_and(|t| matches!(t.primary_key.as_slice(), [own] if same_name(own, key)))
        };
        let named =
            |rel: &&Rel| !rel.name().is_empty() && rel.rows.cols.iter().any(|c| !c.guessed && same_name(&c.name, key));
        let rel =
            exactly_one(scope.rels.iter().filter(named).map(|rel| (rel.item, rel.name().to_owned(), own_key(rel))))?;
        let (item, name, false) = rel else { return None };
        let on = [(name, key.clone()), (table.name.name.clone(), key.clone())];
        let step = JoinStep { table: table.name.clone(), on: vec![on] };
        let note = tr!("{table} was joined by its key {key}", table = table.name.name, key);
        Some(Edit::Join { select: scope.select, item, note, steps: vec![step] })
    }

    /// Returns the tables that one key joins to an item in scope.
    fn first_steps<'k>(&self, scope: &Scope, keys: &KeyGraph<'k>, only_forward: bool) -> Vec<(&'k Table, FoundPath)> {
        let mut steps: Vec<(&Table, FoundPath)> = Vec::new();
        for rel in scope.rels.iter().filter(|r| !r.name().is_empty()) {
            let mut sources: Vec<&str> =
                rel.rows.cols.iter().flat_map(|col| &col.sources).map(|(table, _)| table.as_str()).collect();
            sources.sort_unstable();
            sources.dedup();
            for source in sources {
                // Forward: a key in scope points to the table.
                let forward = keys.keys_of(source).filter_map(|KeyLink { key, target, .. }| {
                    let pairs = foreign_key_pairs(key, target)?;
                    let on = visible_join_condition(rel, source, &pairs, &target.name.name, true)?;
                    Some((target, on))
                });
                // Backward: a key of the table points to something in scope.
                let backward = keys.keys_to(source).filter_map(|KeyLink { owner, key, target }| {
                    if (only_forward && !one_to_one(key, owner)) || owner.name == target.name {
                        return None;
                    }
                    let pairs = foreign_key_pairs(key, target)?;
                    let on = visible_join_condition(rel, source, &pairs, &owner.name.name, false)?;
                    Some((owner, on))
                });
                for (table, on) in forward.chain(backward) {
                    let path = FoundPath { item: rel.item, steps: vec![JoinStep { table: table.name.clone(), on }] };
                    if !steps.iter().any(|(_, known)| *known == path) {
                        steps.push((table, path));
                    }
                }
            }
        }
        steps
    }
}

/// Returns the column pairs of a foreign key. Without named target columns, it refers to the primary key.
fn foreign_key_pairs(key: &ForeignKey, target: &Table) -> Option<Vec<(String, String)>> {
    let targets = if key.ref_columns.is_empty() { &target.primary_key } else { &key.ref_columns };
    let fits = !key.columns.is_empty() && key.columns.len() == targets.len();
    fits.then(|| key.columns.iter().cloned().zip(targets.iter().cloned()).collect())
}

/// Builds a join condition if an item in scope exposes the required columns, directly or through a view.
fn visible_join_condition(
    rel: &Rel,
    table: &str,
    pairs: &[(String, String)],
    joined: &str,
    forward: bool,
) -> Option<Vec<[(String, String); 2]>> {
    let mut on = Vec::new();
    for (from, to) in pairs {
        let (here, there) = if forward { (from, to) } else { (to, from) };
        let comes_from =
            |c: &&Col| matches!(c.sources.as_slice(), [(t, c)] if same_name(t, table) && same_name(c, here));
        let mut cols = rel.rows.cols.iter().filter(|c| !c.guessed).filter(comes_from);
        let (Some(col), None) = (cols.next(), cols.next()) else { return None };
        on.push([(rel.name().to_owned(), col.name.clone()), (joined.to_owned(), there.clone())]);
    }
    Some(on)
}

/// Returns the paths that are longer by one key than a path to `last`.
fn extend_path<'k>(
    last: &Table,
    path: &FoundPath,
    keys: &KeyGraph<'k>,
    only_forward: bool,
) -> Vec<(&'k Table, FoundPath)> {
    let name = last.name.to_string();
    let forward = keys.keys_of(&name).filter_map(|KeyLink { key, target, .. }| {
        let pairs = foreign_key_pairs(key, target)?;
        Some((target, pairs))
    });
    let backward = keys.keys_to(&name).filter_map(|KeyLink { owner, key, target }| {
        let pairs = foreign_key_pairs(key, target).filter(|_| !only_forward || one_to_one(key, owner))?;
        Some((owner, pairs.into_iter().map(|(own, referred)| (referred, own)).collect()))
    });
    let longer = forward.chain(backward).filter(|(table, _): &(&Table, Vec<(String, String)>)| {
        let is_new = |step: &JoinStep| !same_name(&step.table.name, &table.name.name);
        table.name != last.name && path.steps.iter().all(is_new)
    });
    longer
        .map(|(table, pairs)| {
            let on =
                pairs.into_iter().map(|(a, b)| [(last.name.name.clone(), a), (table.name.name.clone(), b)]).collect();
            let step = JoinStep { table: table.name.clone(), on };
            (table, FoundPath { item: path.item, steps: path.steps.iter().cloned().chain([step]).collect() })
        })
        .collect()
}

/// Returns true if a foreign key is the owner's whole primary key, so that joining the owner to its target adds no
/// rows.
fn one_to_one(key: &ForeignKey, owner: &Table) -> bool {
    key.columns.len() == owner.primary_key.len()
        && key.columns.iter().all(|c| owner.primary_key.iter().any(|p| same_name(p, c)))
}
