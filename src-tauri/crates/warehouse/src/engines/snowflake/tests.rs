//! Snowflake's replies with random faults, as its driver would return them: no panics; a returned catalog equals the
//! sent one without uncertain parts; only explicit replies yield an estimate or a harmless function.

use super::introspect::{CatalogRows, assemble_tables};
use super::{convert_field, estimate, rights};
use crate::ServerAddress;
use crate::cells;
use crate::engines::adbc::Row;
use arrow::array::*;
use arrow::datatypes::*;
use arrow::record_batch::RecordBatch;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use vitrine_domain::Table;
use vitrine_test_servers::spoiled::{Spoiling, spoil, spoilings};

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Returns the replies about two tables, each a list of rows.
fn replies() -> [Value; 4] {
    let key = |table: &str, column: &str, at: u32, name: &str| json!({"schema_name": "PUBLIC", "table_name": table, "column_name": column, "key_sequence": at.to_string(), "constraint_name": name});
    let part = |column: &str, at: u32| {
        json!({"pk_database_name": "SHOP", "pk_schema_name": "PUBLIC", "pk_table_name": "ITEM", "pk_column_name": column,
            "fk_database_name": "SHOP", "fk_schema_name": "PUBLIC", "fk_table_name": "SOLD", "fk_column_name": column,
            "key_sequence": at.to_string(), "fk_name": "F"})
    };
    let column = |table: &str, name: &str, of: &str| {
        json!({"table_schema": "PUBLIC", "table_name": table, "column_name": name, "data_type": of, "is_nullable": "NO",
            "comment": null, "numeric_precision": "38", "numeric_scale": "0"})
    };
    let table = |name: &str| {
        json!({"table_schema": "PUBLIC", "table_name": name, "table_type": "BASE TABLE", "comment": null, "row_count": "7",
            "last_altered": "x"})
    };
    [
        json!([table("ITEM"), table("SOLD")]),
        json!([
            column("ITEM", "A", "NUMBER"),
            column("ITEM", "B", "TEXT"),
            column("SOLD", "A", "NUMBER"),
            column("SOLD", "B", "TEXT"),
            column("SOLD", "N", "FLOAT")
        ]),
        json!([key("ITEM", "A", 1, "K"), key("ITEM", "B", 2, "K"), key("SOLD", "N", 1, "L")]),
        json!([part("A", 1), part("B", 2)]),
    ]
}

/// Converts a reply to rows as the driver does; invalid rows are skipped, and values that are not text become NULL or
/// their text.
fn rows(reply: &Value) -> Vec<Row> {
    let cell = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let row = |row: &Value| {
        let fields = row.as_object()?;
        Some(Row(fields.iter().map(|(name, value)| (name.clone(), cell(value))).collect()))
    };
    reply.as_array().into_iter().flatten().filter_map(row).collect()
}

fn read_tables(replies: &[Value; 4]) -> Result<Vec<Table>, String> {
    let [listed, columns, primary, imported] = replies.each_ref().map(rows);
    let found = CatalogRows { listed, columns, primary: primary.clone(), unique: primary, imported, views: Vec::new() };
    let account = ServerAddress::parse("snowflake://ann@a/SHOP/PUBLIC").unwrap().snowflake_account().unwrap();
    assemble_tables(&account, &found).map(|(tables, _)| tables).map_err(|error| error.to_string())
}

/// Returns all names of tables and their columns in the replies.
fn collect_names(replies: &[Value; 4]) -> BTreeSet<(String, String)> {
    let [_, columns, ..] = replies.each_ref().map(rows);
    let name =
        |row: &Row| Some((row.column_text("table_name")?.to_owned(), row.column_text("column_name")?.to_owned()));
    columns.iter().filter_map(name).collect()
}

#[test]
fn a_catalog_that_is_told_is_the_one_that_was_sent() {
    let whole = read_tables(&replies()).unwrap();
    assert_eq!(whole.len(), 2);
    assert_eq!((whole[0].primary_key.join(","), whole[1].primary_key.join(",")), ("A,B".to_owned(), "N".to_owned()));
    assert_eq!(whole[1].foreign_keys[0].columns, ["A", "B"]);
    proptest!(config(), |(spoilings in spoilings(4))| {
        let mut replies = replies();
        spoilings.iter().for_each(|one: &Spoiling| spoil(&mut replies[one.reply], one));
        let Ok(tables) = read_tables(&replies) else { return Ok(()) };
        let sent = collect_names(&replies);
        let listed = rows(&replies[0]).len();
        prop_assert!(tables.len() <= listed, "{tables:?}");
        for table in &tables {
            for column in &table.columns {
                prop_assert!(sent.contains(&(table.name.name.clone(), column.name.clone())), "{table:?}");
                prop_assert!(!column.data_type.is_empty(), "{table:?}");
            }
            // An incomplete key is omitted, because half of it would treat different rows as equal.
            for key in table.unique_keys.iter().chain([&table.primary_key]).filter(|key| !key.is_empty()) {
                let of = rows(&replies[2]);
                let names: Vec<Option<&str>> = of.iter().map(|row| row.column_text("column_name")).collect();
                prop_assert!(key.iter().all(|column| names.contains(&Some(column.as_str()))), "{key:?}");
                let untouched = replies[2] == self::replies()[2];
                prop_assert!(!untouched || ["A,B", "N"].contains(&key.join(",").as_str()), "{key:?}");
            }
            for key in &table.foreign_keys {
                prop_assert_eq!(key.columns.len(), key.ref_columns.len());
                prop_assert!(!key.columns.is_empty());
            }
        }
    });
}

#[test]
fn what_names_no_table_is_an_error_and_no_empty_catalog() {
    for (reply, field) in
        [(0, "table_name"), (0, "table_schema"), (1, "column_name"), (1, "table_name"), (1, "data_type")]
    {
        let mut replies = replies();
        for row in replies[reply].as_array_mut().unwrap() {
            row.as_object_mut().unwrap().remove(field);
        }
        let error = read_tables(&replies).unwrap_err();
        assert!(error.contains(field), "{field}: {error}");
    }
    // Incompletely described keys are omitted.
    for field in ["column_name", "key_sequence", "constraint_name"] {
        let mut replies = replies();
        for row in replies[2].as_array_mut().unwrap() {
            row[field] = Value::Null;
        }
        let tables = read_tables(&replies).unwrap();
        let keys: Vec<String> = tables.iter().map(|table| table.primary_key.join(",")).collect();
        match field {
            "column_name" => assert_eq!(keys, ["", ""]),
            "key_sequence" => assert_eq!(keys, ["", "N"], "the order of two columns is not known"),
            _ => assert_eq!(keys, ["A,B", "N"], "each table has one"),
        }
    }
    let mut two = replies();
    two[2] = json!([
        {"schema_name": "PUBLIC", "table_name": "ITEM", "column_name": "A", "key_sequence": "1"},
        {"schema_name": "PUBLIC", "table_name": "ITEM", "column_name": "B", "key_sequence": "1"},
    ]);
    assert_eq!(
        read_tables(&two).unwrap()[0].primary_key,
        [] as [&str; 0],
        "two keys without names are not one of two columns"
    );
}

#[test]
fn an_estimate_is_the_number_that_the_one_plan_says_or_none() {
    let plan = || json!({"GlobalStats": {"partitionsTotal": 2, "partitionsAssigned": 2, "bytesAssigned": 1024}, "Operations": [[{"id": 0}]]});
    let answer = |plan: &str| vec![Row(vec![("content".to_owned(), Some(plan.to_owned()))])];
    assert_eq!(estimate::parse_estimate(&answer(&plan().to_string())), Some(1024));
    proptest!(config(), |(spoilings in spoilings(1), cut in prop::option::weighted(0.2, 0.0..1.0_f64))| {
        let mut plan = plan();
        spoilings.iter().for_each(|one: &Spoiling| spoil(&mut plan, one));
        let mut text = plan.to_string();
        if let Some(share) = cut {
            let length = (text.len() as f64 * share) as usize;
            text = text.chars().take(length).collect();
        }
        let whole = serde_json::from_str::<Value>(&text).ok();
        let said = whole.and_then(|plan| plan.get("GlobalStats")?.get("bytesAssigned")?.as_u64());
        prop_assert_eq!(estimate::parse_estimate(&answer(&text)), said, "{}", text);
    });
    let [one]: [Row; 1] = answer(&plan().to_string()).try_into().unwrap();
    let none: [Vec<Row>; 4] = [
        Vec::new(),
        vec![one.clone(), one.clone()],
        vec![Row(vec![("content".to_owned(), None)])],
        vec![Row([one.0.clone(), one.0].concat())],
    ];
    for answer in none {
        assert_eq!(estimate::parse_estimate(&answer), None, "{answer:?}");
    }
}

#[test]
fn no_role_is_said_to_read_alone_by_grants_that_do_not_say_so() {
    let grant = |privilege: &str| json!({"privilege": privilege, "granted_on": "TABLE", "name": "SHOP.PUBLIC.ITEM"});
    proptest!(config(), |(spoilings in spoilings(1))| {
        let mut reply = json!([grant("SELECT"), grant("INSERT"), grant("USAGE")]);
        spoilings.iter().for_each(|one: &Spoiling| spoil(&mut reply, one));
        let grants = rows(&reply);
        let writes = grants.iter().any(|row| row.column_text("privilege") == Some("INSERT"));
        let silent = grants.iter().any(|row| row.column_text("privilege").is_none());
        let more = rights::more_than_reading(&grants);
        prop_assert!(more.is_none() == silent, "{grants:?}");
        prop_assert!(!writes || more.is_none_or(|more| !more.is_empty()), "{grants:?}");
    });
}

/// Returns a column of a type that the driver may choose, with extreme values and NULLs.
fn column(kind: usize, values: &[Option<i64>], zone: &str) -> ArrayRef {
    let cut = |value: &Option<i64>| value.map(|value| value as i32);
    let zone: Option<Arc<str>> = (!zone.is_empty()).then(|| Arc::from(zone));
    match kind {
        0 => Arc::new(Int64Array::from(values.to_vec())),
        1 => Arc::new(Date32Array::from(values.iter().map(cut).collect::<Vec<_>>())),
        2 => Arc::new(Date64Array::from(values.to_vec())),
        3 => Arc::new(TimestampNanosecondArray::from(values.to_vec()).with_timezone_opt(zone)),
        4 => Arc::new(TimestampMicrosecondArray::from(values.to_vec()).with_timezone_opt(zone)),
        5 => Arc::new(TimestampSecondArray::from(values.to_vec()).with_timezone_opt(zone)),
        6 => Arc::new(Time64NanosecondArray::from(values.to_vec())),
        7 => Arc::new(Time32SecondArray::from(values.iter().map(cut).collect::<Vec<_>>())),
        8 => Arc::new(DurationNanosecondArray::from(values.to_vec())),
        9 => {
            let wide = |value: &Option<i64>| value.map(|value| i128::from(value) * i128::from(i64::MAX));
            let array: Decimal128Array = values.iter().map(wide).collect();
            Arc::new(array.with_precision_and_scale(38, 37).unwrap())
        }
        10 => {
            Arc::new(Float64Array::from(values.iter().map(|v| v.map(|v| f64::from_bits(v as u64))).collect::<Vec<_>>()))
        }
        11 => Arc::new(BooleanArray::from(values.iter().map(|v| v.map(|v| v % 2 == 0)).collect::<Vec<_>>())),
        12 => Arc::new(NullArray::new(values.len())),
        13 => Arc::new(BinaryArray::from_iter(values.iter().map(|v| v.map(|v| v.to_le_bytes())))),
        _ => Arc::new(StringArray::from(values.iter().map(|v| v.map(|v| v.to_string())).collect::<Vec<_>>())),
    }
}

#[test]
fn rows_of_any_type_and_size_are_shown_whole() {
    let ends = prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(-i64::MAX), Just(0), Just(-1), any::<i64>()];
    let values = prop::collection::vec(prop::option::weighted(0.8, ends), 1..6);
    let zone = prop_oneof![
        Just(""),
        Just("UTC"),
        Just("+01:00"),
        Just("-0130"),
        Just("+9223372036854775807"),
        Just("-"),
        Just("Europe/Zurich")
    ];
    let meant = prop_oneof![Just("VARIANT"), Just("FIXED"), Just("")];
    proptest!(config(), |(kind in 0..15_usize, values in values, zone in zone, meant in meant)| {
        let array = column(kind, &values, zone);
        let field = Field::new("x", array.data_type().clone(), false)
            .with_metadata([("logicalType".to_owned(), meant.to_owned())].into());
        let schema = Arc::new(Schema::new(vec![convert_field(&field)]));
        // The driver's statement that a column has no NULLs is not used.
        let batch = RecordBatch::try_new(schema.clone(), vec![array.clone()]).unwrap();
        prop_assert_eq!(cells::result_columns(&schema).len(), 1);
        let shown = cells::format_rows(&batch);
        prop_assert_eq!(shown.len(), values.len());
        for (row, value) in shown.iter().zip(&values) {
            let is_null = value.is_none() || kind == 12;
            prop_assert_eq!(row[0].is_none(), is_null, "{:?} of {:?}", row, value);
            prop_assert!(is_null || row[0].as_ref().is_some_and(|text| !text.is_empty()), "{:?}", row);
        }
        if kind == 0 {
            let exact: Vec<Option<String>> = values.iter().map(|v| v.map(|v| v.to_string())).collect();
            prop_assert_eq!(shown.into_iter().flatten().collect::<Vec<_>>(), exact);
        }
    });
}
