//! Packed files: how large they are unpacked, and their text.

use super::file::{file_size as packed_size, path_literal, unreadable_error};
use super::kind::{FileKind, is_compressed};
use crate::duck::in_query;
use crate::{WarehouseError, regular};
use ::duckdb::Connection;
use arrow::array::{Array, AsArray};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use vitrine_words::tr;
use zip::ZipArchive;

/// Bytes that are unpacked to find out how many there are.
const MEASURED: u64 = 1 << 30;
/// A file that unpacks to more than [`MEASURED`] and to more than this many times its size is refused: no text is packed so tight.
const MOST_TIMES: u64 = 200;

/// The bytes of a file, unpacked; of a large packed one at least [`MEASURED`].
///
/// # Errors
/// The file unpacks to many times its size.
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
        // What cannot be unpacked is told of by the reader of its rows.
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

/// Bytes of all parts of a workbook, as its archive says.
fn archive_size(file: &Path) -> u64 {
    let archive = regular::open_found(file).ok().and_then(|file| ZipArchive::new(BufReader::new(file)).ok());
    archive.map_or(0, |mut archive| {
        (0..archive.len()).map(|at| archive.by_index_raw(at).map_or(0, |part| part.size())).fold(0, u64::saturating_add)
    })
}

/// Reads a file, unpacked; `None` where that can be done by the engine alone and the text is larger than `held`.
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

/// Reads an open file, unpacked where its name says that it is packed with gzip.
pub(super) fn decompress_reader(opened: File, file: &Path) -> Box<dyn Read> {
    if is_gzip(file) { Box::new(MultiGzDecoder::new(opened)) } else { Box::new(opened) }
}

fn is_gzip(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Has the engine unpack a file, line by line, until `visit` wants no more. The delimiter is a letter that no text has.
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
        // An empty line is NULL.
        if !(0..texts.len()).all(|row| visit(if texts.is_valid(row) { texts.value(row) } else { "" })) {
            break;
        }
    }
    Ok(())
}

/// Counts the bytes that are read.
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
