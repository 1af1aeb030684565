//! Columns that the results of queries without a tree may contain.

use super::super::{prove_read_only, prove_with};
use vitrine_domain::{Catalog, Column, Dialect, Table, TableKind, TableName};
use vitrine_sql::{AllowedFunctions, value_sources};

fn sample_catalog(dialect: Dialect) -> Catalog {
    let table = |name: &str, columns: &[&str]| Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns
            .iter()
            .map(|name| Column {
                name: (*name).to_owned(),
                data_type: "VARCHAR".to_owned(),
                nullable: true,
                comment: None,
            })
            .collect(),
        primary_key: vec!["id".to_owned()],
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    };
    Catalog {
        database: "shop".to_owned(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![
            table("customers", &["id", "name", "email", "salary", "city"]),
            table("products", &["id", "name", "price"]),
        ],
    }
}

/// Returns the columns of `customers` that a query without a tree may read; `None` if unknown.
fn read_columns(dialect: Dialect, sql: &str) -> Option<Vec<String>> {
    let catalog = sample_catalog(dialect);
    let proven = prove_read_only(sql, &catalog).unwrap_or_else(|rejection| panic!("{sql}: {rejection}"));
    assert!(!proven.has_tree(), "the parser reads it now, find another one: {sql}");
    let followed = value_sources(&proven, &catalog, &|_, _| true);
    assert_eq!(followed.outputs, None, "{sql}");
    let own = followed.read?.into_iter().filter(|(table, _)| table == "customers").map(|(_, column)| column);
    Some(own.collect())
}

/// Statements that only the engine can parse, and the columns of `customers` that they may read: names, `*`, or `?` if
/// unknown.
const STATEMENTS: &[(Dialect, &str, &str)] = &[
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, name, salary FROM customers", "name salary"),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, city AS c FROM customers ORDER BY c", "city"),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, * FROM customers", "*"),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, c FROM customers AS c", "*"),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, b FROM customers AS t(x, y, b)", "*"),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, #4 FROM customers", "*"),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, COLUMNS('e.*') FROM customers", "*"),
    (Dialect::Duckdb, "WITH x AS (SELECT email AS e FROM customers) SELECT 2 ** 2 AS a, e FROM x", "email"),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, name FROM products", ""),
    (Dialect::Duckdb, "SELECT 2 ** 2 AS a, x FROM elsewhere.customers AS y(x)", "?"),
    (Dialect::Sqlite, "SELECT 1 IS 1 AS a, name, salary FROM customers WHERE 1 IS 1", "name salary"),
    (Dialect::Sqlite, "SELECT rowid, city FROM customers WHERE 1 IS 1", "city id"),
    (Dialect::Sqlite, "SELECT * FROM customers WHERE 1 IS 1", "*"),
    (Dialect::Sqlite, "SELECT name FROM products WHERE 1 IS 1", ""),
    (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 3 AND 0 AS a, name, salary FROM customers", "name salary"),
    (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 3 AND 0 AS a, city FROM customers", "city"),
    (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 3 AND 0 AS a, c FROM customers AS c", "*"),
    (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 3 AND 0 AS a, c.* FROM customers AS c", "*"),
    (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 3 AND 0 AS a, c FROM customers AS x(a, b, c)", "*"),
    (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 3 AND 0 AS a, name FROM products", ""),
];

#[test]
fn what_only_the_engine_reads_is_known_by_its_own_tree() {
    for (dialect, sql, expected) in STATEMENTS {
        let mut wanted: Vec<&str> = match *expected {
            "*" => vec!["id", "name", "email", "salary", "city"],
            other => other.split_whitespace().collect(),
        };
        let found = read_columns(*dialect, sql);
        if *expected == "?" {
            assert_eq!(found, None, "{sql}");
            continue;
        }
        let mut found = found.unwrap_or_else(|| panic!("it is unknown what is read: {sql}"));
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{sql}");
    }
}

#[test]
fn what_is_shown_and_pivoted_is_followed_to_whole_tables() {
    let catalog = sample_catalog(Dialect::Duckdb);
    let person = AllowedFunctions::default().with_catalog();
    for (sql, tables) in [
        ("SUMMARIZE customers", Some(vec!["customers"])),
        ("FROM (SUMMARIZE SELECT name FROM customers)", Some(vec!["customers"])),
        ("DESCRIBE products", Some(vec!["products"])),
        ("PIVOT customers ON city USING count(*)", Some(vec!["customers"])),
        ("WITH p AS (FROM products) PIVOT p ON name USING sum(price)", Some(vec!["products"])),
        ("WITH p AS (PIVOT customers ON city USING count(*)) SELECT * FROM p", Some(vec!["customers"])),
        ("WITH p AS (FROM products), q AS (PIVOT p ON name) SELECT * FROM q", Some(vec!["products"])),
        // Not a table of the catalog, so the result may contain anything.
        ("SHOW TABLES", None),
        ("FROM (SHOW TABLES), customers", None),
    ] {
        assert!(prove_read_only(sql, &catalog).is_err(), "a model may not: {sql}");
        let proven = prove_with(sql, &catalog, &person).unwrap_or_else(|rejection| panic!("{sql}: {rejection}"));
        assert!(!proven.has_tree() && proven.describes_database(), "{sql}");
        let followed = value_sources(&proven, &catalog, &|_, _| true);
        assert_eq!(followed.outputs, None, "{sql}");
        let Some(tables) = tables else {
            assert_eq!(followed.read, None, "{sql}");
            continue;
        };
        let whole: usize =
            catalog.tables.iter().filter(|t| tables.contains(&t.name.name.as_str())).map(|t| t.columns.len()).sum();
        assert_eq!(followed.read.map(|read| read.len()), Some(whole), "{sql}");
    }
}

#[test]
fn a_pivot_of_a_pivot_without_values_is_refused() {
    let catalog = sample_catalog(Dialect::Duckdb);
    let person = AllowedFunctions::default().with_catalog();
    for sql in [
        "FROM (PIVOT (FROM (PIVOT customers ON city USING count(*))) ON id USING max(name))",
        "WITH p AS (PIVOT customers ON city), q AS (PIVOT p ON id) SELECT * FROM q",
    ] {
        let rejection = prove_with(sql, &catalog, &person).expect_err(sql);
        assert!(rejection.to_string().contains("PIVOT without its values"), "{sql}: {rejection}");
    }
}

/// A table of the user's own may be named like one of the engine's.
#[test]
fn own_tables_may_have_the_names_of_system_tables() {
    for (dialect, table, read) in [
        (Dialect::Duckdb, "pg_stat_sales", "main.pg_stat_sales"),
        (Dialect::Duckdb, "pg_stat_sales", "shop.main.pg_stat_sales"),
        (Dialect::Duckdb, "duckdb_notes", "main.duckdb_notes"),
        (Dialect::Duckdb, "pragma_rules", "pragma_rules"),
        (Dialect::Sqlite, "pragma_rules", "pragma_rules"),
        (Dialect::Sqlite, "pragma_rules", "main.pragma_rules"),
        (Dialect::Postgres, "pragma_rules", "public.pragma_rules"),
        (Dialect::Duckdb, "duckdb_settings", "duckdb_settings"),
        (Dialect::Duckdb, "duckdb_settings", "main.duckdb_settings"),
        (Dialect::Sqlite, "dbstat", "dbstat"),
        (Dialect::Sqlite, "dbstat", "main.dbstat"),
    ] {
        let mut catalog = sample_catalog(dialect);
        assert!(
            dialect == Dialect::Postgres || prove_read_only(&format!("SELECT id FROM {read}"), &catalog).is_err(),
            "{read}"
        );
        catalog.tables[0].name = TableName::from_unqualified(table);
        let proven = prove_read_only(&format!("SELECT id FROM {read}"), &catalog);
        assert!(proven.is_ok(), "{read}: {proven:?}");
    }
    for (dialect, schema, table) in [
        (Dialect::Postgres, "app", "pg_settings"),
        (Dialect::Postgres, "app", "stl_query"),
        (Dialect::Postgres, "public", "columns"),
        (Dialect::Mysql, "shop", "users"),
        (Dialect::Bigquery, "shop", "tables"),
        (Dialect::Snowflake, "PUBLIC", "TABLES"),
        (Dialect::Clickhouse, "shop", "settings"),
    ] {
        let mut catalog = sample_catalog(dialect);
        catalog.tables[0].name = TableName { schema: Some(schema.to_owned()), ..TableName::from_unqualified(table) };
        let sql = format!("SELECT id FROM {schema}.{table}");
        let proven = prove_read_only(&sql, &catalog);
        assert!(proven.is_ok(), "{dialect:?} {sql}: {proven:?}");
    }
    let catalog = sample_catalog(Dialect::Duckdb);
    let sql = "WITH duckdb_x AS (SELECT 2 ** 2 AS a) SELECT * FROM duckdb_x";
    assert!(prove_read_only(sql, &catalog).is_ok());
}

/// A model's query reads no catalog, and a person's does.
#[test]
fn only_a_person_reads_the_catalog() {
    let person = AllowedFunctions::default().with_catalog();
    for (dialect, sql) in [
        (Dialect::Bigquery, "SELECT * FROM shop.__TABLES__"),
        (Dialect::Bigquery, "SELECT * FROM `shop.__TABLES_SUMMARY__`"),
        (Dialect::Bigquery, "SELECT * FROM shop.INFORMATION_SCHEMA.COLUMNS"),
        (Dialect::Bigquery, "SELECT * FROM `p.shop.INFORMATION_SCHEMA.TABLES`"),
        (Dialect::Bigquery, "SELECT * FROM `region-eu`.INFORMATION_SCHEMA.SCHEMATA"),
        (Dialect::Snowflake, "SELECT * FROM INFORMATION_SCHEMA.TABLES"),
        (Dialect::Snowflake, "SELECT * FROM shop.\"INFORMATION_SCHEMA\".COLUMNS"),
        (Dialect::Snowflake, "SELECT * FROM account_usage.query_history"),
        (Dialect::Sqlite, "SELECT * FROM sqlite_stat1"),
        (Dialect::Sqlite, "SELECT * FROM sqlite_sequence"),
        (Dialect::Sqlite, "SELECT * FROM pragma_table_info('customers')"),
        (
            Dialect::Duckdb,
            "WITH RECURSIVE a AS (SELECT * FROM sqlite_master), sqlite_master AS (SELECT 1) SELECT * FROM a",
        ),
        (Dialect::Duckdb, "WITH RECURSIVE sqlite_master AS (SELECT * FROM sqlite_master) SELECT * FROM sqlite_master"),
        (
            Dialect::Duckdb,
            "SELECT 2 ** 2, * FROM sqlite_master WHERE 1 IN (WITH sqlite_master AS (SELECT 1) FROM sqlite_master)",
        ),
        (Dialect::Postgres, "SELECT 'customers'::regclass"),
        (Dialect::Postgres, "SELECT 16384::pg_catalog.regclass::text"),
        (Dialect::Postgres, "SELECT CAST('{customers}' AS regclass[])"),
        (Dialect::Postgres, "SELECT to_regclass('customers')"),
        (Dialect::Postgres, "SELECT * FROM json_to_record('{}') AS r(a regclass)"),
        (Dialect::Postgres, "SELECT 1 IS JSON, 'customers'::regclass"),
        (Dialect::Postgres, "SELECT relname FROM pg_class"),
    ] {
        let catalog = sample_catalog(dialect);
        assert!(prove_read_only(sql, &catalog).is_err(), "{sql}");
        assert!(prove_with(sql, &catalog, &person).is_ok(), "{sql}: {:?}", prove_with(sql, &catalog, &person));
    }
    for (dialect, sql) in [
        (Dialect::Sqlite, "SELECT * FROM dbstat"),
        (Dialect::Snowflake, "SELECT * FROM snowflake.account_usage.query_history"),
        (Dialect::Postgres, "SELECT * FROM pg_settings"),
    ] {
        assert!(prove_with(sql, &sample_catalog(dialect), &person).is_err(), "{sql}");
    }
    for sql in [
        "SELECT tableoid::regclass, count(*) FROM customers GROUP BY 1",
        "SELECT to_tsvector('english'::regconfig, name) FROM customers",
        "SELECT c.tableoid::regclass::text FROM customers AS c",
    ] {
        let proven = prove_read_only(sql, &sample_catalog(Dialect::Postgres));
        assert!(proven.is_ok(), "{sql}: {proven:?}");
    }
}

#[test]
fn queries_of_others_are_refused_in_every_schema() {
    let catalog = sample_catalog(Dialect::Postgres);
    for table in ["public.pg_stat_statements", "stl_query", "crdb_internal.node_queries"] {
        assert!(prove_read_only(&format!("SELECT * FROM {table}"), &catalog).is_err(), "{table}");
    }
    for table in ["public.statements", "app.query", "app.stl_files"] {
        assert!(prove_read_only(&format!("SELECT * FROM {table}"), &catalog).is_ok(), "{table}");
    }
}
