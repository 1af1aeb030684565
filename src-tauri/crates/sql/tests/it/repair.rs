use crate::fixtures::{catalog, concerts, shop};
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{ReadOnlySql, bind_names, repair_names};

fn squeeze(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

fn repaired(sql: &str, catalog: &Catalog) -> Option<(String, Vec<String>)> {
    let parsed = ReadOnlySql::parse(sql, catalog.dialect).unwrap_or_else(|e| panic!("{sql}\n{e}"));
    let repaired = repair_names(&parsed, catalog)?;
    assert_eq!(bind_names(&repaired.sql, catalog).problems, [], "{sql}");
    Some((squeeze(repaired.sql.as_str()), repaired.notes))
}

#[test]
fn the_usual_slips_are_repaired() {
    let c = concerts();
    for (sql, expected) in [
        // the wrong alias
        (
            "SELECT T1.capacity FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id",
            "SELECT T2.Capacity FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id",
        ),
        (
            "SELECT T2.theme, T1.name FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id",
            "SELECT T1.Theme, T2.Name FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id",
        ),
        // the table's name instead of its alias
        ("SELECT singer.name FROM singer AS T1", "SELECT T1.name FROM singer AS T1"),
        // a table that is not joined
        (
            "SELECT stadium.name FROM concert WHERE concert.year = 2014",
            "SELECT stadium.name FROM concert JOIN stadium ON concert.Stadium_ID = stadium.Stadium_ID WHERE concert.year = 2014",
        ),
        (
            "SELECT T1.theme, stadium.name, stadium.capacity FROM concert AS T1",
            "SELECT T1.theme, stadium.name, stadium.capacity FROM concert AS T1 JOIN stadium ON T1.Stadium_ID = stadium.Stadium_ID",
        ),
        // through one table between
        (
            "SELECT concert.theme FROM singer WHERE singer.age > 30",
            "SELECT concert.theme FROM singer JOIN singer_in_concert ON singer.Singer_ID = singer_in_concert.Singer_ID JOIN concert ON singer_in_concert.concert_ID = concert.concert_ID WHERE singer.age > 30",
        ),
        // an unqualified column of the only table that a key points to; names that become ambiguous keep their meaning
        (
            "SELECT theme, stadium_id, capacity FROM concert",
            "SELECT theme, concert.stadium_id, capacity FROM concert JOIN stadium ON concert.Stadium_ID = stadium.Stadium_ID",
        ),
        // case and underscores, the table's name as a prefix or left out
        ("SELECT songname, singer_name FROM singer", "SELECT Song_Name, Name FROM singer"),
        ("SELECT T1.id FROM singer AS T1", "SELECT T1.Singer_ID FROM singer AS T1"),
        // misspellings
        ("SELECT capcity FROM stadium", "SELECT Capacity FROM stadium"),
        ("SELECT T1.contry FROM singer T1", "SELECT T1.Country FROM singer T1"),
        // names of tables
        ("SELECT name FROM singers", "SELECT name FROM singer AS singers"),
        ("SELECT singers.name FROM singers", "SELECT singers.name FROM singer AS singers"),
        ("SELECT s.name FROM Stadiums AS s", "SELECT s.name FROM stadium AS s"),
        ("SELECT concert_id FROM singer_in_concerts", "SELECT concert_id FROM singer_in_concert AS singer_in_concerts"),
        // a string in double quotes
        ("SELECT name FROM singer WHERE country = \"France\"", "SELECT name FROM singer WHERE country = 'France'"),
        (
            "SELECT name FROM singer WHERE country IN (\"US\", \"UK\") AND name LIKE \"%a%\"",
            "SELECT name FROM singer WHERE country IN ('US', 'UK') AND name LIKE '%a%'",
        ),
        (
            "SELECT count(*) FROM concert WHERE strftime(\"%Y\", year) BETWEEN \"2014\" AND \"2015\"",
            "SELECT count(*) FROM concert WHERE strftime('%Y', year) BETWEEN '2014' AND '2015'",
        ),
        (
            "SELECT CASE WHEN age > 30 THEN \"old\" ELSE \"young\" END FROM singer",
            "SELECT CASE WHEN age > 30 THEN 'old' ELSE 'young' END FROM singer",
        ),
        // in a view, and through one
        (
            "WITH a AS (SELECT cuntry FROM singer) SELECT * FROM a",
            "WITH a AS (SELECT Country FROM singer) SELECT * FROM a",
        ),
        (
            "WITH big AS (SELECT stadium_id, theme FROM concert) SELECT stadium.name FROM big",
            "WITH big AS (SELECT stadium_id, theme FROM concert) SELECT stadium.name FROM big JOIN stadium ON big.stadium_id = stadium.Stadium_ID",
        ),
        (
            "WITH singer_counts AS (SELECT country, count(*) AS n FROM singer GROUP BY country) SELECT country FROM singer_count WHERE n > 2",
            "WITH singer_counts AS (SELECT country, count(*) AS n FROM singer GROUP BY country) SELECT country FROM singer_counts AS singer_count WHERE n > 2",
        ),
        // ambiguous, but all candidates are equivalent
        (
            "SELECT stadium_id FROM concert T1 JOIN stadium T2 ON T1.stadium_id = T2.stadium_id",
            "SELECT T1.stadium_id FROM concert T1 JOIN stadium T2 ON T1.stadium_id = T2.stadium_id",
        ),
        (
            "SELECT T2.name, count(*) FROM singer T1 JOIN stadium T2 GROUP BY name",
            "SELECT T2.name, count(*) FROM singer T1 JOIN stadium T2 GROUP BY T2.name",
        ),
        (
            "SELECT T2.name FROM singer_in_concert T1 JOIN singer T2 ON T1.singer_id = singer_id",
            "SELECT T2.name FROM singer_in_concert T1 JOIN singer T2 ON T1.singer_id = T2.singer_id",
        ),
    ] {
        let Some((found, notes)) = repaired(sql, &c) else { panic!("not repaired: {sql}") };
        assert_eq!(found, expected, "{sql}");
        assert!(!notes.is_empty());
    }
}

#[test]
fn duckdb_slips_are_repaired() {
    let c = shop();
    for (sql, expected) in [
        (
            "SELECT date_diff(day, ordered_on, ordered_on) FROM orders",
            "SELECT date_diff('day', ordered_on, ordered_on) FROM orders",
        ),
        ("SELECT name FROM customers WHERE country = \"US\"", "SELECT name FROM customers WHERE country = 'US'"),
        (
            "SELECT products.category, sum(order_items.quantity) FROM order_items GROUP BY products.category",
            "SELECT products.category, sum(order_items.quantity) FROM order_items JOIN products ON order_items.product_id = products.id GROUP BY products.category",
        ),
        (
            "SELECT customers.name, sum(i.quantity) FROM order_items i GROUP BY 1",
            "SELECT customers.name, sum(i.quantity) FROM order_items i JOIN orders ON i.order_id = orders.id JOIN customers ON orders.customer_id = customers.id GROUP BY 1",
        ),
        ("SELECT name FROM products", "SELECT product_name FROM products"),
    ] {
        let Some((found, _)) = repaired(sql, &c) else { panic!("not repaired: {sql}") };
        assert_eq!(found, expected, "{sql}");
    }
}

#[test]
fn what_has_two_answers_or_none_is_left_alone() {
    let c = concerts();
    for sql in [
        // nothing to repair
        "SELECT name FROM singer",
        // no similar name
        "SELECT salary FROM singer",
        "SELECT x.y FROM nothing x",
        // two tables have it
        "SELECT T3.name FROM singer T1 JOIN stadium T2",
        "SELECT name FROM singer T1 JOIN stadium T2",
        // no path
        "SELECT \"sales 2019\".amount FROM singer",
        // an invented column in quotes is not a string
        "SELECT \"salary\" FROM singer",
        "SELECT name FROM singer ORDER BY \"salary\"",
        // the comparison would no longer join the two tables
        "SELECT T1.name FROM singer T1 JOIN stadium T2 ON T1.name = T2.age",
        // two items with the same name
        "SELECT T1.name, T2.theme FROM stadium T1 JOIN concert T1 ON T1.stadium_id = T2.stadium_id",
        // a column in place of a table, a table in place of a column
        "SELECT count(*) FROM singer_id",
        "SELECT count(DISTINCT stadiums) FROM stadium stadiums",
        // only one of two can be repaired
        "SELECT capcity, salary FROM stadium",
    ] {
        assert_eq!(repaired(sql, &c), None, "{sql}");
    }
    // Two foreign keys lead to airports, so the intended one is ambiguous.
    assert_eq!(repaired("SELECT airports.city FROM flights", &shop()), None);
}

#[test]
fn the_nearest_table_is_joined_and_one_to_one_keys_are_followed_both_ways() {
    // A singer is one key away, a stadium two.
    let (sql, _) = repaired("SELECT Name FROM singer_in_concert", &concerts()).expect("one way");
    assert_eq!(sql, "SELECT Name FROM singer_in_concert JOIN singer ON singer_in_concert.Singer_ID = singer.Singer_ID");
    let cars = catalog(
        Dialect::Sqlite,
        "CREATE TABLE car_names (MakeId INT PRIMARY KEY, Make TEXT);
         CREATE TABLE cars_data (Id INT PRIMARY KEY REFERENCES car_names(MakeId), MPG TEXT);
         CREATE TABLE sales (Id INT PRIMARY KEY, MakeId INT REFERENCES car_names(MakeId), Price INT);",
    );
    let (sql, _) = repaired("SELECT Make FROM car_names AS T1 WHERE T1.MPG > 20", &cars).expect("one way");
    assert_eq!(
        sql,
        "SELECT Make FROM car_names AS T1 JOIN cars_data ON T1.MakeId = cars_data.Id WHERE cars_data.MPG > 20"
    );
    assert_eq!(repaired("SELECT Make FROM car_names WHERE Price > 20", &cars), None, "would multiply rows");
}

#[test]
fn a_longer_path_of_many_to_one_keys_is_joined_and_the_caller_chooses_among_several() {
    let places = catalog(
        Dialect::Sqlite,
        "CREATE TABLE continent (continent_id INT PRIMARY KEY, continent_name TEXT);
         CREATE TABLE country (country_id INT PRIMARY KEY, country_name TEXT, continent_id INT REFERENCES continent(continent_id));
         CREATE TABLE city (city_id INT PRIMARY KEY, city_name TEXT, country_id INT REFERENCES country(country_id));
         CREATE TABLE customer (customer_id INT PRIMARY KEY, city_id INT REFERENCES city(city_id), region TEXT);
         CREATE TABLE store (store_id INT PRIMARY KEY, region TEXT, opened TEXT);
         CREATE TABLE sale (sale_id INT PRIMARY KEY, amount INT, customer_id INT REFERENCES customer(customer_id),
            store_id INT REFERENCES store(store_id));",
    );
    let (sql, _) =
        repaired("SELECT continent_name, SUM(amount) FROM sale GROUP BY continent_name", &places).expect("a path");
    assert_eq!(
        sql,
        "SELECT continent_name, SUM(amount) FROM sale JOIN customer ON sale.customer_id = customer.customer_id \
         JOIN city ON customer.city_id = city.city_id JOIN country ON city.country_id = country.country_id \
         JOIN continent ON country.continent_id = continent.continent_id GROUP BY continent_name"
    );
    let by_region = "SELECT region, SUM(amount) FROM sale GROUP BY region";
    assert_eq!(repaired(by_region, &places), None, "customer or store");
    let written = ReadOnlySql::parse(by_region, Dialect::Sqlite).expect("a query");
    for (position, table) in ["customer", "store"].into_iter().enumerate() {
        let choose = |name: &str, paths: &[vitrine_sql::JoinPath]| {
            assert_eq!((name, paths.len()), ("region", 2));
            Some(position)
        };
        let chosen = vitrine_sql::repair_names_with(&written, &places, &choose).expect("chosen");
        assert!(chosen.sql.as_str().contains(&format!("JOIN {table} ON sale.{table}_id")), "{}", chosen.sql.as_str());
    }
    // A customer has many sales: the join would multiply rows.
    assert_eq!(repaired("SELECT region, amount FROM customer", &places), None);
}

#[test]
fn a_key_that_is_called_as_in_the_table_that_it_refers_to_is_read_as_the_own_column() {
    let makers = catalog(
        Dialect::Sqlite,
        "CREATE TABLE countries (CountryId INT PRIMARY KEY, CountryName TEXT);
         CREATE TABLE airports (code INT PRIMARY KEY, AirportCode TEXT UNIQUE);
         CREATE TABLE makers (nr INT PRIMARY KEY, Country INT REFERENCES countries(CountryId));
         CREATE TABLE flights (nr INT PRIMARY KEY, source TEXT REFERENCES airports(AirportCode),
            target TEXT REFERENCES airports(AirportCode), owner INT REFERENCES airports(code));",
    );
    for (sql, expected) in [
        (
            "SELECT CountryName FROM countries AS T1 WHERE T1.CountryId NOT IN (SELECT T2.CountryId FROM makers AS T2)",
            "SELECT CountryName FROM countries AS T1 WHERE T1.CountryId NOT IN (SELECT T2.Country FROM makers AS T2)",
        ),
        (
            "SELECT CountryId, COUNT(*) FROM makers GROUP BY CountryId",
            "SELECT Country, COUNT(*) FROM makers GROUP BY Country",
        ),
        // Its own table is in scope and equal.
        (
            "SELECT T2.CountryId FROM countries AS T1 JOIN makers AS T2 ON T1.CountryId = T2.Country",
            "SELECT T1.CountryId FROM countries AS T1 JOIN makers AS T2 ON T1.CountryId = T2.Country",
        ),
    ] {
        assert_eq!(repaired(sql, &makers).map(|(sql, _)| sql).as_deref(), Some(expected));
    }
    assert_eq!(repaired("SELECT AirportCode FROM flights", &makers), None, "source or target");
    let code = repaired("SELECT f.code FROM flights AS f", &makers).map(|(sql, _)| sql);
    assert!(code.is_none_or(|sql| sql.contains("JOIN airports")), "a name like code says nothing about its table");
}

#[test]
fn a_table_is_joined_by_the_name_of_its_key_where_no_foreign_key_is_declared() {
    let books = catalog(
        Dialect::Sqlite,
        "CREATE TABLE address (address_id INT PRIMARY KEY, city TEXT);
         CREATE TABLE address_status (status_id INT PRIMARY KEY, address_status TEXT);
         CREATE TABLE order_status (status_id INT PRIMARY KEY, status_value TEXT);
         CREATE TABLE customer_address (customer_id INT, address_id INT REFERENCES address(address_id), status_id INT);
         CREATE TABLE note (id INT PRIMARY KEY, words TEXT);
         CREATE TABLE letter (letter_id INT PRIMARY KEY, id INT);",
    );
    let (sql, notes) =
        repaired("SELECT count(*) FROM customer_address WHERE address_status = 'Inactive'", &books).expect("one way");
    assert_eq!(
        sql,
        "SELECT count(*) FROM customer_address JOIN address_status ON customer_address.status_id = address_status.status_id \
         WHERE address_status = 'Inactive'"
    );
    assert!(notes.iter().any(|n| n == "address_status was joined by its key status_id"), "{notes:?}");
    let status = "SELECT address_status FROM order_status";
    assert_eq!(repaired(status, &books), None, "two primary keys do not refer to each other");
    assert_eq!(repaired("SELECT words FROM letter", &books), None, "a name like id says nothing");
}

#[test]
fn every_change_is_said() {
    let (_, notes) =
        repaired("SELECT singers.songname, stadium.name FROM singers JOIN concert WHERE country = \"US\"", &concerts())
            .expect("repaired");
    insta::assert_snapshot!(notes.join("\n"));
}

#[test]
fn a_field_of_a_struct_is_found_by_its_name_alone() {
    let tables = |dialect, ddl| {
        let mut c = catalog(Dialect::Duckdb, "CREATE TABLE nothing (id int)");
        c.dialect = dialect;
        c.tables = vitrine_ddl::parse(ddl, dialect).expect("ddl");
        c
    };
    let c = tables(
        Dialect::Bigquery,
        "CREATE TABLE customers (id INT64, name STRING, address STRUCT<city STRING, land STRUCT<country STRING>>, \
         items ARRAY<STRUCT<sku STRING>>); CREATE TABLE orders (id INT64, customer_id INT64, bill STRUCT<city STRING>)",
    );
    for (sql, expected) in [
        (
            "SELECT country, COUNT(*) FROM customers GROUP BY country",
            "SELECT address.land.country, COUNT(*) FROM customers GROUP BY address.land.country",
        ),
        ("SELECT c.city FROM customers AS c", "SELECT c.address.city FROM customers AS c"),
        // Engines reject the path, so the list members are used.
        ("SELECT id, sku FROM customers", "SELECT id, items.sku FROM customers"),
        (
            "SELECT c.name, country FROM customers AS c JOIN orders AS o ON o.customer_id = c.id",
            "SELECT c.name, c.address.land.country FROM customers AS c JOIN orders AS o ON o.customer_id = c.id",
        ),
    ] {
        let (sql, notes) = repaired(sql, &c).expect("it can be repaired");
        assert_eq!(sql, expected);
        assert!(notes.iter().all(|note| note.contains("was read as")), "{notes:?}");
    }
    // Two columns have the field; a column's own name takes precedence.
    let sql = "SELECT city FROM customers AS c JOIN orders AS o ON o.customer_id = c.id";
    assert!(repair_names(&ReadOnlySql::parse(sql, c.dialect).unwrap(), &c).is_none(), "{sql}");
    let own = tables(Dialect::Duckdb, "CREATE TABLE t (id INT, country VARCHAR, place STRUCT(country VARCHAR))");
    assert_eq!(bind_names(&ReadOnlySql::parse("SELECT country FROM t", own.dialect).unwrap(), &own).problems, []);
}
