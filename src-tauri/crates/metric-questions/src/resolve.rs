//! The query of a question whose items all have roles: dimensions by the names that reach them from the metrics.

use crate::coverage::{CoveredQuestion, Gap};
use crate::definitions::{mentions_dimension, mentions_time, own_conditions};
use crate::grammar::{Calculation, Draft, Group, ValueCondition};
use crate::items::{Item, ItemKind, ValueOption};
use crate::labels::{dimension_label, grain_label, metric_label};
use crate::terms::DimensionId;
use vitrine_domain::Dialect;
use vitrine_domain::metric_answer::{AskedPart, MetricAnswer, MetricDefinition, MetricRequest, PartRole};
use vitrine_metrics::{
    Comparison, DimensionKind, DimensionReach, Grain, Metric, MetricQuery, MetricsFile, reach_dimension,
};
use vitrine_words::{plural, tr};

/// Resolves the names of a draft.
pub(crate) struct Resolver<'q> {
    file: &'q MetricsFile,
    dialect: Dialect,
    items: &'q [Item],
    draft: &'q Draft,
    metrics: Vec<&'q Metric>,
    names: Vec<String>,
}

/// A dimension with its name in queries.
struct Reached {
    id: DimensionId,
    name: String,
}

impl<'q> Resolver<'q> {
    pub fn new(file: &'q MetricsFile, dialect: Dialect, items: &'q [Item], draft: &'q Draft) -> Result<Self, Gap> {
        let metrics: Vec<&Metric> = draft.metrics.iter().filter_map(|at| file.metrics.get(*at)).collect();
        let names = metrics.iter().map(|metric| metric.name.clone()).collect();
        let resolver = Self { file, dialect, items, draft, metrics, names };
        resolver.check_named_values()?;
        resolver.check_hidden_values()?;
        Ok(resolver)
    }

    /// Returns the query with its description.
    ///
    /// # Errors
    /// Returns the words whose dimension is not reached, or reached in several ways.
    pub fn resolve(&self) -> Result<CoveredQuestion, Gap> {
        let mut query = MetricQuery { metrics: self.names.clone(), ..MetricQuery::default() };
        let mut answer = MetricAnswer { metrics: self.definitions(), ..MetricAnswer::default() };
        let mut grains: Vec<Grain> = Vec::new();
        let ranked = self.draft.ranking.as_ref().map(|ranking| &ranking.group);
        for group in self.draft.groups.iter().chain(ranked) {
            match group {
                Group::Period(grain) => {
                    query.by.push(time_name(*grain));
                    answer.by.push(grain_label(*grain));
                    grains.push(*grain);
                }
                Group::Dimension(_, ids) => {
                    let reached = self.reach_one(ids, self.group_text(group))?;
                    self.check_own_conditions(&reached.name, self.group_text(group))?;
                    answer.by.push(dimension_label(self.file, reached.id));
                    if ranked == Some(group) && self.kind_of(reached.id) == DimensionKind::Category {
                        // Rows without the dimension are not one of the ranked groups.
                        query.filters.push(format!("{} IS NOT NULL", reached.name));
                    }
                    query.by.push(reached.name);
                }
            }
        }
        self.add_values(&mut query, &mut answer)?;
        self.add_period(&mut query, &mut answer)?;
        self.add_calculation(&mut query, &mut answer, &grains)?;
        if let Some(ranking) = &self.draft.ranking {
            let metric = self.file.metrics.get(ranking.metric).map_or("", |metric| metric.name.as_str());
            let sign = if ranking.descending { "-" } else { "" };
            query.order = vec![format!("{sign}{metric}")];
            query.limit = Some(ranking.limit);
            let label = self.file.metrics.get(ranking.metric).map_or_else(String::new, metric_label);
            answer.order = Some(match ranking.descending {
                true => tr!("highest {metric} first", metric = label),
                false => tr!("lowest {metric} first", metric = label),
            });
            answer.limit = Some(ranking.limit);
        }
        answer.parts = self.parts(&answer);
        answer.query = request_of(&query);
        Ok(CoveredQuestion { query, answer })
    }

    /// Checks that words which name a metric are not also a stored value that the metric could be restricted to.
    fn check_named_values(&self) -> Result<(), Gap> {
        for (item, role) in self.items.iter().zip(&self.draft.roles) {
            let ItemKind::Term(facets) = &item.kind else { continue };
            if *role == PartRole::Metric && !self.reached_values(&facets.values).is_empty() {
                let metrics = self.metrics.iter().map(|metric| metric_label(metric));
                let values = facets.values.iter().filter_map(|option| option.dimension);
                let values = values.map(|id| dimension_label(self.file, id));
                return Err(Gap::Ambiguous { text: item.text.clone(), meanings: metrics.chain(values).collect() });
            }
        }
        Ok(())
    }

    /// Checks that no small word is also a stored value of a dimension that the metric reaches: "revenue in the us".
    fn check_hidden_values(&self) -> Result<(), Gap> {
        for item in self.items {
            let reached: Vec<Reached> =
                self.reached_values(&item.hidden).into_iter().filter_map(|(place, _)| place).collect();
            if !reached.is_empty() {
                let meanings = reached.iter().map(|place| dimension_label(self.file, place.id)).collect();
                return Err(Gap::Ambiguous { text: item.text.clone(), meanings });
            }
        }
        Ok(())
    }

    fn group_text(&self, group: &Group) -> &str {
        let Group::Dimension(_, ids) = group else { return "" };
        let is_group = |item: &&Item| match &item.kind {
            ItemKind::Term(facets) => facets.dimensions == *ids,
            _ => false,
        };
        self.items.iter().find(is_group).map_or("", |item| item.text.as_str())
    }

    fn kind_of(&self, id: DimensionId) -> DimensionKind {
        let table = self.file.tables.get(id.table);
        table.and_then(|table| table.dimensions.get(id.dimension)).map_or(DimensionKind::Category, |one| one.kind)
    }

    /// Returns the names by which the metrics reach a dimension; several if there are several join paths.
    fn reach(&self, id: DimensionId) -> Vec<String> {
        let dimension = self.file.tables.get(id.table).and_then(|table| table.dimensions.get(id.dimension));
        let Some(dimension) = dimension else { return Vec::new() };
        match reach_dimension(self.file, &self.names, self.dialect, id.table, &dimension.name) {
            Ok(DimensionReach::One(name)) => vec![name],
            Ok(DimensionReach::Several(names)) => names,
            Ok(DimensionReach::Unreached) | Err(_) => Vec::new(),
        }
    }

    /// Returns the only dimension that the metrics reach.
    fn reach_one(&self, ids: &[DimensionId], text: &str) -> Result<Reached, Gap> {
        let reached: Vec<(DimensionId, String)> =
            ids.iter().flat_map(|id| self.reach(*id).into_iter().map(|name| (*id, name))).collect();
        match reached.as_slice() {
            [] => Err(Gap::unused(text)),
            [(id, name)] => Ok(Reached { id: *id, name: name.clone() }),
            several => {
                let meaning =
                    |(id, name): &(DimensionId, String)| format!("{} ({name})", dimension_label(self.file, *id));
                Err(Gap::Ambiguous { text: text.to_owned(), meanings: several.iter().map(meaning).collect() })
            }
        }
    }

    /// Returns the places of a value that the metrics reach, each with its name in queries; `None` for a column that is
    /// not a dimension.
    fn reached_values(&self, options: &[ValueOption]) -> Vec<(Option<Reached>, String)> {
        let mut found = Vec::new();
        for option in options {
            match option.dimension {
                Some(id) => {
                    let names = self.reach(id).into_iter();
                    found.extend(names.map(|name| (Some(Reached { id, name }), option.stored.clone())));
                }
                // A table without dimensions may be reached, so that the value may mean its column.
                None => {
                    let dimensions = self.file.tables.get(option.table).map_or(0, |table| table.dimensions.len());
                    let id = DimensionId { table: option.table, dimension: 0 };
                    if dimensions == 0 || !self.reach(id).is_empty() {
                        found.push((None, option.stored.clone()));
                    }
                }
            }
        }
        found
    }

    fn add_values(&self, query: &mut MetricQuery, answer: &mut MetricAnswer) -> Result<(), Gap> {
        let mut by_name: Vec<(Reached, Vec<String>)> = Vec::new();
        for ValueCondition { text, options } in &self.draft.values {
            let mut reached = self.reached_values(options);
            let ambiguous = |reached: &[(Option<Reached>, String)]| {
                let meaning = |(place, stored): &(Option<Reached>, String)| match place {
                    Some(place) => format!("{}: {stored}", dimension_label(self.file, place.id)),
                    None => stored.clone(),
                };
                Gap::Ambiguous { text: text.clone(), meanings: reached.iter().map(meaning).collect() }
            };
            if reached.len() > 1 {
                return Err(ambiguous(&reached));
            }
            let Some((place, stored)) = reached.pop() else { return Err(Gap::unused(text)) };
            let Some(place) = place else { return Err(ambiguous(&[(None, stored)])) };
            self.check_own_conditions(&place.name, text)?;
            if stored.contains('\\') || stored.chars().any(char::is_control) {
                return Err(Gap::unused(text));
            }
            match by_name.iter_mut().find(|(known, _)| known.name == place.name) {
                None => by_name.push((place, vec![stored])),
                // Values of one dimension are alternatives, which a total would add.
                Some((known, values)) if query.by.contains(&known.name) => values.push(stored),
                Some(_) => return Err(Gap::unused(text)),
            }
        }
        for (place, values) in by_name {
            let literals: Vec<String> = values.iter().map(|value| format!("'{}'", value.replace('\'', "''"))).collect();
            let name = &place.name;
            query.filters.push(match literals.as_slice() {
                [literal] => format!("{name} = {literal}"),
                several => format!("{name} IN ({})", several.join(", ")),
            });
            let dimension = dimension_label(self.file, place.id);
            answer.filters.push(tr!("{dimension}: {value}", dimension, value = values.join(", ")));
        }
        Ok(())
    }

    /// Checks that the definitions of the metrics have no condition on a dimension, which a condition or a group of the
    /// question would contradict or hide.
    fn check_own_conditions(&self, name: &str, text: &str) -> Result<(), Gap> {
        let mut conditions = self.metrics.iter().flat_map(|metric| own_conditions(self.file, metric));
        match conditions.any(|condition| mentions_dimension(condition, name)) {
            true => Err(Gap::unused(text)),
            false => Ok(()),
        }
    }

    fn add_period(&self, query: &mut MetricQuery, answer: &mut MetricAnswer) -> Result<(), Gap> {
        let Some(period) = self.draft.period else { return Ok(()) };
        let mut conditions = self.metrics.iter().flat_map(|metric| own_conditions(self.file, metric));
        if conditions.any(|condition| mentions_time(condition, self.file)) {
            return Err(Gap::unused(&period.describe()));
        }
        query.from = period.from.map(|day| day.to_string());
        query.to = period.to.map(|day| day.to_string());
        answer.period = Some(period.describe());
        Ok(())
    }

    fn add_calculation(&self, query: &mut MetricQuery, answer: &mut MetricAnswer, grains: &[Grain]) -> Result<(), Gap> {
        let Some(calculation) = self.draft.calculation else { return Ok(()) };
        let lacks_time = || Gap::Unused(Vec::new());
        let mut grain = grains.first().copied();
        match calculation {
            Calculation::Share => {
                query.share = true;
                answer.calculation = Some(tr!("share of the total"));
                return Ok(());
            }
            Calculation::Running => {
                query.running_total = true;
                grain.ok_or_else(lacks_time)?;
                answer.calculation = Some(tr!("running total"));
                return Ok(());
            }
            Calculation::PreviousYear => {
                query.compare = Some(Comparison::PreviousYear);
                answer.calculation = Some(tr!("comparison with the previous year"));
            }
            Calculation::PreviousPeriod(_) => {
                query.compare = Some(Comparison::PreviousPeriod);
                answer.calculation = Some(tr!("comparison with the previous period"));
            }
        }
        if grain.is_none() {
            // A single period is compared as a whole.
            let unit = self.draft.period.and_then(|period| period.unit).ok_or_else(lacks_time)?;
            query.by.push(time_name(unit));
            answer.by.push(grain_label(unit));
            grain = Some(unit);
        }
        let fits = match calculation {
            Calculation::PreviousPeriod(wanted) => grain == Some(wanted) && grains.len() <= 1,
            _ => grains.len() <= 1,
        };
        if fits { Ok(()) } else { Err(lacks_time()) }
    }

    fn definitions(&self) -> Vec<MetricDefinition> {
        let definition = |metric: &&Metric| MetricDefinition {
            name: metric.name.clone(),
            label: metric_label(metric),
            owner: metric.owner.clone(),
            description: metric.description.clone(),
            unit: metric.unit.clone(),
            filters: own_conditions(self.file, metric).into_iter().map(str::to_owned).collect(),
        };
        self.metrics.iter().map(definition).collect()
    }

    /// Returns the parts of the question with their roles; adjacent parts of one role without a meaning are joined.
    fn parts(&self, answer: &MetricAnswer) -> Vec<AskedPart> {
        let mut parts: Vec<AskedPart> = Vec::new();
        for (item, role) in self.items.iter().zip(&self.draft.roles) {
            let meaning = match (role, &item.kind) {
                (PartRole::Metric, ItemKind::Term(facets)) => {
                    let metric = facets.metrics.first().and_then(|metric| self.file.metrics.get(*metric));
                    metric.map(metric_label)
                }
                (PartRole::Time, ItemKind::Time(period)) => Some(period.describe()),
                (PartRole::Group, ItemKind::Term(facets)) => {
                    let reached = facets.dimensions.iter().find(|id| !self.reach(**id).is_empty());
                    reached.map(|id| dimension_label(self.file, *id))
                }
                (PartRole::Filter, ItemKind::Term(facets)) if !facets.values.is_empty() => {
                    let reached = facets.values.iter().filter_map(|option| option.dimension);
                    let mut reached = reached.filter(|id| !self.reach(*id).is_empty());
                    reached.next().map(|id| dimension_label(self.file, id))
                }
                (PartRole::Order, ItemKind::Number(number)) => Some(plural!(*number, "{n} row", "{n} rows")),
                (PartRole::Order, _) => answer.order.clone(),
                (PartRole::Calculation, _) => answer.calculation.clone(),
                _ => None,
            };
            match parts.last_mut() {
                Some(last) if last.role == *role && last.meaning.is_none() && meaning.is_none() => {
                    last.text.push(' ');
                    last.text.push_str(&item.text);
                }
                _ => parts.push(AskedPart { text: item.text.clone(), role: *role, meaning }),
            }
        }
        parts
    }
}

fn time_name(grain: Grain) -> String {
    format!("metric_time__{}", grain.name())
}

fn request_of(query: &MetricQuery) -> MetricRequest {
    let compare = query.compare.map(|compare| match compare {
        Comparison::PreviousPeriod => "previous-period",
        Comparison::PreviousYear => "previous-year",
    });
    MetricRequest {
        metrics: query.metrics.clone(),
        by: query.by.clone(),
        filters: query.filters.clone(),
        from: query.from.clone(),
        to: query.to.clone(),
        compare: compare.map(str::to_owned),
        share: query.share,
        running_total: query.running_total,
        order: query.order.clone(),
        limit: query.limit,
    }
}
