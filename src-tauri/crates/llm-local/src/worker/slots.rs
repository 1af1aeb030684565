//! Tracks the prompts in the key-value cache and chooses what to evict when it is full. Pure: the engine applies the
//! steps.
//!
//! Each sequence records its tokens and the cell of each token. A new prompt is matched against all sequences; the
//! longest common prefix is shared, cell by cell, without cost, and only the rest is read. The source sequence is
//! unchanged, so agents that alternate with different prompts do not evict each other.

use std::collections::{HashMap, HashSet};

pub(crate) type Token = i32;

/// One operation on the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Deletes all tokens of a sequence.
    Clear { seq: usize },
    /// Makes `to` share the first `tokens` tokens of `from`.
    Share { from: usize, to: usize, tokens: usize },
    /// Deletes the tokens of a sequence after its first `tokens` tokens.
    Truncate { seq: usize, tokens: usize },
}

/// The sequence assigned to a prompt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Admission {
    /// The sequence that contains the first `cached` tokens of the prompt.
    pub seq: usize,
    /// Number of tokens that need not be read. At least one token is always read, to get its logits.
    pub cached: usize,
    /// The steps to apply, in order.
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Default)]
struct Slot {
    tokens: Vec<Token>,
    /// The cell of each token.
    cells: Vec<u64>,
    used_at: u64,
    /// True while a request in progress uses the sequence.
    busy: bool,
}

impl Slot {
    /// Checks if a prompt with `common` tokens in common can continue at the end of this sequence.
    fn is_beginning(&self, common: usize) -> bool {
        !self.busy && common == self.tokens.len()
    }
}

/// The sequences of one cache.
#[derive(Debug)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    /// Number of sequences that contain each cell.
    cells: HashMap<u64, u32>,
    capacity: usize,
    remembered: usize,
    clock: u64,
    next_cell: u64,
}

impl Slots {
    /// Creates `count` sequences that share `capacity` cells. After an admission, other prompts occupy at most
    /// `remembered` cells, because every computed token passes over all cells in use.
    pub fn new(count: usize, capacity: usize, remembered: usize) -> Self {
        let slots = vec![Slot::default(); count];
        Self { slots, cells: HashMap::new(), capacity, remembered, clock: 0, next_cell: 0 }
    }

    /// Assigns a sequence to a prompt with room for `reserve` tokens of reply; `None` if every sequence is busy.
    pub fn admit_prompt(&mut self, prompt: &[Token], reserve: usize) -> Option<Admission> {
        let mut steps = Vec::new();
        let best = self.best_match(prompt);
        let (seq, cached) = match best {
            // The old sequence is a prefix of the prompt and loses nothing, so it is continued.
            Some((seq, common)) if self.slots[seq].is_beginning(common) && common < prompt.len() => (seq, common),
            Some((from, common)) => {
                let common = common.min(prompt.len() - 1);
                match self.free_slot(Some(from), &mut steps) {
                    Some(to) => {
                        self.update_use_time(from);
                        self.share_tokens(from, to, common, &mut steps);
                        (to, common)
                    }
                    None if self.slots[from].busy => return None,
                    None => {
                        self.truncate_sequence(from, common, &mut steps);
                        (from, common)
                    }
                }
            }
            None => (self.free_slot(None, &mut steps)?, 0),
        };
        let others = self.busy_cells();
        self.slots[seq].busy = true;
        self.update_use_time(seq);
        let wanted = prompt.len() - cached + reserve;
        let bound = self.capacity.min(others + prompt.len() + reserve + self.remembered);
        self.make_room_within(bound, wanted, &mut steps);
        Some(Admission { seq, cached, steps })
    }

    /// Returns the length of the longest prefix of a prompt that is in a sequence.
    pub fn longest_match(&self, prompt: &[Token]) -> usize {
        self.best_match(prompt).map_or(0, |(_, common)| common)
    }

    /// Creates a sequence that shares the first `tokens` tokens of `from`, for another sample.
    pub fn fork_sequence(&mut self, from: usize, tokens: usize) -> Option<(usize, Vec<Step>)> {
        let mut steps = Vec::new();
        let to = self.free_slot(Some(from), &mut steps)?;
        self.share_tokens(from, to, tokens, &mut steps);
        self.slots[to].busy = true;
        self.update_use_time(to);
        Some((to, steps))
    }

    /// Clears unused sequences, oldest first, until `wanted` more tokens fit. Returns false if they cannot fit.
    pub fn make_room(&mut self, wanted: usize, steps: &mut Vec<Step>) -> bool {
        self.make_room_within(self.capacity, wanted, steps)
    }

    fn make_room_within(&mut self, capacity: usize, wanted: usize, steps: &mut Vec<Step>) -> bool {
        while self.used_cells() + wanted > capacity {
            let Some(seq) = self.find_oldest(None) else { return false };
            self.clear_sequence(seq, steps);
        }
        true
    }

    /// Records tokens that were computed.
    pub fn extend(&mut self, seq: usize, tokens: &[Token]) {
        for token in tokens {
            self.next_cell += 1;
            self.cells.insert(self.next_cell, 1);
            self.slots[seq].cells.push(self.next_cell);
            self.slots[seq].tokens.push(*token);
        }
    }

    /// Returns the number of tokens in a sequence.
    pub fn len(&self, seq: usize) -> usize {
        self.slots[seq].tokens.len()
    }

    /// Deletes all tokens of a sequence.
    pub fn clear_sequence(&mut self, seq: usize, steps: &mut Vec<Step>) {
        self.drop_after(seq, 0);
        steps.push(Step::Clear { seq });
    }

    /// Clears a sequence that will not be continued and marks it as unused.
    pub fn release_sequence(&mut self, seq: usize, steps: &mut Vec<Step>) {
        self.slots[seq].busy = false;
        self.clear_sequence(seq, steps);
    }

    /// Marks a sequence as unused, so that it may be evicted when room is needed.
    pub fn mark_unused(&mut self, seq: usize) {
        self.slots[seq].busy = false;
    }

    /// Returns the number of cells in use.
    pub fn used_cells(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of cells used by requests in progress.
    fn busy_cells(&self) -> usize {
        let busy = self.slots.iter().filter(|slot| slot.busy);
        busy.flat_map(|slot| &slot.cells).collect::<HashSet<_>>().len()
    }

    fn best_match(&self, prompt: &[Token]) -> Option<(usize, usize)> {
        self.slots
            .iter()
            .enumerate()
            .map(|(seq, slot)| (seq, common_prefix_len(&slot.tokens, prompt), slot))
            .filter(|(_, common, _)| *common > 0)
            // Among equal lengths, a sequence that can be continued comes first, then the most recently used.
            .max_by_key(|(_, common, slot)| (*common, slot.is_beginning(*common), slot.used_at))
            .map(|(seq, common, _)| (seq, common))
    }

    /// Returns an empty sequence, or clears the oldest one that is neither busy nor `keep`.
    fn free_slot(&mut self, keep: Option<usize>, steps: &mut Vec<Step>) -> Option<usize> {
        if let Some(seq) = self.slots.iter().position(|s| s.tokens.is_empty() && !s.busy) {
            return Some(seq);
        }
        let seq = self.find_oldest(keep)?;
        self.clear_sequence(seq, steps);
        Some(seq)
    }

    fn find_oldest(&self, keep: Option<usize>) -> Option<usize> {
        self.slots
            .iter()
            .enumerate()
            .filter(|(seq, slot)| Some(*seq) != keep && !slot.busy && !slot.tokens.is_empty())
            .min_by_key(|(_, slot)| slot.used_at)
            .map(|(seq, _)| seq)
    }

    fn truncate_sequence(&mut self, seq: usize, tokens: usize, steps: &mut Vec<Step>) {
        self.drop_after(seq, tokens);
        steps.push(Step::Truncate { seq, tokens });
    }

    fn share_tokens(&mut self, from: usize, to: usize, tokens: usize, steps: &mut Vec<Step>) {
        let (shared, cells) = (self.slots[from].tokens[..tokens].to_vec(), self.slots[from].cells[..tokens].to_vec());
        for cell in &cells {
            *self.cells.entry(*cell).or_insert(0) += 1;
        }
        self.slots[to].tokens = shared;
        self.slots[to].cells = cells;
        steps.push(Step::Share { from, to, tokens });
    }

    fn drop_after(&mut self, seq: usize, tokens: usize) {
        self.slots[seq].tokens.truncate(tokens);
        for cell in self.slots[seq].cells.split_off(tokens) {
            if let Some(count) = self.cells.get_mut(&cell) {
                *count -= 1;
                if *count == 0 {
                    self.cells.remove(&cell);
                }
            }
        }
    }

    fn update_use_time(&mut self, seq: usize) {
        self.clock += 1;
        self.slots[seq].used_at = self.clock;
    }
}

/// Returns the length of the common prefix of two texts, in tokens.
pub(crate) fn common_prefix_len(a: &[Token], b: &[Token]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests;
