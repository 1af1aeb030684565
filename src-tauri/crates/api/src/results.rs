//! Paged results: up to ten million rows, read in the background into a file, so that memory use is bounded for rows of any width.

use crate::app::App;
use crate::rows::Rows;
use crate::state::arranged::Arranged;
use crate::state::results::{Ending, OpenResult, ResultRead};
use crate::state::spool::Spool;
use crate::state::work::{new_id, run_blocking};
use crate::types::{AskedFor, KeptTable, OutOfRoom, ResultHandle};
use futures::StreamExt;
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, Page};
use vitrine_warehouse::{Batches, WarehouseError, result_columns};

/// Maximum number of rows that are read for paging; an export has no such limit.
pub(crate) const MOST_ROWS: u64 = 10_000_000;
/// Maximum number of rows in one page.
pub(crate) const MOST_PAGE_ROWS: u32 = 10_000;
/// Time for which the call waits for the result to be complete.
const AT_ONCE: Duration = Duration::from_millis(60);

impl App {
    /// Runs a query and returns its first rows; the rest is read in the background.
    pub async fn open_result(&self, warehouse: String, sql: String, row_limit: u64) -> Result<ResultHandle, AppError> {
        self.until_stopped((AskedFor::Rows, &warehouse, &sql), async |cancel| {
            self.open_rows(&self.query_rows(&warehouse, &sql).await?, row_limit, cancel).await
        })
        .await
    }

    /// Same as [`App::open_result`], for a table that code returned.
    pub async fn open_table(&self, table: KeptTable, row_limit: u64) -> Result<ResultHandle, AppError> {
        self.open_rows(&self.table_rows(&table).await?, row_limit, self.inner.ending.child_token()).await
    }

    async fn open_rows(
        &self,
        rows: &Rows,
        row_limit: u64,
        cancel: CancellationToken,
    ) -> Result<ResultHandle, AppError> {
        let timeout = Duration::from_secs(u64::from(self.settings().await?.timeout_s));
        let folder = self.inner.options.folders.results();
        let began = Instant::now();
        let mut batches = rows.read_batches(Some(row_limit.clamp(1, MOST_ROWS)), timeout, cancel.clone()).await?;
        let schema = batches.schema.clone();
        let spool = run_blocking(move || Spool::new(&folder, schema)).await?;
        let result = Arc::new(OpenResult {
            id: new_id(),
            columns: result_columns(&batches.schema),
            began,
            cancel,
            state: Mutex::new(ResultRead { spool, ended: None }),
            arranged: Arranged::default(),
        });
        // An error before the first row is returned by this call, and a small result is complete immediately.
        let mut more = read_one(&result, &mut batches, Duration::MAX).await?;
        while more == Next::Rows && began.elapsed() < AT_ONCE {
            more = read_one(&result, &mut batches, AT_ONCE).await?;
        }
        self.inner.results.store_result(Arc::clone(&result));
        match more {
            Next::End => result.set_ending(end_of(&batches)),
            Next::Full(end) => result.set_ending(Ending::OutOfRoom(end)),
            Next::Rows | Next::Late => drop(tokio::spawn(read_on(Arc::downgrade(&result), batches))),
        }
        Ok(result.to_handle())
    }

    /// Returns the progress of a result, or the error that ended it.
    pub async fn result_status(&self, result_id: String) -> Result<ResultHandle, AppError> {
        let result = self.inner.results.find_result(&result_id)?;
        if let Some((_, Ending::Failed(error))) = &result.lock_state().ended {
            return Err(error.clone());
        }
        Ok(result.to_handle())
    }

    /// Returns rows from `offset`, at most `count`; only rows that are already read.
    pub async fn result_rows(&self, result_id: String, offset: u64, count: u32) -> Result<Page, AppError> {
        let result = self.inner.results.find_result(&result_id)?;
        run_blocking(move || {
            let state = result.lock_state();
            let rows = state.spool.read_range(offset, count.min(MOST_PAGE_ROWS))?;
            Ok(Page {
                columns: result.columns.clone(),
                rows,
                row_count: state.spool.row_count(),
                truncated: state.is_truncated(),
            })
        })
        .await
    }

    /// Stops reading and closes a result.
    pub async fn close_result(&self, result_id: String) -> Result<(), AppError> {
        self.inner.results.lock_results().retain(|result| {
            let stays = result.id != result_id;
            if !stays {
                result.arranged.stop_all();
            }
            stays
        });
        Ok(())
    }

    /// Stops reading; the rows read so far are kept.
    pub async fn cancel_result(&self, result_id: String) -> Result<(), AppError> {
        self.inner.results.find_result(&result_id)?.cancel.cancel();
        Ok(())
    }

    /// Returns the first rows of a query without keeping the result open.
    pub async fn query_page(
        &self,
        warehouse: String,
        sql: String,
        row_limit: u64,
        cancel: CancellationToken,
    ) -> Result<Page, AppError> {
        let rows = self.query_rows(&warehouse, &sql).await?;
        self.first_rows(&rows, row_limit, cancel).await
    }

    /// Same as [`App::query_page`], for a query with a read-only proof.
    pub(crate) async fn first_rows(
        &self,
        rows: &Rows,
        row_limit: u64,
        cancel: CancellationToken,
    ) -> Result<Page, AppError> {
        let timeout = Duration::from_secs(u64::from(self.settings().await?.timeout_s));
        let batches = rows.read_batches(Some(row_limit.max(1)), timeout, cancel).await?;
        Ok(vitrine_warehouse::read_page(batches, row_limit).await?)
    }
}

/// Reads until the end, or until the result is closed.
async fn read_on(result: std::sync::Weak<OpenResult>, mut batches: Batches) {
    loop {
        let Some(result) = result.upgrade() else { return };
        match read_one(&result, &mut batches, Duration::MAX).await {
            Ok(Next::Rows | Next::Late) => {}
            Ok(Next::End) => return result.set_ending(end_of(&batches)),
            Ok(Next::Full(end)) => return result.set_ending(Ending::OutOfRoom(end)),
            // A result that the user stopped is truncated; it has not failed.
            Err(error) if error.code == ErrorCode::Cancelled => return result.set_ending(Ending::Cut),
            Err(error) => return result.set_ending(Ending::Failed(error)),
        }
    }
}

/// Returns how a result ended after its last batch.
fn end_of(batches: &Batches) -> Ending {
    match batches.is_truncated() {
        true => Ending::Cut,
        false => Ending::Whole,
    }
}

/// Outcome of waiting for the next rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Rows that are stored completely.
    Rows,
    /// No rows within the given time.
    Late,
    /// The result has no further rows.
    End,
    /// Rows that could not all be stored.
    Full(OutOfRoom),
}

/// Waits for the next batch and stores it.
async fn read_one(result: &Arc<OpenResult>, batches: &mut Batches, patience: Duration) -> Result<Next, AppError> {
    let next = tokio::select! {
        biased;
        () = result.cancel.cancelled() => Some(Err(WarehouseError::Cancelled)),
        next = tokio::time::timeout(patience, batches.stream.next()) => match next {
            Ok(next) => next,
            Err(_) => return Ok(Next::Late),
        },
    };
    let Some(batch) = next.transpose()? else { return Ok(Next::End) };
    let result = Arc::clone(result);
    let out_of_room = run_blocking(move || result.lock_state().spool.write_batch(&batch));
    Ok(out_of_room.await?.map_or(Next::Rows, Next::Full))
}
