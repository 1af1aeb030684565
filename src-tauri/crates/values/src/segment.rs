//! Postings: map a key to the ids of the values filed under it, in segments of up to `FULL` values.
//!
//! A segment covers a range of ids. Its (key, id) pairs are sorted in parts (`parts`) and packed into pages. The row id
//! of a page is `segment << 32 | first key`, so that one seek finds the page of a key. A page contains for each key the
//! distance to the previous key, shifted left by one; the low bit is set if a count and several ids follow. All numbers
//! are variable-length integers, with ids relative to the segment and then to each other. A posting takes about four
//! bytes.
//!
//! Small and half-deleted neighbours are merged (`compact_segments`), so that the number of segments, and therefore the
//! time of a search, depends on the number of values and not on the number of columns or rebuilds. A column of millions
//! of values is one segment, and each segment costs a search the same number of seeks.

use crate::ValuesError;
use crate::fresh::{Fresh, collect_pairs};
use crate::parts::PairParts;
use crate::storage::{self, StoredColumn};
use rayon::prelude::*;
use rusqlite::{Connection, params};
use std::path::Path;

/// Maximum number of values in a segment.
const FULL: usize = 1 << 24;
/// Number of values at which a segment is not merged with its neighbours.
pub const ENOUGH: usize = 1 << 17;
/// Maximum range of ids in a segment; deleted ids may lie between live ones.
const SPAN: i64 = 4 * FULL as i64;
/// Size in bytes at which a page is closed; with SQLite's own header it fills one database page.
const PAGE: usize = 3_900;
/// Maximum number of ids per key and segment. A key with more values ("inc") is not distinctive; their other keys are.
const LONGEST: usize = 1 << 14;

/// A segment as stored in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Row id, which is the upper half of the ids of its pages.
    pub id: i64,
    /// First value id of its range.
    pub first: i64,
    /// Value id after the end of its range.
    pub past: i64,
    /// Number of values at the time it was built.
    pub live: i64,
}

/// Returns all segments, sorted by range.
pub fn load_segments(connection: &Connection) -> Result<Vec<Segment>, ValuesError> {
    let mut statement = connection.prepare_cached("SELECT id, first, past, live FROM segment ORDER BY first")?;
    let rows = statement.query_map([], |row| {
        Ok(Segment { id: row.get(0)?, first: row.get(1)?, past: row.get(2)?, live: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A range of ids: a segment, or live values that belong to none.
struct Interval {
    first: i64,
    past: i64,
    live: i64,
    dead: i64,
    packed: bool,
}

impl Interval {
    fn is_good(&self) -> bool {
        self.packed && self.live >= ENOUGH as i64 && self.dead <= self.live
    }
}

/// Packs values without a segment, and merges inefficient segments: small neighbours, and segments with more than half
/// of their values deleted. Commits after each segment; after an interruption, the next call continues.
pub fn compact_segments(connection: &mut Connection, fresh: Fresh) -> Result<(), ValuesError> {
    let mut fresh = Some(fresh);
    let columns = storage::load_columns(connection)?;
    let live = |first: i64, past: i64| {
        columns.iter().map(|c| (c.end_value_id().min(past) - c.first.max(first)).max(0)).sum::<i64>()
    };
    let mut intervals = Vec::new();
    let mut at = 0;
    let gap = |intervals: &mut Vec<Interval>, first: i64, past: i64| {
        let live = live(first, past);
        if live > 0 {
            intervals.push(Interval { first, past, live, dead: 0, packed: false });
        }
    };
    for segment in load_segments(connection)? {
        gap(&mut intervals, at, segment.first);
        let now = live(segment.first, segment.past);
        intervals.push(Interval {
            first: segment.first,
            past: segment.past,
            live: now,
            dead: segment.live - now,
            packed: true,
        });
        at = segment.past;
    }
    gap(&mut intervals, at, columns.last().map_or(0, StoredColumn::end_value_id));
    for run in intervals.split(Interval::is_good) {
        let [first, ..] = run else { continue };
        if run.len() > 1 || !first.packed || first.dead > first.live || first.live == 0 {
            pack_range(connection, first.first, run.last().map_or(first.past, |i| i.past), &mut fresh)?;
        }
    }
    Ok(())
}

/// Replaces the segments within a range by full ones over its values.
fn pack_range(
    connection: &mut Connection,
    first: i64,
    past: i64,
    fresh: &mut Option<Fresh>,
) -> Result<(), ValuesError> {
    let mut at = first;
    while at < past {
        let end = past.min(at + SPAN);
        let (parts, count, last) = collect_key_pairs(connection, at, end, fresh)?;
        let piece_past = if count == FULL { last + 1 } else { end };
        let id: i64 = connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM segment", [], |row| row.get(0))?;
        // Pages of a segment that does not exist yet are invisible; an interrupted build may have left some.
        connection.execute("DELETE FROM posting WHERE id >= ?1", [page_id(id, 0)])?;
        for part in parts.into_sorted() {
            let part = part.map_err(|source| on_disk(connection, source))?;
            let transaction = connection.transaction()?;
            {
                let mut insert = transaction.prepare_cached("INSERT INTO posting VALUES (?1, ?2)")?;
                encode_pages(&part, |key, page| insert.execute(params![page_id(id, key), page]).map(drop))?;
            }
            transaction.commit()?;
        }
        let transaction = connection.transaction()?;
        for old in load_segments(&transaction)?.iter().filter(|s| s.first >= at && s.first < piece_past) {
            transaction.execute(
                "DELETE FROM posting WHERE id >= ?1 AND id < ?2",
                [page_id(old.id, 0), page_id(old.id + 1, 0)],
            )?;
            transaction.execute("DELETE FROM segment WHERE id = ?1", [old.id])?;
        }
        if count > 0 {
            transaction.execute(
                "INSERT INTO segment(id, first, past, live) VALUES (?1, ?2, ?3, ?4)",
                params![id, at, piece_past, count as i64],
            )?;
        }
        transaction.commit()?;
        at = piece_past;
    }
    Ok(())
}

/// Returns the (key, local id) pairs of up to `FULL` values from `at`, with the number of values and the last id.
fn collect_key_pairs(
    connection: &Connection,
    at: i64,
    past: i64,
    fresh: &mut Option<Fresh>,
) -> Result<(PairParts, usize, i64), ValuesError> {
    const CHUNK: usize = 8_192;
    let folder = connection.path().and_then(|path| Path::new(path).parent());
    let mut parts = PairParts::new(folder.unwrap_or(Path::new(".")), (past - at) as usize)
        .map_err(|source| on_disk(connection, source))?;
    let mut statement =
        connection.prepare_cached("SELECT id, text FROM value WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3")?;
    // The fresh values end the range, if they lie within it.
    let fits = |f: &mut Fresh| {
        f.count() > 0 && at <= f.first_value_id() && f.end_value_id() == past && past - at <= FULL as i64
    };
    let fresh = fresh.take_if(fits);
    let read = fresh.as_ref().map_or(past, Fresh::first_value_id);
    let mut rows = statement.query(params![at, read, FULL as i64])?;
    let (mut count, mut last) = (0, at);
    let mut chunk: Vec<(u32, String)> = Vec::with_capacity(CHUNK);
    loop {
        let row = rows.next()?;
        if let Some(row) = row {
            last = row.get(0)?;
            chunk.push(((last - at) as u32, row.get(1)?));
            count += 1;
        } else if chunk.is_empty() {
            break;
        }
        if row.is_none() || chunk.len() == CHUNK {
            let keyed: Vec<Vec<u64>> = chunk.par_chunks(512).map(collect_pairs).collect();
            keyed.into_iter().try_for_each(|some| parts.add(some)).map_err(|source| on_disk(connection, source))?;
            chunk.clear();
        }
    }
    if let Some(fresh) = fresh {
        (count, last) = (count + fresh.count(), past - 1);
        fresh.into_pairs_from(at).try_for_each(|some| parts.add(some)).map_err(|source| on_disk(connection, source))?;
    }
    Ok((parts, count, last))
}

fn on_disk(connection: &Connection, source: std::io::Error) -> ValuesError {
    ValuesError::Folder { path: connection.path().unwrap_or_default().into(), source }
}

/// Returns the row id of a page.
pub fn page_id(segment: i64, key: u32) -> i64 {
    segment << 32 | i64::from(key)
}

/// Packs sorted (key, id) pairs into pages.
fn encode_pages<E>(entries: &[u64], mut write: impl FnMut(u32, &[u8]) -> Result<(), E>) -> Result<(), E> {
    let mut page = Vec::with_capacity(PAGE + 64);
    let (mut page_key, mut previous) = (0, 0);
    for group in entries.chunk_by(|a, b| a >> 32 == b >> 32) {
        let key = (group[0] >> 32) as u32;
        if page.len() >= PAGE {
            write(page_key, &page)?;
            page.clear();
        }
        if page.is_empty() {
            (page_key, previous) = (key, key);
        }
        let ids = &group[..group.len().min(LONGEST)];
        push_integer(&mut page, (key - previous) << 1 | u32::from(ids.len() > 1));
        if ids.len() > 1 {
            push_integer(&mut page, ids.len() as u32);
        }
        let mut before = 0;
        for &entry in ids {
            push_integer(&mut page, entry as u32 - before);
            before = entry as u32;
        }
        previous = key;
    }
    if page.is_empty() { Ok(()) } else { write(page_key, &page) }
}

/// Returns the packed ids that a page files under a key, and their number.
pub fn find_ids(page: &[u8], page_key: u32, wanted: u32) -> Option<(&[u8], usize)> {
    let (mut rest, mut key) = (page, page_key);
    while let Some(head) = read_varint(&mut rest) {
        key = key.wrapping_add(head >> 1);
        if key > wanted {
            return None;
        }
        let count = if head & 1 == 1 { read_varint(&mut rest)? as usize } else { 1 };
        let end = end_of(rest, count)?;
        let (ids, others) = rest.split_at(end);
        if key == wanted {
            return Some((ids, count));
        }
        rest = others;
    }
    None
}

/// Returns the end of `count` integers, at least one: only the last byte of each is below 0x80.
fn end_of(bytes: &[u8], mut count: usize) -> Option<usize> {
    let mut at = 0;
    for word in bytes.as_chunks::<8>().0 {
        let ends = (!u64::from_le_bytes(*word) & 0x8080_8080_8080_8080).count_ones() as usize;
        if ends >= count {
            break;
        }
        count -= ends;
        at += 8;
    }
    let last = bytes[at..].iter().position(|byte| {
        count -= usize::from(*byte < 0x80);
        count == 0
    })?;
    Some(at + last + 1)
}

/// Decodes ids from their packed form.
pub fn decode_ids(mut packed: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut id: u32 = 0;
    std::iter::from_fn(move || {
        id = id.wrapping_add(read_varint(&mut packed)?);
        Some(id)
    })
}

fn push_integer(page: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        page.push(value as u8 | 0x80);
        value >>= 7;
    }
    page.push(value as u8);
}

fn read_varint(bytes: &mut &[u8]) -> Option<u32> {
    let (mut value, mut shift) = (0_u32, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if *byte < 0x80 {
            return Some(value);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::Writer;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn count_postings(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM posting", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn many_small_columns_and_many_rebuilds_leave_one_small_segment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values.db");
        let connection = storage::open_index(&path).unwrap();
        let keep: HashSet<(String, String)> = (0..40).map(|i| ("t".to_owned(), format!("c{i}"))).collect();
        let mut sizes = Vec::new();
        for round in 0..6 {
            let (mut writer, _) = Writer::start_build(&path, &keep, "f").unwrap();
            for i in 0..40 {
                assert!(writer.begin_column("t", &format!("c{i}"), &format!("{round}")).unwrap());
                let texts: Vec<String> = (0..50).map(|v| format!("value {v} of column {i} in round {round}")).collect();
                writer.append_values(&texts).unwrap();
                writer.finish_column().unwrap();
            }
            writer.pack_segments(Some("f")).unwrap();
            sizes.push(count_postings(&connection));
            let [segment] = load_segments(&connection).unwrap()[..] else { panic!("one segment expected") };
            assert_eq!(segment.live, 40 * 50);
        }
        let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
        assert!(most - least < 5, "pages of the dead are given back: {sizes:?}");
        let (mut writer, removed) = Writer::start_build(&path, &HashSet::new(), "f").unwrap();
        writer.pack_segments(None).unwrap();
        assert_eq!((removed, load_segments(&connection).unwrap().len(), count_postings(&connection)), (40, 0, 0));
    }

    #[test]
    fn keys_made_while_writing_are_those_of_the_values_on_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values.db");
        let mut connection = storage::open_index(&path).unwrap();
        let pages = |connection: &Connection| -> Vec<(i64, Vec<u8>)> {
            let mut statement = connection.prepare("SELECT id & 0xffffffff, data FROM posting ORDER BY id").unwrap();
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
        };
        let keep: HashSet<(String, String)> = (0..6).map(|i| ("t".to_owned(), format!("c{i}"))).collect();
        // Each round adds columns to a small segment, which is packed again; the second round replaces one column and
        // removes one.
        for (round, columns) in [[0, 1, 2], [3, 1, 4], [5, 3, 0]].into_iter().enumerate() {
            let (mut writer, _) = Writer::start_build(&path, &keep, "f").unwrap();
            for i in columns {
                assert!(writer.begin_column("t", &format!("c{i}"), &format!("{round}")).unwrap());
                let texts: Vec<String> = (0..700).map(|v| format!("Value {v} of {i}, {round}")).collect();
                texts.chunks(300).for_each(|some| _ = writer.append_values(some).unwrap());
                if (round, i) == (1, 4) { writer.abandon_column().unwrap() } else { writer.finish_column().unwrap() }
            }
            writer.pack_segments(Some("f")).unwrap();
            drop(writer);
            let beside = pages(&connection);
            connection.execute_batch("DELETE FROM posting; DELETE FROM segment").unwrap();
            compact_segments(&mut connection, Fresh::new(0)).unwrap();
            let [segment] = load_segments(&connection).unwrap()[..] else { panic!("one segment expected") };
            assert_eq!(segment.live, [3, 4, 5][round] * 700);
            assert!(beside.len() > 10 && beside == pages(&connection), "round {round}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_is_packed_is_found(pairs in proptest::collection::btree_set((0_u32..1_000, 0_u32..300_000), 1..2_000)) {
            let entries: Vec<u64> = pairs.iter().map(|&(key, id)| u64::from(key) << 32 | u64::from(id)).collect();
            let mut pages: Vec<(u32, Vec<u8>)> = Vec::new();
            encode_pages(&entries, |key, page| { pages.push((key, page.to_vec())); Ok::<(), ()>(()) }).unwrap();
            for key in 0..1_000 {
                let page = pages.iter().rev().find(|(first, _)| *first <= key);
                let found = page.and_then(|(first, page)| find_ids(page, *first, key));
                let wanted: Vec<u32> = pairs.range((key, 0)..(key + 1, 0)).map(|p| p.1).collect();
                prop_assert_eq!(found.map_or(0, |(_, count)| count), wanted.len());
                prop_assert_eq!(found.map_or(Vec::new(), |(packed, _)| decode_ids(packed).collect()), wanted);
            }
        }
    }
}
