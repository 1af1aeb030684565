use super::{TemplateMatch, match_template};
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;

fn parse(sql: &str) -> ReadOnlySql {
    ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap()
}

/// Returns the filled query, with texts taken as stored.
fn fill(verified: &str, sql: &str, question: &str) -> Option<String> {
    let sql = parse(sql);
    let found: TemplateMatch = match_template(verified, &sql, question)?;
    let stored: Vec<String> = found.texts.iter().map(|slot| slot.text.clone()).collect();
    found.fill(&sql, &stored).map(|filled| filled.sql.as_str().to_owned())
}

const BY_STORE: &str = "SELECT s.name, SUM(o.total) FROM orders o JOIN stores s ON s.id = o.store_id \
                        WHERE o.placed >= '2023-01-01' AND o.placed < '2024-01-01' GROUP BY s.name";
const IN_CITY: &str = "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'";
const TOP: &str = "SELECT name FROM products WHERE year = 2023 ORDER BY sold DESC LIMIT 5";
const IN_MONTH: &str = "SELECT SUM(total) FROM orders WHERE strftime(placed, '%Y-%m') = '2024-03'";

#[test]
fn another_year_replaces_both_ends_of_the_range() {
    for question in [
        "Revenue by store in 2024",
        "Show me the revenue per store for 2024, please",
        "What was the revenue of each store in 2024?",
        "in 2024, the revenue by store",
    ] {
        let filled = fill("Revenue by store in 2023", BY_STORE, question).unwrap_or_else(|| panic!("{question}"));
        assert!(filled.contains("o.placed >= '2024-01-01' AND o.placed < '2025-01-01'"), "{filled}");
    }
    let german = fill("Umsatz pro Filiale in 2023", BY_STORE, "Zeigen Sie mir den Umsatz je Filiale im 2021");
    assert!(german.unwrap().contains("'2021-01-01' AND o.placed < '2022-01-01'"));
    let french = fill("chiffre d'affaires par magasin en 2023", BY_STORE, "Quel est le chiffre d'affaires par magasin en 2020 ?");
    assert!(french.unwrap().contains("'2020-01-01' AND o.placed < '2021-01-01'"));
}

#[test]
fn another_stored_value_replaces_the_value_of_its_column() {
    let sql = parse(IN_CITY);
    let found = match_template("How many customers are in Berlin?", &sql, "Number of customers in New York").unwrap();
    let [slot] = found.texts.as_slice() else { panic!("{found:?}") };
    assert_eq!((slot.column.as_str(), slot.text.as_str()), ("city", "New York"));
    let filled = found.fill(&sql, &["New York".to_owned()]).unwrap();
    assert_eq!(filled.sql.as_str(), "SELECT COUNT(*) FROM customers WHERE city = 'New York'");
    assert_eq!(filled.replaced, [("Berlin".to_owned(), "New York".to_owned())]);
}

#[test]
fn numbers_years_and_months_are_replaced() {
    let top = fill("Top 5 products of 2023", TOP, "Show the top 3 products of 2024");
    assert_eq!(top.unwrap(), "SELECT name FROM products WHERE year = 2024 ORDER BY sold DESC LIMIT 3");
    let month = fill("Revenue in March 2024", IN_MONTH, "What was the revenue in April 2025?");
    assert!(month.unwrap().contains("= '2025-04'"));
    let german = fill("Umsatz im März 2024", IN_MONTH, "Umsatz im Mai 2024");
    assert!(german.unwrap().contains("= '2024-05'"));
}

#[test]
fn the_same_question_in_other_words_keeps_the_query() {
    assert_eq!(fill("How many customers are in Berlin?", IN_CITY, "number of customers in berlin").unwrap(), IN_CITY);
}

#[test]
fn questions_that_ask_for_something_else_do_not_match() {
    for (verified, sql, question) in [
        ("Revenue by store in 2023", BY_STORE, "Revenue by region in 2024"),
        ("Revenue by store in 2023", BY_STORE, "Revenue by store in March 2024"),
        ("Revenue by store in 2023", BY_STORE, "Revenue by store since 2024"),
        ("Revenue by store in 2023", BY_STORE, "Revenue by store in 2024 without refunds"),
        ("Revenue by store in 2023", BY_STORE, "Average revenue by store in 2024"),
        ("Revenue by store in 2023", BY_STORE, "Revenue by store"),
        ("Revenue by store in 2023", BY_STORE, "Revenue by store in 2024 and 2025"),
        ("Top 5 products of 2023", TOP, "Bottom 5 products of 2023"),
        ("Top 5 products of 2023", TOP, "Top 5 products of 2023 by revenue"),
        ("Orders with total < 100", "SELECT id FROM orders WHERE total < 100", "Orders with total > 200"),
        ("Orders with total > 100", "SELECT id FROM orders WHERE total > 100", "Orders with total > -100"),
        ("Customers without orders", "SELECT 1", "Orders without customers"),
    ] {
        assert_eq!(fill(verified, sql, question), None, "{verified} / {question}");
    }
}

#[test]
fn a_query_that_also_depends_on_the_old_year_elsewhere_is_not_used() {
    for sql in [
        // A year that no word of the question explains.
        "SELECT SUM(CASE WHEN year = 2023 THEN total ELSE 0 END) - SUM(CASE WHEN year = 2022 THEN total ELSE 0 END) FROM t",
        "SELECT SUM(total) FROM t WHERE year = 2023 AND placed > '2022-12-31'",
        // The name of the column contains the year.
        "SELECT SUM(budget_2023) FROM t WHERE year = 2023",
        "SELECT SUM(total) FROM t WHERE date_trunc('year', placed) = make_date(2023, 1, 1)",
        "SELECT SUM(total) FROM t",
    ] {
        assert_eq!(fill("Growth in 2023", sql, "Growth in 2024"), None, "{sql}");
    }
}

#[test]
fn two_values_of_one_kind_keep_their_order() {
    let sql = "SELECT COUNT(*) FROM trips WHERE origin = 'Rome' AND target = 'Milan'";
    let filled = fill("Trips from Rome to Milan", sql, "Trips from Milan to Rome").unwrap();
    assert!(filled.contains("origin = 'Milan' AND target = 'Rome'"), "{filled}");
    let sql = "SELECT SUM(CASE WHEN year = 2023 THEN total END), SUM(CASE WHEN year = 2021 THEN total END) FROM t";
    let filled = fill("Revenue 2023 compared with 2021", sql, "Revenue 2020 compared with 2019").unwrap();
    assert!(filled.contains("year = 2020") && filled.contains("year = 2019"), "{filled}");
    assert_eq!(fill("Revenue 2023 compared with 2021", sql, "compared with 2019, revenue 2020"), None);
}

#[test]
fn a_relative_time_with_fixed_dates_is_asked_again() {
    let sql = "SELECT SUM(total) FROM orders WHERE placed >= '2024-03-01' AND placed < '2024-04-01'";
    assert_eq!(fill("Revenue last month", sql, "Revenue last month"), None);
    let sql = "SELECT SUM(total) FROM orders WHERE placed >= date_trunc('month', current_date) - INTERVAL 1 MONTH";
    assert_eq!(fill("Revenue last month", sql, "What was the revenue last month?").as_deref(), Some(sql));
}
