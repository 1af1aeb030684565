//! Lists used like their members: `tags = 'gift'`, `sum(items.price)`. If an engine rejects this, a member must be
//! meant: each one in a value, any one in a condition. ClickHouse and Databricks accept `items.price` for a list, so a
//! query that runs is not changed. Snowflake's ARRAY declares no member type and can be compared with anything.

use crate::RuleInput;
use crate::by_place::ByPlace;
use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Ident, Join, Query, Select, SetExpr, TableFactor, Value, Visit,
};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{
    InScope, Relation, build_and, collect_aggregate_names, collect_conjuncts, each_query, has_queries, is_aggregate,
    iter_relations, last_part, parse_expr, parse_join, visit_exprs, visit_exprs_mut,
};
use vitrine_sql::{DialectExt, field_names, member_type, quote_identifier, singular_name};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let scope = InScope::from_query(query, input.catalog);
    let mut notes = Vec::new();
    each_query(query, |query| notes.extend(read_members(query, &scope)));
    notes
}

/// Replaces one member of a list by each member in an aggregating SELECT: `SUM(items[0].price)`. The query does not
/// determine which is meant, so this is a variant.
pub(crate) fn each_member(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let scope = InScope::from_query(query, input.catalog);
    let mut notes = Vec::new();
    each_query(query, |query| {
        let mut other = query.clone();
        if let SetExpr::Select(select) = other.body.as_mut()
            && scope.dialect.sql().has_typed_lists()
            && !collect_aggregate_names(&select.projection).is_empty()
        {
            let lists = Lists::from_select(select, &scope);
            if lists.without_places(&mut other)
                && let Some(note) = lists.take_fields(&mut other)
            {
                notes.push(note);
                *query = other;
            }
        }
    });
    notes
}

/// Replaces lists by their members in dialects that declare list types. Returns the lists.
fn read_members(query: &mut Query, catalog: &InScope<'_>) -> Vec<String> {
    if !catalog.dialect.sql().has_typed_lists() {
        return Vec::new();
    }
    let SetExpr::Select(select) = query.body.as_mut() else { return Vec::new() };
    let lists = Lists::from_select(select, catalog);
    let mut notes = Vec::new();
    let _ = visit_exprs_mut(&mut select.selection, |expr| {
        if let Some((list, asked)) = lists.replace_comparison(expr) {
            *expr = asked;
            notes.push(tr!("Asked about the members of {list}", list));
        }
        ControlFlow::<()>::Continue(())
    });
    notes.extend(lists.take_fields(query));
    notes.dedup();
    notes
}

/// A list column in a FROM clause.
struct List {
    /// Alias of the table, and name of the column.
    table: String,
    column: String,
    /// True if the members have fields.
    of_structs: bool,
    /// Names of the fields if the type declares them.
    fields: Vec<String>,
}

struct Lists {
    lists: Vec<List>,
    /// Names that are already in use.
    names: Vec<String>,
    dialect: Dialect,
}

impl Lists {
    fn from_select(select: &Select, catalog: &InScope<'_>) -> Self {
        let tables: Vec<Relation<'_>> = iter_relations(select, catalog).flatten().collect();
        let mut names: Vec<String> = tables.iter().map(|t| t.alias.clone()).collect();
        let mut lists = Vec::new();
        for relation in &tables {
            for column in &relation.table.columns {
                names.push(column.name.clone());
                if let Some(member) = member_type(&column.data_type) {
                    let fields = field_names(member);
                    let member = member.to_ascii_uppercase();
                    let of_structs = ["STRUCT", "TUPLE", "ROW"].iter().any(|word| member.starts_with(word));
                    lists.push(List { table: relation.alias.clone(), column: column.name.clone(), of_structs, fields });
                }
            }
        }
        Self { lists, names, dialect: catalog.dialect }
    }

    /// Returns the list at the start of a path, and the fields after it.
    fn match_list_path<'p>(&self, path: &'p [Ident]) -> Option<(&List, &'p [Ident])> {
        let is = |ident: &Ident, name: &str| ident.value.eq_ignore_ascii_case(name);
        let mut found = self.lists.iter().filter_map(|list| match path {
            [table, column, rest @ ..] if is(table, &list.table) && is(column, &list.column) => Some((list, rest)),
            [column, rest @ ..] if is(column, &list.column) => Some((list, rest)),
            _ => None,
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the list if the expression is one.
    fn list_of_expr(&self, expr: &Expr) -> Option<&List> {
        let path = match expr {
            Expr::Identifier(one) => std::slice::from_ref(one),
            Expr::CompoundIdentifier(parts) => parts.as_slice(),
            _ => return None,
        };
        self.match_list_path(path).filter(|(list, rest)| rest.is_empty() && !list.of_structs).map(|(list, _)| list)
    }

    fn column_sql(&self, list: &List) -> String {
        format!("{}.{}", quote_identifier(&list.table, self.dialect), quote_identifier(&list.column, self.dialect))
    }

    fn parse_sql(&self, text: &str) -> Option<Expr> {
        parse_expr(text, self.dialect)
    }

    /// Builds a condition that is true if a list contains a value.
    fn contains_value_sql(&self, list: &List, value: &Expr) -> String {
        self.dialect.sql().list_contains(&self.column_sql(list), &value.to_string())
    }

    /// Builds a condition that is true if any member of a list meets the given condition.
    fn any_member_sql(&self, list: &List, member: &str, condition: &str) -> String {
        let fields = self.struct_fields(list);
        self.dialect.sql().any_list_member(&self.column_sql(list), member, fields.as_deref(), condition)
    }

    /// Returns the quoted names of the fields of members that are structs.
    fn struct_fields(&self, list: &List) -> Option<Vec<String>> {
        list.of_structs.then(|| list.fields.iter().map(|field| quote_identifier(field, self.dialect)).collect())
    }

    /// Builds a join with a row for each member of a list.
    fn build_members_join(&self, list: &List, member: &str) -> Option<Join> {
        let fields = self.struct_fields(list);
        let join = self.dialect.sql().list_members_join(&self.column_sql(list), member, fields.as_deref());
        parse_join(&join, self.dialect)
    }

    /// Replaces a comparison of a list with a text by a comparison of its members.
    fn replace_comparison(&self, expr: &Expr) -> Option<(String, Expr)> {
        let text = |expr: &Expr| matches!(expr, Expr::Value(v) if matches!(v.value, Value::SingleQuotedString(_)));
        let (list, asked) = match expr {
            Expr::BinaryOp { left, op, right } => {
                let (list, value) = match (self.list_of_expr(left), self.list_of_expr(right)) {
                    (Some(list), None) if text(right) => (list, right),
                    (None, Some(list)) if text(left) => (list, left),
                    _ => return None,
                };
                // A text in list syntax is a list: `{a,b}` in PostgreSQL, `[a, b]` in DuckDB.
                if value.to_string().starts_with(self.dialect.sql().list_literal_start()) {
                    return None;
                }
                let any = self.contains_value_sql(list, value);
                match op {
                    BinaryOperator::Eq | BinaryOperator::AtArrow => (list, any),
                    BinaryOperator::NotEq => (list, format!("NOT ({any})")),
                    _ => return None,
                }
            }
            Expr::InList { expr: subject, list: values, negated } if values.iter().all(text) => {
                let list = self.list_of_expr(subject)?;
                let any = values.iter().map(|value| self.contains_value_sql(list, value));
                let any = any.collect::<Vec<_>>().join(" OR ");
                (list, format!("{}({any})", if *negated { "NOT " } else { "" }))
            }
            Expr::Like { expr: subject, pattern, negated, .. }
            | Expr::ILike { expr: subject, pattern, negated, .. }
                if text(pattern) =>
            {
                let list = self.list_of_expr(subject)?;
                let like = if matches!(expr, Expr::Like { .. }) { "LIKE" } else { "ILIKE" };
                let (not, member) = (if *negated { "NOT " } else { "" }, self.member_name(list));
                let some = self.any_member_sql(list, &member, &format!("{member} {like} {pattern}"));
                (list, format!("{not}{some}"))
            }
            _ => return None,
        };
        Some((list.column.clone(), self.parse_sql(&asked)?))
    }

    /// Returns an unused name for a member of a list, such as `item` for `items`.
    fn member_name(&self, list: &List) -> String {
        let one = singular_name(&list.column);
        let taken = |name: &str| self.names.iter().any(|n| n.eq_ignore_ascii_case(name)) || name.is_empty();
        if taken(&one)
            || !one.starts_with(|c: char| c.is_ascii_alphabetic())
            || quote_identifier(&one, self.dialect) != one
        {
            "member".to_owned()
        } else {
            one
        }
    }

    /// Replaces fields of a list of structs by fields of its members: of each member in values, and of any member that
    /// meets the conditions otherwise. A query that also aggregates other columns is not changed, because the join
    /// would repeat them.
    fn take_fields(&self, query: &mut Query) -> Option<String> {
        let Query { body, order_by, .. } = query;
        let SetExpr::Select(select) = body.as_mut() else { return None };
        if !self.dialect.sql().reads_fields_of_members() || has_queries(select) {
            return None;
        }
        let list = self.only_list(select, order_by)?;
        let member = self.member_name(list);
        let before = count_field_uses(self, &select.selection);
        let rename = |expr: &mut Expr| {
            if let Expr::CompoundIdentifier(path) = &*expr
                && let Some((found, rest)) = self.match_list_path(path).filter(|(_, rest)| !rest.is_empty())
                && std::ptr::eq(found, list)
            {
                *expr = Expr::CompoundIdentifier([&[Ident::new(&member)], rest].concat());
            }
            ControlFlow::<()>::Continue(())
        };
        let all = count_field_uses(self, &**select) + count_field_uses(self, order_by);
        if all == before {
            let mut parts = Vec::new();
            collect_conjuncts(select.selection.as_ref()?, &mut parts);
            let (of_list, others): (Vec<&Expr>, Vec<&Expr>) =
                parts.into_iter().partition(|part| count_field_uses(self, *part) > 0);
            let mut asked = of_list.into_iter().cloned().reduce(build_and)?;
            let _ = visit_exprs_mut(&mut asked, rename);
            let exists = self.parse_sql(&self.any_member_sql(list, &member, &asked.to_string()))?;
            select.selection = others.into_iter().cloned().chain([exists]).reduce(build_and);
            return Some(tr!("Asked about the members of {list}", list = list.column));
        }
        if self.repeats_others(select, order_by) {
            return None;
        }
        let join = self.build_members_join(list, &member)?;
        let is_table = |factor: &TableFactor| match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let own = alias.as_ref().map(|a| &a.name).or_else(|| last_part(name));
                own.is_some_and(|own| own.value.eq_ignore_ascii_case(&list.table))
            }
            _ => false,
        };
        let (from, at) = select.from.iter_mut().find_map(|from| {
            let at = match is_table(&from.relation) {
                true => 0,
                false => from.joins.iter().position(|join| is_table(&join.relation))? + 1,
            };
            Some((from, at))
        })?;
        // Conditions of earlier joins cannot refer to the members.
        if from.joins[..at].iter().any(|join| count_field_uses(self, join) > 0) {
            return None;
        }
        from.joins.insert(at, join);
        let _ = visit_exprs_mut(select.as_mut(), rename);
        let _ = visit_exprs_mut(order_by, rename);
        Some(tr!("Used each member of {list} separately", list = list.column))
    }

    /// Replaces fields of members at fixed positions by fields of the lists. Returns true if there were any.
    fn without_places(&self, query: &mut Query) -> bool {
        let mut found = false;
        let Query { body, order_by, .. } = query;
        let mut write = |expr: &mut Expr| {
            if let Some(path) = ByPlace::from_expr(expr).and_then(|member| member.field_of_each())
                && self.match_list_path(&path).is_some_and(|(list, _)| list.of_structs)
            {
                *expr = Expr::CompoundIdentifier(path);
                found = true;
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = visit_exprs_mut(body.as_mut(), &mut write);
        let _ = visit_exprs_mut(order_by, &mut write);
        found
    }

    /// Returns the only list of structs whose fields are used.
    fn only_list(&self, select: &Select, order_by: &impl Visit) -> Option<&List> {
        let mut found: Vec<&List> = Vec::new();
        let mut note = |expr: &Expr| {
            if let Some(list) = self.field_of(expr)
                && !found.iter().any(|other| std::ptr::eq(*other, list))
            {
                found.push(list);
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = visit_exprs(select, &mut note);
        let _ = visit_exprs(order_by, &mut note);
        if let [one] = found.as_slice() { Some(*one) } else { None }
    }

    /// Returns the list from which an expression takes a field.
    fn field_of(&self, expr: &Expr) -> Option<&List> {
        let Expr::CompoundIdentifier(path) = expr else { return None };
        self.match_list_path(path).filter(|(list, rest)| list.of_structs && !rest.is_empty()).map(|(list, _)| list)
    }

    /// Returns true if an aggregate uses other columns and no group is a single member.
    fn repeats_others(&self, select: &Select, order_by: &impl Visit) -> bool {
        let grouped = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if count_field_uses(self, keys) > 0);
        let mut other = false;
        let mut note = |expr: &Expr| {
            if let Expr::Function(function) = expr
                && last_part(&function.name).is_some_and(|name| is_aggregate(&name.value))
            {
                other |= count_field_uses(self, &function.args) == 0;
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = visit_exprs(&select.projection, &mut note);
        let _ = visit_exprs(&select.having, &mut note);
        let _ = visit_exprs(order_by, &mut note);
        other && !grouped
    }
}

/// Counts the uses of list fields.
fn count_field_uses(lists: &Lists, part: &impl Visit) -> usize {
    let mut count = 0;
    let _ = visit_exprs(part, |expr| {
        count += usize::from(lists.field_of(expr).is_some());
        ControlFlow::<()>::Continue(())
    });
    count
}
