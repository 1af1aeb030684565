//! Tests descriptions and checks of queries over a small shop.

use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, ColumnProfile, Explanation, Profile, TableName, TableProfile};
use vitrine_explain::{Bounds, Explainer, Known};
use vitrine_sql::AllowedFunctions;
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, read_page};

mod faults;
mod headline;

struct Shop {
    _folder: tempfile::TempDir,
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
}

impl Shop {
    /// Opens the same data in DuckDB.
    async fn in_duckdb() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("shop.duckdb");
        let connection = duckdb::Connection::open(&path).expect("a database");
        connection.execute_batch(include_str!("shop.sql")).expect("rows");
        drop(connection);
        let uri = WarehouseUri::parse(&format!("duckdb:{}", path.display())).expect("an address");
        let warehouse = vitrine_warehouse::open_warehouse(&uri).await.expect("open");
        let catalog = warehouse.load_catalog().await.expect("catalog");
        Self { _folder: folder, warehouse, catalog }
    }

    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("shop.sqlite");
        let connection = rusqlite::Connection::open(&path).expect("a database");
        connection.execute_batch(include_str!("shop.sql")).expect("rows");
        let uri = WarehouseUri::parse(&format!("sqlite:{}", path.display())).expect("an address");
        let warehouse = vitrine_warehouse::open_warehouse(&uri).await.expect("open");
        let catalog = warehouse.load_catalog().await.expect("catalog");
        Self { _folder: folder, warehouse, catalog }
    }

    async fn explain(&self, sql: &str) -> Explanation {
        self.explain_with(sql, Known::default()).await
    }

    async fn explain_with(&self, sql: &str, known: Known<'_>) -> Explanation {
        self.explain_by(sql, known, &Profile::default()).await
    }

    async fn explain_by(&self, sql: &str, known: Known<'_>, profile: &Profile) -> Explanation {
        let proven = vitrine_warehouse::prove_read_only(sql, &self.catalog).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        let explainer = Explainer {
            warehouse: self.warehouse.as_ref(),
            catalog: &self.catalog,
            profile,
            allowed: &AllowedFunctions::default(),
            bounds: Bounds::default(),
        };
        explainer.explain(&proven, known, &CancellationToken::new()).await
    }
}

/// Formats the visible parts of an explanation.
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
        "SELECT COUNT(CASE WHEN status = 'paid' THEN 1 END) AS paid, SUM(CASE WHEN status = 'paid' THEN amount ELSE 0 END) AS got,
         100.0 * SUM(CASE WHEN customer_id IS NULL THEN 1 ELSE 0 END) / COUNT(*) AS share FROM purchase",
        "SELECT c.name, RANK() OVER (PARTITION BY c.region ORDER BY SUM(o.amount) DESC) AS place, SUM(o.amount) AS total
         FROM customer c JOIN purchase o ON o.customer_id = c.id GROUP BY c.id, c.name, c.region ORDER BY total DESC",
        "SELECT label FROM product WHERE price > (SELECT AVG(price) FROM product) ORDER BY price DESC",
        "SELECT name FROM customer c WHERE NOT EXISTS (SELECT 1 FROM visit WHERE visit.customer_id = c.id AND page = 'tea')",
        "WITH spent AS (SELECT customer_id, SUM(amount) AS total FROM purchase GROUP BY customer_id)
         SELECT c.region, AVG(s.total) AS average FROM customer c LEFT JOIN spent s ON s.customer_id = c.id GROUP BY c.region",
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
        ("empty-keys", "SELECT COUNT(*) FROM purchase o JOIN customer c ON c.id = o.customer_id"),
        (
            "empty-keys",
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
async fn where_nothing_is_left_by_days_alone_it_is_told_from_when_to_when_there_is_data() {
    let shop = Shop::open().await;
    let placed = ColumnProfile {
        name: "placed".to_owned(),
        min: Some("2023-11-02".to_owned()),
        max: Some("2024-03-10".to_owned()),
        ..ColumnProfile::default()
    };
    let purchase = TableProfile {
        table: TableName::from_unqualified("purchase"),
        row_count: Some(5),
        profiled_rows: 5,
        columns: vec![placed],
    };
    let profile = Profile { tables: vec![purchase], ..Profile::default() };
    let told = async |condition: &str| {
        let sql = format!("SELECT COUNT(*) FROM purchase WHERE {condition}");
        let explanation = shop.explain_by(&sql, Known::default(), &profile).await;
        let days = explanation.checks.into_iter().find(|check| check.code == "beyond-data");
        days.map(|check| check.text)
    };
    let data = Some("Placed of purchase has data only from 2023-11-02 to 2024-03-10".to_owned());
    assert_eq!(told("placed >= date('now', '-1 month')").await, data);
    assert_eq!(told("status = 'paid' AND placed >= '2031-01-01' AND placed < '2031-02-01'").await, data);
    assert_eq!(told("status = 'Paid' AND placed >= '2024-01-01'").await, None, "the days are not what finds nothing");
    assert_eq!(told("placed >= '2024-01-01'").await, None);
}

#[tokio::test]
async fn right_queries_are_not_accused() {
    let shop = Shop::open().await;
    for sql in [
        "SELECT COUNT(*) FROM customer",
        // Each sale counts with the price of its product.
        "SELECT SUM(p.price) FROM line l JOIN product p ON p.id = l.product_id",
        "SELECT c.name, COUNT(v.id) FROM customer c LEFT JOIN visit v ON v.customer_id = c.id GROUP BY c.id",
        // Customers without visits are not requested.
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

#[tokio::test]
async fn a_step_says_what_one_row_is_and_what_its_columns_are_made_of() {
    let shop = Shop::open().await;
    let mut all = String::new();
    for sql in [
        "SELECT c.name, SUM(o.amount) AS total FROM customer c JOIN purchase o ON o.customer_id = c.id
         WHERE o.status = 'paid' GROUP BY c.id, c.name HAVING COUNT(*) > 1 ORDER BY total DESC",
        "SELECT c.name, o.amount, v.id FROM customer c JOIN purchase o ON o.customer_id = c.id JOIN visit v ON v.customer_id = c.id",
        "SELECT DISTINCT region FROM customer",
        "SELECT COUNT(*) FROM line l JOIN product p ON p.id = l.product_id",
        "SELECT name, ROW_NUMBER() OVER (PARTITION BY region ORDER BY name) AS place FROM customer",
    ] {
        let explanation = shop.explain(sql).await;
        all.push_str(&format!("{}\n", sql.split_whitespace().collect::<Vec<_>>().join(" ")));
        for step in &explanation.steps {
            let grain = step.grain.as_deref().unwrap_or("?");
            all.push_str(&format!("  {}: {grain}; {} rows shown\n", step.name, step.sample.len()));
            for column in &step.columns {
                let from: Vec<String> =
                    column.from.iter().map(|from| format!("{}.{}", from.source, from.column)).collect();
                all.push_str(&format!("    {} <- {}\n", column.name, from.join(", ")));
            }
        }
    }
    insta::assert_snapshot!(all);
}

#[tokio::test]
async fn a_question_is_put_beside_its_query() {
    let shop = Shop::open().await;
    let sql = "SELECT COUNT(*) FROM customer c JOIN purchase o ON o.customer_id = c.id
               WHERE c.region = 'North' AND o.status = 'paid' AND o.placed >= '2024-01-01'";
    let asked = |question: &'static str| Known { question: Some(question), ..Known::default() };
    let beside = |explanation: Explanation| explanation.question.expect("a question was asked");

    let all = beside(shop.explain_with(sql, asked("How many paid purchases since 2024 in the North?")).await);
    assert_eq!(
        all.parts.iter().map(|part| part.text.as_str()).collect::<String>(),
        "How many paid purchases since 2024 in the North?"
    );
    let answered: Vec<_> =
        all.parts.iter().filter_map(|part| Some((part.text.as_str(), part.answered_by.as_deref()?))).collect();
    assert_eq!(answered, [("paid", "paid"), ("purchases", "purchase"), ("2024", "2024-01-01"), ("North", "North")]);
    assert_eq!((all.unanswered, all.unsaid), (vec![], vec![]));

    // A number, a quote and a column that the query does not use; two conditions that the question does not mention.
    let open = beside(
        shop.explain_with(sql, asked("Purchases of 2023 with the amount above 500 from \"Acme\" in the North")).await,
    );
    assert_eq!(
        open.unanswered,
        [
            "The number 2023 is not in the query",
            "The number 500 is not in the query",
            "“Acme” is not in the query",
            "The query does not use purchase.amount",
        ]
    );
    assert_eq!(open.unsaid, ["status of purchase is “paid”", "placed of purchase is from 2024-01-01 on"]);

    // "In 2024" mentions both ends of the year.
    let year = "SELECT COUNT(*) FROM purchase WHERE placed >= '2024-01-01' AND placed < '2025-01-01'";
    assert_eq!(beside(shop.explain_with(year, asked("Purchases in 2024")).await).unsaid, Vec::<String>::new());
    assert_eq!(beside(shop.explain_with(year, asked("Purchases of last year")).await).unsaid.len(), 2);

    // A word in lower case is not a name; a capitalized one is, in any stored spelling.
    let found = |literal: &str, value: &str| vitrine_domain::ValueMatch {
        literal: literal.into(),
        table: "visit".into(),
        column: "page".into(),
        value: value.into(),
        edit: 1.0,
        semantic: None,
    };
    let values = [found("and", "AND"), found("Acme", "ACME")];
    let question = Some("Paid purchases of Acme and others in the North since 2024");
    let open = beside(shop.explain_with(sql, Known { question, values: &values, ..Known::default() }).await);
    assert_eq!(open.unanswered, ["“ACME” is a value of visit.page, which the query does not look for"]);
    // A question without capital letters also writes names in lower case.
    let values = [found("acme", "ACME")];
    let question = Some("paid purchases of acme and others in the north since 2024");
    let open = beside(shop.explain_with(sql, Known { question, values: &values, ..Known::default() }).await);
    assert_eq!(open.unanswered, ["“ACME” is a value of visit.page, which the query does not look for"]);

    // Punctuation within the quotation marks.
    let comma = asked("Since 2024, which \"paid,\" purchases of \"North,\" and which of \"Acme,\" are there?");
    assert_eq!(beside(shop.explain_with(sql, comma).await).unanswered, ["“Acme,” is not in the query"]);

    // A number that the knowledge expresses by another one, and one that it does not.
    let question = Some("Purchases above 10000 and 300");
    let sized = "SELECT COUNT(*) FROM purchase WHERE amount > 0.1";
    let knowledge = Some("purchases above 10000 have amount > 0.1; above 300 they are large");
    let open = beside(shop.explain_with(sized, Known { question, knowledge, ..Known::default() }).await);
    assert_eq!(open.unanswered, ["The number 300 is not in the query"]);
    let open = beside(shop.explain_with(sized, Known { question, ..Known::default() }).await);
    assert_eq!(open.unanswered.len(), 2);

    // A condition that only excludes missing values from a division or order needs no word; without these it does.
    let rate = "SELECT label FROM product WHERE price IS NOT NULL AND price <> 0 ORDER BY id * 1.0 / NULLIF(price, 0) DESC LIMIT 1";
    assert_eq!(
        beside(shop.explain_with(rate, asked("Which product has the best rate?")).await).unsaid,
        Vec::<String>::new()
    );
    let least = "SELECT label FROM product WHERE price IS NOT NULL ORDER BY price LIMIT 1";
    assert_eq!(beside(shop.explain_with(least, asked("Was kostet am wenigsten?")).await).unsaid, Vec::<String>::new());
    let listed = "SELECT label FROM product WHERE price IS NOT NULL ORDER BY price";
    let unsaid = beside(shop.explain_with(listed, asked("List all by cost")).await).unsaid;
    assert_eq!(unsaid.len(), 1, "a whole list loses rows by it: {unsaid:?}");
    let kept = "SELECT label FROM product WHERE price IS NOT NULL AND price <> 0";
    assert_eq!(beside(shop.explain_with(kept, asked("Which products are there?")).await).unsaid.len(), 2);

    // Numbers in words, the first place of a ranking, and computed columns by their names.
    let ranked =
        "SELECT label FROM (SELECT label, ROW_NUMBER() OVER (ORDER BY price DESC) AS n FROM product) AS r WHERE n <= ";
    for (most, question, open) in [
        ("2", "The two dearest products", 0),
        ("2", "Die zwei teuersten Produkte", 0),
        ("3", "Los tres productos más caros", 0),
        ("1", "Which product is the dearest?", 0),
        ("3", "The two dearest products", 1),
    ] {
        let unsaid = beside(shop.explain_with(&format!("{ranked}{most}"), asked(question)).await).unsaid;
        assert_eq!(unsaid.len(), open, "{question}: {unsaid:?}");
    }
    let compared = "SELECT id FROM (SELECT id, MIN(price) AS old_price, MAX(price) AS new_price FROM product GROUP BY id) AS p \
        WHERE new_price > old_price";
    let named = beside(shop.explain_with(compared, asked("Where is the new price above the old one?")).await).unsaid;
    assert_eq!(named, Vec::<String>::new());
    assert_eq!(beside(shop.explain_with(compared, asked("Which are there?")).await).unsaid.len(), 1);

    // A name that the question excludes is not missed.
    let sum = "SELECT SUM(quantity) FROM line";
    for (question, open) in
        [("Quantity sold without price", 0), ("Menge ohne den price", 0), ("Quantity sold and price", 1)]
    {
        let told = beside(shop.explain_with(sum, asked(question)).await).unanswered;
        assert_eq!(told.len(), open, "{question}: {told:?}");
    }

    // A comparison with a subquery is covered by the subquery's own conditions.
    let without = "SELECT label FROM product WHERE id NOT IN (SELECT product_id FROM line WHERE quantity = 3)";
    let unsaid = beside(shop.explain_with(without, asked("Was wird nie dreimal gekauft?")).await).unsaid;
    assert_eq!(unsaid.len(), 1, "{unsaid:?}");
    assert!(unsaid[0].contains("quantity"), "{unsaid:?}");

    let depends = "SELECT label FROM product p WHERE (SELECT COUNT(*) FROM line l WHERE l.product_id = p.id AND l.quantity = 7) > 0";
    let unsaid = beside(shop.explain_with(depends, asked("Was gibt es?")).await).unsaid;
    assert!(unsaid.iter().any(|text| text.contains("quantity")), "{unsaid:?}");
    let twice = "SELECT label FROM product WHERE price >= 2 * (SELECT price FROM product WHERE label = 'tea')";
    assert_eq!(
        beside(shop.explain_with(twice, asked("Which cost at least double of tea?")).await).unsaid,
        Vec::<String>::new()
    );
    let fivefold = twice.replace("2 *", "5 *");
    let unsaid = beside(shop.explain_with(&fivefold, asked("Which cost at least as much as tea?")).await).unsaid;
    assert_eq!(unsaid.len(), 1, "nobody speaks of five: {unsaid:?}");
    let unsaid = beside(shop.explain_with(twice, asked("Which cost at least double?")).await).unsaid;
    assert_eq!(unsaid.len(), 1, "{unsaid:?}");
    assert!(unsaid[0].contains("tea"), "{unsaid:?}");

    // Without spaces between words, and in another language.
    let other = beside(shop.explain_with(sql, asked("2024年以来North地区paid的订单")).await);
    assert_eq!(other.unsaid, Vec::<String>::new());
    assert_eq!(
        beside(shop.explain_with(sql, asked("Wie viele bezahlte Käufe seit 2024 im North?")).await).unanswered,
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn more_rows_than_are_compared_are_said_to_be_too_many() {
    let shop = Shop::open().await;
    let proven = vitrine_warehouse::prove_read_only("SELECT name FROM customer", &shop.catalog).expect("a query");
    let explainer = Explainer {
        warehouse: shop.warehouse.as_ref(),
        catalog: &shop.catalog,
        profile: &Profile::default(),
        allowed: &AllowedFunctions::default(),
        bounds: Bounds { rows: 2, ..Bounds::default() },
    };
    let explanation = explainer.explain(&proven, Known::default(), &CancellationToken::new()).await;
    assert_eq!(explanation.unproven.as_deref(), Some("The result has more than 2 rows: too many to compare"));
    assert!(!explanation.steps.is_empty());

    // After cancellation, the parts that need no database are available.
    let stopped = CancellationToken::new();
    stopped.cancel();
    let explanation = explainer.explain(&proven, Known::default(), &stopped).await;
    assert!(!explanation.proven && explanation.steps.iter().all(|step| step.rows.is_none()));
    assert_eq!(explanation.understood, ["Shows name", "From the rows of customer"]);
}

/// Lists the rows behind each result row, or behind one of its cells, with a line per table or step.
async fn behind(shop: &Shop, sql: &str, column: Option<usize>) -> String {
    let explainer = Explainer {
        warehouse: shop.warehouse.as_ref(),
        catalog: &shop.catalog,
        profile: &Profile::default(),
        allowed: &AllowedFunctions::default(),
        bounds: Bounds::default(),
    };
    let cancel = CancellationToken::new();
    let page = async |sql: &str| {
        let proven = vitrine_warehouse::prove_read_only(sql, &shop.catalog).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        let batches = shop
            .warehouse
            .run_query(&proven, Limits::default(), cancel.clone())
            .await
            .unwrap_or_else(|e| panic!("{sql}\n{e}"));
        read_page(batches, 1_000).await.expect("rows")
    };
    let proven = vitrine_warehouse::prove_read_only(sql, &shop.catalog).expect("a query");
    let mut told = format!("{}\n", sql.split_whitespace().collect::<Vec<_>>().join(" "));
    for row in page(sql).await.rows {
        let said = |cells: &[Option<String>]| {
            cells.iter().map(|c| c.as_deref().unwrap_or("NULL")).collect::<Vec<_>>().join(" ")
        };
        told.push_str(&format!("  {}\n", said(&row)));
        let found =
            explainer.rows_behind(&proven, &row, column, &cancel).await.unwrap_or_else(|e| panic!("{sql}\n{e:?}"));
        for source in found {
            let rows = page(&source.sql).await.rows;
            assert_eq!(Some(rows.len() as u64), source.rows, "{}", source.sql);
            let mut rows: Vec<String> = rows.iter().map(|row| said(row)).collect();
            rows.sort();
            let mark = if source.is_table { "table " } else { "" };
            told.push_str(&format!("    {mark}{}: {}\n", source.source, rows.join(" | ")));
        }
    }
    told
}

#[tokio::test]
async fn a_number_leads_to_the_rows_it_was_made_of() {
    let shop = Shop::open().await;
    let mut all = String::new();
    for (sql, column) in [
        ("SELECT region, COUNT(*) AS customers FROM customer GROUP BY region ORDER BY region", None),
        // Two groups with the same name are separate rows, which the name alone does not identify.
        ("SELECT c.region, SUM(o.amount) AS total FROM customer c LEFT JOIN purchase o ON o.customer_id = c.id GROUP BY c.id ORDER BY 1", None),
        ("SELECT MAX(amount), MIN(placed) FROM purchase WHERE status = 'paid'", Some(0)),
        ("SELECT SUM(CASE WHEN status = 'paid' THEN amount ELSE 0 END) AS paid, COUNT(customer_id) FROM purchase", Some(0)),
        ("SELECT SUM(CASE WHEN status = 'paid' THEN amount ELSE 0 END) AS paid, COUNT(customer_id) FROM purchase", Some(1)),
        ("SELECT c.name, p.label FROM customer c JOIN purchase o ON o.customer_id = c.id JOIN line l ON l.purchase_id = o.id
          JOIN product p ON p.id = l.product_id WHERE c.region = 'North' ORDER BY p.label LIMIT 2", None),
        ("SELECT DISTINCT page FROM visit WHERE customer_id < 3", None),
        ("SELECT name FROM customer WHERE region = 'North' UNION SELECT label FROM product ORDER BY 1", None),
        ("SELECT name FROM customer EXCEPT SELECT 'Ada'", None),
        ("SELECT name, ROW_NUMBER() OVER (ORDER BY name) AS place FROM customer WHERE id IN (SELECT customer_id FROM purchase)", None),
        ("WITH big AS (SELECT customer_id, SUM(amount) AS total FROM purchase GROUP BY customer_id)
          SELECT c.name, b.total FROM customer c JOIN big b ON b.customer_id = c.id WHERE b.total > 25 ORDER BY c.name", Some(1)),
        ("SELECT a.name, b.name FROM customer a JOIN customer b ON b.region = a.region AND b.id > a.id", None),
    ] {
        all.push_str(&behind(&shop, sql, column).await);
    }
    insta::assert_snapshot!(all);
}

#[tokio::test]
async fn a_table_whose_rows_alone_are_counted_is_read_all_the_same() {
    let shop = Shop::open().await;
    let explanation = shop.explain("SELECT COUNT(*) FROM customer").await;
    let read: Vec<_> = explanation.selection.iter().map(|table| (table.table.as_str(), table.rows)).collect();
    assert_eq!(read, [("customer", Some(4))]);
}

#[tokio::test]
async fn the_rows_behind_are_the_same_in_another_engine() {
    let (shop, duck) = (Shop::open().await, Shop::in_duckdb().await);
    for (sql, column) in [
        (
            "SELECT c.region, SUM(o.amount) AS total FROM customer c LEFT JOIN purchase o ON o.customer_id = c.id GROUP BY c.id, c.region ORDER BY c.id",
            None,
        ),
        (
            "SELECT status, MAX(amount) AS most, COUNT(customer_id) AS known FROM purchase GROUP BY status ORDER BY status",
            Some(1),
        ),
        (
            "WITH big AS (SELECT customer_id, SUM(amount) AS total FROM purchase GROUP BY customer_id)
          SELECT c.name, b.total FROM customer c JOIN big b ON b.customer_id = c.id WHERE b.total > 25 ORDER BY c.name",
            Some(1),
        ),
        ("SELECT DISTINCT page FROM visit WHERE customer_id < 3 ORDER BY page", None),
        ("SELECT name FROM customer WHERE region = 'North' UNION SELECT label FROM product ORDER BY 1", None),
        ("SELECT name, RANK() OVER (ORDER BY name) AS place FROM customer ORDER BY 2", None),
    ] {
        assert_eq!(behind(&shop, sql, column).await, behind(&duck, sql, column).await);
    }
}
