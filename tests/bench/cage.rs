//! The cost of running engines in separate processes.

use crate::Options;
use crate::child;
use crate::data::orders::Orders;
use crate::report::{Figure, Section, count, seconds};
use anyhow::Result;
use futures::TryStreamExt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{
    CsvOptions, ExportFormat, ExportOptions, Limits, OpenOptions, Warehouse, WarehouseKind, WarehouseUri,
    export_batches, open_with,
};

const EXPORTED: u64 = 20_000_000;
const READ: u64 = 1_000_000;
/// Number of measurements; the two variants alternate, so that both run under the same conditions.
const SMALL: usize = 301;
const LARGE: usize = 9;
const LARGEST: usize = 3;

pub fn section(options: &Options) -> Result<Section> {
    let folder = tempfile::tempdir()?;
    let orders = Orders { rows: options.scaled(EXPORTED), path: folder.path().join("orders.parquet") };
    child::run::<()>("orders", &orders)?;
    let read = options.scaled(READ);
    tokio::runtime::Runtime::new()?.block_on(async {
        let uri = WarehouseUri::new(WarehouseKind::File, &orders.path);
        let caged = open_with(&uri, &OpenOptions::default()).await?;
        let inside = open_with(&uri, &OpenOptions { engine: None, ..OpenOptions::default() }).await?;
        let both = [caged, inside];
        let [one, plain] = in_turn(&both, SMALL, "SELECT 1 AS n", None).await?;
        let lost = (one - plain).max(0.0);
        let [many, many_plain] = in_turn(&both, LARGE, &format!("SELECT * FROM orders LIMIT {read}"), None).await?;
        let dest = folder.path().join("orders.csv");
        let [all, all_plain] = in_turn(&both, LARGEST, "SELECT * FROM orders", Some(&dest)).await?;
        let ratios = [many / many_plain, all / all_plain];
        Ok(Section {
            how: format!(
                "Queries over a Parquet file of {} orders, in a process of the engine's own and in the program's own, in turn; the \
                 middle of {SMALL}, {LARGE} and {LARGEST} runs.",
                count(orders.rows)
            ),
            figures: vec![
                Figure::new("one row", seconds(one))
                    .against(seconds(plain), one / plain)
                    .goal("at most 1 ms more", lost < 1e-3),
                Figure::new(format!("{} rows read", count(read)), seconds(many))
                    .against(seconds(many_plain), ratios[0])
                    .goal("at most 1.05x", ratios[0] <= 1.05),
                Figure::new(format!("{} rows to CSV", count(orders.rows)), seconds(all))
                    .against(seconds(all_plain), ratios[1])
                    .goal("at most 1.05x", ratios[1] <= 1.05),
            ],
            ..Section::default()
        })
    })
}

/// Returns the median seconds of a query on each warehouse.
async fn in_turn(
    both: &[Arc<dyn Warehouse>; 2],
    times: usize,
    sql: &str,
    dest: Option<&std::path::Path>,
) -> Result<[f64; 2]> {
    let sql = ReadOnlySql::parse(sql, Dialect::Duckdb)?;
    let limits = Limits { rows: None, timeout: Duration::from_secs(600), ..Limits::default() };
    let mut taken = [Vec::new(), Vec::new()];
    for turn in 0..2 * times + 2 {
        let (warehouse, times) = (&both[turn % 2], &mut taken[turn % 2]);
        let began = Instant::now();
        let mut batches = warehouse.run_query(&sql, limits.clone(), CancellationToken::new()).await?;
        match dest {
            Some(dest) => {
                let options = ExportOptions { format: ExportFormat::Csv, csv: CsvOptions::default(), about: None };
                export_batches(batches, dest, options, |_| {}, CancellationToken::new()).await?;
            }
            None => while batches.stream.try_next().await?.is_some() {},
        }
        times.push(began.elapsed().as_secs_f64());
    }
    Ok(taken.map(|mut times| {
        // The first measurement of each is a warm-up.
        times.remove(0);
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }))
}
