//! The string constants that a query compares its columns with, for look-up in the value index.

use crate::ast::visit_tree;
use crate::parse::last_part;
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Select, TableFactor,
    TableWithJoins, Value, Visitor,
};
use std::ops::ControlFlow;

/// A string constant in a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Literal {
    /// The string, without the wildcards of LIKE.
    pub text: String,
    /// Unqualified name of the column that it is compared with.
    pub column: Option<String>,
    /// Table of that column, if the query names it.
    pub table: Option<String>,
}

/// Returns the distinct string constants in comparisons, IN lists and LIKE patterns, in order of first appearance.
pub fn collect_literals(sql: &ReadOnlySql) -> Vec<Literal> {
    sql.with_query(|query| {
        let mut views = Views::default();
        let _ = visit_tree(&query, &mut views);
        let mut finder = Finder { views: views.names, scopes: Vec::new(), found: Vec::new() };
        let _ = visit_tree(&query, &mut finder);
        finder.found
    })
    .unwrap_or_default()
}

/// Returns the distinct text and number constants of a query, as written.
pub fn collect_query_constants(sql: &ReadOnlySql) -> Vec<String> {
    sql.with_query(|query| crate::ast::collect_constants(&query)).unwrap_or_default()
}

/// The CTE names, which are not tables of the database.
#[derive(Default)]
struct Views {
    names: Vec<String>,
}

impl Visitor for Views {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
        self.names.extend(ctes.map(|cte| cte.alias.name.value.to_lowercase()));
        ControlFlow::Continue(())
    }
}

/// One FROM clause: name or alias of each item, and the table if it is one.
type Tables = Vec<(String, Option<String>)>;

struct Finder {
    views: Vec<String>,
    scopes: Vec<Tables>,
    found: Vec<Literal>,
}

impl Finder {
    fn collect_tables(&self, from: &[TableWithJoins]) -> Tables {
        let mut tables = Vec::new();
        for item in from {
            self.collect_table(&item.relation, &mut tables);
            for join in &item.joins {
                self.collect_table(&join.relation, &mut tables);
            }
        }
        tables
    }

    fn collect_table(&self, factor: &TableFactor, tables: &mut Tables) {
        match factor {
            TableFactor::Table { name, alias, args, .. } => {
                let Some(last) = last_part(name) else { return };
                let view = args.is_some() || (name.0.len() == 1 && self.views.contains(&last.value.to_lowercase()));
                let shown = alias.as_ref().map_or(&last.value, |a| &a.name.value);
                let full = || {
                    name.0.iter().filter_map(|p| p.as_ident()).map(|i| i.value.as_str()).collect::<Vec<_>>().join(".")
                };
                tables.push((shown.to_lowercase(), (!view).then(full)));
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.collect_table(&table_with_joins.relation, tables);
                for join in &table_with_joins.joins {
                    self.collect_table(&join.relation, tables);
                }
            }
            TableFactor::Derived { alias, .. } => {
                tables.push((alias.as_ref().map_or(String::new(), |a| a.name.value.to_lowercase()), None));
            }
            _ => tables.push((String::new(), None)),
        }
    }

    fn add(&mut self, text: &str, subject: Option<&Expr>) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let column = subject.and_then(only_column);
        let table = column.as_ref().and_then(|(qualifier, _)| match qualifier {
            Some(qualifier) => {
                let qualifier = qualifier.to_lowercase();
                self.scopes
                    .iter()
                    .rev()
                    .flatten()
                    .find(|(name, _)| *name == qualifier)
                    .and_then(|(_, table)| table.clone())
            }
            None => match self.scopes.last().map(Vec::as_slice) {
                Some([(_, table)]) => table.clone(),
                _ => None,
            },
        });
        let literal = Literal { text: text.to_owned(), column: column.map(|(_, name)| name), table };
        if !self.found.contains(&literal) {
            self.found.push(literal);
        }
    }

    /// Adds `value` if it is a string that is compared with `subject`.
    fn record_comparison(&mut self, subject: &Expr, value: &Expr, pattern: bool) {
        match value {
            Expr::Nested(inner) => self.record_comparison(subject, inner, pattern),
            Expr::Tuple(items) => items.iter().for_each(|item| self.record_comparison(subject, item, pattern)),
            Expr::Array(array) => array.elem.iter().for_each(|item| self.record_comparison(subject, item, pattern)),
            // `LIKE '%' || 'x' || '%'`, and `lower('X')`.
            Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } if pattern => {
                self.record_comparison(subject, left, pattern);
                self.record_comparison(subject, right, pattern);
            }
            Expr::Function(function) if changes_case(function) => {
                for argument in argument_exprs(function) {
                    self.record_comparison(subject, argument, pattern);
                }
            }
            _ => {
                if let Some(text) = string_literal(value) {
                    let text = if pattern {
                        text.replace('%', " ").split_whitespace().collect::<Vec<_>>().join(" ")
                    } else {
                        text.to_owned()
                    };
                    self.add(&text, Some(subject));
                }
            }
        }
    }
}

fn changes_case(function: &Function) -> bool {
    last_part(&function.name)
        .is_some_and(|n| ["lower", "upper", "trim"].iter().any(|f| n.value.eq_ignore_ascii_case(f)))
}

fn argument_exprs(function: &Function) -> impl Iterator<Item = &Expr> {
    let list = match &function.args {
        FunctionArguments::List(list) => list.args.as_slice(),
        _ => &[],
    };
    list.iter().filter_map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) | FunctionArg::Named { arg: FunctionArgExpr::Expr(e), .. } => {
            Some(e)
        }
        _ => None,
    })
}

fn string_literal(expr: &Expr) -> Option<&str> {
    let Expr::Value(value) = expr else { return None };
    match &value.value {
        Value::SingleQuotedString(s)
        | Value::DoubleQuotedString(s)
        | Value::EscapedStringLiteral(s)
        | Value::NationalStringLiteral(s)
        | Value::TripleSingleQuotedString(s)
        | Value::TripleDoubleQuotedString(s)
        | Value::SingleQuotedRawStringLiteral(s)
        | Value::DoubleQuotedRawStringLiteral(s) => Some(s),
        Value::DollarQuotedString(s) => Some(&s.value),
        _ => None,
    }
}

/// Returns the only column in an expression, with the last part of its qualifier. `None` if there are none or several.
pub(super) fn only_column(expr: &Expr) -> Option<(Option<String>, String)> {
    let mut path = only_column_path(expr)?;
    let name = path.pop()?;
    Some((path.pop(), name))
}

/// Returns the only column in an expression as all parts of its name. `None` if there are none or several: columns with different
/// qualifiers are different.
pub(super) fn only_column_path(expr: &Expr) -> Option<Vec<String>> {
    #[derive(Default)]
    struct Columns {
        found: Vec<Vec<String>>,
        unclear: bool,
    }
    impl Visitor for Columns {
        type Break = ();
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.unclear = true;
            ControlFlow::Break(())
        }
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(ident) => self.found.push(vec![ident.value.clone()]),
                Expr::CompoundIdentifier(parts) => {
                    self.found.push(parts.iter().map(|part| part.value.clone()).collect());
                }
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let mut columns = Columns::default();
    let _ = visit_tree(expr, &mut columns);
    columns.found.dedup();
    if columns.unclear || columns.found.len() != 1 { None } else { columns.found.pop() }
}

impl Visitor for Finder {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let tables = self.collect_tables(&select.from);
        self.scopes.push(tables);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &Select) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { left, op, right } => {
                use BinaryOperator as B;
                match op {
                    B::Eq | B::NotEq | B::Lt | B::LtEq | B::Gt | B::GtEq | B::Spaceship => {
                        self.record_comparison(left, right, false);
                        self.record_comparison(right, left, false);
                    }
                    B::Glob | B::Match | B::PGLikeMatch | B::PGILikeMatch | B::PGNotLikeMatch | B::PGNotILikeMatch => {
                        self.record_comparison(left, right, true);
                    }
                    _ => {}
                }
            }
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.record_comparison(left, right, false);
                self.record_comparison(right, left, false);
            }
            Expr::InList { expr, list, .. } => list.iter().for_each(|item| self.record_comparison(expr, item, false)),
            Expr::Between { expr, low, high, .. } => {
                self.record_comparison(expr, low, false);
                self.record_comparison(expr, high, false);
            }
            Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
                self.record_comparison(expr, pattern, true)
            }
            Expr::AnyOp { left, right, .. } | Expr::AllOp { left, right, .. } => {
                self.record_comparison(left, right, false)
            }
            Expr::Case { operand: Some(operand), conditions, .. } => {
                conditions.iter().for_each(|when| self.record_comparison(operand, &when.condition, false));
            }
            Expr::Function(function) => {
                const SEARCHES: &[&str] = &[
                    "contains",
                    "starts_with",
                    "startswith",
                    "ends_with",
                    "endswith",
                    "instr",
                    "strpos",
                    "prefix",
                    "suffix",
                    "list_contains",
                ];
                let searches =
                    last_part(&function.name).is_some_and(|n| SEARCHES.iter().any(|s| n.value.eq_ignore_ascii_case(s)));
                let mut args = argument_exprs(function);
                if let (true, Some(subject), Some(value)) = (searches, args.next(), args.next()) {
                    self.record_comparison(subject, value, false);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn literal_tuples(sql: &str) -> Vec<(String, Option<String>, Option<String>)> {
        let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).expect(sql);
        collect_literals(&sql).into_iter().map(|l| (l.text, l.column, l.table)).collect()
    }

    fn literal_tuple(text: &str, column: &str, table: &str) -> (String, Option<String>, Option<String>) {
        let some = |s: &str| (!s.is_empty()).then(|| s.to_owned());
        (text.to_owned(), some(column), some(table))
    }

    #[test]
    fn comparisons_name_their_column_and_table() {
        assert_eq!(
            literal_tuples(
                "SELECT T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer_id WHERE T1.country = 'France' AND T2.year IN ('2014', '2015') AND 'x' <> theme"
            ),
            [
                literal_tuple("France", "country", "singer"),
                literal_tuple("2014", "year", "concert"),
                literal_tuple("2015", "year", "concert"),
                literal_tuple("x", "theme", "")
            ]
        );
        assert_eq!(
            literal_tuples("SELECT 1 FROM singer WHERE country = 'US'"),
            [literal_tuple("US", "country", "singer")]
        );
    }

    #[test]
    fn patterns_lose_their_wildcards() {
        assert_eq!(
            literal_tuples(
                "SELECT 1 FROM t WHERE lower(a) LIKE '%new%york%' OR a LIKE '%' OR b LIKE '%' || 'x' || '%'"
            ),
            [literal_tuple("new york", "a", "t"), literal_tuple("x", "b", "t")]
        );
    }

    #[test]
    fn only_what_is_compared_counts() {
        assert_eq!(
            literal_tuples("SELECT 'label', strftime('%Y', d) FROM t WHERE strftime('%Y', d) = '2020'"),
            [literal_tuple("2020", "d", "t")]
        );
        assert_eq!(
            literal_tuples("SELECT CASE a WHEN 'u' THEN 'v' END FROM t WHERE b BETWEEN 'k' AND 'm' AND x = 5"),
            [literal_tuple("u", "a", "t"), literal_tuple("k", "b", "t"), literal_tuple("m", "b", "t")]
        );
        assert_eq!(literal_tuples("SELECT 1 FROM t WHERE a || b = 'xy'"), [literal_tuple("xy", "", "")]);
    }

    #[test]
    fn views_are_no_tables_and_repeats_count_once() {
        assert_eq!(
            literal_tuples("WITH v AS (SELECT c FROM t WHERE c = 'a' OR c = 'a') SELECT * FROM v WHERE v.c = 'b'"),
            [literal_tuple("a", "c", "t"), literal_tuple("b", "c", "")]
        );
    }

    #[test]
    fn columns_of_different_tables_are_not_one_column() {
        let column = |text: &str| only_column(&crate::ast::parse_expr(text, Dialect::Postgres).expect(text));
        assert_eq!(column("a.s.c = 1 OR b.s.c = 2"), None);
        assert_eq!(column("a.s.c = 1 OR a.s.c = 2"), Some((Some("s".to_owned()), "c".to_owned())));
    }
}
