//! Export of large results as CSV.

use crate::Options;
use crate::child::{self, Measured};
use crate::data::orders::{Orders, engine, quoted};
use crate::report::{Figure, Section, count, megabytes, seconds};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{CsvOptions, ExportFormat, ExportOptions, Limits, WarehouseKind, WarehouseUri, export_batches};

const ROWS: u64 = 10_000_000;
/// Memory must not grow with the rows: the maximum growth for ten times as many rows.
const FLAT: f64 = 1.25;

#[derive(Serialize, Deserialize)]
pub struct Written {
    seconds: f64,
    bytes: u64,
}

pub fn section(options: &Options) -> Result<Section> {
    let folder = tempfile::tempdir()?;
    let rows = options.scaled(ROWS);
    let orders = |rows: u64| Orders { rows, path: folder.path().join(format!("orders_{rows}.parquet")) };
    let (many, few) = (orders(rows), orders(rows / 10));
    child::run::<()>("orders", &many)?;
    child::run::<()>("orders", &few)?;
    let copied: Measured<Written> = child::run("copy", &many)?;
    let written: Measured<Written> = child::run("export", &many)?;
    let small: Measured<Written> = child::run("export", &few)?;
    let ratio = written.found.seconds / copied.found.seconds;
    let (peak, less) = (written.peak_bytes.unwrap_or(u64::MAX), small.peak_bytes.unwrap_or(1));
    let grown = peak as f64 / less as f64;
    Ok(Section {
        how: format!(
            "Every row and column of a Parquet file of {} orders, written to a file of {} MB on the same disk; this program \
             waits until the disk has it. The reference is DuckDB's COPY of the same query ({} MB), in the same version with as \
             much memory and as many threads.",
            count(rows),
            written.found.bytes / 1_000_000,
            copied.found.bytes / 1_000_000,
        ),
        figures: vec![
            Figure::new("CSV export", seconds(written.found.seconds))
                .against(seconds(copied.found.seconds), ratio)
                .goal("at most 2x COPY's time", ratio <= 2.0),
            Figure::new("memory, at most", megabytes(written.peak_bytes))
                .against(megabytes(copied.peak_bytes), peak as f64 / copied.peak_bytes.unwrap_or(1) as f64),
            Figure::new(format!("memory beside that of {} rows", count(few.rows)), megabytes(written.peak_bytes))
                .against(megabytes(small.peak_bytes), grown)
                .goal(format!("flat: at most {FLAT}x"), grown <= FLAT),
        ],
        ..Section::default()
    })
}

fn everything(path: &Path) -> String {
    format!("SELECT * FROM \"{}\"", path.file_stem().unwrap_or_default().to_string_lossy())
}

pub async fn measure(orders: Orders) -> Result<Written> {
    let warehouse = vitrine_warehouse::open_warehouse(&WarehouseUri::new(WarehouseKind::File, &orders.path)).await?;
    let sql = ReadOnlySql::parse(&everything(&orders.path), Dialect::Duckdb)?;
    let limits = Limits { rows: None, timeout: Duration::from_secs(600), ..Limits::default() };
    let dest = orders.path.with_extension("csv");
    let began = Instant::now();
    let batches = warehouse.run_query(&sql, limits, CancellationToken::new()).await?;
    let options = ExportOptions { format: ExportFormat::Csv, csv: CsvOptions::default(), about: None };
    export_batches(batches, &dest, options, |_| {}, CancellationToken::new()).await?;
    written(began, &dest)
}

/// Measures the reference: DuckDB's own export.
pub async fn copy(orders: Orders) -> Result<Written> {
    let dest = orders.path.with_extension("csv");
    let began = Instant::now();
    engine()?.execute_batch(&format!(
        "COPY (SELECT * FROM '{}') TO '{}' (FORMAT csv, HEADER)",
        quoted(&orders.path),
        quoted(&dest)
    ))?;
    written(began, &dest)
}

fn written(began: Instant, dest: &Path) -> Result<Written> {
    let seconds = began.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(dest)?.len();
    std::fs::remove_file(dest)?;
    Ok(Written { seconds, bytes })
}
