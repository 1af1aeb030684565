use super::*;
use crate::QuestionFacts;
use crate::fixtures::{catalog_with, rule_input, typed_table};
use vitrine_domain::{Catalog, Dialect, Profile};

fn shop_catalog() -> Catalog {
    let orders = [
        ("id", "INTEGER"),
        ("customer_id", "INTEGER"),
        ("placed", "DATE"),
        ("total", "REAL"),
        ("discount", "REAL"),
        ("ts", "INTEGER"),
        ("salary", "INTEGER"),
        ("budget_2024", "REAL"),
    ];
    let customers =
        [("id", "INTEGER"), ("name", "TEXT"), ("country", "TEXT"), ("country_code", "TEXT"), ("is_active", "INTEGER")];
    catalog_with(
        Dialect::Duckdb,
        vec![typed_table("orders", &orders, &["id"], &[]), typed_table("customers", &customers, &["id"], &[])],
    )
}

fn value_match(column: &str, value: &str) -> ValueMatch {
    ValueMatch {
        literal: value.into(),
        table: "customers".into(),
        column: column.into(),
        value: value.into(),
        edit: 1.0,
        semantic: None,
    }
}

fn notes_with(question: &str, sql: &str, values: &[ValueMatch], page: &Page) -> Vec<String> {
    let (catalog, profile) = (shop_catalog(), Profile::default());
    let facts = QuestionFacts::from_question(question, &catalog);
    let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap_or_else(|error| panic!("{sql}: {error}"));
    unused_parts(&sql, &rule_input(&catalog, &profile, &facts), values, page)
}

fn unused_notes(question: &str, sql: &str) -> Vec<String> {
    notes_with(question, sql, &[], &Page::default())
}

const SUM: &str = "SELECT SUM(total) FROM orders WHERE";

#[test]
fn a_period_that_the_query_lacks_is_said_with_the_one_that_it_uses() {
    for (question, condition, expected) in [
        (
            "Revenue in 2024",
            "placed >= '2023-01-01' AND placed < '2024-01-01'",
            "You asked for 2024; the query uses 2023.",
        ),
        ("Revenue in 2024", "placed BETWEEN '2023-01-01' AND '2023-12-31'", "You asked for 2024; the query uses 2023."),
        ("Umsatz 2024", "year(placed) = 2023", "You asked for 2024; the query uses 2023."),
        ("Chiffre d'affaires en 2024", "placed LIKE '2023%'", "You asked for 2024; the query uses 2023."),
        ("2024年的销售额是多少?", "strftime('%Y', placed) = '2022'", "You asked for 2024; the query uses 2022."),
        ("Revenue in 2024", "total > 5", "You asked for 2024; the query does not use it."),
        (
            "Revenue in 2023",
            "placed >= '2024-01-01' AND placed < '2025-01-01'",
            "You asked for 2023; the query uses 2024.",
        ),
        (
            "Revenue in Q2 2024",
            "placed >= '2024-01-01' AND placed < '2024-04-01'",
            "You asked for Q2; the query uses Q1.",
        ),
        ("Umsatz im 3. Quartal 2024", "year(placed) = 2024", "You asked for 3. Quartal; the query does not use it."),
        (
            "Ventes du premier trimestre 2024",
            "year(placed) = 2024 AND quarter(placed) = 2",
            "You asked for premier trimestre; the query uses Q2.",
        ),
        (
            "Revenue in March 2024",
            "year(placed) = 2024 AND month(placed) = 4",
            "You asked for March; the query does not use it.",
        ),
        (
            "Umsatz im März 2024",
            "placed >= '2024-01-01' AND placed < '2025-01-01'",
            "You asked for März; the query does not use it.",
        ),
    ] {
        assert_eq!(unused_notes(question, &format!("{SUM} {condition}")), [expected], "{question}: {condition}");
    }
}

#[test]
fn a_range_that_only_ends_before_a_period_does_not_use_it() {
    for (question, condition, expected) in [
        ("Revenue in 2024", "placed < '2024-01-01'", "You asked for 2024; the query uses 2023."),
        ("Umsatz 2024", "placed < DATE '2024-01-01'", "You asked for 2024; the query uses 2023."),
        ("Chiffre d'affaires en 2024", "year(placed) < 2024", "You asked for 2024; the query uses 2023."),
        ("Revenue by month in 2024", "placed < '2024-01-01'", "You asked for 2024; the query uses 2023."),
        ("Revenue by country 2024", "placed < '2024-01-01'", "You asked for 2024; the query uses 2023."),
        (
            "Revenue in March 2024",
            "year(placed) = 2024 AND placed < '2024-03-01'",
            "You asked for March; the query does not use it.",
        ),
    ] {
        assert_eq!(unused_notes(question, &format!("{SUM} {condition}")), [expected], "{question}: {condition}");
    }
    for (question, condition) in [
        ("Revenue before January 1, 2024", "placed < '2024-01-01'"),
        ("Umsatz vor dem 1. Januar 2024", "placed < '2024-01-01'"),
        ("Chiffre d'affaires avant le 1er janvier 2024", "placed < '2024-01-01'"),
        ("Revenue before the year 2024", "placed < '2024-01-01'"),
        ("Revenue up to 2024", "placed < '2024-01-01'"),
        ("Umsatz bis 2024", "placed < '2024-01-01'"),
        ("Ventes jusqu'en 2024", "placed < '2024-01-01'"),
        ("How many orders were there at the start of 2024?", "placed < '2024-01-01'"),
        ("Revenue until the end of 2023", "placed < '2024-01-01'"),
        ("Revenue in 2023", "placed < '2024-01-01'"),
        ("Revenue from 2022 to 2024", "placed >= '2022-01-01' AND placed < '2024-01-01'"),
    ] {
        assert_eq!(
            unused_notes(question, &format!("{SUM} {condition}")),
            Vec::<String>::new(),
            "{question}: {condition}"
        );
    }
}

#[test]
fn forms_of_quarters_and_months_are_read() {
    for (question, condition) in [
        ("Revenue in Q2 2024", "year(placed) = 2024 AND (CAST(strftime('%m', placed) AS INTEGER) + 2) / 3 = 2"),
        ("Revenue in Q2 2024", "year(placed) = 2024 AND CEIL(EXTRACT(MONTH FROM placed) / 3.0) = 2"),
        ("Umsatz im 2. Quartal 2024", "year(placed) = 2024 AND (month(placed) - 1) / 3 + 1 = 2"),
        ("Revenue in March 2024", "substr(placed, 1, 4) = '2024' AND substr(placed, 6, 2) = '03'"),
        ("Umsatz im März 2024", "placed LIKE '2024%' AND placed LIKE '%-03-%'"),
        ("Ventes en mars 2024", "placed LIKE '2024-03%'"),
        ("Revenue in sept 2024", "strftime('%Y-%m', placed) = '2024-09'"),
        ("Orders of sep 2024", "strftime('%Y-%m', placed) = '2024-09'"),
        ("Orders from 05.03. to 10.03.2024", "placed BETWEEN '2024-03-05' AND '2024-03-10'"),
    ] {
        assert_eq!(
            unused_notes(question, &format!("{SUM} {condition}")),
            Vec::<String>::new(),
            "{question}: {condition}"
        );
    }
    for (question, condition, expected) in [
        (
            "Revenue in Q2 2024",
            "year(placed) = 2024 AND (CAST(strftime('%m', placed) AS INTEGER) + 2) / 3 = 1",
            "You asked for Q2; the query uses Q1.",
        ),
        (
            "Revenue in March 2024",
            "year(placed) = 2024 AND substr(placed, 6, 2) = '04'",
            "You asked for March; the query does not use it.",
        ),
        (
            "Umsatz im März 2024",
            "placed LIKE '2024%' AND placed LIKE '%-04-%'",
            "You asked for März; the query does not use it.",
        ),
        ("in sept 2024", "strftime('%Y-%m', placed) = '2024-08'", "You asked for sept; the query does not use it."),
    ] {
        assert_eq!(unused_notes(question, &format!("{SUM} {condition}")), [expected], "{question}: {condition}");
    }
    let by_year = "SELECT year(placed), SUM(total) FROM orders GROUP BY year(placed)";
    assert!(unused_notes("How did 2023 compare with other years?", by_year).is_empty());
    let by_month = "SELECT strftime('%Y-%m', placed), SUM(total) FROM orders GROUP BY strftime('%Y-%m', placed)";
    assert_eq!(unused_notes("Revenue by month in 2023", by_month), ["You asked for 2023; the query does not use it."]);
    let of_2022 = "SELECT year(placed), SUM(total) FROM orders WHERE year(placed) = 2022 GROUP BY year(placed)";
    assert_eq!(unused_notes("Revenue in 2023", of_2022), ["You asked for 2023; the query uses 2022."]);
}

#[test]
fn numbers_and_names_that_are_no_periods_are_told_apart() {
    let orders = "SELECT COUNT(*) FROM orders WHERE";
    let customers = "SELECT COUNT(*) FROM customers WHERE";
    for (question, sql) in [
        ("Employees earning under 2000 hired after 2019", format!("{orders} salary < 2000 AND placed > '2019-12-31'")),
        ("Mitarbeiter mit weniger als 2000, seit 2020", format!("{orders} salary < 2000 AND placed >= '2020-01-01'")),
        ("How many orders did April Jones place?", format!("{customers} name = 'April Jones'")),
        ("Orders for August Weber", format!("{customers} name LIKE '%August Weber%'")),
        ("Wie viele Bestellungen von Juni Klein?", format!("{customers} name = 'Juni Klein'")),
        ("Commandes de plus de 1 500 €", format!("{orders} total > 1500")),
        ("COVID-19 orders in 2021", format!("{orders} year(placed) = 2021")),
        ("Show revenue as \"Total Sales\"", "SELECT SUM(total) AS \"Total Sales\" FROM orders".into()),
        ("Show revenue as 'Total Sales'", "SELECT SUM(total) AS total_sales FROM orders".into()),
        (
            "Top 25% of orders",
            "SELECT id FROM (SELECT id, NTILE(4) OVER (ORDER BY total DESC) AS part FROM orders) AS t WHERE part = 1"
                .into(),
        ),
        ("Orders with more than 50% of the total", format!("{orders} discount > total / 2")),
        ("Orders with more than 3 units", format!("{orders} total >= 4")),
        ("Orders with at least 4 units", format!("{orders} total > 3")),
        ("Bestellungen mit weniger als 4 Stück", format!("{orders} total <= 3")),
        ("Commandes de moins de 4 unités", format!("{orders} total <= 3")),
        ("Orders with no more than 3 units", format!("{orders} total < 4")),
    ] {
        let told = unused_notes(question, &sql);
        assert!(told.is_empty(), "{question}: {sql}: {told:?}");
    }
    for (question, sql, expected) in [
        (
            "Employees hired after 2019",
            format!("{orders} salary < 2000 AND placed > '2021-12-31'"),
            "You asked for 2019; the query uses 2022.",
        ),
        ("Commandes de plus de 1 500 €", format!("{orders} total > 2500"), "You asked for 1 500; the query uses 2500."),
        ("Revenue in April", format!("{customers} name = 'Jones'"), "You asked for April; the query does not use it."),
        (
            "Show revenue as \"Total Sales\"",
            "SELECT SUM(total) FROM orders".into(),
            "You asked for Total Sales; the query does not use it.",
        ),
        (
            "Top 25% of orders",
            "SELECT id FROM (SELECT id, NTILE(10) OVER (ORDER BY total DESC) AS part FROM orders) AS t WHERE part = 1"
                .into(),
            "You asked for 25%; the query does not use it.",
        ),
        ("Orders with more than 3 units", format!("{orders} total > 2"), "You asked for 3; the query uses 2."),
        ("Orders with at least 4 units", format!("{orders} total >= 5"), "You asked for 4; the query uses 5."),
        (
            "The 10 customers with the most orders",
            "SELECT name FROM customers ORDER BY name LIMIT 5".into(),
            "You asked for 10; the query uses 5.",
        ),
        (
            "Die 10 Kunden mit den meisten Bestellungen",
            "SELECT name FROM customers ORDER BY name LIMIT 5".into(),
            "You asked for 10; the query uses 5.",
        ),
    ] {
        assert_eq!(unused_notes(question, &sql), [expected], "{question}: {sql}");
    }
}

#[test]
fn a_period_that_the_query_writes_in_another_way_is_used() {
    for (question, condition) in [
        ("Revenue in 2024", "placed >= '2024-01-01' AND placed < '2025-01-01'"),
        ("Revenue in 2024", "placed > '2023-12-31' AND placed <= '2024-12-31'"),
        ("Revenue in 2024", "EXTRACT(YEAR FROM placed) = 2024"),
        ("Revenue in 2024", "date_trunc('year', placed) = DATE '2024-01-01'"),
        ("Revenue in 2024", "strftime('%Y', placed) = '2024'"),
        ("Revenue in 2024", "ts >= 1704067200 AND ts < 1735689600"),
        ("Revenue in 2024", "placed >= make_date(2024, 1, 1)"),
        ("Revenue in 2024", "budget_2024 > 0"),
        ("Revenue in 2024", "placed >= date_trunc('year', current_date)"),
        ("Revenue before 2024", "placed < '2024-01-01'"),
        ("Revenue before 2024", "placed <= '2023-12-31'"),
        ("Revenue after 2023", "placed >= '2024-01-01'"),
        ("Umsatz seit 2020", "year(placed) > 2019"),
        ("Revenue between 2020 and 2023", "placed >= '2020-01-01' AND placed < '2024-01-01'"),
        ("Revenue of 2021, 2022 and 2023", "year(placed) BETWEEN 2021 AND 2023"),
        ("Revenue of 2024 against the year before", "year(placed) IN (2024, 2023)"),
        ("Revenue of 2023 against 2024", "year(placed) = 2024 OR year(placed) = 2024 - 1"),
        ("Revenue of fiscal year 2024", "placed >= '2023-07-01' AND placed < '2024-07-01'"),
        ("Films of the 1980s", "year(placed) BETWEEN 1980 AND 1989"),
        ("Revenue in Q1 2024", "placed >= '2024-01-01' AND placed < '2024-04-01'"),
        ("Revenue in Q1 2024", "year(placed) = 2024 AND month(placed) BETWEEN 1 AND 3"),
        ("Revenue in Q1 2024", "year(placed) = 2024 AND month(placed) <= 3"),
        ("Revenue in the first half of 2024", "placed >= '2024-01-01' AND placed < '2024-07-01'"),
        ("Umsatz im 2. Quartal 2024", "year(placed) = 2024 AND quarter(placed) = 2"),
        ("Revenue of Q1, Q2 and Q3 2024", "placed >= '2024-01-01' AND placed < '2024-10-01'"),
        ("Revenue in March 2024", "strftime('%Y-%m', placed) = '2024-03'"),
        ("Revenue from January to March 2024", "placed BETWEEN '2024-01-01' AND '2024-03-31'"),
        ("Umsatz bis März 2024", "placed < '2024-04-01'"),
        ("Umsatz vor März 2024", "placed < '2024-03-01'"),
    ] {
        let told = unused_notes(question, &format!("{SUM} {condition}"));
        assert!(told.is_empty(), "{question}: {condition}: {told:?}");
    }
    let by_month = "SELECT month(placed), SUM(total) FROM orders WHERE year(placed) = 2024 GROUP BY month(placed)";
    assert!(unused_notes("How did March 2024 compare with other months?", by_month).is_empty());
}

#[test]
fn numbers_are_used_in_each_way_that_sql_writes_them() {
    let best = "SELECT name FROM customers ORDER BY name";
    for (question, sql) in [
        ("Top 5 customers", format!("{best} LIMIT 5")),
        ("Die fünf besten Kunden", format!("{best} LIMIT 5")),
        ("The 3rd customer", format!("{best} LIMIT 1 OFFSET 2")),
        (
            "Customers with more than three orders",
            "SELECT customer_id FROM orders GROUP BY 1 HAVING COUNT(*) >= 4".into(),
        ),
        ("Customers with at least 4 orders", "SELECT customer_id FROM orders GROUP BY 1 HAVING COUNT(*) > 3".into()),
        ("Orders with a discount over 50%", format!("{SUM} discount > 0.5")),
        ("Orders over 1.5 million", format!("{SUM} total > 1500000")),
        ("Orders over 5k", format!("{SUM} total > 5000")),
        ("Bestellungen über 1.500 Euro", format!("{SUM} total > 1500")),
        ("Orders of the last 24 months", format!("{SUM} placed >= current_date - INTERVAL 2 YEAR")),
        (
            "Orders of the last 30 days before 2024-02-01",
            format!("{SUM} placed >= '2024-01-02' AND placed < '2024-02-01'"),
        ),
        ("Which of the three regions sells most?", format!("{best} LIMIT 1")),
        ("Orders of 1 day", format!("{SUM} total > 0")),
        ("Customers with four letters", "SELECT name FROM customers WHERE country = 'four'".into()),
        (
            "Top 10% of orders",
            "SELECT id FROM (SELECT id, NTILE(10) OVER (ORDER BY total DESC) AS part FROM orders) AS t WHERE part = 1"
                .into(),
        ),
    ] {
        let told = unused_notes(question, &sql);
        assert!(told.is_empty(), "{question}: {sql}: {told:?}");
    }
    for (question, sql, expected) in [
        ("Top 5 customers", format!("{best} LIMIT 10"), "You asked for 5; the query uses 10."),
        ("Die fünf besten Kunden", best.to_owned(), "You asked for fünf; the query does not use it."),
        ("Orders over 100 Euro", format!("{SUM} total > 500"), "You asked for 100; the query uses 500."),
        (
            "Who ordered more than three times?",
            "SELECT COUNT(DISTINCT customer_id) FROM orders".into(),
            "You asked for three; the query does not use it.",
        ),
    ] {
        assert_eq!(unused_notes(question, &sql), [expected], "{question}: {sql}");
    }
}

#[test]
fn a_stored_value_is_used_by_another_writing_of_it() {
    let of = |condition: &str| format!("SELECT COUNT(*) FROM customers WHERE {condition}");
    let values = [value_match("country", "Germany"), value_match("country", "United States")];
    let told = |question: &str, condition: &str| notes_with(question, &of(condition), &values, &Page::default());
    assert_eq!(told("Customers in Germany", "country = 'France'"), ["You asked for Germany; the query uses France."]);
    assert_eq!(told("Customers in Germany", "is_active = 1"), ["You asked for Germany; the query does not use it."]);
    for (question, condition) in [
        ("Customers in Germany", "country = 'Germany'"),
        ("Customers in Germany", "country ILIKE '%german%'"),
        ("Customers in Germany", "country_code = 'DE'"),
        ("Customers in the United States", "country IN ('USA', 'US')"),
        ("Customers outside the United States", "country <> 'U.S.'"),
        ("Which germany is meant", "is_active = 1"),
    ] {
        let told = told(question, condition);
        assert!(told.is_empty(), "{question}: {condition}: {told:?}");
    }
    let shown = Page { rows: vec![vec![Some("Germany".into())]], row_count: 1, ..Page::default() };
    let by_country = "SELECT country, COUNT(*) FROM customers GROUP BY country";
    assert!(notes_with("Compare Germany with others", by_country, &values, &shown).is_empty());
}

#[test]
fn what_is_in_quotation_marks_has_to_be_looked_for() {
    let of = |condition: &str| format!("SELECT COUNT(*) FROM customers WHERE {condition}");
    assert_eq!(
        unused_notes("Customers named “Smith”", &of("is_active = 1")),
        ["You asked for Smith; the query does not use it."]
    );
    for (question, condition) in [
        ("Customers named 'Smith'", "name = 'smith'"),
        ("Customers named \"Smith,\"", "name LIKE '%Smith%'"),
        ("How many 'active' customers?", "is_active = 1"),
    ] {
        assert!(unused_notes(question, &of(condition)).is_empty(), "{question}");
    }
}

#[test]
fn a_period_that_the_query_leaves_out_alone_is_used() {
    for (question, condition) in [
        ("Revenue outside of 2023", "placed < '2023-01-01' OR placed >= '2024-01-01'"),
        ("Umsatz ohne das Jahr 2023", "placed <= '2022-12-31' OR placed > '2023-12-31'"),
        ("Revenue not in 2023", "NOT (placed >= '2023-01-01' AND placed < '2024-01-01')"),
    ] {
        assert_eq!(
            unused_notes(question, &format!("{SUM} {condition}")),
            Vec::<String>::new(),
            "{question}: {condition}"
        );
    }
    for condition in
        ["placed < '2022-01-01' OR placed >= '2024-01-01'", "placed < '2023-01-01' OR placed >= '2025-01-01'"]
    {
        assert_eq!(unused_notes("Revenue outside of 2023", &format!("{SUM} {condition}")).len(), 1, "{condition}");
    }
}

#[test]
fn words_of_comparison_are_no_ranking_and_no_missing_start() {
    let last_year = "SELECT SUM(total) FROM orders WHERE placed >= '2024-01-01' AND placed < '2025-01-01'";
    let grouped = "SELECT customer_id FROM orders GROUP BY customer_id HAVING";
    for (question, sql) in [
        ("How much revenue did the 3 stores that opened last year make?".to_owned(), last_year.to_owned()),
        ("Which of the 5 customers with at least 10 orders paid most?".to_owned(), format!("{grouped} COUNT(*) >= 10")),
        (
            "Combien ont vendu les 3 magasins qui ont plus de 10 commandes ?".to_owned(),
            format!("{grouped} COUNT(*) > 10"),
        ),
        ("How many orders have a year less than 2020?".to_owned(), format!("{SUM} year(placed) < 2020")),
        ("Wie viele Bestellungen haben ein Jahr kleiner als 2020?".to_owned(), format!("{SUM} year(placed) < 2020")),
        (
            "Which customers have not ordered since 2023?".to_owned(),
            format!("{grouped} MAX(placed) < DATE '2023-01-01'"),
        ),
        (
            "Welche Kunden haben seit 2023 nicht mehr bestellt?".to_owned(),
            format!("{grouped} MAX(placed) < DATE '2023-01-01'"),
        ),
    ] {
        assert_eq!(unused_notes(&question, &sql), Vec::<String>::new(), "{question}");
    }
    for (question, sql) in [
        ("Show the 10 customers with the most orders", "SELECT customer_id FROM orders GROUP BY 1 LIMIT 5"),
        ("Revenue in 2024", "SELECT SUM(total) FROM orders WHERE placed < '2024-01-01'"),
        ("Revenue of at least 2024", "SELECT SUM(total) FROM orders WHERE placed < '2024-01-01'"),
    ] {
        assert_eq!(unused_notes(question, sql).len(), 1, "{question}");
    }
}
