use super::super::*;
use ::calamine::{Data, Reader, Xlsx, open_workbook};
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow::array::{ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, StringArray};
use arrow::array::{IntervalMonthDayNanoArray, TimestampMicrosecondArray};
use arrow::datatypes::{DataType, Field, IntervalMonthDayNanoType};
use arrow::record_batch::RecordBatch;
use std::sync::Arc;
use vitrine_domain::{ExportAbout, ExportColumn, ExportFact};

/// Returns one row with a value of every relevant type, and one of NULLs.
fn batch() -> RecordBatch {
    let decimal = Decimal128Array::from(vec![Some(1234567890123456789), None]).with_precision_and_scale(20, 2).unwrap();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from(vec![Some(9007199254740993), None]))),
        ("n", Arc::new(Int64Array::from(vec![Some(-42), None]))),
        ("money", Arc::new(decimal)),
        ("share", Arc::new(Float64Array::from(vec![Some(1.0 / 3.0), None]))),
        ("ok", Arc::new(BooleanArray::from(vec![Some(true), None]))),
        ("day", Arc::new(Date32Array::from(vec![Some(19_782), None]))),
        ("at", Arc::new(TimestampMicrosecondArray::from(vec![Some(1_709_208_000_000_000), None]))),
        ("Note", Arc::new(StringArray::from(vec![Some("=1+2 \u{1F600} <b>"), None]))),
        ("note", Arc::new(StringArray::from(vec![Some(""), None]))),
        (
            "span",
            Arc::new(IntervalMonthDayNanoArray::from(vec![Some(IntervalMonthDayNanoType::make_value(1, 2, 0)), None])),
        ),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

fn batches(batch: &RecordBatch, times: usize) -> Batches {
    let all: Vec<Result<RecordBatch, WarehouseError>> = std::iter::repeat_n(batch, times).cloned().map(Ok).collect();
    Batches::new(batch.schema(), futures::stream::iter(all).boxed())
}

async fn written(batch: &RecordBatch, times: usize, name: &str) -> Result<tempfile::TempDir, WarehouseError> {
    let folder = written_with(batch, times, name, None).await?;
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing but a whole file is left");
    Ok(folder)
}

async fn written_with(
    batch: &RecordBatch,
    times: usize,
    name: &str,
    about: Option<ExportAbout>,
) -> Result<tempfile::TempDir, WarehouseError> {
    let folder = tempfile::tempdir().unwrap();
    let dest = folder.path().join(name);
    let options = ExportOptions { format: ExportFormat::from_path(&dest)?, csv: CsvOptions::default(), about };
    let done = export_batches(batches(batch, times), &dest, options, |_| {}, CancellationToken::new()).await;
    if done.is_err() {
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    }
    assert_eq!(done?, (batch.num_rows() * times) as u64);
    Ok(folder)
}

/// Returns facts whose texts would be formulas.
fn about(beside: bool, columns: Vec<ExportColumn>) -> ExportAbout {
    let fact = |label: &str, text: &str| ExportFact { label: label.into(), text: text.into() };
    let facts = vec![
        fact("Question", "=HYPERLINK(\"http://evil\",\"?\")"),
        fact("Certainty", "Check this"),
        fact("Speaks against it", "@SUM(1)\t=2"),
        fact("SQL", "SELECT 1\n-- +1\r\n=2"),
        fact("Source", ""),
    ];
    ExportAbout { title: "About this answer".into(), facts, beside, columns }
}

#[tokio::test]
async fn a_workbook_tells_on_a_second_sheet_what_its_rows_answer() {
    let folder = written_with(&batch(), 1, "o.xlsx", Some(about(true, Vec::new()))).await.unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a workbook has no file beside it");
    let path = folder.path().join("o.xlsx");
    let mut book: Xlsx<_> = open_workbook(&path).unwrap();
    assert_eq!(book.sheet_names(), ["Sheet1", "About this answer"]);
    let sheet = book.worksheet_range("About this answer").unwrap();
    let rows: Vec<(String, String)> = sheet.rows().map(|row| (row[0].to_string(), row[1].to_string())).collect();
    let row = |label: &str, text: &str| (label.to_owned(), text.to_owned());
    assert_eq!(
        rows,
        [
            row("Question", "=HYPERLINK(\"http://evil\",\"?\")"),
            row("Certainty", "Check this"),
            row("Speaks against it", "@SUM(1)\t=2"),
            row("SQL", "SELECT 1\n-- +1\n=2"),
            row("Source", ""),
        ]
    );
    assert!(book.worksheet_formula("About this answer").unwrap().is_empty());
    assert_eq!(book.worksheet_range_at(0).unwrap().unwrap().get_value((1, 1)), Some(&Data::Float(-42.0)));
    // Cells stay text after editing.
    let mut parts = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
    let mut styles = String::new();
    std::io::Read::read_to_string(&mut parts.by_name("xl/styles.xml").unwrap(), &mut styles).unwrap();
    assert!(styles.contains("quotePrefix=\"1\""), "{styles}");
    // An invalid sheet name and a text longer than a cell must neither fail nor be truncated.
    let long = "é".repeat(40_000);
    let facts = vec![ExportFact { label: "SQL".into(), text: long.clone() }];
    let other = ExportAbout { title: "a/b: [c]?".into(), facts, ..ExportAbout::default() };
    let folder = written_with(&batch(), 1, "o.xlsx", Some(other)).await.unwrap();
    let mut book: Xlsx<_> = open_workbook(folder.path().join("o.xlsx")).unwrap();
    assert_eq!(book.sheet_names()[1], "ab c");
    let sheet = book.worksheet_range("ab c").unwrap();
    assert_eq!(sheet.rows().map(|row| row[1].to_string()).collect::<String>(), long);
}

#[tokio::test]
async fn a_file_of_rows_gets_the_facts_beside_it_where_they_are_wanted() {
    let folder = written_with(&batch(), 1, "o.csv", Some(about(false, Vec::new()))).await.unwrap();
    let names = |folder: &tempfile::TempDir| {
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&folder), ["o.csv"]);
    let plain = std::fs::read_to_string(folder.path().join("o.csv")).unwrap();
    let folder = written_with(&batch(), 1, "o.csv", Some(about(true, Vec::new()))).await.unwrap();
    assert_eq!(names(&folder), ["o.csv", "o.csv.about.txt"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("o.csv")).unwrap(), plain, "the rows are the same");
    assert!(plain.starts_with("id,n,money,share,ok,day,at,Note,note,span\r\n"), "{plain}");
    let text = std::fs::read_to_string(folder.path().join("o.csv.about.txt")).unwrap();
    assert_eq!(
        text,
        "About this answer\n\nQuestion: =HYPERLINK(\"http://evil\",\"?\")\nCertainty: Check this\n\
         Speaks against it: @SUM(1) =2\nSQL:\n| SELECT 1\n| -- +1\n| =2\nSource: \n"
    );
    assert!(text.lines().all(|line| !line.starts_with(['=', '+', '-', '@', '\t'])), "{text}");
}

#[tokio::test]
async fn a_workbook_has_headers_and_numbers_for_people_and_hides_no_digit() {
    let floats = |values: Vec<f64>| Arc::new(Float64Array::from(values)) as ArrayRef;
    let decimal = Decimal128Array::from(vec![Some(18_423_040), Some(5)]).with_precision_and_scale(12, 2).unwrap();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("total_amount", Arc::new(decimal)),
        ("count_star()", Arc::new(Int64Array::from(vec![18_462, 7]))),
        ("share", floats(vec![0.25, 0.5])),
        ("ratio", floats(vec![1.0 / 3.0, 0.5])),
        ("year", floats(vec![2023.0, 2024.0])),
        ("a_b", Arc::new(Int64Array::from(vec![1, 2]))),
        ("a b", Arc::new(Int64Array::from(vec![1, 2]))),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let rows = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
    let mut looks = vec![ExportColumn::default(); 7];
    looks[1] = ExportColumn { header: Some("number of customers".into()), format: Some("#,##0".into()) };
    looks[2].format = Some("#,##0.0%".into());
    looks[4].format = Some("yyyy;@".into());
    let folder = written_with(&rows, 1, "o.xlsx", Some(about(false, looks))).await.unwrap();
    let path = folder.path().join("o.xlsx");
    let mut book: Xlsx<_> = open_workbook(&path).unwrap();
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    let header: Vec<String> = (0..7).map(|column| sheet.get_value((0, column)).unwrap().to_string()).collect();
    assert_eq!(header, ["total amount", "number of customers", "share", "ratio", "year", "a_b", "a b"]);
    assert_eq!(sheet.get_value((1, 0)), Some(&Data::Float(184_230.4)));
    assert_eq!(sheet.get_value((1, 3)), Some(&Data::Float(1.0 / 3.0)));
    let mut parts = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
    let mut part = |name: &str| {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut parts.by_name(name).unwrap(), &mut text).unwrap();
        text
    };
    let (styles, cells) = (part("xl/styles.xml"), part("xl/worksheets/sheet1.xml"));
    assert!(!styles.contains("yyyy;@"), "no format of any other kind is taken");
    let formats: Vec<&str> = styles
        .split_once("<cellXfs")
        .and_then(|(_, rest)| rest.split_once("</cellXfs>"))
        .map(|(all, _)| all.split("<xf ").skip(1).map(|xf| xf.split('"').nth(1).unwrap()).collect())
        .unwrap();
    let format_of = |cell: &str| {
        let (_, rest) = cells.split_once(&format!("<c r=\"{cell}\"")).unwrap();
        let tag = rest.split('>').next().unwrap();
        tag.split_once("s=\"")
            .map_or("0", |(_, style)| formats[style.split('"').next().unwrap().parse::<usize>().unwrap()])
    };
    let code_of = |cell: &str| {
        let id = format_of(cell);
        let named = styles.split_once(&format!("numFmtId=\"{id}\" formatCode=\""));
        named.map_or("General", |(_, rest)| rest.split('"').next().unwrap())
    };
    let codes: Vec<&str> = ["A2", "A3", "B2", "C2", "D2", "E2", "F2"].map(code_of).to_vec();
    assert_eq!(codes, ["#,##0.00", "#,##0.00", "#,##0", "#,##0.0%", "General", "General", "General"], "{styles}");
    // A later batch may have more digits than the first one.
    let one = |values: Vec<f64>| {
        let schema = Arc::new(Schema::new(vec![Field::new("price", DataType::Float64, true)]));
        RecordBatch::try_new(schema, vec![floats(values)]).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let dest = folder.path().join("p.xlsx");
    let stream = futures::stream::iter([Ok(one(vec![1.5, 2.25])), Ok(one(vec![3.75, 0.0625]))]).boxed();
    let batches = Batches::new(one(vec![]).schema(), stream);
    let options = ExportOptions { format: ExportFormat::Xlsx, csv: CsvOptions::default(), about: None };
    export_batches(batches, &dest, options, |_| {}, CancellationToken::new()).await.unwrap();
    let mut parts = zip::ZipArchive::new(File::open(&dest).unwrap()).unwrap();
    let mut cells = String::new();
    std::io::Read::read_to_string(&mut parts.by_name("xl/worksheets/sheet1.xml").unwrap(), &mut cells).unwrap();
    assert!(cells.contains("<c r=\"A4\" s=") && cells.contains("<c r=\"A5\"><v>0.0625"), "{cells}");
}

#[tokio::test]
async fn json_loses_no_digit_and_names_each_column_once() {
    let folder = written(&batch(), 2, "o.json").await.unwrap();
    let text = std::fs::read_to_string(folder.path().join("o.json")).unwrap();
    let rows: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(rows.len(), 4);
    assert_eq!(
        (rows[0]["id"].as_i64(), rows[0]["money"].as_str()),
        (Some(9007199254740993), Some("12345678901234567.89"))
    );
    assert_eq!((rows[0]["ok"].as_bool(), rows[0]["day"].as_str()), (Some(true), Some("2024-02-29")));
    assert_eq!((rows[0]["Note"].as_str(), rows[0]["note_2"].as_str()), (Some("=1+2 \u{1F600} <b>"), Some("")));
    assert!(rows[1].as_object().unwrap().values().all(serde_json::Value::is_null));
    let folder = written(&batch().slice(0, 0), 1, "none.json").await.unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("none.json")).unwrap(), "[]\n");
}

#[tokio::test]
async fn a_workbook_has_numbers_dates_and_text_and_runs_no_formula() {
    let folder = written(&batch(), 1, "o.xlsx").await.unwrap();
    let mut book: Xlsx<_> = open_workbook(folder.path().join("o.xlsx")).unwrap();
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    let cell = |column: u32| sheet.get_value((1, column)).cloned().unwrap_or(Data::Empty);
    assert_eq!(cell(0), Data::String("9007199254740993".to_owned()), "Excel would round it");
    assert_eq!(cell(1), Data::Float(-42.0));
    assert_eq!(cell(2), Data::String("12345678901234567.89".to_owned()));
    assert_eq!(cell(3), Data::Float(1.0 / 3.0));
    assert_eq!(cell(4), Data::Bool(true));
    // Days since 1900, as Excel counts them.
    let time = |column| match cell(column) {
        Data::DateTime(time) => Some(time.as_f64()),
        _ => None,
    };
    assert_eq!((time(5), time(6)), (Some(45_351.0), Some(45_351.5)));
    assert_eq!(cell(7), Data::String("=1+2 \u{1F600} <b>".to_owned()));
    assert_eq!(sheet.get_value((0, 8)), Some(&Data::String("note".to_owned())));
    assert!((0..10).all(|column| sheet.get_value((2, column)).is_none_or(|cell| *cell == Data::Empty)));
    assert!(book.worksheet_formula("Sheet1").unwrap().is_empty());
}

#[tokio::test]
async fn a_column_of_a_workbook_is_as_wide_as_what_it_holds() {
    let folder = written(&batch(), 1, "o.xlsx").await.unwrap();
    let mut parts = zip::ZipArchive::new(File::open(folder.path().join("o.xlsx")).unwrap()).unwrap();
    let mut sheet = String::new();
    std::io::Read::read_to_string(&mut parts.by_name("xl/worksheets/sheet1.xml").unwrap(), &mut sheet).unwrap();
    let widths: Vec<f64> = sheet
        .split("<col ")
        .skip(1)
        .flat_map(|column| {
            let of = |name: &str| column.split_once(name)?.1.split('"').next()?.parse::<f64>().ok();
            let columns = of("max=\"").unwrap() - of("min=\"").unwrap() + 1.0;
            vec![of("width=\"").unwrap(); columns as usize]
        })
        .collect();
    assert!(widths[5] >= 10.0, "a day: {widths:?}");
    assert!(widths[6] >= 19.0, "a time of a day, which Excel draws as signs where it is narrower: {widths:?}");
}

#[tokio::test]
async fn what_a_sheet_cannot_hold_is_an_error_that_says_what_can() {
    let long = "x".repeat(40_000);
    let schema = Arc::new(Schema::new(vec![Field::new("text", DataType::Utf8, true)]));
    let one = RecordBatch::try_new(schema, vec![Arc::new(StringArray::from(vec![long.as_str()]))]).unwrap();
    let said = written(&one, 1, "o.xlsx").await.unwrap_err().to_string();
    assert!(said.contains("'text'") && said.contains("Parquet"), "{said}");
    let schema = Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, true)]));
    let many = RecordBatch::try_new(schema, vec![Arc::new(Int64Array::from_iter_values(0..262_144))]).unwrap();
    let said = written(&many, 4, "o.xlsx").await.unwrap_err().to_string();
    assert!(said.contains("1048575"), "{said}");
}

#[tokio::test]
async fn parquet_keeps_the_types_and_what_it_has_none_for_is_text() {
    let folder = written(&batch(), 3, "o.parquet").await.unwrap();
    let file = File::open(folder.path().join("o.parquet")).unwrap();
    let read = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let read: Vec<RecordBatch> = read.map(Result::unwrap).collect();
    assert_eq!(read.iter().map(RecordBatch::num_rows).sum::<usize>(), 6);
    let (own, read) = (batch(), &read[0]);
    for (index, field) in own.schema().fields().iter().enumerate().take(9) {
        assert_eq!(read.column(index).data_type(), field.data_type(), "{}", field.name());
        assert_eq!(read.column(index).slice(0, 2).as_ref(), own.column(index).as_ref(), "{}", field.name());
    }
    assert_eq!(read.schema().field(8).name(), "note_2");
    assert_eq!(read.column(9).data_type(), &DataType::Utf8);
}

#[test]
fn a_file_is_what_its_name_ends_in() {
    let of = |name: &str| ExportFormat::from_path(Path::new(name));
    assert_eq!(of("a.XLSX").unwrap(), ExportFormat::Xlsx);
    assert_eq!(of("a.b.parquet").unwrap(), ExportFormat::Parquet);
    assert_eq!((of("a").unwrap(), of("a.txt").unwrap()), (ExportFormat::Csv, ExportFormat::Csv));
    assert!(of("a.docx").unwrap_err().to_string().contains(".docx"));
}
