//! Paging through a result of millions of rows as the grid does.

use crate::Options;
use crate::child::{self, Measured};
use crate::data::orders::Orders;
use crate::report::{Figure, Section, count, megabytes, quantile, seconds};
use anyhow::{Context, Result, ensure};
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_api::{App, AppOptions, Folders, Patience, ResultHandle};
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;
use vitrine_store::secrets::InMemory;
use vitrine_warehouse::{Limits, WarehouseKind, WarehouseUri};

const ROWS: u64 = 10_000_000;
/// Rows per request of the grid.
const PAGE: u32 = 200;
const QUERY: &str = "SELECT * FROM orders";

#[derive(Serialize, Deserialize)]
pub struct Looked {
    /// Times to the first batch of DuckDB alone, and to the first page of the program.
    engine: Vec<f64>,
    first_page: Vec<f64>,
    /// Times of pages at random positions while rows were still being read, and afterwards.
    meanwhile: Vec<f64>,
    afterwards: Vec<f64>,
    whole: f64,
    rows: u64,
}

pub fn section(options: &Options) -> Result<Section> {
    let folder = tempfile::tempdir()?;
    let orders = Orders { rows: options.scaled(ROWS), path: folder.path().join("orders.parquet") };
    child::run::<()>("orders", &orders)?;
    let looked: Measured<Looked> = child::run("grid", &orders)?;
    let Looked { mut engine, mut first_page, mut meanwhile, mut afterwards, whole, rows } = looked.found;
    ensure!(rows == orders.rows, "only {rows} rows of {} can be looked at", orders.rows);
    let (batch, page) = (quantile(&mut engine, 0.5), quantile(&mut first_page, 0.5));
    let pages = |name: &str, times: &mut Vec<f64>| {
        let slowest = quantile(times, 1.0);
        Figure::new(
            format!("{} pages at any place, {name}", count(times.len() as u64)),
            format!("{} median, {} at most", seconds(quantile(times, 0.5)), seconds(slowest)),
        )
        .goal("below 100 ms", slowest < 0.1)
    };
    Ok(Section {
        how: format!(
            "`App::open_result` over every row and column of a Parquet file of {} orders, then `App::result_rows` in pages of \
             {PAGE} rows. The reference is the time until the engine gave its first batch to a reader that does nothing else; \
             both are medians of five.",
            count(orders.rows)
        ),
        figures: vec![
            Figure::new("first page, after the engine's first batch", seconds(page - batch))
                .against(format!("first batch after {}", seconds(batch)), page / batch)
                .goal("within 300 ms", page - batch <= 0.3),
            pages("rows still coming", &mut meanwhile),
            pages("all rows there", &mut afterwards),
            Figure::new("all rows read into the program's file", seconds(whole)),
            Figure::new("memory, at most", megabytes(looked.peak_bytes)),
        ],
        ..Section::default()
    })
}

/// Opens the result as the window does, and requests pages.
pub async fn measure(orders: Orders) -> Result<Looked> {
    let uri = WarehouseUri::new(WarehouseKind::File, &orders.path);
    let mut engine = Vec::new();
    for _ in 0..5 {
        engine.push(first_batch(&uri).await?);
    }

    let home = orders.path.parent().context("a file lies in a folder")?.join("home");
    let app = App::open(AppOptions {
        folders: Folders::with_root(&home),
        worker_exe: std::env::current_exe()?,
        patience: Patience::WINDOW,
        secrets: Arc::new(InMemory::default()),
        models: Vec::new(),
    })
    .await?;
    let uri = uri.to_string();
    app.open_warehouse(uri.clone()).await?;
    // Waits for the profile and value index, so that only the result is measured.
    while !app.wait_until_prepared(&uri).await?.done {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut first_page = Vec::new();
    let mut last = None;
    for _ in 0..5 {
        if let Some(handle) = last.take() {
            close(&app, handle).await?;
        }
        let began = Instant::now();
        let handle = app.open_result(uri.clone(), QUERY.to_owned(), orders.rows).await?;
        let page = app.result_rows(handle.result_id.clone(), 0, PAGE).await?;
        first_page.push(began.elapsed().as_secs_f64());
        ensure!(page.rows.len() == PAGE as usize, "the first page has {} rows", page.rows.len());
        last = Some((handle, began));
    }
    let (handle, began) = last.context("a result was opened")?;
    let id = handle.result_id;
    let mut meanwhile = Vec::new();
    let whole = loop {
        let now = app.result_status(id.clone()).await?;
        if now.complete {
            break now;
        }
        meanwhile.push(page(&app, &now, meanwhile.len() as u64).await?);
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let took = began.elapsed().as_secs_f64();
    let mut afterwards = Vec::new();
    for number in 0..500 {
        afterwards.push(page(&app, &whole, number).await?);
    }
    Ok(Looked { engine, first_page, meanwhile, afterwards, whole: took, rows: whole.row_count })
}

async fn close(app: &App, (handle, _): (ResultHandle, Instant)) -> Result<()> {
    app.close_result(handle.result_id).await?;
    // Gives the engine time to stop.
    tokio::time::sleep(Duration::from_millis(300)).await;
    Ok(())
}

async fn first_batch(uri: &WarehouseUri) -> Result<f64> {
    let warehouse = vitrine_warehouse::open_warehouse(uri).await?;
    let sql = ReadOnlySql::parse(QUERY, Dialect::Duckdb)?;
    let began = Instant::now();
    let mut batches =
        warehouse.run_query(&sql, Limits { rows: None, ..Limits::default() }, CancellationToken::new()).await?;
    batches.stream.next().await.context("no batch came")??;
    Ok(began.elapsed().as_secs_f64())
}

/// Returns the time of a page at a pseudorandom position.
async fn page(app: &App, result: &ResultHandle, number: u64) -> Result<f64> {
    let most = result.row_count.saturating_sub(u64::from(PAGE)).max(1);
    let offset = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % most;
    let began = Instant::now();
    let page = app.result_rows(result.result_id.clone(), offset, PAGE).await?;
    ensure!(!page.rows.is_empty(), "there are no rows at {offset}");
    Ok(began.elapsed().as_secs_f64())
}
