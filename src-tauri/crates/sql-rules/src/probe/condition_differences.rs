//! Conditions that only some of several queries for one question contain, each with a query that counts the rows it
//! keeps.

use super::query_summary::{query_summary, row_conditions};
use sqlparser::ast::Expr;
use std::ops::ControlFlow;
use vitrine_domain::Catalog;
use vitrine_sql::ast::{build_identifier, own_name, visit_exprs, visit_exprs_mut};
use vitrine_sql::table_ref;
use vitrine_sql::{ReadOnlySql, bind_names};

/// A condition on the columns of one table.
#[derive(Debug, Clone)]
pub struct ConditionDifference {
    /// The condition as phrased by [`query_summary`].
    pub phrase: String,
    /// SQL text of the condition, with the table's own column names.
    pub condition: String,
    /// Catalog name of the table.
    pub table: String,
    /// Returns one row: the table's number of rows, and the number that the condition keeps.
    pub count: ReadOnlySql,
}

/// Returns the distinct conditions that not all of the queries contain, in the order of the queries. Conditions over
/// several tables or computed columns are excluded because no single table can be queried for them.
pub fn condition_differences(queries: &[&ReadOnlySql], catalog: &Catalog) -> Vec<ConditionDifference> {
    let summaries: Vec<Vec<String>> = queries.iter().map(|sql| query_summary(sql)).collect();
    let mut found: Vec<ConditionDifference> = Vec::new();
    for sql in queries {
        for (phrase, condition) in row_conditions(sql) {
            let shared = summaries.iter().all(|summary| summary.contains(&phrase));
            if !shared && found.iter().all(|known| known.phrase != phrase) {
                found.extend(build_difference(sql, phrase, condition, catalog));
            }
        }
    }
    found
}

fn build_difference(
    sql: &ReadOnlySql,
    phrase: String,
    mut condition: Expr,
    catalog: &Catalog,
) -> Option<ConditionDifference> {
    let dialect = sql.dialect();
    let used = bind_names(sql, catalog).columns;
    let mut names = Vec::new();
    let within = visit_exprs(&condition, |part| match part {
        Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. } => ControlFlow::Break(()),
        part => {
            names.extend(own_name(part).map(str::to_owned));
            ControlFlow::Continue(())
        }
    });
    let (first, others) = names.split_first().filter(|_| within.is_continue())?;
    let holds = |table: &str, name: &str| used.iter().any(|(t, c)| t == table && c.eq_ignore_ascii_case(name));
    let mut tables = used.iter().filter(|(_, column)| column.eq_ignore_ascii_case(first)).map(|(table, _)| table);
    let table = tables.next().filter(|table| others.iter().all(|name| holds(table, name)))?;
    if tables.next().is_some() {
        return None;
    }
    let known = catalog.find_table(table)?;
    let _ = visit_exprs_mut(&mut condition, |part| {
        if let Some(name) = own_name(part) {
            let stored = known.find_column(name).map_or(name, |column| &column.name);
            *part = Expr::Identifier(build_identifier(stored, dialect));
        }
        ControlFlow::<()>::Continue(())
    });
    let count = format!(
        "SELECT count(*) AS row_count, sum(CASE WHEN {condition} THEN 1 ELSE 0 END) AS kept FROM {}",
        table_ref(&known.name, dialect)
    );
    Some(ConditionDifference {
        phrase,
        condition: condition.to_string(),
        table: table.clone(),
        count: ReadOnlySql::parse_with(&count, dialect, sql.allowed_functions()).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    #[test]
    fn a_condition_may_call_what_its_query_may_call() {
        let script = "CREATE TABLE orders (id INTEGER, amount INTEGER);";
        let tables = vitrine_ddl::parse(script, Dialect::Postgres).unwrap();
        let own = vitrine_sql::AllowedFunctions::new(["margin"]).unwrap();
        let catalog = Catalog {
            database: "shop".into(),
            dialect: Dialect::Postgres,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables,
        };
        let queries = ["SELECT id FROM orders WHERE margin(amount) > 3", "SELECT id FROM orders"]
            .map(|sql| ReadOnlySql::parse_with(sql, Dialect::Postgres, &own).unwrap());
        let found = condition_differences(&[&queries[0], &queries[1]], &catalog);
        assert!(found[0].count.as_str().contains("margin(amount) > 3"), "{found:?}");
    }

    #[test]
    fn conditions_that_some_queries_set_can_be_asked_of_their_tables() {
        let script = "CREATE TABLE orders (id INTEGER, customer_id INTEGER, \"order\" TEXT, amount INTEGER);
                      CREATE TABLE customers (id INTEGER, country TEXT);";
        let catalog = Catalog {
            database: "shop".into(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: vitrine_ddl::parse(script, Dialect::Sqlite).unwrap(),
        };
        let queries: Vec<ReadOnlySql> = [
            "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.\"order\" = 'paid' AND c.country = 'US'",
            "SELECT count(*) FROM orders WHERE \"order\" <> 'open' AND amount > 3",
            "WITH big AS (SELECT amount * 2 AS double FROM orders WHERE amount > 3) SELECT sum(double) FROM big WHERE double > 9",
            "SELECT count(*) FROM orders WHERE amount > 3 AND id IN (SELECT id FROM customers)
             AND EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.id)",
        ]
        .iter()
        .map(|sql| ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap())
        .collect();
        let said = |queries: &[&ReadOnlySql]| -> Vec<String> {
            condition_differences(queries, &catalog)
                .iter()
                .map(|d| format!("{}: {}", d.phrase, d.count.as_str()))
                .collect()
        };
        let count = |condition: &str, table: &str| {
            format!("SELECT count(*) AS row_count, sum(CASE WHEN {condition} THEN 1 ELSE 0 END) AS kept FROM {table}")
        };
        assert_eq!(
            said(&queries.iter().collect::<Vec<_>>()),
            [
                format!("only order = 'paid': {}", count("\"order\" = 'paid'", "orders")),
                format!("only country = 'US': {}", count("country = 'US'", "customers")),
                format!("only order <> 'open': {}", count("\"order\" <> 'open'", "orders")),
                format!("only amount > 3: {}", count("amount > 3", "orders")),
            ]
        );
        assert_eq!(said(&[&queries[1], &queries[1]]), [""; 0], "they agree");
    }
}
