//! The first rows of a result, as text.

use crate::{Batches, WarehouseError, cells};
use futures::StreamExt;
use vitrine_domain::Page;

/// Reads up to `limit_rows` rows and stops the query there. The page says whether there was more.
pub async fn read_page(mut batches: Batches, limit_rows: u64) -> Result<Page, WarehouseError> {
    let mut page = Page { columns: cells::result_columns(&batches.schema), ..Page::default() };
    while let Some(batch) = batches.stream.next().await {
        let batch = batch?;
        let wanted = (limit_rows - page.rows.len() as u64).min(batch.num_rows() as u64) as usize;
        page.rows.extend(cells::rows(&batch.slice(0, wanted)));
        if wanted < batch.num_rows() {
            page.truncated = true;
            break;
        }
    }
    page.truncated |= batches.truncated();
    page.row_count = page.rows.len() as u64;
    Ok(page)
}
