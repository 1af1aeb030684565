//! The columns and rows of each table that a query needs.

use crate::catalog::FoundTable;
use crate::condition::Filter;
use crate::from::{FromClause, Link};
use crate::source::Source;
use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Select, SelectItem, SelectItemQualifiedWildcardKind,
    TableFactor, Visitor,
};
use std::collections::HashSet;
use std::ops::ControlFlow;
use vitrine_sql::ast::{last_part, visit_tree};

/// One use of a table in a FROM clause.
pub(crate) struct Use {
    pub table: FoundTable,
    /// True if the query may read columns that it does not mention.
    pub all_columns: bool,
    /// The condition that every row must pass; `None` if all rows are needed.
    pub filter: Option<Filter>,
    /// The columns that must equal columns of other tables.
    pub links: Vec<Link>,
}

/// Finds the uses of tables in FROM clauses; tables of other clauses have no entry.
pub(crate) fn find_uses(query: &Query, sources: &[Source]) -> (Vec<Use>, bool) {
    let mut finder = Finder { sources, uses: Vec::new(), bindings: Vec::new(), names: HashSet::new(), all: false };
    let _ = visit_tree(query, &mut finder);
    let Finder { mut uses, bindings, names, all, .. } = finder;
    // A table's own name is its whole row.
    for (table, binding) in uses.iter_mut().zip(bindings) {
        table.all_columns |= binding.is_some_and(|binding| names.contains(&binding.to_lowercase()));
    }
    (uses, all)
}

struct Finder<'s> {
    sources: &'s [Source],
    uses: Vec<Use>,
    bindings: Vec<Option<String>>,
    /// Names of columns in expressions, in lower case.
    names: HashSet<String>,
    /// True if a function may read all columns.
    all: bool,
}

impl Finder<'_> {
    fn add_select(&mut self, select: &Select) {
        let from = FromClause::from_select(select, self.sources);
        let every = from.has_natural || select.projection.is_empty() || select.projection.iter().any(is_plain_star);
        let starred: Vec<String> = select.projection.iter().filter_map(starred_name).collect();
        let odd_star = select.projection.iter().any(is_odd_star);
        for item in from.items {
            let Some(table) = item.table else { continue };
            let named = item.binding.as_ref().is_some_and(|own| starred.contains(&own.to_lowercase()));
            let is_open = !item.opaque && !from.is_opaque;
            let filter = (is_open && !item.filters.is_empty()).then_some(Filter::All(item.filters));
            let links = if is_open { item.links } else { Vec::new() };
            self.uses.push(Use { table, all_columns: every || named || odd_star || item.renamed, filter, links });
            self.bindings.push(item.binding);
        }
    }
}

impl Visitor for Finder<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.add_select(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        // A pivot groups by all columns that it does not mention.
        let plain = matches!(
            factor,
            TableFactor::Table { .. }
                | TableFactor::Derived { .. }
                | TableFactor::NestedJoin { alias: None, .. }
                | TableFactor::Function { .. }
                | TableFactor::TableFunction { .. }
                | TableFactor::UNNEST { .. }
        );
        self.all |= !plain;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(name) => {
                self.names.insert(name.value.to_lowercase());
            }
            Expr::CompoundIdentifier(parts) => {
                self.names.extend(parts.last().map(|name| name.value.to_lowercase()));
            }
            Expr::Function(function) => {
                let counts = last_part(&function.name).is_some_and(|name| name.value.eq_ignore_ascii_case("count"));
                if let (FunctionArguments::List(list), false) = (&function.args, counts) {
                    self.all |= list.args.iter().any(is_star_argument);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn is_star_argument(argument: &FunctionArg) -> bool {
    let argument = match argument {
        FunctionArg::Named { arg, .. } | FunctionArg::ExprNamed { arg, .. } | FunctionArg::Unnamed(arg) => arg,
    };
    !matches!(argument, FunctionArgExpr::Expr(_))
}

fn is_plain_star(item: &SelectItem) -> bool {
    matches!(item, SelectItem::Wildcard(_))
}

fn starred_name(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
            last_part(name).map(|name| name.value.to_lowercase())
        }
        _ => None,
    }
}

fn is_odd_star(item: &SelectItem) -> bool {
    matches!(item, SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(_), _))
}
