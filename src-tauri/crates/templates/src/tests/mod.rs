mod periods;

use super::{TemplateMatch, is_same_question, match_template};
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;

fn parse(sql: &str) -> ReadOnlySql {
    ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap()
}

/// Values whose stored spelling differs from the questions.
const STORED: [&str; 4] = ["Berlin", "US", "UK", "ES"];

/// Returns the filled query, with other texts taken as stored.
fn fill(verified: &str, sql: &str, question: &str) -> Option<String> {
    let sql = parse(sql);
    let found: TemplateMatch = match_template(verified, &sql, question)?;
    let spell = |text: &str| {
        STORED.iter().find(|value| value.eq_ignore_ascii_case(text)).map_or(text, |value| *value).to_owned()
    };
    let stored: Vec<String> = found.texts.iter().map(|slot| spell(&slot.text)).collect();
    found.fill(&sql, &stored).map(|filled| filled.sql.as_str().to_owned())
}

/// Checks that none of the second questions gets the query of the first.
fn assert_none(verified: &str, sql: &str, questions: &[&str]) {
    for question in questions {
        assert_eq!(fill(verified, sql, question), None, "{verified} / {question} / {sql}");
    }
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
    let french = fill(
        "chiffre d'affaires par magasin en 2023",
        BY_STORE,
        "Quel est le chiffre d'affaires par magasin en 2020 ?",
    );
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
fn values_and_directions_are_no_fillers() {
    const ANY: &str = "SELECT COUNT(*) FROM t WHERE year = 2024";
    for (verified, question) in [
        ("Revenue in the US in 2024", "Revenue in 2024"),
        ("Revenue in DE in 2024", "Revenue in ES in 2024"),
        ("Revenue of A in 2024", "Revenue of I in 2024"),
        ("Revenue in IN in 2024", "Revenue in BE in 2024"),
        ("Quel est le chiffre d'affaires Est en 2024", "Quel est le chiffre d'affaires en 2024"),
        ("Les vols de X en 2024", "Les vols pour X en 2024"),
        ("Umsatz von den Kunden in 2024", "Umsatz für die Kunden in 2024"),
        ("Flights to Rome in 2024", "Flights of Rome in 2024"),
        ("Los pedidos de Ana en 2024", "Los pedidos a Ana en 2024"),
        ("Average list price of the products in 2024", "Average price of the products in 2024"),
        ("List price of the products in 2024", "Price of the products in 2024"),
        ("The die orders in 2024", "The war orders in 2024"),
        ("The customers who want orders in 2024", "The customers who need orders in 2024"),
        ("How many orders were placed by customers in 2024", "How many orders were placed per customer in 2024"),
        ("The order number of customers in 2024", "The order count of customers in 2024"),
        ("Wie viel Umsatz in 2024", "Anzahl Umsatz in 2024"),
        ("What was the budget for 2024 in 2023", "What was the budget in 2024 for 2023"),
    ] {
        assert_eq!(fill(verified, ANY, question), None, "{verified} / {question}");
        assert!(fill(verified, ANY, verified).is_some() || verified.contains("2023"), "{verified}");
    }
    assert_eq!(fill("Revenue in 2024 by store", ANY, "Umsatz in 2024 pro Filiale"), None);
    for (verified, question) in [
        ("List the customers in 2024", "Show me the customers of 2024, please"),
        ("Wie viele Kunden gab es in 2024?", "Bitte zeigen Sie mir die Anzahl der Kunden im 2024"),
        ("Quelles sont les ventes par magasin en 2024 ?", "Montrez-moi les ventes de chaque magasin pour 2024"),
        ("¿Cuántos clientes por tienda en 2024?", "Muestra el número de clientes de cada tienda en 2024, por favor"),
    ] {
        assert_eq!(fill(verified, ANY, question).as_deref(), Some(ANY), "{verified} / {question}");
    }
}

#[test]
fn a_value_that_is_also_a_small_word_keeps_its_place() {
    let sql = "SELECT count(*) AS n FROM customers WHERE country = 'US'";
    for (question, expected) in [
        ("number of customers in uk", "country = 'UK'"),
        ("How many customers are in the UK?", "country = 'UK'"),
        ("How many customers are in ES?", "country = 'ES'"),
        ("how many customers are in us", "country = 'US'"),
    ] {
        let filled = fill("How many customers are in US?", sql, question);
        assert!(filled.unwrap_or_default().contains(expected), "{question}");
    }
    assert_none("How many customers are in US?", sql, &["How many customers are there?", "How many customers are in?"]);
}

#[test]
fn a_number_that_may_stand_for_two_constants_is_not_replaced() {
    let sql = "SELECT country FROM orders WHERE status_id = 3 GROUP BY country ORDER BY COUNT(*) DESC LIMIT 3";
    assert_none("Top 3 countries by paid orders", sql, &["Top 5 countries by paid orders"]);
    let sql = "SELECT country, ROUND(SUM(x), 2) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 2";
    assert_none("Top 2 countries by total", sql, &["Top 5 countries by total"]);
    let sql = "SELECT COUNT(*) FROM t WHERE total > 2000 AND year = 2000";
    assert_none("Orders over 2000", sql, &["Orders over 2001"]);
    let sql = "SELECT id FROM t WHERE a >= 10 AND a <= 10";
    assert_eq!(
        fill("Rows with a of 10", sql, "Rows with a of 20").unwrap(),
        "SELECT id FROM t WHERE a >= 20 AND a <= 20"
    );
}

#[test]
fn signs_are_compared() {
    let sql = "SELECT id FROM t WHERE a = 5";
    for (verified, question) in [
        ("Rows with a = 5", "Rows with a != 7"),
        ("Rows with a = 5", "Rows with a ≠ 7"),
        ("Costs - returns of 5", "Costs / returns of 7"),
        ("Costs - returns of 5", "Costs returns of 7"),
        ("Share * 5", "Share ^ 7"),
        ("Rows over 5", "Rows over .5"),
        ("C# rows over 5", "C rows over 7"),
    ] {
        assert_eq!(fill(verified, sql, question), None, "{verified} / {question}");
    }
    assert!(fill("Costs - returns of 5", sql, "costs – returns of 7").is_none());
    assert!(fill("Costs - returns of 5", sql, "costs - returns of 7!").unwrap().contains("a = 7"));
    assert!(fill("Year-over-year costs of 5", sql, "Year over year costs of 7").unwrap().contains("a = 7"));
    let sql = parse("SELECT COUNT(*) FROM jobs WHERE language = 'Java'");
    let found = match_template("How many jobs are there for Java?", &sql, "How many jobs are there for C#?").unwrap();
    assert_eq!(found.texts[0].text, "C#");
}

#[test]
fn overlapping_values_are_not_replaced() {
    let sql = "SELECT COUNT(*) FROM t WHERE city = 'New York' AND state = 'York'";
    assert_none("Customers in New York", sql, &["Customers in New York", "Customers in Boston"]);
}

#[test]
fn the_spelling_of_a_value_is_looked_up() {
    let sql = parse("SELECT COUNT(*) FROM t WHERE plan = 'Pro'");
    let found = match_template("Customers of the plan Pro", &sql, "Customers of the plan PRO").unwrap();
    assert_eq!(found.texts[0].text, "PRO");
    let filled = found.clone().fill(&sql, &["PRO".to_owned()]).unwrap();
    assert!(filled.sql.as_str().contains("plan = 'PRO'"));
    let same = found.fill(&sql, &["Pro".to_owned()]).unwrap();
    assert_eq!((same.sql.as_str(), same.replaced.len()), (sql.as_str(), 0));
}

#[test]
fn a_constant_that_may_depend_on_the_value_prevents_the_replacement() {
    let verified = "Revenue in Berlin";
    for condition in ["city = 'Berlin' AND land = 'Germany'", "city = 'Berlin' AND land_id = 49"] {
        let sql = format!("SELECT SUM(total) FROM stores WHERE {condition}");
        assert_none(verified, &sql, &["Revenue in Paris"]);
        assert_eq!(fill(verified, &sql, "What is the revenue in Berlin?").as_deref(), Some(sql.as_str()));
    }
    let sql = "SELECT SUM(o.total) FROM orders o JOIN stores s ON s.id = o.store_id \
               WHERE s.city = 'Berlin' AND o.status <> 'cancelled'";
    assert!(fill(verified, sql, "Revenue in Paris").unwrap().contains("s.city = 'Paris'"));
    let sql = "SELECT SUM(total) FROM stores WHERE city = 'Berlin' AND land = 'Germany'";
    assert!(fill("Revenue in Berlin, Germany", sql, "Revenue in Paris, France").unwrap().contains("land = 'France'"));
}

#[test]
fn many_slots_are_aligned_in_short_time() {
    let names = ["Ada", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus"];
    let query = |count: usize| {
        let conditions: Vec<String> =
            names.iter().take(count).enumerate().map(|(at, name)| format!("c{at} = '{name}'")).collect();
        format!("SELECT 1 FROM t WHERE {}", conditions.join(" AND "))
    };
    let long = vec!["word"; 3_000].join(" ");
    assert_none("Ada Bob Cid Dan Eve Fay", &query(6), &[&long]);
    assert_none("Ada Bob Cid Dan Eve Fay Gus", &query(7), &["Ada Bob Cid Dan Eve Fay Gus"]);
    assert!(fill("Ada or Bob or Cid or Dan or Eve or Fay", &query(6), "A1 or B1 or C1 or D1 or E1 or F1").is_some());
}

#[test]
fn the_same_question_is_recognized_in_other_words() {
    assert!(is_same_question("How many customers are in Berlin?", "number of customers in Berlin"));
    assert!(!is_same_question("How many customers are in Berlin?", "number of customers in Paris"));
    assert!(is_same_question("What was the revenue in 2023?", "Revenue 2023"));
    assert!(!is_same_question("Revenue in 2023", "Revenue in 2024"));
}
