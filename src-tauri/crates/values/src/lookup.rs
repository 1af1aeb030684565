//! Finds the values with the highest total weight under a literal's keys.
//!
//! A search reads a limited number of ids, so ten million values take little longer than one million. The shortest
//! lists are read first, because a key that few values share is the strongest evidence.

use crate::ValuesError;
use crate::keys::QueryKey;
use crate::segment::{Segment, decode_ids, find_ids, page_id};
use rusqlite::Connection;
use std::cmp::Ordering;
use std::ops::Range;

/// Number of ids after which a lookup reads no further list.
const READ: usize = 30_000;
/// Number of ids summed in one pass, chosen to fit into the CPU cache.
const BLOCK: u32 = 1 << 18;
/// Factor between the number of collected candidates and the number of wanted ones, before the lowest are dropped.
const ROOM: usize = 4;
/// Maximum factor by which `weigh` may increase a value's sum.
pub const MOST: f32 = 2.0;

/// Returns the `keep` values with the highest sums of key weights, highest first, ties by id. `weigh` may drop a value,
/// or change its sum by at most the factor `MOST`. Keys must be sorted.
pub fn lookup_values(
    connection: &Connection,
    segments: &[Segment],
    keys: &[QueryKey],
    keep: usize,
    weigh: impl Fn(i64, f32) -> Option<f32>,
) -> Result<Vec<(i64, f32)>, ValuesError> {
    // The length of a page is known without reading it, and the longest pages are skipped.
    let mut place =
        connection.prepare_cached("SELECT id, length(data) FROM posting WHERE id <= ?1 ORDER BY id DESC LIMIT 1")?;
    let mut data = connection.prepare_cached("SELECT data FROM posting WHERE id = ?1")?;
    // An array of sums by local id: common words have many thousands of values, for which a hash map is several times
    // slower.
    let mut sums = vec![0.0_f32; BLOCK as usize];
    let mut touched: Vec<u32> = Vec::new();
    let mut best: Vec<(i64, f32)> = Vec::new();
    // Most values share one key by coincidence and cannot reach the values kept so far.
    let mut least = 0.0;
    let mut places: Vec<(i64, i64, QueryKey)> = Vec::new();
    let (mut lists, mut packed): (Vec<(f32, Range<usize>)>, Vec<u8>) = Default::default();
    for segment in segments {
        lists.clear();
        packed.clear();
        places.clear();
        for wanted in keys {
            let mut rows = place.query([page_id(segment.id, wanted.key)])?;
            let Some(row) = rows.next()? else { continue };
            let id: i64 = row.get(0)?;
            if id >> 32 == segment.id {
                places.push((row.get::<_, i64>(1)?, id, *wanted));
            }
        }
        places.sort_unstable_by_key(|(length, id, wanted)| (*length, *id, wanted.key));
        let mut read = 0;
        for (_, id, wanted) in &places {
            if read >= READ / segments.len() {
                break;
            }
            let mut rows = data.query([id])?;
            let Some(row) = rows.next()? else { continue };
            let page = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            if let Some((ids, count)) = find_ids(page, *id as u32, wanted.key) {
                lists.push((wanted.weight, packed.len()..packed.len() + ids.len()));
                packed.extend_from_slice(ids);
                read += count;
            }
        }
        let mut cursors: Vec<_> =
            lists.iter().map(|(weight, list)| (*weight, decode_ids(&packed[list.clone()]).peekable())).collect();
        let span = u32::try_from(segment.past - segment.first).unwrap_or(u32::MAX);
        for block in (0..span).step_by(BLOCK as usize) {
            for (weight, cursor) in &mut cursors {
                while let Some(local) = cursor.next_if(|local| *local - block < BLOCK) {
                    let sum = &mut sums[(local - block) as usize];
                    if *sum == 0.0 {
                        touched.push(local);
                    }
                    *sum += *weight;
                }
            }
            for local in touched.drain(..) {
                let sum = std::mem::take(&mut sums[(local - block) as usize]);
                let id = segment.first + i64::from(local);
                if sum * MOST >= least {
                    best.extend(weigh(id, sum).filter(|weight| *weight >= least).map(|weight| (id, weight)));
                }
                if best.len() >= keep * ROOM {
                    keep_highest(&mut best, keep);
                    least = best.iter().map(|(_, weight)| *weight).fold(f32::MAX, f32::min);
                }
            }
        }
    }
    keep_highest(&mut best, keep);
    best.sort_unstable_by(by_weight);
    Ok(best)
}

fn keep_highest(found: &mut Vec<(i64, f32)>, keep: usize) {
    if found.len() > keep && keep > 0 {
        found.select_nth_unstable_by(keep - 1, by_weight);
        found.truncate(keep);
    }
}

fn by_weight(a: &(i64, f32), b: &(i64, f32)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}
