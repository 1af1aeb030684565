//! Joins that add a table which a query references but does not read.

use super::edit::{Edit, JoinStep};
use super::join_path::JoinPath;
use super::scope::{Col, Rel, Scope, Walk};
use crate::text::{normalize_name, same_name};
use sqlparser::tokenizer::Span;
use vitrine_domain::{ForeignKey, Table};
use vitrine_words::{join_with_and, tr};

/// Returns the item if there is exactly one.
pub(super) fn exactly_one<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut items = items.into_iter();
    let first = items.next()?;
    items.all(|other| other == first).then_some(first)
}

/// Maximum number of many-to-one keys in a path: city, region, country and continent of a customer.
const MOST_STEPS: usize = 4;
/// Maximum number of incomplete paths, so that the search stays bounded in schemas with many keys.
const MOST_PATHS: usize = 512;

/// A path of joins with the item of the FROM clause from which it begins.
struct FoundPath {
    item: usize,
    steps: Vec<JoinStep>,
}

impl FoundPath {
    fn describe(&self) -> JoinPath {
        let columns = self.steps.first().into_iter().flat_map(|step| &step.on).map(|[(_, column), _]| column.clone());
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
        let holders = self.catalog.tables.iter().filter(|t| t.find_column(name).is_some());
        let mut paths: Vec<FoundPath> = holders
            .filter(|table| self.may_join(scope, table))
            .flat_map(|table| self.paths_to(scope, table, true))
            .collect();
        let fewest = paths.iter().map(|path| path.steps.len()).min();
        paths.retain(|path| Some(path.steps.len()) == fewest);
        match paths.len() {
            // Keys by name are less certain than declared ones.
            0 => {
                let holders = self.catalog.tables.iter().filter(|t| t.find_column(name).is_some());
                exactly_one(holders.filter(|t| self.may_join(scope, t)).filter_map(|t| self.join_by_name(scope, t)))
            }
            _ => self.choose_path(scope, name, paths),
        }
    }

    /// Returns the joins that add a table along the shortest path of foreign keys.
    pub(super) fn join_to(&self, scope: &Scope, table: &Table, only_forward: bool) -> Option<Edit> {
        if !self.may_join(scope, table) {
            return None;
        }
        let paths = self.paths_to(scope, table, only_forward);
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

    /// Returns all shortest paths of foreign keys from the items in scope to a table: at most [`MOST_STEPS`] keys that keep
    /// the number of rows, otherwise at most two.
    fn paths_to(&self, scope: &Scope, table: &Table, only_forward: bool) -> Vec<FoundPath> {
        let is_read = |t: &Table| {
            let own = t.name.to_string();
            scope.rels.iter().any(|r| r.table.as_deref() == Some(&own) || same_name(r.name(), &t.name.name))
        };
        let first = |t: &Table, forward: bool| -> Vec<FoundPath> {
            self.steps_from(scope, t, forward)
                .into_iter()
                .map(|(item, step)| FoundPath { item, steps: vec![step] })
                .collect()
        };
        let direct = first(table, only_forward);
        if !direct.is_empty() {
            return direct;
        }
        let between: Vec<&Table> = self.catalog.tables.iter().filter(|t| t.name != table.name && !is_read(t)).collect();
        let mut open: Vec<(&Table, FoundPath)> =
            between.iter().flat_map(|t| first(t, only_forward).into_iter().map(move |path| (*t, path))).collect();
        let most = if only_forward { MOST_STEPS } else { 2 };
        for _ in 1..most {
            let extend = |(last, path): &(&Table, FoundPath), next: &Table| -> Vec<FoundPath> {
                steps_between(last, next, only_forward)
                    .into_iter()
                    .map(|step| FoundPath {
                        item: path.item,
                        steps: path.steps.iter().cloned().chain([step]).collect(),
                    })
                    .collect()
            };
            let arrived: Vec<FoundPath> = open.iter().flat_map(|path| extend(path, table)).collect();
            if !arrived.is_empty() {
                return arrived;
            }
            let unseen = |path: &FoundPath, t: &Table| path.steps.iter().all(|step| step.table != t.name);
            open = open
                .iter()
                .flat_map(|path| {
                    let next = between.iter().filter(|t| unseen(&path.1, t));
                    next.flat_map(|t| extend(path, t).into_iter().map(|longer| (*t, longer))).collect::<Vec<_>>()
                })
                .take(MOST_PATHS)
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

    /// Returns all single-key joins between the items in scope and a table.
    fn steps_from(&self, scope: &Scope, table: &Table, only_forward: bool) -> Vec<(usize, JoinStep)> {
        let mut steps = Vec::new();
        let full = table.name.to_string();
        for rel in scope.rels.iter().filter(|r| !r.name().is_empty()) {
            // Forward: a key in scope points to the table.
            for owner in &self.catalog.tables {
                for key in owner.foreign_keys.iter().filter(|k| self.refers_to(k, table)) {
                    let pairs = foreign_key_pairs(key, table);
                    let own = owner.name.to_string();
                    if let Some(on) = pairs.and_then(|p| visible_join_condition(rel, &own, &p, &table.name.name, true))
                    {
                        steps.push((rel.item, JoinStep { table: table.name.clone(), on }));
                    }
                }
            }
            // Backward: a key of the table points to something in scope.
            for key in table.foreign_keys.iter().filter(|key| !only_forward || one_to_one(key, table)) {
                let Some(target) = self.catalog.tables.iter().find(|t| self.refers_to(key, t)) else { continue };
                let target_name = target.name.to_string();
                if target_name == full {
                    continue;
                }
                if let Some(on) = foreign_key_pairs(key, target)
                    .and_then(|p| visible_join_condition(rel, &target_name, &p, &table.name.name, false))
                {
                    steps.push((rel.item, JoinStep { table: table.name.clone(), on }));
                }
            }
        }
        steps.dedup();
        steps
    }

    fn refers_to(&self, key: &ForeignKey, table: &Table) -> bool {
        same_name(&key.ref_table.to_string(), &table.name.to_string())
            || (key.ref_table.schema.is_none() && same_name(&key.ref_table.name, &table.name.name))
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

/// Returns all single foreign keys between two tables, as joins of the second.
fn steps_between(first: &Table, second: &Table, only_forward: bool) -> Vec<JoinStep> {
    let to = |key: &ForeignKey, t: &Table| same_name(&key.ref_table.name, &t.name.name);
    let step = |on: Vec<(String, String)>| JoinStep {
        table: second.name.clone(),
        on: on.into_iter().map(|(a, b)| [(first.name.name.clone(), a), (second.name.name.clone(), b)]).collect(),
    };
    let forward =
        first.foreign_keys.iter().filter(|k| to(k, second)).filter_map(|k| foreign_key_pairs(k, second)).map(step);
    let swap = |p: Vec<(String, String)>| p.into_iter().map(|(a, b)| (b, a)).collect();
    let backward = second
        .foreign_keys
        .iter()
        .filter(|k| to(k, first) && (!only_forward || one_to_one(k, second)))
        .filter_map(|k| foreign_key_pairs(k, first))
        .map(|p| step(swap(p)));
    forward.chain(backward).collect()
}

/// Returns true if a foreign key is the owner's whole primary key, so that joining the owner to its target adds no
/// rows.
fn one_to_one(key: &ForeignKey, owner: &Table) -> bool {
    key.columns.len() == owner.primary_key.len()
        && key.columns.iter().all(|c| owner.primary_key.iter().any(|p| same_name(p, c)))
}
