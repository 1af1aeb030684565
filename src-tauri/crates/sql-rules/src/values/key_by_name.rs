//! Foreign keys compared with a name: `WHERE country = 'France'` where the column holds the ids of countries.

use sqlparser::ast::{BinaryOperator, Expr, Query, SetExpr, Value, ValueWithSpan, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Table};
use vitrine_sql::ast::{
    InScope, Relation, build_identifier, each_own_expr, iter_relations, resolve_column_table, visit_mut,
};
use vitrine_sql::{ReadOnlySql, rewrite_query};

/// The location of a stored name, and its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredName<'a> {
    /// Unqualified name of the table.
    pub table: &'a str,
    /// Name of the column in that table.
    pub column: &'a str,
    /// Spelling of the name in the column.
    pub value: &'a str,
}

/// Replaces every comparison of `text` with a foreign key to the table of `stored` by a lookup of the name: `country IN
/// (SELECT id FROM countries WHERE name = 'france')`. `None` without such a comparison.
pub fn key_by_name(sql: &ReadOnlySql, catalog: &Catalog, text: &str, stored: StoredName<'_>) -> Option<ReadOnlySql> {
    let table = catalog.tables.iter().find(|table| table.name.name.eq_ignore_ascii_case(stored.table))?;
    let (changed, ()) = rewrite_query(sql, |query| {
        let scope = InScope::from_query(query, catalog);
        let mut writer = Writer { catalog: &scope, table, text, stored, changed: false };
        let _ = visit_mut(query, &mut writer);
        writer.changed.then_some(())
    })?;
    Some(changed)
}

struct Writer<'a> {
    catalog: &'a InScope<'a>,
    table: &'a Table,
    text: &'a str,
    stored: StoredName<'a>,
    changed: bool,
}

impl VisitorMut for Writer<'_> {
    type Break = ();

    // Inner queries first, so that the new lookup is not visited again.
    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let SetExpr::Select(select) = query.body.as_mut() {
            let tables: Vec<Relation<'_>> = iter_relations(select, self.catalog).flatten().collect();
            let mut comparisons = Comparisons { writer: self, tables: &tables };
            each_own_expr(&mut select.selection, |expr| comparisons.look_up(expr));
        }
        ControlFlow::Continue(())
    }
}

/// The comparisons of one query; nested queries refer to other tables.
struct Comparisons<'w, 'a, 'c> {
    writer: &'w mut Writer<'a>,
    tables: &'w [Relation<'c>],
}

impl Comparisons<'_, '_, '_> {
    /// Returns the column that a foreign key refers to.
    fn referenced_column(&self, column: &Expr) -> Option<String> {
        let (from, column) = resolve_column_table(column, self.tables)?;
        let to = self.writer.table;
        let key = from.foreign_keys.iter().find(|key| {
            key.ref_table == to.name && matches!(key.columns.as_slice(), [own] if own.eq_ignore_ascii_case(column))
        })?;
        // A value stored in the key itself is not a name.
        key.ref_columns.first().filter(|target| !target.eq_ignore_ascii_case(self.writer.stored.column)).cloned()
    }

    fn is_text(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) if text == self.writer.text)
    }

    /// Replaces a comparison of the key with the text by a lookup of the name.
    fn look_up(&mut self, expr: &mut Expr) {
        let (column, negated) = match &*expr {
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if self.is_text(right) => (left, false),
            Expr::BinaryOp { left, op: BinaryOperator::NotEq, right } if self.is_text(right) => (left, true),
            Expr::InList { expr, list, negated } if matches!(list.as_slice(), [one] if self.is_text(one)) => {
                (expr, *negated)
            }
            _ => return,
        };
        let Some(key) = self.referenced_column(column) else { return };
        let (stored, dialect) = (self.writer.stored, self.writer.catalog.dialect);
        let table: Vec<String> =
            self.writer.table.name.name_parts().map(|part| build_identifier(part, dialect).to_string()).collect();
        let value = stored.value.replace('\'', "''");
        let inner = format!(
            "SELECT {} FROM {} WHERE {} = '{value}'",
            build_identifier(&key, dialect),
            table.join("."),
            build_identifier(stored.column, dialect)
        );
        if let Some(subquery) = ReadOnlySql::parse(&inner, dialect).ok().and_then(|sql| sql.with_query(|query| query)) {
            *expr = Expr::InSubquery { expr: column.clone(), subquery: Box::new(subquery), negated };
            self.writer.changed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    #[test]
    fn a_reference_is_looked_up_by_the_name() {
        let tables = vec![
            typed_table(
                "maker",
                &[("id", "TEXT"), ("home", "TEXT"), ("name", "TEXT")],
                &["id"],
                &[("home", "nation", "id")],
            ),
            typed_table("nation", &[("id", "TEXT"), ("name", "TEXT")], &["id"], &[]),
        ];
        let catalog = catalog_with(Dialect::Sqlite, tables);
        let found = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            let stored = StoredName { table: "nation", column: "name", value: "côte d'ivoire" };
            let found = key_by_name(&sql, &catalog, "Ivory Coast", stored)?;
            Some(found.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(
            found("SELECT COUNT(*) FROM maker AS m WHERE m.home = 'Ivory Coast' AND m.id > 3").unwrap(),
            "SELECT COUNT(*) FROM maker AS m WHERE m.home IN (SELECT id FROM nation WHERE name = 'côte d''ivoire') AND \
             m.id > 3"
        );
        assert!(
            found("SELECT 1 FROM nation WHERE id IN (SELECT id FROM maker WHERE home NOT IN ('Ivory Coast'))")
                .is_some()
        );
        for sql in ["SELECT 1 FROM maker WHERE name = 'Ivory Coast'", "SELECT 1 FROM maker WHERE home = 'France'"] {
            assert_eq!(found(sql), None, "{sql}");
        }
    }

    /// The lookup compares a column with the name of the foreign key with the same text.
    #[test]
    fn what_looks_a_name_up_is_not_looked_up_itself() {
        let tables = vec![
            typed_table("model", &[("id", "INTEGER"), ("maker", "INTEGER")], &["id"], &[("maker", "company", "id")]),
            typed_table("company", &[("id", "INTEGER"), ("maker", "TEXT")], &["id"], &[]),
        ];
        let catalog = catalog_with(Dialect::Sqlite, tables);
        let found = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            let stored = StoredName { table: "company", column: "maker", value: "volvo" };
            let found = key_by_name(&sql, &catalog, "volvo", stored)?;
            Some(found.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let lookup = "SELECT COUNT(*) FROM model WHERE maker IN (SELECT id FROM company WHERE maker = 'volvo')";
        assert_eq!(found("SELECT COUNT(*) FROM model WHERE maker = 'volvo'").as_deref(), Some(lookup));
        assert_eq!(found(lookup), None);
    }
}
