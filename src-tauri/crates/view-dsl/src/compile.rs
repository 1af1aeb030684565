//! Compiles views in the order of their dependencies.

use crate::check::problem::{ViewError, ViewProblem};
use crate::check::resolve::resolve_spec;
use crate::check::scope::Scope;
use crate::model::plan::Plan;
use crate::model::relation::ViewRelation;
use crate::write;
use std::borrow::Cow;
use vitrine_domain::{Catalog, Column, Dialect, Profile, Table, TableKind, TableName, ViewSpec};
use vitrine_sql::{Cte, ReadOnlySql, SqlRejection, bind_names, quote_identifier, sort_topologically};

/// Checks views against the tables of a catalog, against each other, and against materialised views (`earlier`, by the
/// relations that this function returned for them). Names ignore case. Hidden types come from the profile; columns of
/// tables without a profile are accepted as any type.
///
/// Returns the relation of each view for later views, in the order of `specs`.
///
/// # Errors
/// Returns every problem, view by view. Views that read a view with problems are not checked.
pub fn check_views(
    specs: &[ViewSpec],
    catalog: &Catalog,
    profile: &Profile,
    earlier: &[ViewRelation],
) -> Result<Vec<ViewRelation>, Vec<ViewProblem>> {
    let plans = resolve_plans(specs, catalog, profile, earlier)?;
    Ok(plans.iter().map(Plan::to_relation).collect())
}

/// Compiles the last of `specs` to one query. Other specs that it reads precede it in a WITH clause; `earlier` views
/// are read by name, as tables that the caller has created.
///
/// # Errors
/// Returns [`ViewError::Problems`] as for `check`, or an error if a name cannot be written in this dialect.
pub fn compile_view(
    specs: &[ViewSpec],
    catalog: &Catalog,
    profile: &Profile,
    earlier: &[ViewRelation],
    dialect: Dialect,
) -> Result<ReadOnlySql, ViewError> {
    let plans = resolve_plans(specs, catalog, profile, earlier).map_err(ViewError::Problems)?;
    let Some((last, _)) = plans.split_last() else {
        let view = String::new();
        return Err(ViewError::Problems(vec![new_problem(&view, "view", "There is no view.")]));
    };
    let mut needed = vec![last];
    let mut at = 0;
    while let Some(plan) = needed.get(at).copied() {
        let read = plans.iter().filter(|p| !std::ptr::eq(*p, last) && reads_view(plan, &p.name));
        let read: Vec<&Plan<'_>> = read.filter(|p| !needed.iter().any(|n| std::ptr::eq(*n, *p))).collect();
        needed.extend(read);
        at += 1;
    }
    let before: Vec<Cte> =
        needed[1..].iter().map(|plan| build_cte(&plan.name, &needed, write::write_query(plan, dialect))).collect();
    let order = sort_topologically(&before).map_err(|names| SqlRejection::Cycle { names })?;
    let views =
        order.iter().map(|&i| format!("{} AS (\n{}\n)", quote_identifier(&before[i].name, dialect), before[i].sql));
    let views: Vec<String> = views.collect();
    let with = if views.is_empty() { String::new() } else { format!("WITH {}\n", views.join(",\n")) };
    let sql = ReadOnlySql::parse(&format!("{with}{}", write::write_query(last, dialect)), dialect)?;
    let problems = bind_names(&sql, &referenced_catalog(&plans, catalog, earlier)).problems;
    if problems.is_empty() { Ok(sql) } else { Err(ViewError::Names(problems)) }
}

fn build_cte(name: &str, plans: &[&Plan<'_>], sql: String) -> Cte {
    let plan = plans.iter().find(|p| p.name == name);
    let read = plans.iter().filter(|p| p.name != name && plan.is_some_and(|plan| reads_view(plan, &p.name)));
    Cte { name: name.to_owned(), columns: Vec::new(), depends_on: read.map(|p| p.name.clone()).collect(), sql }
}

fn reads_view(plan: &Plan<'_>, view: &str) -> bool {
    let mut read = plan.sources.iter().flat_map(|s| s.rows.members());
    read.any(|rows| rows.table.is_none() && rows.relation.name.eq_ignore_ascii_case(view))
}

/// Returns a catalog with the tables and materialised views that the compiled text may name.
fn referenced_catalog(plans: &[Plan<'_>], catalog: &Catalog, earlier: &[ViewRelation]) -> Catalog {
    let mut tables: Vec<Table> = Vec::new();
    for table in plans.iter().flat_map(|p| &p.sources).flat_map(|s| s.rows.members()).filter_map(|r| r.table) {
        if !tables.iter().any(|known| known.name == table.name) {
            tables.push(table.clone());
        }
    }
    tables.extend(earlier.iter().map(table_of));
    Catalog { tables, ..catalog.without_tables() }
}

/// Returns the catalog extended by materialised views as tables.
pub(crate) fn with_views<'c>(catalog: &'c Catalog, earlier: &[ViewRelation]) -> Cow<'c, Catalog> {
    if earlier.is_empty() {
        return Cow::Borrowed(catalog);
    }
    let mut whole = catalog.clone();
    whole.tables.extend(earlier.iter().map(table_of));
    Cow::Owned(whole)
}

fn table_of(view: &ViewRelation) -> Table {
    let column = |name: &String| Column { name: name.clone(), data_type: String::new(), nullable: true, comment: None };
    Table {
        name: TableName::from_unqualified(view.name.clone()),
        kind: TableKind::View,
        comment: None,
        row_count: None,
        columns: view.columns.iter().map(|c| column(&c.name)).collect(),
        primary_key: Vec::new(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    }
}

fn new_problem(view: &str, place: &str, message: &str) -> ViewProblem {
    ViewProblem { view: view.to_owned(), place: place.to_owned(), message: message.to_owned() }
}

/// Resolves all specs in the order of their dependencies; returns the plans in the order of `specs`.
fn resolve_plans<'a>(
    specs: &[ViewSpec],
    catalog: &'a Catalog,
    profile: &'a Profile,
    earlier: &[ViewRelation],
) -> Result<Vec<Plan<'a>>, Vec<ViewProblem>> {
    let mut problems = Vec::new();
    for (at, spec) in specs.iter().enumerate() {
        let taken = specs[..at].iter().any(|s| s.name.eq_ignore_ascii_case(&spec.name))
            || earlier.iter().any(|v| v.name.eq_ignore_ascii_case(&spec.name));
        let is_table = catalog.tables.iter().any(|t| t.name.name.eq_ignore_ascii_case(&spec.name));
        if taken || is_table {
            let what = if is_table { "table" } else { "view" };
            let message = format!("There is a {what} of this name already. Choose another name.");
            problems.push(new_problem(&spec.name, "name", &message));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let order: Vec<Cte> = specs
        .iter()
        .map(|spec| {
            let sources = spec.source.iter().flat_map(|s| std::iter::once(&s.table).chain(&s.union));
            let sources: Vec<&String> = sources.collect();
            let is_source = |name: &str| sources.iter().any(|source| source.eq_ignore_ascii_case(name));
            let depends_on = specs.iter().map(|s| s.name.clone()).filter(|name| is_source(name)).collect();
            Cte { name: spec.name.clone(), columns: Vec::new(), sql: String::new(), depends_on }
        })
        .collect();
    if let Some(own) = order.iter().find(|c| c.depends_on.iter().any(|d| d.eq_ignore_ascii_case(&c.name))) {
        return Err(vec![new_problem(&own.name, "source", "It reads itself.")]);
    }
    let order_of = sort_topologically(&order).map_err(|names| {
        let message = format!("These views read each other in a circle: {}.", names.join(", "));
        vec![new_problem(names.first().map_or("", String::as_str), "source", &message)]
    })?;
    let mut scope = Scope { catalog, profile, views: earlier.to_vec() };
    let mut done: Vec<(usize, Plan<'a>)> = Vec::new();
    let mut failed: Vec<&str> = Vec::new();
    for at in order_of {
        let spec = &specs[at];
        if order[at].depends_on.iter().any(|read| failed.iter().any(|f| f.eq_ignore_ascii_case(read))) {
            failed.push(&spec.name);
            continue;
        }
        match resolve_spec(spec, &scope) {
            Ok(plan) => {
                scope.views.push(plan.to_relation());
                done.push((at, plan));
            }
            Err(found) => {
                failed.push(&spec.name);
                problems.extend(found);
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, plan)| plan).collect())
}
