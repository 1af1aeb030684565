//! Determines the rows that a join repeats, and the keys of a view.
//!
//! A sum over one table is wrong if a join repeats that table's rows. Keys determine whether it does: a source is
//! *settled* if a row of the metric's sources determines its row, because one of its keys is linked to settled columns
//! or is among the dimensions, which have one value within a group. If all sources are settled, nothing is repeated,
//! and the metric is written directly. If that is not proven (the other side of a one-to-many link, or a table without
//! declared keys), each row is counted once per group, by numbering its repetitions. The view is not rejected, because
//! it has only one sensible meaning.

use super::plan::{Dimension, Field, Link, Plan};
use vitrine_domain::views::JoinKind;

/// The state of a source during settling.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    /// Settled, but its row may be missing, so that sources joined to it are not settled by it.
    Perhaps,
    /// Settled and present, or the computed value is NULL without it.
    Settled,
}

impl Plan<'_> {
    /// Returns true if a metric over these sources would count a row of theirs more than once within a group.
    pub fn repeats_rows(&self, of: &[usize]) -> bool {
        let mut states = self.initial_states();
        for &source in of {
            states[source] = State::Settled;
        }
        for (index, source) in self.sources.iter().enumerate() {
            if states[index] == State::Open
                && source.rows.relation.keys.iter().any(|key| self.is_grouped_by(index, key))
            {
                states[index] = if source.nullable { State::Perhaps } else { State::Settled };
            }
        }
        self.propagate_states(&mut states, true);
        states.contains(&State::Open)
    }

    /// Returns the initial states: only anti-joined sources are settled, since none of their rows is present.
    fn initial_states(&self) -> Vec<State> {
        self.sources.iter().map(|source| if source.is_absent() { State::Settled } else { State::Open }).collect()
    }

    /// Settles all sources that follow from settled ones. `grouped` is true if each dimension has a single value.
    fn propagate_states(&self, states: &mut [State], grouped: bool) {
        while let Some((index, state)) = (0..states.len())
            .filter(|&i| states[i] == State::Open)
            .find_map(|i| self.derive_state(i, states, grouped).map(|state| (i, state)))
        {
            states[index] = state;
        }
    }

    fn derive_state(&self, index: usize, states: &[State], grouped: bool) -> Option<State> {
        let relation = &self.sources[index].rows.relation;
        let by_key = relation.keys.iter().find_map(|key| self.key_follows(index, key, states, grouped));
        by_key.or_else(|| relation.unique.iter().find_map(|key| self.key_follows(index, key, states, false)))
    }

    fn key_follows(&self, index: usize, key: &[String], states: &[State], grouped: bool) -> Option<State> {
        // A view of one row has an empty key.
        let absent = key.is_empty() && self.sources[index].nullable;
        let mut state = if absent { State::Perhaps } else { State::Settled };
        for column in key {
            let linked =
                self.linked_sources(index, column).find_map(|(other, down, kind)| match (states[other], kind) {
                    (State::Open, _) => None,
                    // A missing row has no parent.
                    (State::Perhaps, JoinKind::Left) if !down => None,
                    (State::Perhaps, JoinKind::Full) => None,
                    (_, JoinKind::Full) => Some(State::Perhaps),
                    (_, JoinKind::Left) if down => Some(State::Perhaps),
                    (known, _) => Some(known),
                });
            let grouped = || (grouped && self.is_dimension(index, column)).then_some(State::Perhaps);
            if linked.or_else(grouped)? == State::Perhaps {
                state = State::Perhaps;
            }
        }
        Some(state)
    }

    /// Returns the sources that a column of a source is linked to; true if the source is the child; and the kind of
    /// link.
    fn linked_sources(&self, index: usize, column: &str) -> impl Iterator<Item = (usize, bool, JoinKind)> {
        let present = |link: &&Link| link.kind != JoinKind::Anti;
        let own = self.sources[index]
            .link
            .iter()
            .filter(present)
            .filter(move |link| link.on.iter().any(|(_, own)| is_same_name(own, column)));
        let own = own.map(|link| (link.parent, true, link.kind));
        let below = self.sources.iter().enumerate().filter_map(move |(i, source)| {
            let link = source.link.as_ref().filter(present).filter(|link| link.parent == index)?;
            link.on.iter().any(|(up, _)| is_same_name(up, column)).then_some((i, false, link.kind))
        });
        own.chain(below)
    }

    fn is_dimension(&self, source: usize, column: &str) -> bool {
        let is = |field: &Field| field.source == source && is_same_name(&field.column, column);
        self.dimensions.iter().filter_map(Dimension::unchanged_field).any(is)
    }

    fn is_grouped_by(&self, source: usize, key: &[String]) -> bool {
        key.iter().all(|column| self.is_dimension(source, column))
    }

    /// Returns the keys of the view's rows: sets of columns that are unique, and sets that are unique except where a
    /// column is NULL.
    pub fn row_keys(&self) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
        let (mut keys, mut unique): (Vec<Vec<String>>, Vec<Vec<String>>) = Default::default();
        let add = |to: &mut Vec<Vec<String>>, key: Vec<String>| {
            if !to.contains(&key) {
                to.push(key);
            }
        };
        let needed: Vec<usize> = if self.is_grouped() || self.distinct {
            self.dimensions.iter().flat_map(|d| d.value.fields()).map(|field| field.source).collect()
        } else {
            (0..self.sources.len()).collect()
        };
        let all_settled = |from: &[usize]| {
            let mut states = self.initial_states();
            for &source in from {
                states[source] = if self.sources[source].nullable { State::Perhaps } else { State::Settled };
            }
            self.propagate_states(&mut states, false);
            needed.iter().all(|&source| states[source] != State::Open)
        };
        // A key of one side of a full join does not identify rows that only have the other side.
        let full = self.sources.iter().flat_map(|s| &s.link).any(|link| link.kind == JoinKind::Full);
        let selected: Vec<(usize, Vec<String>)> = (0..self.sources.len())
            .filter(|&source| !full && !self.sources[source].is_absent())
            .flat_map(|source| self.sources[source].rows.relation.keys.iter().map(move |key| (source, key)))
            .filter_map(|(source, key)| Some((source, self.names_of(source, key)?)))
            .collect();
        for (source, names) in &selected {
            let mut strict = self.initial_states();
            strict[*source] = State::Settled;
            self.propagate_states(&mut strict, false);
            if all_settled(&[*source]) {
                add(&mut keys, names.clone());
            } else if needed.iter().all(|&n| strict[n] != State::Open) {
                add(&mut unique, names.clone());
            }
        }
        let all = |names: &mut dyn Iterator<Item = &Vec<String>>| {
            let mut all: Vec<String> = Vec::new();
            for name in names.flatten() {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
            all
        };
        if self.is_grouped() || self.distinct {
            add(&mut keys, self.dimensions.iter().map(|d| d.output.name.clone()).collect());
        } else if keys.is_empty() && all_settled(&selected.iter().map(|(source, _)| *source).collect::<Vec<_>>()) {
            add(&mut keys, all(&mut selected.iter().map(|(_, names)| names)));
        }
        (keys, unique)
    }

    /// Returns the view's names for the columns of a key, if it has all of them unchanged.
    fn names_of(&self, source: usize, key: &[String]) -> Option<Vec<String>> {
        let name = |column: &String| {
            let is = |field: &Field| field.source == source && is_same_name(&field.column, column);
            self.dimensions.iter().find(|d| d.unchanged_field().is_some_and(is)).map(|d| d.output.name.clone())
        };
        key.iter().map(name).collect()
    }
}

fn is_same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}
