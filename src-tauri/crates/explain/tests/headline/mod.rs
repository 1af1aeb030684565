//! Tests headlines of results.

use crate::Shop;
use vitrine_domain::{CellType, Headline, HeadlineShape, Page, ResultColumn};
use vitrine_warehouse::{Limits, read_page};

impl Shop {
    async fn headline(&self, sql: &str) -> Headline {
        self.read(sql, 1000).await
    }

    /// Returns the headline if only the first rows are read.
    async fn read(&self, sql: &str, rows: u64) -> Headline {
        let proven = vitrine_warehouse::prove_read_only(sql, &self.catalog).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        let limits = Limits { rows: Some(rows), ..Limits::default() };
        let batches = self.warehouse.run_query(&proven, limits, Default::default()).await.expect("rows");
        let page = read_page(batches, rows).await.expect("a page");
        vitrine_explain::build_headline(Some(&proven), &page, &self.catalog)
    }
}

/// Shape; index of the highest row and number of ties; index of the lowest row and number of ties.
type Seen = (HeadlineShape, Option<(u32, u32)>, Option<(u32, u32)>);

fn seen(headline: &Headline) -> Seen {
    let ends = [headline.highest, headline.lowest].map(|end| end.map(|end| (end.row, end.rows)));
    (headline.shape, ends[0], ends[1])
}

const BY_CUSTOMER: &str =
    "SELECT c.name, sum(p.amount) AS total FROM customer c JOIN purchase p ON p.customer_id = c.id GROUP BY c.id";

#[tokio::test]
async fn a_single_value_says_what_it_is_and_of_which_rows() {
    let shop = Shop::open().await;
    let told = shop.headline("SELECT count(DISTINCT customer_id) FROM purchase WHERE status = 'paid'").await;
    assert_eq!(seen(&told), (HeadlineShape::Value, None, None));
    assert_eq!(told.measure, Some(0));
    assert_eq!(told.meanings, [Some("number of different customer".to_owned())]);
    assert_eq!(told.conditions, ["status is “paid”"]);
    assert_eq!(told.tables, ["purchase"]);
}

#[tokio::test]
async fn a_count_of_rows_says_whose_rows_where_that_is_certain() {
    let mut shop = Shop::open().await;
    let customer = shop.catalog.tables.iter_mut().find(|table| table.name.name == "customer");
    customer.unwrap().comment = Some("customers".to_owned());
    for (sql, said) in [
        ("SELECT count(*) FROM customer", "number of customers"),
        ("SELECT count(*) FROM customer WHERE region = 'North'", "number of customers"),
        // A key is never NULL.
        ("SELECT count(id) FROM customer", "number of customers"),
        ("SELECT count(c.id) FROM customer c WHERE c.region = 'North'", "number of customers"),
        ("SELECT count(*) FROM (SELECT name FROM customer WHERE region = 'North') AS c", "number of customers"),
        // Plurals of table names are not invented.
        ("SELECT count(*) FROM purchase", "number of rows of purchase"),
        // These count pairs, values, the first rows, or rows of two tables.
        ("SELECT count(*) FROM customer c JOIN purchase p ON p.customer_id = c.id", "number of rows"),
        ("SELECT count(*) FROM customer c LEFT JOIN visit v ON v.customer_id = c.id", "number of rows"),
        ("SELECT count(*) FROM (SELECT DISTINCT region FROM customer) AS c", "number of rows"),
        ("SELECT count(*) FROM (SELECT * FROM customer LIMIT 2) AS c", "number of rows"),
        ("SELECT count(*) FROM (SELECT name FROM customer ORDER BY name LIMIT 2) AS c", "number of rows"),
        ("SELECT count(*) FROM (SELECT region FROM customer GROUP BY region) AS c", "number of rows"),
        ("SELECT count(*) FROM (SELECT id FROM customer UNION ALL SELECT id FROM visit) AS c", "number of rows"),
    ] {
        let told = shop.headline(sql).await;
        assert_eq!(told.meanings, [Some(said.to_owned())], "{sql}");
    }
    // The counted column may be NULL.
    for sql in [
        "SELECT count(region) FROM customer",
        "SELECT count(customer_id) FROM purchase",
        "SELECT count(v.id) FROM customer c LEFT JOIN visit v ON v.customer_id = c.id",
    ] {
        let told = shop.headline(sql).await.meanings[0].clone().unwrap_or_default();
        assert!(!told.ends_with("customers") && !told.ends_with("purchase"), "{sql}: {told}");
    }
    let each = shop.headline("SELECT region, count(*) FROM customer GROUP BY region HAVING count(*) > 1").await;
    assert_eq!(each.meanings[1].as_deref(), Some("number of customers"));
    let called = shop.headline("SELECT region, count(*) AS head_count FROM customer GROUP BY region").await;
    assert_eq!(called.meanings[1].as_deref(), Some("head count (number of customers)"));
}

#[tokio::test]
async fn a_ranking_has_a_highest_by_the_number_that_sorts_it() {
    let shop = Shop::open().await;
    let told = shop.headline(&format!("{BY_CUSTOMER} ORDER BY total DESC LIMIT 2")).await;
    // The lowest of two rows is not the lowest of all.
    assert_eq!(seen(&told), (HeadlineShape::Ranked, Some((0, 1)), None));
    assert_eq!((told.labels.as_slice(), told.measure), ([0].as_slice(), Some(1)));
    let told = shop.headline(&format!("{BY_CUSTOMER} ORDER BY sum(p.amount) LIMIT 2")).await;
    assert_eq!(seen(&told), (HeadlineShape::Ranked, None, Some((0, 2))), "two share the lowest");
}

#[tokio::test]
async fn rows_in_no_order_have_both_ends_where_all_are_there() {
    let shop = Shop::open().await;
    let told = shop.headline(BY_CUSTOMER).await;
    assert_eq!(seen(&told), (HeadlineShape::Ranked, Some((2, 1)), Some((0, 2))));
    let cut = shop.read(BY_CUSTOMER, 2).await;
    assert_eq!(seen(&cut), (HeadlineShape::Rows, None, None), "the rest was not read");
    let limited = shop.headline(&format!("{BY_CUSTOMER} LIMIT 2")).await;
    assert_eq!(seen(&limited), (HeadlineShape::Rows, None, None), "any two of them");
    assert!(limited.limited && !told.limited);
    let by_name = shop.headline(&format!("{BY_CUSTOMER} ORDER BY c.name LIMIT 2")).await;
    assert_eq!(seen(&by_name), (HeadlineShape::Rows, None, None), "sorted by another column");
    let read = shop.read(&format!("{BY_CUSTOMER} ORDER BY total DESC"), 1).await;
    assert_eq!(seen(&read), (HeadlineShape::Ranked, Some((0, 1)), None), "the first of a sorted result is the highest");
}

#[tokio::test]
async fn keys_years_and_several_numbers_are_not_the_number() {
    let shop = Shop::open().await;
    for sql in [
        "SELECT name, id FROM customer ORDER BY id DESC",
        "SELECT id, customer_id FROM purchase",
        "SELECT c.name, sum(p.amount) AS total, count(*) AS orders FROM customer c JOIN purchase p ON p.customer_id = c.id GROUP BY c.id",
        "SELECT DISTINCT CAST(substr(placed, 1, 4) AS INTEGER) AS placed_in FROM purchase GROUP BY placed_in, status",
        "SELECT label, price FROM product",
    ] {
        let told = shop.headline(sql).await;
        assert_eq!(seen(&told), (HeadlineShape::Rows, None, None), "{sql}");
    }
    let told = shop.headline("SELECT label, price FROM product ORDER BY price DESC").await;
    assert_eq!(seen(&told), (HeadlineShape::Ranked, Some((0, 1)), Some((1, 1))), "asked for by its order");
}

#[tokio::test]
async fn counts_and_sums_add_up_and_averages_do_not() {
    let shop = Shop::open().await;
    for (what, adds_up) in [
        ("sum(amount)", true),
        ("count(*)", true),
        ("avg(amount)", false),
        ("sum(amount) / 2", false),
        ("count(DISTINCT customer_id)", false),
    ] {
        let told = shop.headline(&format!("SELECT status, {what} AS it FROM purchase GROUP BY status")).await;
        assert_eq!((told.measure, told.adds_up), (Some(1), adds_up), "{what}");
    }
}

#[tokio::test]
async fn months_one_after_another_are_a_series() {
    let shop = Shop::open().await;
    let months = "SELECT substr(placed, 1, 7) AS month, sum(amount) AS total FROM purchase GROUP BY month";
    let told = shop.headline(&format!("{months} ORDER BY month")).await;
    assert_eq!(seen(&told), (HeadlineShape::Series, Some((3, 1)), Some((0, 1))));
    let by_total = shop.headline(&format!("{months} ORDER BY total DESC LIMIT 3")).await;
    assert_eq!(seen(&by_total), (HeadlineShape::Ranked, Some((0, 1)), None), "in the order of the number");
}

#[tokio::test]
async fn no_rows_and_no_value_are_told_apart() {
    let shop = Shop::open().await;
    assert_eq!(seen(&shop.headline("SELECT name FROM customer WHERE region = 'East'").await).0, HeadlineShape::Empty);
    let none = shop.headline("SELECT sum(amount) FROM purchase WHERE status = 'lost'").await;
    assert_eq!(seen(&none).0, HeadlineShape::Value);
}

#[tokio::test]
async fn rows_that_nothing_names_have_no_highest() {
    let shop = Shop::open().await;
    let sql = "SELECT c.region, p.amount * 2 AS twice FROM customer c JOIN purchase p ON p.customer_id = c.id";
    assert_eq!(seen(&shop.headline(sql).await), (HeadlineShape::Rows, None, None));
}

/// For a table without a query, only the values of its columns are known.
#[tokio::test]
async fn numbers_are_compared_as_they_are_written() {
    let shop = Shop::open().await;
    let told = |kind: CellType, values: &[Option<&str>]| {
        let rows: Vec<_> =
            values.iter().enumerate().map(|(at, v)| vec![Some(format!("row {at}")), v.map(str::to_owned)]).collect();
        let columns = vec![ResultColumn::new("name", CellType::Text), ResultColumn::new("value", kind)];
        let page = Page { columns, row_count: rows.len() as u64, rows, truncated: false };
        seen(&vitrine_explain::build_headline(None, &page, &shop.catalog))
    };
    let ranked = |highest, lowest| (HeadlineShape::Ranked, Some(highest), Some(lowest));
    let decimal = |values: &[Option<&str>]| told(CellType::Decimal, values);
    // Two numbers with the same floating-point value.
    assert_eq!(decimal(&[Some("9007199254740992.1"), Some("9007199254740992.2")]), ranked((1, 1), (0, 1)));
    assert_eq!(decimal(&[Some("-2.5"), None, Some("-10"), Some("0")]), ranked((3, 1), (2, 1)));
    assert_eq!(decimal(&[Some("1.50"), Some("1.5"), Some("-0.0"), Some("0")]), ranked((0, 2), (2, 2)));
    assert_eq!(told(CellType::Float, &[Some("1e3"), Some("12.5")]), ranked((0, 1), (1, 1)));
    assert_eq!(told(CellType::Float, &[Some("NaN"), Some("12.5")]).0, HeadlineShape::Rows);
    assert_eq!(decimal(&[None, None]).0, HeadlineShape::Rows);
    assert_eq!(told(CellType::Integer, &[Some("7"), Some("9")]).0, HeadlineShape::Rows, "it may be a key");
}
