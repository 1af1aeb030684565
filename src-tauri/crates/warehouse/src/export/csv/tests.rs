use super::*;
use crate::export::part_file::PartFile;
use crate::export::{ExportFormat, ExportOptions, export_batches};
use crate::{Batches, WarehouseError};
use arrow::array::{Int64Array, StringArray};
use arrow::datatypes::{DataType, Field};
use futures::StreamExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio_util::sync::CancellationToken;

fn batches(texts: Vec<Option<&'static str>>, repeat: usize) -> Batches {
    let schema = Arc::new(Schema::new(vec![
        Field::new("id, no", DataType::Int64, true),
        Field::new("=note", DataType::Utf8, true),
    ]));
    let numbers = Int64Array::from((0..texts.len() as i64).map(|n| n - 1).collect::<Vec<_>>());
    let batch =
        RecordBatch::try_new(schema.clone(), vec![Arc::new(numbers), Arc::new(StringArray::from(texts))]).unwrap();
    Batches::new(schema, futures::stream::iter(std::iter::repeat_n(Ok(batch), repeat)).boxed())
}

async fn write_csv(
    batches: Batches,
    dest: &Path,
    csv: CsvOptions,
    progress: impl Fn(u64) + Send + Sync,
    cancel: CancellationToken,
) -> Result<u64, WarehouseError> {
    export_batches(batches, dest, ExportOptions { format: ExportFormat::Csv, csv, about: None }, progress, cancel).await
}

async fn export_text(batches: Batches, options: CsvOptions) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    write_csv(batches, &path, options, |_| {}, CancellationToken::new()).await.unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing but the file is left");
    std::fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn fields_are_quoted_by_the_rules_and_null_is_not_empty_text() {
    let text = export_text(
        batches(vec![Some("plain"), Some("a,b"), Some("say \"hi\""), Some("two\nlines"), Some(""), None], 1),
        CsvOptions::default(),
    )
    .await;
    assert_eq!(
        text,
        "\"id, no\",'=note\r\n-1,plain\r\n0,\"a,b\"\r\n1,\"say \"\"hi\"\"\"\r\n2,\"two\nlines\"\r\n3,\"\"\r\n4,\r\n"
    );
}

#[tokio::test]
async fn formulas_are_disarmed_unless_they_are_wanted_and_numbers_never() {
    let texts = vec![Some("=1+1"), Some("@x"), Some("-5.5"), Some("+a,b")];
    let text = export_text(batches(texts.clone(), 1), CsvOptions::default()).await;
    assert_eq!(text, "\"id, no\",'=note\r\n-1,'=1+1\r\n0,'@x\r\n1,-5.5\r\n2,\"'+a,b\"\r\n");
    let text =
        export_text(batches(texts, 1), CsvOptions { guard_formulas: false, header: false, ..CsvOptions::default() })
            .await;
    assert!(text.starts_with("-1,=1+1\r\n"));
}

#[test]
fn formulas_are_disarmed_wherever_a_spreadsheet_may_begin_a_cell() {
    for (text, safe) in [
        ("a;=cmd()", "a;'=cmd()"),
        ("a;\"=cmd()", "a;\"'=cmd()"),
        ("a; @x", "a; '@x"),
        ("a\t=1", "a\t'=1"),
        ("two\n=lines", "two\n'=lines"),
        ("\t=1", "'\t'=1"),
        ("\rx", "'\rx"),
        ("＝1+1", "'＝1+1"),
        ("-cmd", "'-cmd"),
        ("-1;=x", "-1;'=x"),
        ("--5", "'--5"),
        ("+inf", "'+inf"),
        // A byte order mark is stripped by spreadsheets.
        ("\u{feff}=cmd()", "\u{feff}'=cmd()"),
        ("\u{feff}\"=cmd()", "\u{feff}\"'=cmd()"),
        ("\u{200b}@x", "\u{200b}'@x"),
        ("\u{a0}+x", "\u{a0}'+x"),
    ] {
        assert_eq!(guard_formula(text), safe, "{text:?}");
    }
    // Texts that look similar but are harmless.
    for text in ["-5", "+3.25", "-1e9", "a;-5", "a-b", "x=1", "me@example.org", "a; b", "1-2", "", "'=1"] {
        assert_eq!(guard_formula(text), text);
    }
}

#[tokio::test]
async fn a_byte_order_mark_stands_first_where_it_is_wanted() {
    let options = CsvOptions { byte_order_mark: true, ..CsvOptions::default() };
    assert!(export_text(batches(vec![Some("ä")], 1), options).await.starts_with("\u{feff}\"id, no\""));
    assert!(!export_text(batches(vec![Some("ä")], 1), CsvOptions::default()).await.contains('\u{feff}'));
}

#[tokio::test]
async fn what_is_written_reads_back() {
    let text = export_text(batches(vec![Some("a\r\nb"), Some(" c "), Some("\"")], 2), CsvOptions::default()).await;
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let cells: Vec<String> = reader.records().map(|record| record.unwrap()[1].to_owned()).collect();
    assert_eq!(cells, ["a\r\nb", " c ", "\"", "a\r\nb", " c ", "\""]);
}

#[tokio::test]
async fn progress_counts_rows_and_an_old_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    std::fs::write(&path, "old").unwrap();
    let last = AtomicU64::new(0);
    let rows = write_csv(
        batches(vec![Some("x"); 10], 3),
        &path,
        CsvOptions::default(),
        |rows| last.store(rows, Ordering::Relaxed),
        CancellationToken::new(),
    );
    assert_eq!(rows.await.unwrap(), 30);
    assert_eq!(last.into_inner(), 30);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 31);
}

#[tokio::test]
async fn a_cancelled_or_failed_export_leaves_nothing_and_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    std::fs::write(&path, "old").unwrap();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let stopped =
        write_csv(batches(vec![Some("x")], 1_000), &path, CsvOptions::default(), move |_| stop.cancel(), cancel).await;
    assert_eq!(stopped, Err(WarehouseError::Cancelled));

    let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Int64, true)]));
    let failing = Batches::new(schema, futures::stream::iter([Err(WarehouseError::query("boom"))]).boxed());
    let failed = write_csv(failing, &path, CsvOptions::default(), |_| {}, CancellationToken::new()).await;
    assert_eq!(failed, Err(WarehouseError::query("boom")));

    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn places_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = write_csv(batches(vec![], 1), folder.path(), CsvOptions::default(), |_| {}, CancellationToken::new())
        .await
        .unwrap_err();
    assert!(matches!(error, WarehouseError::IsFolder { .. }));
    let nowhere = folder.path().join("gone").join("out.csv");
    let error = write_csv(batches(vec![], 1), &nowhere, CsvOptions::default(), |_| {}, CancellationToken::new())
        .await
        .unwrap_err();
    assert_eq!(error, WarehouseError::NotFound { path: folder.path().join("gone") });
}

#[tokio::test]
async fn what_a_killed_export_left_is_removed_by_the_next_and_one_at_work_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let dest = folder.path().join("out.csv");
    let left = folder.path().join(".out.csv.4000000-0.part");
    let others = [".out.csv.part", ".other.csv.4000000-0.part", ".out.csv.x-0.part", ".out.csv.1-.part"];
    for name in others {
        std::fs::write(folder.path().join(name), "mine").unwrap();
    }
    std::fs::write(&left, "half a li").unwrap();
    let at_work = PartFile::create(&dest).unwrap();
    assert!(!left.exists());
    write_csv(batches(vec![Some("x")], 1), &dest, CsvOptions::default(), |_| {}, CancellationToken::new())
        .await
        .unwrap();
    assert!(at_work.path.exists(), "another export to the same file goes on");
    at_work.finish().unwrap();
    assert!(others.iter().all(|name| folder.path().join(name).exists()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1 + others.len());
}

/// `/dev/full` fails every write like a full disk.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_told_and_the_part_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, dest) = (folder.path().join("part"), folder.path().join("out.csv"));
    std::fs::write(&path, "").unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let rows = batches(vec![Some("x")], 1);
    let mut writer = CsvWriter::new(&rows.schema, CsvOptions::default());
    let batch = rows.stream.collect::<Vec<_>>().await.remove(0).unwrap();
    let part = PartFile { file: file.try_clone().unwrap(), path, dest: dest.clone(), finished: false };
    let error = writer.write_batch(&mut file, &batch).unwrap_err();
    drop(part);
    let app = vitrine_domain::AppError::from(WarehouseError::from_io_error("writing", &dest, &error));
    assert!(app.message.starts_with("The disk is full") && app.hint.is_some(), "{app}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
