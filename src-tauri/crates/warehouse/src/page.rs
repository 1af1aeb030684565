//! The first rows of a result, as text.

use crate::{Batches, WarehouseError, cells};
use futures::StreamExt;
use vitrine_domain::Page;

/// Text of a page at most: no reader of one needs more at once, and rows can be of any width.
const MOST_BYTES: usize = 64 << 20;
/// Rows that are made text at once.
const AT_ONCE: usize = 1_024;

/// Reads up to `limit_rows` rows, and no more than 64 MiB of text, and stops the query there. The page says whether there was more.
pub async fn read_page(mut batches: Batches, limit_rows: u64) -> Result<Page, WarehouseError> {
    let mut page = Page { columns: cells::result_columns(&batches.schema), ..Page::default() };
    let mut bytes = 0;
    'reading: while let Some(batch) = batches.stream.next().await {
        let batch = batch?;
        let wanted = (limit_rows - page.rows.len() as u64).min(batch.num_rows() as u64) as usize;
        for start in (0..wanted).step_by(AT_ONCE) {
            for row in cells::rows(&batch.slice(start, AT_ONCE.min(wanted - start))) {
                if bytes > MOST_BYTES {
                    page.truncated = true;
                    break 'reading;
                }
                bytes += row.iter().flatten().map(String::len).sum::<usize>();
                page.rows.push(row);
            }
        }
        if wanted < batch.num_rows() {
            page.truncated = true;
            break;
        }
    }
    page.truncated |= batches.truncated();
    page.row_count = page.rows.len() as u64;
    Ok(page)
}
