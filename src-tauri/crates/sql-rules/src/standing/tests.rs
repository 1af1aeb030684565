use super::{Standing, StandingCondition, left_aside};
use crate::fixtures::{catalog_with, rule_input, typed_table};
use crate::{QuestionFacts, RuleInput, apply_standing_rules, find_variants, variants_of_unbound};
use vitrine_domain::{Catalog, Definition, DefinitionSource, Dialect, Profile, TableKind};
use vitrine_sql::{ReadOnlySql, bind_names};

fn standing_definition(table: &str, condition: &str, reason: &str) -> Definition {
    Definition {
        term: table.to_owned(),
        synonyms: Vec::new(),
        meaning: reason.to_owned(),
        condition: Some(condition.to_owned()),
        always: true,
        subject: Some(table.to_owned()),
        source: DefinitionSource::User,
    }
}

fn shop_catalog(dialect: Dialect) -> Catalog {
    let orders = typed_table(
        "orders",
        &[("id", "INTEGER"), ("customer_id", "INTEGER"), ("status", "TEXT"), ("total", "REAL"), ("deleted_at", "TEXT")],
        &["id"],
        &[("customer_id", "customers", "id")],
    );
    let customers = typed_table("customers", &[("id", "INTEGER"), ("name", "TEXT"), ("status", "TEXT")], &["id"], &[]);
    let mut sales = typed_table("daily_sales", &[("day", "TEXT"), ("total", "REAL")], &[], &[]);
    sales.kind = TableKind::View;
    sales.definition =
        Some("CREATE VIEW daily_sales AS SELECT day, SUM(total) AS total FROM orders GROUP BY day".into());
    catalog_with(dialect, vec![orders, customers, sales])
}

struct AppliedConditions {
    /// The query, on one line.
    sql: String,
    notes: Vec<String>,
    aside: Vec<String>,
    /// The variant, if the query asks for missing rows.
    beside: Option<String>,
}

fn kept_in(dialect: Dialect, definition: &Definition, question: &str, sql: &str) -> AppliedConditions {
    let (catalog, profile, facts) = (shop_catalog(dialect), Profile::default(), QuestionFacts::default());
    let found = Standing::from_definitions(std::slice::from_ref(definition), &catalog, question);
    assert_eq!(found.unfit, Vec::new(), "{definition:?}");
    let input = RuleInput { standing: &found, ..rule_input(&catalog, &profile, &facts) };
    let written = ReadOnlySql::parse(sql, dialect).unwrap();
    assert_eq!(bind_names(&written, &catalog).problems, Vec::new(), "{sql}");
    let changed = apply_standing_rules(&written, &input);
    let notes = changed.iter().flat_map(|changed| &changed.changes).map(|change| change.note.clone()).collect();
    let after = changed.map_or(written, |changed| changed.sql);
    assert_eq!(bind_names(&after, &catalog).problems, Vec::new(), "{}", after.as_str());
    assert!(apply_standing_rules(&after, &input).is_none(), "put in twice: {}", after.as_str());
    let aside = left_aside(&after, &input);
    let line = |sql: &ReadOnlySql| {
        let line = sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        line.replace("( ", "(").replace(" )", ")")
    };
    let beside = find_variants(&after, &input).into_iter().find(|variant| variant.rule == "D002");
    AppliedConditions { sql: line(&after), notes, aside, beside: beside.map(|variant| line(&variant.sql)) }
}

fn apply_in_sqlite(definition: &Definition, sql: &str) -> String {
    let kept = kept_in(Dialect::Sqlite, definition, "", sql);
    assert_eq!((kept.notes.len(), kept.aside.len()), (1, 0), "{}", kept.sql);
    kept.sql
}

fn not_cancelled() -> Definition {
    standing_definition("orders", "status <> 'cancelled'", "cancelled orders do not count")
}

#[test]
fn rows_without_the_condition_are_left_out_wherever_the_table_is_read() {
    let rule = not_cancelled();
    for (written, expected) in [
        ("SELECT SUM(total) FROM orders", "SELECT SUM(total) FROM orders WHERE status <> 'cancelled'"),
        (
            "SELECT COUNT(*) FROM orders o WHERE o.total > 5 OR o.id = 1",
            "SELECT COUNT(*) FROM orders o WHERE (o.total > 5 OR o.id = 1) AND status <> 'cancelled'",
        ),
        (
            "SELECT c.name, SUM(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name",
            "SELECT c.name, SUM(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id \
             WHERE o.status <> 'cancelled' GROUP BY c.name",
        ),
        (
            "WITH big AS (SELECT * FROM orders WHERE total > 9) SELECT COUNT(*) FROM big",
            "WITH big AS (SELECT * FROM orders WHERE total > 9 AND status <> 'cancelled') SELECT COUNT(*) FROM big",
        ),
        (
            "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)",
            "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE status <> 'cancelled')",
        ),
        (
            "SELECT total FROM orders WHERE id = 1 UNION ALL SELECT total FROM orders WHERE id = 2",
            "SELECT total FROM orders WHERE id = 1 AND status <> 'cancelled' \
             UNION ALL SELECT total FROM orders WHERE id = 2 AND status <> 'cancelled'",
        ),
    ] {
        assert_eq!(apply_in_sqlite(&rule, written), expected);
    }
}

#[test]
fn a_row_that_a_join_makes_up_for_stays() {
    let left = "SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name";
    assert_eq!(
        apply_in_sqlite(&not_cancelled(), left),
        "SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id \
         AND o.status <> 'cancelled' GROUP BY c.name"
    );
    let full = "SELECT COUNT(*) FROM customers c FULL JOIN orders AS o ON o.customer_id = c.id";
    assert_eq!(
        apply_in_sqlite(&not_cancelled(), full),
        "SELECT COUNT(*) FROM customers c FULL JOIN (SELECT * FROM orders WHERE status <> 'cancelled') AS o \
         ON o.customer_id = c.id"
    );
    let using = "SELECT COUNT(orders.total) FROM customers LEFT JOIN orders USING (id)";
    assert_eq!(
        apply_in_sqlite(&not_cancelled(), using),
        "SELECT COUNT(orders.total) FROM customers LEFT JOIN (SELECT * FROM orders WHERE status <> 'cancelled') \
         AS orders USING (id)"
    );
}

#[test]
fn tables_in_brackets_are_kept_to_it_too() {
    let nested =
        "SELECT COUNT(*) FROM customers c LEFT JOIN (orders o JOIN customers d ON d.id = o.customer_id) ON c.id = d.id";
    assert!(
        apply_in_sqlite(&not_cancelled(), nested).contains("(SELECT * FROM orders WHERE status <> 'cancelled') o JOIN")
    );
    let derived = "SELECT SUM(t) FROM (SELECT total AS t FROM orders) AS all_orders";
    assert!(apply_in_sqlite(&not_cancelled(), derived).contains("FROM orders WHERE status <> 'cancelled')"));
}

#[test]
fn what_leaves_out_as_much_already_stays_as_it_is() {
    for sql in [
        "SELECT SUM(total) FROM orders WHERE status <> 'cancelled'",
        "SELECT SUM(total) FROM orders WHERE orders.status != 'Cancelled'",
        "SELECT SUM(total) FROM orders WHERE status NOT IN ('cancelled', 'returned')",
        "SELECT SUM(total) FROM orders WHERE status = 'completed'",
        "SELECT SUM(total) FROM orders WHERE status IN ('completed', 'shipped') AND total > 5",
        "SELECT COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.status <> 'cancelled'",
        "SELECT name FROM customers",
    ] {
        let kept = kept_in(Dialect::Sqlite, &not_cancelled(), "", sql);
        assert_eq!((kept.notes, kept.aside), (vec![], vec![]), "{sql}");
    }
    // A condition elsewhere does not exclude these rows.
    let made_up =
        "SELECT COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id AND o.status <> 'cancelled'";
    let kept = kept_in(Dialect::Sqlite, &not_cancelled(), "", made_up);
    assert_eq!(kept.aside.len(), 1, "the query decides by it, and the person is told");
    let other = "SELECT COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.status <> 'cancelled'";
    assert!(
        self::apply_in_sqlite(&not_cancelled(), other).ends_with("c.status <> 'cancelled' AND o.status <> 'cancelled'")
    );
}

#[test]
fn a_query_that_asks_for_those_rows_gets_them_and_the_person_is_told() {
    for sql in [
        "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'",
        "SELECT COUNT(*) FROM orders WHERE LOWER(status) LIKE 'cancel%'",
        "SELECT 100.0 * SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) FROM orders",
        "SELECT status, COUNT(*) FROM orders GROUP BY status",
        "SELECT o.status AS state, COUNT(*) FROM orders o GROUP BY 1",
        "SELECT DISTINCT status FROM orders",
        "WITH o AS (SELECT * FROM orders) SELECT COUNT(*) FROM o WHERE o.status = 'cancelled'",
    ] {
        let kept = kept_in(Dialect::Sqlite, &not_cancelled(), "", sql);
        assert_eq!((kept.notes.len(), kept.aside.len()), (0, 1), "{sql}: {}", kept.sql);
    }
    let asked =
        kept_in(Dialect::Sqlite, &not_cancelled(), "Sales, cancelled ones too?", "SELECT SUM(total) FROM orders");
    assert_eq!(asked.sql, "SELECT SUM(total) FROM orders");
    assert!(asked.aside[0].contains("the question asks about the other rows"), "{:?}", asked.aside);
}

#[test]
fn each_form_of_condition_stands_where_it_can() {
    for (condition, sql, stays) in [
        ("status = 'completed'", "SELECT SUM(total) FROM orders", false),
        ("status IN ('completed', 'shipped')", "SELECT SUM(total) FROM orders WHERE status = 'shipped'", true),
        ("status IN ('completed', 'shipped')", "SELECT SUM(total) FROM orders WHERE status = 'open'", true),
        ("status <> 'cancelled' OR status IS NULL", "SELECT SUM(total) FROM orders WHERE total > 1", false),
        ("deleted_at IS NULL", "SELECT SUM(total) FROM orders", false),
        ("deleted_at IS NULL", "SELECT SUM(total) FROM orders WHERE deleted_at > '2024-01-01'", true),
        ("deleted_at IS NULL", "SELECT COUNT(*) FROM orders WHERE deleted_at IS NOT NULL", true),
        ("total > 0", "SELECT COUNT(*) FROM orders WHERE total > 100", false),
        ("orders.total > 0 AND status <> 'test'", "SELECT COUNT(*) FROM orders AS x WHERE status = 'open'", false),
        ("customer_id <> 99", "SELECT COUNT(*) FROM orders JOIN customers ON orders.customer_id = customers.id", false),
        ("customer_id <> 99", "SELECT COUNT(*) FROM orders WHERE customer_id = 99", true),
    ] {
        let kept = kept_in(Dialect::Sqlite, &standing_definition("orders", condition, ""), "", sql);
        assert_eq!(kept.notes.is_empty(), stays, "{condition}: {}", kept.sql);
    }
    let either = apply_in_sqlite(
        &standing_definition("orders", "status <> 'cancelled' OR status IS NULL", ""),
        "SELECT 1 FROM orders WHERE id = 1",
    );
    assert!(either.ends_with("id = 1 AND (status <> 'cancelled' OR status IS NULL)"), "{either}");
}

#[test]
fn what_is_missing_without_the_condition_stands_beside_it() {
    for sql in [
        "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)",
        "SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 5)",
        "SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL",
        "SELECT id FROM customers EXCEPT SELECT customer_id FROM orders",
        "SELECT COUNT(*) FROM customers WHERE NOT (id IN (SELECT customer_id FROM orders WHERE total > 1))",
    ] {
        let kept = kept_in(Dialect::Sqlite, &not_cancelled(), "", sql);
        assert_eq!(kept.notes.len(), 1, "{}", kept.sql);
        assert_eq!(kept.beside.as_deref(), Some(sql), "{}", kept.sql);
    }
    for sql in [
        "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)",
        "SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name",
        "SELECT SUM(total) FROM orders WHERE customer_id NOT IN (SELECT id FROM customers WHERE name IS NULL)",
    ] {
        assert_eq!(kept_in(Dialect::Sqlite, &not_cancelled(), "", sql).beside, None, "{sql}");
    }
}

#[test]
fn a_view_over_the_table_is_told_of() {
    let kept = kept_in(Dialect::Sqlite, &not_cancelled(), "", "SELECT SUM(total) FROM daily_sales");
    assert!(kept.notes.is_empty());
    assert!(kept.aside[0].contains("daily_sales is a view of it"), "{:?}", kept.aside);
}

#[test]
fn names_are_quoted_as_each_dialect_does() {
    for dialect in [Dialect::Mysql, Dialect::Bigquery, Dialect::Snowflake, Dialect::Clickhouse, Dialect::Postgres] {
        let full = "SELECT COUNT(*) FROM customers c FULL JOIN orders o ON o.customer_id = c.id";
        for sql in
            ["SELECT c.name, SUM(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name", full]
        {
            if dialect == Dialect::Mysql && sql == full {
                continue;
            }
            let kept = kept_in(dialect, &not_cancelled(), "", sql);
            assert_eq!((kept.notes.len(), kept.aside.len()), (1, 0), "{dialect:?}: {}", kept.sql);
        }
    }
}

#[test]
fn a_second_repair_of_a_wrong_name_is_kept_to_it() {
    let catalog = shop_catalog(Dialect::Sqlite);
    let found = Standing::from_definitions(&[not_cancelled()], &catalog, "");
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    let input = RuleInput { standing: &found, ..rule_input(&catalog, &profile, &facts) };
    let wrong = "SELECT SUM(o.total) FROM customers c JOIN daily_sales o ON o.customer_id = c.id";
    for variant in variants_of_unbound(&ReadOnlySql::parse(wrong, Dialect::Sqlite).unwrap(), &input) {
        assert!(variant.sql.as_str().contains("status <> 'cancelled'"), "{}", variant.sql.as_str());
    }
}

#[test]
fn what_cannot_be_put_into_a_query_is_refused_with_the_reason() {
    let catalog = shop_catalog(Dialect::Sqlite);
    for (table, condition, why) in [
        ("invoices", "status <> 'x'", "Table invoices not found"),
        ("", "status <> 'x'", "names no table"),
        ("orders", "", "has no condition"),
        ("orders", "state <> 'x'", "state"),
        ("orders", "1 = 1", "no column"),
        ("orders", "status <> 'x') OR (1 = 1", "not one condition"),
        ("orders", "status <> 'x') ORDER BY (id", "not one condition"),
        ("orders", "status <> 'x'; DROP TABLE orders", ""),
        ("orders", "SUM(total) > 5", "more than one row"),
        ("orders", "customer_id IN (SELECT id FROM customers)", "more than one row"),
        ("orders", "load_extension('x') = status", "load_extension"),
    ] {
        let problem = StandingCondition::from_definition(&standing_definition(table, condition, ""), &catalog)
            .expect_err(condition);
        assert!(problem.contains(why), "{condition}: {problem}");
    }
}
