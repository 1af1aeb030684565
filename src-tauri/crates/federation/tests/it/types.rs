//! Values of every type arrive unchanged.

use crate::support::{Desk, open, run};
use vitrine_domain::CellType;

/// Asserts that a table looks the same directly and through a join, apart from some types.
pub async fn compare_table(desk: &Desk, address: &str, table: &str, retyped: &[(&str, CellType)]) {
    let other = desk.file("other.csv", "n\n1\n");
    let warehouse = desk.join(&[("own", address), ("other", &other)]).await;
    let direct = run(open(address).await.as_ref(), &format!("SELECT * FROM {table}")).await.unwrap();
    let joined = run(&warehouse, &format!("SELECT t.* FROM own.{table} t, other.other"))
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(direct.columns.len(), joined.columns.len());
    for (at, (before, after)) in direct.columns.iter().zip(&joined.columns).enumerate() {
        let cells = |page: &vitrine_domain::Page| page.rows.iter().map(|row| row[at].clone()).collect::<Vec<_>>();
        assert_eq!(before.name, after.name);
        assert_eq!(cells(&direct), cells(&joined), "{}", before.name);
        let wanted = retyped.iter().find(|(name, _)| *name == before.name).map_or(before.cell_type, |(_, own)| *own);
        assert_eq!(after.cell_type, wanted, "{}", before.name);
    }
}

#[tokio::test]
async fn of_duckdb() {
    let desk = Desk::new();
    let script = "CREATE TYPE mood AS ENUM ('sad', 'ok');
        CREATE TABLE t (flag BOOLEAN, tiny TINYINT, small SMALLINT, whole INTEGER, big BIGINT, huge HUGEINT, utiny UTINYINT, ubig UBIGINT,
            money DECIMAL(10,2), long_money DECIMAL(38,10), single FLOAT, twice DOUBLE, word VARCHAR, bytes BLOB, day DATE, clock TIME,
            moment TIMESTAMP, seconds TIMESTAMP_S, millis TIMESTAMP_MS, nanos TIMESTAMP_NS, zoned TIMESTAMPTZ, pause INTERVAL, id UUID,
            doc JSON, kind mood, list INTEGER[], pair STRUCT(a INTEGER, b VARCHAR), map MAP(VARCHAR, INTEGER), bits BIT);
        INSERT INTO t VALUES (true, -128, -32768, -2147483648, -9223372036854775808, 12345678901234567890123456789012345678, 255,
            18446744073709551615, 12345678.90, 1234567890123456789012345678.0123456789, 0.1, 0.1, 'größe 😀 ''x''', '\\x00\\xFF'::BLOB,
            '2024-02-29', '23:59:59.000001', '2024-02-29 23:59:59.000001', '2024-02-29 23:59:59', '2024-02-29 23:59:59.5',
            '2024-02-29 23:59:59.000000001', '2024-02-29 23:59:59+02', INTERVAL '1 year 2 days 03:04:05', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
            '{\"a\": 1.10}', 'ok', [1, NULL, 3], {'a': 1, 'b': 'x'}, MAP {'k': 1}, '0101'::BIT);
        INSERT INTO t (flag) VALUES (NULL);
        INSERT INTO t (flag, twice, day, moment, word) VALUES (false, 'infinity', 'infinity', '-infinity', '');";
    let address = desk.duckdb("types.duckdb", script);
    compare_table(&desk, &address, "t", &[]).await;
}

#[tokio::test]
async fn of_sqlite() {
    let desk = Desk::new();
    let script = "CREATE TABLE t (id INTEGER, flag BOOLEAN, price REAL, money DECIMAL(10,2), word TEXT, bytes BLOB, day DATE, moment DATETIME, odd_day DATE,
            any_thing, doc JSON);
        INSERT INTO t VALUES (9223372036854775807, 1, 0.1, 12.5, 'größe ''x''', x'00ff', '2024-02-29', '2024-02-29 23:59:59', '29.02.2024', 1, '{\"a\": 1}');
        INSERT INTO t VALUES (-9223372036854775808, 0, 1e300, 3, '', x'', '0001-01-01', '2024-01-01 00:00:00', NULL, 'x', NULL);
        INSERT INTO t (id) VALUES (NULL);";
    let address = desk.sqlite("types.db", script);
    compare_table(&desk, &address, "t", &[("day", CellType::Date), ("moment", CellType::Timestamp)]).await;
}

#[tokio::test]
async fn of_csv() {
    let desk = Desk::new();
    let text = "id,flag,price,word,day,moment,zip\n1,true,1.5,größe,2024-02-29,2024-02-29 23:59:59,01234\n2,false,,\"a,b\",,,00007\n";
    let address = desk.file("types.csv", text);
    compare_table(&desk, &address, "types", &[]).await;
}

#[tokio::test]
async fn values_without_a_place_are_refused_and_not_rounded() {
    let desk = Desk::new();
    let address = desk
        .duckdb("t.duckdb", "CREATE TABLE t (n UNION(a INTEGER, b VARCHAR), x INTEGER); INSERT INTO t VALUES (1, 2);");
    let other = desk.file("other.csv", "n\n1\n");
    let warehouse = desk.join(&[("own", &address), ("other", &other)]).await;
    let refused = run(&warehouse, "SELECT t.n FROM own.t t, other.other").await.unwrap_err().to_string();
    assert!(refused.contains("own.t.n"), "{refused}");
    assert!(
        run(&warehouse, "SELECT t.x FROM own.t t, other.other").await.is_ok(),
        "a column that is not read does not matter"
    );
}
