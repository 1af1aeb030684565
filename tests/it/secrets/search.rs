//! Records all output of the program and searches it for secrets.

use super::{KEY, MARK, PASSWORD, TYPED};
use serde::Serialize;
use std::path::Path;
use std::sync::{Arc, Mutex};
use vitrine_domain::{AppError, ErrorCode};

/// A part of the output: its place and its bytes.
type Output = (String, Vec<u8>);

/// All output of the program, by place.
#[derive(Clone, Default)]
pub(super) struct Seen(Arc<Mutex<Vec<Output>>>);

impl Seen {
    pub(super) fn bytes(&self, place: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.lock().unwrap().push((place.into(), bytes.into()));
    }

    /// Records the result of a command: its serialized value, or the whole error.
    pub(super) fn heard<T: Serialize>(&self, place: &str, given: Result<T, AppError>) -> Option<T> {
        match &given {
            Ok(value) => self.bytes(place, serde_json::to_vec(value).unwrap()),
            Err(error) => self.bytes(place, format!("{error:?} {error}")),
        }
        given.ok()
    }

    /// Records all files below a folder, and all cells of databases: a text that spans two pages of a file is
    /// contiguous only in its cell.
    pub(super) fn files(&self, folder: &Path) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let (path, place) = (entry.path(), entry.path().display().to_string());
            if path.is_dir() {
                self.files(&path);
                continue;
            }
            // The program may have removed it.
            let Ok(bytes) = std::fs::read(&path) else { continue };
            if bytes.starts_with(b"SQLite format 3\0") {
                self.bytes(format!("{place} (rows)"), cells(&path));
            }
            self.bytes(place, bytes);
        }
    }

    /// Returns the places that contain the mark, plain or Base64-encoded as in a proxy header, with the surrounding
    /// text.
    pub(super) fn leaks(&self) -> Vec<String> {
        let needles: Vec<String> = std::iter::once(MARK.to_owned()).chain((0..3).map(base64_behind)).collect();
        let told = |(place, bytes): &(String, Vec<u8>)| {
            let text = String::from_utf8_lossy(bytes);
            let at = needles.iter().find_map(|needle| text.find(needle))?;
            let before = text[..at].char_indices().rev().nth(80).map_or(0, |(at, _)| at);
            let around: String = text[before..].chars().take(140).collect();
            Some(format!("{place}: {around}"))
        };
        self.0.lock().unwrap().iter().filter_map(told).collect()
    }
}

/// Returns the Base64 letters that depend only on the mark, if it follows `before` bytes.
fn base64_behind(before: usize) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(MARK.bytes()).collect();
    let bit_at = |at: usize| usize::from(bytes[at / 8] >> (7 - at % 8)) & 1;
    let bits = |at: usize| (0..6).fold(0, |sum, bit| (sum << 1) | bit_at(at + bit));
    (0..bytes.len() * 8 / 6).map(|n| n * 6).filter(|at| *at >= before * 8).map(|at| LETTERS[bits(at)] as char).collect()
}

fn cells(path: &Path) -> String {
    let db = rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let names = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')";
    let tables: Vec<String> =
        db.prepare(names).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut text = String::new();
    for table in tables {
        let mut rows = db.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let width = rows.column_count();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..width {
                let bytes = match row.get_ref(column).unwrap() {
                    rusqlite::types::ValueRef::Text(bytes) | rusqlite::types::ValueRef::Blob(bytes) => bytes,
                    _ => b"",
                };
                text.push_str(&String::from_utf8_lossy(bytes));
                text.push('\n');
            }
        }
    }
    text
}

/// Leaks are found in every kind of place.
#[test]
fn the_search_finds_what_was_planted() {
    let (folder, seen) = (tempfile::tempdir().unwrap(), Seen::default());
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("below")).unwrap();
    std::fs::write(at("below/log"), [b"\xff\x00 ", PASSWORD.as_bytes(), b"\xfe"].concat()).unwrap();
    for (n, encoded) in ["bWFyazdmM2M=", "YW5uOm1hcms3ZjNj", "YW46bWFyazdmM2M=", "YTptYXJrN2YzYw=="].iter().enumerate()
    {
        std::fs::write(at(&format!("base64-{n}")), encoded).unwrap();
    }
    std::fs::write(at("clean"), "mark7f3 and m a r k 7 f 3 c").unwrap();
    // Spans two pages, so that no place in the file contains it completely.
    let db = rusqlite::Connection::open(at("spread.db")).unwrap();
    db.execute_batch("PRAGMA page_size = 512; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; CREATE TABLE t (x)")
        .unwrap();
    let mut spread = 0;
    while std::fs::read(at("spread.db")).unwrap().windows(8).any(|part| part == MARK.as_bytes()) || spread == 0 {
        spread += 1;
        let text = format!("{}{MARK}{}", "a".repeat(1_200), "b".repeat(600 + spread));
        db.execute_batch(&format!("DELETE FROM t; VACUUM; INSERT INTO t VALUES ('{text}')")).unwrap();
        assert!(spread < 600, "it is spread somewhere");
    }
    // Only in the write-ahead log.
    let ahead = rusqlite::Connection::open(at("ahead.db")).unwrap();
    ahead.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (x)").unwrap();
    ahead.execute("INSERT INTO t VALUES (?1)", [KEY]).unwrap();
    ahead.execute_batch("DELETE FROM t").unwrap();
    seen.files(folder.path());
    seen.heard("value", Ok(vec![TYPED]));
    seen.heard::<()>("error", Err(AppError::new(ErrorCode::Usage, "no").with_detail(TYPED)));
    let mut places: Vec<String> = seen.leaks();
    places.iter_mut().for_each(|leak| {
        let place = leak.split(": ").next().unwrap();
        *leak = place.rsplit('/').next().unwrap().to_owned();
    });
    places.sort();
    let expected =
        ["ahead.db-wal", "base64-0", "base64-1", "base64-2", "base64-3", "error", "log", "spread.db (rows)", "value"];
    assert_eq!(places, expected);
}
