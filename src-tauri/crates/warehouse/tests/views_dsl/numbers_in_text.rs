//! A numeric key joined with text: the engines behave as the check of views assumes.

use super::engines::Engine;
use serde_json::json;
use tokio::runtime::Runtime;
use vitrine_domain::{Dialect, ViewSpec};
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_view_dsl as views;

const ROWS: &str = "CREATE TABLE shop (id INTEGER PRIMARY KEY, name VARCHAR(20));
CREATE TABLE visit (no INTEGER PRIMARY KEY, shop_code VARCHAR(20));
INSERT INTO shop VALUES (5, 'five'), (6, 'six');
INSERT INTO visit VALUES (1, '5'), (2, '05'), (3, '6'), (4, '7');";

fn visited() -> ViewSpec {
    serde_json::from_value(json!({"name": "visited", "source": [{"table": "shop"}, {"table": "visit"}],
        "joins": [{"left": "shop", "right": "visit", "on": [["id", "shop_code"]]}],
        "dimensions": [{"column": "name"}], "metrics": [{"name": "visits", "agg": "count"}], "order": [{"by": "name"}]}))
    .expect("a view")
}

#[test]
fn what_reads_text_as_numbers_brings_the_rows_and_what_does_not_is_not_asked() {
    let (postgres, mysql) = (PostgresServer::start(), MysqlServer::start());
    let folder = tempfile::tempdir().expect("a folder");
    Runtime::new().expect("a runtime").block_on(async {
        for engine in [
            Engine::of_file(folder.path(), Dialect::Sqlite, ROWS).await,
            Engine::of_file(folder.path(), Dialect::Duckdb, ROWS).await,
            Engine::of_mysql(&mysql, ROWS).await,
        ] {
            let sql =
                views::compile_view(&[visited()], &engine.catalog, &engine.profile, &[], engine.dialect).expect("fits");
            let rows: Vec<String> = engine
                .page(&sql)
                .await
                .rows
                .into_iter()
                .map(|row| row.into_iter().flatten().collect::<Vec<_>>().join(" "))
                .collect();
            assert_eq!(rows, ["five 2", "six 1"], "{:?}", engine.dialect);
            engine.close().await;
        }
        let engine = Engine::of_postgres(&postgres, ROWS).await;
        let refused = views::compile_view(&[visited()], &engine.catalog, &engine.profile, &[], Dialect::Postgres);
        assert!(refused.is_err_and(|error| error.to_string().contains("PostgreSQL does not compare them")));
        let by_hand =
            ReadOnlySql::parse("SELECT 1 FROM shop JOIN visit ON id = shop_code", Dialect::Postgres).expect("a query");
        assert!(engine.try_page(&by_hand).await.is_err_and(|error| error.contains("operator does not exist")));
        engine.close().await;
    });
}
