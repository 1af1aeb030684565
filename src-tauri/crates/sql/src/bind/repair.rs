//! Repairs an unresolved name if exactly one repair binds. Ambiguous names stay unchanged.

use super::edit::Edit;
use super::fields::ways_to;
use super::joins::{exactly_one, is_generic_key_name};
use super::scope::{Clause, NameContext, Rel, Scope, Walk};
use crate::dialect::DialectExt;
use crate::text::{find_nearest, normalize_name, same_name, singular_name};
use sqlparser::ast::{Expr, Ident};
use sqlparser::tokenizer::Span;
use vitrine_domain::{ForeignKey, Table};
use vitrine_words::tr;

/// A column in scope: its reference in SQL and its name.
#[derive(Debug, Clone, PartialEq)]
struct Target {
    qualifier: String,
    column: String,
}

impl Target {
    fn name_parts(&self) -> Vec<String> {
        vec![self.qualifier.clone(), self.column.clone()]
    }
}

/// Returns the columns in scope. Items that share a name are left out because a reference would be ambiguous.
fn repair_targets(rels: &[Rel]) -> impl Iterator<Item = Target> {
    let unique = |r: &&Rel| !r.name().is_empty() && rels.iter().filter(|o| same_name(o.name(), r.name())).count() == 1;
    rels.iter().filter(unique).flat_map(|r| {
        r.rows
            .cols
            .iter()
            .filter(|c| !c.guessed)
            .map(|c| Target { qualifier: r.name().to_owned(), column: c.name.clone() })
    })
}

impl<'a> Walk<'a> {
    /// Repairs an unqualified name that no item in scope has.
    pub(super) fn repair_column(&self, ident: &Ident, place: NameContext<'_>, date_part: bool) -> Option<Edit> {
        let name = &ident.value;
        let at = ident.span;
        let rename = |to: &Target, qualified: bool| {
            let parts = if qualified { to.name_parts() } else { vec![to.column.clone()] };
            Edit::Name { at, note: was_read_as(name, &format!("{}.{}", to.qualifier, to.column)), parts }
        };
        let scope = self.innermost_scope()?;
        let qualified = scope.rels.len() > 1;
        if let Some(target) = find_variant_target(name, &scope.rels) {
            return Some(rename(&target, qualified));
        }
        if date_part {
            return Some(Edit::Text {
                at,
                text: name.clone(),
                note: tr!("{name} was read as the text '{text}'", name, text = name),
            });
        }
        if ident.quote_style == Some('"') && place.text_possible {
            return Some(Edit::Text {
                at,
                text: name.clone(),
                note: tr!("{name} was read as the text '{text}'", name = format!("\"{name}\""), text = name),
            });
        }
        if let Some(target) = self.find_key_column(name, &scope.rels) {
            return Some(rename(&target, qualified));
        }
        match (self.join_for_column(scope, name), self.field_called(name, &scope.rels)) {
            // Both are possible.
            (Some(_), Some(_)) => return None,
            (Some(join), None) => return Some(join),
            (None, Some(way)) => return Some(field_name_edit(at, name, way, qualified)),
            (None, None) => {}
        }
        if scope.rels.iter().any(|r| same_name(r.name(), name)) {
            // A table name in the position of a column is not a misspelling.
            return None;
        }
        let target = find_nearest(name, repair_targets(&scope.rels).map(|t| (t.column.clone(), t)))?;
        Some(rename(&target, qualified))
    }

    /// Repairs a qualified name whose qualifier lacks the column or is not in scope.
    pub(super) fn repair_path(&self, parts: &[Ident], called: bool) -> Option<Edit> {
        let [qualifier, column] = parts else { return None };
        let (qualifier_name, name) = (&qualifier.value, &column.value);
        let at = qualifier.span;
        let rename = |to: Target| Edit::Name {
            at,
            note: was_read_as(&format!("{qualifier_name}.{name}"), &format!("{}.{}", to.qualifier, to.column)),
            parts: to.name_parts(),
        };
        if called {
            let own = |s: &Scope| s.rels.iter().filter(|r| r.is_called(&[qualifier_name])).cloned().collect::<Vec<_>>();
            let rels = self.scopes.iter().rev().map(own).find(|rels| !rels.is_empty())?;
            let here = self.innermost_scope()?;
            // A different spelling of the item's own column takes precedence over an exact match in another table.
            return written_otherwise(name, &rels)
                .or_else(|| find_exact_target(name, &here.rels))
                .or_else(|| find_variant_target(name, &rels))
                .or_else(|| self.find_key_column(name, &rels))
                .map(rename)
                .or_else(|| self.join_for_column(here, name))
                .or_else(|| self.field_called(name, &rels).map(|way| field_name_edit(at, name, way, true)))
                .or_else(|| find_nearest(name, repair_targets(&rels).map(|t| (t.column.clone(), t))).map(rename));
        }
        // The qualifier may be a table that has an alias, or a misspelling of a name in scope.
        for scope in self.scopes.iter().rev().filter(|s| !s.rels.is_empty()) {
            let has = |r: &&Rel| r.rows.open || r.find_column(name).is_some();
            let by_table = scope
                .rels
                .iter()
                .filter(|r| r.table.as_deref().is_some_and(|t| same_name(t, qualifier_name)))
                .filter(has);
            if let Some(rel) = exactly_one(by_table.map(|r| r.name().to_owned())) {
                return Some(rename(Target { qualifier: rel, column: name.clone() }));
            }
            let by_slip =
                scope.rels.iter().filter(|r| singular_name(r.name()) == singular_name(qualifier_name)).filter(has);
            if let Some(rel) = exactly_one(by_slip.map(|r| r.name().to_owned())) {
                return Some(rename(Target { qualifier: rel, column: name.clone() }));
            }
        }
        if let Some(table) = self.table_like(qualifier_name) {
            let column_there = table
                .columns
                .iter()
                .find(|c| same_name(&c.name, name) || normalize_name(&c.name) == normalize_name(name));
            if column_there.is_some() {
                let scope = self.innermost_scope()?;
                let join = self.join_to(scope, table, false);
                if join.is_some() && !same_name(&table.name.name, qualifier_name) {
                    // The join adds the table under its own name; the next round repairs the column name.
                    return join;
                }
                return join.or_else(|| find_exact_target(name, &scope.rels).map(rename));
            }
        }
        find_exact_target(name, &self.innermost_scope()?.rels).map(rename)
    }

    /// Returns the innermost FROM clause. Repairs stay within it, because a reference to an outer query would correlate
    /// the two.
    fn innermost_scope(&self) -> Option<&Scope> {
        self.scopes.iter().rev().find(|s| !s.rels.is_empty())
    }

    /// Repairs a column that several items have.
    pub(super) fn repair_ambiguous(
        &self,
        ident: &Ident,
        rels: &[usize],
        depth: usize,
        place: NameContext<'_>,
    ) -> Option<Edit> {
        let scope = self.scopes.get(depth)?;
        let name = &ident.value;
        let twins = |i: &usize| scope.rels.iter().filter(|r| same_name(r.name(), scope.rels[*i].name())).count() > 1;
        if rels.iter().any(twins) {
            return None;
        }
        let rename = |to: &Rel, said: &dyn Fn(&str, &str) -> String| Edit::Name {
            at: ident.span,
            parts: vec![to.name().to_owned(), name.clone()],
            note: said(name, &format!("{}.{name}", to.name())),
        };
        // Columns of JSON functions share names with table columns; the function is used for its key and value.
        let own: Vec<&Rel> = rels.iter().map(|&i| &scope.rels[i]).filter(|r| !r.rows.open).collect();
        if let ([table], true) = (own.as_slice(), own.len() < rels.len())
            && !["key", "value", "atom"].iter().any(|part| same_name(part, name))
        {
            return Some(rename(table, &|name, other| {
                tr!("{name} was read as {other}, the table's own column", name, other)
            }));
        }
        let before: Vec<usize> = rels
            .iter()
            .copied()
            .filter(|&i| scope.rels[i].table.as_ref().is_none_or(|t| !self.joined.contains(t)))
            .collect();
        if let ([only], true) = (before.as_slice(), before.len() < rels.len()) {
            return Some(rename(&scope.rels[*only], &|name, other| {
                tr!("{name} was read as {other}, as before the join", name, other)
            }));
        }
        // A column is not compared with itself: `ON a.id = id` refers to the other table.
        if let Some(Expr::CompoundIdentifier(parts)) = place.against
            && let [qualifier, column] = parts.as_slice()
            && same_name(&column.value, name)
        {
            let mut others = rels.iter().map(|&i| &scope.rels[i]).filter(|r| !same_name(r.name(), &qualifier.value));
            if let (Some(rel), None) = (others.next(), others.next()) {
                return Some(rename(rel, &|name, other| {
                    tr!("{name} was read as {other}, the other side of the comparison", name, other)
                }));
            }
        }
        let key = matches!(scope.clause, Clause::GroupBy | Clause::Having | Clause::OrderBy);
        let selected = scope
            .selected
            .iter()
            .filter(|_| key)
            .filter(|(_, column)| same_name(column, name))
            .map(|(qualifier, _)| qualifier.to_lowercase());
        if let Some(qualifier) = exactly_one(selected)
            && let Some(rel) = rels.iter().map(|&i| &scope.rels[i]).find(|r| same_name(r.name(), &qualifier))
        {
            return Some(rename(rel, &|name, other| {
                tr!("{name} was read as {other}, the one in the select list", name, other)
            }));
        }
        // A join sets these items equal in this column, so the first of them has the same value.
        let first = &scope.rels[*rels.first()?];
        let equal = |rel: &Rel| {
            scope.equal.iter().any(|[a, b]| {
                let is = |side: &(String, String), r: &Rel| same_name(&side.0, r.name()) && same_name(&side.1, name);
                (is(a, first) && is(b, rel)) || (is(b, first) && is(a, rel))
            })
        };
        rels[1..].iter().all(|&i| equal(&scope.rels[i])).then(|| {
            rename(first, &|name, other| {
                tr!("{name} was read as {other}, to which the join sets the others equal", name, other)
            })
        })
    }

    /// Returns the foreign key that refers to a column of this name: it has the same values, so no join is needed.
    fn find_key_column(&self, name: &str, rels: &[Rel]) -> Option<Target> {
        if is_generic_key_name(name) {
            return None;
        }
        let keys_of = |rel: &Rel| -> Vec<String> {
            let is_read = |t: &&Table| rel.table.as_deref().is_some_and(|own| same_name(own, &t.name.to_string()));
            let owner = self.catalog.tables.iter().find(is_read);
            let refers = |key: &&ForeignKey| {
                let [target] = key.ref_columns.as_slice() else { return false };
                key.columns.len() == 1 && same_name(target, name)
            };
            let keys = owner.into_iter().flat_map(|t| &t.foreign_keys).filter(refers);
            keys.flat_map(|key| key.columns.iter().cloned())
                .filter(|column| rel.find_column(column).is_some())
                .collect()
        };
        let named = rels.iter().filter(|rel| !rel.name().is_empty());
        exactly_one(
            named.flat_map(|rel| {
                keys_of(rel).into_iter().map(|column| Target { qualifier: rel.name().to_owned(), column })
            }),
        )
    }

    /// Finds the only field of this name among the columns in scope: item, column, and path within the column. Within
    /// lists, it is searched only where the engine rejects such a path, so that the rule on list members handles it.
    /// Other engines return one list for a row, and counts and sums over it would silently refer to lists.
    fn field_called(&self, name: &str, rels: &[Rel]) -> Option<Vec<String>> {
        let in_lists = self.dialect.sql().rejects_fields_of_lists();
        let ways = repair_targets(rels).flat_map(|target| {
            let rel = rels.iter().find(|rel| rel.name() == target.qualifier);
            let data_type = rel.and_then(|rel| self.data_type(rel, &target.column)).unwrap_or_default();
            ways_to(name, data_type, in_lists)
                .into_iter()
                .map(move |way| target.name_parts().into_iter().chain(way).collect())
        });
        exactly_one(ways)
    }

    /// Repairs a table that does not exist.
    pub(super) fn repair_table(&self, idents: &[&Ident], name: &str, has_alias: bool) -> Option<Edit> {
        let at = idents.first()?.span;
        if self.catalog.tables.iter().any(|t| t.find_column(name).is_some()) {
            // A column name in the position of a table is not a misspelling.
            return None;
        }
        let views = self.views.iter().map(|(v, _)| (v.clone(), vec![v.clone()]));
        let tables = self
            .catalog
            .tables
            .iter()
            .map(|t| (t.name.name.clone(), t.name.name_parts().map(str::to_owned).collect::<Vec<_>>()));
        let all: Vec<(String, Vec<String>)> = views.chain(tables).collect();
        let matching = |test: &dyn Fn(&str) -> bool| {
            exactly_one(all.iter().filter(|(n, _)| test(n)).map(|(_, parts)| parts.clone()))
        };
        let parts = matching(&|n| normalize_name(n) == normalize_name(name))
            .or_else(|| matching(&|n| singular_name(n) == singular_name(name)))
            .or_else(|| find_nearest(name, all.iter().cloned()))?;
        let keep = (!has_alias).then(|| name.to_owned());
        Some(Edit::Table {
            at,
            keep,
            note: tr!("the table {name} was read as {other}", name, other = parts.join(".")),
            name: parts,
        })
    }

    fn table_like(&self, name: &str) -> Option<&'a Table> {
        self.find_table(&[name]).or_else(|| {
            let mut found = self.catalog.tables.iter().filter(|t| singular_name(&t.name.name) == singular_name(name));
            match (found.next(), found.next()) {
                (Some(table), None) => Some(table),
                _ => None,
            }
        })
    }
}

fn was_read_as(name: &str, other: &str) -> String {
    tr!("{name} was read as {other}", name, other)
}

/// Replaces the name of a field by its full path.
fn field_name_edit(at: Span, name: &str, way: Vec<String>, qualified: bool) -> Edit {
    let note = was_read_as(name, &way.join("."));
    Edit::Name { at, note, parts: way.into_iter().skip(usize::from(!qualified)).collect() }
}

fn find_exact_target(name: &str, rels: &[Rel]) -> Option<Target> {
    let mut found = repair_targets(rels).filter(|t| same_name(&t.column, name));
    match (found.next(), found.next()) {
        (Some(target), None) => Some(target),
        _ => None,
    }
}

/// Returns the only column whose name differs just in case and underscores.
fn written_otherwise(name: &str, rels: &[Rel]) -> Option<Target> {
    let folded = normalize_name(name);
    exactly_one(repair_targets(rels).filter(|t| normalize_name(&t.column) == folded))
}

/// Returns the only column whose name differs just in case and underscores, or by the table's name as a prefix.
fn find_variant_target(name: &str, rels: &[Rel]) -> Option<Target> {
    let folded = normalize_name(name);
    written_otherwise(name, rels).or_else(|| {
        let prefixed = rels.iter().filter(|r| !r.name().is_empty()).flat_map(|r| {
            let table =
                singular_name(r.table.as_deref().and_then(|t| t.rsplit('.').next()).unwrap_or_else(|| r.name()));
            let folded = folded.clone();
            r.rows.cols.iter().filter(|c| !c.guessed).filter_map(move |c| {
                let column = normalize_name(&c.name);
                let hit =
                    table.len() > 1 && (column == format!("{table}{folded}") || folded == format!("{table}{column}"));
                hit.then(|| Target { qualifier: r.name().to_owned(), column: c.name.clone() })
            })
        });
        exactly_one(prefixed)
    })
}
