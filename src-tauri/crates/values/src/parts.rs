//! Partitions (key, id) pairs by key into parts that are small enough to sort in memory. Pairs of many values are
//! stored in unnamed temporary files, which the operating system deletes when the process ends.

use crate::keys::KEY_BITS;
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Read, Result, Seek, Write};
use std::path::Path;

/// Number of values whose pairs form one part; each has about 40 pairs of 8 bytes.
const VALUES: usize = 1 << 18;
/// Number of bits of the key that divide a part into buckets, and by which a bucket is sorted at a time.
const DIVIDED: u32 = 8;
const SORTED: u32 = 10;

/// The pairs of some values.
pub enum PairParts {
    /// A single part in memory, for few values.
    One(Vec<Vec<u64>>),
    /// A power of two parts, divided by the first bits of the key, for many values.
    Several(Vec<BufWriter<File>>),
}

impl PairParts {
    /// Creates the parts for about `values` values.
    pub fn new(folder: &Path, values: usize) -> Result<Self> {
        if values <= VALUES {
            return Ok(Self::One(Vec::new()));
        }
        let file = |_| Ok(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?));
        Ok(Self::Several((0..values.div_ceil(VALUES).next_power_of_two()).map(file).collect::<Result<_>>()?))
    }

    /// Adds pairs with the key in the upper half. The ids of a key must be added in ascending order.
    pub fn add(&mut self, pairs: Vec<u64>) -> Result<()> {
        match self {
            Self::One(part) => part.push(pairs),
            Self::Several(files) => {
                let shift = 32 + KEY_BITS - files.len().ilog2();
                for pair in pairs {
                    files[(pair >> shift) as usize].write_all(&pair.to_le_bytes())?;
                }
            }
        }
        Ok(())
    }

    /// Iterates over the parts in the order of their keys, each sorted and without duplicates.
    pub fn into_sorted(self) -> impl Iterator<Item = Result<Vec<u64>>> {
        let (one, several) = match self {
            Self::One(part) => (Some(part), Vec::new()),
            Self::Several(files) => (None, files),
        };
        let bits = KEY_BITS - several.len().max(1).ilog2();
        let one = one.into_iter().map(move |part| Ok(sort_pairs(part.iter().flatten().copied(), bits)));
        one.chain(several.into_iter().map(move |file| {
            let bytes = read_file(file)?;
            Ok(sort_pairs(bytes.as_chunks::<8>().0.iter().map(|pair| u64::from_le_bytes(*pair)), bits))
        }))
    }
}

/// Sorts pairs by the lower `bits` of the key, in which they differ, and removes duplicates. Pairs are divided into
/// buckets that fit into the CPU cache, then each bucket is sorted digit by digit, on all threads. The order of ids is
/// stable.
fn sort_pairs(pairs: impl Iterator<Item = u64> + Clone, bits: u32) -> Vec<u64> {
    let low = 32 + bits - DIVIDED;
    let mut sorted = vec![0; pairs.clone().count()];
    let sizes = scatter_by_digit::<{ 1 << DIVIDED }>(pairs, low, &mut sorted);
    let (mut buckets, mut rest) = (Vec::with_capacity(sizes.len()), sorted.as_mut_slice());
    for size in sizes {
        let (bucket, others) = rest.split_at_mut(size);
        buckets.push(bucket);
        rest = others;
    }
    buckets.into_par_iter().for_each_init(Vec::new, |other: &mut Vec<u64>, bucket| {
        for digit in (32..low).step_by(SORTED as usize) {
            other.clear();
            other.extend_from_slice(bucket);
            scatter_by_digit::<{ 1 << SORTED }>(other.iter().copied(), digit, bucket);
        }
    });
    sorted.dedup();
    sorted
}

/// Writes pairs in the order of the digit at a bit position, stable for equal digits. Returns the number of pairs with
/// each digit.
fn scatter_by_digit<const DIGITS: usize>(
    pairs: impl Iterator<Item = u64> + Clone,
    from: u32,
    to: &mut [u64],
) -> [usize; DIGITS] {
    let digit = |pair: u64| (pair >> from) as usize % DIGITS;
    let mut sizes = [0; DIGITS];
    pairs.clone().for_each(|pair| sizes[digit(pair)] += 1);
    let mut next = [0; DIGITS];
    (1..DIGITS).for_each(|d| next[d] = next[d - 1] + sizes[d - 1]);
    pairs.for_each(|pair| {
        let at = &mut next[digit(pair)];
        to[*at] = pair;
        *at += 1;
    });
    sizes
}

fn read_file(file: BufWriter<File>) -> Result<Vec<u8>> {
    let mut file = file.into_inner()?;
    let mut bytes = Vec::with_capacity(file.stream_position()? as usize);
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let pairs: Vec<u64> = (0..5_000_u64).map(|n| ((n * 2_654_435_761 % (1 << KEY_BITS)) << 32) | (n / 7)).collect();
        let mut wanted = pairs.clone();
        wanted.sort_unstable();
        wanted.dedup();
        for values in [10, 10 * VALUES] {
            let mut parts = PairParts::new(folder.path(), values).unwrap();
            pairs.chunks(999).for_each(|some| parts.add(some.to_vec()).unwrap());
            parts.add(pairs[pairs.len() - 10..].to_vec()).unwrap();
            let found: Vec<u64> = parts.into_sorted().flat_map(Result::unwrap).collect();
            assert_eq!(found, wanted);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    }
}
