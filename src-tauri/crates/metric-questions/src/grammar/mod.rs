//! The roles of a question's items. Each step takes the items that it understands; a question is covered only if all of
//! them are taken.

mod counts;
mod groups;
mod metrics;
mod periods;
mod ranking;
mod values;

pub(crate) use ranking::Ranking;
pub(crate) use values::ValueCondition;

use crate::coverage::Gap;
use crate::items::{Facets, Item, ItemKind};
use crate::language::{Language, Sign};
use crate::period::Period;
use crate::terms::DimensionId;
use crate::words::Word;
use vitrine_domain::metric_answer::PartRole;
use vitrine_metrics::{Grain, MetricsFile};

/// A question in its parts, before the names of dimensions are resolved for its metrics.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The metrics, by their indexes in the file.
    pub metrics: Vec<usize>,
    pub groups: Vec<Group>,
    pub values: Vec<ValueCondition>,
    pub ranking: Option<Ranking>,
    pub period: Option<Period>,
    pub calculation: Option<Calculation>,
    /// The role of each item.
    pub roles: Vec<PartRole>,
}

/// A group of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Group {
    /// A dimension that the words may mean, by the item.
    Dimension(usize, Vec<DimensionId>),
    Period(Grain),
}

/// A calculation besides the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calculation {
    Share,
    Running,
    PreviousYear,
    PreviousPeriod(Grain),
}

/// Takes the items of a question step by step.
pub(crate) struct Parser<'q> {
    pub file: &'q MetricsFile,
    pub language: &'static Language,
    pub words: &'q [Word],
    pub items: &'q [Item],
    /// The role of each item; `None` for items that are not taken.
    roles: Vec<Option<PartRole>>,
    /// Places of the items that are no fillers, in their order.
    places: Vec<usize>,
}

impl<'q> Parser<'q> {
    pub fn new(file: &'q MetricsFile, language: &'static Language, words: &'q [Word], items: &'q [Item]) -> Self {
        let is_filler = |item: &Item| item.kind == ItemKind::Sign(Sign::Filler);
        let roles = items.iter().map(|item| is_filler(item).then_some(PartRole::Filler)).collect();
        let places = (0..items.len()).filter(|at| !is_filler(&items[*at])).collect();
        Self { file, language, words, items, roles, places }
    }

    /// Assigns a role to each item.
    ///
    /// # Errors
    /// Returns the words without a certain role.
    pub fn parse(mut self) -> Result<Draft, Gap> {
        let unknown = self.items.iter().filter(|item| item.kind == ItemKind::Unknown);
        let unknown: Vec<String> = unknown.map(|item| item.text.clone()).collect();
        if !unknown.is_empty() {
            return Err(Gap::Unused(unknown));
        }
        let calculation = self.take_calculation()?;
        let period = self.take_period()?;
        let ranking = self.take_ranking()?;
        let groups = self.take_groups()?;
        let ranked = ranking.as_ref().map(|ranking| &ranking.group);
        if groups.iter().chain(ranked).any(|group| matches!(group, Group::Period(_))) {
            self.check_range_lead()?;
        }
        if ranking.is_some() && (calculation.is_some() || !groups.is_empty()) {
            return Err(self.left_over());
        }
        let values = self.take_values(&groups)?;
        let metrics = self.take_metrics(ranking.as_ref())?;
        self.check_quantity(&metrics, &groups, ranking.is_some())?;
        let grouped = |group: &Group| matches!(group, Group::Dimension(..));
        // A share of the rows that a condition keeps would be 100%.
        if calculation == Some(Calculation::Share) && (!groups.iter().any(grouped) || !values.is_empty()) {
            return Err(self.left_over());
        }
        if self.roles.iter().any(Option::is_none) {
            return Err(self.left_over());
        }
        let roles = self.roles.into_iter().flatten().collect();
        Ok(Draft { metrics, groups, values, ranking, period, calculation, roles })
    }

    /// Returns the gap of all items that are not taken.
    fn left_over(&self) -> Gap {
        let left = self.items.iter().zip(&self.roles).filter(|(_, role)| role.is_none());
        Gap::Unused(left.map(|(item, _)| item.text.clone()).collect())
    }

    /// Returns the item at a place among those that are no fillers.
    fn item(&self, place: usize) -> Option<&'q Item> {
        let items = self.items;
        items.get(*self.places.get(place)?)
    }

    fn sign(&self, place: usize) -> Option<Sign> {
        match self.item(place)?.kind {
            ItemKind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn number(&self, place: usize) -> Option<u32> {
        match self.item(place)?.kind {
            ItemKind::Number(number) => Some(number),
            _ => None,
        }
    }

    fn facets(&self, place: usize) -> Option<&'q Facets> {
        match &self.item(place)?.kind {
            ItemKind::Term(facets) => Some(facets),
            _ => None,
        }
    }

    /// Returns true if a place has an item without a role.
    fn is_open(&self, place: usize) -> bool {
        self.places.get(place).is_some_and(|at| self.roles[*at].is_none())
    }

    fn take(&mut self, place: usize, role: PartRole) {
        if let Some(at) = self.places.get(place) {
            self.roles[*at] = Some(role);
        }
    }

    /// Returns true if a place has a dimension or a period that may define groups.
    fn is_subject(&self, place: usize) -> bool {
        let is_dimension = self.facets(place).is_some_and(|facets| !facets.dimensions.is_empty());
        self.is_open(place) && (is_dimension || matches!(self.sign(place), Some(Sign::Grain { .. })))
    }

    /// Returns the group of a place with a dimension or a period.
    fn group_at(&self, place: usize) -> Option<Group> {
        match (self.sign(place), self.facets(place)) {
            (Some(Sign::Grain { grain, .. }), _) => Some(Group::Period(grain)),
            (_, Some(facets)) => Some(Group::Dimension(place, facets.dimensions.clone())),
            _ => None,
        }
    }

    /// Returns true if a place has a metric.
    fn is_metric(&self, place: usize) -> bool {
        self.is_open(place) && self.facets(place).is_some_and(|facets| !facets.metrics.is_empty())
    }

    /// Takes the phrase of a calculation.
    fn take_calculation(&mut self) -> Result<Option<Calculation>, Gap> {
        let mut taken = None;
        for place in 0..self.places.len() {
            let calculation = match self.sign(place) {
                Some(Sign::Share) => Calculation::Share,
                Some(Sign::Running) => Calculation::Running,
                Some(Sign::PreviousYear) => Calculation::PreviousYear,
                Some(Sign::PreviousPeriod(grain)) => Calculation::PreviousPeriod(grain),
                _ => continue,
            };
            if taken.replace(calculation).is_some() {
                return Err(self.left_over());
            }
            self.take(place, PartRole::Calculation);
        }
        Ok(taken)
    }

    /// Returns the place of the next item that is neither a time nor only a stored value.
    fn next_beside(&self, mut place: usize) -> usize {
        while self.is_aside(place) {
            place += 1;
        }
        place
    }

    /// Returns true for a time, and for a stored value that is nothing else.
    fn is_aside(&self, place: usize) -> bool {
        let Some(item) = self.item(place) else { return false };
        match &item.kind {
            ItemKind::Time(_) => true,
            ItemKind::Term(facets) => {
                !facets.values.is_empty() && facets.metrics.is_empty() && facets.dimensions.is_empty()
            }
            _ => false,
        }
    }
}
