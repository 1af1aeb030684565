//! The tables of one FROM clause, by the names that its query calls them.

use crate::ReadOnlySql;
use crate::guard::last_part;
use crate::quote::ident;
use sqlparser::ast::{
    Expr, Ident, ObjectName, Query, Select, SetExpr, TableFactor, Visit, VisitMut, Visitor, VisitorMut,
};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Dialect, Table, TableName};

/// A table of the catalog in a FROM clause.
pub(crate) struct Relation<'a> {
    /// The name it goes by: its alias, or its own.
    pub alias: String,
    pub table: &'a Table,
}

impl<'a> Relation<'a> {
    fn of(factor: &TableFactor, catalog: &'a Catalog) -> Option<Self> {
        let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
        let table = table_named(name, catalog)?;
        let last = last_part(name)?;
        let alias = alias.as_ref().map_or(&last.value, |a| &a.name.value);
        Some(Self { alias: alias.clone(), table })
    }

    /// Whether a qualifier means this table.
    pub fn is(&self, qualifier: &Ident) -> bool {
        qualifier.value.eq_ignore_ascii_case(&self.alias)
    }
}

/// The table of the catalog that a name means, by its last part.
pub(crate) fn table_named<'a>(name: &ObjectName, catalog: &'a Catalog) -> Option<&'a Table> {
    let last = last_part(name)?;
    catalog.tables.iter().find(|t| t.name.name.eq_ignore_ascii_case(&last.value))
}

/// A table as a FROM clause names it.
pub(crate) fn table_factor(name: &TableName, dialect: Dialect) -> TableFactor {
    let parts: Vec<Ident> = name.parts().map(|part| ident(part, dialect)).collect();
    TableFactor::Table {
        name: ObjectName::from(parts),
        alias: None,
        args: None,
        with_hints: Vec::new(),
        version: None,
        with_ordinality: false,
        partitions: Vec::new(),
        json_path: None,
        sample: None,
        index_hints: Vec::new(),
    }
}

/// The table that has a column, and the column's name as it is written; `None` for anything that is no column of these.
pub(crate) fn owner<'a, 'e>(expr: &'e Expr, tables: &[Relation<'a>]) -> Option<(&'a Table, &'e str)> {
    let (qualifier, name) = match expr {
        Expr::Identifier(name) => (None, &name.value),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [.., qualifier, name] => (Some(qualifier), &name.value),
            _ => return None,
        },
        _ => return None,
    };
    let mut owners = tables.iter().filter(|t| qualifier.is_none_or(|q| t.is(q))).map(|t| t.table);
    owners.find(|table| table.column(name).is_some()).map(|table| (table, name.as_str()))
}

/// What stands in a FROM clause, in order; `None` for anything that is no table of the catalog.
pub(crate) fn relations<'a>(select: &Select, catalog: &'a Catalog) -> impl Iterator<Item = Option<Relation<'a>>> {
    let factors =
        select.from.iter().flat_map(|f| std::iter::once(&f.relation).chain(f.joins.iter().map(|j| &j.relation)));
    factors.map(|factor| Relation::of(factor, catalog))
}

/// Looks at every SELECT of a statement, inner ones too: its query, itself, and the tables of the catalog that it reads.
pub(crate) fn each_select<'c>(
    sql: &ReadOnlySql,
    catalog: &'c Catalog,
    look: impl FnMut(&Query, &Select, &[Relation<'c>]),
) {
    struct Looker<'c, L> {
        catalog: &'c Catalog,
        look: L,
    }
    impl<'c, L: FnMut(&Query, &Select, &[Relation<'c>])> Visitor for Looker<'c, L> {
        type Break = ();
        fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
            if let SetExpr::Select(select) = query.body.as_ref() {
                let tables: Vec<Relation<'c>> = relations(select, self.catalog).flatten().collect();
                (self.look)(query, select, &tables);
            }
            ControlFlow::Continue(())
        }
    }
    let _ = sql.with_query(|query| query.visit(&mut Looker { catalog, look }));
}

/// Changes expressions of a part of a query, each before those inside of it; not those of queries that stand in it, or that
/// come to stand there by the change: what they name is of tables of their own.
pub(crate) fn each_own_expr(part: &mut impl VisitMut, change: impl FnMut(&mut Expr)) {
    struct Own<F> {
        change: F,
        queries_around: usize,
    }
    impl<F: FnMut(&mut Expr)> VisitorMut for Own<F> {
        type Break = ();

        fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
            self.queries_around += 1;
            ControlFlow::Continue(())
        }

        fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
            self.queries_around -= 1;
            ControlFlow::Continue(())
        }

        fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
            if self.queries_around == 0 {
                (self.change)(expr);
            }
            ControlFlow::Continue(())
        }
    }
    let _ = part.visit(&mut Own { change, queries_around: 0 });
}

/// Whether a column is part of the table's primary key, or of a reference to another.
pub(crate) fn is_in_key(table: &Table, column: &str) -> bool {
    let mut keys = table.primary_key.iter().chain(table.foreign_keys.iter().flat_map(|key| &key.columns));
    keys.any(|key| key.eq_ignore_ascii_case(column))
}
