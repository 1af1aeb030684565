//! Compressed files: their unpacked size and their text.

use super::file::{file_size as packed_size, path_literal, unreadable_error};
use super::kind::{FileKind, is_compressed};
use crate::engines::duck::in_query;
use crate::{WarehouseError, regular};
use ::duckdb::Connection;
use arrow::array::{Array, AsArray};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use vitrine_words::tr;
use zip::ZipArchive;

/// Maximum number of bytes that are unpacked to measure the size.
const MEASURED: u64 = 1 << 30;
/// A file that unpacks to more than [`MEASURED`] bytes and to more than this multiple of its size is rejected, because
/// no text compresses that well.
const MOST_TIMES: u64 = 200;

/// Returns the unpacked size in bytes; for a large compressed file, at least [`MEASURED`].
///
/// # Errors
/// If the file unpacks to many times its size.
pub(super) fn unpacked_size(connection: &Connection, file: &Path) -> Result<u64, WarehouseError> {
    let kind = FileKind::from_path(file);
    let (unpacked, read) = if kind == Some(FileKind::Excel) {
        (archive_size(file), packed_size(file))
    } else if !is_compressed(file) {
        return Ok(packed_size(file));
    } else if is_gzip(file) {
        let failed = |error: std::io::Error| WarehouseError::from_io_error("reading", file, &error);
        let mut input = MultiGzDecoder::new(Counted { file: regular::open_found(file).map_err(failed)?, read: 0 });
        let (mut buffer, mut unpacked) = (vec![0; 1 << 16], 0);
        // Errors are reported by the reader of the rows.
        while let Ok(bytes @ 1..) = input.read(&mut buffer)
            && unpacked <= MEASURED
        {
            unpacked += bytes as u64;
        }
        (unpacked, input.get_ref().read)
    } else {
        let (mut unpacked, packed) = (0, packed_size(file));
        let enough = MEASURED.max(packed.saturating_mul(MOST_TIMES));
        let _ = visit_lines(connection, file, |line| {
            unpacked += line.len() as u64 + 1;
            unpacked <= enough
        });
        (unpacked, packed)
    };
    if unpacked > MEASURED && unpacked / read.max(1) >= MOST_TIMES {
        let detail = tr!(
            "unpacked it has more than {gigabytes} GB, over {times} times its size. If it is meant to be so large, unpack it and open the file itself",
            gigabytes = MEASURED >> 30,
            times = MOST_TIMES
        );
        return Err(unreadable_error(file, &kind.map(FileKind::title).unwrap_or_default(), &detail));
    }
    Ok(unpacked)
}

/// Returns the bytes of all parts of a workbook according to its archive.
fn archive_size(file: &Path) -> u64 {
    let archive = regular::open_found(file).ok().and_then(|file| ZipArchive::new(BufReader::new(file)).ok());
    archive.map_or(0, |mut archive| {
        (0..archive.len()).map(|at| archive.by_index_raw(at).map_or(0, |part| part.size())).fold(0, u64::saturating_add)
    })
}

/// Opens a reader for the unpacked text; returns `None` if only the engine can unpack it and the text is larger than
/// `held`.
pub(super) fn open_reader(
    connection: &Connection,
    file: &Path,
    held: u64,
) -> Result<Option<Box<dyn Read>>, WarehouseError> {
    if !is_compressed(file) || is_gzip(file) {
        let opened =
            regular::open_found(file).map_err(|error| WarehouseError::from_io_error("reading", file, &error))?;
        return Ok(Some(decompress_reader(opened, file)));
    }
    let mut text = Vec::new();
    visit_lines(connection, file, |line| {
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
        text.len() as u64 <= held
    })
    .map_err(|error| in_query(file, &error))?;
    Ok((text.len() as u64 <= held).then(|| Box::new(std::io::Cursor::new(text)) as Box<dyn Read>))
}

/// Reads an open file, unpacked if its name indicates gzip.
pub(super) fn decompress_reader(opened: File, file: &Path) -> Box<dyn Read> {
    if is_gzip(file) { Box::new(MultiGzDecoder::new(opened)) } else { Box::new(opened) }
}

fn is_gzip(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Lets the engine unpack a file and calls `visit` for each line until it returns false. The delimiter is a character
/// that occurs in no text.
fn visit_lines(connection: &Connection, file: &Path, mut visit: impl FnMut(&str) -> bool) -> ::duckdb::Result<()> {
    const LONGEST: u64 = 128 << 20;
    let sql = format!(
        "SELECT line FROM read_csv({}, auto_detect = false, columns = {{'line': 'VARCHAR'}}, delim = '\u{1}', quote = '', escape = '',
         header = false, strict_mode = false, max_line_size = {LONGEST}, buffer_size = {LONGEST}, parallel = false)",
        path_literal(file)
    );
    let mut statement = connection.prepare(&sql)?;
    drop(statement.stream_arrow([])?);
    while let Some(rows) = statement.step()? {
        let texts = rows.column(0).as_string::<i32>();
        // An empty line is read as NULL.
        if !(0..texts.len()).all(|row| visit(if texts.is_valid(row) { texts.value(row) } else { "" })) {
            break;
        }
    }
    Ok(())
}

/// A reader that counts the bytes.
struct Counted {
    file: File,
    read: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}
