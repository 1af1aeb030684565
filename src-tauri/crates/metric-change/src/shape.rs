//! The shape of a metric: a sum of additive parts, or a quotient of two such sums. Only these can be split by a
//! dimension so that the parts add up.

use crate::number::Number;
use std::collections::BTreeMap;
use vitrine_domain::{AppError, Dialect, ErrorCode};
use vitrine_metrics::{Aggregate, Formula, Metric, MetricInput, MetricsFile, parse_formula};
use vitrine_words::tr;

/// Maximum depth of metrics within metrics.
const DEEPEST: usize = 32;

/// An additive aggregate that a metric is computed from.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The name for users.
    pub title: String,
    /// Its definition, with a name that no other metric of the file has.
    pub metric: Metric,
}

/// A sum of parts with coefficients and a constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// The coefficients by the index of the part.
    pub terms: BTreeMap<usize, Number>,
    /// The constant summand.
    pub constant: Number,
}

/// The shape of a metric.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A sum of parts.
    Sum(Linear),
    /// A quotient of two sums without constants.
    Quotient(Linear, Linear),
}

/// The reason why a metric has no shape.
#[derive(Debug)]
pub enum ShapeError {
    /// Its values cannot be split into parts that add up.
    NotAdditive(String),
    /// Its definition is wrong.
    Invalid(AppError),
}

impl From<AppError> for ShapeError {
    fn from(error: AppError) -> Self {
        Self::Invalid(error)
    }
}

impl Linear {
    fn from_constant(constant: Number) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    fn from_part(part: usize) -> Self {
        Self { terms: BTreeMap::from([(part, Number::from_whole(1))]), constant: Number::zero() }
    }

    fn scale(&self, by: &Number) -> Self {
        let terms = self.terms.iter().map(|(part, coefficient)| (*part, coefficient * by)).collect();
        Self { terms, constant: &self.constant * by }.without_zeros()
    }

    fn add(&self, other: &Self) -> Self {
        let mut terms = self.terms.clone();
        for (part, coefficient) in &other.terms {
            let sum = terms.get(part).map_or_else(|| coefficient.clone(), |own| own + coefficient);
            terms.insert(*part, sum);
        }
        Self { terms, constant: &self.constant + &other.constant }.without_zeros()
    }

    fn without_zeros(mut self) -> Self {
        self.terms.retain(|_, coefficient| !coefficient.is_zero());
        self
    }

    fn as_constant(&self) -> Option<&Number> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// Computes the sum from the values of the parts, without the constant. The values are listed by part.
    pub fn sum_parts(&self, values: &[Number]) -> Number {
        let products: Vec<Number> =
            self.terms.iter().filter_map(|(part, by)| values.get(*part).map(|value| value * by)).collect();
        products.iter().sum()
    }
}

/// A value while a metric is read: a quotient, or a sum if there is no divisor.
#[derive(Debug, Clone, PartialEq)]
struct Fraction {
    of: Linear,
    to: Option<Linear>,
}

impl Fraction {
    fn from_linear(of: Linear) -> Self {
        Self { of, to: None }
    }

    fn as_constant(&self) -> Option<&Number> {
        if self.to.is_none() { self.of.as_constant() } else { None }
    }

    fn scale(&self, by: &Number) -> Self {
        Self { of: self.of.scale(by), to: self.to.clone() }
    }

    /// Adds two values; `None` if the sum is neither a sum nor a quotient of sums.
    fn add(&self, other: &Self) -> Option<Self> {
        match (&self.to, &other.to) {
            (a, b) if a == b => Some(Self { of: self.of.add(&other.of), to: self.to.clone() }),
            (Some(to), None) => {
                let constant = other.of.as_constant()?;
                Some(Self { of: self.of.add(&to.scale(constant)), to: self.to.clone() })
            }
            (None, Some(_)) => other.add(self),
            _ => None,
        }
    }

    fn multiply(&self, other: &Self) -> Option<Self> {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(by)) => Some(self.scale(by)),
            (Some(by), _) => Some(other.scale(by)),
            // A rate times its own base.
            _ if self.to.as_ref() == Some(&other.of) && other.to.is_none() => Some(Self::from_linear(self.of.clone())),
            _ if other.to.as_ref() == Some(&self.of) && self.to.is_none() => Some(Self::from_linear(other.of.clone())),
            _ => None,
        }
    }

    fn divide(&self, by: &Self) -> Option<Self> {
        if let Some(constant) = by.as_constant() {
            return Some(self.scale(&Number::from_whole(1).divide(constant)?));
        }
        match (&self.to, &by.to) {
            (None, None) => Some(Self { of: self.of.clone(), to: Some(by.of.clone()) }),
            (None, Some(to)) => Some(Self { of: to.scale(self.of.as_constant()?), to: Some(by.of.clone()) }),
            (a, b) if a == b => Some(Self { of: self.of.clone(), to: Some(by.of.clone()) }),
            _ => None,
        }
    }
}

/// Reads the shape of a metric and the parts that it is computed from.
///
/// # Errors
/// Fails if values of the metric cannot be split into parts that add up, or if its definition is wrong.
pub fn read_shape(file: &MetricsFile, metric: &Metric, dialect: Dialect) -> Result<(Shape, Vec<Part>), ShapeError> {
    let mut reader = Reader { file, dialect, parts: Vec::new() };
    let Fraction { of, to } = reader.read_metric(metric, &[], 0)?;
    let shape = match to {
        None => Shape::Sum(of),
        Some(to) if of.constant.is_zero() && to.constant.is_zero() && !to.terms.is_empty() => Shape::Quotient(of, to),
        Some(_) => return Err(not_linear(metric)),
    };
    Ok((shape, reader.parts))
}

fn not_linear(metric: &Metric) -> ShapeError {
    ShapeError::NotAdditive(tr!(
        "The formula of {metric} is neither a sum of additive metrics nor a quotient of such sums",
        metric = title_of(metric)
    ))
}

/// Returns the name of a metric for users.
pub fn title_of(metric: &Metric) -> &str {
    metric.label.as_deref().unwrap_or(&metric.name)
}

struct Reader<'f> {
    file: &'f MetricsFile,
    dialect: Dialect,
    parts: Vec<Part>,
}

impl Reader<'_> {
    fn read_metric(&mut self, metric: &Metric, outer: &[String], depth: usize) -> Result<Fraction, ShapeError> {
        if depth > DEEPEST {
            return Err(ShapeError::Invalid(AppError::new(
                ErrorCode::Usage,
                tr!("These metrics refer to each other in a circle: {circle}", circle = metric.name),
            )));
        }
        if metric.cumulative.is_some() {
            return Err(ShapeError::NotAdditive(tr!(
                "{metric} accumulates over time, so that its value includes days before the compared periods. Compare the metric that it accumulates",
                metric = title_of(metric)
            )));
        }
        let filters = [outer, &metric.filters].concat();
        if let Some(ratio) = &metric.ratio {
            let of = self.read_input(&ratio.of, &filters, depth)?;
            let to = self.read_input(&ratio.to, &filters, depth)?;
            return of.divide(&to).ok_or_else(|| not_linear(metric));
        }
        if let Some(formula) = &metric.formula {
            let formula = parse_formula(formula, self.dialect).map_err(AppError::from)?;
            return self.read_formula(metric, &formula, &filters, depth);
        }
        self.read_aggregate(metric, filters)
    }

    fn read_input(&mut self, input: &MetricInput, filters: &[String], depth: usize) -> Result<Fraction, ShapeError> {
        let metric = self.find_metric(&input.metric)?;
        if input.offset.is_some() {
            return Err(ShapeError::NotAdditive(tr!(
                "It uses {metric} of an earlier period, so that it is a comparison itself",
                metric = title_of(metric)
            )));
        }
        let filters = [filters, &input.filters].concat();
        let metric = metric.clone();
        self.read_metric(&metric, &filters, depth + 1)
    }

    fn find_metric(&self, name: &str) -> Result<&Metric, ShapeError> {
        let found = self.file.metrics.iter().find(|metric| metric.name.eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| {
            ShapeError::Invalid(AppError::new(ErrorCode::NotFound, tr!("Metric '{name}' not found", name)))
        })
    }

    fn read_formula(
        &mut self,
        metric: &Metric,
        formula: &Formula,
        filters: &[String],
        depth: usize,
    ) -> Result<Fraction, ShapeError> {
        let mut read = |part: &Formula| self.read_formula(metric, part, filters, depth);
        let combined = match formula {
            Formula::Name(name) => return self.read_name(metric, name, filters, depth),
            Formula::Number(number) => {
                Number::parse(number).map(|number| Fraction::from_linear(Linear::from_constant(number)))
            }
            Formula::Negative(part) => Some(read(part)?.scale(&Number::from_whole(-1))),
            Formula::Sum(a, b) => read(a)?.add(&read(b)?),
            Formula::Difference(a, b) => read(a)?.add(&read(b)?.scale(&Number::from_whole(-1))),
            Formula::Product(a, b) => read(a)?.multiply(&read(b)?),
            Formula::Quotient(a, b) => read(a)?.divide(&read(b)?),
            // A divisor of 0 leaves no value with or without it; parts without rows count as 0.
            Formula::NullIfZero(part) | Formula::ZeroIfNull(part) => Some(read(part)?),
            Formula::Other(_) => None,
        };
        combined.ok_or_else(|| not_linear(metric))
    }

    fn read_name(
        &mut self,
        metric: &Metric,
        name: &str,
        filters: &[String],
        depth: usize,
    ) -> Result<Fraction, ShapeError> {
        let input = metric
            .inputs
            .iter()
            .find(|input| input.alias.as_ref().unwrap_or(&input.metric).eq_ignore_ascii_case(name))
            .cloned();
        let input = input.unwrap_or_else(|| MetricInput { metric: name.to_owned(), ..MetricInput::default() });
        self.read_input(&input, filters, depth)
    }

    fn read_aggregate(&mut self, metric: &Metric, filters: Vec<String>) -> Result<Fraction, ShapeError> {
        let title = title_of(metric);
        let reason = match metric.aggregate {
            Some(Aggregate::Sum | Aggregate::Count | Aggregate::SumBoolean) => {
                return Ok(self.add_part(metric, title.to_owned(), filters));
            }
            Some(Aggregate::Average) => {
                let sum = Metric { aggregate: Some(Aggregate::Sum), ..metric.clone() };
                let count = Metric { aggregate: Some(Aggregate::Count), ..metric.clone() };
                let of = self.add_part(&sum, tr!("sum of {metric}", metric = title), filters.clone());
                let to = self.add_part(&count, tr!("number of values of {metric}", metric = title), filters);
                return of.divide(&to).ok_or_else(|| not_linear(metric));
            }
            Some(Aggregate::CountDistinct) => tr!(
                "{metric} counts distinct values. A value may occur in several groups, so that the groups do not add up to the total",
                metric = title
            ),
            Some(Aggregate::Median) => {
                tr!("{metric} is a median, and medians of groups do not add up to the total", metric = title)
            }
            Some(Aggregate::Min | Aggregate::Max) => tr!(
                "{metric} is a smallest or largest value, and those of groups do not add up to the total",
                metric = title
            ),
            None => {
                return Err(ShapeError::Invalid(AppError::new(
                    ErrorCode::Usage,
                    tr!("Metric '{name}' is neither an aggregate nor computed from others", name = metric.name),
                )));
            }
        };
        Err(ShapeError::NotAdditive(reason))
    }

    /// Adds a part, unless it is known.
    fn add_part(&mut self, metric: &Metric, title: String, filters: Vec<String>) -> Fraction {
        let mut definition = Metric {
            name: String::new(),
            aggregate: metric.aggregate,
            of: metric.of.clone(),
            table: metric.table.clone(),
            time: metric.time.clone(),
            last_of: metric.last_of.clone(),
            every_period: metric.every_period,
            filters,
            ..Metric::default()
        };
        let is_known = |part: &Part| Metric { name: String::new(), ..part.metric.clone() } == definition;
        let index = self.parts.iter().position(is_known).unwrap_or(self.parts.len());
        if index == self.parts.len() {
            definition.name = unused_name(self.file, &format!("change_part_{}", index + 1));
            self.parts.push(Part { title, metric: definition });
        }
        Fraction::from_linear(Linear::from_part(index))
    }
}

/// Returns a name that no metric, table, dimension or entity of the file has.
pub fn unused_name(file: &MetricsFile, name: &str) -> String {
    let mut unused = name.to_owned();
    let is_taken = |name: &str| {
        let same = |other: &str| other.eq_ignore_ascii_case(name);
        file.metrics.iter().any(|metric| same(&metric.name))
            || file.tables.iter().any(|table| {
                table.dimensions.iter().any(|dimension| same(&dimension.name))
                    || table.entities.iter().any(|entity| same(&entity.name))
            })
    };
    while is_taken(&unused) {
        unused.push('_');
    }
    unused
}
