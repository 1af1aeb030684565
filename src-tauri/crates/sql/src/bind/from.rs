//! Resolves FROM clauses: tables, views, subqueries, table functions and joins.

use super::scope::{Clause, Col, Rel, Rows, Scope, Source, Walk, merge_distinct, rename_columns, split_ident};
use crate::dialect::{DialectExt, NestedTables};
use crate::parse::{last_part, own_name};
use crate::text::same_name;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, Ident, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart,
    PivotValueSource, TableAlias, TableFactor, TableWithJoins,
};

impl<'a> Walk<'a> {
    /// Adds all items of a FROM clause to the innermost scope. Returns the join conditions that must wait until the
    /// select list is known.
    pub(super) fn walk_from<'q>(&mut self, from: &'q [TableWithJoins]) -> Vec<&'q Expr> {
        let mut late = Vec::new();
        for (item, tables) in from.iter().enumerate() {
            self.joined_tables(tables, item, &mut late);
        }
        late
    }

    fn joined_tables<'q>(&mut self, tables: &'q TableWithJoins, item: usize, late: &mut Vec<&'q Expr>) {
        let start = self.scopes.last().map_or(0, |s| s.rels.len());
        self.walk_table_factor(&tables.relation, item, late);
        for join in &tables.joins {
            let left = self.scopes.last().map_or(0, |s| s.rels.len());
            self.walk_table_factor(&join.relation, item, late);
            self.walk_join(join, start, left, late);
        }
    }

    fn walk_join<'q>(&mut self, join: &'q Join, start: usize, left: usize, late: &mut Vec<&'q Expr>) {
        use JoinOperator as J;
        let constraint = match &join.join_operator {
            J::Join(c) | J::Inner(c) | J::Left(c) | J::LeftOuter(c) | J::StraightJoin(c) => {
                if let JoinConstraint::On(on) = c {
                    self.record_equalities(on);
                }
                c
            }
            J::Right(c) | J::RightOuter(c) | J::FullOuter(c) | J::CrossJoin(c) => c,
            J::Semi(c) | J::LeftSemi(c) | J::RightSemi(c) | J::Anti(c) | J::LeftAnti(c) | J::RightAnti(c) => c,
            J::AsOf { match_condition, constraint } => {
                let sources = self.walk_condition(match_condition);
                self.add_condition_sources(&sources);
                constraint
            }
            J::CrossApply | J::OuterApply | J::ArrayJoin | J::LeftArrayJoin | J::InnerArrayJoin => return,
        };
        match constraint {
            JoinConstraint::On(on) if self.dialect.sql().join_conditions_see_later_names() => late.push(on),
            JoinConstraint::On(on) => {
                let sources = self.walk_condition(on);
                self.add_condition_sources(&sources);
            }
            JoinConstraint::Using(names) => {
                let names: Vec<&Ident> = names.iter().filter_map(last_part).collect();
                names.iter().for_each(|name| self.merge_join_column(name, start, left, true));
                self.note_merge(names.iter().map(|name| name.value.clone()).collect());
            }
            JoinConstraint::Natural => {
                let Some(scope) = self.scopes.last() else { return };
                let (before, after) = scope.rels.split_at(left.min(scope.rels.len()));
                let shared = |name: &str| {
                    before.get(start..).is_some_and(|rels| rels.iter().any(|r| r.find_column(name).is_some()))
                };
                let names: Vec<String> = after
                    .iter()
                    .flat_map(|r| &r.rows.cols)
                    .filter(|c| shared(&c.name))
                    .map(|c| c.name.clone())
                    .collect();
                for name in &names {
                    self.merge_join_column(&Ident::new(name), start, left, false);
                }
                self.note_merge(names);
            }
            JoinConstraint::None => {}
        }
    }

    /// Merges one column of USING or NATURAL. Both sides must have it; afterwards it is a single column.
    fn merge_join_column(&mut self, name: &Ident, start: usize, left: usize, check: bool) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let mut sources = Vec::new();
        let mut missing: Vec<usize> = Vec::new();
        for range in [start..left, left..scope.rels.len()] {
            let rels = scope.rels.get(range.clone()).unwrap_or_default();
            let found: Vec<_> =
                rels.iter().filter_map(|r| r.find_column(&name.value)).flat_map(|c| c.sources.clone()).collect();
            if !rels.iter().any(|r| r.rows.open || r.find_column(&name.value).is_some()) {
                missing.extend(range);
            }
            merge_distinct(&mut sources, &found);
        }
        scope.merged.insert(name.value.to_lowercase());
        self.mark_used(&sources);
        self.tie(&sources);
        if check && !missing.is_empty() {
            let scope = self.scopes.last();
            let columns = missing.iter().filter_map(|&i| scope.and_then(|s| s.rels.get(i))).flat_map(|r| &r.rows.cols);
            let near = columns.map(|c| (c.name.clone(), c.name.clone())).collect();
            self.unknown_among(name, near);
        }
    }

    /// Records the merged columns of a join, whose right side is the last item.
    fn note_merge(&mut self, names: Vec<String>) {
        if let Some(scope) = self.scopes.last_mut()
            && let Some(item) = scope.rels.last().map(|rel| rel.item)
        {
            scope.merges.push((item, names));
        }
    }

    /// Records which columns a join condition sets equal.
    fn record_equalities(&mut self, on: &Expr) {
        match on {
            Expr::Nested(inner) => self.record_equalities(inner),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.record_equalities(left);
                self.record_equalities(right);
            }
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                let column = |e: &Expr| match e {
                    Expr::CompoundIdentifier(parts) if parts.len() == 2 => {
                        Some((parts[0].value.clone(), parts[1].value.clone()))
                    }
                    _ => None,
                };
                if let (Some(left), Some(right), Some(scope)) = (column(left), column(right), self.scopes.last_mut()) {
                    scope.equal.push([left, right]);
                }
            }
            _ => {}
        }
    }

    fn walk_table_factor<'q>(&mut self, factor: &'q TableFactor, item: usize, late: &mut Vec<&'q Expr>) {
        match factor {
            TableFactor::Table { name, alias, args: None, .. } => self.walk_table(name, alias.as_ref(), item),
            TableFactor::Table { name, alias, args: Some(args), .. } => {
                let mut from = self.walk_arguments(&args.args);
                self.table_as_function(name, &mut from);
                self.open_rel(last_part(name).map(|i| i.value.clone()), from, alias.as_ref(), item);
            }
            TableFactor::Function { name, args, alias, .. } => {
                let from = self.walk_arguments(args);
                self.open_rel(last_part(name).map(|i| i.value.clone()), from, alias.as_ref(), item);
            }
            TableFactor::TableFunction { expr, alias } => {
                let from = self.walk_expr(expr);
                self.open_rel(None, from, alias.as_ref(), item);
            }
            TableFactor::UNNEST { alias, array_exprs, with_offset_alias, .. } => {
                let mut from = Vec::new();
                for e in array_exprs {
                    merge_distinct(&mut from, &self.walk_expr(e));
                }
                self.open_rel(Some("unnest".to_owned()), from.clone(), alias.as_ref(), item);
                if let Some(offset) = with_offset_alias {
                    self.open_rel(Some(offset.value.clone()), from, None, item);
                }
            }
            TableFactor::Derived { lateral, subquery, alias, .. } => {
                let lateral = *lateral || self.dialect.sql().subqueries_in_from_are_lateral();
                let rows = self.walk_derived_table(subquery, lateral);
                self.push_rel(Vec::new(), rows, None, alias.as_ref(), item);
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                let start = self.scopes.last().map_or(0, |s| s.rels.len());
                self.joined_tables(table_with_joins, item, late);
                if let (Some(alias), Some(scope)) = (alias, self.scopes.last_mut()) {
                    let mut rows = all_rows(scope.rels.split_off(start));
                    // Merged columns move the others.
                    rows.open |= !alias.columns.is_empty() && scope.merges.iter().any(|(of, _)| *of == item);
                    self.push_rel(Vec::new(), rows, None, Some(alias), item);
                }
            }
            TableFactor::Pivot {
                table,
                aggregate_functions,
                value_column,
                value_source,
                default_on_null,
                alias,
                ..
            } => {
                let exprs = aggregate_functions
                    .iter()
                    .map(|a| &a.expr)
                    .chain(value_column)
                    .chain(default_on_null)
                    .collect::<Vec<_>>();
                let (mut rows, mut sources) = self.walk_within_table(table, &exprs);
                self.mark_computed(&mut sources);
                merge_distinct(&mut rows.unlisted, &sources);
                if let PivotValueSource::Subquery(query) = value_source {
                    self.walk_query(query);
                }
                rows.open = true;
                self.push_rel(Vec::new(), rows, None, alias.as_ref(), item);
            }
            TableFactor::Unpivot { table, value, name, columns, alias, .. } => {
                let exprs: Vec<&Expr> = columns.iter().map(|c| &c.expr).collect();
                let (mut rows, sources) = self.walk_within_table(table, &exprs);
                rows.open = true;
                rows.cols.push(Col { name: name.value.clone(), ..Col::default() });
                let values = match value {
                    Expr::Tuple(values) => values.as_slice(),
                    one => std::slice::from_ref(one),
                };
                let values = values.iter().filter_map(own_name);
                let value = |name: &str| Col { name: name.to_owned(), sources: sources.clone(), guessed: false };
                rows.cols.extend(values.map(value));
                self.push_rel(Vec::new(), rows, None, alias.as_ref(), item);
            }
            TableFactor::JsonTable { json_expr, alias, .. } => {
                let from = self.walk_expr(json_expr);
                self.open_rel(None, from, alias.as_ref(), item);
            }
            TableFactor::OpenJsonTable { json_expr, columns, alias, .. } => {
                let from = self.walk_expr(json_expr);
                let names = match columns.as_slice() {
                    [] => ["key", "value", "type"].map(str::to_owned).to_vec(),
                    columns => columns.iter().map(|column| column.name.value.clone()).collect(),
                };
                let cols = names.into_iter().map(|name| Col { name, sources: from.clone(), guessed: false }).collect();
                let rows = Rows { cols, row_sources: from.clone(), unlisted: from, open: false };
                self.push_rel(Vec::new(), rows, None, alias.as_ref(), item);
            }
            TableFactor::XmlTable { row_expression, passing, alias, .. } => {
                let mut from = self.walk_expr(row_expression);
                for argument in &passing.arguments {
                    merge_distinct(&mut from, &self.walk_expr(&argument.expr));
                }
                self.open_rel(None, from, alias.as_ref(), item);
            }
            // The read-only proof rejects all other kinds.
            _ => self.open_rel(None, Vec::new(), None, item),
        }
    }

    /// Adds the columns of a table that is called like a function: such a full-text search returns the table's rows.
    fn table_as_function(&mut self, name: &ObjectName, from: &mut Vec<Source>) {
        let parts: Vec<&str> = name.0.iter().filter_map(ObjectNamePart::as_ident).map(|i| i.value.as_str()).collect();
        if let Some(table) = self.find_table(&parts).filter(|_| self.follows_values()) {
            let full = table.name.to_string();
            let columns: Vec<Source> = table.columns.iter().map(|c| (full.clone(), c.name.clone())).collect();
            self.mark_used(&columns);
            merge_distinct(from, &columns);
        }
    }

    fn walk_arguments(&mut self, args: &[FunctionArg]) -> Vec<Source> {
        let mut sources = Vec::new();
        for arg in args {
            merge_distinct(&mut sources, &self.walk_argument(arg));
        }
        sources
    }

    /// Walks expressions with only one table in scope, as in PIVOT. Returns the table's columns, and the source columns
    /// of the expressions.
    fn walk_within_table(&mut self, table: &TableFactor, exprs: &[&Expr]) -> (Rows, Vec<Source>) {
        self.scopes.push(Scope::new(sqlparser::tokenizer::Span::empty()));
        let mut late = Vec::new();
        self.walk_table_factor(table, 0, &mut late);
        self.set_clause(Clause::Where);
        for e in late {
            self.walk_expr(e);
        }
        let mut sources = Vec::new();
        for e in exprs {
            merge_distinct(&mut sources, &self.walk_expr(e));
        }
        (all_rows(self.scopes.pop().map(|s| s.rels).unwrap_or_default()), sources)
    }

    /// Walks a subquery in FROM. It does not see its neighbours unless it is lateral.
    fn walk_derived_table(&mut self, subquery: &sqlparser::ast::Query, lateral: bool) -> Rows {
        if lateral {
            return self.walk_query(subquery);
        }
        let Some(here) = self.scopes.pop() else { return self.walk_query(subquery) };
        let rows = self.walk_query(subquery);
        self.scopes.push(here);
        rows
    }

    /// Adds a source whose columns cannot be listed; they are computed from `from`.
    fn open_rel(&mut self, name: Option<String>, from: Vec<Source>, alias: Option<&TableAlias>, item: usize) {
        let mut from = from;
        self.mark_computed(&mut from);
        let own = name.iter().filter(|_| alias.is_none()).cloned();
        let dialect = self.dialect.sql();
        let known = name.iter().flat_map(|name| dialect.table_function_columns(name)).map(|&n| n.to_owned());
        let col = |name: String| Col { name, sources: from.clone(), guessed: false };
        let cols = own.chain(known).map(col).collect();
        let rows = Rows { cols, open: true, row_sources: from.clone(), unlisted: from };
        self.push_rel(name.into_iter().collect(), rows, None, alias, item);
    }

    fn push_rel(
        &mut self,
        parts: Vec<String>,
        mut rows: Rows,
        table: Option<String>,
        alias: Option<&TableAlias>,
        item: usize,
    ) {
        if table.is_none() {
            self.mark_generated(&mut rows);
        }
        let parts = match alias {
            Some(alias) => {
                rename_columns(&mut rows, alias.columns.iter().map(|c| c.name.value.as_str()));
                vec![alias.name.value.clone()]
            }
            None => parts,
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.rels.push(Rel { parts, rows, table, item });
        }
    }

    fn walk_table(&mut self, name: &ObjectName, alias: Option<&TableAlias>, item: usize) {
        let idents: Vec<&Ident> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        let parts: Vec<String> = idents.iter().flat_map(|i| split_ident(i, self.dialect)).collect();
        let short: Vec<&str> = parts.iter().map(String::as_str).collect();
        let Some((&last, qualifier)) = short.split_last() else { return self.open_rel(None, Vec::new(), alias, item) };
        if qualifier.is_empty()
            && let Some((view, rows)) = self.views.iter().rev().find(|(view, _)| same_name(view, last))
        {
            // The engine may mean the one in other letters.
            let is_other = |(own, _): &(String, Rows)| own != view && same_name(own, view);
            self.reads_unknown |= self.follows_values() && self.views.iter().any(is_other);
            let rows = rows.clone();
            return self.push_rel(parts, rows, None, alias, item);
        }
        if let Some(table) = self.find_table(&short) {
            let full = table.name.to_string();
            let col = |c: &vitrine_domain::Column| Col {
                name: c.name.clone(),
                sources: vec![(full.clone(), c.name.clone())],
                guessed: false,
            };
            let rows = Rows { cols: table.columns.iter().map(col).collect(), ..Rows::default() };
            if !self.tables.contains(&full) {
                self.tables.push(full.clone());
            }
            self.table_in_its_letters(&idents, table);
            let parts = if parts.len() > 1 { parts } else { table.name.name_parts().map(str::to_owned).collect() };
            return self.push_rel(parts, rows, Some(full), alias, item);
        }
        let path: Vec<Ident> = idents.iter().map(|ident| (*ident).clone()).collect();
        let kind = self.dialect.sql().nested_tables();
        let (nested, from) = match kind {
            NestedTables::QualifiedColumn if qualifier.len() == 1 => {
                let called = self.scopes.iter().any(|s| s.rels.iter().any(|r| r.is_called(qualifier)));
                (called, if called { self.resolve_silently(&path) } else { Vec::new() })
            }
            NestedTables::ArrayJoin => {
                let from = self.resolve_silently(&path);
                (!from.is_empty(), from)
            }
            NestedTables::QualifiedColumn | NestedTables::Unsupported => (false, Vec::new()),
        };
        if nested && kind == NestedTables::ArrayJoin && alias.is_none() {
            return;
        }
        let is_omitted = self.dialect.sql().is_omitted_from_catalogs(qualifier, &last.to_lowercase());
        let is_elsewhere = !is_omitted && self.is_elsewhere(&short);
        let is_description = is_omitted && !same_name(last, "dual");
        self.reads_unknown |= !nested && (is_elsewhere || is_description || last.ends_with('*'));
        if nested || is_omitted || is_elsewhere {
            return self.open_rel(Some(last.to_owned()), from, alias, item);
        }
        self.unknown_table(&idents, &short, alias);
        self.open_rel(Some(last.to_owned()), Vec::new(), alias, item);
    }
}

/// Returns the columns of several items merged into one item.
fn all_rows(rels: Vec<Rel>) -> Rows {
    let mut all = Rows::default();
    for Rows { cols, open, unlisted, row_sources } in rels.into_iter().map(|r| r.rows) {
        all.cols.extend(cols);
        all.open |= open;
        merge_distinct(&mut all.unlisted, &unlisted);
        merge_distinct(&mut all.row_sources, &row_sources);
    }
    all
}
