//! Reading the exported file. It is untrusted: sizes are limited, and its content is never used as a path.

use super::{FORMAT, MANIFEST, Manifest, VERSION};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{plural, tr};
use zip::ZipArchive;

/// Maximum number of parts in a file.
const MOST_PARTS: usize = 32;
/// Maximum size of the manifest in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;
/// Maximum size of a record in bytes; the largest are runs with their logs.
pub(super) const LARGEST_RECORD: u64 = 256 << 20;
/// Limit of the unpacked size: this multiple of the file's size, but at least the second number of bytes. Logs are repetitive and compress
/// to about a thirtieth; a ratio above a thousand is only reached by files that are made to fill the disk.
const MOST_UNPACKED: (u64, u64) = (400, 1 << 30);
/// Maximum unpacked size of all parts in bytes. Only one record is in memory at a time.
const LARGEST_ALL: u64 = 8 << 30;

/// An exported file that is being read.
pub(super) struct WorkspaceFile {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
    pub(super) manifest: Manifest,
    /// Number of bytes that may still be unpacked.
    left: u64,
}

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// A record of a part, or the reason that it cannot be read.
pub(super) type Read1<T> = Result<T, String>;

impl WorkspaceFile {
    /// Opens a file and reads its manifest.
    pub(super) fn open(path: &Path) -> Result<Self, AppError> {
        let wrong = |what: String| not_one(path, &what);
        let unreadable = |error: std::io::Error| {
            AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display()))
                .with_hint(tr!("Check that it exists and that you may read it"))
                .with_detail(error)
        };
        let file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let mut zip = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged_file_error(path, &error))?;
        if zip.len() > MOST_PARTS {
            return Err(wrong(plural!(zip.len(), "it has {n} part", "it has {n} parts")));
        }
        let mut text = String::new();
        {
            let part = zip.by_name(MANIFEST).map_err(|_| wrong(tr!("it has no {name}", name = MANIFEST)))?;
            part.take(LARGEST_MANIFEST).read_to_string(&mut text).map_err(|error| wrong(error.to_string()))?;
        }
        let head: Head = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if head.format != FORMAT {
            let format: String = head.format.chars().take(40).collect();
            return Err(wrong(tr!("its format is '{format}'", format)));
        }
        if head.version > VERSION {
            let what = tr!(
                "{path} was written by a newer version of Vitrine (format {found}; this one knows {known})",
                path = path.display(),
                found = head.version,
                known = VERSION
            );
            return Err(
                AppError::new(ErrorCode::Usage, what).with_hint(tr!("Import it with that version, or a later one"))
            );
        }
        let manifest = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let left = size.saturating_mul(MOST_UNPACKED.0).clamp(MOST_UNPACKED.1, LARGEST_ALL);
        Ok(Self { path: path.to_owned(), zip, manifest, left })
    }

    /// Returns the number of records that a part should contain.
    pub(super) fn expected_count(&self, part: &str) -> u64 {
        self.manifest.parts.get(part).copied().unwrap_or_default()
    }

    /// Passes every record of a part to `each`, one at a time.
    ///
    /// # Errors
    /// Errors of `each`; also when the part cannot be unpacked, exceeds the size limit, or contains fewer records than the manifest says.
    pub(super) fn for_each_record<T: DeserializeOwned>(
        &mut self,
        part: &str,
        mut each: impl FnMut(Read1<T>) -> Result<(), AppError>,
    ) -> Result<(), AppError> {
        let expected = self.expected_count(part);
        if expected == 0 {
            return Ok(());
        }
        let path = self.path.clone();
        let packed = self.zip.by_name(part).map_err(|error| damaged_file_error(&path, &error))?;
        let mut lines = Lines { reader: BufReader::new(packed), left: self.left, path: &path };
        let mut line = Vec::new();
        let mut read = 0;
        while let Some(whole) = lines.next(&mut line)? {
            read += 1;
            let at = || tr!("line {line} of {part}", line = read, part);
            let record = match whole {
                true => serde_json::from_slice(&line).map_err(|error| format!("{}: {}", at(), shorten_message(&error))),
                false => Err(format!("{}: {}", at(), tr!("it is larger than {size} MB", size = LARGEST_RECORD >> 20))),
            };
            each(record)?;
        }
        self.left = lines.left;
        if read < expected {
            return Err(damaged_file_error(
                &path,
                &tr!("{part} ends early: {read} of {expected} records", part, read, expected),
            ));
        }
        Ok(())
    }
}

/// Reads a part line by line.
struct Lines<'a, R> {
    reader: BufReader<R>,
    left: u64,
    path: &'a Path,
}

impl<R: Read> Lines<'_, R> {
    /// Reads the next line. Returns `None` at the end, and false if the line exceeds the maximum size of a record.
    fn next(&mut self, line: &mut Vec<u8>) -> Result<Option<bool>, AppError> {
        line.clear();
        let mut length = 0u64;
        loop {
            let buffer = self.reader.fill_buf().map_err(|error| damaged_file_error(self.path, &error))?;
            if buffer.is_empty() {
                return Ok((length > 0).then_some(length <= LARGEST_RECORD));
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(buffer.len(), |end| end + 1);
            length += taken as u64;
            if length <= LARGEST_RECORD {
                line.extend_from_slice(&buffer[..taken]);
            }
            self.reader.consume(taken);
            self.left = self
                .left
                .checked_sub(taken as u64)
                .ok_or_else(|| not_one(self.path, &tr!("it expands to far more than such a file contains")))?;
            if end.is_some() {
                return Ok(Some(length <= LARGEST_RECORD));
            }
        }
    }
}

fn not_one(path: &Path, what: &str) -> AppError {
    let message =
        tr!("{path} is not an exported workspace: {reason}", path = path.display(), reason = shorten_message(&what));
    AppError::new(ErrorCode::Usage, message)
        .with_hint(tr!("Choose a file that was exported in the settings, or by `vitrine workspace export`"))
}

fn damaged_file_error(path: &Path, error: &dyn std::fmt::Display) -> AppError {
    AppError::new(
        ErrorCode::Usage,
        tr!("{path} is not a complete exported workspace; nothing was imported", path = path.display()),
    )
    .with_hint(tr!("Copy it here again, or export it again"))
    .with_detail(shorten_message(error))
}

/// Cuts a message, because it may repeat untrusted content of any length.
fn shorten_message(message: &dyn std::fmt::Display) -> String {
    const TOLD: usize = 300;
    let message = message.to_string();
    match message.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}...", &message[..end]),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_lines(text: &str, left: u64) -> Lines<'_, &[u8]> {
        Lines { reader: BufReader::new(text.as_bytes()), left, path: Path::new("w.zip") }
    }

    #[test]
    fn lines_are_read_one_by_one_until_more_was_unpacked_than_may_be() {
        let (mut line, mut all) = (Vec::new(), Vec::new());
        let mut whole = build_lines("{}\n\n[1]", 100);
        while let Some(fits) = whole.next(&mut line).unwrap() {
            all.push((fits, String::from_utf8(line.clone()).unwrap()));
        }
        assert_eq!(all, [(true, "{}\n".to_owned()), (true, "\n".to_owned()), (true, "[1]".to_owned())]);
        let mut bomb = build_lines("{}\n[1, 2, 3, 4]\n", 8);
        assert_eq!(bomb.next(&mut line).unwrap(), Some(true));
        assert!(bomb.next(&mut line).unwrap_err().message.contains("far more"));
    }
}
