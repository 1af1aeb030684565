use crate::fixtures::{catalog, concerts, shop};
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{Binding, ReadOnlySql, bind_names, repair_names};

fn bound(sql: &str, catalog: &Catalog) -> Binding {
    bind_names(&ReadOnlySql::parse(sql, catalog.dialect).unwrap_or_else(|e| panic!("{sql}\n{e}")), catalog)
}

fn columns(binding: &Binding) -> Vec<String> {
    binding.columns.iter().map(|(t, c)| format!("{t}.{c}")).collect()
}

fn problems(sql: &str, catalog: &Catalog) -> Vec<String> {
    bound(sql, catalog).problems.iter().map(ToString::to_string).collect()
}

#[test]
fn columns_are_followed_to_their_tables() {
    let c = concerts();
    for (sql, expected) in [
        ("SELECT name FROM singer", "singer.Name"),
        ("SELECT T1.NAME FROM singer AS T1 WHERE t1.age > 20", "singer.Name singer.Age"),
        ("SELECT count(*) FROM singer", ""),
        ("SELECT * FROM singer_in_concert", "singer_in_concert.concert_ID singer_in_concert.Singer_ID"),
        ("SELECT s.* FROM singer_in_concert s, singer", "singer_in_concert.concert_ID singer_in_concert.Singer_ID"),
        ("SELECT x FROM (SELECT name AS x, age FROM singer)", "singer.Name singer.Age"),
        ("WITH a(n) AS (SELECT name FROM singer), b AS (SELECT n FROM a) SELECT n FROM b", "singer.Name"),
        (
            "SELECT name FROM singer WHERE singer_id IN (SELECT singer_id FROM singer_in_concert)",
            "singer.Name singer.Singer_ID singer_in_concert.Singer_ID",
        ),
        (
            "SELECT name FROM singer s WHERE EXISTS (SELECT * FROM singer_in_concert c WHERE c.singer_id = s.singer_id)",
            "singer.Name singer_in_concert.Singer_ID singer.Singer_ID",
        ),
        (
            "SELECT theme FROM concert JOIN singer_in_concert USING (concert_id)",
            "concert.concert_ID singer_in_concert.concert_ID concert.Theme",
        ),
        (
            "SELECT theme FROM concert NATURAL JOIN singer_in_concert WHERE concert_id = 1",
            "concert.concert_ID singer_in_concert.concert_ID concert.Theme",
        ),
        (
            "SELECT country FROM singer UNION SELECT location FROM stadium ORDER BY country",
            "singer.Country stadium.Location",
        ),
        ("SELECT rowid, _rowid_, s.oid FROM singer s", ""),
        ("SELECT amount FROM \"sales 2019\"", "sales 2019.amount"),
        ("SELECT country, count(*) AS n FROM singer GROUP BY country HAVING n > 1 ORDER BY n", "singer.Country"),
        ("SELECT age * 2 AS twice FROM singer WHERE twice > 50", "singer.Age"),
        ("SELECT name FROM main.singer", "singer.Name"),
        ("SELECT (SELECT max(capacity) FROM stadium) FROM singer", "stadium.Capacity"),
    ] {
        let binding = bound(sql, &c);
        assert_eq!(binding.problems, [], "{sql}");
        assert_eq!(columns(&binding).join(" "), expected, "{sql}");
    }
}

#[test]
fn results_know_where_they_come_from() {
    let c = concerts();
    let binding = bound(
        "WITH per AS (SELECT s.country AS land, count(DISTINCT c.concert_id) AS n, s.name || s.song_name AS both FROM singer s JOIN singer_in_concert c ON c.singer_id = s.singer_id GROUP BY s.country)
         SELECT land, n + 1 AS m, both, 'x' AS fixed, * FROM per",
        &c,
    );
    assert_eq!(binding.problems, []);
    assert_eq!(binding.tables, ["singer", "singer_in_concert"]);
    let outputs: Vec<String> = binding
        .outputs
        .iter()
        .map(|o| {
            format!(
                "{} <- {}",
                o.name,
                o.sources.iter().map(|(t, c)| format!("{t}.{c}")).collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    insta::assert_snapshot!(outputs.join("\n"));
}

#[test]
fn valid_names_are_never_reported() {
    let c = shop();
    for sql in [
        "SELECT address.city, customers.address.zip, customers.address['zip'] FROM customers",
        "SELECT customers FROM customers",
        "SELECT tag FROM orders, unnest(tags) AS u(tag)",
        "SELECT unnest(tags) AS tag, count(*) FROM orders GROUP BY tag",
        "SELECT data->>'$.a' AS a, data->'$.b' FROM orders WHERE a = 'x'",
        "SELECT list_transform(tags, x -> x || id), list_filter(tags, lambda t: t <> '') FROM orders",
        "SELECT total * 2 AS double, double + 1 AS more FROM orders WHERE double > 3 ORDER BY more",
        "SELECT * EXCLUDE (total) REPLACE (id + 1 AS id) FROM orders",
        "SELECT i FROM range(10) t(i)",
        "SELECT range FROM range(10)",
        "SELECT generate_series FROM generate_series(1, 3)",
        "SELECT \"2019\", \"2020\" FROM (SELECT category, 2019 AS y, 1 AS v FROM products) PIVOT (sum(v) FOR y IN (2019, 2020))",
        "SELECT o.id, l.n FROM orders o, LATERAL (SELECT count(*) AS n FROM order_items i WHERE i.order_id = o.id) l",
        "SELECT o.id, n FROM orders o, (SELECT count(*) AS n FROM order_items i WHERE i.order_id = o.id)",
        "SELECT \"count_star()\", \"sum(total)\" FROM (SELECT count(*), sum(total) FROM orders)",
        "SELECT id FROM orders JOIN order_items ON id = order_id",
        "SELECT customer_id, sum(total) AS s FROM orders GROUP BY ALL QUALIFY rank() OVER (ORDER BY s DESC) = 1 ORDER BY ALL",
        "SELECT name.upper().lower() FROM customers",
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
        "SELECT table_name FROM information_schema.tables",
        "SELECT col0, col1 FROM (VALUES (1, 2))",
        "SELECT a FROM (VALUES (1, 2)) v(a, b)",
        "FROM orders SELECT id WHERE total > 1",
        "FROM orders",
        "SELECT COLUMNS('t.*') FROM orders",
        "SELECT x.id FROM (orders JOIN customers ON orders.customer_id = customers.id) JOIN products x ON x.id = orders.id",
        "SELECT sum(total) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY ordered_on)",
        "SELECT id FROM orders ORDER BY (SELECT name FROM customers c WHERE c.id = orders.customer_id)",
        "SELECT name FROM customers UNION BY NAME SELECT code, city FROM airports ORDER BY city",
        "SELECT {'a': id, 'b': total}.a, [id, id], MAP {'k': id} FROM orders",
        "SELECT rowid FROM orders",
        "SELECT interval + 1 FROM (SELECT id AS interval FROM orders WHERE ordered_on > DATE '2020-01-01' - INTERVAL 1 DAY) WHERE interval IN (1, 2)",
        "SELECT customers.id FROM main.customers",
        "SELECT shop.main.customers.id FROM shop.main.customers",
    ] {
        assert_eq!(problems(sql, &c), Vec::<String>::new(), "{sql}");
    }
    let c = concerts();
    for sql in [
        "SELECT name FROM sqlite_master",
        "SELECT value, t.key FROM singer, json_each(name) t",
        "WITH b AS (SELECT * FROM a), a AS (SELECT name FROM singer) SELECT name FROM b",
        "SELECT singer.name FROM singer JOIN concert ON singer.name = stadium.name JOIN stadium",
        "SELECT name AS n FROM singer UNION SELECT location FROM stadium ORDER BY n",
        "SELECT count(*), country FROM singer GROUP BY 2 ORDER BY 1",
        "SELECT T1.name FROM singer T1 WHERE T1.age = (SELECT max(T2.age) FROM singer T2 WHERE T2.country = T1.country)",
        "SELECT \"count(*)\" FROM (SELECT count(*) FROM singer)",
        "SELECT column1 FROM (VALUES (1))",
        "SELECT max(age), name FROM singer",
        "SELECT interval, date, time, top FROM (SELECT age AS interval, name AS date, 1 AS time, 2 AS top FROM singer) WHERE interval LIKE '3%'",
    ] {
        assert_eq!(problems(sql, &c), Vec::<String>::new(), "{sql}");
    }
}

#[test]
fn wrong_names_are_reported_with_what_was_meant() {
    let c = concerts();
    let shop = shop();
    let mut said = Vec::new();
    for sql in [
        "SELECT nam FROM singer",
        "SELECT T1.capacity FROM singer AS T1 JOIN stadium AS T2",
        "SELECT T1.Theme FROM singer AS T1",
        "SELECT stadium.name FROM concert",
        "SELECT name FROM singers",
        "SELECT name FROM nothing_like_it",
        "SELECT name FROM singer JOIN stadium",
        "SELECT * FROM singer WHERE country = \"France\"",
        "SELECT singer.* FROM concert",
        "WITH a AS (SELECT name FROM singer) SELECT age FROM a",
        "WITH a AS (SELECT name FROM singer) SELECT a.nme FROM a",
        "SELECT name FROM singer UNION SELECT location FROM stadium ORDER BY capacity",
        "SELECT name FROM (SELECT country FROM singer)",
        "SELECT theme FROM concert JOIN singer USING (singer_id)",
        "SELECT s.name FROM singer WHERE s.age > 3",
        "SELECT twice FROM (SELECT age * 2 AS twice, twice + 1 AS more FROM singer)",
        "SELECT x FROM singer, (SELECT singer.name AS x)",
        "SELECT name FROM singer WHERE age = (SELECT capacity FROM stadium ORDER BY song_name)",
        "SELECT * FROM singer AS T1 JOIN T1.concert",
        "SELECT T1.stadium_id FROM stadium AS T1 JOIN concert AS T1",
    ] {
        said.push(format!("{sql}\n  {}", problems(sql, &c).join("\n  ")));
    }
    for sql in [
        "SELECT city FROM customers",
        "SELECT o.customer_name FROM orders o JOIN customers c ON o.customer_id = c.id",
        "SELECT date_diff(day, ordered_on, ordered_on) FROM orders",
        "SELECT totals FROM orders",
        "SELECT name.first FROM customers",
    ] {
        said.push(format!("{sql}\n  {}", problems(sql, &shop).join("\n  ")));
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn other_dialects_resolve_too() {
    let tables = vitrine_ddl::parse(
        "CREATE TABLE `p.d.events` (ts TIMESTAMP, user STRUCT<id INT64, name STRING>, items ARRAY<STRUCT<sku STRING, n INT64>>)",
        Dialect::Bigquery,
    )
    .expect("ddl");
    let c = Catalog {
        database: "p".into(),
        dialect: Dialect::Bigquery,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables,
    };
    for sql in [
        "SELECT user.id, i.sku FROM `p.d.events`, UNNEST(items) AS i WHERE DATE_TRUNC(DATE(ts), month) = '2020-01-01'",
        "SELECT e.user.name FROM `p.d.events` AS e, e.items",
        "SELECT TIMESTAMP_DIFF(ts, ts, HOUR) FROM p.d.events",
        "SELECT f0_ FROM (SELECT count(*) FROM d.events)",
    ] {
        assert_eq!(problems(sql, &c), Vec::<String>::new(), "{sql}");
    }
    assert_eq!(problems("SELECT usr FROM `p.d.events`", &c).len(), 1);
}

#[test]
fn capitals_count_in_postgresql_where_a_name_has_them() {
    let c = catalog(
        Dialect::Postgres,
        "CREATE TABLE \"Album\" (\"AlbumId\" int, \"Title\" text); CREATE TABLE track (id int, album_id int);",
    );
    for sql in [
        "SELECT \"Title\" FROM \"Album\" ORDER BY \"Title\"",
        "SELECT T.ID FROM Track AS T WHERE t.Album_Id > 2",
        "SELECT \"Title\" AS title FROM \"Album\" ORDER BY title",
        "SELECT x.title FROM (SELECT \"Title\" AS title FROM \"Album\") AS x, \"Album\" AS a",
        "WITH Named AS (SELECT \"Title\" AS Best FROM \"Album\") SELECT Best FROM Named",
    ] {
        assert_eq!(problems(sql, &c), Vec::<String>::new(), "{sql}");
    }
    let said = problems("SELECT Title FROM Album", &c);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("Did you mean \"Album\"?"), "{said:?}");
    for (sql, expected) in [
        ("SELECT A.Title FROM Album AS A", "SELECT a.\"Title\" FROM \"Album\" AS a"),
        (
            "SELECT T1.album_idd FROM track AS T1 JOIN track AS T2 ON T1.id = T2.id",
            "SELECT t1.album_id FROM track AS t1 JOIN track AS t2 ON t1.id = t2.id",
        ),
        ("SELECT album.title FROM album", "SELECT album.\"Title\" FROM \"Album\" AS album"),
    ] {
        let sql = ReadOnlySql::parse(sql, Dialect::Postgres).unwrap();
        let repaired = repair_names(&sql, &c).expect("it can be repaired").sql;
        assert_eq!(repaired.as_str().split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }
}

#[test]
fn postgresql_finds_tables_by_their_schemas_and_without_those_on_its_path() {
    let mut c = catalog(Dialect::Postgres, "CREATE TABLE orders (id int); CREATE TABLE hr.staff (id int, name text);");
    c.search_path = vec!["sales".into(), "public".into()];
    for sql in [
        "SELECT o.id FROM sales.orders AS o",
        "SELECT sales.orders.id FROM sales.orders",
        "SELECT id FROM Public.Orders",
        "SELECT staff.name FROM hr.staff",
        "SELECT HR.Staff.Name FROM hr.staff",
    ] {
        assert_eq!(problems(sql, &c), Vec::<String>::new(), "{sql}");
    }
    assert!(!problems("SELECT id FROM finance.orders", &c).is_empty());
    let sql = ReadOnlySql::parse("SELECT staff.name FROM staff", Dialect::Postgres).unwrap();
    let repaired = repair_names(&sql, &c).expect("it can be repaired");
    let text = repaired.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text, "SELECT staff.name FROM hr.staff AS staff");
}
