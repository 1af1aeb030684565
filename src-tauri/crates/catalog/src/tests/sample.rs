//! Tests the sample warehouse from the file to the rendered text.

use crate::{Budget, ProfileOptions, RenderOptions, chunk_schema, compress_catalog, profile_database, render_schema};
use tokio_util::sync::CancellationToken;
use vitrine_domain::SemanticKind as K;
use vitrine_warehouse::{WarehouseUri, open_warehouse, sample};

#[tokio::test]
async fn the_sample_warehouse_becomes_short_and_telling_text() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shop.duckdb");
    sample::create_database(&path, |_| {}).unwrap();
    let warehouse = open_warehouse(&WarehouseUri::parse(&format!("duckdb:{}", path.display())).unwrap()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let read = async || {
        let options = ProfileOptions { parallel: 2, ..ProfileOptions::default() };
        profile_database(warehouse.clone(), &catalog, options, |_, _, _| {}, CancellationToken::new()).await.unwrap()
    };
    let found = read().await;
    assert_eq!(found, read().await, "the same data, the same profile");
    let of = |table: &str, column: &str| {
        found.tables.iter().find(|t| t.table.name == table).and_then(|t| t.find_column(column)).unwrap().clone()
    };
    assert_eq!(of("customers", "signup_dt").hidden.as_deref(), Some("%d/%m/%Y"));
    assert_eq!(of("customers", "signup_dt").max.as_deref(), Some("2024-12-31"));
    assert_eq!((of("customers", "country").kind, of("customers", "country").distinct), (K::Dimension, 8));
    assert_eq!(of("customers", "full_nm").kind, K::Text);
    assert_eq!(of("customers", "prefs").kind, K::Nested);
    assert_eq!(of("products", "sku").kind, K::Identifier);
    assert_eq!(of("order_items", "qty").kind, K::Metric);
    assert_eq!(of("orders", "promo_id").kind, K::Identifier);
    assert_eq!(of("tmp_price_import", "sku").kind, K::Empty);

    let compressed = compress_catalog(&catalog);
    assert_eq!(compressed.group_count(), 2, "targets by year, budgets by year");
    assert_eq!(compressed.expand_tables().len(), catalog.tables.len());
    let options = RenderOptions::default();
    let text = render_schema(&compressed, Some(&found), None, &options);
    insta::assert_snapshot!("sample_schema", text);

    // A tokenizer for code produces about one token per three to four characters here.
    let count = async |texts: &[&str]| texts.iter().map(|t| (t.len() as u32).div_ceil(3)).collect();
    let chunks = chunk_schema(&compressed, Some(&found), Budget::new(800, 0), count, &options).await;
    assert!(chunks.len() > 1 && chunks.iter().all(|c| c.tokens <= 800));
    insta::assert_snapshot!(
        "sample_chunks",
        chunks.iter().map(|c| format!("{} {:?} {}\n", c.index, c.tables, c.tokens)).collect::<String>()
    );
    warehouse.close().await;
}
