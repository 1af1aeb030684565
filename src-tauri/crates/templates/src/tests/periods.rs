//! Periods, and times in the query that no period explains.

use super::{IN_CITY, TOP, assert_none, fill};

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
fn a_relative_time_with_fixed_dates_is_asked_again() {
    let sql = "SELECT SUM(total) FROM orders WHERE placed >= '2024-03-01' AND placed < '2024-04-01'";
    assert_eq!(fill("Revenue last month", sql, "Revenue last month"), None);
    let sql = "SELECT SUM(total) FROM orders WHERE placed >= date_trunc('month', current_date) - INTERVAL 1 MONTH";
    assert_eq!(fill("Revenue last month", sql, "What was the revenue last month?").as_deref(), Some(sql));
}

#[test]
fn a_month_needs_a_constant_that_depends_on_the_month_and_one_that_depends_on_the_year() {
    for condition in [
        "year = 2024 AND sales_month = 'March'",
        "year = 2024 AND monthname(placed) = 'March'",
        "year = 2024 AND order_month = 3",
        "year = 2024 AND monat = '03'",
        "year = 2024",
        "month(placed) = 3",
    ] {
        let sql = format!("SELECT SUM(total) FROM orders WHERE {condition}");
        assert_none("Revenue in March 2024", &sql, &["Revenue in April 2024", "Revenue in March 2025"]);
    }
    for condition in ["year = 2024 AND fiscal_quarter = 'Q1'", "year = 2024 AND qtr = 1"] {
        let sql = format!("SELECT SUM(total) FROM orders WHERE {condition}");
        assert_none("Revenue in Q1 2024", &sql, &["Revenue in Q2 2024"]);
    }
    let sql = "SELECT SUM(total) FROM orders WHERE year(placed) = 2024 AND month(placed) = 3";
    let filled = fill("Revenue in March 2024", sql, "Revenue in April 2025").unwrap();
    assert!(filled.contains("= 2025") && filled.contains("= 4"), "{filled}");
    let sql = "SELECT SUM(total) FROM orders WHERE year(placed) = 2024 AND quarter(placed) = 1";
    assert!(fill("Revenue in Q1 2024", sql, "Revenue in Q3 2024").unwrap().contains("= 3"));
}

#[test]
fn a_day_is_replaced_by_the_same_day() {
    let sql = "SELECT SUM(total) FROM orders WHERE placed = '2024-04-30'";
    for (verified, question, expected) in [
        ("Revenue on 30 April 2024", "Revenue on 30 May 2024", "'2024-05-30'"),
        ("Revenue on April 30, 2024", "Revenue on the 1st of May 2025", "'2025-05-01'"),
        ("Umsatz am 30. April 2024", "Umsatz am 2. Mai 2024", "'2024-05-02'"),
        ("Les ventes du 30 avril 2024", "Les ventes du 1er mai 2024", "'2024-05-01'"),
    ] {
        assert!(fill(verified, sql, question).unwrap_or_default().contains(expected), "{verified} / {question}");
    }
    assert_none(
        "Revenue on 30 April 2024",
        sql,
        &["Revenue on 31 April 2024", "Revenue in May 2024", "Revenue on 30 April"],
    );
    let sql = "SELECT SUM(total) FROM orders WHERE placed = '2024-04-30' LIMIT 30";
    assert_none("Revenue on 30 April 2024", sql, &["Revenue on 30 April 2025 and 30 May"]);
}

#[test]
fn a_fixed_time_in_any_constant_is_found() {
    for condition in [
        "placed >= date('2024-03-01')",
        "placed >= make_date(2024, 3, 1)",
        "placed >= strptime('01/03/2024', '%d/%m/%Y')",
        "julian(placed) >= julian(DATE '2024-03-01')",
        "placed >= DATE '2024-04-01' - INTERVAL 1 MONTH",
        "epoch(placed) >= 1709251200",
        "epoch_ms(placed) >= 1709251200000",
        "strftime(placed, '%Y%m%d') >= '20240301'",
        "upper(strftime(placed, '%B')) || '' = 'MARCH'",
    ] {
        let sql = format!("SELECT SUM(total) FROM orders WHERE {condition}");
        assert_none("Revenue last month", &sql, &["Revenue last month"]);
    }
    for condition in ["total > 500000", "code = 'A-17'", "placed >= current_date - 30"] {
        let sql = format!("SELECT SUM(total) FROM orders WHERE {condition}");
        assert!(fill("Revenue last month", &sql, "Show the revenue last month").is_some(), "{sql}");
    }
}

#[test]
fn an_old_value_in_a_name_is_found() {
    for (verified, question, sql) in [
        ("Budget of 2023", "Budget of 2022", "SELECT SUM(budget_2023) FROM t WHERE year = 2023"),
        ("Budget of 2023", "Budget of 2024", "SELECT SUM(x) FROM orders2023 WHERE year = 2023"),
        ("Budget of 2023", "Budget of 2024", "SELECT SUM(FY2023) FROM t WHERE year = 2023"),
        ("Budget of 2023", "Budget of 2024", "SELECT SUM(x) FROM orders_23 WHERE year = 2023"),
        ("Budget of 2023", "Budget of 2024", "SELECT SUM(x - budget_2022) FROM t WHERE year = 2023"),
        ("Budget in March 2023", "Budget in April 2023", "SELECT SUM(budget_march) FROM t WHERE d LIKE '2023-03%'"),
        ("Budget in Q1 2023", "Budget in Q2 2023", "SELECT SUM(q1_budget) FROM t WHERE year = 2023 AND quarter(d) = 1"),
        ("Rows over 100", "Rows over 200", "SELECT top_100 FROM t WHERE x > 100"),
    ] {
        assert_none(verified, sql, &[question]);
    }
    let sql = "SELECT SUM(budget_2023) FROM t WHERE d LIKE '2023-03%'";
    assert!(fill("Budget in March 2023", sql, "Budget in April 2023").unwrap().contains("'2023-04%'"));
    let sql = "SELECT COUNT(*) FROM trips WHERE origin = 'Rome' AND target = 'Milan' AND NOT is_milan";
    assert!(fill("Trips from Rome to Milan", sql, "Trips from Pisa to Milan").unwrap().contains("'Pisa'"));
    assert!(fill("Trips from Rome to Milan", sql, "Trips from Milan to Rome").is_none());
}

#[test]
fn only_a_period_moves_and_only_between_the_ends() {
    let year = "SELECT COUNT(*) FROM t WHERE year = 2023";
    assert_none(
        "Countries that started in 2023 and placed orders",
        year,
        &["Countries that started and placed orders in 2024", "In 2024, countries that started and placed orders"],
    );
    let three = "SELECT name FROM t LIMIT 3";
    assert_none("Sales in the 3 largest countries", three, &["3 sales in the largest countries"]);
    assert_none(
        "Customers of Berlin with stores",
        IN_CITY,
        &["Customers with stores in Berlin", "Customers of with stores Berlin"],
    );
    let moved = fill("In 2023, the countries that started", year, "Countries that started in 2024");
    assert!(moved.unwrap().contains("year = 2024"));
    let top = fill("Top 5 products of 2023", TOP, "In 2024, show me the top 3 products").unwrap();
    assert!(top.contains("year = 2024") && top.contains("LIMIT 3"), "{top}");
    let sql = "SELECT SUM(total) FILTER (WHERE year = 2023), SUM(total) FILTER (WHERE d LIKE '2024-03%') FROM t";
    assert_none("Revenue 2023 compared with March 2024", sql, &["Revenue March 2025 compared with 2022"]);
}

#[test]
fn a_range_without_an_end_is_used_only_for_questions_with_one_end() {
    let sql = "SELECT SUM(total) FROM orders WHERE placed >= '2023-01-01'";
    assert_none("Revenue in 2023", sql, &["Revenue in 2022", "Revenue in 2023"]);
    assert_none("Revenue from Berlin in 2023", sql, &["Revenue from Berlin in 2022"]);
    assert!(fill("Revenue since 2023", sql, "Revenue since 2022").unwrap().contains("'2022-01-01'"));
    assert!(fill("Umsatz seit 2023", sql, "Umsatz seit 2022").unwrap().contains("'2022-01-01'"));
    let sql = "SELECT SUM(total) FROM orders WHERE placed >= '2021-01-01' AND placed < '2024-01-01'";
    let filled = fill("Revenue 2021-2023", sql, "Revenue 2020-2022").unwrap();
    assert!(filled.contains("'2020-01-01'") && filled.contains("'2023-01-01'"), "{filled}");
}

#[test]
fn the_length_of_a_period_prevents_another_period() {
    let year = "SELECT SUM(total) / 365 FROM orders WHERE year = 2023";
    assert_none("Daily revenue in 2023", year, &["Daily revenue in 2024"]);
    let month = "SELECT SUM(total) / 31.0 FROM orders WHERE year = 2024 AND month = 3";
    assert_none("Daily revenue in March 2024", month, &["Daily revenue in April 2024"]);
    assert_eq!(fill("Daily revenue in March 2024", month, "the daily revenue in March 2024").as_deref(), Some(month));
    let other = "SELECT SUM(total) / 31.0 FROM orders WHERE year = 2023";
    assert!(fill("Share in 2023", other, "Share in 2024").is_some());
}
