//! A table that the question names and the query does not read, although a table that the question does not name is
//! read for columns that both have: asked for the largest countries, a small model reads cities.

use crate::question::facts::{contains_phrase, shares_word};
use crate::words::singular_words;
use sqlparser::ast::Expr;
use vitrine_domain::{Catalog, Table};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Relation, collect_columns, each_select, resolve_column_index};

/// Returns the table that is read, and the table that the question names.
pub(crate) fn unread_table<'c>(sql: &ReadOnlySql, catalog: &'c Catalog, asked: &str) -> Option<(&'c Table, &'c Table)> {
    let asked = singular_words(asked);
    let mut named = catalog.tables.iter().filter(|table| contains_phrase(&asked, &singular_words(&table.name.name)));
    let (Some(named), None) = (named.next(), named.next()) else { return None };
    let mut read: Vec<&Table> = Vec::new();
    let mut used = Vec::new();
    each_select(sql, catalog, |query, select, tables| {
        read.extend(tables.iter().map(|relation| relation.table));
        let own = collect_columns(select).into_iter().chain(collect_columns(&query.order_by));
        used.extend(own.filter_map(|column| is_of(named, &column, tables)));
    });
    let both_have = !used.is_empty() && used.iter().all(|has| *has);
    match read.as_slice() {
        [one] if both_have && !shares_word(&asked, &singular_words(&one.name.name)) => Some((*one, named)),
        _ => None,
    }
}

/// Returns true if a column of a query's tables also exists in another table and is not a reference. `None` for an
/// alias.
fn is_of(other: &Table, column: &Expr, tables: &[Relation<'_>]) -> Option<bool> {
    let (at, name) = resolve_column_index(column, tables)?;
    let refers = |own: &String| own.eq_ignore_ascii_case(name);
    let is_reference = tables[at].table.foreign_keys.iter().any(|key| key.columns.iter().any(refers));
    Some(other.find_column(name).is_some() && !is_reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    fn world_catalog() -> Catalog {
        let country = [("code", "TEXT"), ("name", "TEXT"), ("population", "INTEGER"), ("region", "TEXT")];
        let city =
            [("id", "INTEGER"), ("name", "TEXT"), ("population", "INTEGER"), ("code", "TEXT"), ("mayor", "TEXT")];
        let tables = vec![
            typed_table("country", &country, &["code"], &[]),
            typed_table("city", &city, &["id"], &[("code", "country", "code")]),
            typed_table("country_archive", &country, &["code"], &[]),
        ];
        catalog_with(Dialect::Sqlite, tables)
    }

    fn find_unread(question: &str, sql: &str) -> Option<String> {
        let catalog = world_catalog();
        let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        unread_table(&sql, &catalog, question).map(|(read, named)| format!("{} for {}", read.name, named.name))
    }

    #[test]
    fn another_table_with_the_same_columns_is_found() {
        let question = "Return the names of the 3 most populated countries.";
        for sql in [
            "SELECT name FROM city ORDER BY population DESC LIMIT 3",
            "SELECT c.name AS country, c.population AS p FROM city AS c ORDER BY p DESC LIMIT 3",
        ] {
            assert_eq!(find_unread(question, sql).as_deref(), Some("city for country"), "{sql}");
        }
    }

    /// Correct answers to everyday questions with a similar form.
    #[test]
    fn a_table_that_is_rightly_not_read_is_none() {
        for (question, sql) in [
            (
                "Return the names of the 3 most populated countries.",
                "SELECT name FROM country ORDER BY population DESC LIMIT 3",
            ),
            ("What is the largest city of the country?", "SELECT name FROM city ORDER BY population DESC LIMIT 1"),
            (
                "Which country has the most cities?",
                "SELECT code FROM city GROUP BY code ORDER BY COUNT(*) DESC LIMIT 1",
            ),
            ("How many countries have a city on record?", "SELECT COUNT(DISTINCT code) FROM city"),
            (
                "Who governs the biggest place in the country?",
                "SELECT mayor FROM city ORDER BY population DESC LIMIT 1",
            ),
            ("How many countries are in each region?", "SELECT region, COUNT(*) FROM country_archive GROUP BY region"),
            ("How many people live in towns of each country?", "SELECT code, SUM(population) FROM city GROUP BY code"),
            ("How many countries are there?", "SELECT COUNT(*) FROM city"),
            ("Welches ist das größte Land?", "SELECT name FROM city ORDER BY population DESC LIMIT 1"),
            (
                "Name each country and its people.",
                "SELECT t.name, city.population FROM country t JOIN city ON city.code = t.code",
            ),
        ] {
            assert_eq!(find_unread(question, sql), None, "{question}");
        }
    }
}
