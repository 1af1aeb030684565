//! Sorts keys within bounded memory: keys that do not fit are written to files in sorted runs, which are merged.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Maximum size in bytes of the keys in memory.
const MOST_BYTES: usize = 64 << 20;

/// Keys of rows that are being sorted. Equal keys keep the order of their rows.
pub(crate) struct Sorter<'a> {
    folder: &'a Path,
    down: bool,
    most_bytes: usize,
    keys: Vec<u8>,
    entries: Vec<Entry>,
    runs: Vec<File>,
}

/// Position of a key in memory.
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    length: usize,
    row: u32,
}

impl<'a> Sorter<'a> {
    pub(crate) fn new(folder: &'a Path, down: bool) -> Self {
        let (keys, entries, runs) = (Vec::new(), Vec::new(), Vec::new());
        Self { folder, down, most_bytes: MOST_BYTES, keys, entries, runs }
    }

    #[cfg(test)]
    pub(crate) fn with_memory_limit(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    pub(crate) fn push(&mut self, key: &[u8], row: u32) -> io::Result<()> {
        self.entries.push(Entry { start: self.keys.len(), length: key.len(), row });
        self.keys.extend(key);
        match self.keys.len() + self.entries.len() * size_of::<Entry>() > self.most_bytes {
            true => self.spill_run(),
            false => Ok(()),
        }
    }

    fn sort_entries(&mut self) {
        let (keys, down) = (&self.keys, self.down);
        let key = |entry: &Entry| &keys[entry.start..entry.start + entry.length];
        self.entries.sort_unstable_by(|a, b| in_order((key(a), a.row), (key(b), b.row), down));
    }

    fn spill_run(&mut self) -> io::Result<()> {
        self.sort_entries();
        std::fs::create_dir_all(self.folder)?;
        let mut file = BufWriter::new(tempfile::tempfile_in(self.folder)?);
        for Entry { start, length, row } in self.entries.drain(..) {
            file.write_all(&(length as u32).to_le_bytes())?;
            file.write_all(&row.to_le_bytes())?;
            file.write_all(&self.keys[start..start + length])?;
        }
        self.keys.clear();
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(file);
        Ok(())
    }

    /// Calls a function with all keys and their rows in order.
    pub(crate) fn visit_sorted<E: From<io::Error>>(
        mut self,
        mut see: impl FnMut(&[u8], u32) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.runs.is_empty() {
            self.sort_entries();
            for entry in &self.entries {
                see(&self.keys[entry.start..entry.start + entry.length], entry.row)?;
            }
            return Ok(());
        }
        self.spill_run()?;
        let mut files: Vec<BufReader<File>> = self.runs.drain(..).map(BufReader::new).collect();
        let mut heads = BinaryHeap::new();
        for (run, file) in files.iter_mut().enumerate() {
            heads.extend(read_head(file, run, self.down)?);
        }
        while let Some(head) = heads.pop() {
            see(&head.key, head.row)?;
            heads.extend(read_head(&mut files[head.run], head.run, self.down)?);
        }
        Ok(())
    }
}

fn in_order(a: (&[u8], u32), b: (&[u8], u32), down: bool) -> Ordering {
    let keys = if down { b.0.cmp(a.0) } else { a.0.cmp(b.0) };
    keys.then(a.1.cmp(&b.1))
}

/// The next key of a sorted run.
struct Head {
    key: Vec<u8>,
    row: u32,
    run: usize,
    down: bool,
}

fn read_head(file: &mut BufReader<File>, run: usize, down: bool) -> io::Result<Option<Head>> {
    let mut number = [0; 4];
    match file.read_exact(&mut number) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut key = vec![0; u32::from_le_bytes(number) as usize];
    file.read_exact(&mut number)?;
    file.read_exact(&mut key)?;
    Ok(Some(Head { key, row: u32::from_le_bytes(number), run, down }))
}

impl Ord for Head {
    /// The heap returns its greatest entry first, so the order is reversed.
    fn cmp(&self, other: &Self) -> Ordering {
        in_order((other.key.as_slice(), other.row), (self.key.as_slice(), self.row), self.down)
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted_rows(bytes: usize, down: bool) -> Vec<u32> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), down).with_memory_limit(bytes);
        for row in 0..1_000_u32 {
            sorter.push(&(row * 7919 % 250).to_be_bytes(), row).unwrap();
        }
        let mut found = Vec::new();
        sorter
            .visit_sorted(|_, row| {
                found.push(row);
                Ok::<_, io::Error>(())
            })
            .unwrap();
        found
    }

    #[test]
    fn runs_on_disk_give_the_same_order_as_memory() {
        for down in [false, true] {
            let mut expected: Vec<u32> = (0..1_000).collect();
            expected.sort_by_key(|row| {
                let key = i64::from(row * 7919 % 250);
                (if down { -key } else { key }, *row)
            });
            for bytes in [usize::MAX, 3_000, 1] {
                assert_eq!(sorted_rows(bytes, down), expected, "{bytes} bytes, down: {down}");
            }
        }
    }
}
