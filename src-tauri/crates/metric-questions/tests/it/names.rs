//! Checks that things with the same name are not added.

use crate::shop::shop;
use vitrine_metric_questions::list_name_checks;

/// Returns the columns that are checked for a question.
fn checked(question: &str) -> Vec<String> {
    let shop = shop();
    let checks = list_name_checks(&shop.file, &shop.catalog, &shop.covered(question).query);
    checks.into_iter().map(|check| format!("{}.{}", check.table, check.column)).collect()
}

#[test]
fn a_group_by_things_checks_that_their_names_differ() {
    assert_eq!(checked("Top 5 products by revenue"), ["products.prod_nm"]);
    assert_eq!(checked("Revenue by store and supplier"), ["stores.store_name", "suppliers.supplier_name"]);
    assert_eq!(checked("Umsatz nach Kategorie"), ["categories.category_name"]);
}

#[test]
fn a_group_by_a_property_has_no_check() {
    for question in ["Revenue by region", "Revenue by channel and month", "Revenue by city of the store", "revenue"] {
        assert!(checked(question).is_empty(), "{question}");
    }
}

#[test]
fn a_name_that_the_database_keeps_unique_has_no_check() {
    let mut shop = shop();
    let query = shop.covered("Revenue by product").query;
    let products = shop.catalog.tables.iter_mut().find(|table| table.name.name == "products").expect("products");
    products.unique_keys.push(vec!["prod_nm".to_owned()]);
    assert!(list_name_checks(&shop.file, &shop.catalog, &query).is_empty());
}

#[test]
fn the_check_reads_one_repeated_name() {
    let shop = shop();
    let checks = list_name_checks(&shop.file, &shop.catalog, &shop.covered("Revenue by product").query);
    assert_eq!(
        checks[0].sql.as_str(),
        "SELECT prod_nm\nFROM products\nWHERE prod_nm IS NOT NULL\nGROUP BY prod_nm\nHAVING COUNT(*) > 1\nLIMIT 1"
    );
}
