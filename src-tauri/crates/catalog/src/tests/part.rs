//! Tests that properties of a sample are not attributed to the whole table, from the rows to the prompt text.

use crate::{
    KeyOptions, ProfileOptions, RenderOptions, compress_catalog, infer_keys, profile_database, render_schema,
    with_inferred,
};
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, ModelProfile, Profile, SemanticKind as K};
use vitrine_test_servers::motherduck_server::MotherduckServer;
use vitrine_warehouse::{PreviewOptions, Warehouse, WarehouseUri, open_warehouse, preview_copy};

/// Misleading rows: other rows of the table may have notes, other years and cities, and repeated ids.
const VISITS: &str = "CREATE TABLE visits (id INTEGER, note TEXT, year INTEGER, city TEXT, paid REAL);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO visits SELECT i, NULL, 2021, 'Basel', i / 4.0 FROM n;";

async fn open_sqlite(folder: &Path, sql: &str) -> (Arc<dyn Warehouse>, Catalog) {
    let path = folder.join("shop.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let warehouse = open_warehouse(&WarehouseUri::parse(&format!("sqlite:{}", path.display())).unwrap()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    (warehouse, catalog)
}

/// Returns the profile, the keys and the text for a small and a large model, as statements and as M-Schema.
async fn profile_and_render(
    warehouse: &Arc<dyn Warehouse>,
    catalog: &Catalog,
    options: ProfileOptions,
) -> (Profile, Vec<String>, [String; 3]) {
    let keys = KeyOptions { copied: options.copied, ..KeyOptions::default() };
    let cancel = CancellationToken::new();
    let known = profile_database(Arc::clone(warehouse), catalog, options, |_, _, _| {}, cancel.clone()).await.unwrap();
    let keys = infer_keys(Arc::clone(warehouse), catalog, &known, keys, cancel).await.unwrap().keys;
    let compressed = compress_catalog(&with_inferred(catalog, &keys, &[]));
    let large = ModelProfile::default();
    let small = ModelProfile { deliberates: false, ..large.clone() };
    let forms = [RenderOptions::for_model(&small), RenderOptions::for_model(&large), RenderOptions::m_schema(&large)];
    let texts = forms.map(|options| render_schema(&compressed, Some(&known), None, &options));
    (known, keys.iter().map(|key| key.id()).collect(), texts)
}

#[tokio::test]
async fn what_the_rows_of_a_copy_say_is_said_of_these_rows_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (copy, mut catalog) = open_sqlite(folder.path(), VISITS).await;
    let options = ProfileOptions { copied: true, ..ProfileOptions::default() };
    for (total, head) in [
        (Some(5_000), "5,000 rows, values seen in 1,000 of them"),
        (None, "values seen in 1,000 rows, others were not read"),
    ] {
        catalog.tables[0].row_count = total;
        let (known, keys, [small, large, m_schema]) = profile_and_render(&copy, &catalog, options.clone()).await;
        let table = &known.tables[0];
        assert_eq!((table.row_count, table.sampled_rows()), (total, Some(1_000)), "an unknown number stays unknown");
        assert!(!table.find_column("city").unwrap().complete && table.find_column("note").unwrap().kind == K::Empty);
        assert!(keys.is_empty(), "other rows may repeat it: {keys:?}");
        assert_eq!(
            small,
            format!(
                "CREATE TABLE visits ( -- {head}\n  id INTEGER,\n  note TEXT,\n  year INTEGER, -- seen 2021\n  city TEXT, \
                 -- 'Basel', ...\n  paid REAL, -- seen 0.25 .. 250\n);\n"
            )
        );
        for said in
            ["note TEXT, -- of 1,000 rows: no value", "seen 2021; of 1,000 rows: 1 distinct", "'Basel', ...; of"]
        {
            assert!(large.contains(said) && large.contains(head), "{said}: {large}");
        }
        assert!(m_schema.contains("(note: TEXT, of 1,000 rows: no value)") && m_schema.contains(head), "{m_schema}");
        for text in [large, m_schema] {
            let (all, of_these) = (text.matches("no value").count(), text.matches("of 1,000 rows: no value").count());
            assert!(all == of_these && !text.contains("always") && !text.to_uppercase().contains("PRIMARY"), "{text}");
        }
    }

    catalog.tables[0].row_count = Some(1_000);
    let (known, keys, [small, large, m_schema]) = profile_and_render(&copy, &catalog, options).await;
    assert_eq!((known.tables[0].sampled_rows(), keys), (None, vec!["visits(id)".to_owned()]));
    assert!(known.tables[0].find_column("city").unwrap().complete);
    assert_eq!(
        small,
        "CREATE TABLE visits ( -- 1,000 rows\n  id INTEGER PRIMARY KEY,\n  note TEXT,\n  year INTEGER, -- always 2021\n  \
         city TEXT, -- 'Basel'\n  paid REAL, -- 0.25 .. 250\n);\n"
    );
    assert!(large.contains("note TEXT, -- no value\n") && large.contains("-- always 2021\n"), "{large}");
    assert!(m_schema.contains("(note: TEXT, no value)") && m_schema.contains("Primary Key"), "{m_schema}");
}

/// The first rows of `visits` mislead; `towns`, which has the same columns, is read completely.
async fn first_rows_of_a_warehouse_are_not_taken_for_the_table(address: &str, total: Option<u64>) {
    let warehouse = open_warehouse(&WarehouseUri::parse(address).unwrap()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let (limits, cancel) = (PreviewOptions { rows: 100, tables: 10 }, CancellationToken::new());
    let copy = preview_copy(Arc::clone(&warehouse), &catalog, limits, cancel).await.unwrap();
    let options = ProfileOptions { copied: true, ..ProfileOptions::default() };
    let (known, keys, texts) = profile_and_render(&copy.warehouse, &copy.catalog, options).await;
    let known = copy.profile_of_original(known, &catalog);
    let table = |name: &str| known.tables.iter().find(|table| table.table.name == name).unwrap();
    assert_eq!((table("visits").row_count, table("visits").sampled_rows()), (total, Some(100)));
    assert_eq!((table("towns").row_count, table("towns").sampled_rows()), (Some(50), None));
    assert!(keys.iter().any(|key| key.ends_with("towns(id)")) && keys.len() == 1, "{keys:?}");
    for text in texts {
        let (towns, visits) = text.split_once("visits").unwrap();
        assert!(visits.contains("values seen in 100") && !towns.contains("seen"), "{text}");
        let all = visits.matches("no value").count();
        assert_eq!(all, visits.matches("of 100 rows: no value").count(), "{text}");
        assert!(!visits.contains("always") && !visits.to_uppercase().contains("PRIMARY KEY"), "{text}");
        assert!(towns.to_uppercase().contains("PRIMARY KEY"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_rows_of_motherduck_are_not_taken_for_the_table() {
    let script = "CREATE TABLE towns (id BIGINT, note VARCHAR, year INT, city VARCHAR);
        INSERT INTO towns SELECT n, NULL, 2021, 'Basel' FROM range(50) AS r(n);
        CREATE TABLE visits AS FROM towns LIMIT 0;
        INSERT INTO visits SELECT n % 100, if(n < 100, NULL, 'late'), if(n < 100, 2021, 2022), if(n < 100, 'Basel', 'Oslo')
        FROM range(500) AS r(n) ORDER BY n";
    let server = MotherduckServer::start(script);
    first_rows_of_a_warehouse_are_not_taken_for_the_table(&server.address("shop"), Some(500)).await;
}

#[tokio::test]
async fn a_large_table_of_ones_own_is_known_by_a_sample_and_its_key_by_all_rows() {
    // A single row outside of the sample has a note and another year.
    let odd = "UPDATE visits SET note = 'late', year = 2022 WHERE id = 13;";
    let few = ProfileOptions { sample_rows: 40, ..ProfileOptions::default() };
    for (more, key) in
        [("", vec!["visits(id)".to_owned()]), ("UPDATE visits SET id = 14, year = 2021 WHERE id = 13;", vec![])]
    {
        let folder = tempfile::tempdir().unwrap();
        let (warehouse, catalog) = open_sqlite(folder.path(), &format!("{VISITS}{odd}{more}")).await;
        let (known, _, [small, large, _]) = profile_and_render(&warehouse, &catalog, few.clone()).await;
        assert_eq!(known.tables[0].row_count, Some(1_000));
        assert_eq!(known.tables[0].find_column("note").unwrap().kind, K::Empty, "no row that was read has one");
        assert!(small.contains("1,000 rows, values seen in 40 of them") && small.contains("seen 2021"), "{small}");
        assert!(large.contains("of 40 rows: no value") && !large.contains("always"), "{large}");
        // A sample cannot show that a key repeats; reported keys were checked on all rows.
        let options = KeyOptions { exact_rows: 100, sample_rows: 40, ..KeyOptions::default() };
        let found = infer_keys(warehouse, &catalog, &known, options, CancellationToken::new()).await.unwrap();
        let ids: Vec<String> = found.keys.iter().map(|key| key.id()).collect();
        assert_eq!(ids, key);
        assert!(found.keys.iter().all(|key| key.reason.contains("all 1,000 rows")), "{:?}", found.keys);
    }
}
