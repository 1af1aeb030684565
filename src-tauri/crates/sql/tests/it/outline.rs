//! Outlines of queries, which two queries are compared by.

use crate::fixtures::concerts;
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::facts::{QueryOutline, outline_query};

fn outline(sql: &str) -> QueryOutline {
    outline_query(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &concerts()).unwrap()
}

fn names(set: &std::collections::BTreeSet<String>) -> Vec<&str> {
    set.iter().map(String::as_str).collect()
}

#[test]
fn the_parts_of_a_query_are_told_apart() {
    let found = outline(
        "SELECT s.Name, COUNT(*) AS n FROM stadium s LEFT JOIN concert AS c ON c.Stadium_ID = s.Stadium_ID
         WHERE 1000 < s.Capacity AND Year BETWEEN '2014' AND '2015' GROUP BY 1 HAVING n > 2 ORDER BY n DESC",
    );
    assert_eq!(names(&found.tables), ["concert", "stadium"]);
    assert_eq!(names(&found.columns), ["concert.year", "stadium.capacity", "stadium.name"]);
    assert_eq!(names(&found.shown), ["stadium.name"]);
    assert_eq!(names(&found.joins), ["concert.stadium_id = stadium.stadium_id", "left join concert"]);
    assert_eq!(
        names(&found.filters),
        ["concert.year <= '2015'", "concert.year >= '2014'", "count(*) > 2", "stadium.capacity > 1000"]
    );
    assert_eq!(names(&found.aggregation), ["by stadium.name", "count(*)"]);
}

#[test]
fn the_same_query_in_other_words_has_the_same_outline() {
    let same = [
        "SELECT count(*) FROM singer AS T1 JOIN singer_in_concert AS T2 ON T1.Singer_ID = T2.Singer_ID WHERE T1.Age > 20 AND T1.Country IN ('FR')",
        "SELECT COUNT(1) FROM singer_in_concert x, singer y WHERE (y.country = 'FR') AND 20 < y.age AND x.singer_id = y.singer_id",
        "SELECT COUNT(*) AS n FROM singer JOIN singer_in_concert USING (Singer_ID) WHERE Country = 'FR' AND Age > 20",
    ];
    for sql in &same[1..] {
        assert_eq!(outline(sql), outline(same[0]), "{sql}");
    }
    assert_eq!(outline("SELECT COUNT(Singer_ID) FROM singer"), outline("SELECT COUNT(*) FROM singer"));
    assert_ne!(outline("SELECT COUNT(Age) FROM singer"), outline("SELECT COUNT(*) FROM singer"));
}

#[test]
fn nested_queries_belong_to_the_outline() {
    let found = outline(
        "SELECT Name FROM singer WHERE Age > (SELECT AVG(Age) FROM singer WHERE Country = 'FR')
         AND Singer_ID NOT IN (SELECT Singer_ID FROM singer_in_concert) AND EXISTS (SELECT * FROM concert)",
    );
    assert_eq!(names(&found.tables), ["concert", "singer", "singer_in_concert"]);
    assert_eq!(
        names(&found.filters),
        ["EXISTS (query)", "singer.age > (query)", "singer.country = 'FR'", "singer.singer_id NOT IN ((query))"]
    );
    assert_eq!(names(&found.aggregation), ["avg(singer.age)"]);
    assert!(!found.columns.contains("concert.theme"), "{:?}", found.columns);
    assert!(outline("SELECT * FROM concert").columns.contains("concert.theme"));
    assert_eq!(names(&outline("SELECT DISTINCT Name FROM singer").aggregation), ["distinct"]);
}
