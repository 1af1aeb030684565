//! Arrow batches in an unnamed temporary file: written once, readable at any row, and removed when the program ends in any way.

use crate::long_cells::shorten_cell;
use crate::types::OutOfRoom;
use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use arrow::record_batch::RecordBatch;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, is_disk_full};
use vitrine_warehouse::cells;
use vitrine_words::tr;

/// Maximum size of one result on disk, in bytes.
const MOST_BYTES: u64 = 8 << 30;
/// Free disk space that a result larger than `SMALL` has to leave, in bytes.
const LEFT_FREE: u64 = 1 << 30;
/// Maximum size of a small result in bytes. Small results ignore `LEFT_FREE`, because they hardly fill the disk.
const SMALL: u64 = 16 << 20;
/// Maximum size of the text of the rows of one read, in bytes.
const MOST_TEXT: usize = 32 << 20;
/// Rows per step of `read_rows`; each step decodes a block at most once.
const GATHERED_ROWS: usize = 200;
/// Rows per block; small, because reading one row decodes its block.
const BLOCK_ROWS: usize = 2_048;

pub(crate) struct Spool {
    folder: PathBuf,
    file: File,
    schema: SchemaRef,
    blocks: Vec<Block>,
    rows: u64,
    bytes: u64,
}

/// Position of a block of rows in the file.
struct Block {
    first_row: u64,
    rows: u64,
    start: u64,
    bytes: u64,
}

impl Spool {
    pub(crate) fn new(folder: &Path, schema: SchemaRef) -> Result<Self, AppError> {
        let file = std::fs::create_dir_all(folder)
            .and_then(|()| tempfile::tempfile_in(folder))
            .map_err(|e| not_kept(folder, &e))?;
        Ok(Self { folder: folder.to_owned(), file, schema, blocks: Vec::new(), rows: 0, bytes: 0 })
    }

    pub(crate) fn row_count(&self) -> u64 {
        self.rows
    }

    /// Writes rows. If not all of them fit, returns the reason; the rows before that are kept in order.
    pub(crate) fn write_batch(&mut self, batch: &RecordBatch) -> Result<Option<OutOfRoom>, AppError> {
        for start in (0..batch.num_rows()).step_by(BLOCK_ROWS) {
            let part = batch.slice(start, BLOCK_ROWS.min(batch.num_rows() - start));
            let bytes = encode_batch(&self.schema, &part).map_err(|e| spool_error(&self.folder, &e))?;
            if let Some(end) = self.end_of_room(bytes.len() as u64) {
                return Ok(Some(end));
            }
            let written = self.file.seek(SeekFrom::Start(self.bytes)).and_then(|_| self.file.write_all(&bytes));
            if let Err(error) = written {
                // Frees the space of the partial block. If that fails, the bytes are ignored, because no block refers to them.
                let _ = self.file.set_len(self.bytes);
                // Without any stored row, a full disk is an error, because an empty result would be wrong.
                return match is_disk_full(&error) && self.rows > 0 {
                    true => Ok(Some(OutOfRoom::Disk)),
                    false => Err(not_kept(&self.folder, &error)),
                };
            }
            let block = Block {
                first_row: self.rows,
                rows: part.num_rows() as u64,
                start: self.bytes,
                bytes: bytes.len() as u64,
            };
            self.rows += block.rows;
            self.bytes += block.bytes;
            self.blocks.push(block);
        }
        Ok(None)
    }

    /// Returns the reason that a further block of `next` bytes may not be written, if there is one.
    fn end_of_room(&self, next: u64) -> Option<OutOfRoom> {
        if self.bytes + next > MOST_BYTES && self.rows > 0 {
            return Some(OutOfRoom::Result);
        }
        let free = || vitrine_models::free_bytes(&self.folder);
        (self.bytes > SMALL && free().is_some_and(|free| free < LEFT_FREE + next)).then_some(OutOfRoom::Disk)
    }

    /// Returns rows from `offset` as text: fewer than `count` if they are very wide. Very long cells are cut and show the missing length.
    pub(crate) fn read_range(&self, offset: u64, count: u32) -> Result<Vec<Vec<Option<String>>>, AppError> {
        let end = self.rows.min(offset.saturating_add(u64::from(count)));
        let (mut rows, mut bytes) = (Vec::new(), 0);
        let first = self.blocks.partition_point(|block| block.first_row + block.rows <= offset);
        for block in self.blocks[first..].iter().take_while(|block| block.first_row < end) {
            for batch in self.decode_block(block, None)? {
                let from = offset.saturating_sub(block.first_row) as usize;
                let to = (end - block.first_row).min(block.rows) as usize;
                for row in cells::format_rows(&batch.slice(from, to - from)) {
                    let row: Vec<Option<String>> = row.into_iter().map(|cell| cell.map(shorten_cell)).collect();
                    bytes += row.iter().flatten().map(String::len).sum::<usize>();
                    rows.push(row);
                    if bytes > MOST_TEXT {
                        return Ok(rows);
                    }
                }
            }
        }
        Ok(rows)
    }

    /// Returns the given rows as text, in the given order: fewer if they are very wide.
    pub(crate) fn read_rows(&self, places: &[u32]) -> Result<Vec<Vec<Option<String>>>, AppError> {
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for places in places.chunks(GATHERED_ROWS) {
            for row in self.gather_rows(places)? {
                bytes += row.iter().flatten().map(String::len).sum::<usize>();
                rows.push(row);
                if bytes > MOST_TEXT {
                    return Ok(rows);
                }
            }
        }
        Ok(rows)
    }

    /// Reads rows at any positions, decoding each of their blocks once.
    fn gather_rows(&self, places: &[u32]) -> Result<Vec<Vec<Option<String>>>, AppError> {
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|at| places[*at]);
        let mut rows = vec![Vec::new(); places.len()];
        let mut open: Option<(&Block, Vec<RecordBatch>)> = None;
        for at in order {
            let place = u64::from(places[at]);
            let block = self.block_of(place);
            if open.as_ref().is_none_or(|(known, _)| known.first_row != block.first_row) {
                open = Some((block, self.decode_block(block, None)?));
            }
            let batches = open.iter().flat_map(|(_, batches)| batches);
            let row = (place - block.first_row) as usize;
            rows[at] = batches
                .flat_map(|batch| batch.columns())
                .map(|column| cells::format_cell(column, row).map(shorten_cell))
                .collect();
        }
        Ok(rows)
    }

    /// Returns some columns of the rows from `first` to the end of their block, with complete values as text.
    pub(crate) fn read_cells(&self, first: u64, columns: &[u32]) -> Result<Vec<Vec<Option<String>>>, AppError> {
        if first >= self.rows {
            return Ok(Vec::new());
        }
        let block = self.block_of(first);
        let from = (first - block.first_row) as usize;
        let count = block.rows as usize - from;
        if columns.is_empty() {
            return Ok(vec![Vec::new(); count]);
        }
        let mut read: Vec<usize> = columns.iter().map(|column| *column as usize).collect();
        read.sort_unstable();
        read.dedup();
        let batches = self.decode_block(block, Some(read.clone()))?;
        let place = |column: &u32| read.binary_search(&(*column as usize)).unwrap_or_default();
        let places: Vec<usize> = columns.iter().map(place).collect();
        let mut rows = Vec::with_capacity(count);
        for batch in &batches {
            rows.extend(
                (from..batch.num_rows())
                    .map(|row| places.iter().map(|at| cells::format_cell(batch.column(*at), row)).collect::<Vec<_>>()),
            );
        }
        Ok(rows)
    }

    /// Returns the block of an existing row.
    fn block_of(&self, row: u64) -> &Block {
        &self.blocks[self.blocks.partition_point(|block| block.first_row + block.rows <= row)]
    }

    fn decode_block(&self, block: &Block, columns: Option<Vec<usize>>) -> Result<Vec<RecordBatch>, AppError> {
        let mut bytes = vec![0; block.bytes as usize];
        // A shared handle is sufficient to seek, because callers hold the lock on the whole spool.
        let mut file = &self.file;
        file.seek(SeekFrom::Start(block.start))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|e| spool_error(&self.folder, &e))?;
        let read = || StreamReader::try_new(bytes.as_slice(), columns)?.collect::<Result<Vec<_>, _>>();
        read().map_err(|e| spool_error(&self.folder, &e))
    }
}

fn encode_batch(schema: &SchemaRef, batch: &RecordBatch) -> Result<Vec<u8>, arrow::error::ArrowError> {
    let mut writer = StreamWriter::try_new(Vec::new(), schema)?;
    writer.write(batch)?;
    writer.into_inner()
}

fn not_kept(folder: &Path, error: &std::io::Error) -> AppError {
    if !is_disk_full(error) {
        return spool_error(folder, error);
    }
    AppError::new(
        ErrorCode::Internal,
        tr!("The disk is full: no row of the result can be stored in {folder}", folder = folder.display()),
    )
    .with_hint(tr!("Free some space on that disk, then run the query again"))
    .with_detail(error)
}

fn spool_error(folder: &Path, cause: &dyn std::fmt::Display) -> AppError {
    AppError::new(ErrorCode::Internal, tr!("The result cannot be stored in {folder}", folder = folder.display()))
        .with_hint(tr!("Check the free disk space, or ask for fewer rows"))
        .with_detail(cause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::long_cells::SHOWN;
    use arrow::array::{ArrayRef, Int64Array, StringArray};
    use std::sync::Arc;

    fn build_batch(from: i64, to: i64) -> RecordBatch {
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(from..to));
        let texts: ArrayRef =
            Arc::new(StringArray::from_iter((from..to).map(|n| (n % 3 != 0).then(|| format!("row {n}")))));
        RecordBatch::try_from_iter_with_nullable([("n", numbers, true), ("t", texts, true)]).unwrap()
    }

    #[test]
    fn any_rows_can_be_read_while_more_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(folder.path(), build_batch(0, 1).schema()).unwrap();
        assert_eq!(spool.write_batch(&build_batch(0, 5000)).unwrap(), None);
        spool.write_batch(&build_batch(5000, 5001)).unwrap();
        spool.write_batch(&build_batch(5001, 9000)).unwrap();
        assert_eq!(spool.row_count(), 9000);
        for (offset, count) in [(0, 3), (2047, 2), (4095, 3000), (4999, 4), (8999, 10), (9000, 5), (50_000, 5)] {
            let rows = spool.read_range(offset, count).unwrap();
            let wanted: Vec<u64> = (offset..(offset + u64::from(count)).min(9000)).collect();
            assert_eq!(rows.len(), wanted.len(), "{offset}+{count}");
            for (row, n) in rows.iter().zip(wanted) {
                assert_eq!(row[0].as_deref(), Some(n.to_string().as_str()));
                assert_eq!(row[1].is_none(), n % 3 == 0);
            }
        }
    }

    #[test]
    fn rows_are_read_in_any_order_and_by_columns() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(folder.path(), build_batch(0, 1).schema()).unwrap();
        spool.write_batch(&build_batch(0, 5000)).unwrap();
        let rows = spool.read_rows(&[4999, 0, 2048, 2047, 4999]).unwrap();
        let numbers: Vec<_> = rows.iter().map(|row| row[0].as_deref().unwrap()).collect();
        assert_eq!(numbers, ["4999", "0", "2048", "2047", "4999"]);
        assert_eq!((rows[0][1].as_deref(), &rows[1][1]), (Some("row 4999"), &None));

        let (mut at, mut seen) = (0, Vec::new());
        while at < 5000 {
            let block = spool.read_cells(at, &[1, 0, 1]).unwrap();
            at += block.len() as u64;
            seen.extend(block);
        }
        assert_eq!(seen.len(), 5000);
        let text = Some("row 2050".to_owned());
        assert_eq!(seen[2050], [text.clone(), Some("2050".to_owned()), text]);
        assert_eq!(spool.read_cells(4000, &[]).unwrap().len(), 96, "to the end of its block");
        assert!(spool.read_cells(5000, &[0]).unwrap().is_empty());
    }

    #[test]
    fn nothing_is_left_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(folder.path(), build_batch(0, 1).schema()).unwrap();
        spool.write_batch(&build_batch(0, 10)).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Creates a batch of rows with one long text each.
    fn text_batch(lengths: &[usize]) -> RecordBatch {
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(lengths.iter().map(|length| "ä".repeat(*length))));
        RecordBatch::try_from_iter_with_nullable([("t", texts, true)]).unwrap()
    }

    #[test]
    fn of_a_long_cell_the_beginning_is_shown_and_how_much_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let cells = text_batch(&[SHOWN, SHOWN + 1, 1_000_000]);
        let mut spool = Spool::new(folder.path(), cells.schema()).unwrap();
        spool.write_batch(&cells).unwrap();
        let shown: Vec<String> = spool.read_range(0, 3).unwrap().into_iter().flatten().flatten().collect();
        assert_eq!(shown[0].chars().count(), SHOWN);
        assert!(shown[1].ends_with("… (+1)") && shown[2].ends_with(&format!("… (+{})", 1_000_000 - SHOWN)));
        assert!(shown[2].chars().count() < SHOWN + 20);
    }

    #[test]
    fn of_very_wide_rows_a_look_gives_fewer_and_the_next_look_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let wide = text_batch(&[SHOWN; 400]);
        let mut spool = Spool::new(folder.path(), wide.schema()).unwrap();
        spool.write_batch(&wide).unwrap();
        let first = spool.read_range(0, 400).unwrap();
        let bytes: usize = first.iter().flatten().flatten().map(String::len).sum();
        assert!(first.len() < 400 && bytes > MOST_TEXT && bytes < MOST_TEXT + 4 * SHOWN, "{} rows", first.len());
        let rest = spool.read_range(first.len() as u64, 400).unwrap();
        assert_eq!(first.len() + rest.len(), 400);
    }

    #[test]
    fn a_result_as_large_as_one_may_be_takes_no_more_rows() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(folder.path(), build_batch(0, 1).schema()).unwrap();
        assert_eq!(spool.write_batch(&build_batch(0, 10)).unwrap(), None);
        spool.bytes = MOST_BYTES;
        assert_eq!(spool.write_batch(&build_batch(10, 20)).unwrap(), Some(OutOfRoom::Result));
        assert_eq!(spool.row_count(), 10, "what did not fit is not counted");
    }
}
