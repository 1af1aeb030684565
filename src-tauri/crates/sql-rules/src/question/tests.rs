use super::QuestionFacts;
use crate::{RuleInput, find_variants, fixtures};
use vitrine_domain::{Catalog, Dialect, Profile, RuleCode, Table, TableName};
use vitrine_sql::ReadOnlySql;

/// Builds a table of text columns.
fn text_table(name: &str, columns: &[&str], key: &[&str], refers: &[(&str, &str, &str)]) -> Table {
    let columns: Vec<(&str, &str)> = columns.iter().map(|name| (*name, "TEXT")).collect();
    fixtures::typed_table(name, &columns, key, refers)
}

/// Customers have orders, which have lines of products; each customer has one agent.
fn shop_catalog() -> Catalog {
    fixtures::catalog_with(
        Dialect::Sqlite,
        vec![
            text_table("agent", &["id", "name", "city"], &["id"], &[]),
            text_table("customer", &["id", "name", "city", "agent"], &["id"], &[("agent", "agent", "id")]),
            text_table("purchase", &["nr", "buyer", "state", "year"], &["nr"], &[("buyer", "customer", "id")]),
            text_table(
                "line",
                &["purchase", "product"],
                &[],
                &[("purchase", "purchase", "nr"), ("product", "product", "id")],
            ),
            text_table("product", &["id", "label"], &["id"], &[]),
        ],
    )
}

fn apply_with_denied(sql: &str, denied: Option<&[&str]>) -> Option<String> {
    let names = |list: &[&str]| list.iter().map(|name| TableName::from_unqualified(*name)).collect::<Vec<_>>();
    let said = QuestionFacts { denied: denied.map(names), ..QuestionFacts::default() };
    fitted_to(sql, &said)
}

/// Returns the fitted query on one line.
fn fitted_to(sql: &str, said: &QuestionFacts) -> Option<String> {
    let (catalog, profile) = (shop_catalog(), Profile::default());
    let of_names = ["R007", "R008", "R009", "R011"].map(RuleCode::new);
    let input = RuleInput { off: &of_names, ..fixtures::rule_input(&catalog, &profile, said) };
    let fitted = find_variants(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &input).pop()?;
    Some(fitted.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn those_that_have_none_are_not_those_that_have_another() {
    let without = |sql: &str| apply_with_denied(sql, Some(&["customer"]));
    assert_eq!(
        without("SELECT c.name FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state <> 'paid'")
            .unwrap(),
        "SELECT c.name FROM customer AS c WHERE NOT EXISTS ( SELECT 1 FROM purchase AS p WHERE c.id = p.buyer AND \
         p.state = 'paid' )"
    );
    let optional =
        "SELECT c.name FROM customer AS c LEFT JOIN purchase AS p ON c.id = p.buyer WHERE NOT p.state = 'paid'";
    assert_eq!(
        without(optional).unwrap(),
        "SELECT c.name FROM customer AS c WHERE NOT EXISTS ( SELECT 1 FROM purchase AS p WHERE c.id = p.buyer AND p.state \
         = 'paid' )"
    );
    assert_eq!(
        without(
            "SELECT a.city, COUNT(c.id) FROM purchase AS p JOIN customer AS c ON p.buyer = c.id JOIN agent AS a ON \
             c.agent = a.id JOIN line AS l ON l.purchase = p.nr JOIN product AS t ON l.product = t.id WHERE c.city = \
             'Rome' AND p.year = 2023 AND t.label NOT IN ('tea', 'milk') GROUP BY a.city ORDER BY a.city"
        )
        .unwrap(),
        "SELECT a.city, COUNT(c.id) FROM customer AS c JOIN agent AS a ON c.agent = a.id WHERE c.city = 'Rome' AND NOT \
         EXISTS ( SELECT 1 FROM purchase AS p JOIN line AS l ON l.purchase = p.nr JOIN product AS t ON l.product = t.id \
         WHERE p.buyer = c.id AND t.label IN ('tea', 'milk') AND p.year = 2023 ) GROUP BY a.city ORDER BY a.city"
    );
}

#[test]
fn those_that_have_none_are_not_read_off_rows_that_say_something_else() {
    let without = |sql: &str| apply_with_denied(sql, Some(&["customer"]));
    assert_eq!(
        without("SELECT DISTINCT buyer FROM purchase WHERE state <> 'paid' AND year = 2023").unwrap(),
        "SELECT customer.id FROM customer WHERE NOT EXISTS ( SELECT 1 FROM purchase WHERE customer.id = purchase.buyer \
         AND purchase.state = 'paid' AND purchase.year = 2023 )"
    );
    assert_eq!(
        without("SELECT COUNT(DISTINCT p.buyer) AS n FROM purchase AS p WHERE p.state <> 'paid'").unwrap(),
        "SELECT COUNT(DISTINCT customer.id) AS n FROM customer WHERE NOT EXISTS ( SELECT 1 FROM purchase AS p WHERE \
         customer.id = p.buyer AND p.state = 'paid' )"
    );
    for sql in [
        "SELECT COUNT(buyer) FROM purchase WHERE state <> 'paid'",
        "SELECT nr FROM purchase WHERE state <> 'paid'",
        "SELECT buyer FROM purchase WHERE state <> 'paid' GROUP BY buyer HAVING COUNT(*) > 1",
        "SELECT buyer FROM purchase WHERE state <> 'paid' AND buyer IN (SELECT id FROM customer)",
        "SELECT buyer FROM purchase WHERE state = 'paid'",
    ] {
        assert_eq!(without(sql), None, "{sql}");
    }
    let sql = "SELECT buyer FROM purchase WHERE state <> 'paid'";
    assert_eq!(
        apply_with_denied(sql, Some(&["customer", "purchase"])),
        None,
        "purchases that were not paid have buyers"
    );
}

#[test]
fn a_row_that_there_is_is_another_than_the_one_that_there_is_not() {
    let sql = "SELECT c.name FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state = 'open' AND p.state <> \
               'paid' AND c.city = 'Rome'";
    assert_eq!(
        apply_with_denied(sql, Some(&["customer"])).unwrap(),
        "SELECT c.name FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE c.city = 'Rome' AND p.state = 'open' \
         AND NOT EXISTS ( SELECT 1 FROM purchase AS p WHERE c.id = p.buyer AND p.state = 'paid' )"
    );
}

#[test]
fn what_may_be_meant_as_it_stands_is_left() {
    let paid = "SELECT c.name FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state <> 'paid'";
    assert_eq!(apply_with_denied(paid, None), None, "nothing is denied");
    assert_eq!(apply_with_denied(paid, Some(&["purchase"])), None, "purchases that were not paid");
    for sql in [
        "SELECT c.name FROM customer AS c JOIN agent AS a ON c.agent = a.id WHERE a.city <> 'Rome'",
        "SELECT p.nr FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state <> 'paid'",
        "SELECT COUNT(*) FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state <> 'paid'",
        "SELECT * FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state <> 'paid'",
        "SELECT c.name FROM agent AS a LEFT JOIN customer AS c ON c.agent = a.id JOIN purchase AS p ON c.id = p.buyer WHERE \
         p.state <> 'paid' ORDER BY a.name",
        "SELECT c.name FROM customer AS c LEFT JOIN purchase AS p ON c.id = p.buyer AND p.state <> 'paid'",
        "SELECT c.name FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state <> 'paid' AND p.year <> 2023",
        "SELECT c.name FROM customer AS c JOIN purchase AS p ON c.id = p.buyer WHERE p.state <> 'paid' OR c.city = 'Rome'",
        "SELECT name FROM customer WHERE city <> 'Rome'",
    ] {
        assert_eq!(apply_with_denied(sql, Some(&["customer"])), None, "{sql}");
    }
}

#[test]
fn things_are_counted_and_not_the_rows_that_a_join_makes_of_them() {
    let fitted = |sql: &str| {
        let said = QuestionFacts { counted: vec![TableName::from_unqualified("customer")], ..QuestionFacts::default() };
        fitted_to(sql, &said)
    };
    assert_eq!(
        fitted("SELECT p.year, COUNT(*) AS n FROM customer c JOIN purchase p ON p.buyer = c.id GROUP BY p.year")
            .unwrap(),
        "SELECT p.year, COUNT(DISTINCT c.id) AS n FROM customer c JOIN purchase p ON p.buyer = c.id GROUP BY p.year"
    );
    for sql in [
        "SELECT COUNT(*) FROM customer c JOIN agent a ON c.agent = a.id",
        "SELECT COUNT(*) FROM customer",
        "SELECT c.id, COUNT(*) FROM customer c JOIN purchase p ON p.buyer = c.id GROUP BY c.id",
        "SELECT p.year, COUNT(*) FROM customer c JOIN purchase p ON p.buyer = c.id GROUP BY p.year HAVING COUNT(*) > 2",
        "SELECT COUNT(p.nr) FROM customer c JOIN purchase p ON p.buyer = c.id",
        "SELECT COUNT(*) FROM customer c JOIN purchase p ON p.buyer = c.id WHERE p.nr = 7",
        "SELECT COUNT(*) FROM purchase",
    ] {
        assert_eq!(fitted(sql), None, "{sql}");
    }
}
