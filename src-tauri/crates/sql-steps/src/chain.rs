//! The chain under construction: steps, the columns of the query, and the views in scope.

use crate::names::{Unique, to_snake_case};
use crate::slots::{Column, Slot, replace_slots, used_slots};
use crate::steps::{Expression, Origin, Step, StepColumn, StepKind, Steps};
use crate::texts::Texts;
use sqlparser::ast::{Expr, Ident, Query, Visitor};
use std::convert::Infallible;
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::ast::{build_identifier, qualified_column, visit_tree};
use vitrine_sql::{ReadOnlySql, fold_identifier};

/// State shared while steps are created.
pub(crate) struct Chain<'a> {
    pub catalog: &'a Catalog,
    pub dialect: Dialect,
    pub texts: Texts,
    pub steps: Vec<Step>,
    pub columns: Vec<Column>,
    /// The views in scope, innermost last.
    pub views: Vec<View>,
    /// Names that the query defines or uses anywhere.
    names: Unique,
    /// Lower-case names of views, once per definition.
    pub view_names: Vec<String>,
}

/// A view of the query, whose rows the step of the same name returns.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub name: String,
    /// Its columns; `None` if unknown.
    pub columns: Option<Vec<StepColumn>>,
}

impl<'a> Chain<'a> {
    pub fn new(sql: &ReadOnlySql, catalog: &'a Catalog, query: &Query) -> Self {
        struct Finds(Unique, Vec<String>);
        impl Visitor for Finds {
            type Break = ();
            fn pre_visit_ident(&mut self, ident: &Ident) -> ControlFlow<()> {
                self.0.reserve_name(&ident.value);
                ControlFlow::Continue(())
            }
            fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
                let views = query.with.iter().flat_map(|with| &with.cte_tables);
                self.1.extend(views.map(|view| view.alias.name.value.to_lowercase()));
                ControlFlow::Continue(())
            }
        }
        let mut finds = Finds(Unique::default(), Vec::new());
        let _ = visit_tree(query, &mut finds);
        let Finds(names, view_names) = finds;
        Self {
            catalog,
            dialect: sql.dialect(),
            texts: Texts::from_sql(sql),
            steps: Vec::new(),
            columns: Vec::new(),
            views: Vec::new(),
            names,
            view_names,
        }
    }

    /// Returns the steps that the last one needs, since a view may be unused.
    pub fn into_steps(self) -> Steps {
        let mut steps = Steps { dialect: self.dialect, steps: self.steps };
        let mut needed = steps.needed_steps(steps.steps.len().saturating_sub(1)).into_iter();
        steps.steps.retain(|_| needed.next().unwrap_or(false));
        steps
    }

    /// Returns a name for the next step.
    pub fn step_name(&self, what: &str) -> String {
        let name = format!("s{}_{}", self.steps.len() + 1, to_snake_case(what));
        let mut name = fold_identifier(name.trim_end_matches('_'), self.dialect);
        while self.names.is_taken(&name) || self.catalog.find_table(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// Appends a step to the chain.
    pub fn push_step(
        &mut self,
        name: String,
        kind: StepKind,
        sql: String,
        reads: Vec<String>,
        columns: Vec<StepColumn>,
    ) {
        self.steps.push(Step { name, kind, sql, reads, columns, declares_columns: false, recursive: false });
    }

    /// Adds a column and returns its slot.
    pub fn add_column(&mut self, column: Column) -> Slot {
        self.columns.push(column);
        self.columns.len() - 1
    }

    /// Adds a column computed from others and returns its slot.
    pub fn add_computed_column(&mut self, name: String, expr: &Expr) -> Slot {
        let Expression { text, columns } = self.shown_expression(expr);
        self.add_column(Column { label: String::new(), name, shown: text, origin: None, sources: columns })
    }

    /// Returns an expression as shown to the user.
    pub fn shown_expression(&self, expr: &Expr) -> Expression {
        let mut columns: Vec<Origin> = Vec::new();
        for slot in used_slots(expr) {
            for source in &self.columns[slot].sources {
                if !columns.contains(source) {
                    columns.push(source.clone());
                }
            }
        }
        let mut said = expr.clone();
        let written = replace_slots(&mut said, |slot, inside| {
            let Column { name, label, shown, .. } = &self.columns[slot];
            let said = match shown == name {
                // A computed column is shown by its text.
                _ if label.is_empty() => Expr::Identifier(Ident::new(shown)),
                // In a nested query, an unqualified name would refer to that query.
                true if !inside => Expr::Identifier(build_identifier(name, self.dialect)),
                _ => qualified_column(label, name, self.dialect),
            };
            Ok::<_, Infallible>(said)
        });
        debug_assert!(written.is_ok());
        Expression { text: said.to_string(), columns }
    }
}
