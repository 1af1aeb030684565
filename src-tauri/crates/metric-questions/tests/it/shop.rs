//! Questions about the sample warehouse.

use crate::support::Database;
use vitrine_domain::metric_answer::PartRole;
use vitrine_metric_questions::{Coverage, list_definitions};

const TABLES: &str = "
CREATE TABLE categories (category_id INTEGER PRIMARY KEY, category_name VARCHAR, department VARCHAR);
CREATE TABLE suppliers (supplier_id INTEGER PRIMARY KEY, supplier_name VARCHAR, country VARCHAR);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, prod_nm VARCHAR, category_id INTEGER, supplier_id INTEGER,
  list_price DECIMAL(10,2), status_cd VARCHAR);
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, store_name VARCHAR, city VARCHAR, state VARCHAR, country VARCHAR,
  region VARCHAR);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, full_nm VARCHAR, city VARCHAR, country VARCHAR, signup_dt VARCHAR);
CREATE TABLE promotions (promo_id INTEGER PRIMARY KEY, promo_name VARCHAR);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, store_id INTEGER, promo_id INTEGER,
  order_date DATE, channel VARCHAR, status VARCHAR);
CREATE TABLE order_items (order_id INTEGER, line_no INTEGER, product_id INTEGER, qty INTEGER, disc_pct INTEGER,
  net_amt DECIMAL(12,2));
CREATE TABLE returns (return_id INTEGER PRIMARY KEY, order_id INTEGER, return_date DATE, reason_cd VARCHAR,
  refund_amt DECIMAL(12,2));
CREATE TABLE employees (emp_id INTEGER PRIMARY KEY, full_nm VARCHAR, job_title VARCHAR);
";

pub fn shop() -> Database {
    shop_with(&[])
}

/// Returns the shop with further stored values.
pub fn shop_with(more: &[(&str, &str, &[&str])]) -> Database {
    let values: [(&str, &str, &[&str]); 17] = [
        ("orders", "channel", &["store", "web", "app"]),
        ("orders", "status", &["completed", "cancelled", "shipped"]),
        ("stores", "city", &["New York", "Boston", "Toronto"]),
        ("stores", "store_name", &["SoHo Flagship", "Back Bay", "Old Port"]),
        ("stores", "country", &["US", "USA", "Canada", "UK"]),
        ("stores", "region", &["NE", "SE", "MW", "W"]),
        ("stores", "state", &["NY", "MA"]),
        ("customers", "city", &["New York", "Boston", "Buffalo"]),
        ("customers", "country", &["US", "USA", "Canada"]),
        ("suppliers", "country", &["Canada", "Germany"]),
        ("categories", "category_name", &["Kitchen", "Bath"]),
        ("categories", "department", &["Home", "Office"]),
        ("products", "prod_nm", &["Oak Desk", "Wool Rug"]),
        ("products", "status_cd", &["A", "D", "S"]),
        ("promotions", "promo_name", &["Spring Sale", "Black Friday"]),
        ("returns", "reason_cd", &["DMG", "WRG"]),
        ("employees", "job_title", &["Clerk", "Manager"]),
    ];
    let values = [values.as_slice(), more].concat();
    Database::new(TABLES, include_str!("../../../warehouse/src/sample/metrics.yaml"), &values)
}

#[test]
fn questions_about_numbers_and_periods_are_covered() {
    shop().assert_covered(&[
        ("What was our revenue in 2024?", "revenue from 2024-01-01 to 2024-12-31"),
        ("revenue", "revenue"),
        ("Total sales in March 2024", "revenue from 2024-03-01 to 2024-03-31"),
        ("How many orders did we have in Q2 2024?", "orders from 2024-04-01 to 2024-06-30"),
        ("How many units were sold in 2023?", "units_sold from 2023-01-01 to 2023-12-31"),
        ("How many new customers did we have last year?", "new_customers from 2024-01-01 to 2024-12-31"),
        ("What is the average order value?", "average_order_value"),
        ("Show me the refund rate for the first half of 2024", "refund_rate from 2024-01-01 to 2024-06-30"),
        ("How much revenue did we make between March and May 2024?", "revenue from 2024-03-01 to 2024-05-31"),
        ("revenue from 2022 to 2023", "revenue from 2022-01-01 to 2023-12-31"),
        ("revenue since 2023", "revenue from 2023-01-01"),
        ("revenue before 2023", "revenue to 2022-12-31"),
        ("revenue after March 2024", "revenue from 2024-04-01"),
        ("Refunds on 5 March 2024", "refunds from 2024-03-05 to 2024-03-05"),
        ("Refunds on March 5, 2024", "refunds from 2024-03-05 to 2024-03-05"),
        ("revenue of the last 30 days", "revenue from 2025-02-19 to 2025-03-20"),
        ("revenue in the last 3 months", "revenue from 2024-12-01 to 2025-02-28"),
        ("orders this week", "orders from 2025-03-17 to 2025-03-23"),
        ("revenue year to date", "revenue from 2025-01-01 to 2025-03-20"),
        ("number of orders in 2024-02", "orders from 2024-02-01 to 2024-02-29"),
        ("Revenue and refunds in 2024", "revenue+refunds from 2024-01-01 to 2024-12-31"),
    ]);
}

#[test]
fn groups_values_and_calculations_are_covered() {
    shop().assert_covered(&[
        ("revenue by month in 2024", "revenue by metric_time__month from 2024-01-01 to 2024-12-31"),
        ("Monthly revenue", "revenue by metric_time__month"),
        ("What was the revenue for each region?", "revenue by order__store__region"),
        ("Revenue and orders by region", "revenue+orders by store__region"),
        ("orders per channel and quarter", "orders by order__channel,metric_time__quarter"),
        ("Revenue by product category, region", "revenue by product__category__name,order__store__region"),
        ("Revenue by country of the store", "revenue by order__store__country"),
        ("revenue by store city", "revenue by order__store__city"),
        (
            "How many web orders did we have in 2024?",
            "orders where order__channel = 'web' from 2024-01-01 to 2024-12-31",
        ),
        ("Revenue of active products", "revenue where product__status = 'A'"),
        ("Units sold of Oak Desk by month", "units_sold by metric_time__month where product__name = 'Oak Desk'"),
        ("Revenue of stores in Boston", "revenue where order__store__city = 'Boston'"),
        ("Refunds for damaged by month", "refunds by metric_time__month where return__reason = 'DMG'"),
        ("Orders with promotion Spring Sale", "orders where promotion__name = 'Spring Sale'"),
        ("New customers in Canada by year", "new_customers by metric_time__year where customer__country = 'Canada'"),
        (
            "Top 5 stores by revenue",
            "revenue by order__store__name where order__store__name IS NOT NULL order -revenue limit 5",
        ),
        (
            "Which store had the most orders in 2024?",
            "orders by store__name where store__name IS NOT NULL from 2024-01-01 to 2024-12-31 order -orders limit 1",
        ),
        ("Which month had the highest revenue?", "revenue by metric_time__month order -revenue limit 1"),
        (
            "the 3 channels with the lowest average order value",
            "average_order_value by order__channel where order__channel IS NOT NULL order average_order_value limit 3",
        ),
        (
            "Revenue by month in 2024 compared with the previous year",
            "revenue by metric_time__month from 2024-01-01 to 2024-12-31 vs year",
        ),
        (
            "revenue in March 2024 compared to the previous month",
            "revenue by metric_time__month from 2024-03-01 to 2024-03-31 vs period",
        ),
        ("share of revenue by channel", "revenue by order__channel with share"),
        ("cumulative revenue by month", "revenue by metric_time__month with running"),
        ("Orders by channel for web and app", "orders by order__channel where order__channel IN ('web', 'app')"),
    ]);
}

#[test]
fn german_french_and_spanish_questions_are_covered() {
    shop().assert_covered(&[
        ("Wie hoch war der Umsatz im Jahr 2024?", "revenue from 2024-01-01 to 2024-12-31"),
        ("Umsatz pro Monat", "revenue by metric_time__month"),
        ("Umsatz nach Filiale und Quartal", "revenue by order__store__name,metric_time__quarter"),
        ("Wie viele Bestellungen hatten wir im März 2024?", "orders from 2024-03-01 to 2024-03-31"),
        ("Wie viele Neukunden gab es im 3. Quartal 2023?", "new_customers from 2023-07-01 to 2023-09-30"),
        (
            "Die drei besten Filialen nach Umsatz",
            "revenue by order__store__name where order__store__name IS NOT NULL order -revenue limit 3",
        ),
        (
            "Welche Filiale hatte 2024 den höchsten Umsatz?",
            "revenue by order__store__name where order__store__name IS NOT NULL from 2024-01-01 to 2024-12-31 order -revenue limit 1",
        ),
        ("Durchschnittlicher Bestellwert seit 2023", "average_order_value from 2023-01-01"),
        ("Umsatz pro Monat im Vergleich zum Vorjahr", "revenue by metric_time__month vs year"),
        ("Umsatz 2024 im Vergleich zum Vorjahr", "revenue by metric_time__year from 2024-01-01 to 2024-12-31 vs year"),
        ("Anteil am Umsatz nach Kanal", "revenue by order__channel with share"),
        ("Erstattungen vom 05.03.2024", "refunds from 2024-03-05 to 2024-03-05"),
        ("Umsatz der letzten 7 Tage", "revenue from 2025-03-14 to 2025-03-20"),
        ("Quel était le chiffre d'affaires en 2024 ?", "revenue from 2024-01-01 to 2024-12-31"),
        ("Chiffre d'affaires par mois en 2023", "revenue by metric_time__month from 2023-01-01 to 2023-12-31"),
        ("Combien de commandes avons-nous eu en mars 2024 ?", "orders from 2024-03-01 to 2024-03-31"),
        (
            "Quel magasin a le chiffre d'affaires le plus élevé ?",
            "revenue by order__store__name where order__store__name IS NOT NULL order -revenue limit 1",
        ),
        ("Remboursements des 30 derniers jours", "refunds from 2025-02-19 to 2025-03-20"),
        ("Commandes par canal entre 2022 et 2023", "orders by order__channel from 2022-01-01 to 2023-12-31"),
        ("revenue por mes en 2024", "revenue by metric_time__month from 2024-01-01 to 2024-12-31"),
        ("revenue desde marzo de 2024", "revenue from 2024-03-01"),
    ]);
}

#[test]
fn questions_with_a_word_that_has_no_role_are_not_covered() {
    shop().assert_uncovered(&[
        "How many customers do we have?",
        "How many customers signed up in 2023?",
        "How many stores had revenue in 2024?",
        "Which stores had orders in March 2024?",
        "revenue without refunds",
        "revenue not in 2024",
        "orders in 2023 or 2024",
        "stores with more than 100 orders",
        "orders over 100 USD",
        "average revenue per month",
        "median revenue by store",
        "maximum revenue by store",
        "net revenue in 2024",
        "revenue growth in 2024",
        "Why did revenue fall in 2024?",
        "revenue per order",
        "revenue / orders",
        "revenue - refunds",
        "revenue > 100",
        "revenue in March",
        "revenue until 2024",
        "revenue at the end of 2024",
        "What share of revenue is web?",
        "revenue forecast for 2026",
        "revenue of all orders",
        "Ohne Erstattungen: Umsatz 2024",
        "Umsatz nicht im Jahr 2024",
        "Umsatz in Berlin",
        "Durchschnittlicher Umsatz pro Filiale",
        "Umsatz in Filialen mit mehr als 100 Bestellungen",
        "Wie viele Kunden haben wir?",
        "Bestellungen oder Umsatz 2024",
        "Chiffre d'affaires sans les remboursements",
        "Combien de clients avons-nous ?",
        "Chiffre d'affaires moyen par magasin",
        "Magasins avec plus de 100 commandes",
        "¿Cuántos clientes tenemos?",
        "revenue sin devoluciones",
        "",
        "in 2024",
    ]);
}

#[test]
fn questions_with_several_meanings_are_not_covered() {
    let shop = shop();
    shop.assert_uncovered(&[
        // Stores, customers and suppliers have a country; stores and customers a city.
        "revenue by country",
        "revenue by city",
        "revenue in Boston",
        "revenue in Canada",
        // A channel and a dimension.
        "store revenue",
        // A state is not a dimension, but stores have one.
        "revenue in MA",
        // The definitions leave out cancelled orders.
        "cancelled orders in 2024",
        "orders by status",
        "revenue by order status",
        // Their number or their amount.
        "How many refunds did we have in 2024?",
        "Which store had the most refunds?",
        "Wie viele Erstattungen gab es 2024?",
        // A list or a number.
        "Show the orders of March 2024",
        "Which orders came in March 2024?",
        // The number of rows.
        "Which stores have the highest revenue?",
        "top stores by revenue",
        "best stores by refunds",
        "Revenue of the top 5 stores",
        // A total or separate numbers.
        "orders for web and app",
        "revenue in 2023 and 2024",
        // The rank within each month.
        "Which store had the highest revenue by month?",
        // The day of the month or the month of the day.
        "revenue on 05/03/2024",
        // The calendar year, or twelve months.
        "revenue in the last year",
        // Other periods than the whole ones.
        "revenue this time last year",
        "revenue last year to date",
        "revenue a year ago",
        // Metrics of rows that another metric counts.
        "revenue from new customers",
        "revenue of active customers",
        "units sold per order",
        "Umsatz je Bestellung",
        // Groups within a ranking.
        "revenue by month for the top 5 stores",
        "top 10% of stores by revenue",
        "orders by day of the week",
        "revenue in March and April 2024",
        "revenue in USD",
        "Which product had the fewest orders?",
        "total refund rate",
        "revenue by customer",
        "revenue by name",
    ]);
    let Coverage::Ambiguous { text, meanings, metrics } = shop.cover("revenue by country") else { panic!() };
    assert_eq!((text.as_str(), metrics), ("country", vec!["revenue".to_owned()]));
    assert_eq!(meanings.len(), 3, "{meanings:?}");
    let Coverage::Incomplete { unused, metrics } = shop.cover("net revenue in 2024") else { panic!() };
    assert_eq!((unused, metrics), (vec!["net".to_owned()], vec!["revenue".to_owned()]));
}

#[test]
fn a_word_in_capitals_is_never_a_small_word() {
    let shop = shop();
    // "NE" and "W" are regions, "IN" and "A" are nothing that orders have.
    shop.assert_covered(&[("revenue in NE", "revenue where order__store__region = 'NE'")]);
    shop.assert_uncovered(&["revenue in IN", "revenue for IT", "Umsatz in DER", "revenue in DE"]);
}

#[test]
fn the_answer_describes_definition_conditions_and_roles() {
    let covered = shop().covered("Which store had the highest revenue in 2024 for promotion Black Friday?");
    let answer = covered.answer;
    assert_eq!((answer.metrics[0].label.as_str(), answer.metrics[0].owner.as_deref()), ("Revenue", Some("Finance")));
    assert_eq!(answer.metrics[0].filters, ["order__status <> 'cancelled'"]);
    assert_eq!(answer.by, ["Store"]);
    assert_eq!(answer.filters, ["Promotion: Black Friday"]);
    assert_eq!(answer.period.as_deref(), Some("2024-01-01 to 2024-12-31"));
    assert_eq!((answer.order.as_deref(), answer.limit), (Some("highest Revenue first"), Some(1)));
    let role = |text: &str| answer.parts.iter().find(|part| part.text == text).map(|part| part.role);
    assert_eq!(role("store"), Some(PartRole::Group));
    assert_eq!(role("Black Friday"), Some(PartRole::Filter));
    assert_eq!(role("2024"), Some(PartRole::Time));
    assert_eq!(role("highest"), Some(PartRole::Order));
    assert_eq!(role("revenue"), Some(PartRole::Metric));
}

#[test]
fn definitions_of_mentioned_metrics_are_in_words_and_columns() {
    let lines = list_definitions(&shop().file, &["average_order_value".to_owned()]);
    assert_eq!(
        lines[0],
        "Average order value (also: AOV, mean order value, durchschnittlicher Bestellwert, panier moyen): Revenue per order. \
         Computed as Revenue divided by Orders."
    );
    assert!(
        lines[1].ends_with("cancelled orders do not count. Computed as SUM(net_amt) of table order_items."),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 3);
}
