//! Pseudorandom numbers that are equal on every machine and in every version.

/// SplitMix64. Its sequence is fixed by its definition, unlike a library's default generator.
pub(super) struct Random(u64);

impl Random {
    /// Starts a sequence. Each table has its own seed, so that changes to one table do not affect others.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `bound - 1`.
    pub(super) fn next_below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Returns a number from `low` to `high`, inclusive.
    pub(super) fn next_between(&mut self, low: i64, high: i64) -> i64 {
        low + self.next_below((high - low + 1) as usize) as i64
    }

    /// Returns true with a probability of `per_mille` in a thousand.
    pub(super) fn chance_per_mille(&mut self, per_mille: usize) -> bool {
        self.next_below(1000) < per_mille
    }

    /// Returns one of the items at random.
    pub(super) fn pick_item<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.next_below(items.len())]
    }

    /// Returns an index with probability proportional to its weight.
    pub(super) fn pick_weighted(&mut self, weights: impl Iterator<Item = u32> + Clone) -> usize {
        let total: u64 = weights.clone().map(u64::from).sum();
        let mut rest = self.next_below(total.max(1) as usize) as u64;
        for (index, weight) in weights.enumerate() {
            if rest < u64::from(weight) {
                return index;
            }
            rest -= u64::from(weight);
        }
        0
    }
}
