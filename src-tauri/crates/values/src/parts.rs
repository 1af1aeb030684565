//! (key, id) pairs in parts by key, each small enough to be sorted in memory. The pairs of many values wait in files
//! without a name, which are gone with the program however it ends.

use crate::keys::KEY_BITS;
use rayon::slice::ParallelSliceMut;
use std::fs::File;
use std::io::{BufWriter, Read, Result, Seek, Write};
use std::path::Path;

/// Values of which one part holds the pairs, some 40 of 8 bytes each.
const VALUES: usize = 1 << 18;

/// The pairs of some values.
pub enum Parts {
    /// Few: one part, kept in memory.
    One(Vec<u64>),
    /// Many: a power of two, by the first bits of the key.
    Several(Vec<BufWriter<File>>),
}

impl Parts {
    /// For about so many values.
    pub fn new(folder: &Path, values: usize) -> Result<Self> {
        if values <= VALUES {
            return Ok(Self::One(Vec::new()));
        }
        let file = |_| Ok(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?));
        Ok(Self::Several((0..values.div_ceil(VALUES).next_power_of_two()).map(file).collect::<Result<_>>()?))
    }

    /// Adds pairs, the key in the high half.
    pub fn add(&mut self, pairs: &[u64]) -> Result<()> {
        match self {
            Self::One(part) => part.extend_from_slice(pairs),
            Self::Several(files) => {
                let shift = 32 + KEY_BITS - files.len().ilog2();
                for pair in pairs {
                    files[(pair >> shift) as usize].write_all(&pair.to_le_bytes())?;
                }
            }
        }
        Ok(())
    }

    /// The parts in the order of their keys; in each the pairs in order and once.
    pub fn sorted(self) -> impl Iterator<Item = Result<Vec<u64>>> {
        let (one, several) = match self {
            Self::One(part) => (Some(Ok(part)), Vec::new()),
            Self::Several(files) => (None, files),
        };
        one.into_iter().chain(several.into_iter().map(read)).map(|part| {
            let mut part = part?;
            part.par_sort_unstable();
            part.dedup();
            Ok(part)
        })
    }
}

fn read(file: BufWriter<File>) -> Result<Vec<u64>> {
    let mut file = file.into_inner()?;
    let mut bytes = Vec::with_capacity(file.stream_position()? as usize);
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let (pairs, _) = bytes.as_chunks::<8>();
    Ok(pairs.iter().map(|pair| u64::from_le_bytes(*pair)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let pairs: Vec<u64> = (0..5_000_u64).map(|n| ((n * 2_654_435_761 % (1 << KEY_BITS)) << 32) | (n % 7)).collect();
        let mut wanted = pairs.clone();
        wanted.sort_unstable();
        wanted.dedup();
        for values in [10, 10 * VALUES] {
            let mut parts = Parts::new(folder.path(), values).unwrap();
            pairs.chunks(999).for_each(|some| parts.add(some).unwrap());
            parts.add(&pairs[..10]).unwrap();
            let found: Vec<u64> = parts.sorted().flat_map(Result::unwrap).collect();
            assert_eq!(found, wanted);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    }
}
