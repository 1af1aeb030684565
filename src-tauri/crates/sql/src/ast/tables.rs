//! The tables of one FROM clause by name or alias.

use crate::ast::catalog_tables::{Named, resolve_table_name};
use crate::ast::{select_branches, visit_mut, visit_tree};
use crate::parse::last_part;
use crate::read_only::ReadOnlySql;
use crate::text::build_identifier;
use sqlparser::ast::{
    Expr, Ident, ObjectName, ObjectNamePart, Query, Select, TableFactor, VisitMut, Visitor, VisitorMut,
};
use std::ops::{ControlFlow, Deref};
use vitrine_domain::{Catalog, Dialect, Table, TableName};

/// The catalog as visible to one query: the query's own views hide tables of the same name.
pub struct InScope<'c> {
    catalog: &'c Catalog,
    /// Names of all CTEs in the query, lower case.
    views: Vec<String>,
}

impl<'c> InScope<'c> {
    /// Returns the catalog as visible to `query`.
    pub fn from_query(query: &Query, catalog: &'c Catalog) -> Self {
        struct Finder(Vec<String>);
        impl Visitor for Finder {
            type Break = ();
            fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
                let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
                self.0.extend(ctes.map(|cte| cte.alias.name.value.to_lowercase()));
                ControlFlow::Continue(())
            }
        }
        let mut finder = Finder(Vec::new());
        let _ = visit_tree(query, &mut finder);
        Self { catalog, views: finder.0 }
    }

    /// Returns the table of the catalog that a name refers to. `None` for a view of the query, an unknown name, or a
    /// name that matches tables of several schemas.
    pub fn table_named(&self, name: &ObjectName) -> Option<&'c Table> {
        let parts: Vec<&str> = name
            .0
            .iter()
            .map(|part| ObjectNamePart::as_ident(part).map(|i| i.value.as_str()))
            .collect::<Option<_>>()?;
        if let [only] = parts.as_slice()
            && self.views.contains(&only.to_lowercase())
        {
            return None;
        }
        match resolve_table_name(self.catalog, &parts) {
            Named::Table(table) => Some(table),
            Named::OneOf(_) | Named::Elsewhere | Named::Nothing => None,
        }
    }
}

impl<'c> InScope<'c> {
    /// Returns the underlying catalog, without the query's views.
    pub fn catalog(&self) -> &'c Catalog {
        self.catalog
    }
}

impl Deref for InScope<'_> {
    type Target = Catalog;
    fn deref(&self) -> &Catalog {
        self.catalog
    }
}

/// A table of the catalog in a FROM clause.
pub struct Relation<'a> {
    /// The alias, or the table's name if there is none.
    pub alias: String,
    /// The table in the catalog.
    pub table: &'a Table,
}

impl<'a> Relation<'a> {
    fn from_table_factor(factor: &TableFactor, scope: &InScope<'a>) -> Option<Self> {
        let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
        let table = scope.table_named(name)?;
        let last = last_part(name)?;
        let alias = alias.as_ref().map_or(&last.value, |a| &a.name.value);
        Some(Self { alias: alias.clone(), table })
    }

    /// Returns true if a qualifier refers to this table.
    pub fn matches_qualifier(&self, qualifier: &Ident) -> bool {
        qualifier.value.eq_ignore_ascii_case(&self.alias)
    }
}

/// Builds a table reference for a FROM clause.
pub fn table_factor(name: &TableName, dialect: Dialect) -> TableFactor {
    let parts: Vec<Ident> = name.name_parts().map(|part| build_identifier(part, dialect)).collect();
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

/// Returns the table of a column, and the column's name as written. `None` if `expr` is not a column of these tables.
pub fn resolve_column_table<'a, 'e>(expr: &'e Expr, tables: &[Relation<'a>]) -> Option<(&'a Table, &'e str)> {
    resolve_column_index(expr, tables).map(|(at, name)| (tables[at].table, name))
}

/// Returns the index of a column's table, and the column's name as written.
pub fn resolve_column_index<'e>(expr: &'e Expr, tables: &[Relation<'_>]) -> Option<(usize, &'e str)> {
    let (qualifier, name) = match expr {
        Expr::Identifier(name) => (None, &name.value),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [.., qualifier, name] => (Some(qualifier), &name.value),
            _ => return None,
        },
        _ => return None,
    };
    let has = |table: &Relation<'_>| {
        qualifier.is_none_or(|q| table.matches_qualifier(q)) && table.table.find_column(name).is_some()
    };
    tables.iter().position(has).map(|at| (at, name.as_str()))
}

/// Iterates over the items of a FROM clause in order.
pub fn iter_table_factors(select: &Select) -> impl Iterator<Item = &TableFactor> {
    select.from.iter().flat_map(|f| std::iter::once(&f.relation).chain(f.joins.iter().map(|j| &j.relation)))
}

/// Iterates over the items of a FROM clause as catalog tables; yields `None` for anything else.
pub fn iter_relations<'a>(select: &Select, scope: &InScope<'a>) -> impl Iterator<Item = Option<Relation<'a>>> {
    iter_table_factors(select).map(|factor| Relation::from_table_factor(factor, scope))
}

/// Visits every SELECT of a statement, including nested ones and branches of set operations. `look` receives the
/// enclosing query, the SELECT, and the catalog tables that it reads.
pub fn each_select<'c>(sql: &ReadOnlySql, catalog: &'c Catalog, look: impl FnMut(&Query, &Select, &[Relation<'c>])) {
    struct Looker<'c, L> {
        scope: InScope<'c>,
        look: L,
    }
    impl<'c, L: FnMut(&Query, &Select, &[Relation<'c>])> Visitor for Looker<'c, L> {
        type Break = ();
        fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
            for select in select_branches(&query.body) {
                let tables: Vec<Relation<'c>> = iter_relations(select, &self.scope).flatten().collect();
                (self.look)(query, select, &tables);
            }
            ControlFlow::Continue(())
        }
    }
    let _ =
        sql.with_query(|query| visit_tree(&query, &mut Looker { scope: InScope::from_query(&query, catalog), look }));
}

/// Applies `change` to every query of a statement, outer ones first.
pub fn each_query(query: &mut Query, change: impl FnMut(&mut Query)) {
    struct Changer<F>(F);
    impl<F: FnMut(&mut Query)> VisitorMut for Changer<F> {
        type Break = ();
        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            (self.0)(query);
            ControlFlow::Continue(())
        }
    }
    let _ = visit_mut(query, &mut Changer(change));
}

/// Applies `change` to the expressions of a part of a query, outer ones first. Nested queries are skipped, including
/// queries inserted by `change`, because their names refer to their own tables.
pub fn each_own_expr(part: &mut impl VisitMut, change: impl FnMut(&mut Expr)) {
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
    let _ = visit_mut(part, &mut Own { change, queries_around: 0 });
}

/// Returns true if a query, or a nested one, references an unqualified `name` in a FROM clause.
pub fn names_table(query: &Query, name: &str) -> bool {
    struct Finds(String);
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
            match factor {
                TableFactor::Table { name, args: None, .. }
                    if name.0.len() == 1 && last_part(name).is_some_and(|last| last.value.to_lowercase() == self.0) =>
                {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    visit_tree(query, &mut Finds(name.to_lowercase())).is_break()
}

/// Returns true if a column is part of the table's primary key or of a foreign key.
pub fn is_in_key(table: &Table, column: &str) -> bool {
    let mut keys = table.primary_key.iter().chain(table.foreign_keys.iter().flat_map(|key| &key.columns));
    keys.any(|key| key.eq_ignore_ascii_case(column))
}
