//! Small catalogs in the style of the benchmarks.

use vitrine_domain::{Catalog, Dialect};

pub fn catalog(dialect: Dialect, sql: &str) -> Catalog {
    let tables = vitrine_ddl::parse(sql, dialect).expect("fixture");
    Catalog {
        database: "shop".into(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables,
    }
}

/// Stadiums, concerts and singers: two foreign keys, one table between.
pub fn concerts() -> Catalog {
    catalog(
        Dialect::Sqlite,
        "CREATE TABLE stadium (Stadium_ID INT PRIMARY KEY, Location TEXT, Name TEXT, Capacity INT, Average INT);
         CREATE TABLE singer (Singer_ID INT PRIMARY KEY, Name TEXT, Country TEXT, Song_Name TEXT, Age INT);
         CREATE TABLE concert (concert_ID INT PRIMARY KEY, concert_Name TEXT, Theme TEXT, Stadium_ID INT REFERENCES stadium(Stadium_ID), Year TEXT);
         CREATE TABLE singer_in_concert (concert_ID INT REFERENCES concert(concert_ID), Singer_ID INT REFERENCES singer(Singer_ID));
         CREATE TABLE \"sales 2019\" (id INT, amount REAL);",
    )
}

/// A DuckDB shop with nested columns and two foreign keys to one table.
pub fn shop() -> Catalog {
    catalog(
        Dialect::Duckdb,
        "CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR, country VARCHAR, address STRUCT(city VARCHAR, zip VARCHAR));
         CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT REFERENCES customers(id), ordered_on DATE, total DECIMAL(10,2), tags VARCHAR[], data JSON);
         CREATE TABLE order_items (order_id INT REFERENCES orders(id), product_id INT REFERENCES products(id), quantity INT, unit_price DECIMAL(10,2));
         CREATE TABLE products (id INT PRIMARY KEY, product_name VARCHAR, category VARCHAR);
         CREATE TABLE flights (id INT PRIMARY KEY, from_airport INT REFERENCES airports(id), to_airport INT REFERENCES airports(id));
         CREATE TABLE airports (id INT PRIMARY KEY, code VARCHAR, city VARCHAR);",
    )
}
