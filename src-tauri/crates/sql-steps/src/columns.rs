//! Determines the column names of a query from its syntax tree.

use crate::chain::Chain;
use crate::names::{of_item, same_name};
use sqlparser::ast::{
    ObjectName, ObjectNamePart, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, SetQuantifier,
    TableAlias, TableFactor, TableWithJoins, WildcardAdditionalOptions,
};
use vitrine_domain::Table;
use vitrine_sql::ast::{InScope, last_part, query_of};

/// Names and, if known, columns of views defined inside of the examined part.
pub(crate) type Locals = Vec<(String, Option<Vec<String>>)>;

/// An item of a FROM clause, by its name or alias.
pub(crate) struct Named {
    pub name: String,
    /// Its columns; `None` if unknown.
    pub columns: Option<Vec<String>>,
}

impl Chain<'_> {
    /// Returns the table of the catalog that a name refers to.
    pub fn find_table(&self, name: &ObjectName) -> Option<&Table> {
        let nothing = query_of(SetExpr::Values(sqlparser::ast::Values {
            explicit_row: false,
            value_keyword: false,
            rows: Vec::new(),
        }));
        InScope::from_query(&nothing, self.catalog).table_named(name)
    }

    /// Returns the column names of a query; `None` if unknown.
    pub fn columns_of(&self, query: &Query, locals: &Locals) -> Option<Vec<String>> {
        let mut locals = locals.clone();
        for view in query.with.iter().flat_map(|with| &with.cte_tables) {
            let columns = self.columns_of(&view.query, &locals);
            locals.push((view.alias.name.value.clone(), rename_columns(columns, Some(&view.alias))));
        }
        self.columns_of_body(&query.body, &locals)
    }

    fn columns_of_body(&self, body: &SetExpr, locals: &Locals) -> Option<Vec<String>> {
        match body {
            SetExpr::Select(select) => self.columns_of_select(select, locals),
            SetExpr::Query(query) => self.columns_of(query, locals),
            SetExpr::SetOperation { left, set_quantifier, .. } => match set_quantifier {
                SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName => None,
                _ => self.columns_of_body(left, locals),
            },
            _ => None,
        }
    }

    fn columns_of_select(&self, select: &Select, locals: &Locals) -> Option<Vec<String>> {
        let mut columns = Vec::new();
        for (at, item) in select.projection.iter().enumerate() {
            let plain = WildcardAdditionalOptions::default();
            match item {
                SelectItem::Wildcard(options) if *options == plain => {
                    // Columns that a join merges would be counted twice.
                    if select.from.iter().any(merges_columns) {
                        return None;
                    }
                    for named in self.named_sources(&select.from, locals) {
                        columns.extend(named.columns?);
                    }
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)
                    if *options == plain =>
                {
                    let name = last_part(name)?;
                    let named = self
                        .named_sources(&select.from, locals)
                        .into_iter()
                        .find(|n| same_name(&n.name, &name.value))?;
                    columns.extend(named.columns?);
                }
                SelectItem::ExprWithAlias { .. } | SelectItem::UnnamedExpr(_) => {
                    columns.push(of_item(item, at, select, &self.texts));
                }
                _ => return None,
            }
        }
        Some(columns)
    }

    /// Returns the items of a FROM clause.
    pub fn named_sources(&self, from: &[TableWithJoins], locals: &Locals) -> Vec<Named> {
        let factors = from
            .iter()
            .flat_map(|item| std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation)));
        factors.flat_map(|factor| self.named_by(factor, locals)).collect()
    }

    fn named_by(&self, factor: &TableFactor, locals: &Locals) -> Vec<Named> {
        let unknown = || vec![Named { name: String::new(), columns: None }];
        match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let Some(last) = last_part(name) else { return unknown() };
                let own = name.0.len() == 1;
                let local = locals.iter().rev().find(|(view, _)| own && same_name(view, &last.value));
                let view = self.views.iter().rev().find(|view| own && same_name(&view.name, &last.value));
                let columns = match (local, view) {
                    (Some((_, columns)), _) => columns.clone(),
                    (None, Some(view)) => {
                        view.columns.as_ref().map(|columns| columns.iter().map(|c| c.name.clone()).collect())
                    }
                    (None, None) => {
                        self.find_table(name).map(|table| table.columns.iter().map(|c| c.name.clone()).collect())
                    }
                };
                let name = alias.as_ref().map_or(&last.value, |alias| &alias.name.value).clone();
                vec![Named { name, columns: rename_columns(columns, alias.as_ref()) }]
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let name = alias.as_ref().map(|alias| alias.name.value.clone()).unwrap_or_default();
                vec![Named { name, columns: rename_columns(self.columns_of(subquery, locals), alias.as_ref()) }]
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                self.named_sources(std::slice::from_ref(table_with_joins), locals)
            }
            _ => unknown(),
        }
    }
}

/// Returns true if a join merges columns.
fn merges_columns(from: &TableWithJoins) -> bool {
    use sqlparser::ast::{JoinConstraint as On, JoinOperator as Join};
    from.joins.iter().any(|join| match &join.join_operator {
        Join::Join(on)
        | Join::Inner(on)
        | Join::Left(on)
        | Join::LeftOuter(on)
        | Join::Right(on)
        | Join::RightOuter(on)
        | Join::FullOuter(on)
        | Join::CrossJoin(on) => matches!(on, On::Using(_) | On::Natural),
        _ => true,
    })
}

/// Renames columns by an alias's list, from the left.
pub(crate) fn rename_columns(columns: Option<Vec<String>>, alias: Option<&TableAlias>) -> Option<Vec<String>> {
    let names = alias.map_or(&[][..], |alias| &alias.columns);
    let given = || names.iter().map(|column| column.name.value.clone());
    match columns {
        Some(mut columns) => {
            given().enumerate().for_each(|(at, name)| match columns.get_mut(at) {
                Some(column) => *column = name,
                None => columns.push(name),
            });
            Some(columns)
        }
        None if names.is_empty() => None,
        None => Some(given().collect()),
    }
}

/// Returns the parts of a name, unless one is computed.
pub(crate) fn name_parts(name: &ObjectName) -> Option<Vec<&str>> {
    name.0.iter().map(|part| ObjectNamePart::as_ident(part).map(|ident| ident.value.as_str())).collect()
}
