//! The metrics of a question, and the words that ask for a number or an amount.

use super::counts::begins_with_count;
use super::{Group, Parser, Ranking};
use crate::coverage::Gap;
use crate::items::Facets;
use crate::language::Sign;
use vitrine_domain::metric_answer::PartRole;
use vitrine_metrics::Aggregate;

impl Parser<'_> {
    /// Takes the metrics: one, several in a list, or the metric of a ranking.
    pub(super) fn take_metrics(&mut self, ranking: Option<&Ranking>) -> Result<Vec<usize>, Gap> {
        let places: Vec<usize> = (0..self.places.len()).filter(|place| self.is_metric(*place)).collect();
        let mut metrics: Vec<usize> = ranking.map(|ranking| ranking.metric).into_iter().collect();
        for (at, &place) in places.iter().enumerate() {
            let Some(Facets { metrics: named, .. }) = self.facets(place) else { continue };
            let [metric] = named.as_slice() else {
                return Err(Gap::Ambiguous {
                    text: self.items[self.places[place]].text.clone(),
                    meanings: named.iter().map(|metric| self.label_of(*metric)).collect(),
                });
            };
            if ranking.is_some_and(|ranking| ranking.metric != *metric) {
                return Err(self.left_over());
            }
            if let Some(before) = at.checked_sub(1).and_then(|at| places.get(at)) {
                self.take_join(*before, place)?;
            }
            if !metrics.contains(metric) {
                metrics.push(*metric);
            }
        }
        places.into_iter().for_each(|place| self.take(place, PartRole::Metric));
        if metrics.is_empty() { Err(self.left_over()) } else { Ok(metrics) }
    }

    /// Takes what joins two metrics: a comma or "and".
    fn take_join(&mut self, first: usize, second: usize) -> Result<(), Gap> {
        let has_comma = self.item(second).is_some_and(|item| item.after_comma);
        match second - first {
            1 if has_comma => Ok(()),
            2 if self.is_open(first + 1) && self.sign(first + 1) == Some(Sign::And) => {
                self.take(first + 1, PartRole::Filler);
                Ok(())
            }
            _ => Err(self.left_over()),
        }
    }

    /// Takes the words that ask for a number, an amount or a total, if they fit the metric that follows.
    pub(super) fn check_quantity(&mut self, metrics: &[usize], groups: &[Group], is_ranked: bool) -> Result<(), Gap> {
        let (mut is_counted, mut is_listed) = (false, None);
        for place in 0..self.places.len() {
            let Some(sign) = self.sign(place).filter(|_| self.is_open(place)) else { continue };
            let fits = match sign {
                // "How many refunds" does not ask for their amount.
                Sign::Count => {
                    is_counted = true;
                    let next = self.metric_after(place + 1);
                    next.is_some_and(|metric| self.is_counting(metric))
                }
                // "The amount of orders" may be their number or what they are worth.
                Sign::Amount => {
                    is_counted = true;
                    let is_number = self.says_number(metrics) || self.has_count();
                    !metrics.is_empty() && (is_number || !metrics.iter().any(|metric| self.is_counting(*metric)))
                }
                // The total of ratios and averages is none of them.
                Sign::Total => metrics.iter().all(|metric| self.is_total(*metric)),
                Sign::Which | Sign::Show => {
                    is_listed = Some(place);
                    true
                }
                _ => continue,
            };
            if !fits {
                return Err(Gap::unused(&self.items[self.places[place]].text));
            }
            self.take(place, PartRole::Filler);
        }
        // "Show the orders of March" may ask for a list.
        let names_rows = metrics.iter().any(|metric| self.is_counting(*metric)) && !self.says_number(metrics);
        if let Some(place) = is_listed
            && !is_counted
            && !is_ranked
            && groups.is_empty()
            && names_rows
        {
            return Err(Gap::unused(&self.items[self.places[place]].text));
        }
        Ok(())
    }

    /// Returns the metric at a place, after "total" and stored values: "how many online orders".
    fn metric_after(&self, place: usize) -> Option<usize> {
        let place = self.next_beside(place);
        let place = self.next_beside(place + usize::from(self.sign(place) == Some(Sign::Total)));
        self.facets(place)?.metrics.first().copied()
    }

    /// Returns true if a metric counts things: by its aggregate, or because its definition says so.
    pub(super) fn is_counting(&self, metric: usize) -> bool {
        let Some(metric) = self.file.metrics.get(metric) else { return false };
        match metric.aggregate {
            Some(Aggregate::Count | Aggregate::CountDistinct | Aggregate::SumBoolean) => true,
            Some(Aggregate::Sum) => {
                let texts = metric.description.iter().chain(&metric.label).chain(&metric.synonyms);
                texts.into_iter().any(|text| begins_with_count(text))
            }
            _ => false,
        }
    }

    /// Returns true if groups without rows are no candidates for the lowest value, because they have none. A store
    /// without orders has the fewest, but is not in the result.
    pub(super) fn is_undefined_without_rows(&self, metric: usize) -> bool {
        let Some(metric) = self.file.metrics.get(metric) else { return false };
        let aggregates = [Aggregate::Average, Aggregate::Min, Aggregate::Max, Aggregate::Median];
        let is_mean = metric.aggregate.is_some_and(|aggregate| aggregates.contains(&aggregate));
        (is_mean || metric.ratio.is_some()) && metric.when_empty.is_none()
    }

    fn is_total(&self, metric: usize) -> bool {
        let aggregate = self.file.metrics.get(metric).and_then(|metric| metric.aggregate);
        matches!(aggregate, Some(Aggregate::Sum | Aggregate::Count | Aggregate::CountDistinct | Aggregate::SumBoolean))
    }

    fn has_count(&self) -> bool {
        (0..self.places.len()).any(|place| self.sign(place) == Some(Sign::Count))
    }

    /// Returns true if the words of a metric ask for its number: "number of orders".
    fn says_number(&self, metrics: &[usize]) -> bool {
        self.items.iter().any(|item| match &item.kind {
            crate::items::ItemKind::Term(facets) => {
                facets.metrics.iter().any(|metric| metrics.contains(metric)) && begins_with_count(&item.text)
            }
            _ => false,
        })
    }

    fn label_of(&self, metric: usize) -> String {
        self.file.metrics.get(metric).map_or_else(String::new, crate::labels::metric_label)
    }
}
