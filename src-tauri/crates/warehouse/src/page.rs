//! The first rows of a result, as text.

use crate::{Batches, WarehouseError, cells};
use futures::StreamExt;
use vitrine_domain::Page;

/// Maximum text of a page in bytes: readers need no more at once, and rows may be arbitrarily wide.
const MOST_BYTES: usize = 64 << 20;
/// Number of rows that are converted to text at once.
const AT_ONCE: usize = 1_024;

/// Reads at most `limit_rows` rows and 64 MiB of text, then stops the query. The page reports if rows are missing.
pub async fn read_page(mut batches: Batches, limit_rows: u64) -> Result<Page, WarehouseError> {
    let mut page = Page { columns: cells::result_columns(&batches.schema), ..Page::default() };
    let mut bytes = 0;
    'reading: while let Some(batch) = batches.stream.next().await {
        let batch = batch?;
        let wanted = (limit_rows - page.rows.len() as u64).min(batch.num_rows() as u64) as usize;
        for start in (0..wanted).step_by(AT_ONCE) {
            for row in cells::format_rows(&batch.slice(start, AT_ONCE.min(wanted - start))) {
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
    page.truncated |= batches.is_truncated();
    page.row_count = page.rows.len() as u64;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{RecordBatch, StringArray};
    use arrow::datatypes::{DataType, Field, Schema};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Returns batches of ten rows of a million characters each, and a counter of the consumed batches.
    fn wide_batches(batches: usize) -> (Batches, Arc<AtomicUsize>) {
        let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Utf8, true)]));
        let text = "x".repeat(1_000_000);
        let column = Arc::new(StringArray::from(vec![text.as_str(); 10]));
        let batch = RecordBatch::try_new(schema.clone(), vec![column]).unwrap();
        let taken = Arc::new(AtomicUsize::new(0));
        let count = taken.clone();
        let stream = futures::stream::iter(0..batches).map(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(batch.clone())
        });
        (Batches::new(schema, stream.boxed()), taken)
    }

    #[tokio::test]
    async fn a_page_of_wide_rows_ends_at_its_bytes_and_says_so() {
        let (batches, taken) = wide_batches(500);
        let page = read_page(batches, u64::MAX).await.unwrap();
        let bytes: usize = page.rows.iter().flatten().flatten().map(String::len).sum();
        assert!(page.truncated && bytes > MOST_BYTES && bytes <= MOST_BYTES + 1_000_000, "{bytes}");
        assert_eq!(page.row_count, page.rows.len() as u64);
        assert!(taken.load(Ordering::SeqCst) <= 8, "the query was stopped there: {taken:?}");
        let (few, _) = wide_batches(2);
        let whole = read_page(few, u64::MAX).await.unwrap();
        assert_eq!((whole.row_count, whole.truncated), (20, false));
    }
}
