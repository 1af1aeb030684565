//! Rows that a join repeats within the groups of an aggregate, and the queries that count them.

use super::conditions::argument_exprs;
use crate::ast::{
    InScope, Relation, build_and, build_identifier, each_own_function, is_aggregate, is_column, iter_relations,
    last_part, parse_expr, query_of, resolve_column_index, visit_tree,
};
use crate::dialect::DialectExt;
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArguments, GroupByExpr, Ident, Query, Select,
    SelectItem, SetExpr, Value, ValueWithSpan, Visit, Visitor, With,
};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Dialect};

/// A SELECT that aggregates rows of joined tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    /// The items of FROM, in order: catalog names of tables, `None` for anything else.
    pub from: Vec<Option<String>>,
    /// Sums and counts of the SELECT.
    pub totals: Vec<Total>,
    /// For each table of `from`, a query that counts how often its rows occur in the groups, and one that counts the
    /// distinct rows of each group.
    pub rows: Vec<Option<(String, String)>>,
    /// A query that counts the groups.
    pub groups: String,
}

/// Columns as pairs of table and column.
pub type Origins = Vec<(String, String)>;

/// One sum or count of a SELECT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Total {
    /// Name of the function, lower case.
    pub function: String,
    /// The columns it aggregates, sorted.
    pub columns: Origins,
    /// Indexes into `from` of the tables whose values are summed. All tables if rows are counted.
    pub places: Vec<usize>,
    /// True if it counts rows: `COUNT(*)`, `SUM(CASE WHEN ... THEN 1 ELSE 0 END)`.
    pub counts_rows: bool,
}

/// Finds the SELECTs of a statement that aggregate rows of joined tables. A COUNT of a column is included only if the
/// column is its table's key, because otherwise the counted entity is unclear.
pub fn find_groupings(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<Grouping> {
    struct Finds<'c> {
        scope: InScope<'c>,
        with: Option<With>,
        found: Vec<Grouping>,
    }
    impl Visitor for Finds<'_> {
        type Break = ();
        fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
            if let SetExpr::Select(select) = query.body.as_ref() {
                self.found.extend(build_grouping(select, self.with.as_ref(), &self.scope));
            }
            ControlFlow::Continue(())
        }
    }
    let found = sql.with_query(|query| {
        let mut finds =
            Finds { scope: InScope::from_query(&query, catalog), with: query.with.clone(), found: Vec::new() };
        let _ = visit_tree(&query, &mut finds);
        finds.found
    });
    found.unwrap_or_default()
}

fn build_grouping(select: &Select, with: Option<&With>, scope: &InScope<'_>) -> Option<Grouping> {
    let places: Vec<Option<Relation<'_>>> = iter_relations(select, scope).collect();
    if places.len() < 2 || places.iter().all(Option::is_none) {
        return None;
    }
    let from: Vec<Option<String>> =
        places.iter().map(|place| place.as_ref().map(|relation| relation.table.name.to_string())).collect();
    let known: Vec<usize> = (0..from.len()).filter(|at| from[*at].is_some()).collect();
    let tables: Vec<Relation<'_>> = places.into_iter().flatten().collect();
    let groups = resolve_group_keys(select, &tables)?;
    let (count, one) = (parse_expr("COUNT(*)", scope.dialect)?, parse_expr("1", scope.dialect)?);
    let totals = collect_totals(select, &tables, &known, from.len());
    let with = with.map(|with| format!("{with} ")).unwrap_or_default();
    let mut rows = vec![None; from.len()];
    for (table, at) in tables.iter().zip(&known) {
        let identity = row_identity(table, scope.dialect)?;
        let all = replace_projection(select, identity.first(), count.clone(), &[]);
        let each = replace_projection(select, identity.first(), one.clone(), &[groups.as_slice(), &identity].concat());
        rows[*at] = Some((format!("{with}{all}"), format!("{with}SELECT COUNT(*) FROM ({each}) AS q")));
    }
    let groups = match groups.is_empty() {
        true => "SELECT 1".to_owned(),
        false => format!("{with}SELECT COUNT(*) FROM ({}) AS q", replace_projection(select, None, one, &groups)),
    };
    (!totals.is_empty()).then_some(Grouping { from, totals, rows, groups })
}

/// Builds a query for the rows of a SELECT where `present` is not NULL, with another projection and other groups.
fn replace_projection(select: &Select, present: Option<&Expr>, shown: Expr, groups: &[Expr]) -> String {
    let mut select = select.clone();
    (select.distinct, select.having) = (None, None);
    select.projection = vec![SelectItem::ExprWithAlias { expr: shown, alias: "n".into() }];
    if let Some(present) = present {
        let is_there = Expr::IsNotNull(Box::new(present.clone()));
        select.selection = Some(match select.selection.take() {
            Some(condition) => build_and(Expr::Nested(Box::new(condition)), is_there),
            None => is_there,
        });
    }
    select.group_by = GroupByExpr::Expressions(groups.to_vec(), Vec::new());
    query_of(SetExpr::Select(Box::new(select))).to_string()
}

/// Returns expressions that identify a row of a table: its key, or its storage location.
fn row_identity(relation: &Relation<'_>, dialect: Dialect) -> Option<Vec<Expr>> {
    let column = |name: Ident| Expr::CompoundIdentifier(vec![build_identifier(&relation.alias, dialect), name]);
    let key = &relation.table.primary_key;
    if !key.is_empty() {
        return Some(key.iter().map(|name| column(build_identifier(name, dialect))).collect());
    }
    Some(vec![column(dialect.sql().row_id()?.into())])
}

/// Returns the GROUP BY keys of a SELECT, each as an expression over its tables.
fn resolve_group_keys(select: &Select, tables: &[Relation<'_>]) -> Option<Vec<Expr>> {
    let GroupByExpr::Expressions(keys, modifiers) = &select.group_by else { return None };
    modifiers.is_empty().then_some(())?;
    keys.iter().map(|key| resolve_group_key(key, &select.projection, tables).cloned()).collect()
}

/// Returns the expression of a key that may be an ordinal or alias of a select item.
pub(super) fn resolve_group_key<'s>(
    key: &'s Expr,
    projection: &'s [SelectItem],
    tables: &[Relation<'_>],
) -> Option<&'s Expr> {
    match key {
        Expr::Value(ValueWithSpan { value: Value::Number(number, _), .. }) => {
            match projection.get(number.parse::<usize>().ok()?.checked_sub(1)?)? {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
                _ => None,
            }
        }
        Expr::Identifier(name) if resolve_column_index(key, tables).is_none() => {
            let named = projection.iter().find_map(|item| match item {
                SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(&name.value) => {
                    Some(expr)
                }
                _ => None,
            });
            Some(named.unwrap_or(key))
        }
        _ => Some(key),
    }
}

/// Returns the aggregates of a SELECT whose result changes if rows repeat.
fn collect_totals(select: &Select, tables: &[Relation<'_>], known: &[usize], from: usize) -> Vec<Total> {
    let mut found = Vec::new();
    let mut look = |function: &Function| found.extend(build_total(function, tables, known, from));
    each_own_function(&select.projection, &mut look);
    each_own_function(&select.having, &mut look);
    found
}

fn build_total(function: &Function, tables: &[Relation<'_>], known: &[usize], from: usize) -> Option<Total> {
    let name = last_part(&function.name)?.value.to_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    if function.over.is_some() || distinct || !is_aggregate(&name) {
        return None;
    }
    let own = collect_table_columns(&function.args, tables);
    let mut added = Vec::new();
    argument_exprs(function).into_iter().for_each(|argument| collect_value_tables(argument, tables, &mut added));
    let counts_key = |column: &Expr| {
        let at = resolve_column_index(column, tables).filter(|_| is_column(column));
        at.is_some_and(|(at, name)| tables[at].table.is_unique(name))
    };
    let counts_rows = match (name.as_str(), argument_exprs(function).as_slice()) {
        ("sum" | "avg" | "total", [_]) => added.is_empty(),
        ("count", [column]) if counts_key(column) => false,
        ("count", [] | [Expr::Value(_)]) => true,
        _ => return None,
    };
    // An item that is not a table may identify the rows.
    (!counts_rows || known.len() == from).then_some(())?;
    let mut places = if counts_rows { (0..tables.len()).collect() } else { added };
    places.sort_unstable();
    places.dedup();
    let mut columns: Origins =
        own.iter().map(|(at, name)| (tables[*at].table.name.to_string().to_lowercase(), name.to_lowercase())).collect();
    columns.sort();
    columns.dedup();
    Some(Total { function: name, columns, places: places.into_iter().map(|at| known[at]).collect(), counts_rows })
}

/// Collects the indexes of the tables whose columns are part of a value, not only of its condition.
fn collect_value_tables(expr: &Expr, tables: &[Relation<'_>], found: &mut Vec<usize>) {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } | Expr::UnaryOp { expr: inner, .. } => {
            collect_value_tables(inner, tables, found);
        }
        Expr::Case { conditions, else_result, .. } => {
            conditions.iter().for_each(|case| collect_value_tables(&case.result, tables, found));
            else_result.iter().for_each(|result| collect_value_tables(result, tables, found));
        }
        Expr::Function(function) if last_part(&function.name).is_some_and(|name| is_if(&name.value)) => {
            argument_exprs(function).into_iter().skip(1).for_each(|result| collect_value_tables(result, tables, found));
        }
        // A summed condition counts the rows that meet it.
        Expr::BinaryOp {
            op: BinaryOperator::Eq | BinaryOperator::Gt | BinaryOperator::Lt | BinaryOperator::And,
            ..
        } => {}
        other => found.extend(collect_table_columns(other, tables).into_iter().map(|(at, _)| at)),
    }
}

fn is_if(name: &str) -> bool {
    name.eq_ignore_ascii_case("iif") || name.eq_ignore_ascii_case("if")
}

/// Returns the columns that a part of a query uses, with the indexes of their tables.
fn collect_table_columns(part: &impl Visit, tables: &[Relation<'_>]) -> Vec<(usize, String)> {
    struct Finds<'a, 'c>(&'a [Relation<'c>], Vec<(usize, String)>);
    impl Visitor for Finds<'_, '_> {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            self.1.extend(resolve_column_index(expr, self.0).map(|(at, name)| (at, name.to_owned())));
            ControlFlow::Continue(())
        }
    }
    let mut finds = Finds(tables, Vec::new());
    let _ = visit_tree(part, &mut finds);
    finds.1
}
