//! Finding the one way to mend a name. Wherever there are two ways, there is none.

use super::edit::{Edit, JoinStep};
use super::resolve::Place;
use super::scope::{Clause, Rel, Scope, Walk, same};
use crate::fold::{nearest, normalized, singular};
use sqlparser::ast::{Expr, Ident};
use vitrine_domain::{ForeignKey, Table};

/// A column in sight: how it is called and what it is named.
#[derive(Debug, Clone, PartialEq)]
struct Target {
    qualifier: String,
    column: String,
}

impl Target {
    fn parts(&self) -> Vec<String> {
        vec![self.qualifier.clone(), self.column.clone()]
    }
}

/// The one item, if there is exactly one.
fn only<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut items = items.into_iter();
    let first = items.next()?;
    items.all(|other| other == first).then_some(first)
}

/// The columns in sight; items that share a name with another cannot be told apart and are left out.
fn targets(rels: &[Rel]) -> impl Iterator<Item = Target> {
    let unique = |r: &&Rel| !r.name().is_empty() && rels.iter().filter(|o| same(o.name(), r.name())).count() == 1;
    rels.iter().filter(unique).flat_map(|r| {
        r.rows
            .cols
            .iter()
            .filter(|c| !c.guessed)
            .map(|c| Target { qualifier: r.name().to_owned(), column: c.name.clone() })
    })
}

impl<'a> Walk<'a> {
    /// A bare name that nothing in sight has.
    pub(super) fn repair_column(&self, ident: &Ident, place: Place<'_>, date_part: bool) -> Option<Edit> {
        let name = &ident.value;
        let at = ident.span;
        let rename = |to: &Target, qualified: bool| {
            let parts = if qualified { to.parts() } else { vec![to.column.clone()] };
            Edit::Name { at, note: format!("{name} was read as {}.{}", to.qualifier, to.column), parts }
        };
        let scope = self.innermost()?;
        let qualified = scope.rels.len() > 1;
        if let Some(target) = variant(name, &scope.rels) {
            return Some(rename(&target, qualified));
        }
        if date_part {
            return Some(Edit::Text { at, text: name.clone(), note: format!("{name} was read as the text '{name}'") });
        }
        if ident.quote_style == Some('"') && place.text_possible {
            return Some(Edit::Text {
                at,
                text: name.clone(),
                note: format!("\"{name}\" was read as the text '{name}'"),
            });
        }
        if let Some(join) = self.join_for_column(scope, name) {
            return Some(join);
        }
        if scope.rels.iter().any(|r| same(r.name(), name)) {
            // A table's name where a column should stand is no slip of the pen.
            return None;
        }
        let target = nearest(name, targets(&scope.rels).map(|t| (t.column.clone(), t)))?;
        Some(rename(&target, qualified))
    }

    /// A qualified name of which the qualifier lacks the column, or is not in sight.
    pub(super) fn repair_path(&self, parts: &[Ident], called: bool) -> Option<Edit> {
        let [qualifier, column] = parts else { return None };
        let (qualifier_name, name) = (&qualifier.value, &column.value);
        let at = qualifier.span;
        let rename = |to: Target| Edit::Name {
            at,
            note: format!("{qualifier_name}.{name} was read as {}.{}", to.qualifier, to.column),
            parts: to.parts(),
        };
        if called {
            let own = |s: &Scope| s.rels.iter().filter(|r| r.is_called(&[qualifier_name])).cloned().collect::<Vec<_>>();
            let rels = self.scopes.iter().rev().map(own).find(|rels| !rels.is_empty())?;
            let here = self.innermost()?;
            // Its own column written otherwise before another table's by these very letters.
            return written_otherwise(name, &rels)
                .or_else(|| exactly(name, &here.rels))
                .or_else(|| variant(name, &rels))
                .map(rename)
                .or_else(|| self.join_for_column(here, name))
                .or_else(|| nearest(name, targets(&rels).map(|t| (t.column.clone(), t))).map(rename));
        }
        // The qualifier may be a table that has another name here, or a slip for a name that is here.
        for scope in self.scopes.iter().rev().filter(|s| !s.rels.is_empty()) {
            let has = |r: &&Rel| r.rows.open || r.col(name).is_some();
            let by_table =
                scope.rels.iter().filter(|r| r.table.as_deref().is_some_and(|t| same(t, qualifier_name))).filter(has);
            if let Some(rel) = only(by_table.map(|r| r.name().to_owned())) {
                return Some(rename(Target { qualifier: rel, column: name.clone() }));
            }
            let by_slip = scope.rels.iter().filter(|r| singular(r.name()) == singular(qualifier_name)).filter(has);
            if let Some(rel) = only(by_slip.map(|r| r.name().to_owned())) {
                return Some(rename(Target { qualifier: rel, column: name.clone() }));
            }
        }
        if let Some(table) = self.table_like(qualifier_name) {
            let column_there =
                table.columns.iter().find(|c| same(&c.name, name) || normalized(&c.name) == normalized(name));
            if column_there.is_some() {
                let scope = self.innermost()?;
                let join = self.join_to(scope, table, false);
                if join.is_some() && !same(&table.name.name, qualifier_name) {
                    // The join brings the table in under its own name; the name is mended in the next round.
                    return join;
                }
                return join.or_else(|| exactly(name, &scope.rels).map(rename));
            }
        }
        exactly(name, &self.innermost()?.rels).map(rename)
    }

    /// The innermost FROM clause. Repairs stay within it: reaching into an outer query would tie the two together.
    fn innermost(&self) -> Option<&Scope> {
        self.scopes.iter().rev().find(|s| !s.rels.is_empty())
    }

    /// A column that several items have.
    pub(super) fn repair_ambiguous(
        &self,
        ident: &Ident,
        rels: &[usize],
        depth: usize,
        place: Place<'_>,
    ) -> Option<Edit> {
        let scope = self.scopes.get(depth)?;
        let name = &ident.value;
        let twins = |i: &usize| scope.rels.iter().filter(|r| same(r.name(), scope.rels[*i].name())).count() > 1;
        if rels.iter().any(twins) {
            return None;
        }
        let rename = |to: &Rel, why: &str| Edit::Name {
            at: ident.span,
            parts: vec![to.name().to_owned(), name.clone()],
            note: format!("{name} was read as {}.{name}, {why}", to.name()),
        };
        // Columns of a function over JSON have names that tables have, too: what it is there for is its key and value.
        let own: Vec<&Rel> = rels.iter().map(|&i| &scope.rels[i]).filter(|r| !r.rows.open).collect();
        if let ([table], true) = (own.as_slice(), own.len() < rels.len())
            && !["key", "value", "atom"].iter().any(|part| same(part, name))
        {
            return Some(rename(table, "the table's own column"));
        }
        let before: Vec<usize> = rels
            .iter()
            .copied()
            .filter(|&i| scope.rels[i].table.as_ref().is_none_or(|t| !self.joined.contains(t)))
            .collect();
        if let ([only], true) = (before.as_slice(), before.len() < rels.len()) {
            return Some(rename(&scope.rels[*only], "as before the join"));
        }
        // Nothing is compared with itself: `ON a.id = id` means the other.
        if let Some(Expr::CompoundIdentifier(parts)) = place.against
            && let [qualifier, column] = parts.as_slice()
            && same(&column.value, name)
        {
            let mut others = rels.iter().map(|&i| &scope.rels[i]).filter(|r| !same(r.name(), &qualifier.value));
            if let (Some(rel), None) = (others.next(), others.next()) {
                return Some(rename(rel, "the other side of the comparison"));
            }
        }
        let key = matches!(scope.clause, Clause::GroupBy | Clause::Having | Clause::OrderBy);
        let selected = scope
            .selected
            .iter()
            .filter(|_| key)
            .filter(|(_, column)| same(column, name))
            .map(|(qualifier, _)| qualifier.to_lowercase());
        if let Some(qualifier) = only(selected)
            && let Some(rel) = rels.iter().map(|&i| &scope.rels[i]).find(|r| same(r.name(), &qualifier))
        {
            return Some(rename(rel, "the one in the select list"));
        }
        // Items that a join sets equal in this column hold the same value: the first of them will do.
        let first = &scope.rels[*rels.first()?];
        let equal = |rel: &Rel| {
            scope.equal.iter().any(|[a, b]| {
                let is = |side: &(String, String), r: &Rel| same(&side.0, r.name()) && same(&side.1, name);
                (is(a, first) && is(b, rel)) || (is(b, first) && is(a, rel))
            })
        };
        rels[1..]
            .iter()
            .all(|&i| equal(&scope.rels[i]))
            .then(|| rename(first, "to which the join sets the others equal"))
    }

    /// A table that does not exist.
    pub(super) fn repair_table(&self, idents: &[&Ident], name: &str, has_alias: bool) -> Option<Edit> {
        let at = idents.first()?.span;
        if self.catalog.tables.iter().any(|t| t.column(name).is_some()) {
            // A column's name where a table should stand is no slip of the pen.
            return None;
        }
        let views = self.views.iter().map(|(v, _)| (v.clone(), vec![v.clone()]));
        let tables = self
            .catalog
            .tables
            .iter()
            .map(|t| (t.name.name.clone(), t.name.parts().map(str::to_owned).collect::<Vec<_>>()));
        let all: Vec<(String, Vec<String>)> = views.chain(tables).collect();
        let matching =
            |test: &dyn Fn(&str) -> bool| only(all.iter().filter(|(n, _)| test(n)).map(|(_, parts)| parts.clone()));
        let parts = matching(&|n| normalized(n) == normalized(name))
            .or_else(|| matching(&|n| singular(n) == singular(name)))
            .or_else(|| nearest(name, all.iter().cloned()))?;
        let keep = (!has_alias).then(|| name.to_owned());
        Some(Edit::Table { at, keep, note: format!("the table {name} was read as {}", parts.join(".")), name: parts })
    }

    fn table_like(&self, name: &str) -> Option<&'a Table> {
        self.find_table(&[name]).or_else(|| {
            let mut found = self.catalog.tables.iter().filter(|t| singular(&t.name.name) == singular(name));
            match (found.next(), found.next()) {
                (Some(table), None) => Some(table),
                _ => None,
            }
        })
    }

    /// Joins the table that has this column, if foreign keys of something in sight point to it; of several such tables
    /// the one that is nearest. Joining the other way round would multiply rows, which a bare name does not ask for.
    fn join_for_column(&self, scope: &Scope, name: &str) -> Option<Edit> {
        let holders = self.catalog.tables.iter().filter(|t| t.column(name).is_some());
        let joins: Vec<(usize, Edit)> = holders
            .filter_map(|table| self.join_to(scope, table, true))
            .map(|edit| (if let Edit::Join { steps, .. } = &edit { steps.len() } else { 0 }, edit))
            .collect();
        let fewest = joins.iter().map(|(steps, _)| *steps).min()?;
        let mut nearest = joins.into_iter().filter(|(steps, _)| *steps == fewest).map(|(_, edit)| edit);
        match (nearest.next(), nearest.next()) {
            (Some(edit), None) => Some(edit),
            _ => None,
        }
    }

    /// The joins that bring a table in, if there is exactly one path of at most two foreign keys.
    fn join_to(&self, scope: &Scope, table: &Table, only_forward: bool) -> Option<Edit> {
        let full = table.name.to_string();
        let taken = scope.rels.iter().any(|r| same(r.name(), &table.name.name));
        if taken || scope.open() || scope.select == sqlparser::tokenizer::Span::empty() {
            return None;
        }
        let direct = self.steps_from(scope, table, only_forward);
        let (item, steps) = match direct.as_slice() {
            [one] => (one.0, vec![one.1.clone()]),
            [] => {
                let mut paths = Vec::new();
                for between in &self.catalog.tables {
                    let own = between.name.to_string();
                    if own == full || scope.rels.iter().any(|r| r.table.as_deref() == Some(&own)) {
                        continue;
                    }
                    for (item, first) in self.steps_from(scope, between, only_forward) {
                        for second in steps_between(between, table, only_forward) {
                            paths.push((item, vec![first.clone(), second]));
                        }
                    }
                }
                let mut paths = paths.into_iter();
                match (paths.next(), paths.next()) {
                    (Some(path), None) => path,
                    (None, None) => return self.join_by_name(scope, table),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let names: Vec<&str> = steps.iter().map(|s| s.table.name.as_str()).collect();
        let note = match names.as_slice() {
            [one] => format!("{one} was joined along its foreign key"),
            many => format!("{} were joined along their foreign keys", many.join(" and ")),
        };
        Some(Edit::Join { select: scope.select, item, note, steps })
    }

    /// The join of a table whose whole primary key is a column in sight by name, though no foreign key is declared: many
    /// databases leave them out. A name like "id" says nothing, and two primary keys do not refer to each other.
    fn join_by_name(&self, scope: &Scope, table: &Table) -> Option<Edit> {
        let [key] = table.primary_key.as_slice() else { return None };
        if matches!(normalized(key).as_str(), "id" | "key" | "code" | "name" | "number" | "no" | "nr" | "uid" | "uuid")
        {
            return None;
        }
        let own_key = |rel: &Rel| {
            let owner =
                self.catalog.tables.iter().find(|t| rel.table.as_deref().is_some_and(|r| same(r, &t.name.to_string())));
            owner.is_some_and(|t| matches!(t.primary_key.as_slice(), [own] if same(own, key)))
        };
        let named =
            |rel: &&Rel| !rel.name().is_empty() && rel.rows.cols.iter().any(|c| !c.guessed && same(&c.name, key));
        let rel = only(scope.rels.iter().filter(named).map(|rel| (rel.item, rel.name().to_owned(), own_key(rel))))?;
        let (item, name, false) = rel else { return None };
        let on = [(name, key.clone()), (table.name.name.clone(), key.clone())];
        let step = JoinStep { table: table.name.clone(), on: vec![on] };
        let note = format!("{} was joined by its key {key}", table.name.name);
        Some(Edit::Join { select: scope.select, item, note, steps: vec![step] })
    }

    /// All single foreign keys between what is in sight and a table.
    fn steps_from(&self, scope: &Scope, table: &Table, only_forward: bool) -> Vec<(usize, JoinStep)> {
        let mut steps = Vec::new();
        let full = table.name.to_string();
        for rel in scope.rels.iter().filter(|r| !r.name().is_empty()) {
            // Forward: a key in sight points to the table.
            for owner in &self.catalog.tables {
                for key in owner.foreign_keys.iter().filter(|k| self.refers_to(k, table)) {
                    let pairs = pairs(key, table);
                    let own = owner.name.to_string();
                    if let Some(on) = pairs.and_then(|p| visible(rel, &own, &p, &table.name.name, true)) {
                        steps.push((rel.item, JoinStep { table: table.name.clone(), on }));
                    }
                }
            }
            // Backward: a key of the table points to something in sight.
            for key in table.foreign_keys.iter().filter(|key| !only_forward || one_to_one(key, table)) {
                let Some(target) = self.catalog.tables.iter().find(|t| self.refers_to(key, t)) else { continue };
                let target_name = target.name.to_string();
                if target_name == full {
                    continue;
                }
                if let Some(on) =
                    pairs(key, target).and_then(|p| visible(rel, &target_name, &p, &table.name.name, false))
                {
                    steps.push((rel.item, JoinStep { table: table.name.clone(), on }));
                }
            }
        }
        steps.dedup();
        steps
    }

    fn refers_to(&self, key: &ForeignKey, table: &Table) -> bool {
        same(&key.ref_table.to_string(), &table.name.to_string())
            || (key.ref_table.schema.is_none() && same(&key.ref_table.name, &table.name.name))
    }
}

/// The column pairs of a foreign key; without named targets it points to the primary key.
fn pairs(key: &ForeignKey, target: &Table) -> Option<Vec<(String, String)>> {
    let targets = if key.ref_columns.is_empty() { &target.primary_key } else { &key.ref_columns };
    let fits = !key.columns.is_empty() && key.columns.len() == targets.len();
    fits.then(|| key.columns.iter().cloned().zip(targets.iter().cloned()).collect())
}

/// Writes a join condition, if an item in sight shows the columns it needs, itself or through a view.
fn visible(
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
            |c: &&super::scope::Col| matches!(c.sources.as_slice(), [(t, c)] if same(t, table) && same(c, here));
        let mut cols = rel.rows.cols.iter().filter(|c| !c.guessed).filter(comes_from);
        let (Some(col), None) = (cols.next(), cols.next()) else { return None };
        on.push([(rel.name().to_owned(), col.name.clone()), (joined.to_owned(), there.clone())]);
    }
    Some(on)
}

/// All single foreign keys between two tables, as joins of the second.
fn steps_between(first: &Table, second: &Table, only_forward: bool) -> Vec<JoinStep> {
    let to = |key: &ForeignKey, t: &Table| same(&key.ref_table.name, &t.name.name);
    let step = |on: Vec<(String, String)>| JoinStep {
        table: second.name.clone(),
        on: on.into_iter().map(|(a, b)| [(first.name.name.clone(), a), (second.name.name.clone(), b)]).collect(),
    };
    let forward = first.foreign_keys.iter().filter(|k| to(k, second)).filter_map(|k| pairs(k, second)).map(step);
    let swap = |p: Vec<(String, String)>| p.into_iter().map(|(a, b)| (b, a)).collect();
    let backward = second
        .foreign_keys
        .iter()
        .filter(|k| to(k, first) && (!only_forward || one_to_one(k, second)))
        .filter_map(|k| pairs(k, first))
        .map(|p| step(swap(p)));
    forward.chain(backward).collect()
}

/// Whether a foreign key is the owner's whole primary key, so that joining the owner to its target adds no rows.
fn one_to_one(key: &ForeignKey, owner: &Table) -> bool {
    key.columns.len() == owner.primary_key.len()
        && key.columns.iter().all(|c| owner.primary_key.iter().any(|p| same(p, c)))
}

fn exactly(name: &str, rels: &[Rel]) -> Option<Target> {
    let mut found = targets(rels).filter(|t| same(&t.column, name));
    match (found.next(), found.next()) {
        (Some(target), None) => Some(target),
        _ => None,
    }
}

/// The one column that is the same name but for case and underscores.
fn written_otherwise(name: &str, rels: &[Rel]) -> Option<Target> {
    let folded = normalized(name);
    only(targets(rels).filter(|t| normalized(&t.column) == folded))
}

/// The one column that is the same name written otherwise: case and underscores, or with the table's name before it,
/// or without.
fn variant(name: &str, rels: &[Rel]) -> Option<Target> {
    let folded = normalized(name);
    written_otherwise(name, rels).or_else(|| {
        let prefixed = rels.iter().filter(|r| !r.name().is_empty()).flat_map(|r| {
            let table = singular(r.table.as_deref().and_then(|t| t.rsplit('.').next()).unwrap_or_else(|| r.name()));
            let folded = folded.clone();
            r.rows.cols.iter().filter(|c| !c.guessed).filter_map(move |c| {
                let column = normalized(&c.name);
                let hit =
                    table.len() > 1 && (column == format!("{table}{folded}") || folded == format!("{table}{column}"));
                hit.then(|| Target { qualifier: r.name().to_owned(), column: c.name.clone() })
            })
        });
        only(prefixed)
    })
}
