//! Keys of the most recently written values, up to a maximum number. They are computed while writing, so that a small
//! index is packed without reading its values again. For many values they would exceed the memory limit of a build.

use crate::keys::value_keys;
use crate::text::Form;
use rayon::prelude::*;

/// Maximum number of values whose keys are kept; each has about 40 keys of 8 bytes.
const MOST: usize = 1 << 16;
/// Number of values whose keys one thread computes at a time.
const CHUNK: usize = 256;

/// The (key, id) pairs of consecutive values, with ids relative to the first value.
#[derive(Debug)]
pub struct Fresh {
    first: i64,
    count: usize,
    pairs: Vec<Vec<u64>>,
    /// True if the limit was exceeded or values were removed: all values must then be read again.
    spoiled: bool,
}

impl Fresh {
    /// Creates an empty set; `next` is the id of the next value.
    pub fn new(next: i64) -> Self {
        Self { first: next, count: 0, pairs: Vec::new(), spoiled: false }
    }

    /// Adds the keys of the next values.
    pub fn add<T: AsRef<str> + Sync>(&mut self, texts: &[T]) {
        if self.spoiled || self.count + texts.len() > MOST {
            return self.discard_values();
        }
        let numbered: Vec<(u32, &T)> = (self.count as u32..).zip(texts).collect();
        self.pairs.par_extend(numbered.par_chunks(CHUNK).map(collect_pairs));
        self.count += texts.len();
    }

    /// Discards all keys because some values were removed.
    pub fn discard_values(&mut self) {
        *self = Self { spoiled: true, ..Self::new(self.first) };
    }

    /// Returns the collected keys and starts again.
    pub fn take_values(&mut self, next: i64) -> Self {
        std::mem::replace(self, Self::new(next))
    }

    /// Returns the id of the first value.
    pub fn first_value_id(&self) -> i64 {
        self.first
    }

    /// Returns the id after the last value.
    pub fn end_value_id(&self) -> i64 {
        self.first + self.count as i64
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Iterates over the pairs, with ids relative to `start`.
    pub fn into_pairs_from(self, start: i64) -> impl Iterator<Item = Vec<u64>> {
        let shift = (self.first - start) as u64;
        self.pairs.into_iter().map(move |mut some| {
            if shift > 0 {
                some.iter_mut().for_each(|pair| *pair += shift);
            }
            some
        })
    }
}

/// Returns the pairs of numbered texts: the key in the upper half, the number in the lower half.
pub fn collect_pairs<T: AsRef<str>>(texts: &[(u32, T)]) -> Vec<u64> {
    let (mut pairs, mut keys) = (Vec::with_capacity(texts.len() * 48), Vec::with_capacity(64));
    for (number, text) in texts {
        keys.clear();
        value_keys(&Form::new(text.as_ref()), &mut keys);
        pairs.extend(keys.iter().map(|&key| u64::from(key) << 32 | u64::from(*number)));
    }
    pairs
}
