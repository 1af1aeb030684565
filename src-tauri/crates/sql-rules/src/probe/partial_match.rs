//! Partial matches: conditions that match a part of a text instead of the whole.

use sqlparser::ast::{BinaryOperator, Expr, Value, ValueWithSpan, Visitor};
use std::ops::ControlFlow;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::visit_tree;

/// A case-insensitive condition that matches a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialMatch {
    /// Name of the column, without its table.
    pub column: String,
    /// SQL text of the condition, such as `LOWER(city) LIKE '%new%york%'`.
    pub condition: String,
}

/// Returns a distinct partial match for each text that a query compares a column with by equality. Texts without a
/// letter are excluded.
pub fn partial_matches(sql: &ReadOnlySql) -> Vec<PartialMatch> {
    struct Finder(Vec<PartialMatch>);
    impl Finder {
        fn add(&mut self, subject: &Expr, text: &Expr) {
            let column = match subject {
                Expr::Identifier(name) => name,
                Expr::CompoundIdentifier(parts) if !parts.is_empty() => &parts[parts.len() - 1],
                _ => return,
            };
            let Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) = text else { return };
            if !text.contains(char::is_alphabetic) {
                return;
            }
            let text = text.to_lowercase();
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let condition = format!("LOWER({subject}) LIKE '%{}%'", words.join("%"));
            let search = PartialMatch { column: column.value.clone(), condition };
            if !self.0.contains(&search) {
                self.0.push(search);
            }
        }
    }
    impl Visitor for Finder {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                    self.add(left, right);
                    self.add(right, left);
                }
                Expr::InList { expr, list, negated: false } => list.iter().for_each(|text| self.add(expr, text)),
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    sql.with_query(|query| {
        let mut finder = Finder(Vec::new());
        let _ = visit_tree(&query, &mut finder);
        finder.0
    })
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    #[test]
    fn texts_that_are_compared_are_looked_for_in_part() {
        let of = |sql: &str| {
            let searches = partial_matches(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap());
            searches.into_iter().map(|s| format!("{}: {}", s.column, s.condition)).collect::<Vec<_>>()
        };
        assert_eq!(
            of("SELECT * FROM a WHERE a.city = 'New York' AND day = '2024-01-02' AND 'It''s' = b"),
            ["city: LOWER(a.city) LIKE '%new%york%'", "b: LOWER(b) LIKE '%it%s%'"]
        );
        assert_eq!(
            of("SELECT * FROM a WHERE c IN ('X', 'Y') OR c = 'x'"),
            ["c: LOWER(c) LIKE '%x%'", "c: LOWER(c) LIKE '%y%'"]
        );
        assert_eq!(of("SELECT * FROM a WHERE LOWER(c) = 'x' OR c LIKE 'x%' OR n = 3"), [""; 0]);
    }
}
