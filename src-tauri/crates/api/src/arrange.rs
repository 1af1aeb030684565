//! Sorting, filtering, searching and summing open results where they are stored, without transferring their rows.

use crate::app::App;
use crate::results::MOST_PAGE_ROWS;
use crate::state::arranged::RowWork;
use crate::state::results::{Ending, OpenResult};
use crate::state::work::{new_id, run_blocking};
use crate::types::ArrangedRows;
use std::sync::Arc;
use vitrine_arrange::{
    Arrangement, ColumnFigures, FoundCell, Rows, SearchedColumn, SelectionFigures, Work, arrange_rows, column_figures,
    find_cells, selection_figures,
};
use vitrine_domain::{AppError, CellType, ErrorCode, Page};
use vitrine_warehouse::WarehouseError;
use vitrine_words::tr;

/// Maximum number of cells that a search returns.
const MOST_FOUND: usize = 10_000;

impl App {
    /// Sorts and filters the rows of an open result; `arranged_rows` reads them.
    pub async fn arrange_result(&self, result_id: String, arrangement: Arrangement) -> Result<ArrangedRows, AppError> {
        let result = self.whole_result(&result_id)?;
        let locale = arrangement.locale.clone();
        let rows = self
            .over_rows(&result, RowWork::Arrange, locale, move |rows, work| arrange_rows(rows, &arrangement, work))
            .await?;
        let (view, row_count) = (new_id(), rows.len() as u32);
        result.arranged.store_view(view.clone(), rows);
        Ok(ArrangedRows { view, row_count })
    }

    /// Returns rows of an arrangement from `offset`, at most `count` of them; only rows that are already read.
    pub async fn arranged_rows(
        &self,
        result_id: String,
        view: String,
        offset: u32,
        count: u32,
    ) -> Result<Page, AppError> {
        let result = self.inner.results.find_result(&result_id)?;
        let arranged = result.arranged.find_view(&view)?;
        run_blocking(move || {
            let from = (offset as usize).min(arranged.len());
            let to = from.saturating_add(count.min(MOST_PAGE_ROWS) as usize).min(arranged.len());
            let state = result.lock_state();
            Ok(Page {
                columns: result.columns.clone(),
                rows: state.spool.read_rows(&arranged[from..to])?,
                row_count: arranged.len() as u64,
                truncated: state.is_truncated(),
            })
        })
        .await
    }

    /// Finds the first cells that contain a text, in an arrangement or in all rows.
    pub async fn find_in_result(
        &self,
        result_id: String,
        view: Option<String>,
        text: String,
        columns: Vec<SearchedColumn>,
    ) -> Result<Vec<FoundCell>, AppError> {
        let result = self.whole_result(&result_id)?;
        let shown = view.map(|view| result.arranged.find_view(&view)).transpose()?;
        self.over_rows(&result, RowWork::Find, String::new(), move |rows, work| {
            find_cells(rows, row_slice(shown.as_ref()), &text, &columns, MOST_FOUND, work)
        })
        .await
    }

    /// Computes figures of a column, over an arrangement or all rows.
    pub async fn column_figures(
        &self,
        result_id: String,
        view: Option<String>,
        column: u32,
        locale: String,
    ) -> Result<ColumnFigures, AppError> {
        let result = self.whole_result(&result_id)?;
        let shown = view.map(|view| result.arranged.find_view(&view)).transpose()?;
        self.over_rows(&result, RowWork::Figures, locale, move |rows, work| {
            column_figures(rows, row_slice(shown.as_ref()), column, work)
        })
        .await
    }

    /// Computes figures of the cells of some columns in a half-open range of rows.
    pub async fn selection_figures(
        &self,
        result_id: String,
        view: Option<String>,
        from: u32,
        to: u32,
        columns: Vec<u32>,
    ) -> Result<SelectionFigures, AppError> {
        let result = self.whole_result(&result_id)?;
        let shown = view.map(|view| result.arranged.find_view(&view)).transpose()?;
        self.over_rows(&result, RowWork::Selection, String::new(), move |rows, work| {
            selection_figures(rows, row_slice(shown.as_ref()), from..to, &columns, work)
        })
        .await
    }

    /// Stops sorting and filtering the rows of a result.
    pub async fn stop_arranging(&self, result_id: String) -> Result<(), AppError> {
        self.inner.results.find_result(&result_id)?.arranged.stop_work(RowWork::Arrange);
        Ok(())
    }

    /// Returns an open result whose rows have all been read.
    fn whole_result(&self, result_id: &str) -> Result<Arc<OpenResult>, AppError> {
        let result = self.inner.results.find_result(result_id)?;
        let state = result.lock_state();
        match &state.ended {
            Some((_, Ending::Failed(error))) => return Err(error.clone()),
            Some(_) => {}
            None => return Err(AppError::new(ErrorCode::Usage, tr!("Rows are still being read"))),
        }
        drop(state);
        Ok(result)
    }

    /// Runs work over all rows of a result. It stops if it is cancelled or if the caller drops the future.
    async fn over_rows<T: Send + 'static>(
        &self,
        result: &Arc<OpenResult>,
        kind: RowWork,
        locale: String,
        act: impl FnOnce(&dyn Rows, &Work<'_>) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let cancel = result.arranged.begin_work(kind);
        let _stops = cancel.clone().drop_guard();
        let folder = self.inner.options.folders.results();
        let rows = KeptRows(Arc::clone(result));
        run_blocking(move || {
            let go_on = || -> Result<(), AppError> {
                if cancel.is_cancelled() { Err(WarehouseError::Cancelled.into()) } else { Ok(()) }
            };
            act(&rows, &Work { folder: &folder, locale: &locale, go_on: &go_on })
        })
        .await
    }
}

fn row_slice(rows: Option<&Arc<Vec<u32>>>) -> Option<&[u32]> {
    rows.map(|rows| rows.as_slice())
}

/// The rows of an open result. The lock is held for one block at a time, so that other reads can run in between.
struct KeptRows(Arc<OpenResult>);

impl Rows for KeptRows {
    fn count(&self) -> u32 {
        u32::try_from(self.0.lock_state().spool.row_count()).unwrap_or(u32::MAX)
    }

    fn cell_type(&self, column: u32) -> Option<CellType> {
        self.0.columns.get(column as usize).map(|column| column.cell_type)
    }

    fn read_columns(&self, first: u32, columns: &[u32]) -> Result<Vec<Vec<Option<String>>>, AppError> {
        self.0.lock_state().spool.read_cells(u64::from(first), columns)
    }
}
