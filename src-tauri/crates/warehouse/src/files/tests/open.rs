use super::super::*;
use crate::engine::Engine;
use crate::{Limits, Warehouse, WarehouseKind, WarehouseUri, read_page};
use std::io::Write;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Catalog, Page};
use vitrine_sql::ReadOnlySql;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn warehouse(path: &Path) -> DuckWarehouse {
    open_files(path, &OpenOptions::default()).unwrap()
}

async fn query(warehouse: &dyn Warehouse, sql: &str) -> Page {
    let sql = ReadOnlySql::parse(sql, warehouse.dialect()).unwrap();
    let batches = warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
    read_page(batches, u64::MAX).await.unwrap()
}

async fn rows(warehouse: &dyn Warehouse, sql: &str) -> Vec<Vec<String>> {
    let rows = query(warehouse, sql).await.rows;
    rows.into_iter().map(|row| row.into_iter().map(|cell| cell.unwrap_or_else(|| "NULL".into())).collect()).collect()
}

fn types(catalog: &Catalog, table: &str) -> Vec<String> {
    let table = catalog.find_table(table).unwrap_or_else(|| panic!("no {table}"));
    table.columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect()
}

async fn fault(path: &Path) -> AppError {
    crate::open_warehouse(&WarehouseUri::new(WarehouseKind::File, path)).await.err().expect("opens").into()
}

const ORDERS: &str =
    "id,zip,price,big,day,note\n1,01234,0.10,9223372036854775807,2024-01-31,\"a, b\"\n2,98765,12.5,1,2024-02-29,\n";

#[tokio::test]
async fn a_csv_file_is_a_table_with_exact_types() {
    let folder = folder(&[("my orders.csv", ORDERS)]);
    let warehouse = warehouse(&folder.path().join("my orders.csv"));
    let catalog = warehouse.load_catalog().await.unwrap();
    assert_eq!(catalog.database, "my orders");
    assert_eq!(
        types(&catalog, "my_orders"),
        ["id BIGINT", "zip VARCHAR", "price DECIMAL(18,2)", "big BIGINT", "day DATE", "note VARCHAR"]
    );
    assert_eq!(catalog.tables[0].row_count, Some(2));
    assert_eq!(
        rows(&warehouse, "SELECT sum(price), max(big), min(zip), max(day) FROM my_orders").await,
        [["12.60", "9223372036854775807", "01234", "2024-02-29"]]
    );
}

#[tokio::test]
async fn numbers_beyond_64_bits_and_measurements_keep_what_they_are() {
    let folder = folder(&[("t.csv", "huge,real,exp\n99999999999999999999999999,0.123456789,1e5\n1,2.5,3\n")]);
    let warehouse = warehouse(&folder.path().join("t.csv"));
    let catalog = warehouse.load_catalog().await.unwrap();
    assert_eq!(types(&catalog, "t")[1..], ["real DOUBLE", "exp DOUBLE"]);
    assert_eq!(
        rows(&warehouse, "SELECT max(huge), min(real) FROM t").await,
        [["99999999999999999999999999", "0.123456789"]]
    );
}

#[tokio::test]
async fn a_type_that_changes_far_down_is_found_before_it_is_queried() {
    let mut text = String::from("id,code\n");
    for row in 0..60_000 {
        text += &format!("{row},{row}\n");
    }
    text += "60000,X1\n";
    let folder = folder(&[("long.csv", &text)]);
    let path = folder.path().join("long.csv");
    for load_bytes in [0, u64::MAX] {
        let warehouse = open_files(&path, &OpenOptions { load_bytes, ..OpenOptions::default() }).unwrap();
        assert_eq!(rows(&warehouse, "SELECT count(*), max(code) FROM long").await, [["60001", "X1"]]);
    }
}

#[tokio::test]
async fn a_large_file_is_read_in_place_and_stays_readable_after_the_lock() {
    let folder = folder(&[("a[1]*.csv", ORDERS), ("a1x.csv", "id\n7\n8\n9\n")]);
    let warehouse = open_files(folder.path(), &OpenOptions { load_bytes: 0, ..OpenOptions::default() }).unwrap();
    assert_eq!(rows(&warehouse, "SELECT count(*), sum(price) FROM a_1").await, [["2", "12.60"]]);
    assert_eq!(rows(&warehouse, "SELECT count(*) FROM a1x").await, [["3"]]);
}

#[tokio::test]
async fn a_folder_mixes_formats_and_leaves_other_files_alone() {
    let folder = folder(&[
        ("Orders.csv", ORDERS),
        ("orders.tsv", "k\tv\na\t1\nb\t2\n"),
        ("people.json", r#"[{"id": 9007199254740993, "tags": ["x"]}, {"id": 2, "name": {"first": "Ann"}}]"#),
        ("events.ndjson", "{\"e\": 1}\n{\"e\": 2}\n"),
        ("README.md", "# hi"),
        ("empty.csv", ""),
        (".hidden.csv", "a\n1\n"),
    ]);
    let parquet = folder.path().join("exact.parquet").display().to_string();
    Connection::open_in_memory()
        .unwrap()
        .execute_batch(&format!(
            "COPY (SELECT 1.0000000001::DECIMAL(38,10) AS d, 9223372036854775807 AS i) TO '{parquet}' (FORMAT parquet)"
        ))
        .unwrap();
    let warehouse = warehouse(folder.path());
    let catalog = warehouse.load_catalog().await.unwrap();
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["Orders", "events", "exact", "orders_2", "people"]);
    assert_eq!(rows(&warehouse, "SELECT d, i FROM exact").await, [["1.0000000001", "9223372036854775807"]]);
    assert_eq!(
        rows(&warehouse, "SELECT id, tags, name FROM people ORDER BY id DESC").await[0],
        ["9007199254740993", "[\"x\"]", "NULL"]
    );
    assert_eq!(rows(&warehouse, "SELECT sum(e) FROM events").await, [["3"]]);
    assert_eq!(rows(&warehouse, "SELECT v FROM orders_2 WHERE k = 'b'").await, [["2"]]);
}

#[tokio::test]
async fn column_names_come_from_the_first_line_also_when_all_is_text() {
    let folder = folder(&[
        ("text.csv", "name,city\nAnn,Paris\nBob,Rome\n"),
        ("head.csv", "a,b,c\n"),
        ("semi.csv", "x;y\n1,5;2\n3;4\n"),
    ]);
    let catalog = warehouse(folder.path()).load_catalog().await.unwrap();
    assert_eq!(types(&catalog, "text"), ["name VARCHAR", "city VARCHAR"]);
    let head: Vec<&str> =
        catalog.find_table("head").unwrap().columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(head, ["a", "b", "c"]);
    assert_eq!(catalog.find_table("head").unwrap().row_count, Some(0));
    assert_eq!(types(&catalog, "semi"), ["x DECIMAL(18,1)", "y BIGINT"]);
}

#[tokio::test]
async fn the_fingerprint_follows_the_files() {
    let folder = folder(&[("a.csv", "x\n1\n")]);
    let before = warehouse(folder.path()).load_catalog().await.unwrap().fingerprint;
    assert_eq!(before, warehouse(folder.path()).load_catalog().await.unwrap().fingerprint);
    std::fs::write(folder.path().join("a.csv"), "x\n1\n2\n").unwrap();
    assert_ne!(before, warehouse(folder.path()).load_catalog().await.unwrap().fingerprint);
}

#[tokio::test]
async fn no_query_reaches_another_file_or_changes_one() {
    let folder = folder(&[("data.csv", ORDERS), ("secret.txt", "top secret")]);
    let path = folder.path().join("data.csv");
    let warehouse = open_files(&path, &OpenOptions { load_bytes: 0, ..OpenOptions::default() }).unwrap();
    let (data, secret) = (path.display(), folder.path().join("secret.txt").display().to_string());
    let out = folder.path().join("out.csv").display().to_string();
    for sql in [
        format!("SELECT * FROM read_text('{secret}')"),
        format!("SELECT * FROM read_csv('{secret}')"),
        format!("SELECT * FROM glob('{}/*')", folder.path().display()),
        format!("COPY data TO '{data}'"),
        format!("COPY data TO '{out}'"),
        format!("ATTACH '{out}'"),
        "SET enable_external_access = true".to_owned(),
        "SET allowed_paths = []".to_owned(),
        "CREATE TABLE t AS SELECT 1".to_owned(),
        "DROP VIEW data".to_owned(),
    ] {
        let error = match warehouse.query_text(sql.clone(), Limits::default(), CancellationToken::new()).await {
            Ok(batches) => read_page(batches, 1).await.err(),
            Err(error) => Some(error),
        };
        assert!(
            matches!(error, Some(WarehouseError::Refused { .. } | WarehouseError::Query { .. })),
            "{sql}: {error:?}"
        );
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), ORDERS);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn bad_files_are_told_apart() {
    let folder = folder(&[
        ("notes.txt", "hello"),
        ("zero.csv", ""),
        ("broken.parquet", "PAR1 but not more"),
        ("broken.json", "{\"a\": [1, 2"),
        ("broken.xlsx", "PK no zip"),
    ]);
    let at = |name: &str| folder.path().join(name);
    let missing = fault(&at("gone.csv")).await;
    assert!(missing.message.contains("gone.csv does not exist"), "{missing}");
    let kind = fault(&at("notes.txt")).await;
    assert!(kind.message.contains("notes.txt is not a CSV, TSV, Parquet, JSON or Excel file"), "{kind}");
    let zero = fault(&at("zero.csv")).await;
    assert!(zero.detail.clone().unwrap().contains("0 bytes"), "{zero}");
    for name in ["broken.parquet", "broken.json", "broken.xlsx"] {
        let error = fault(&at(name)).await;
        assert!(
            error.message.contains(name) && error.message.contains("cannot be read as") && error.detail.is_some(),
            "{error}"
        );
        assert_eq!(error.code, vitrine_domain::ErrorCode::Connection);
    }
    let empty = tempfile::tempdir().unwrap();
    let error = fault(empty.path()).await;
    assert!(error.message.contains("holds no table") && error.hint.clone().unwrap().contains("Parquet"), "{error}");
}

/// Creates the minimal workbook that a spreadsheet program accepts, in an archive without compression.
pub(super) fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    workbook_of(sheets, "")
}

/// The same with workbook properties.
fn workbook_of(sheets: &[(&str, &str)], properties: &str) -> Vec<u8> {
    let mut files = vec![
        ("[Content_Types].xml".to_owned(), {
            let parts: String = (1..=sheets.len())
                .map(|n| format!(r#"<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>"#))
                .collect();
            format!(r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>{parts}</Types>"#)
        }),
        ("_rels/.rels".to_owned(), r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#.to_owned()),
        ("xl/styles.xml".to_owned(), r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>"#.to_owned()),
        ("xl/workbook.xml".to_owned(), {
            let list: String = sheets.iter().enumerate().map(|(n, (name, _))| format!(r#"<sheet name="{name}" sheetId="{0}" r:id="r{0}"/>"#, n + 1)).collect();
            format!(r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">{properties}<sheets>{list}</sheets></workbook>"#)
        }),
        ("xl/_rels/workbook.xml.rels".to_owned(), {
            let list: String = (1..=sheets.len())
                .map(|n| format!(r#"<Relationship Id="r{n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{n}.xml"/>"#))
                .collect();
            format!(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{list}<Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#)
        }),
    ];
    for (n, (_, rows)) in sheets.iter().enumerate() {
        let xml = format!(
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
        );
        files.push((format!("xl/worksheets/sheet{}.xml", n + 1), xml));
    }
    zip(&files)
}

fn zip(files: &[(String, String)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let offset = out.len() as u32;
        let mut entry = Vec::new();
        entry.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        entry.extend(crc32(text.as_bytes()).to_le_bytes());
        entry.extend((text.len() as u32).to_le_bytes());
        entry.extend((text.len() as u32).to_le_bytes());
        entry.extend((name.len() as u16).to_le_bytes());
        entry.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&entry);
        out.write_all(name.as_bytes()).unwrap();
        out.write_all(text.as_bytes()).unwrap();
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&entry);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (count, start) = ((files.len() as u16).to_le_bytes(), (out.len() as u32).to_le_bytes());
    out.extend(&directory);
    out.extend(b"PK\x05\x06\x00\x00\x00\x00");
    out.extend(count);
    out.extend(count);
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start);
    out.extend([0, 0]);
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (!(crc & 1)).wrapping_add(1)))
    })
}

pub(super) fn cells(row: u32, cells: &[(&str, &str)]) -> String {
    let cells: String = cells
        .iter()
        .map(|(place, value)| match value.split_once(':') {
            Some(("text", text)) => format!(r#"<c r="{place}{row}" t="inlineStr"><is><t>{text}</t></is></c>"#),
            Some(("date", number)) => format!(r#"<c r="{place}{row}" s="1"><v>{number}</v></c>"#),
            Some(("bool", number)) => format!(r#"<c r="{place}{row}" t="b"><v>{number}</v></c>"#),
            _ => format!(r#"<c r="{place}{row}"><v>{value}</v></c>"#),
        })
        .collect();
    format!(r#"<row r="{row}">{cells}</row>"#)
}

#[tokio::test]
async fn each_sheet_of_a_workbook_is_a_table() {
    let sales = [
        cells(1, &[("A", "text:Sales report")]),
        cells(3, &[("A", "text:id"), ("B", "text:price"), ("C", "text:day"), ("D", "text:paid"), ("E", "text:code")]),
        cells(4, &[("A", "1"), ("B", "0.1"), ("C", "date:45351"), ("D", "bool:1"), ("E", "text:007")]),
        cells(5, &[("A", "123456789012345"), ("B", "12.55"), ("C", "date:45352"), ("D", "bool:0"), ("E", "5")]),
        cells(6, &[("A", "3")]),
    ]
    .concat();
    let staff = [cells(1, &[("A", "text:name")]), cells(2, &[("A", "text:Ann")])].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Book 1.xlsx");
    std::fs::write(&path, workbook(&[("Sales 2024", &sales), ("staff", &staff), ("blank", "")])).unwrap();

    let lone = warehouse(&path);
    let catalog = lone.load_catalog().await.unwrap();
    assert_eq!(
        types(&catalog, "Sales_2024"),
        ["id BIGINT", "price DECIMAL(18,2)", "day DATE", "paid BOOLEAN", "code VARCHAR"]
    );
    assert_eq!(
        rows(&lone, "SELECT * FROM Sales_2024").await,
        [
            ["1", "0.10", "2024-02-29", "true", "007"],
            ["123456789012345", "12.55", "2024-03-01", "false", "5"],
            ["3", "NULL", "NULL", "NULL", "NULL"],
        ]
    );
    assert_eq!(rows(&lone, "SELECT name FROM staff").await, [["Ann"]]);

    std::fs::write(folder.path().join("list.xlsx"), workbook(&[("Sheet1", &staff)])).unwrap();
    let names: Vec<String> = warehouse(folder.path())
        .load_catalog()
        .await
        .unwrap()
        .tables
        .iter()
        .map(|table| table.name.to_string())
        .collect();
    assert_eq!(names, ["Book_1_Sales_2024", "Book_1_staff", "list"]);
}

#[tokio::test]
async fn files_that_are_not_utf8_are_read_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old.csv"), b"name,n\nM\xfcller,1\n").unwrap();
    let wide: Vec<u8> = "\u{feff}name,n\nMüller,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path().join("wide.csv"), wide).unwrap();
    std::fs::write(folder.path().join("marked.csv"), "\u{feff}name,n\nMüller,3\n").unwrap();
    let warehouse = warehouse(folder.path());
    for (table, n) in [("old", "1"), ("wide", "2"), ("marked", "3")] {
        assert_eq!(rows(&warehouse, &format!("SELECT name, n FROM {table}")).await, [["Müller", n]], "{table}");
    }
}

#[tokio::test]
async fn a_ragged_file_is_refused_with_its_line() {
    let mut text = String::from("a,b\n");
    for row in 0..100 {
        text += &format!("{row},x\n");
    }
    text += "7,\"never closed\n";
    let folder = folder(&[("ragged.csv", &text)]);
    let path = folder.path().join("ragged.csv");
    match open_files(&path, &OpenOptions::default()) {
        Err(error) => assert!(AppError::from(error).message.contains("ragged.csv")),
        Ok(warehouse) => assert_eq!(rows(&warehouse, "SELECT count(*) FROM ragged").await, [["101"]]),
    }
}

/// Writes rows of one column beside a column that proves the decimal sign, or beside none.
fn columns(head: &str, rows: &[&str]) -> tempfile::TempDir {
    folder(&[("t.csv", &format!("{head}\n{}\n", rows.join("\n")))])
}

#[tokio::test]
async fn numbers_are_read_as_people_write_them() {
    let folder = columns(
        "Filiale;Betrag €;Menge;Umsatz;Anteil;Saldo",
        &[
            "Köln;1.200,00;3;1.200;12,5 %;1.000,50-",
            "Łódź;-0,99 €;1.004;5.300;100 %;(2,25)",
            "Bern;€ 12.345.678,10;–;12.000;0,25%;7,00",
        ],
    );
    let warehouse = warehouse(&folder.path().join("t.csv"));
    let catalog = warehouse.load_catalog().await.unwrap();
    assert_eq!(
        types(&catalog, "t"),
        [
            "Filiale VARCHAR",
            "Betrag € DECIMAL(18,2)",
            "Menge BIGINT",
            "Umsatz BIGINT",
            "Anteil DECIMAL(18,2)",
            "Saldo DECIMAL(18,2)"
        ]
    );
    assert_eq!(
        rows(&warehouse, "SELECT \"Betrag €\", Menge, Umsatz, Anteil, Saldo FROM t ORDER BY Filiale").await,
        [
            ["12345678.10", "NULL", "12000", "0.25", "7.00"],
            ["1200.00", "3", "1200", "12.50", "-1000.50"],
            ["-0.99", "1004", "5300", "100.00", "-2.25"]
        ]
    );
    let comment = catalog.tables[0].columns[1].comment.clone().expect("what was done is said");
    assert_eq!(comment, "read as a number with a decimal comma from text such as '1.200,00'; in €");
    let (fields, texts) = (["a,b", "x,\"$1,234.50\"", "y,\"($2.00)\""], "SELECT b FROM t ORDER BY a");
    let folder = columns(fields[0], &fields[1..]);
    assert_eq!(rows(&self::warehouse(&folder.path().join("t.csv")), texts).await, [["1234.50"], ["-2.00"]]);
}

#[tokio::test]
async fn what_may_be_no_number_stays_as_it_is() {
    for values in [
        ["030 123 456", "040 654 321"],
        ["192.168.100.200", "192.168.100.201"],
        ["123.456.789", "987.654.321"],
        ["$1.50", "€2.50"],
        ["1,2,3", "4,5"],
        ["A 100", "B 200"],
        ["1,200", "5,300"],
        ["007,5", "001,5"],
        ["1.200,00", "1,200.00"],
        ["1,5", "about 2"],
        ["2:30 h", "3:15 h"],
        ["12.03.", "13.04."],
    ] {
        let folder = columns("k;v", &[&format!("a;{}", values[0]), &format!("b;{}", values[1])]);
        let warehouse = warehouse(&folder.path().join("t.csv"));
        assert_eq!(types(&warehouse.load_catalog().await.unwrap(), "t")[1], "v VARCHAR", "{values:?}");
        assert_eq!(rows(&warehouse, "SELECT v FROM t ORDER BY k").await.concat(), values);
    }
    // Points with three digits are fractions unless the file proves otherwise.
    let folder = columns("k;v", &["a;1.200", "b;5.300"]);
    assert_eq!(rows(&warehouse(&folder.path().join("t.csv")), "SELECT sum(v) FROM t").await, [["6.500"]]);
}

#[tokio::test]
async fn days_of_a_workbook_are_counted_from_its_own_first_day() {
    let sheet =
        [cells(1, &[("A", "text:id"), ("B", "text:day")]), cells(2, &[("A", "1"), ("B", "date:43889")])].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mac.xlsx");
    let late = "<workbookPr date1904=\"1\"/>";
    for (epoch, day) in [("", "2020-02-28"), (late, "2024-02-29")] {
        std::fs::write(&path, workbook_of(&[("s", &sheet)], epoch)).unwrap();
        assert_eq!(rows(&warehouse(&path), "SELECT day FROM mac").await, [[day]]);
    }
}

fn bank_statement(rows: usize) -> String {
    let mut text = "Kontoauszug;;\nKonto:;DE12;\n\nDatum;Text;Betrag\n".to_owned();
    for row in 0..rows {
        text.push_str(&format!("2024-01-{:02};Kauf {row};{}.50\n", row % 28 + 1, row % 90));
    }
    text
}

/// Opens a path with limits that treat every file as large.
fn as_large(path: &Path) -> DuckWarehouse {
    open_files(path, &OpenOptions { load_bytes: 0, ..OpenOptions::default() }).unwrap()
}

async fn reading(warehouse: &DuckWarehouse) -> vitrine_domain::FileReading {
    crate::Warehouse::file_readings(warehouse).await.unwrap().remove(0)
}

#[tokio::test]
async fn titles_of_a_large_or_packed_file_are_found_at_its_beginning() {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;
    let text = bank_statement(60_000);
    assert!(text.len() > 1 << 20, "the end is out of sight at its beginning");
    let folder = folder(&[("large.csv", &text)]);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    std::fs::write(folder.path().join("packed.csv.gz"), packed.finish().unwrap()).unwrap();
    for (file, table, said) in
        [("large.csv", "large", "first and last megabyte"), ("packed.csv.gz", "packed", "at its end were not")]
    {
        let warehouse = as_large(&folder.path().join(file));
        let sums = format!(r#"SELECT count(*), max("Datum"), sum("Betrag") > 0 FROM {table}"#);
        assert_eq!(rows(&warehouse, &sums).await, [["60000", "2024-01-28", "true"]], "{file}");
        let reading = reading(&warehouse).await;
        assert_eq!((reading.header_row, reading.skipped.len()), (Some(4), 2), "{file}");
        assert_eq!(reading.skipped[1].text, "Konto: | DE12");
        assert!(reading.doubts.iter().any(|doubt| doubt.contains(said)), "{:?}", reading.doubts);
        assert!(!reading.doubts.iter().any(|doubt| doubt.contains("looks like")), "{:?}", reading.doubts);
    }
}

#[tokio::test]
async fn totals_and_notes_of_a_large_file_are_set_aside_as_those_of_a_small_one() {
    use vitrine_domain::SetAsideReason::{Footnote, Total};
    let german = |text: String| text.replace(".50\n", ",50 €\n");
    let ended = |end: &str| format!("{}{end}", bank_statement(60_000));
    for (text, out) in [
        (ended(";Summe;2699100.00\n"), vec![(60_005, Total, "Summe | 2699100.00")]),
        (ended(";Summe;2699100\n"), vec![(60_005, Total, "Summe | 2699100")]),
        (
            ended(";;2699100.00\n\nAlle Angaben ohne Gewähr\n"),
            vec![(60_005, Total, "2699100.00"), (60_007, Footnote, "Alle Angaben ohne Gewähr")],
        ),
        (ended("\nQuelle: \"Bank\"\n"), vec![(60_006, Footnote, "Quelle: \"Bank\"")]),
        (
            format!("{};Total;2.699.100,00 €\n", german(bank_statement(60_000))),
            vec![(60_005, Total, "Total | 2.699.100,00 €")],
        ),
    ] {
        let folder = folder(&[("t.csv", &text)]);
        let path = folder.path().join("t.csv");
        for (warehouse, size) in [(as_large(&path), "large"), (warehouse(&path), "small")] {
            let sums = r#"SELECT count(*), max("Datum"), typeof(max("Datum")), sum("Betrag")::BIGINT FROM t"#;
            assert_eq!(rows(&warehouse, sums).await, [["60000", "2024-01-28", "DATE", "2699100"]], "{size}: {out:?}");
            let reading = reading(&warehouse).await;
            let found: Vec<_> = reading.set_aside.iter().map(|row| (row.row, row.reason, row.text.as_str())).collect();
            assert_eq!(found, out, "{size}");
            assert_eq!((reading.header_row, reading.skipped.len()), (Some(4), 2), "{size}");
            assert!(!reading.doubts.iter().any(|doubt| doubt.contains("in the table")), "{:?}", reading.doubts);
        }
        // As specified by the user.
        let options = FileOptions { keep_rows: true, as_text: vec!["Datum".to_owned()], ..FileOptions::default() };
        let kept = OpenOptions { load_bytes: 0, tables: [("t".to_owned(), options)].into(), ..OpenOptions::default() };
        if let Ok(kept) = open_files(&path, &kept) {
            assert_eq!(reading(&kept).await.set_aside, []);
            let count = rows(&kept, "SELECT count(*) FROM t").await;
            assert!(count[0][0].parse::<usize>().unwrap() > 60_000, "{count:?}");
        }
        let text = FileOptions { as_text: vec!["Datum".to_owned()], ..FileOptions::default() };
        let text = OpenOptions { load_bytes: 0, tables: [("t".to_owned(), text)].into(), ..OpenOptions::default() };
        let text = open_files(&path, &text).unwrap();
        assert_eq!(rows(&text, r#"SELECT count(*), typeof(max("Datum")) FROM t"#).await, [["60000", "VARCHAR"]]);
    }
}

#[tokio::test]
async fn last_rows_of_a_large_file_that_look_like_totals_are_told_and_others_are_not() {
    let large = |end: &str| format!("{}{end}", bank_statement(60_000));
    for (end, told) in [
        (";Summe;2670000.00\n", Some("Summe | 2670000.00")),
        (";Summe;2699100.01\n", Some("Summe | 2699100.01")),
        (";Kauf;2.50\n", Some("Kauf | 2.50")),
        ("2024-02-01;;5.50\n;Summe;2699100.00\n", Some("Summe | 2699100.00")),
        (";;2670000.00\nAlle Angaben ohne Gewähr;;\n", Some("Alle Angaben ohne Gewähr")),
        ("2024-02-01;Kauf;1.50\n", None),
    ] {
        let folder = folder(&[("large.csv", &large(end))]);
        let reading = reading(&as_large(&folder.path().join("large.csv"))).await;
        assert_eq!(reading.set_aside, [], "{end}");
        let doubt = reading.doubts.iter().find(|doubt| doubt.contains("like a total or a note"));
        match told {
            Some(told) => assert!(doubt.is_some_and(|doubt| doubt.contains(told)), "{end}: {:?}", reading.doubts),
            None => assert_eq!(doubt, None),
        }
    }
    // A file that starts with its names is read as before.
    let folder = folder(&[("plain.csv", ORDERS)]);
    let reading = reading(&as_large(&folder.path().join("plain.csv"))).await;
    assert_eq!((reading.header_row, reading.skipped.len(), reading.doubts.len()), (None, 0, 1));
}
