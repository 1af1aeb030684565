//! Stored values: "online orders", "channel online", "stores in Berlin".

use super::{Group, Parser};
use crate::coverage::Gap;
use crate::items::{Facets, ValueOption};
use crate::language::Sign;
use vitrine_domain::metric_answer::PartRole;

/// A condition by a stored value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueCondition {
    /// The value as the user wrote it.
    pub text: String,
    /// The places where it is stored.
    pub options: Vec<ValueOption>,
}

impl Parser<'_> {
    /// Takes stored values, with the dimension or the things that are named beside them.
    pub(super) fn take_values(&mut self, groups: &[Group]) -> Result<Vec<ValueCondition>, Gap> {
        let mut found: Vec<(usize, ValueCondition)> = Vec::new();
        for place in 0..self.places.len() {
            let Some(facets) = self.facets(place).filter(|facets| self.is_open(place) && !facets.values.is_empty())
            else {
                continue;
            };
            // A name of a metric that is also a value is resolved with the metrics.
            if !facets.metrics.is_empty() {
                continue;
            }
            let mut options = facets.values.clone();
            let is_named = self.narrow_by_neighbor(place, &mut options);
            // "Store" is a dimension and a channel; only "channel store" is certain.
            if !facets.dimensions.is_empty() && !is_named {
                return Err(Gap::unused(&self.items[self.places[place]].text));
            }
            self.take(place, PartRole::Filter);
            let text = self.items[self.places[place]].text.clone();
            found.push((place, ValueCondition { text, options }));
        }
        self.join_values(&found, groups);
        Ok(found.into_iter().map(|(_, condition)| condition).collect())
    }

    /// Restricts a value to the dimension or the table that the item before or after it names, and takes that item.
    fn narrow_by_neighbor(&mut self, place: usize, options: &mut Vec<ValueOption>) -> bool {
        let neighbors = [place.checked_sub(1), Some(place + 1)];
        for neighbor in neighbors.into_iter().flatten().filter(|at| self.is_open(*at)) {
            let has_comma = self.item(place.max(neighbor)).is_some_and(|item| item.after_comma);
            let Some(facets) = self.facets(neighbor).filter(|facets| facets.metrics.is_empty() && !has_comma) else {
                continue;
            };
            let narrowed = narrow_options(options, facets);
            if !narrowed.is_empty() {
                *options = narrowed;
                self.take(neighbor, PartRole::Filter);
                return true;
            }
        }
        false
    }

    /// Takes "and" between two values of a dimension that defines the groups. Without groups, the question would not
    /// tell if the values are added.
    fn join_values(&mut self, found: &[(usize, ValueCondition)], groups: &[Group]) {
        for pair in found.windows(2) {
            let [(first, one), (second, other)] = pair else { continue };
            let is_and = *second == first + 2 && self.sign(first + 1) == Some(Sign::And);
            let is_grouped = |id: Option<crate::terms::DimensionId>| {
                let of = |group: &Group| match (group, id) {
                    (Group::Dimension(_, ids), Some(id)) => ids.contains(&id),
                    _ => false,
                };
                groups.iter().any(of)
            };
            let is_shared = one
                .options
                .iter()
                .any(|a| other.options.iter().any(|b| a.dimension == b.dimension) && is_grouped(a.dimension));
            if is_and && is_shared {
                self.take(first + 1, PartRole::Filter);
            }
        }
    }
}

/// Returns the options of a value that a named dimension has, otherwise those of the things that are named.
fn narrow_options(options: &[ValueOption], named: &Facets) -> Vec<ValueOption> {
    let of_dimension =
        options.iter().filter(|option| option.dimension.is_some_and(|id| named.dimensions.contains(&id)));
    let narrowed: Vec<ValueOption> = of_dimension.cloned().collect();
    if !narrowed.is_empty() {
        return narrowed;
    }
    options.iter().filter(|option| named.nouns.contains(&option.table)).cloned().collect()
}
