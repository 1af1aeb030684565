use super::*;
use serde_json::json;

fn address(text: &str) -> ProjectAddress {
    ProjectAddress::parse(text).unwrap()
}

fn listed(name: &str) -> Listed {
    Listed { dataset: "d".to_owned(), name: name.to_owned(), is_table: true }
}

#[test]
fn what_a_query_has_to_know_of_a_table_is_in_its_comment() {
    let value = json!({
        "type": "TABLE", "description": "Visits of the site", "numRows": "12",
        "schema": {"fields": [{"name": "id", "type": "INTEGER", "mode": "REQUIRED"}, {"name": "day", "type": "DATE"}]},
        "timePartitioning": {"type": "DAY", "field": "day", "requirePartitionFilter": true},
        "clustering": {"fields": ["id"]},
        "tableConstraints": {
            "primaryKey": {"columns": ["id"]},
            "foreignKeys": [
                {"referencedTable": {"projectId": "p", "datasetId": "d", "tableId": "days"},
                 "columnReferences": [{"referencingColumn": "day", "referencedColumn": "date"}]},
                {"referencedTable": {"projectId": "p", "datasetId": "elsewhere", "tableId": "x"},
                 "columnReferences": [{"referencingColumn": "id", "referencedColumn": "id"}]}],
        },
    });
    let read = build_table(&address("bigquery://p/d"), &listed("visits"), &value);
    assert_eq!(
        read.comment.as_deref(),
        Some("Visits of the site Partitioned by day (by day). Every query has to filter on day. Clustered by id.")
    );
    assert_eq!((read.row_count, read.primary_key.as_slice()), (Some(12), ["id".to_owned()].as_slice()));
    assert_eq!(read.foreign_keys.len(), 1);
    assert_eq!(read.foreign_keys[0].ref_table, TableName::from_unqualified("days"));
    let by_arrival = json!({"type": "TABLE", "requirePartitionFilter": true, "timePartitioning": {"type": "MONTH"}});
    assert_eq!(
        build_comment(&by_arrival).as_deref(),
        Some("Partitioned by _PARTITIONTIME (by month). Every query has to filter on _PARTITIONTIME.")
    );
    assert_eq!(build_comment(&json!({"type": "TABLE", "description": " "})), None);
}

#[test]
fn names_have_what_a_query_needs_to_find_them() {
    for (text, written) in [
        ("bigquery://p/d", "t"),
        ("bigquery://p/d?billing_project=pays", "t"),
        ("bigquery://p", "d.t"),
        ("bigquery://p?billing_project=pays", "p.d.t"),
    ] {
        assert_eq!(build_table_name(&address(text), "d", "t").to_string(), written, "{text}");
    }
}

#[test]
fn tables_for_each_day_are_one_entry_where_the_first_of_them_is() {
    let names = ["a", "events_20240228", "b", "events_20240301", "events_20240229", "events_20240227", "few_20240101"];
    let list: Vec<Listed> = names.into_iter().map(listed).collect();
    let told: Vec<(usize, Option<String>)> = list_catalog_entries(&list)
        .into_iter()
        .map(|(at, group)| (at, group.map(|group| group.wildcard_name())))
        .collect();
    assert_eq!(told, [(0, None), (3, Some("events_*".to_owned())), (2, None), (6, None)]);
}

#[test]
fn there_is_time_for_fifty_thousand_tables() {
    let answer = std::time::Duration::from_millis(150);
    let needed = answer * (50_000 / AT_ONCE as u32);
    // Twice, because some requests are rejected temporarily.
    assert!(needed * 2 < super::super::READING, "{needed:?}");
}
