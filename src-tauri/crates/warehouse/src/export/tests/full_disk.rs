//! Exports to a disk that is really full: a small file system of the test, which needs a separate process to mount.

use super::super::*;
use arrow::array::StringArray;
use arrow::datatypes::{DataType, Field};
use arrow::record_batch::RecordBatch;
use std::path::PathBuf;
use std::sync::Arc;
use vitrine_domain::AppError;
use vitrine_test_servers::small_disk;

#[cfg(target_os = "linux")]
const PLACE: &str = "VITRINE_TEST_FULL_EXPORT";

/// Returns rows that no format can compress.
fn batches() -> Batches {
    let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Utf8, true)]));
    let text = |row: u64| {
        let mut hash = blake3::Hasher::new();
        hash.update(&row.to_le_bytes());
        let mut bytes = [0; 300];
        hash.finalize_xof().fill(&mut bytes);
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let rows: StringArray = (0..20_000).map(|row| Some(text(row))).collect();
    let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(rows)]).unwrap();
    Batches::new(schema, futures::stream::iter([Ok(batch)]).boxed())
}

/// The program on the full disk; a helper process, not a test.
#[tokio::test]
#[ignore = "started by the test below"]
async fn the_program_whose_disk_is_full() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let mut told = Vec::new();
    for format in ExportFormat::ALL {
        let dest = place.join(format!("out.{}", format.extension()));
        std::fs::write(&dest, "old").unwrap();
        let options = ExportOptions { format, csv: CsvOptions::default(), about: None };
        let error = export_batches(batches(), &dest, options, |_| {}, CancellationToken::new()).await.unwrap_err();
        let error = AppError::from(error);
        assert!(error.message.starts_with("The disk is full"), "{format:?}: {error:?}");
        assert_eq!(std::fs::read_to_string(&dest).unwrap(), "old", "{format:?}");
        std::fs::remove_file(&dest).unwrap();
        assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "{format:?} leaves nothing");
        told.push(format.extension());
    }
    println!("\ntold of all: {told:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_by_every_format_and_the_old_file_stays() {
    small_disk::on_a_disk_of("2m", "export::tests::full_disk::the_program_whose_disk_is_full", PLACE, "told of all");
}
