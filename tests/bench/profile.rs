//! Profiling a large Parquet file.

use crate::Options;
use crate::child::{self, Measured};
use crate::data::orders::{Orders, engine, quoted};
use crate::report::{Figure, Section, count, megabytes, seconds};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::ProfileOptions;
use vitrine_warehouse::{WarehouseKind, WarehouseUri};

const ROWS: u64 = 20_000_000;

#[derive(Serialize, Deserialize)]
pub struct Profiled {
    seconds: f64,
    columns: usize,
    rows_read: u64,
}

pub fn section(options: &Options) -> Result<Section> {
    let folder = tempfile::tempdir()?;
    let orders = Orders { rows: options.scaled(ROWS), path: folder.path().join("orders.parquet") };
    child::run::<()>("orders", &orders)?;
    let summarized: Measured<f64> = child::run("summarize", &orders)?;
    let profiled: Measured<Profiled> = child::run("profile", &orders)?;
    let Profiled { seconds: took, columns, rows_read } = profiled.found;
    let ratio = took / summarized.found;
    Ok(Section {
        how: format!(
            "A Parquet file of {} orders with {columns} columns (keys, categories, money, times, a date hidden in text, notes, \
             JSON), {} MB, in the system's cache. The profile reads {} rows, spread over the file; DuckDB's SUMMARIZE reads all, \
             in the same version with as much memory and as many threads.",
            count(orders.rows),
            std::fs::metadata(&orders.path)?.len() / 1_000_000,
            count(rows_read),
        ),
        figures: vec![
            Figure::new("profile", seconds(took))
                .against(seconds(summarized.found), ratio)
                .goal("at most 2x SUMMARIZE", ratio <= 2.0),
            Figure::new("memory, at most", megabytes(profiled.peak_bytes)).against(
                megabytes(summarized.peak_bytes),
                profiled.peak_bytes.unwrap_or(0) as f64 / summarized.peak_bytes.unwrap_or(1) as f64,
            ),
        ],
        ..Section::default()
    })
}

/// Measures the profile that is created when a file is opened.
pub async fn measure(orders: Orders) -> Result<Profiled> {
    let warehouse = vitrine_warehouse::open_warehouse(&WarehouseUri::new(WarehouseKind::File, &orders.path)).await?;
    let catalog = warehouse.load_catalog().await?;
    let options = ProfileOptions::default();
    let began = Instant::now();
    let profile =
        vitrine_catalog::profile_database(warehouse, &catalog, options, |_, _, _| {}, CancellationToken::new()).await?;
    let seconds = began.elapsed().as_secs_f64();
    let table = &profile.tables[0];
    Ok(Profiled { seconds, columns: table.columns.len(), rows_read: table.profiled_rows })
}

/// Returns the seconds of DuckDB's own summary.
pub async fn summarize(orders: Orders) -> Result<f64> {
    let connection = engine()?;
    let began = Instant::now();
    let mut statement = connection.prepare(&format!("SUMMARIZE SELECT * FROM '{}'", quoted(&orders.path)))?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    Ok(began.elapsed().as_secs_f64())
}
