use super::*;
use crate::{ProfileOptions, RenderOptions, compress_catalog, profile_database, render_schema};
use std::path::Path;
use std::time::Duration;
use vitrine_domain::{DecidedKey, KeyDecision};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Grain, Matches, each_select};
use vitrine_warehouse::{WarehouseUri, open_warehouse};

struct Read {
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
    profile: Profile,
}

impl Read {
    async fn open(uri: &str) -> Self {
        let warehouse = open_warehouse(&WarehouseUri::parse(uri).unwrap()).await.unwrap();
        let catalog = warehouse.load_catalog().await.unwrap();
        let (options, cancel) = (ProfileOptions::default(), CancellationToken::new());
        let profile = profile_database(Arc::clone(&warehouse), &catalog, options, |_, _, _| {}, cancel).await.unwrap();
        Self { warehouse, catalog, profile }
    }

    /// Creates a SQLite database in which `rows(n)` is a table of 1 to 400.
    async fn sqlite(sql: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("test.db");
        let rows =
            "CREATE TEMP TABLE rows AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 400)
             SELECT n FROM r;";
        rusqlite::Connection::open(&path).unwrap().execute_batch(&format!("{rows}{sql}")).unwrap();
        Self::open(&format!("sqlite:{}", path.display())).await
    }

    async fn infer(&self) -> Result<InferredKeys, WarehouseError> {
        self.infer_within(KeyOptions::default(), CancellationToken::new()).await
    }

    async fn infer_within(
        &self,
        options: KeyOptions,
        cancel: CancellationToken,
    ) -> Result<InferredKeys, WarehouseError> {
        infer_keys(Arc::clone(&self.warehouse), &self.catalog, &self.profile, options, cancel).await
    }

    async fn ids(&self) -> Vec<String> {
        self.infer().await.unwrap().keys.iter().map(InferredKey::id).collect()
    }
}

fn filter_foreign_keys(ids: &[String]) -> Vec<&str> {
    ids.iter().filter(|id| id.contains("->")).map(String::as_str).collect()
}

fn write_shop(folder: &Path) {
    let write = |name: &str, head: &str, rows: &mut dyn Iterator<Item = String>| {
        let text: String = std::iter::once(head.to_owned()).chain(rows).map(|line| line + "\n").collect();
        std::fs::write(folder.join(name), text).unwrap();
    };
    write("customers.csv", "customer_id,name", &mut (1..=80).map(|n| format!("{n},Name {n}")));
    let orders = &mut (1..=300).map(|n| format!("{n},{},2024-01-{:02}", n * 7 % 75 + 1, n % 28 + 1));
    write("orders.csv", "id,customer_id,ordered", orders);
    let lines = &mut (0..900).map(|n| format!("{},{},{}", n / 3 + 1, n % 3 + 1, n * 31 % 97));
    write("lines.csv", "order_id,line_no,quantity", lines);
}

#[tokio::test]
async fn files_without_keys_get_their_joins() {
    let dir = tempfile::tempdir().unwrap();
    write_shop(dir.path());
    let read = Read::open(&format!("file:{}", dir.path().display())).await;
    let inferred = read.infer().await.unwrap();
    assert!(inferred.complete);
    let ids: Vec<String> = inferred.keys.iter().map(InferredKey::id).collect();
    let expected = [
        "customers(customer_id)",
        "lines(order_id, line_no)",
        "lines(order_id) -> orders(id)",
        "orders(id)",
        "orders(customer_id) -> customers(customer_id)",
    ];
    assert_eq!(ids, expected);
    assert_eq!(
        inferred.keys[4].reason,
        "all 75 values of orders.customer_id are in customers.customer_id, and the names agree"
    );
    assert!(inferred.keys.iter().all(|key| key.confidence > 0.7 && key.confidence <= 1.0));

    let effective = with_inferred(&read.catalog, &inferred.keys, &[]);
    assert_eq!(effective.fingerprint, read.catalog.fingerprint);
    let text = render_schema(&compress_catalog(&effective), Some(&read.profile), None, &RenderOptions::default());
    assert!(text.contains("customer_id BIGINT REFERENCES customers(customer_id)"), "{text}");
    assert!(text.contains("PRIMARY KEY (order_id, line_no)"), "{text}");

    let repeats = |catalog: &Catalog| {
        let query = "SELECT sum(o.id) FROM orders o JOIN customers c ON c.customer_id = o.customer_id";
        let (sql, mut found) = (ReadOnlySql::parse(query, catalog.dialect).unwrap(), None);
        each_select(&sql, catalog, |_, select, tables| {
            found = Some(Grain::from_select(select, tables).count_repeats(0))
        });
        found.unwrap()
    };
    assert_eq!(repeats(&read.catalog), Matches::Unknown);
    assert_eq!(repeats(&effective), Matches::One);

    let cache = crate::KeyCache::new(dir.path().join("kept"));
    assert_eq!(cache.load(&inferred.fingerprint), None);
    cache.store(&inferred).unwrap();
    assert_eq!(cache.load(&inferred.fingerprint), Some(inferred));
}

#[tokio::test]
async fn a_composite_key_is_found_and_referred_to() {
    let read = Read::sqlite(
        "CREATE TABLE shelves (room_code TEXT, shelf_no INTEGER, height REAL);
         INSERT INTO shelves SELECT 'R' || (n % 20), n / 20, n * 0.37 FROM rows;
         CREATE TABLE books (book_id INTEGER, room_code TEXT, shelf_no INTEGER, title TEXT);
         INSERT INTO books SELECT n, 'R' || (n * 3 % 20), n * 3 % 400 / 20, 'Title ' || n FROM rows WHERE n * 3 % 400 > 0;",
    )
    .await;
    let ids = read.ids().await;
    assert!(ids.contains(&"shelves(room_code, shelf_no)".to_owned()), "{ids:?}");
    assert_eq!(filter_foreign_keys(&ids), ["books(room_code, shelf_no) -> shelves(room_code, shelf_no)"]);
}

#[tokio::test]
async fn rows_may_refer_to_rows_of_their_own_table() {
    let read = Read::sqlite(
        "CREATE TABLE employees (employee_id INTEGER, name TEXT, manager_id INTEGER, mentor_employee_id INTEGER, badge_id INTEGER);
         INSERT INTO employees SELECT n, 'Name ' || n, NULLIF(n / 10, 0), n % 50 + 1, n * 977 % 10007 FROM rows;",
    )
    .await;
    let ids = read.ids().await;
    let expected =
        ["employees(manager_id) -> employees(employee_id)", "employees(mentor_employee_id) -> employees(employee_id)"];
    assert_eq!(filter_foreign_keys(&ids), expected);
    let reason = &read.infer().await.unwrap().keys[1].reason;
    let expected = "all 40 values of employees.manager_id are in employees.employee_id, and the name says that rows refer to each \
                    other";
    assert_eq!(reason, expected);
}

#[tokio::test]
async fn numbers_that_happen_to_be_there_refer_to_nothing() {
    let read = Read::sqlite(
        "CREATE TABLE planets (id INTEGER, name TEXT);
         INSERT INTO planets SELECT n, 'Planet ' || n FROM rows;
         CREATE TABLE recipes (id INTEGER, minutes INTEGER, rating INTEGER, status_code INTEGER, served_year INTEGER);
         INSERT INTO recipes SELECT n, n % 90 + 1, n % 5 + 1, n % 3 + 1, 1990 + n % 30 FROM rows;
         CREATE TABLE seasons (year INTEGER, champion TEXT);
         INSERT INTO seasons SELECT 1980 + n, 'Team ' || n FROM rows WHERE n < 45;
         CREATE TABLE wines (id INTEGER, vintage_year INTEGER, grade TEXT);
         INSERT INTO wines SELECT n, 1985 + n % 35, char(65 + n % 3) FROM rows;
         CREATE TABLE marks (grade TEXT, meaning TEXT);
         INSERT INTO marks VALUES ('A', 'best'), ('B', 'good'), ('C', 'fair'), ('D', 'poor');",
    )
    .await;
    let ids = read.ids().await;
    let by_name = ["wines(grade) -> marks(grade)"];
    assert!(filter_foreign_keys(&ids).iter().all(|id| by_name.contains(id)), "{ids:?}");
    for key in ["planets(id)", "recipes(id)", "wines(id)"] {
        assert!(ids.iter().any(|id| id == key), "{key} in {ids:?}");
    }
}

#[tokio::test]
async fn particular_values_refer_without_a_name() {
    let read = Read::sqlite(
        "CREATE TABLE airports (code TEXT, city TEXT);
         INSERT INTO airports SELECT char(65 + n % 26, 65 + n % 25, 65 + n / 26), 'City ' || n FROM rows;
         CREATE TABLE legs (leg_id INTEGER, departs TEXT, gate TEXT);
         INSERT INTO legs SELECT n, (SELECT code FROM airports WHERE rowid = n % 60 + 1), 'G' || n % 30 FROM rows;",
    )
    .await;
    let ids = read.ids().await;
    assert_eq!(filter_foreign_keys(&ids), ["legs(departs) -> airports(code)"]);
    let reason = read.infer().await.unwrap().keys.last().unwrap().reason.clone();
    assert_eq!(reason, "all 60 values of legs.departs are in airports.code, and in no other key");
}

#[tokio::test]
async fn names_that_agree_need_values_that_do() {
    let read = Read::sqlite(
        "CREATE TABLE customers (customer_id INTEGER, name TEXT);
         INSERT INTO customers SELECT n, 'Name ' || n FROM rows WHERE n <= 200;
         CREATE TABLE orders (order_id INTEGER, customer_id INTEGER);
         INSERT INTO orders SELECT n, n FROM rows;
         CREATE TABLE returns (return_id INTEGER, customer_id INTEGER);
         INSERT INTO returns SELECT n, CASE n WHEN 7 THEN 999 ELSE n % 150 + 1 END FROM rows;",
    )
    .await;
    let inferred = read.infer().await.unwrap();
    let found: Vec<&InferredKey> = inferred.keys.iter().filter(|key| key.references.is_some()).collect();
    assert_eq!(found.len(), 1, "half of the orders' customers are unknown: {found:?}");
    assert_eq!(
        found[0].reason, "150 of 151 values of returns.customer_id are in customers.customer_id, and the names agree",
        "a dangling reference is still one"
    );
}

#[tokio::test]
async fn what_is_declared_stays_and_nothing_doubtful_is_added() {
    let read = Read::sqlite(
        "CREATE TABLE car_makers (id INTEGER PRIMARY KEY, title TEXT);
         INSERT INTO car_makers SELECT n, 'Title ' || n FROM rows;
         CREATE TABLE old_makers (id INTEGER PRIMARY KEY, title TEXT);
         INSERT INTO old_makers SELECT n, 'Old ' || n FROM rows;
         CREATE TABLE cars (car_id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES old_makers(id), maker INTEGER);
         INSERT INTO cars SELECT n, n % 90 + 1, n % 80 + 1 FROM rows;",
    )
    .await;
    assert_eq!(read.ids().await, Vec::<String>::new(), "`maker` alone is too little beside declared keys");
}

#[tokio::test]
async fn look_alikes_share_keys_and_do_not_refer_to_each_other() {
    let table = |year: i32| {
        format!(
            "CREATE TABLE orders_{year} (order_id INTEGER, customer_id INTEGER);
             INSERT INTO orders_{year} SELECT n, n % 40 + 1 FROM rows;"
        )
    };
    let read = Read::sqlite(&format!(
        "CREATE TABLE customers (customer_id INTEGER, name TEXT);
         INSERT INTO customers SELECT n, 'Name ' || n FROM rows WHERE n <= 50; {}{}
         CREATE TABLE orders_2025 (order_id INTEGER, customer_id INTEGER);
         CREATE TABLE refunds (refund_id INTEGER, order_id INTEGER);
         INSERT INTO refunds SELECT n, n % 300 + 1 FROM rows;",
        table(2023),
        table(2024)
    ))
    .await;
    let ids = read.ids().await;
    let expected = [2023, 2024, 2025].map(|year| format!("orders_{year}(customer_id) -> customers(customer_id)"));
    assert_eq!(
        filter_foreign_keys(&ids),
        expected.each_ref().map(String::as_str),
        "an empty look-alike has the same keys"
    );
    assert!(ids.contains(&"orders_2025(order_id)".to_owned()), "{ids:?}");
}

#[tokio::test]
async fn a_person_has_the_last_word() {
    let dir = tempfile::tempdir().unwrap();
    write_shop(dir.path());
    let read = Read::open(&format!("file:{}", dir.path().display())).await;
    let keys = read.infer().await.unwrap().keys;
    let decided = |id: &str, decision| {
        let key = keys.iter().find(|key| key.id() == id).unwrap().clone();
        [DecidedKey { key, decision }]
    };
    let of = |catalog: &Catalog, table: &str| {
        let table = catalog.find_table(table).unwrap();
        (table.primary_key.len(), table.foreign_keys.len())
    };
    let reference = "orders(customer_id) -> customers(customer_id)";
    let struck = with_inferred(&read.catalog, &keys, &decided(reference, KeyDecision::Struck));
    assert_eq!((of(&struck, "orders"), of(&struck, "customers")), ((1, 0), (1, 0)));
    let struck = with_inferred(&read.catalog, &keys, &decided("customers(customer_id)", KeyDecision::Struck));
    assert_eq!((of(&struck, "orders"), of(&struck, "customers")), ((1, 0), (0, 0)), "what referred to it goes, too");
    let confirmed = with_inferred(&read.catalog, &[], &decided(reference, KeyDecision::Confirmed));
    assert_eq!((of(&confirmed, "orders"), of(&confirmed, "lines")), ((0, 1), (0, 0)));
    assert!(confirmed.find_table("customers").unwrap().is_unique("customer_id"), "what is referred to is unique");
    let mut changed = read.catalog.clone();
    changed.tables.retain(|table| table.name.name != "customers");
    let without = with_inferred(&changed, &keys, &decided(reference, KeyDecision::Confirmed));
    assert_eq!(of(&without, "orders"), (1, 0), "a key to a table that is gone is none");
}

#[tokio::test]
async fn empty_tables_and_views_have_no_keys() {
    let read = Read::sqlite(
        "CREATE TABLE customers (id INTEGER, name TEXT);
         CREATE TABLE orders (id INTEGER, customer_id INTEGER);
         CREATE TABLE blanks (x TEXT);
         INSERT INTO blanks VALUES (NULL);
         CREATE TABLE items (id INTEGER, name TEXT);
         INSERT INTO items SELECT n, 'Name ' || n FROM rows;
         CREATE VIEW all_items AS SELECT id, id AS item_id FROM items;",
    )
    .await;
    assert_eq!(read.ids().await, ["items(id)"]);
}

#[tokio::test]
async fn it_stops_when_told_to_and_when_its_time_is_over() {
    let read = Read::sqlite(
        "CREATE TABLE a (a_id INTEGER, word TEXT); INSERT INTO a SELECT n, 'w' || n FROM rows;
         CREATE TABLE b (b_id INTEGER, a_id INTEGER); INSERT INTO b SELECT n, n % 9 + 1 FROM rows;",
    )
    .await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let cancelled = read.infer_within(KeyOptions::default(), cancel).await;
    assert!(matches!(cancelled, Err(WarehouseError::Cancelled)));
    let late = KeyOptions { budget: Duration::ZERO, ..KeyOptions::default() };
    let late = read.infer_within(late, CancellationToken::new()).await.unwrap();
    assert_eq!((late.keys.len(), late.complete), (0, false));
}

#[tokio::test]
async fn large_tables_are_sampled() {
    let read = Read::sqlite(
        "CREATE TABLE customers (customer_id INTEGER, name TEXT);
         INSERT INTO customers SELECT n, 'Name ' || n FROM rows;
         CREATE TABLE orders (order_id INTEGER, customer_id INTEGER);
         INSERT INTO orders SELECT n, n % 390 + 1 FROM rows;",
    )
    .await;
    let options = KeyOptions { exact_rows: 100, sample_rows: 100, ..KeyOptions::default() };
    let keys = read.infer_within(options, CancellationToken::new()).await.unwrap().keys;
    let reference = keys.iter().find(|key| key.references.is_some()).unwrap();
    assert!(
        reference.reason.contains("of orders.customer_id in a sample are in customers.customer_id"),
        "{reference:?}"
    );
}
