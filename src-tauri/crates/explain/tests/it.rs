//! Queries over a small shop, explained: what is said of them, and what is asked about them.

use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Explanation, Profile};
use vitrine_explain::{Bounds, run};
use vitrine_warehouse::{Warehouse, WarehouseUri};

struct Shop {
    _folder: tempfile::TempDir,
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
}

impl Shop {
    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("shop.sqlite");
        let connection = rusqlite::Connection::open(&path).expect("a database");
        connection.execute_batch(include_str!("shop.sql")).expect("rows");
        let uri = WarehouseUri::parse(&format!("sqlite:{}", path.display())).expect("an address");
        let warehouse = vitrine_warehouse::open(&uri).await.expect("open");
        let catalog = warehouse.catalog().await.expect("catalog");
        Self { _folder: folder, warehouse, catalog }
    }

    async fn explain(&self, sql: &str) -> Explanation {
        let proven = vitrine_warehouse::prove(sql, &self.catalog).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        let (profile, bounds, cancel) = (Profile::default(), Bounds::default(), CancellationToken::new());
        run(self.warehouse.as_ref(), &proven, &self.catalog, &profile, &bounds, &cancel).await
    }
}

/// What a person reads.
fn told(explanation: &Explanation) -> String {
    let mut lines: Vec<String> = explanation.understood.clone();
    for step in &explanation.steps {
        let rows = step.rows.map_or("not counted".to_owned(), |rows| rows.to_string());
        lines.push(format!("  {rows:>4}  {}", step.note));
    }
    lines.push(if explanation.proven {
        "Proven".to_owned()
    } else {
        format!("Not proven: {:?}", explanation.unproven)
    });
    for check in &explanation.checks {
        lines.push(format!("{} {}: {}", if check.may_change { "?" } else { "i" }, check.code, check.text));
    }
    lines.join("\n")
}

#[tokio::test]
async fn queries_are_told_in_words_with_their_rows() {
    let shop = Shop::open().await;
    let mut all = String::new();
    for sql in [
        "SELECT COUNT(*) FROM customer",
        "SELECT c.name, SUM(o.amount) AS total FROM customer c JOIN purchase o ON o.customer_id = c.id
         WHERE o.placed >= '2024-01-01' AND o.status <> 'cancelled' GROUP BY c.id, c.name ORDER BY total DESC LIMIT 2",
        "SELECT region, COUNT(DISTINCT id) FROM customer WHERE region IN ('North', 'South') GROUP BY region HAVING COUNT(*) > 1",
        "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM purchase WHERE customer_id IS NOT NULL)",
        "SELECT strftime('%Y', placed) AS year, AVG(amount) FROM purchase WHERE status LIKE 'p%' GROUP BY 1 ORDER BY 1",
        "SELECT c.name, o.amount FROM customer c LEFT JOIN purchase o ON o.customer_id = c.id AND o.status = 'paid'",
        "SELECT name FROM customer UNION SELECT label FROM product",
    ] {
        let explanation = shop.explain(sql).await;
        assert!(explanation.proven, "{sql}: {:?}", explanation.unproven);
        let flat = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        all.push_str(&format!("{flat}\n{}\n\n", told(&explanation)));
    }
    insta::assert_snapshot!(all);
}

#[tokio::test]
async fn what_a_careful_reader_would_ask_is_found() {
    let shop = Shop::open().await;
    for (code, sql) in [
        (
            "rows-multiplied",
            "SELECT SUM(o.amount) FROM customer c JOIN purchase o ON o.customer_id = c.id JOIN visit v ON v.customer_id = c.id",
        ),
        ("rows-lost", "SELECT COUNT(*) FROM purchase o JOIN customer c ON c.id = o.customer_id"),
        (
            "rows-lost",
            "SELECT SUM(o.amount) FROM purchase o JOIN customer c ON c.id = o.customer_id WHERE o.status = 'paid'",
        ),
        ("nothing-joined", "SELECT COUNT(*) FROM purchase o JOIN product p ON p.label = o.status"),
        ("keeps-none", "SELECT COUNT(*) FROM purchase WHERE status = 'Paid'"),
        (
            "share-of-filter",
            "SELECT c.region, SUM(CASE WHEN o.status = 'paid' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM customer c
             JOIN purchase o ON o.customer_id = c.id WHERE o.status = 'paid' GROUP BY c.region",
        ),
    ] {
        let explanation = shop.explain(sql).await;
        let found: Vec<&str> = explanation.checks.iter().filter(|c| c.may_change).map(|c| c.code.as_str()).collect();
        assert!(found.contains(&code), "{sql}\n{found:?}\n{}", told(&explanation));
    }
}

#[tokio::test]
async fn right_queries_are_not_accused() {
    let shop = Shop::open().await;
    for sql in [
        "SELECT COUNT(*) FROM customer",
        // Each sale counts with the price of its product.
        "SELECT SUM(p.price) FROM line l JOIN product p ON p.id = l.product_id",
        "SELECT c.name, COUNT(v.id) FROM customer c LEFT JOIN visit v ON v.customer_id = c.id GROUP BY c.id",
        // Those who never bought are not asked for.
        "SELECT c.region, COUNT(*) FROM customer c JOIN visit v ON v.customer_id = c.id GROUP BY c.region",
        "SELECT SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM purchase WHERE placed >= '2024-01-01'",
        "SELECT name FROM customer WHERE region = 'North'",
        "SELECT label FROM product ORDER BY price DESC LIMIT 1",
    ] {
        let explanation = shop.explain(sql).await;
        let accused: Vec<_> = explanation.checks.iter().filter(|check| check.may_change).collect();
        assert!(accused.is_empty(), "{sql}\n{accused:?}\n{}", told(&explanation));
    }
}
