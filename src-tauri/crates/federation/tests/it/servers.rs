//! PostgreSQL with MariaDB, and BigQuery's emulator with Excel.

use crate::queries::{QUERIES, TARGETS, insert_rows, reference_script};
use crate::support::{Desk, compare, rows_of, run};
use crate::types::compare_table;
use vitrine_domain::CellType;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;

const POSTGRES_SHOP: &str = "CREATE TABLE customers (id bigint PRIMARY KEY, name text, country varchar(20));
    CREATE TABLE orders (id bigint PRIMARY KEY, customer_id bigint, region text, amount double precision, qty bigint, ordered date, note text);\n";

fn targets_script() -> String {
    let rows = TARGETS.iter().map(|(region, target)| format!("INSERT INTO targets VALUES ('{region}', {target});\n"));
    rows.collect()
}

#[tokio::test]
async fn postgresql_and_mariadb_give_what_one_database_gives() {
    let (desk, postgres, mysql) = (Desk::new(), PostgresServer::start(), MysqlServer::start());
    postgres.psql("shop", &(POSTGRES_SHOP.to_owned() + &insert_rows("", |day| format!("DATE '{day}'"))));
    mysql.script(
        "shop",
        &format!(
            "CREATE TABLE targets (region varchar(20), target bigint) CHARACTER SET utf8mb4;\n{}",
            targets_script()
        ),
    );
    let reference = desk.duckdb("reference.duckdb", &reference_script());
    let sources = [("shop", postgres.address("shop")), ("plan", mysql.address("shop"))];
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, address)| (*name, address.as_str())).collect();
    let warehouse = desk.join(&sources).await;
    compare(&warehouse, &reference, QUERIES).await;
}

#[tokio::test]
async fn mariadb_with_the_large_tables_gives_what_one_database_gives() {
    let (desk, mysql) = (Desk::new(), MysqlServer::start());
    let tables = "SET NAMES utf8mb4;
        CREATE TABLE customers (id bigint PRIMARY KEY, name varchar(50), country varchar(20)) CHARACTER SET utf8mb4;
        CREATE TABLE orders (id bigint PRIMARY KEY, customer_id bigint, region varchar(20), amount double, qty bigint, ordered date, note varchar(50)) CHARACTER SET utf8mb4;\n";
    mysql.script("shop", &(tables.to_owned() + &insert_rows("", |day| format!("'{day}'"))));
    let plan = desk.file("targets.csv", &crate::queries::targets_csv());
    let reference = desk.duckdb("reference.duckdb", &reference_script());
    let warehouse = desk.join(&[("shop", &mysql.address("shop")), ("plan", &plan)]).await;
    compare(&warehouse, &reference, QUERIES).await;
    let (_, reads) = rows_of(&warehouse, "SELECT id FROM shop.orders WHERE region = 'North'").await;
    assert!(reads[0].sql.contains("WHERE") && reads[0].rows < 60, "{reads:?}");
}

#[tokio::test]
async fn every_type_of_postgresql_arrives() {
    let (desk, postgres) = (Desk::new(), PostgresServer::start());
    postgres.psql(
        "shop",
        "CREATE TYPE mood AS ENUM ('sad', 'ok');
         CREATE TABLE t (flag boolean, small smallint, whole integer, big bigint, money numeric(10,2), free numeric, whole_money numeric(20,0),
            single real, twice double precision, word text, fixed char(5), bytes bytea, day date, clock time, moment timestamp, zoned timestamptz,
            pause interval, id uuid, doc json, docb jsonb, kind mood, list integer[]);
         INSERT INTO t VALUES (true, -32768, -2147483648, -9223372036854775808, 12345678.90, 1234567890123456789.00012, 12345678901234567890, 0.1, 0.1,
            'größe 😀', 'ab', '\\x00ff', '2024-02-29', '23:59:59.000001', '2024-02-29 23:59:59.000001', '2024-02-29 23:59:59+02',
            '1 year 2 days 03:04:05', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{\"a\": 1.10}', '{\"a\": 1.10}', 'ok', '{1,NULL,3}');
         INSERT INTO t (flag) VALUES (NULL);
         INSERT INTO t (flag, twice, day, moment) VALUES (false, 'infinity', 'infinity', '-infinity');",
    );
    compare_table(&desk, &postgres.address("shop"), "t", &[]).await;
    postgres.psql("shop", "CREATE TABLE odd (n numeric, x integer); INSERT INTO odd VALUES ('NaN', 1);");
    let other = desk.file("other.csv", "n\n1\n");
    let warehouse = desk.join(&[("own", &postgres.address("shop")), ("other", &other)]).await;
    let refused = run(&warehouse, "SELECT n FROM own.odd").await.unwrap_err().to_string();
    assert!(refused.contains("own.odd.n") && refused.contains("not finite"), "{refused}");
}

#[tokio::test]
async fn every_type_of_mariadb_arrives() {
    let (desk, mysql) = (Desk::new(), MysqlServer::start());
    mysql.script(
        "shop",
        "SET NAMES utf8mb4; SET sql_mode = '';
         CREATE TABLE t (tiny tinyint, flag tinyint(1), whole int, big bigint, huge bigint unsigned, money decimal(12,2), round decimal(20,0),
            single float, twice double, y year, day date, zero date, moment datetime(6), stamp timestamp NULL, clock time,
            word varchar(20), fixed char(5), kind enum('new', 'paid'), doc json, bytes varbinary(10)) CHARACTER SET utf8mb4;
         SET time_zone = '+02:00';
         INSERT INTO t VALUES (-128, 2, -2147483648, -9223372036854775808, 18446744073709551615, 12345.60, 12345678901234567890, 0.1, 0.1, 1901,
            '2024-02-29', '0000-00-00', '2024-02-29 23:59:59.000001', '2024-02-29 23:59:59', '23:59:59', 'größe 😀', 'ab', 'paid', '{\"a\": 1.10}', x'00ff');
         INSERT INTO t (flag) VALUES (NULL);",
    );
    // A date that DuckDB lacks keeps its text.
    compare_table(&desk, &mysql.address("shop"), "t", &[("zero", CellType::Text)]).await;
}

#[tokio::test]
async fn bigquery_and_excel_meet() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    emulator
        .script(&[
            "CREATE TABLE shop.orders (id INT64, region STRING, amount NUMERIC, day DATE, note STRING)",
            "INSERT INTO shop.orders VALUES (1, 'North', 10.25, DATE '2024-01-05', 'a'), (2, 'North', 2.5, DATE '2024-02-05', NULL),
             (3, 'south', 1, DATE '2023-12-31', 'x'), (4, 'South', 7.75, DATE '2024-03-01', NULL), (5, NULL, 3, NULL, NULL)",
        ])
        .await;
    let desk = Desk::new();
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet().set_name("targets").unwrap();
    for (row, (region, target)) in [("North", 10.0), ("South", 20.0), ("West", 5.0)].into_iter().enumerate() {
        sheet.write_string(row as u32 + 1, 0, region).unwrap();
        sheet.write_number(row as u32 + 1, 1, target).unwrap();
    }
    sheet.write_string(0, 0, "region").unwrap();
    sheet.write_string(0, 1, "target").unwrap();
    book.save(desk.path("targets.xlsx")).unwrap();
    let plan = format!("file:{}", desk.path("targets.xlsx").display());
    let warehouse = desk.join(&[("shop", &emulator.address("shop")), ("plan", &plan)]).await;
    let sql = "SELECT t.region, t.target, sum(o.amount) AS total, count(o.id) AS n FROM plan.targets t
               LEFT JOIN shop.orders o ON o.region = t.region AND o.day >= '2024-01-01' GROUP BY ALL ORDER BY t.region";
    let (rows, reads) = rows_of(&warehouse, sql).await;
    let rows: Vec<String> = rows
        .iter()
        .map(|row| row.iter().map(|cell| cell.as_deref().unwrap_or("-")).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(rows, ["North 10 12.75 2", "South 20 7.75 1", "West 5 - 0"], "{reads:?}");
    let own = reads.iter().find(|read| read.source == "shop").unwrap();
    assert!(own.sql.contains("GROUP BY") && own.sql.contains("2024-01-01") && !own.sql.contains("note"), "{own:?}");
}
