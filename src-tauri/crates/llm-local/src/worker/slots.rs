//! Which prompts the key-value cache holds, and what to keep when it is full. Pure: the engine carries the steps out.
//!
//! Each sequence of the cache remembers the tokens it has read, and the cell that each of them takes. A new prompt is
//! matched against all sequences; the longest common beginning is shared, cell by cell, which costs nothing, and only
//! the rest is read. The sequence it was shared from stays as it was, so agents that take turns with different prompts
//! do not evict each other.

use std::collections::{HashMap, HashSet};

pub(crate) type Token = i32;

/// One thing to do to the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Forget everything of a sequence.
    Clear { seq: usize },
    /// Let `to` share the first `tokens` tokens of `from`.
    Share { from: usize, to: usize, tokens: usize },
    /// Forget everything of a sequence after its first `tokens` tokens.
    Truncate { seq: usize, tokens: usize },
}

/// Where a prompt goes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Admission {
    /// The sequence that now holds the first `cached` tokens of the prompt.
    pub seq: usize,
    /// How many tokens need not be read again. At least one is always left to read, to get its prediction.
    pub cached: usize,
    /// To be carried out in order.
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Default)]
struct Slot {
    tokens: Vec<Token>,
    /// The cell of each token.
    cells: Vec<u64>,
    used_at: u64,
    /// Taken by a request that is being answered.
    busy: bool,
}

impl Slot {
    /// Whether a prompt that has so many tokens in common can be read on where this ends.
    fn is_beginning(&self, common: usize) -> bool {
        !self.busy && common == self.tokens.len()
    }
}

/// The sequences of one cache.
#[derive(Debug)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    /// In how many sequences each cell is.
    cells: HashMap<u64, u32>,
    capacity: usize,
    remembered: usize,
    clock: u64,
    next_cell: u64,
}

impl Slots {
    /// `count` sequences that share room for `capacity` tokens, of which at most `remembered` belong to other texts when
    /// a prompt comes: every token that is read or written passes by all cells in use.
    pub fn new(count: usize, capacity: usize, remembered: usize) -> Self {
        let slots = vec![Slot::default(); count];
        Self { slots, cells: HashMap::new(), capacity, remembered, clock: 0, next_cell: 0 }
    }

    /// Makes room for a prompt and some tokens of reply; `None` when every sequence is busy.
    pub fn admit(&mut self, prompt: &[Token], reserve: usize) -> Option<Admission> {
        let mut steps = Vec::new();
        let best = self.best_match(prompt);
        let (seq, cached) = match best {
            // Nothing of the old sequence would be lost: go on in it.
            Some((seq, common)) if self.slots[seq].is_beginning(common) && common < prompt.len() => (seq, common),
            Some((from, common)) => {
                let common = common.min(prompt.len() - 1);
                match self.free_slot(Some(from), &mut steps) {
                    Some(to) => {
                        self.touch(from);
                        self.share(from, to, common, &mut steps);
                        (to, common)
                    }
                    None if self.slots[from].busy => return None,
                    None => {
                        self.truncate(from, common, &mut steps);
                        (from, common)
                    }
                }
            }
            None => (self.free_slot(None, &mut steps)?, 0),
        };
        let others = self.busy_cells();
        self.slots[seq].busy = true;
        self.touch(seq);
        let wanted = prompt.len() - cached + reserve;
        let bound = self.capacity.min(others + prompt.len() + reserve + self.remembered);
        self.make_room_within(bound, wanted, &mut steps);
        Some(Admission { seq, cached, steps })
    }

    /// How many tokens of a prompt some sequence begins with.
    pub fn longest_match(&self, prompt: &[Token]) -> usize {
        self.best_match(prompt).map_or(0, |(_, common)| common)
    }

    /// Another sequence that shares the first `tokens` tokens of `from`, for one more sample.
    pub fn fork(&mut self, from: usize, tokens: usize) -> Option<(usize, Vec<Step>)> {
        let mut steps = Vec::new();
        let to = self.free_slot(Some(from), &mut steps)?;
        self.share(from, to, tokens, &mut steps);
        self.slots[to].busy = true;
        self.touch(to);
        Some((to, steps))
    }

    /// Forgets sequences that no request uses, oldest first, until `wanted` more tokens fit. False when they never will.
    pub fn make_room(&mut self, wanted: usize, steps: &mut Vec<Step>) -> bool {
        self.make_room_within(self.capacity, wanted, steps)
    }

    fn make_room_within(&mut self, capacity: usize, wanted: usize, steps: &mut Vec<Step>) -> bool {
        while self.taken() + wanted > capacity {
            let Some(seq) = self.oldest(None) else { return false };
            self.clear(seq, steps);
        }
        true
    }

    /// Notes tokens that were read.
    pub fn extend(&mut self, seq: usize, tokens: &[Token]) {
        for token in tokens {
            self.next_cell += 1;
            self.cells.insert(self.next_cell, 1);
            self.slots[seq].cells.push(self.next_cell);
            self.slots[seq].tokens.push(*token);
        }
    }

    /// How many tokens a sequence holds.
    pub fn len(&self, seq: usize) -> usize {
        self.slots[seq].tokens.len()
    }

    /// Forgets a sequence wholly.
    pub fn clear(&mut self, seq: usize, steps: &mut Vec<Step>) {
        self.drop_after(seq, 0);
        steps.push(Step::Clear { seq });
    }

    /// A sequence is done with and will not be gone on with: forgets it.
    pub fn release(&mut self, seq: usize, steps: &mut Vec<Step>) {
        self.slots[seq].busy = false;
        self.clear(seq, steps);
    }

    /// The request is answered: its sequence may be forgotten when room is needed.
    pub fn rest(&mut self, seq: usize) {
        self.slots[seq].busy = false;
    }

    /// Cells taken.
    pub fn taken(&self) -> usize {
        self.cells.len()
    }

    /// Cells of the requests that are being answered.
    fn busy_cells(&self) -> usize {
        let busy = self.slots.iter().filter(|slot| slot.busy);
        busy.flat_map(|slot| &slot.cells).collect::<HashSet<_>>().len()
    }

    fn best_match(&self, prompt: &[Token]) -> Option<(usize, usize)> {
        self.slots
            .iter()
            .enumerate()
            .map(|(seq, slot)| (seq, common(&slot.tokens, prompt), slot))
            .filter(|(_, common, _)| *common > 0)
            // Of equals, one that can simply be gone on with, then the latest.
            .max_by_key(|(_, common, slot)| (*common, slot.is_beginning(*common), slot.used_at))
            .map(|(seq, common, _)| (seq, common))
    }

    /// An empty sequence, or else the oldest one that is neither busy nor `keep`.
    fn free_slot(&mut self, keep: Option<usize>, steps: &mut Vec<Step>) -> Option<usize> {
        if let Some(seq) = self.slots.iter().position(|s| s.tokens.is_empty() && !s.busy) {
            return Some(seq);
        }
        let seq = self.oldest(keep)?;
        self.clear(seq, steps);
        Some(seq)
    }

    fn oldest(&self, keep: Option<usize>) -> Option<usize> {
        self.slots
            .iter()
            .enumerate()
            .filter(|(seq, slot)| Some(*seq) != keep && !slot.busy && !slot.tokens.is_empty())
            .min_by_key(|(_, slot)| slot.used_at)
            .map(|(seq, _)| seq)
    }

    fn truncate(&mut self, seq: usize, tokens: usize, steps: &mut Vec<Step>) {
        self.drop_after(seq, tokens);
        steps.push(Step::Truncate { seq, tokens });
    }

    fn share(&mut self, from: usize, to: usize, tokens: usize, steps: &mut Vec<Step>) {
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

    fn touch(&mut self, seq: usize) {
        self.clock += 1;
        self.slots[seq].used_at = self.clock;
    }
}

/// How many tokens two texts begin with alike.
pub(crate) fn common(a: &[Token], b: &[Token]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
#[path = "slots_tests.rs"]
mod tests;
