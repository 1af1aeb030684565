//! Lookup of the names in a spec, and the problems found in it.

use super::problem::{ViewProblem, join_alternatives, join_names, suggest_names};
use crate::model::relation::{Rows, ViewRelation};
use vitrine_domain::views::ViewSource;
use vitrine_domain::{Catalog, Profile, Table, ViewSpec};

/// Tables and views that a spec may read.
pub(crate) struct Scope<'a> {
    pub catalog: &'a Catalog,
    pub profile: &'a Profile,
    pub views: Vec<ViewRelation>,
}

impl<'a> Scope<'a> {
    /// Returns the relation of a name; views take precedence over tables.
    pub fn find_relation(&self, name: &str) -> Option<Rows<'a>> {
        let view = self.views.iter().find(|v| v.name.eq_ignore_ascii_case(name)).cloned().map(Rows::of_view);
        view.or_else(|| self.catalog.find_table(name).map(|table| Rows::of_table(table, self.catalog, self.profile)))
    }

    /// Returns the rows of a source: a table, a view, or a union of several.
    pub fn source(&self, source: &ViewSource) -> Result<Rows<'a>, String> {
        let find = |name: &String| {
            self.find_relation(name).ok_or_else(|| {
                format!("There is no table or view {name}.{}", suggest_names(name, &self.relation_names()))
            })
        };
        let first = find(&source.table)?;
        if source.union.is_empty() {
            return match &source.series {
                Some(series) => Err(format!("{series} tells the parts of a union apart: name them in union.")),
                None => Ok(first),
            };
        }
        let others = source.union.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let series = source.series.clone().filter(|name| !name.trim().is_empty());
        let united = Rows::of_union(std::iter::once(first).chain(others).collect(), series);
        let names = united.members().iter().map(|rows| rows.relation.name.clone());
        let names: Vec<String> = names.collect();
        let columns = &united.relation.columns;
        match &united.series {
            Some(series) if columns.iter().filter(|c| c.name.eq_ignore_ascii_case(series)).count() > 1 => {
                Err(format!("{series} is a column of {} already. Name the series otherwise.", join_names(&names)))
            }
            series if columns.len() == usize::from(series.is_some()) => {
                Err(format!("{} have no column of the same name and type. Make views that do.", join_names(&names)))
            }
            _ => Ok(united),
        }
    }

    /// Returns the names of all relations that can be read.
    pub fn relation_names(&self) -> Vec<String> {
        let tables = self.catalog.tables.iter().map(|t| t.name.to_string());
        self.views.iter().map(|v| v.name.clone()).chain(tables).collect()
    }

    /// Returns up to three tables with foreign keys to or from both relations, which could link them.
    pub fn find_linking_tables(&self, a: &Rows<'_>, b: &Rows<'_>) -> Vec<String> {
        let (Some(a), Some(b)) = (a.table, b.table) else { return Vec::new() };
        let refers = |from: &Table, to: &Table| from.foreign_keys.iter().any(|key| key.ref_table == to.name);
        let linked = |t: &&Table| (refers(t, a) || refers(a, t)) && (refers(t, b) || refers(b, t));
        self.catalog.tables.iter().filter(linked).map(|t| t.name.to_string()).take(3).collect()
    }
}

/// The problems of one view.
pub(crate) struct Problems<'s> {
    pub spec: &'s ViewSpec,
    pub found: Vec<ViewProblem>,
}

impl<'s> Problems<'s> {
    pub fn for_spec(spec: &'s ViewSpec) -> Self {
        Self { spec, found: Vec::new() }
    }

    pub fn add_problem(&mut self, place: impl Into<String>, message: impl Into<String>) {
        let problem = ViewProblem { view: self.spec.name.clone(), place: place.into(), message: message.into() };
        if !self.found.contains(&problem) {
            self.found.push(problem);
        }
    }

    /// Unwraps a value, or reports the problem.
    pub fn unwrap_or_report<T>(&mut self, place: &str, result: Result<T, String>) -> Option<T> {
        result.map_err(|message| self.add_problem(place, message)).ok()
    }
}

/// A source before it is joined.
#[derive(Clone)]
pub(crate) struct Member<'a> {
    pub alias: String,
    pub rows: Rows<'a>,
}

impl Member<'_> {
    pub fn is_called(&self, name: &str) -> bool {
        self.alias.eq_ignore_ascii_case(name)
    }
}

/// A column of a member, by exact name.
pub(crate) struct Column {
    pub member: usize,
    pub name: String,
}

/// Returns the members that a qualifier may refer to: the one with that alias, otherwise all members of that table.
pub(crate) fn find_members(members: &[Member<'_>], qualifier: &str) -> Vec<usize> {
    if let Some(at) = members.iter().position(|m| m.is_called(qualifier)) {
        return vec![at];
    }
    let table = |m: &Member<'_>| {
        let name = &m.rows.name;
        name.to_string().eq_ignore_ascii_case(qualifier) || name.name.eq_ignore_ascii_case(qualifier)
    };
    (0..members.len()).filter(|&at| table(&members[at])).collect()
}

/// Looks up `column` or `source.column`; names may contain dots themselves. `alike` returns true if columns of this
/// name are joined to each other, so that any of them can be used.
pub(crate) fn resolve_column(
    name: &str,
    members: &[Member<'_>],
    scope: &Scope<'_>,
    alike: &dyn Fn(&[Column]) -> bool,
) -> Result<Column, String> {
    let of = |member: usize, name: &str| {
        let found = members[member].rows.relation.column(name);
        found.map(|c| Column { member, name: c.name.clone() })
    };
    let mut bare: Vec<Column> = (0..members.len()).filter_map(|at| of(at, name)).collect();
    if bare.len() == 1 || (bare.len() > 1 && alike(&bare)) {
        return Ok(bare.swap_remove(0));
    }
    if bare.len() > 1 {
        let written: Vec<String> = bare.iter().map(|c| format!("{}.{}", members[c.member].alias, c.name)).collect();
        return Err(format!("{name} is in several sources. Write {}.", join_alternatives(&written)));
    }
    for (dot, _) in name.match_indices('.').rev() {
        let (qualifier, column) = (&name[..dot], &name[dot + 1..]);
        match find_members(members, qualifier).as_slice() {
            [] => {}
            [one] => {
                return of(*one, column).ok_or_else(|| {
                    format!(
                        "{qualifier} has no column {column}.{}",
                        suggest_names(column, &qualified_columns(&members[*one..=*one]))
                    )
                });
            }
            several => {
                let aliases: Vec<&str> = several.iter().map(|&at| members[at].alias.as_str()).collect();
                return Err(format!("{qualifier} is a source several times. Write {}.", join_names(&aliases)));
            }
        }
    }
    if let Some((qualifier, column)) = name.rsplit_once('.')
        && let Some(rows) = scope.find_relation(qualifier)
    {
        let has = rows.relation.column(column).is_some();
        let add = if has { format!("Add {qualifier} to the sources") } else { format!("It has no column {column}") };
        return Err(format!("{qualifier} is not among the sources. {add}."));
    }
    Err(format!(
        "No source has a column {name}.{}",
        suggest_names(name.rsplit('.').next().unwrap_or(name), &qualified_columns(members))
    ))
}

/// Returns all columns of some members in the form `alias.column`.
fn qualified_columns(members: &[Member<'_>]) -> Vec<String> {
    let all = members.iter().flat_map(|m| m.rows.relation.columns.iter().map(|c| format!("{}.{}", m.alias, c.name)));
    all.collect()
}
