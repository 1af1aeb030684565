//! Splits queries: their views, set operations, and parts that stay whole.

use crate::branch::{Branch, BranchColumn, Read, Target};
use crate::chain::{Chain, View};
use crate::columns::name_parts;
use crate::members::WithMembers;
use crate::names::{Unique, same_name};
use crate::plan::Ordering;
use crate::steps::{NotTakenApart, StepColumn, StepKind};
use crate::{Outcome, unsupported_part};
use sqlparser::ast::{Expr, Fetch, LimitClause, ObjectName, OrderBy, Query, SetExpr, Visit, Visitor, With};
use std::collections::HashSet;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{last_part, names_table, parse_expr, visit_tree};
use vitrine_sql::quote_identifier;
use vitrine_words::tr;

/// The clauses after the body of a query.
#[derive(Default)]
pub(crate) struct Tail<'q> {
    pub order_by: Option<&'q OrderBy>,
    limit: Option<&'q LimitClause>,
    fetch: Option<&'q Fetch>,
}

impl<'q> Tail<'q> {
    fn from_query(query: &'q Query) -> Self {
        Self { order_by: query.order_by.as_ref(), limit: query.limit_clause.as_ref(), fetch: query.fetch.as_ref() }
    }

    fn is_empty(&self) -> bool {
        self.order_by.is_none() && self.limit.is_none() && self.fetch.is_none()
    }

    /// Returns the limit, if it consists of constants.
    pub fn constant_limit(&self) -> Outcome<Ordering> {
        let mut order = Ordering::default();
        match self.limit {
            None => {}
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) if limit_by.is_empty() => {
                order.count = limit.as_ref().map(ToString::to_string);
                order.offset = offset.as_ref().map(|offset| offset.value.to_string());
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                order.count = Some(limit.to_string());
                order.offset = Some(offset.to_string());
            }
            Some(_) => return unsupported_part(tr!("a limit of each group")),
        }
        if let Some(fetch) = self.fetch {
            order.count = Some(fetch.quantity.as_ref().map_or_else(|| "1".to_owned(), ToString::to_string));
        }
        if self.limit.is_some_and(has_name_or_subquery) || self.fetch.is_some_and(has_name_or_subquery) {
            return unsupported_part(tr!("a limit that is computed"));
        }
        let limit = self.limit.map(|limit| limit.to_string().trim().to_owned());
        let clauses: Vec<String> = limit.into_iter().chain(self.fetch.map(ToString::to_string)).collect();
        order.limit = Some(clauses.join(" ")).filter(|clauses| !clauses.is_empty());
        Ok(order)
    }
}

/// Returns true if a part contains a name or subquery.
fn has_name_or_subquery(part: &impl Visit) -> bool {
    struct Finds;
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Subquery(_) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    visit_tree(part, &mut Finds).is_break()
}

impl Chain<'_> {
    /// Splits an uncorrelated query into steps, or keeps it as one step.
    pub fn build_branch(&mut self, query: &Query, target: Target) -> Outcome<Branch> {
        let (steps, views) = (self.steps.len(), self.views.len());
        let done = self.plan_query(query, &target).or_else(|why| {
            self.steps.truncate(steps);
            self.views.truncate(views);
            self.add_whole_query(query, &target, why)
        });
        self.views.truncate(views);
        done
    }

    fn plan_query(&mut self, query: &Query, target: &Target) -> Outcome<Branch> {
        let Some(with) = &query.with else { return self.without_views(query, target) };
        self.plan_views(with, target)?;
        let mut rest = query.clone();
        rest.with = None;
        let (steps, views) = (self.steps.len(), self.views.len());
        self.without_views(&rest, target).or_else(|why| {
            self.steps.truncate(steps);
            self.views.truncate(views);
            self.add_whole_query(&rest, target, why)
        })
    }

    /// Converts the views of a query to steps that keep their names.
    fn plan_views(&mut self, with: &With, target: &Target) -> Outcome<()> {
        for view in &with.cte_tables {
            let name = &view.alias.name.value;
            let namesakes = self.view_names.iter().filter(|other| same_name(other, name)).count();
            // A nested view would become visible in other parts of the query.
            if namesakes > 1 || (*target != Target::Result && self.catalog.find_table(name).is_some()) {
                return unsupported_part(tr!("a view with the name of another"));
            }
            let declared: Vec<String> = view.alias.columns.iter().map(|column| column.name.value.clone()).collect();
            let target = Target::View(name.clone(), declared);
            let repeats = matches!(&*view.query.body, SetExpr::SetOperation { .. }) && names_table(&view.query, name);
            let branch = if repeats && (with.recursive || !self.dialect.sql().recursion_needs_keyword()) {
                let branch = self.add_whole_query(
                    &view.query,
                    &target,
                    NotTakenApart::with_reason(tr!("it reads its own rows")),
                )?;
                if let Some(step) = self.steps.last_mut() {
                    step.recursive = true;
                }
                branch
            } else {
                self.build_branch(&view.query, target)?
            };
            let columns = branch.outputs.into_iter().map(|c| StepColumn { name: c.column, origin: c.origin });
            self.views.push(View { name: name.clone(), columns: Some(columns.collect()) });
        }
        Ok(())
    }

    fn without_views(&mut self, query: &Query, target: &Target) -> Outcome<Branch> {
        let tail = Tail::from_query(query);
        match &*query.body {
            SetExpr::Select(select) => {
                let other = match WithMembers::from_select(select) {
                    Some(with) if with.is_all_of(query, select) => {
                        return unsupported_part(tr!("each member of a list is a row"));
                    }
                    Some(with) => self.over_members(query, select, &with),
                    None => self.lists_first(query, select),
                };
                match other {
                    Some(other) => self.without_views(&other, target),
                    None => self.plan_select(select, &tail, target),
                }
            }
            SetExpr::Query(inner) if tail.is_empty() => self.plan_query(inner, target),
            SetExpr::SetOperation { .. } if tail.is_empty() => self.set_operation(&query.body, target),
            SetExpr::Query(inner) => {
                let branch = self.build_branch(inner, Target::Rows)?;
                self.sort_set_result(branch, &query.body, &tail, target)
            }
            SetExpr::SetOperation { .. } => {
                let branch = self.set_operation(&query.body, &Target::Rows)?;
                self.sort_set_result(branch, &query.body, &tail, target)
            }
            SetExpr::Values(_) => unsupported_part(tr!("rows that are written out")),
            _ => unsupported_part(tr!("a kind of query that is not known here")),
        }
    }

    /// Returns the name of a query's last step.
    pub fn target_name(&self, target: &Target, what: &str) -> String {
        match target {
            Target::View(name, _) => name.clone(),
            _ => self.step_name(what),
        }
    }

    /// Adds a query as one step that is not split.
    fn add_whole_query(&mut self, query: &Query, target: &Target, why: NotTakenApart) -> Outcome<Branch> {
        let mut locals = Vec::new();
        if let Target::View(name, columns) = target {
            locals.push((name.clone(), Some(columns.clone()).filter(|columns| !columns.is_empty())));
        }
        let declared = self.columns_of(query, &locals);
        let names = match (&declared, target) {
            (Some(columns), _) => {
                let declared: Vec<(&str, &str)> = columns.iter().map(|name| (name.as_str(), name.as_str())).collect();
                final_names(target, &declared)
            }
            (None, Target::View(_, columns)) if !columns.is_empty() => columns.clone(),
            (None, Target::Result) => Vec::new(),
            (None, _) => return Err(why),
        };
        let own: HashSet<String> = query.with.iter().flat_map(|with| &with.cte_tables).map(lower_name).collect();
        let mut read = self.named_relations(query);
        read.retain(|name| !own.contains(&name.to_lowercase()));
        if let Target::View(name, _) = target {
            read.retain(|other| !same_name(other, name));
        }
        // A view without a step cannot be read yet.
        let known = |name: &String| self.views.iter().any(|view| same_name(&view.name, name));
        if read.iter().any(|name| self.view_names.contains(&name.to_lowercase()) && !known(name)) {
            return Err(why);
        }
        let step = self.target_name(target, "query");
        let columns = names.iter().map(|name| StepColumn { name: name.clone(), origin: None }).collect();
        self.push_step(step.clone(), StepKind::Query { reason: why.reason }, query.to_string(), read, columns);
        let plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let same_names = declared.as_ref() == Some(&names) && names.iter().all(|name| plain(name));
        if let Some(last) = self.steps.last_mut() {
            last.declares_columns = *target != Target::Result && !same_names;
        }
        let outputs = names.into_iter().enumerate().map(|(at, column)| {
            let name = declared.as_ref().and_then(|columns| columns.get(at)).unwrap_or(&column).clone();
            BranchColumn { shown: name.clone(), name, column, value: None, said: None, origin: None }
        });
        Ok(Branch { read: Read::Step(step), outputs: outputs.collect() })
    }

    /// Returns the steps and tables that a part names, in order of first use.
    pub fn named_relations(&self, part: &impl Visit) -> Vec<String> {
        struct RelationCollector<'c, 'a>(&'c Chain<'a>, Vec<String>);
        impl Visitor for RelationCollector<'_, '_> {
            type Break = ();
            fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
                let Self(chain, names) = self;
                let Some(last) = last_part(name) else { return ControlFlow::Continue(()) };
                let own = name_parts(name).is_some_and(|parts| parts.len() == 1);
                let step = chain.steps.iter().find(|step| own && same_name(&step.name, &last.value));
                let found = match (step, chain.find_table(name)) {
                    (Some(step), _) => step.name.clone(),
                    (None, Some(table)) => table.name.to_string(),
                    (None, None) if chain.view_names.contains(&last.value.to_lowercase()) => last.value.clone(),
                    // A function that returns rows, or a list.
                    (None, None) => return ControlFlow::Continue(()),
                };
                if !names.contains(&found) {
                    names.push(found);
                }
                ControlFlow::Continue(())
            }
        }
        let mut names = RelationCollector(self, Vec::new());
        let _ = visit_tree(part, &mut names);
        names.1
    }
}

impl Branch {
    /// Returns a SELECT of the columns, with optional new names.
    pub fn to_select_sql(&self, names: Option<&[String]>, dialect: Dialect) -> String {
        let items = self.outputs.iter().enumerate().map(|(at, output)| {
            let value = match &output.value {
                Some(value) => value.to_string(),
                None => quote_identifier(&output.column, dialect),
            };
            match names.and_then(|names| names.get(at)) {
                Some(name) if output.value.is_some() || *name != output.column => {
                    format!("{value} AS {}", quote_identifier(name, dialect))
                }
                _ => value,
            }
        });
        let items: Vec<String> = items.collect();
        format!("SELECT {} FROM {}", items.join(", "), self.read.format_source(dialect))
    }
}

/// Returns a query for a branch's columns.
pub(crate) fn select_from(branch: &Branch, dialect: Dialect) -> Option<Query> {
    match parse_expr(&format!("({})", branch.to_select_sql(None, dialect)), dialect)? {
        Expr::Subquery(query) => Some(*query),
        _ => None,
    }
}

/// Returns the names of a query's columns in its last step, from the engine's names and readable ones.
pub(crate) fn final_names(target: &Target, names: &[(&str, &str)]) -> Vec<String> {
    let declared: &[String] = match target {
        Target::Result => return names.iter().map(|(own, _)| (*own).to_owned()).collect(),
        Target::View(_, declared) => declared,
        Target::Rows | Target::Operand | Target::Arm => &[],
    };
    let mut unique = Unique::default();
    declared.iter().for_each(|name| unique.reserve_name(name));
    let name = |(at, (own, nice)): (usize, &(&str, &str))| {
        let wanted = if matches!(target, Target::View(..)) { own } else { nice };
        let wanted = if wanted.is_empty() { &"value" } else { wanted };
        declared.get(at).cloned().unwrap_or_else(|| unique.unique_name(wanted))
    };
    names.iter().enumerate().map(name).collect()
}

fn lower_name(view: &sqlparser::ast::Cte) -> String {
    view.alias.name.value.to_lowercase()
}
