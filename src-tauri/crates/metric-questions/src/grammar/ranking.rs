//! Rankings: "top 5 stores by revenue", "which store has the highest revenue".

use super::counts::begins_with_count;
use super::{Group, Parser};
use crate::coverage::Gap;
use crate::language::{Rank, Sign};
use vitrine_domain::metric_answer::PartRole;
use vitrine_metrics::Metric;

/// Words of things of which less is better, so that "best" does not mean the highest value. They are the beginnings of
/// words.
const UNDESIRED: [&str; 34] = [
    "cost", "refund", "return", "churn", "complain", "error", "delay", "loss", "lost", "wait", "absen", "cancel",
    "debt", "overdue", "expens", "defect", "damage", "kosten", "erstatt", "retour", "storn", "fehl", "verlust",
    "ausfall", "wart", "verspat", "schuld", "cout", "rembours", "perte", "retard", "annul", "reclam", "devoluc",
];

/// Nouns for several things without an ending.
const PLURALS: [&str; 3] = ["people", "staff", "personnel"];

/// The order and number of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ranking {
    pub group: Group,
    /// The metric that orders the groups, by its index in the file.
    pub metric: usize,
    pub descending: bool,
    pub limit: u32,
}

impl Parser<'_> {
    /// Takes a ranking with its groups, its metric and its limit.
    pub(super) fn take_ranking(&mut self) -> Result<Option<Ranking>, Gap> {
        let ranks = (0..self.places.len()).filter_map(|place| match self.sign(place) {
            Some(Sign::Rank(rank)) => Some((place, rank)),
            _ => None,
        });
        let ranks: Vec<(usize, Rank)> = ranks.collect();
        match ranks.as_slice() {
            [] => Ok(None),
            [(place, rank)] => {
                let found = match rank {
                    Rank::Groups(_) | Rank::Best => self.rank_groups(*place, *rank),
                    Rank::Metric(_) | Rank::Many(_) => self.rank_by_metric(*place, *rank),
                };
                found.map(Some).ok_or_else(|| self.left_over())
            }
            _ => Err(self.left_over()),
        }
    }

    /// Reads "top 5 stores by revenue", "the 5 best stores by revenue".
    fn rank_groups(&mut self, place: usize, rank: Rank) -> Option<Ranking> {
        let (number, subject) = match (self.number(place + 1), place.checked_sub(1).and_then(|at| self.number(at))) {
            (Some(number), None) => (Some((place + 1, number)), place + 2),
            (None, Some(number)) => (Some((place - 1, number)), place + 1),
            (None, None) => (None, place + 1),
            _ => return None,
        };
        let group = self.group_at(subject).filter(|_| self.is_subject(subject))?;
        let next = self.next_beside(subject + 1);
        let by = matches!(self.sign(next), Some(Sign::Group)).then_some(next);
        let metric_place = by.map_or(next, |by| by + 1);
        let metric = self.sole_metric(metric_place)?;
        let descending = rank != Rank::Groups(false);
        if rank == Rank::Best && self.is_undesired(metric) || !descending && !self.is_undefined_without_rows(metric) {
            return None;
        }
        let limit = self.limit_of(number, subject)?;
        by.into_iter().for_each(|by| self.take(by, PartRole::Order));
        self.take(place, PartRole::Order);
        self.take(subject, PartRole::Group);
        self.take(metric_place, PartRole::Metric);
        Some(Ranking { group, metric, descending, limit })
    }

    /// Reads "which store has the highest revenue", "the 5 stores with the most orders".
    fn rank_by_metric(&mut self, place: usize, rank: Rank) -> Option<Ranking> {
        let before = place.checked_sub(1).filter(|at| self.is_metric(*at));
        let metric_place = if self.is_metric(place + 1) { place + 1 } else { before? };
        let metric = self.sole_metric(metric_place)?;
        let (descending, is_count) = match rank {
            Rank::Many(descending) => (descending, true),
            Rank::Metric(descending) => (descending, false),
            Rank::Groups(_) | Rank::Best => return None,
        };
        // "The largest order" and "the highest refund" are those of a single row.
        if !is_count
            && (self.is_inflected(metric_place) || self.is_counting(metric) && !self.names_number(metric_place))
        {
            return None;
        }
        if !descending && !self.is_undefined_without_rows(metric) {
            return None;
        }
        // "The most refunds" may be their number or their amount.
        if is_count && !self.is_counting(metric) && self.looks_plural(metric_place) {
            return None;
        }
        let mut subject = place.min(metric_place).checked_sub(1)?;
        while self.is_aside(subject) {
            subject = subject.checked_sub(1)?;
        }
        let group = self.group_at(subject).filter(|_| self.is_subject(subject))?;
        let previous = subject.checked_sub(1);
        if previous.is_some_and(|at| matches!(self.sign(at), Some(Sign::Group | Sign::Each | Sign::And))) {
            return None;
        }
        let number = previous.and_then(|at| Some((at, self.number(at)?)));
        let limit = self.limit_of(number, subject)?;
        self.take(place, PartRole::Order);
        self.take(subject, PartRole::Group);
        self.take(metric_place, PartRole::Metric);
        Some(Ranking { group, metric, descending, limit })
    }

    /// Takes the number of groups; without one, a subject in the singular means one group.
    fn limit_of(&mut self, number: Option<(usize, u32)>, subject: usize) -> Option<u32> {
        if let Some((place, number)) = number {
            self.take(place, PartRole::Order);
            return (number > 0).then_some(number);
        }
        (self.is_singular(subject) && !self.language.has_plural_verb(self.words)).then_some(1)
    }

    /// Returns true if a subject is certainly in the singular.
    fn is_singular(&self, subject: usize) -> bool {
        let singular = &self.language.singular;
        let (may_be, is_hidden) = match (self.sign(subject), self.facets(subject)) {
            (Some(Sign::Grain { plural, .. }), _) => {
                let is_alike = self.item(subject).is_some_and(|item| {
                    let word = self.words.get(item.words.start);
                    word.is_some_and(|word| singular.alike.contains(&word.folded.as_str()))
                });
                (!plural, is_alike)
            }
            (_, Some(facets)) => (!facets.is_dimension_inflected && !self.looks_plural(subject), singular.is_hidden),
            _ => (false, false),
        };
        may_be && (!is_hidden || self.has_singular_lead(subject) || self.language.has_singular_verb(self.words))
    }

    /// Returns true if the word before a subject, or before the rank in front of it, precedes only a singular.
    fn has_singular_lead(&self, subject: usize) -> bool {
        let is_rank = |at: &usize| matches!(self.sign(*at), Some(Sign::Rank(_)));
        let first = subject.checked_sub(1).filter(is_rank).unwrap_or(subject);
        let lead = self.item(first).and_then(|item| self.words.get(item.words.start.checked_sub(1)?));
        lead.is_some_and(|word| self.language.singular.leads.contains(&word.folded.as_str()))
    }

    fn is_inflected(&self, place: usize) -> bool {
        self.facets(place).is_none_or(|facets| facets.is_metric_inflected)
    }

    /// Returns true if the words of a metric ask for a number: "the highest number of orders".
    fn names_number(&self, place: usize) -> bool {
        self.item(place).is_some_and(|item| begins_with_count(&item.text))
    }

    /// Returns the only metric of a place.
    fn sole_metric(&self, place: usize) -> Option<usize> {
        match self.facets(place).filter(|_| self.is_metric(place))?.metrics.as_slice() {
            [metric] => Some(*metric),
            _ => None,
        }
    }

    /// Returns true if the last word of a place looks like a plural.
    fn looks_plural(&self, place: usize) -> bool {
        let last = self.item(place).and_then(|item| self.words.get(item.words.end - 1));
        last.is_some_and(|word| {
            let folded = &word.folded;
            folded.ends_with('s') && !folded.ends_with("ss")
                || ["en", "aux", "eux"].iter().any(|ending| folded.ends_with(ending))
                || PLURALS.contains(&folded.as_str())
        })
    }

    fn is_undesired(&self, metric: usize) -> bool {
        let Some(Metric { name, label, synonyms, .. }) = self.file.metrics.get(metric) else { return true };
        let texts = std::iter::once(name).chain(label).chain(synonyms);
        let mut words = texts.flat_map(|text| crate::words::split_words(text));
        words.any(|word| UNDESIRED.iter().any(|known| word.folded.starts_with(known)))
    }
}
