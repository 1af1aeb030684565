use super::*;
use ::calamine::{Data, Reader, Xlsx, open_workbook};
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow::array::{ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, StringArray};
use arrow::array::{IntervalMonthDayNanoArray, TimestampMicrosecondArray};
use arrow::datatypes::{DataType, Field, IntervalMonthDayNanoType};
use arrow::record_batch::RecordBatch;
use std::sync::Arc;

/// One row of every type that matters, and one of NULLs.
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
    let folder = tempfile::tempdir().unwrap();
    let dest = folder.path().join(name);
    let options = ExportOptions { format: ExportFormat::of(&dest)?, csv: CsvOptions::default() };
    let done = export(batches(batch, times), &dest, options, |_| {}, CancellationToken::new()).await;
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, usize::from(done.is_ok()), "nothing but a whole file is left");
    assert_eq!(done?, (batch.num_rows() * times) as u64);
    Ok(folder)
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
    let of = |name: &str| ExportFormat::of(Path::new(name));
    assert_eq!(of("a.XLSX").unwrap(), ExportFormat::Xlsx);
    assert_eq!(of("a.b.parquet").unwrap(), ExportFormat::Parquet);
    assert_eq!((of("a").unwrap(), of("a.txt").unwrap()), (ExportFormat::Csv, ExportFormat::Csv));
    assert!(of("a.docx").unwrap_err().to_string().contains(".docx"));
}
