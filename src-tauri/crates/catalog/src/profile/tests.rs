use super::*;
use std::cell::RefCell;
use std::path::Path;
use vitrine_domain::{ColumnProfile, SemanticKind as K};
use vitrine_warehouse::{WarehouseUri, open_warehouse};

async fn open_with_catalog(uri: &str) -> (Arc<dyn Warehouse>, Catalog) {
    let warehouse = open_warehouse(&WarehouseUri::parse(uri).unwrap()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    (warehouse, catalog)
}

async fn open_sqlite(dir: &Path, sql: &str) -> (Arc<dyn Warehouse>, Catalog) {
    let path = dir.join("test.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    open_with_catalog(&format!("sqlite:{}", path.display())).await
}

async fn profile_catalog(warehouse: &Arc<dyn Warehouse>, catalog: &Catalog, options: ProfileOptions) -> Profile {
    profile_database(Arc::clone(warehouse), catalog, options, |_, _, _| {}, CancellationToken::new()).await.unwrap()
}

fn find_column<'a>(profile: &'a Profile, table: &str, column: &str) -> &'a ColumnProfile {
    let table = profile.tables.iter().find(|t| t.table.name == table).expect("table is profiled");
    table.find_column(column).expect("column is profiled")
}

fn value_range(column: &ColumnProfile) -> (&str, &str) {
    (column.min.as_deref().unwrap_or("-"), column.max.as_deref().unwrap_or("-"))
}

const ZOO: &str = "
CREATE TABLE animals (
  id INTEGER PRIMARY KEY, species TEXT, name TEXT, born TEXT, fed_at TEXT, arrived INTEGER, weight REAL, tag TEXT,
  price_text TEXT, zip TEXT, lat REAL, facts TEXT, photo BLOB, lonely TEXT, anything, is_tame BOOLEAN
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
INSERT INTO animals SELECT i, CASE i % 3 WHEN 0 THEN 'lion' WHEN 1 THEN 'owl' ELSE 'o''hare' END, 'Name ' || char(65 + i % 26) || i,
  printf('%02d/%02d/%d', i % 28 + 1, i % 12 + 1, 2000 + i % 20), date('2020-01-01', '+' || i || ' days'),
  1600000000 + i * 86400, i * 0.5, printf('TG-%05d', i * 7), CASE WHEN i = 5 THEN '' ELSE printf('%.2f', i / 4.0) END,
  printf('%05d', i * 11), i % 90, json_object('kind', CASE WHEN i % 2 THEN 'a' ELSE 'b' END, 'toes', json_array(i, 2)),
  x'00ff', NULL, CASE WHEN i % 2 THEN i ELSE 'text' || i END, i % 2
FROM n;
CREATE TABLE links (a INTEGER, b INTEGER REFERENCES animals(id), PRIMARY KEY (a, b)) WITHOUT ROWID;
INSERT INTO links SELECT id, id FROM animals;
CREATE TABLE bare (x INTEGER, y TEXT);
CREATE VIEW lions AS SELECT id, name FROM animals WHERE species = 'lion';
";

#[tokio::test]
async fn sqlite_columns_are_judged_by_what_they_hold() {
    let dir = tempfile::tempdir().unwrap();
    let (warehouse, catalog) = open_sqlite(dir.path(), ZOO).await;
    let found = profile_catalog(&warehouse, &catalog, ProfileOptions::default()).await;
    assert!(found.complete);
    assert_eq!(found.fingerprint, catalog.fingerprint);
    let of = |name: &str| find_column(&found, "animals", name);
    let kinds = [
        ("id", K::Identifier),
        ("species", K::Dimension),
        ("name", K::Text),
        ("born", K::Time),
        ("fed_at", K::Time),
        ("arrived", K::Metric),
        ("weight", K::Metric),
        ("tag", K::Identifier),
        ("price_text", K::Metric),
        ("zip", K::Identifier),
        ("lat", K::Geo),
        ("facts", K::Nested),
        ("photo", K::Binary),
        ("lonely", K::Empty),
        ("is_tame", K::Dimension),
    ];
    for (name, kind) in kinds {
        assert_eq!(of(name).kind, kind, "{name}");
    }
    let species: Vec<(&str, u64)> = of("species").top.iter().map(|(v, n)| (v.as_str(), *n)).collect();
    assert_eq!(species, [("owl", 134), ("lion", 133), ("o'hare", 133)]);
    assert!(of("species").complete);
    assert_eq!(of("born").hidden.as_deref(), Some("%d/%m/%Y"));
    assert_eq!(value_range(of("born")).0.len(), 10);
    assert!(
        value_range(of("born")).0.starts_with("2000-") && value_range(of("born")).1.starts_with("2019-"),
        "{:?}",
        value_range(of("born"))
    );
    assert_eq!(value_range(of("fed_at")), ("2020-01-02", "2021-02-04"));
    assert_eq!(value_range(of("weight")), ("0.5", "200.0"));
    assert_eq!((of("weight").mean.as_deref(), of("weight").stddev), (Some("100.25"), Some(57.8072)));
    assert_eq!((of("price_text").mean.as_deref(), of("price_text").stddev), (Some("50.2475"), Some(28.8357)));
    assert_eq!((of("id").stddev, of("species").stddev), (None, None), "neither is a quantity");
    assert_eq!(of("weight").data_type, "REAL");
    assert_eq!(of("price_text").hidden.as_deref(), Some("number"));
    assert_eq!(value_range(of("price_text")), ("0.25", "100.0"));
    assert_eq!(of("facts").paths, [("kind".into(), "text 'a' | 'b'".into()), ("toes[]".into(), "integer".into())]);
    assert_eq!(of("lonely").null_ratio, 1.0);
    assert!(of("photo").samples.is_empty() && of("photo").top.is_empty());
    assert_eq!(find_column(&found, "links", "b").kind, K::Identifier);
    assert_eq!(find_column(&found, "bare", "y").kind, K::Empty);
    assert_eq!(find_column(&found, "lions", "name").kind, K::Text);
}

#[tokio::test]
async fn a_large_table_is_sampled_over_its_whole_length() {
    let dir = tempfile::tempdir().unwrap();
    let (warehouse, catalog) = open_sqlite(dir.path(), ZOO).await;
    let options = ProfileOptions { sample_rows: 120, ..ProfileOptions::default() };
    let found = profile_catalog(&warehouse, &catalog, options.clone()).await;
    let animals = found.tables.iter().find(|t| t.table.name == "animals").unwrap();
    assert_eq!(animals.row_count, Some(400));
    assert!((80..=160).contains(&animals.profiled_rows), "{}", animals.profiled_rows);
    let species = animals.find_column("species").unwrap();
    assert_eq!(species.kind, K::Dimension);
    assert!(!species.complete, "a part of the rows cannot show the whole domain");
    let (first, last) = value_range(animals.find_column("fed_at").unwrap());
    assert!(first < "2020-02" && last > "2021-01", "{first} {last}");
    assert!(animals.find_column("name").unwrap().distinct > 300, "estimated for the whole table");
    let links = found.tables.iter().find(|t| t.table.name == "links").unwrap();
    assert_eq!((links.row_count, links.profiled_rows), (Some(400), 120), "no row ids, so the first rows");
    assert_eq!(found, profile_catalog(&warehouse, &catalog, options).await, "the same again");
}

#[tokio::test]
async fn a_broken_view_is_left_out_and_the_rest_is_told_one_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let broken = "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x'); CREATE TABLE gone (b TEXT);
        CREATE VIEW v AS SELECT b FROM gone; ";
    let (warehouse, mut catalog) = open_sqlite(dir.path(), broken).await;
    // As after a concurrent change of the database.
    catalog.tables.iter_mut().find(|t| t.name.name == "gone").unwrap().name.name = "vanished".into();
    let told = RefCell::new(Vec::new());
    let note = |table: &TableProfile, done: usize, total: usize| {
        told.borrow_mut().push((table.table.name.clone(), done, total))
    };
    let found =
        profile_database(warehouse, &catalog, ProfileOptions::default(), note, CancellationToken::new()).await.unwrap();
    assert_eq!(found.tables.len(), catalog.tables.len() - 1);
    assert!(told.borrow().iter().all(|(name, done, total)| name != "vanished" && *done <= 3 && *total == 3));
}

#[tokio::test]
async fn stopping_is_an_error_and_a_schema_without_data_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let (open, catalog) = open_sqlite(dir.path(), ZOO).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let stopped = profile_database(open, &catalog, ProfileOptions::default(), |_, _, _| {}, cancel).await;
    assert_eq!(stopped, Err(WarehouseError::Cancelled));

    let path = dir.path().join("schema.sql");
    std::fs::write(&path, "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);").unwrap();
    let (schema, catalog) = open_with_catalog(&format!("ddl:{}", path.display())).await;
    let found = profile_catalog(&schema, &catalog, ProfileOptions::default()).await;
    assert_eq!((found.tables.len(), found.complete), (0, true));
}

#[tokio::test]
async fn a_csv_file_is_profiled_like_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sales.csv");
    let rows: String = (0..300).map(|i| format!("{i},{},\"{:.2}\"\n", ["a", "b"][i % 2], i as f64 / 3.0)).collect();
    std::fs::write(&path, format!("n,grp,value\n{rows}")).unwrap();
    let (warehouse, catalog) = open_with_catalog(&format!("file:{}", path.display())).await;
    let found = profile_catalog(&warehouse, &catalog, ProfileOptions::default()).await;
    assert_eq!(found.tables[0].row_count, Some(300));
    let group = found.tables[0].find_column("grp").unwrap();
    assert_eq!((group.kind, &group.top), (K::Dimension, &vec![("a".to_owned(), 150), ("b".to_owned(), 150)]));

    let few = ProfileOptions { sample_rows: 5, ..ProfileOptions::default() };
    let sampled = profile_catalog(&warehouse, &catalog, few.clone()).await;
    assert!((40..=160).contains(&sampled.tables[0].profiled_rows), "{}", sampled.tables[0].profiled_rows);
    assert_eq!(sampled.tables[0].row_count, Some(300));
    assert_eq!(sampled, profile_catalog(&warehouse, &catalog, few.clone()).await);

    // As a view: without row ids, rows are selected by their content.
    let mut view = catalog.clone();
    view.tables[0].kind = vitrine_domain::TableKind::View;
    let sampled = profile_catalog(&warehouse, &view, few.clone()).await;
    assert!((40..=160).contains(&sampled.tables[0].profiled_rows), "{}", sampled.tables[0].profiled_rows);
    assert_eq!(sampled, profile_catalog(&warehouse, &view, few).await);
}

fn find_field<'a>(column: &'a ColumnProfile, path: &str) -> &'a ColumnProfile {
    column.fields.iter().find(|f| f.name == path).unwrap_or_else(|| panic!("{path} is not among {:?}", column.fields))
}

#[tokio::test]
async fn numbers_keep_their_digits_and_their_deviation_far_from_zero() {
    let dir = tempfile::tempdir().unwrap();
    let numbers = "CREATE TABLE t (far INTEGER, tiny REAL, mixed, endless REAL);
        INSERT INTO t VALUES (9007199254740993, 1e-6, 10, 1), (9007199254740995, 1.002e-6, 'n/a', 9e999),
          (9007199254740997, 1.004e-6, 20, 2);";
    let (sqlite, catalog) = open_sqlite(dir.path(), numbers).await;
    let found = profile_catalog(&sqlite, &catalog, ProfileOptions::default()).await;
    let of = |name: &str| find_column(&found, "t", name);
    assert_eq!(value_range(of("far")), ("9007199254740993", "9007199254740997"));
    assert_eq!(of("far").stddev, Some(2.0));
    assert_eq!(of("tiny").stddev, Some(2e-9));
    assert_eq!((of("mixed").mean.as_deref(), of("mixed").stddev), (Some("15"), Some(7.07107)), "of its numbers");
    assert_eq!(of("endless").stddev, None);

    let path = dir.path().join("amounts.csv");
    std::fs::write(&path, "score,rest\n1.5,inf\n2.5,1\n9,2.5\n").unwrap();
    let (files, catalog) = open_with_catalog(&format!("file:{}", path.display())).await;
    let found = profile_catalog(&files, &catalog, ProfileOptions::default()).await;
    let of = |name: &str| found.tables[0].find_column(name).unwrap();
    assert_eq!((of("score").mean.as_deref(), of("score").stddev), (Some("4.33333"), Some(4.07226)));
    assert_eq!(of("rest").stddev, None, "what is infinite takes nothing else with it");
}

const EVENTS: &str = r#"
CREATE TABLE events (id INTEGER PRIMARY KEY, payload TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
INSERT INTO events SELECT i, CASE WHEN i % 4 = 0 THEN NULL ELSE
  '{"lang": "' || CASE i % 3 WHEN 0 THEN 'en' ELSE 'de' END || '", "user_id": ' || i || ', "amount": 12345678901234567890.'
  || (100 + i % 500) || ', "at": "' || date('2024-01-01', '+' || (i % 300) || ' days') || '", "tags": ['
  || CASE WHEN i % 2 THEN '"new", "hot"' ELSE 'null' END || '], "items": [{"qty": ' || (i % 7) || '}]'
  || CASE WHEN i % 5 THEN '' ELSE ', "note": "rare"' END || '}' END FROM n;
"#;

#[tokio::test]
async fn places_within_nested_values_are_profiled_like_columns() {
    let dir = tempfile::tempdir().unwrap();
    let (warehouse, catalog) = open_sqlite(dir.path(), EVENTS).await;
    let found = profile_catalog(&warehouse, &catalog, ProfileOptions::default()).await;
    let payload = find_column(&found, "events", "payload");
    let of = |path: &str| find_field(payload, path);
    let kinds: Vec<(&str, &str, K)> =
        payload.fields.iter().map(|f| (f.name.as_str(), f.data_type.as_str(), f.kind)).collect();
    let expected = [
        ("lang", "text", K::Dimension),
        ("user_id", "integer", K::Identifier),
        ("amount", "float", K::Metric),
        ("at", "text", K::Time),
        ("tags", "list[text]", K::Nested),
        ("tags[]", "text", K::Dimension),
        ("items", "list[dict]", K::Nested),
        ("items[]", "dict", K::Nested),
        ("items[].qty", "integer", K::Metric),
        ("note", "text", K::Dimension),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(of("lang").top, [("de".to_owned(), 1000), ("en".to_owned(), 500)]);
    assert!(of("lang").complete, "every row was read");
    assert_eq!(of("lang").null_ratio, 0.25, "where there is no payload, there is no language");
    assert_eq!(of("note").null_ratio, 0.85);
    assert_eq!(of("tags[]").null_ratio, 0.2, "of the members, not of the rows");
    assert_eq!((of("user_id").distinct, value_range(of("user_id"))), (1500, ("1", "1999")));
    assert_eq!(value_range(of("amount")), ("12345678901234567890.101", "12345678901234567890.599"), "no digit is lost");
    assert_eq!((of("at").hidden.as_deref(), value_range(of("at"))), (Some("%Y-%m-%d"), ("2024-01-02", "2024-10-26")));
    assert_eq!((of("items[].qty").mean.as_deref(), of("items[].qty").stddev), (Some("2.99933"), Some(1.9995)));
}

#[tokio::test]
async fn places_within_a_sample_stand_for_the_whole_table() {
    let dir = tempfile::tempdir().unwrap();
    let (warehouse, catalog) = open_sqlite(dir.path(), EVENTS).await;
    let few = ProfileOptions { sample_rows: 200, ..ProfileOptions::default() };
    let found = profile_catalog(&warehouse, &catalog, few).await;
    assert!(found.tables[0].profiled_rows < 300);
    let payload = find_column(&found, "events", "payload");
    assert!(
        (0.15..0.35).contains(&find_field(payload, "lang").null_ratio),
        "{}",
        find_field(payload, "lang").null_ratio
    );
    assert!(
        (1200..1800).contains(&find_field(payload, "user_id").distinct),
        "{}",
        find_field(payload, "user_id").distinct
    );
}

#[tokio::test]
async fn structs_lists_and_maps_of_a_file_have_their_inside_profiled() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("visits.json");
    let rows: String = (0..200)
        .map(|i| {
            format!(
                "{{\"id\": {i}, \"where\": {{\"city\": \"{}\", \"lat\": {}.5}}, \"seconds\": [{i}, {}]}}\n",
                ["Ghent", "Bruges"][i % 2],
                i % 80,
                i + 1
            )
        })
        .collect();
    std::fs::write(&path, rows).unwrap();
    let (warehouse, catalog) = open_with_catalog(&format!("file:{}", path.display())).await;
    let found = profile_catalog(&warehouse, &catalog, ProfileOptions::default()).await;
    let place = found.tables[0].find_column("where").unwrap();
    assert!(place.data_type.starts_with("STRUCT"), "{}", place.data_type);
    assert_eq!(find_field(place, "city").top, [("Bruges".to_owned(), 100), ("Ghent".to_owned(), 100)]);
    assert_eq!((find_field(place, "lat").kind, value_range(find_field(place, "lat"))), (K::Geo, ("0.5", "79.5")));
    let seconds = find_field(found.tables[0].find_column("seconds").unwrap(), "[]");
    assert_eq!((seconds.kind, value_range(seconds)), (K::Metric, ("0", "200")));
    assert_eq!((seconds.mean.as_deref(), seconds.stddev), (Some("100"), Some(57.8088)));
}

/// A point and a triangle as well-known binary, and the point as PostGIS shows it.
const POINT: &str = "010100000000000000000024400000000000004940";
const TRIANGLE: &str = "0103000000010000000400000000000000000000000000000000000000000000000000f03f0000000000000000\
    0000000000000000000000000000f03f00000000000000000000000000000000";
const SHOWN: &str = "0101000020E610000000000000000024400000000000004940";

#[tokio::test]
async fn bytes_that_hold_geometries_are_told_from_other_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let rows = format!(
        "CREATE TABLE places (id INTEGER PRIMARY KEY, shape BLOB, photo BLOB, digest BLOB, shown TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
         INSERT INTO places SELECT i, CASE WHEN i % 3 THEN x'{TRIANGLE}' ELSE x'{POINT}' END, x'89504e470d0a1a0a0000',
           randomblob(21), '{SHOWN}' FROM n;"
    );
    let (warehouse, catalog) = open_sqlite(dir.path(), &rows).await;
    let found = profile_catalog(&warehouse, &catalog, ProfileOptions::default()).await;
    let of = |name: &str| find_column(&found, "places", name);
    let shapes = [("Polygon".to_owned(), 20), ("Point".to_owned(), 10)];
    assert_eq!(
        (of("shape").kind, of("shape").hidden.as_deref(), &of("shape").top[..]),
        (K::Geo, Some("WKB"), &shapes[..])
    );
    assert!(of("shape").samples.is_empty() && of("shape").min.is_none(), "bytes are shown to nobody");
    assert_eq!((of("shown").kind, of("shown").hidden.as_deref()), (K::Geo, Some("EWKB in hexadecimal")));
    for other in ["photo", "digest"] {
        assert_eq!((of(other).kind, of(other).hidden.as_deref(), of(other).top.len()), (K::Binary, None, 0), "{other}");
    }

    // DuckDB's query for bytes gives the same.
    let path = dir.path().join("places.csv");
    std::fs::write(&path, format!("shape\n{TRIANGLE}\n{POINT}\n89504e470d0a1a0a\n")).unwrap();
    let (files, _) = self::open_with_catalog(&format!("file:{}", path.display())).await;
    let bytes =
        vitrine_domain::Column { name: "shape".into(), data_type: "BLOB".into(), nullable: true, comment: None };
    let queries = queries::Queries { dialect: vitrine_domain::Dialect::Duckdb };
    let from = "(SELECT unhex(shape) AS shape FROM places) AS p";
    let asked = queries.rows_query(&[(&bytes, Some(vitrine_sql::dialect::TypeFamily::Binary))], from, 9);
    let sql = vitrine_sql::ReadOnlySql::parse(&asked, vitrine_domain::Dialect::Duckdb).unwrap();
    let rows = files.run_query(&sql, Default::default(), CancellationToken::new()).await.unwrap();
    let rows = vitrine_warehouse::read_page(rows, 9).await.unwrap().rows;
    let read = |row: &Vec<Option<String>>| geometry::of_bytes(row[0].as_deref().unwrap()).map(|found| found.name);
    assert_eq!(rows.iter().map(read).collect::<Vec<_>>(), [Some("Polygon"), Some("Point"), None]);
}

#[test]
fn dates_in_text_have_a_range_wherever_texts_are_taken_apart() {
    let day = vitrine_domain::Column { name: "day".into(), data_type: "VARCHAR".into(), nullable: true, comment: None };
    use vitrine_domain::Dialect as D;
    for dialect in [D::Sqlite, D::Duckdb, D::Postgres, D::Mysql, D::Snowflake, D::Clickhouse, D::Databricks] {
        let cells = super::queries::Queries { dialect }.hidden_value_cells(&day, "%d.%m.%Y", true);
        assert!(cells.is_some_and(|[min, max, ..]| min.contains("min(") && max.contains("max(")), "{dialect:?}");
    }
}
