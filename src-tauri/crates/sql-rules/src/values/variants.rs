//! Replaces constants by their stored spelling.

use sqlparser::ast::{BinaryOperator, Expr, Value, ValueWithSpan, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::visit_mut;
use vitrine_sql::{ReadOnlySql, rewrite_query, text_value};

/// Replaces one string constant everywhere in a query.
pub fn replace_literal(sql: &ReadOnlySql, from: &str, to: &str) -> Option<ReadOnlySql> {
    struct Speller<'a>(&'a str, Value);
    impl VisitorMut for Speller<'_> {
        type Break = ();
        fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
            if matches!(&value.value, Value::SingleQuotedString(text) if text == self.0) {
                value.value = self.1.clone();
            }
            ControlFlow::Continue(())
        }
    }
    let (changed, ()) = rewrite_query(sql, |query| {
        let _ = visit_mut(query, &mut Speller(from, text_value(to, sql.dialect())));
        Some(())
    })?;
    Some(changed)
}

/// Extends every comparison of a column with one of `writings`, by `=` or in a list, to all of them: spelling variants
/// of one value in the column. `None` if none is missing.
pub fn add_variants(sql: &ReadOnlySql, column: &str, writings: &[&str]) -> Option<ReadOnlySql> {
    struct Completer<'a> {
        column: &'a str,
        writings: &'a [&'a str],
        dialect: Dialect,
        changed: bool,
    }
    impl Completer<'_> {
        fn is_column(&self, expr: &Expr) -> bool {
            let name = match expr {
                Expr::Identifier(name) => Some(name),
                Expr::CompoundIdentifier(parts) => parts.last(),
                _ => None,
            };
            name.is_some_and(|name| name.value.eq_ignore_ascii_case(self.column))
        }
    }
    impl VisitorMut for Completer<'_> {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
            let text = |expr: &Expr| match expr {
                Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) => Some(text.clone()),
                _ => None,
            };
            let (subject, mut list, negated) = match &*expr {
                Expr::InList { expr: subject, list, negated } => (subject.clone(), list.clone(), *negated),
                Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                    (left.clone(), vec![right.as_ref().clone()], false)
                }
                _ => return ControlFlow::Continue(()),
            };
            let named: Vec<String> = list.iter().filter_map(text).collect();
            let names_one = named.iter().any(|name| self.writings.contains(&name.as_str()));
            let missing: Vec<&str> = self.writings.iter().copied().filter(|w| !named.iter().any(|n| n == w)).collect();
            if self.is_column(&subject) && names_one && !missing.is_empty() {
                list.extend(missing.iter().map(|w| Expr::Value(text_value(w, self.dialect).with_empty_span())));
                // A model that lists variants itself repeats some of them.
                let mut seen = std::collections::HashSet::new();
                list.retain(|expr| text(expr).is_none_or(|text| seen.insert(text)));
                *expr = Expr::InList { expr: subject, list, negated };
                self.changed = true;
            }
            ControlFlow::Continue(())
        }
    }
    let (changed, ()) = rewrite_query(sql, |query| {
        let mut completer = Completer { column, writings, dialect: sql.dialect(), changed: false };
        let _ = visit_mut(query, &mut completer);
        completer.changed.then_some(())
    })?;
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn flatten_sql(sql: &str) -> String {
        sql.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
    }

    #[test]
    fn a_comparison_gets_every_writing_of_its_column_once() {
        let written = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            add_variants(&sql, "country", &["US", "USA", "U.S."]).map(|sql| flatten_sql(sql.as_str()))
        };
        let all = "SELECT 1 FROM customers WHERE country IN ('USA', 'US', 'U.S.')";
        assert_eq!(written("SELECT 1 FROM customers WHERE country = 'USA'").as_deref(), Some(all));
        assert_eq!(written("SELECT 1 FROM customers WHERE country IN ('USA', 'US', 'USA')").as_deref(), Some(all));
        assert_eq!(written(all), None);
        assert_eq!(written("SELECT 1 FROM customers WHERE country = 'Peru'"), None);
    }
}
