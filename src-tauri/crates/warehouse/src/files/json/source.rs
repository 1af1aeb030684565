//! The text of a JSON file: held in memory if small, read repeatedly if large.

use super::super::{encoding, packed};
use crate::{WarehouseError, regular};
use ::duckdb::Connection;
use encoding_rs::UTF_8;
use std::io::Read;
use std::path::Path;

/// Maximum size of a text in memory in bytes.
const MOST_HELD: u64 = 128 << 20;
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The source of the records.
pub(super) struct Source {
    text: Option<String>,
    /// True if the engine reads the same text.
    pub is_plain: bool,
    /// The encoding, if it is not UTF-8.
    pub encoding: Option<&'static str>,
    /// True if only the engine can unpack it.
    pub is_packed_tight: bool,
}

impl Source {
    /// Reads a small file completely, or only the beginning of a large one.
    pub fn open(connection: &Connection, file: &Path, size: u64) -> Result<Self, WarehouseError> {
        let failed = |error: std::io::Error| WarehouseError::from_io_error("reading", file, &error);
        let mut source = Self { text: None, is_plain: true, encoding: None, is_packed_tight: false };
        let Some(mut input) = packed::open_reader(connection, file, MOST_HELD)? else {
            source.is_packed_tight = true;
            return Ok(source);
        };
        let mut bytes = Vec::new();
        if size > MOST_HELD {
            input.take(MARK.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
            source.is_plain = bytes != MARK;
            return Ok(source);
        }
        input.read_to_end(&mut bytes).map_err(failed)?;
        let encoding = encoding::detect_encoding(&bytes);
        source.is_plain = encoding == UTF_8 && !bytes.starts_with(MARK);
        source.encoding = (encoding != UTF_8).then(|| encoding.name());
        source.text = Some(encoding::decode_text(&bytes, encoding));
        Ok(source)
    }

    /// Returns the whole text if it is in memory.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns a reader at the beginning, after a byte order mark.
    pub fn open_reader(&self, file: &Path) -> Result<Box<dyn Read + '_>, WarehouseError> {
        if let Some(text) = &self.text {
            return Ok(Box::new(text.as_bytes()));
        }
        let failed = |error: std::io::Error| WarehouseError::from_io_error("reading", file, &error);
        let mut input = packed::decompress_reader(regular::open_found(file).map_err(failed)?, file);
        let mut first = Vec::new();
        (&mut input).take(MARK.len() as u64).read_to_end(&mut first).map_err(failed)?;
        if first == MARK {
            first.clear();
        }
        Ok(Box::new(std::io::Cursor::new(first).chain(input)))
    }
}
