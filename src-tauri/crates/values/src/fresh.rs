//! The keys of the values written last, as long as there are few: computed while writing, so that a small index is
//! packed without reading its values again. For many values they would exceed a build's memory limit.

use crate::keys::value_keys;
use crate::text::Form;
use rayon::prelude::*;

/// Values whose keys are kept, some 40 of 8 bytes each.
const MOST: usize = 1 << 16;
/// Values whose keys one thread makes at a time.
const CHUNK: usize = 256;

/// The (key, id) pairs of consecutive values, ids relative to the first of them.
#[derive(Debug)]
pub struct Fresh {
    first: i64,
    count: usize,
    pairs: Vec<Vec<u64>>,
    /// More came than are kept, or some have gone: all is left to be read.
    spoiled: bool,
}

impl Fresh {
    /// None yet; the next value has this id.
    pub fn new(next: i64) -> Self {
        Self { first: next, count: 0, pairs: Vec::new(), spoiled: false }
    }

    /// Adds the keys of the values that come next.
    pub fn add<T: AsRef<str> + Sync>(&mut self, texts: &[T]) {
        if self.spoiled || self.count + texts.len() > MOST {
            return self.discard_values();
        }
        let numbered: Vec<(u32, &T)> = (self.count as u32..).zip(texts).collect();
        self.pairs.par_extend(numbered.par_chunks(CHUNK).map(collect_pairs));
        self.count += texts.len();
    }

    /// Forgets everything, because some of the values have gone.
    pub fn discard_values(&mut self) {
        *self = Self { spoiled: true, ..Self::new(self.first) };
    }

    /// Gives what there is and begins anew.
    pub fn take_values(&mut self, next: i64) -> Self {
        std::mem::replace(self, Self::new(next))
    }

    /// The id of the first value.
    pub fn first_value_id(&self) -> i64 {
        self.first
    }

    /// One past the id of the last value.
    pub fn end_value_id(&self) -> i64 {
        self.first + self.count as i64
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The pairs, with ids relative to `start`.
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

/// The pairs of numbered texts: the key in the high half, the number in the low one.
pub fn collect_pairs<T: AsRef<str>>(texts: &[(u32, T)]) -> Vec<u64> {
    let (mut pairs, mut keys) = (Vec::with_capacity(texts.len() * 48), Vec::with_capacity(64));
    for (number, text) in texts {
        keys.clear();
        value_keys(&Form::new(text.as_ref()), &mut keys);
        pairs.extend(keys.iter().map(|&key| u64::from(key) << 32 | u64::from(*number)));
    }
    pairs
}
