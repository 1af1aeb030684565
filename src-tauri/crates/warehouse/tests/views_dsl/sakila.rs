//! ProSPy, appendix B.2: revenue per film and actor, the top three films of each, without the six-table join.

use super::engines::Engine;
use serde_json::json;
use tokio::runtime::Runtime;
use vitrine_domain::{Dialect, ViewSpec};
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_view_dsl as views;

/// Four films, three actors, ten payments; film 4 was never rented, and its actors' other films were.
const ROWS: &str = "
CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, first_name TEXT);
CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE film_actor (actor_id INTEGER REFERENCES actor (actor_id), film_id INTEGER REFERENCES film (film_id), PRIMARY KEY (actor_id, film_id));
CREATE TABLE inventory (inventory_id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES film (film_id));
CREATE TABLE rental (rental_id INTEGER PRIMARY KEY, inventory_id INTEGER REFERENCES inventory (inventory_id));
CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, rental_id INTEGER REFERENCES rental (rental_id), amount NUMERIC(5,2));
INSERT INTO actor VALUES (1, 'Ida'), (2, 'Ola'), (3, 'Uwe');
INSERT INTO film VALUES (1, 'Anchor'), (2, 'Bridge'), (3, 'Candle'), (4, 'Drum');
INSERT INTO film_actor VALUES (1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 4), (3, 3);
INSERT INTO inventory VALUES (1, 1), (2, 1), (3, 2), (4, 3), (5, 4);
INSERT INTO rental VALUES (1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4), (8, 4);
INSERT INTO payment VALUES (1, 1, 2.50), (2, 2, 2.50), (3, 3, 5), (4, 4, 1), (5, 5, 1), (6, 6, 4), (7, 7, 4), (8, 8, 4), (9, 8, 0.5), (10, NULL, 9);
";

fn spec(value: serde_json::Value) -> ViewSpec {
    serde_json::from_value(value).expect("a spec")
}

/// G1, from payments to films, as the agent of B.2.3 would write it.
fn film_revenue() -> ViewSpec {
    spec(json!({
        "name": "film_revenue",
        "rationale": "Revenue per film",
        "source": [
            {"table": "payment", "role": "fact"},
            {"table": "rental", "role": "bridge"},
            {"table": "inventory", "role": "bridge"},
            {"table": "film", "role": "lookup"},
        ],
        "dimensions": [{"column": "film.film_id"}, {"column": "title"}],
        "metrics": [{"name": "total_revenue", "agg": "sum", "of": "payment.amount"}],
    }))
}

/// G2, the films of each actor.
fn actor_film_mapping() -> ViewSpec {
    spec(json!({
        "name": "actor_film_mapping",
        "source": [{"table": "actor"}, {"table": "film_actor"}],
        "dimensions": [{"column": "actor.actor_id"}, {"column": "film_actor.film_id"}],
        "metrics": [],
    }))
}

/// Both views joined by their common key, which specs need not name.
fn best_films() -> ViewSpec {
    spec(json!({
        "name": "best_films",
        "source": [{"table": "actor_film_mapping"}, {"table": "film_revenue"}],
        "dimensions": [{"column": "actor_id"}, {"column": "title"}],
        "metrics": [{"name": "revenue", "agg": "sum", "of": "total_revenue"}],
        "windows": [{"name": "share", "kind": "share", "of": "revenue", "per": ["actor_id"]}],
        "top": {"n": 2, "by": "revenue", "per": ["actor_id"]},
        "order": [{"by": "actor_id"}, {"by": "revenue", "descending": true}],
    }))
}

async fn rows(engine: &Engine, specs: &[ViewSpec]) -> Vec<String> {
    let sql = views::compile_view(specs, &engine.catalog, &engine.profile, &[], engine.dialect)
        .unwrap_or_else(|e| panic!("{e}"));
    let page = engine.page(&sql).await;
    let shown = |cell: &Option<String>| match cell.as_deref().map(|text| (text, text.parse::<f64>())) {
        None => "-".to_owned(),
        Some((_, Ok(number))) => format!("{}", (number * 1000.0).round() / 1000.0),
        Some((text, Err(_))) => text.to_owned(),
    };
    let mut rows: Vec<String> =
        page.rows.iter().map(|row| row.iter().map(shown).collect::<Vec<_>>().join(" ")).collect();
    if !sql.is_ordered() {
        rows.sort();
    }
    rows
}

#[test]
fn the_case_of_the_paper_comes_out_in_two_views() {
    let server = PostgresServer::start();
    let folder = tempfile::tempdir().expect("a folder");
    Runtime::new().expect("a runtime").block_on(async {
        for engine in [
            Engine::of_file(folder.path(), Dialect::Sqlite, ROWS).await,
            Engine::of_file(folder.path(), Dialect::Duckdb, ROWS).await,
            Engine::of_postgres(&server, ROWS).await,
        ] {
            // Ten payments leave the database as three rows; the one without a rental belongs to no film.
            assert_eq!(rows(&engine, &[film_revenue()]).await, ["1 Anchor 10", "2 Bridge 2", "3 Candle 12.5"]);
            let mapping = rows(&engine, &[actor_film_mapping()]).await;
            assert_eq!(mapping, ["1 1", "1 2", "1 3", "1 4", "2 1", "2 4", "3 3"]);
            // The share is relative to all films of an actor, not to the two in the result.
            assert_eq!(
                rows(&engine, &[film_revenue(), actor_film_mapping(), best_films()]).await,
                ["1 Candle 12.5 0.51", "1 Anchor 10 0.408", "2 Anchor 10 1", "3 Candle 12.5 1"]
            );
            engine.close().await;
        }
    });
}
