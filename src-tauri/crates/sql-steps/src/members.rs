//! Lists whose members are rows: `FROM orders AS o CROSS JOIN UNNEST(o.items) AS item`. The parts that a query reads
//! from the table and its lists become a separate query, which stays whole; the rest is split as if that were a table.

use crate::chain::Chain;
use crate::columns::Named;
use crate::names::{Unique, same_name};
use sqlparser::ast::{
    AccessExpr, Expr, GroupByExpr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, Query, Select, SelectItem,
    SetExpr, TableFactor, TableWithJoins, VisitMut,
};
use std::ops::ControlFlow;
use vitrine_domain::Table;
use vitrine_sql::ast::{build_identifier, has_queries, last_part, parse_expr, visit_exprs_mut};

/// A FROM clause that begins with a table and the members of its lists.
pub(crate) struct WithMembers<'q> {
    /// The table with its alias.
    table: &'q TableFactor,
    /// Numbers of its joins, and of items after a comma, that read members.
    joins: usize,
    items: usize,
}

impl<'q> WithMembers<'q> {
    /// Returns `None` if no list of the first table is read.
    pub fn from_select(select: &'q Select) -> Option<Self> {
        let first = select.from.first()?;
        let TableFactor::Table { args: None, .. } = &first.relation else { return None };
        let joins = first.joins.iter().take_while(|join| reads_members(join)).count();
        let mut items = 0;
        // A source joined to the last of them is joined to all before it.
        while let Some(item) = select.from.get(items + 1).filter(|_| joins == first.joins.len())
            && is_function(&item.relation)
            && (items == 0 || select.from[items].joins.is_empty())
        {
            items += 1;
        }
        (joins + items > 0).then_some(Self { table: &first.relation, joins, items })
    }

    /// Returns true if a query only reads names from it.
    pub fn is_all_of(&self, query: &Query, select: &Select) -> bool {
        let is_name = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
            }
            _ => false,
        };
        let plain = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty())
            && select.selection.is_none()
            && select.having.is_none()
            && select.distinct.is_none()
            && select.qualify.is_none();
        let (_, joins, items) = self.split_from_clause(&select.from);
        let alone = joins.is_empty() && items.is_empty();
        let ends = query.order_by.is_none() && query.limit_clause.is_none() && query.fetch.is_none();
        plain && alone && ends && select.projection.iter().all(is_name)
    }

    /// Splits a FROM clause into the text of the table with its lists, and the remaining joins and items.
    fn split_from_clause(&self, from: &[TableWithJoins]) -> (String, Vec<Join>, Vec<TableWithJoins>) {
        let (own, mut rest) = from[0].joins.split_at(self.joins);
        let first = TableWithJoins { relation: self.table.clone(), joins: own.to_vec() };
        let mut read = first.to_string();
        for item in &from[1..=self.items] {
            read.push_str(&format!(", {}", item.relation));
            rest = if item.joins.is_empty() { rest } else { &item.joins };
        }
        (read, rest.to_vec(), from[self.items + 1..].to_vec())
    }

    /// Returns the names of the members.
    fn member_names(&self, from: &[TableWithJoins]) -> Vec<String> {
        let joined = from[0].joins.iter().take(self.joins).map(|join| &join.relation);
        let factors = joined.chain(from[1..=self.items].iter().map(|item| &item.relation));
        let mut names = Vec::new();
        for factor in factors {
            let (alias, own) = match factor {
                TableFactor::Table { name, alias, .. } => (alias, last_part(name)),
                TableFactor::Function { alias, .. }
                | TableFactor::TableFunction { alias, .. }
                | TableFactor::JsonTable { alias, .. }
                | TableFactor::OpenJsonTable { alias, .. } => (alias, None),
                TableFactor::UNNEST { alias, with_offset_alias, .. } => (alias, with_offset_alias.as_ref()),
                _ => (&None, None),
            };
            names.extend(own.map(|own| own.value.clone()));
            if let Some(alias) = alias {
                names.push(alias.name.value.clone());
                names.extend(alias.columns.iter().map(|column| column.name.value.clone()));
            }
        }
        names
    }
}

/// Returns the name of a table, and its name or alias in a FROM clause.
pub(crate) fn table_and_alias(factor: &TableFactor) -> Option<(&ObjectName, &Ident)> {
    let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
    Some((name, alias.as_ref().map(|alias| &alias.name).or_else(|| last_part(name))?))
}

/// Returns true if a table expression is a function that returns rows.
pub(crate) fn is_function(factor: &TableFactor) -> bool {
    matches!(
        factor,
        TableFactor::Table { args: Some(_), .. }
            | TableFactor::Function { .. }
            | TableFactor::TableFunction { .. }
            | TableFactor::JsonTable { .. }
            | TableFactor::OpenJsonTable { .. }
            | TableFactor::UNNEST { .. }
    )
}

/// Returns true if a join reads the members of a list.
pub(crate) fn reads_members(join: &Join) -> bool {
    use JoinOperator as J;
    matches!(join.join_operator, J::ArrayJoin | J::LeftArrayJoin | J::InnerArrayJoin) || is_function(&join.relation)
}

/// Resolves the names of a query to the table, its members or other sources.
struct MemberNames<'n> {
    table: &'n Table,
    /// The name or alias of the table, and the names of its members.
    own: String,
    members: Vec<String>,
    /// The other items of the FROM clause.
    others: Vec<Named>,
    /// Aliases of the select list, except those equal to the aliased name.
    aliases: Vec<String>,
    /// Extracted names: in lower case without the table, as written, and the new name.
    taken: Vec<(String, String, String)>,
    unique: Unique,
}

impl MemberNames<'_> {
    /// Returns the new name of a column of the table or its members; `None` for columns of other sources.
    fn renamed_column(&mut self, path: &[Ident]) -> Result<Option<String>, ()> {
        let Some((first, behind)) = path.split_first() else { return Err(()) };
        let is_own = |name: &String| same_name(name, &first.value);
        let has = |named: &Named| named.columns.iter().flatten().any(|column| same_name(column, &first.value));
        if !behind.is_empty() && self.others.iter().any(|named| is_own(&named.name)) {
            return Ok(None);
        }
        if behind.is_empty() && self.aliases.iter().any(is_own) {
            return if self.table.find_column(&first.value).is_some() || self.others.iter().any(has) {
                Err(())
            } else {
                Ok(None)
            };
        }
        let of_table = is_own(&self.own) && !behind.is_empty();
        let of_members = self.members.iter().any(is_own);
        if !of_table && !of_members {
            if self.others.iter().any(|named| named.columns.is_none()) {
                return Err(());
            }
            match (self.table.find_column(&first.value).is_some(), self.others.iter().any(has)) {
                (true, false) => {}
                (false, true) => return Ok(None),
                _ => return Err(()),
            }
        }
        // A column may be named with its table or without.
        let bare = if of_table && !of_members { behind } else { path };
        let key = bare.iter().map(|part| part.value.to_lowercase()).collect::<Vec<_>>().join(".");
        if let Some((_, _, name)) = self.taken.iter().find(|(known, ..)| *known == key) {
            return Ok(Some(name.clone()));
        }
        let name = self.unique.unique_name(path.last().map_or("", |last| &last.value));
        let written = path.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
        self.taken.push((key, written, name.clone()));
        Ok(Some(name))
    }
}

/// Returns the columns that both sides of a join must have; `None` represents the columns of a natural join.
fn joins_by(join: &Join) -> Vec<Option<Ident>> {
    use JoinOperator as J;
    match &join.join_operator {
        J::Join(on) | J::Inner(on) | J::Left(on) | J::LeftOuter(on) => match on {
            JoinConstraint::Using(names) => names.iter().map(|name| last_part(name).cloned()).collect(),
            JoinConstraint::Natural => vec![None],
            JoinConstraint::On(_) | JoinConstraint::None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

impl Chain<'_> {
    /// Rewrites the query over a subquery that reads the table with the members of its lists; `None` if the owner of a
    /// name is ambiguous.
    pub fn over_members(&self, query: &Query, select: &Select, with: &WithMembers<'_>) -> Option<Query> {
        let (name, called) = table_and_alias(with.table)?;
        let own = last_part(name)?;
        let is_view = name.0.len() == 1 && self.views.iter().any(|view| same_name(&view.name, &own.value));
        if is_view || has_queries(select) {
            return None;
        }
        let (read, joins, items) = with.split_from_clause(&select.from);
        let rest: Vec<TableWithJoins> =
            joins.iter().map(|join| TableWithJoins { relation: join.relation.clone(), joins: Vec::new() }).collect();
        let others =
            [rest.as_slice(), items.as_slice()].into_iter().flat_map(|from| self.named_sources(from, &Vec::new()));
        let aliases = select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr: Expr::Identifier(name), alias }
                if same_name(&name.value, &alias.value) =>
            {
                None
            }
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            _ => None,
        });
        let mut names = MemberNames {
            table: self.find_table(name)?,
            own: called.value.clone(),
            members: with.member_names(&select.from),
            others: others.collect(),
            aliases: aliases.collect(),
            taken: Vec::new(),
            unique: Unique::default(),
        };
        for name in joins.iter().flat_map(joins_by) {
            let name = name?;
            if names.table.find_column(&name.value).is_some() {
                let path = [build_identifier(&names.own, self.dialect), name.clone()];
                names.renamed_column(&path).ok()?.filter(|new| same_name(new, &name.value))?;
            }
        }
        // The table's own name is more informative than an alias.
        let is_taken = names.others.iter().any(|named| same_name(&named.name, &own.value));
        let called = if is_taken { called } else { own }.value.clone();
        let declared = self.columns_of(query, &Vec::new())?;
        let mut other = query.clone();
        let SetExpr::Select(select) = other.body.as_mut() else { return None };
        select.from = vec![TableWithJoins { relation: with.table.clone(), joins }];
        select.from.extend(items);
        self.rename_select_columns(select, &declared, &called, &mut names)?;
        self.rename_part_columns(&mut other.order_by, &called, &mut names)?;
        let SetExpr::Select(select) = other.body.as_mut() else { return None };
        if names.taken.is_empty() {
            // Only rows are counted.
            let first = build_identifier(&names.table.columns.first()?.name, self.dialect);
            let table = build_identifier(&names.own, self.dialect);
            names.renamed_column(&[table, first]).ok()?;
        }
        select.from[0].relation = self.read_members(&names, &read, &called)?;
        Some(other)
    }

    /// Renames columns in a SELECT; a value without a name keeps the name that the engine gives it.
    fn rename_select_columns(
        &self,
        select: &mut Select,
        declared: &[String],
        called: &str,
        names: &mut MemberNames<'_>,
    ) -> Option<()> {
        for (item, name) in select.projection.iter_mut().zip(declared) {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let before = expr.clone();
                    self.rename_part_columns(expr, called, names)?;
                    if *expr != before {
                        *item = SelectItem::ExprWithAlias {
                            expr: expr.clone(),
                            alias: build_identifier(name, self.dialect),
                        };
                    }
                }
                SelectItem::ExprWithAlias { .. } => self.rename_part_columns(item, called, names)?,
                _ => return None,
            }
        }
        let projection = std::mem::take(&mut select.projection);
        self.rename_part_columns(select, called, names)?;
        select.projection = projection;
        Some(())
    }

    fn rename_part_columns(&self, part: &mut impl VisitMut, called: &str, names: &mut MemberNames<'_>) -> Option<()> {
        let mut write = |expr: &mut Expr| {
            let path = match &*expr {
                Expr::Identifier(one) => std::slice::from_ref(one),
                Expr::CompoundIdentifier(parts) => parts.as_slice(),
                Expr::CompoundFieldAccess { access_chain, .. }
                    if access_chain.iter().any(|access| matches!(access, AccessExpr::Dot(_))) =>
                {
                    return ControlFlow::Break(());
                }
                _ => return ControlFlow::Continue(()),
            };
            match names.renamed_column(path) {
                Ok(Some(name)) => {
                    *expr = Expr::CompoundIdentifier(vec![
                        build_identifier(called, self.dialect),
                        build_identifier(&name, self.dialect),
                    ]);
                    ControlFlow::Continue(())
                }
                Ok(None) => ControlFlow::Continue(()),
                Err(()) => ControlFlow::Break(()),
            }
        };
        visit_exprs_mut(part, &mut write).is_continue().then_some(())
    }

    /// Returns the query that reads the extracted columns, as an item of a FROM clause.
    fn read_members(&self, names: &MemberNames<'_>, from: &str, called: &str) -> Option<TableFactor> {
        let items = names.taken.iter().map(|(_, old, new)| format!("{old} AS {}", build_identifier(new, self.dialect)));
        let items: Vec<String> = items.collect();
        let (items, called) = (items.join(", "), build_identifier(called, self.dialect));
        let text = format!("(SELECT 1 FROM (SELECT {items} FROM {from}) AS {called})");
        let Expr::Subquery(query) = parse_expr(&text, self.dialect)? else { return None };
        let SetExpr::Select(select) = *query.body else { return None };
        select.from.into_iter().next().map(|item| item.relation)
    }
}
