//! Building: the columns that are read, their order, and the values that remain.

use crate::common::{World, values};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::SemanticKind::{Dimension, Text};
use vitrine_values::{SearchOptions, SearchTerm, ValueIndex, ValuesError};
use vitrine_warehouse::Warehouse;

fn read_tables(world: &World) -> Vec<String> {
    let mut queries = world.warehouse.queries.lock().unwrap();
    queries.drain(..).map(|q| q.split(" FROM ").nth(1).unwrap().split(' ').next().unwrap().to_owned()).collect()
}

async fn three_tables() -> World {
    let table = |values: Vec<&'static str>| vec![("name", "TEXT", Text, values)];
    World::new(&[
        ("a", table(vec!["Alpha", "Aleph"])),
        ("b", table(vec!["Beta", "Beth"])),
        ("c", table(vec!["Gamma", "Gimel"])),
    ])
    .await
}

#[tokio::test]
async fn a_second_build_reads_nothing() {
    let world = three_tables().await;
    let index = world.index().await;
    assert_eq!(read_tables(&world), ["a", "b", "c"]);
    let report = world.build(&index).await.unwrap();
    assert_eq!((report.unchanged, report.values), (3, 0));
    assert!(read_tables(&world).is_empty());
    assert!(index.is_built(&world.catalog.fingerprint).unwrap());
    assert!(!index.is_built("another").unwrap());
}

#[tokio::test]
async fn only_the_table_that_changed_is_read_again() {
    let mut world = three_tables().await;
    let index = world.index().await;
    read_tables(&world);
    let path = world.folder.path().join("data.db");
    rusqlite::Connection::open(path).unwrap().execute_batch("UPDATE b SET name = 'Bravo' WHERE name = 'Beta'").unwrap();
    world.catalog.fingerprint = "changed".into();
    world.profile.tables[1].columns[0].top[0].0 = "Bravo".into();
    let report = world.build(&index).await.unwrap();
    assert_eq!(report.read, [("b".to_owned(), "name".to_owned())]);
    assert_eq!(read_tables(&world), ["b"]);
    assert_eq!(values(&index, "bravo"), ["Bravo"]);
    assert!(values(&index, "Beta").iter().all(|v| v != "Beta"));
    assert_eq!(values(&index, "alpha")[0], "Alpha");
    assert_eq!(index.size().unwrap().values, 6);
}

#[tokio::test]
async fn a_table_that_is_gone_is_forgotten() {
    let mut world = three_tables().await;
    let index = world.index().await;
    world.catalog.tables.remove(0);
    world.profile.tables.remove(0);
    assert_eq!(world.build(&index).await.unwrap().removed, 1);
    assert!(values(&index, "Alpha").iter().all(|v| v != "Alpha"));
    assert_eq!(values(&index, "gamma")[0], "Gamma");
}

#[tokio::test]
async fn a_cancelled_build_goes_on_where_it_stopped() {
    let world = three_tables().await;
    let index = ValueIndex::open(&world.index_path()).unwrap();
    let cancel = CancellationToken::new();
    let warehouse: Arc<dyn Warehouse> = world.warehouse.clone();
    let stop = cancel.clone();
    let progress = move |p: &vitrine_values::BuildProgress| {
        if p.table == "b" {
            stop.cancel();
        }
    };
    let outcome = index.build(warehouse, &world.catalog, &world.profile, progress, cancel).await;
    assert!(matches!(outcome, Err(ValuesError::Cancelled)), "{outcome:?}");
    assert!(!index.is_built(&world.catalog.fingerprint).unwrap());
    assert_eq!(values(&index, "alpha")[0], "Alpha", "what was read before can be found already");
    assert!(values(&index, "Beta").iter().all(|v| v != "Beta"));

    read_tables(&world);
    let report = world.build(&index).await.unwrap();
    assert_eq!((report.unchanged, report.read.len()), (1, 2));
    assert_eq!(read_tables(&world), ["b", "c"]);
    assert_eq!(values(&index, "beta")[0], "Beta");
    assert!(index.is_built(&world.catalog.fingerprint).unwrap());
}

#[tokio::test]
async fn a_growing_profile_is_indexed_as_far_as_it_goes() {
    let mut world = three_tables().await;
    let rest = world.profile.tables.split_off(1);
    world.profile.complete = false;
    let index = ValueIndex::open(&world.index_path()).unwrap();
    world.build(&index).await.unwrap();
    assert_eq!(values(&index, "alpha")[0], "Alpha");
    assert!(!index.is_built(&world.catalog.fingerprint).unwrap());
    world.profile.tables.extend(rest);
    world.profile.complete = true;
    assert_eq!(world.build(&index).await.unwrap().unchanged, 1);
    assert!(index.is_built(&world.catalog.fingerprint).unwrap());
}

#[tokio::test]
async fn two_builds_give_the_same_answers_in_the_same_order() {
    let names: Vec<String> = (0..400).map(|i| format!("Customer {} of Branch {}", i * 37 % 400, i % 7)).collect();
    let world = World::new(&[
        ("x", vec![("name", "TEXT", Text, names.iter().map(String::as_str).collect())]),
        (
            "y",
            vec![
                ("name", "TEXT", Text, names.iter().rev().map(String::as_str).collect()),
                ("kind", "TEXT", Dimension, vec!["Branch", "Branches"]),
            ],
        ),
    ])
    .await;
    let first = world.index().await;
    let second = ValueIndex::open(&world.folder.path().join("again.db")).unwrap();
    world.build(&second).await.unwrap();
    let terms = [SearchTerm::new("Custmer 12 of Branch"), SearchTerm::new("branch"), SearchTerm::new("%Branch 3")];
    let options = SearchOptions { limit: 30, ..SearchOptions::default() };
    let expected = first.search(&terms, options, None).unwrap();
    assert!(expected.len() > 30);
    assert_eq!(second.search(&terms, options, None).unwrap(), expected);
    assert_eq!(ValueIndex::open(first.path()).unwrap().search(&terms, options, None).unwrap(), expected);
}

#[tokio::test]
async fn names_that_need_quotes_and_a_broken_view_are_no_obstacle() {
    let mut world = World::new(&[
        ("order details", vec![("group", "TEXT", Dimension, vec!["Gold", "Silver"])]),
        ("t", vec![("v", "TEXT", Text, vec!["Vanilla"])]),
    ])
    .await;
    rusqlite::Connection::open(world.folder.path().join("data.db")).unwrap().execute_batch("DROP TABLE t").unwrap();
    let index = ValueIndex::open(&world.index_path()).unwrap();
    let report = world.build(&index).await.unwrap();
    assert_eq!((report.skipped.len(), report.skipped[0].table.as_str()), (1, "t"), "{report:?}");
    assert_eq!(values(&index, "gold")[0], "Gold");
    world.catalog.fingerprint = "later".into();
    assert_eq!(world.build(&index).await.unwrap().unchanged, 1);
}

#[tokio::test]
async fn texts_too_long_to_be_names_are_left_out() {
    let long = format!("Prose {}", "and so on ".repeat(30));
    let world = World::new(&[("t", vec![("v", "TEXT", Text, vec![long.as_str(), "Prose and so on"])])]).await;
    assert_eq!(values(&world.index().await, "prose and so on"), ["Prose and so on"]);
}

#[tokio::test]
async fn only_one_program_builds_at_a_time() {
    let world = three_tables().await;
    let index = ValueIndex::open(&world.index_path()).unwrap();
    let other = ValueIndex::open(&world.index_path()).unwrap();
    let lock = std::fs::File::create(world.index_path().with_extension("lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(world.build(&other).await, Err(ValuesError::Busy { .. })));
    drop(lock);
    world.build(&index).await.unwrap();
    assert_eq!(values(&other, "alpha")[0], "Alpha", "another connection sees what was built");
}

#[tokio::test]
async fn a_file_of_another_format_is_built_anew() {
    let world = three_tables().await;
    std::fs::write(world.index_path(), []).unwrap();
    let old = rusqlite::Connection::open(world.index_path()).unwrap();
    old.execute_batch("CREATE TABLE value(other); PRAGMA user_version = 999;").unwrap();
    drop(old);
    assert_eq!(values(&world.index().await, "alpha")[0], "Alpha");
}

#[tokio::test]
async fn a_damaged_index_file_is_built_anew() {
    let world = three_tables().await;
    std::fs::write(world.index_path(), "this is no database, however long one looks at it. ".repeat(100)).unwrap();
    assert_eq!(values(&world.index().await, "alpha")[0], "Alpha");
}

#[tokio::test]
async fn a_column_too_large_for_the_engines_memory_is_read_in_parts() {
    let names: Vec<String> = (0..300).map(|i| format!("Person Nr {i}{}", ["a", "b", "c"][i % 3])).collect();
    let world = World::new(&[("t", vec![("v", "TEXT", Text, names.iter().map(String::as_str).collect())])]).await;
    world.warehouse.short_of_memory.store(true, std::sync::atomic::Ordering::Relaxed);
    let index = ValueIndex::open(&world.index_path()).unwrap();
    let report = world.build(&index).await.unwrap();
    assert_eq!((report.values, report.skipped.len()), (300, 0));
    assert_eq!(world.warehouse.queries.lock().unwrap().len(), 1 + 4);
    assert!(names.iter().all(|name| values(&index, name)[0] == *name));
}

#[tokio::test]
async fn a_column_of_many_values_is_read_in_parts_from_the_start() {
    let mut world = three_tables().await;
    let column = &mut world.profile.tables[0].columns[0];
    column.distinct = 10_000_000;
    world.profile.tables.truncate(1);
    world.index().await;
    assert_eq!(world.warehouse.queries.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn a_csv_file_through_duckdb_is_indexed_too() {
    let mut world = three_tables().await;
    let path = world.folder.path().join("places.csv");
    std::fs::write(&path, "place,n\nSan Francisco,1\nOakland,2\nOakland,3\n,4\n").unwrap();
    let files = vitrine_warehouse::open_warehouse(
        &vitrine_warehouse::WarehouseUri::parse(&format!("file:{}", path.display())).unwrap(),
    )
    .await
    .unwrap();
    world.catalog = files.load_catalog().await.unwrap();
    let mut table = world.profile.tables.remove(0);
    table.table = world.catalog.tables[0].name.clone();
    table.columns[0].name = "place".into();
    world.profile.tables = vec![table];
    world.warehouse = Arc::new(crate::common::Recording::new(files));
    world.warehouse.short_of_memory.store(true, std::sync::atomic::Ordering::Relaxed);
    let index = ValueIndex::open(&world.index_path()).unwrap();
    let report = world.build(&index).await.unwrap();
    assert_eq!((report.values, report.skipped), (2, vec![]));
    assert_eq!(values(&index, "san fransisco"), ["San Francisco"]);
}
