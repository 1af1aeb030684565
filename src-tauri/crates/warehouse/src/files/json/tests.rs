//! JSON as written by programs. Expected values equal the text digit by digit.

use super::super::open_files;
use crate::engine::Engine;
use crate::{Limits, OpenOptions, Warehouse, WarehouseError, read_page};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{FileOptions, FileReading};
use vitrine_sql::ReadOnlySql;

struct File {
    warehouse: crate::engines::duck::DuckWarehouse,
    reading: FileReading,
    _folder: tempfile::TempDir,
}

impl File {
    fn of(name: &str, bytes: &[u8], options: &OpenOptions) -> Result<Self, WarehouseError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let warehouse = open_files(&path, options)?;
        let reading = Engine::readings(&warehouse).remove(0);
        Ok(Self { warehouse, reading, _folder: folder })
    }

    fn new(text: &str) -> Self {
        Self::of("t.json", text.as_bytes(), &OpenOptions::default()).unwrap()
    }

    /// Opens the text as a large file, which the engine reads in place if it can do so exactly.
    fn large(text: &str) -> Self {
        Self::of("t.json", text.as_bytes(), &OpenOptions { load_bytes: 0, ..OpenOptions::default() }).unwrap()
    }

    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let sql = ReadOnlySql::parse(sql, self.warehouse.dialect()).unwrap();
        let batches = self.warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
        let rows = read_page(batches, u64::MAX).await.unwrap().rows;
        let shown =
            |row: Vec<Option<String>>| row.into_iter().map(|cell| cell.unwrap_or_else(|| "NULL".into())).collect();
        rows.into_iter().map(shown).collect()
    }

    async fn columns(&self) -> Vec<String> {
        let catalog = self.warehouse.load_catalog().await.unwrap();
        catalog.tables[0].columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect()
    }

    async fn is_view(&self) -> bool {
        self.warehouse.load_catalog().await.unwrap().tables[0].kind == vitrine_domain::TableKind::View
    }

    fn doubts(&self, part: &str) -> usize {
        self.reading.doubts.iter().filter(|doubt| doubt.contains(part)).count()
    }
}

/// An integer that no binary float represents, and a decimal of 20 digits.
const INTEGER: &str = "9007199254740993";
const DECIMAL: &str = "0.12345678901234567890";

#[tokio::test]
async fn an_event_log_keeps_every_digit() {
    let text = format!(
        "{{\"at\":\"2024-01-31T10:00:00Z\",\"id\":{INTEGER},\"rate\":{DECIMAL},\"user\":{{\"id\":{INTEGER},\"tags\":[\"a\"]}}}}\n\
         {{\"at\":\"2024-02-01T00:30:00.25Z\",\"id\":1,\"rate\":1,\"user\":{{\"id\":2}},\"extra\":true}}\n\
         {{\"at\":null,\"id\":12345678901234567890,\"user\":null}}\n"
    );
    for file in [File::new(&text), File::large(&text)] {
        assert_eq!(
            file.columns().await,
            [
                "at TIMESTAMP",
                "id DECIMAL(38,0)",
                "rate DECIMAL(38,20)",
                "user STRUCT(id BIGINT, tags VARCHAR[])",
                "extra BOOLEAN"
            ]
        );
        assert_eq!(
            file.rows("SELECT \"at\", id, rate, \"user\".id, extra FROM t ORDER BY \"at\" NULLS LAST").await,
            [
                ["2024-01-31 10:00:00", INTEGER, DECIMAL, INTEGER, "NULL"],
                ["2024-02-01 00:30:00.25", "1", "1.00000000000000000000", "2", "true"],
                ["NULL", "12345678901234567890", "NULL", "NULL", "NULL"]
            ]
        );
        // 9007199254740993 + 1 + 12345678901234567890
        assert_eq!(file.rows("SELECT sum(id) FROM t").await, [["12354686100489308884"]]);
        assert!(file.reading.doubts.is_empty(), "{:?}", file.reading.doubts);
    }
}

#[tokio::test]
async fn a_dump_of_a_server_has_a_row_for_each_record() {
    let text = format!(
        "{{\"count\": 2, \"next\": null, \"results\": [\n{{\"id\": {INTEGER}, \"amount\": {DECIMAL}, \"lines\": [{{\"sku\": \"x\", \"n\": {INTEGER}}}]}},\n{{\"id\": -1, \"amount\": 10}}]}}"
    );
    let file = File::new(&text);
    assert_eq!(
        file.rows("SELECT id, amount, lines[1].n FROM t ORDER BY id").await,
        [["-1", "10.00000000000000000000", "NULL"], [INTEGER, DECIMAL, INTEGER]]
    );
    assert_eq!(file.doubts("elements of results. Beside them, and not in the table: count = 2; next = null"), 1);
    // A list of scalar values is not a list of records, and neither are two lists.
    let single = File::new(r#"{"name": "x", "tags": [1, 2]}"#);
    assert_eq!(single.rows("SELECT name, tags[2] FROM t").await, [["x", "2"]]);
    let two = File::new(r#"{"a": [{"x": 1}], "b": [{"y": 2}]}"#);
    assert_eq!(two.rows("SELECT a[1].x, b[1].y FROM t").await, [["1", "2"]]);
}

#[tokio::test]
async fn features_of_a_map_are_rows_with_their_properties() {
    let feature = |id: &str, rate: &str, geometry: &str| {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"code\":{id},\"rate\":{rate},\"type\":\"city\"}},\"geometry\":{geometry}}}"
        )
    };
    let point = r#"{"type":"Point","coordinates":[13.4,52.52000000000000001]}"#;
    let features = [feature(INTEGER, DECIMAL, point), feature("2", "0.5", "null")];
    let collection = format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", features.join(","));
    for text in [collection, features.join("\n")] {
        let file = File::new(&text);
        assert_eq!(file.columns().await[..3], ["code BIGINT", "rate DECIMAL(38,20)", "type VARCHAR"]);
        assert_eq!(
            file.rows(
                "SELECT code, rate, \"type\", geometry.\"type\", geometry.coordinates[2] FROM t ORDER BY code DESC"
            )
            .await,
            [
                [INTEGER, DECIMAL, "city", "Point", "52.52000000000000001"],
                ["2", "0.50000000000000000000", "city", "NULL", "NULL"]
            ]
        );
        assert!(file.reading.doubts.is_empty(), "{:?}", file.reading.doubts);
    }
}

#[tokio::test]
async fn nested_lists_keep_every_digit() {
    let text = format!(
        "[{{\"a\": [[{INTEGER}, {DECIMAL}], []], \"b\": [{{\"c\": [{{\"d\": 123456789012345678901234567890}}]}}]}}]"
    );
    let file = File::new(&text);
    assert_eq!(
        file.rows("SELECT a[1][1], a[1][2], len(a[2]), b[1].c[1].d FROM t").await,
        [["9007199254740993.00000000000000000000", DECIMAL, "0", "123456789012345678901234567890"]]
    );
}

#[tokio::test]
async fn integers_beside_decimals_are_not_rounded_in_files_of_any_size() {
    let text = "{\"v\": 9007199254740993}\n{\"v\": 0.25}\n{\"v\": 9223372036854775807}\n";
    for file in [File::new(text), File::large(text)] {
        assert_eq!(
            file.rows("SELECT max(v), min(v), sum(v) FROM t").await,
            [["9223372036854775807.00", "0.25", "9232379236109516800.25"]]
        );
    }
    // Measurements stay floats, amounts of money are decimals.
    let file = File::new("{\"m\": 0.30000000000000004, \"p\": 19.99}\n{\"m\": 1e-7, \"p\": 5}\n");
    assert_eq!(file.columns().await, ["m DOUBLE", "p DECIMAL(18,2)"]);
    assert_eq!(file.rows("SELECT max(m), sum(p) FROM t").await, [["0.30000000000000004", "24.99"]]);
}

#[tokio::test]
async fn what_no_number_of_the_engine_holds_stays_text_and_is_told() {
    let long = "1234567890123456789012345678901234567890";
    let file = File::new(&format!("[{{\"n\": {long}}}, {{\"n\": 0.5}}]"));
    assert_eq!(file.rows("SELECT n FROM t ORDER BY length(n) DESC").await, [[long], ["0.5"]]);
    assert_eq!(file.doubts("n contains numbers with more digits"), 1);
    let mixed =
        File::new(&format!("[{{\"n\": {INTEGER}}}, {{\"n\": \"n/a\"}}, {{\"n\": {DECIMAL}}}, {{\"n\": true}}]"));
    assert_eq!(mixed.rows("SELECT n FROM t").await, [[INTEGER], ["n/a"], [DECIMAL], ["true"]]);
    assert_eq!(mixed.doubts("n contains values of several kinds"), 1);
    let parts =
        File::new(&format!("[{{\"n\": {{\"a\": {DECIMAL}}}}}, {{\"n\": [1]}}, {{\"n\": \"x\"}}, {{\"n\": null}}]"));
    assert_eq!(
        parts.rows("SELECT n::VARCHAR FROM t").await,
        [
            vec![format!("{{\"a\":{DECIMAL}}}")],
            vec!["[1]".to_owned()],
            vec!["\"x\"".to_owned()],
            vec!["NULL".to_owned()]
        ]
    );
    assert_eq!(parts.columns().await, ["n JSON"]);
    let no_figure = File::new(&format!("{{\"n\": NaN}}\n{{\"n\": {INTEGER}}}\n"));
    assert_eq!(no_figure.rows("SELECT n FROM t").await, [["NULL"], [INTEGER]]);
    assert_eq!(no_figure.doubts("n contains 'NaN' (1) instead of values"), 1);
    let infinite = File::new("[{\"n\": Infinity, \"m\": [-Infinity, 2]}, {\"n\": 1.5, \"m\": [NaN]}]");
    assert_eq!(infinite.rows("SELECT sum(n) FROM t").await, [["1.5"]]);
    assert_eq!(infinite.rows("SELECT m[1], m[2] FROM t").await, [["NULL", "2"], ["NULL", "NULL"]]);
    assert_eq!(
        (infinite.doubts("n contains 'Infinity' (1)"), infinite.doubts("m contains '-Infinity' (1), 'NaN' (1)")),
        (1, 1)
    );
}

#[tokio::test]
async fn numbers_that_are_written_as_texts_are_told_and_codes_are_not() {
    for (values, said) in [
        (r#"["10", "9", "100"]"#, "n contains numbers that the file stores as text, such as '10'"),
        (
            r#"["10", "9", "n/a", "12"]"#,
            "n contains mostly numbers, dates or times and stays text because of 'n/a' (1).",
        ),
        (r#"["10.5", "9", "-", "-"]"#, ""),
        (r#"["1.5", "9", "-"]"#, "because of '-' (1)."),
        (r#"["10115", "20095", "80331"]"#, ""),
        (r#"["007", "12", "1"]"#, ""),
        (r#"["Ann", "Bob", "7"]"#, ""),
    ] {
        let values: Vec<String> = serde_json::from_str(values).unwrap();
        let records: Vec<String> = values.iter().map(|value| format!("{{\"n\": \"{value}\"}}")).collect();
        let file = File::new(&records.join("\n"));
        assert_eq!(file.columns().await, ["n VARCHAR"]);
        match said {
            "" => assert_eq!(file.doubts(""), 0, "{values:?}"),
            said => assert_eq!((file.doubts(said), file.doubts("")), (1, 1), "{values:?}"),
        }
    }
    for name in ["id", "user_id", "userId", "zip", "account_no"] {
        let file = File::new(&format!("[{{\"{name}\": \"9\"}}, {{\"{name}\": \"10\"}}]"));
        assert_eq!(file.doubts(""), 0, "{name}");
    }
}

#[tokio::test]
async fn sparse_records_and_many_keys_are_columns() {
    let mut text = String::new();
    for row in 0..300 {
        text += &format!(
            "{{\"id\": {row}, \"only_{row}\": 90071992547409{:02}, \"wide\": {{\"k{row}\": {INTEGER}, \"x\": 0.5}}}}\n",
            row % 100
        );
    }
    for file in [File::new(&text), File::large(&text)] {
        assert_eq!(file.columns().await.len(), 302);
        assert_eq!(
            file.rows("SELECT only_93, only_299, wide['k299'], (SELECT wide['x'] FROM t WHERE id = 5) FROM t WHERE id IN (93, 299) ORDER BY id").await,
            [["9007199254740993", "NULL", "NULL", "0.5"], ["NULL", "9007199254740999", "9007199254740993.0", "0.5"]]
        );
    }
}

#[tokio::test]
async fn a_map_from_keys_to_values_is_told_and_exact() {
    let members: Vec<String> = (0..250).map(|at| format!("\"2024-{at}\": {INTEGER}")).collect();
    let file = File::new(&format!("{{\"id\": 1, \"days\": {{{}}}}}\n{{\"id\": 2}}", members.join(",")));
    assert_eq!(file.columns().await[1], "days MAP(VARCHAR, BIGINT)");
    assert_eq!(file.rows("SELECT days['2024-7'], cardinality(days) FROM t WHERE id = 1").await, [[INTEGER, "250"]]);
    assert_eq!(file.reading.converted[0].how, "a map from 250 keys to their values");
}

#[tokio::test]
async fn five_thousand_keys_are_five_thousand_columns_and_more_have_one_together() {
    let record = |keys: usize| {
        let members: Vec<String> =
            (0..keys).map(|at| format!("\"k{at}\": {}", 9_007_199_254_740_993 + at as u64)).collect();
        format!("[{{{}}}]", members.join(","))
    };
    let file = File::new(&record(5_000));
    assert_eq!(file.rows("SELECT k0, k4999 FROM t").await, [["9007199254740993", "9007199254745992"]]);
    assert_eq!(file.doubts("5000 different keys; each is a column"), 1);
    let file = File::new(&record(10_002));
    assert_eq!(
        file.rows("SELECT k9999, other_keys::VARCHAR FROM t").await,
        [["9007199254750992", r#"{"k10000":9007199254750993,"k10001":9007199254750994}"#]]
    );
    assert_eq!(file.doubts("10002 different keys. The first 10000 are columns"), 1);
}

#[tokio::test]
async fn a_mark_at_the_beginning_and_other_encodings_change_nothing() {
    let text = format!("[{{\"größe\": {INTEGER}}}, {{\"größe\": 2}}]");
    let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [text.clone().into_bytes(), format!("\u{feff}{text}").into_bytes(), utf16] {
        for load_bytes in [0, u64::MAX] {
            let file = File::of("t.json", &bytes, &OpenOptions { load_bytes, ..OpenOptions::default() }).unwrap();
            assert_eq!(file.rows("SELECT count(*), max(\"größe\") FROM t").await, [["2", INTEGER]]);
        }
    }
}

#[tokio::test]
async fn keys_that_occur_twice_or_differ_in_case_are_told() {
    let file =
        File::new("[{\"id\": 1, \"ID\": 2, \"a\": 1, \"a\": 3, \"s\": {\"x\": 4, \"X\": 5}}, {\"Id\": 6, \"\": 7}]");
    assert_eq!(
        file.rows("SELECT id, ID_2, a, s.x, s.X_2, Id_3, column6 FROM t").await,
        [["1", "2", "3", "4", "5", "NULL", "NULL"], ["NULL", "NULL", "NULL", "NULL", "NULL", "6", "7"]]
    );
    assert_eq!(file.doubts("contains the key a twice, first in line 1; its last"), 1);
    assert_eq!(file.doubts("differs from another one only in case"), 3);
}

#[tokio::test]
async fn dates_are_dates_where_all_are_and_offsets_become_utc() {
    let text = "{\"d\":\"2024-02-29\",\"z\":\"2024-01-01T01:30:00+02:00\",\"m\":\"2024-01-01\",\"f\":\"2024-01-01T00:00:00.1234567Z\",\"p\":\"12.50\",\"e\":\"\"}\n\
                {\"d\":\"2024-03-01\",\"z\":\"2024-01-01T01:30:00-08:00\",\"m\":\"soon\",\"f\":\"2024-01-01T00:00:00.1234568Z\",\"p\":\"9.99\"}\n\
                {\"m\":\"2024-01-02\"}\n";
    for file in [File::new(text), File::large(text)] {
        assert_eq!(file.columns().await, ["d DATE", "z TIMESTAMP", "m VARCHAR", "f VARCHAR", "p VARCHAR", "e VARCHAR"]);
        assert_eq!(
            file.rows("SELECT min(z), max(z), max(d), max(f), max(e) = '' FROM t").await,
            [["2023-12-31 23:30:00", "2024-01-01 09:30:00", "2024-03-01", "2024-01-01T00:00:00.1234568Z", "true"]]
        );
        assert_eq!(file.reading.converted.len(), 1, "{:?}", file.reading.converted);
        assert_eq!(file.doubts("m contains dates and other texts, such as soon"), 1);
        assert_eq!(file.doubts("p contains numbers that the file stores as text, such as 12.50"), 1);
    }
}

#[tokio::test]
async fn a_file_that_the_engine_reads_exactly_is_read_in_place() {
    let lines = "{\"id\": 9007199254740993, \"p\": 1.25, \"t\": [\"a\"], \"s\": {\"x\": 1}}\n{\"id\": 2, \"z\": \"2024-01-01\"}\n";
    let array = "[{\"id\": 9007199254740993, \"p\": 1.25, \"t\": [\"a\"], \"s\": {\"x\": 1}},\n {\"id\": 2, \"z\": \"2024-01-01\"}]";
    let spread = "{\n\"id\": 9007199254740993, \"p\": 1.25, \"t\": [\"a\"], \"s\": {\"x\": 1}} {\"id\": 2,\n \"z\": \"2024-01-01\"}";
    for text in [lines, array, spread] {
        let file = File::large(text);
        assert!(file.is_view().await, "{text}");
        assert_eq!(
            file.columns().await,
            ["id BIGINT", "p DECIMAL(18,2)", "t VARCHAR[]", "s STRUCT(x BIGINT)", "z DATE"]
        );
        assert_eq!(
            file.rows("SELECT max(id), sum(p), max(t[1]), max(z) FROM t").await,
            [[INTEGER, "1.25", "a", "2024-01-01"]]
        );
        assert!(!File::new(text).is_view().await);
    }
    let exact = File::large(&format!("{{\"p\": {DECIMAL}}}\n{{\"p\": 1}}\n"));
    assert!(!exact.is_view().await);
    assert_eq!(exact.rows("SELECT min(p) FROM t").await, [[DECIMAL]]);
}

#[tokio::test]
async fn packed_files_are_read_alike() {
    let text = format!("{{\"id\": {INTEGER}, \"p\": {DECIMAL}}}\n{{\"id\": 1}}\n");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let zstd = folder.path().join("t.ndjson.zst");
    let sql = format!(
        "COPY (SELECT unnest(['{{\"id\": {INTEGER}, \"p\": {DECIMAL}}}', '{{\"id\": 1}}'])) TO '{}' (FORMAT csv, HEADER false, QUOTE '', DELIMITER '\u{1}', COMPRESSION zstd)",
        zstd.display()
    );
    ::duckdb::Connection::open_in_memory().unwrap().execute_batch(&sql).unwrap();
    for (name, bytes) in [("t.ndjson.gz", gzip.finish().unwrap()), ("t.ndjson.zst", std::fs::read(zstd).unwrap())] {
        let file = File::of(name, &bytes, &OpenOptions::default()).unwrap();
        assert_eq!(file.rows("SELECT max(id), max(p), count(*) FROM t").await, [[INTEGER, DECIMAL, "2"]], "{name}");
    }
}

#[tokio::test]
async fn broken_and_cut_files_are_told_apart() {
    let fault = |text: &str| match File::of("t.json", text.as_bytes(), &OpenOptions::default()) {
        Err(WarehouseError::Unreadable { detail, .. }) => detail,
        other => panic!("{:?}", other.map(|file| file.reading)),
    };
    assert!(fault("[{\"a\": 1},\n {\"a\": x}]").starts_with("line 2: no valid JSON at `x"));
    assert!(fault("{\"a\": [1, 2").contains("the file ends inside of a value"));
    assert!(fault("[{\"a\": 1}").contains("the file ends inside of a value"));
    // A log that a program is still writing.
    let log = File::new("{\"a\": 1}\n{\"a\": 2}\n{\"a\": ");
    assert_eq!(log.rows("SELECT sum(a) FROM t").await, [["3"]]);
    assert_eq!(log.doubts("The last record, in line 3, is cut off"), 1);
}

#[tokio::test]
async fn values_that_are_no_objects_have_a_column() {
    let file = File::new("[1, 2, 9007199254740993]");
    assert_eq!(
        (file.columns().await, file.rows("SELECT max(json) FROM t").await),
        (vec!["json BIGINT".to_owned()], vec![vec![INTEGER.to_owned()]])
    );
    let mixed = File::new("{\"a\": 1}\n\"x\"\n");
    assert_eq!(mixed.rows("SELECT a, json FROM t").await, [["1", "NULL"], ["NULL", "x"]]);
    assert_eq!(mixed.doubts("1 record is no object; its value is in the column json"), 1);
    assert_eq!(File::new("[]").rows("SELECT count(*) FROM t").await, [["0"]]);
}

#[tokio::test]
async fn a_column_stays_text_where_the_user_says_so() {
    let options = FileOptions { as_text: vec!["ID".to_owned()], ..FileOptions::default() };
    let options = OpenOptions { tables: [("t".to_owned(), options)].into(), ..OpenOptions::default() };
    let file = File::of("t.json", b"[{\"id\": 1.50}, {\"id\": 2}]", &options).unwrap();
    assert_eq!(file.rows("SELECT max(id), min(id) FROM t").await, [["2", "1.50"]]);
}

#[test]
fn deep_values_do_not_end_the_program() {
    let text = format!("[{{\"a\": {}1{}}}]", "[".repeat(100_000), "]".repeat(100_000));
    let file = File::new(&text);
    assert_eq!(file.doubts("nested too deeply"), 1);
}
