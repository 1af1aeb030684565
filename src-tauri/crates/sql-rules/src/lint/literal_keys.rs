//! Foreign keys compared with a constant: `WHERE country_id = 4`. The meaning of the number depends on the database.

use sqlparser::ast::{BinaryOperator, Expr, Value, ValueWithSpan, Visitor};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, TableName};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Relation, each_select, resolve_column_table, visit_tree};

/// A foreign key that a query compares with a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberedReference {
    /// Column name as written, without its table.
    pub column: String,
    /// Name of the referenced table.
    pub refers_to: TableName,
    /// Digits of the compared number.
    pub number: String,
}

/// Returns the numbers that a query compares foreign keys with, by `=` or in a list, in order of appearance.
pub(crate) fn numbered_references(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<NumberedReference> {
    let mut found = Vec::new();
    each_select(sql, catalog, |_, select, tables| {
        let mut comparisons = Comparisons { tables, found: &mut found };
        let _ = visit_tree(&select.from, &mut comparisons);
        let _ = visit_tree(&select.selection, &mut comparisons);
    });
    found
}

struct Comparisons<'a, 'c> {
    tables: &'a [Relation<'c>],
    found: &'a mut Vec<NumberedReference>,
}

impl Visitor for Comparisons<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                self.check_comparison(left, std::slice::from_ref(right));
                self.check_comparison(right, std::slice::from_ref(left));
            }
            Expr::InList { expr, list, negated: false } => self.check_comparison(expr, list),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Comparisons<'_, '_> {
    fn check_comparison(&mut self, column: &Expr, with: &[impl std::borrow::Borrow<Expr>]) {
        let Some((table, column)) = resolve_column_table(column, self.tables) else { return };
        let refers = table.foreign_keys.iter().find(|key| {
            matches!(key.columns.as_slice(), [own] if own.eq_ignore_ascii_case(column)) && key.ref_table != table.name
        });
        let Some(key) = refers else { return };
        for number in with.iter().filter_map(|expr| whole_number_digits(expr.borrow())) {
            let found = NumberedReference {
                column: column.to_owned(),
                refers_to: key.ref_table.clone(),
                number: number.to_owned(),
            };
            if !self.found.contains(&found) {
                self.found.push(found);
            }
        }
    }
}

/// Returns the digits of an integer, written as a number or as a string.
fn whole_number_digits(expr: &Expr) -> Option<&str> {
    let Expr::Value(ValueWithSpan { value, .. }) = expr else { return None };
    let (Value::Number(text, _) | Value::SingleQuotedString(text)) = value else { return None };
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    #[test]
    fn references_that_are_set_to_numbers_are_found() {
        let columns = [("id", "TEXT"), ("country", "TEXT")];
        let tables = vec![
            typed_table("maker", &columns, &["id"], &[("country", "nation", "id")]),
            typed_table("nation", &columns, &["id"], &[]),
        ];
        let catalog = catalog_with(Dialect::Sqlite, tables);
        let found = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            numbered_references(&sql, &catalog).into_iter().map(|found| found.number).collect::<Vec<_>>()
        };
        assert_eq!(found("SELECT COUNT(*) FROM maker WHERE country = '4'"), ["4"]);
        assert_eq!(
            found("SELECT 1 FROM nation WHERE id IN (SELECT 1 FROM maker AS m WHERE m.country IN (4, 5))"),
            ["4", "5"]
        );
        for sql in [
            "SELECT 1 FROM maker AS m JOIN nation AS n ON m.country = n.id WHERE n.id = 4",
            "SELECT 1 FROM maker WHERE country = 'FR' OR country > 4 OR country = (SELECT id FROM nation)",
        ] {
            assert!(found(sql).is_empty(), "{sql}");
        }
    }
}
