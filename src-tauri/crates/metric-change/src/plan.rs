//! The queries of a comparison: the totals of both sides, their last days with rows, and each dimension on both sides.

use crate::request::{MetricChangeRequest, Side, resolve_sides};
use crate::shape::{Part, Shape, ShapeError, read_shape, unused_name};
use vitrine_domain::{AppError, Catalog, ErrorCode, TableName};
use vitrine_metrics::{
    Aggregate, AvailableDimension, CompiledQuery, Metric, MetricError, MetricQuery, MetricsFile, available_dimensions,
    compile_query, find_dimension_column,
};
use vitrine_words::{format_number, tr};

/// Maximum number of dimensions that are compared if the request names none.
pub const MOST_DIMENSIONS: usize = 12;
/// Maximum number of values of a dimension that are read on each side.
pub const MOST_VALUES: u32 = 20_000;
/// Number of values that are listed for a dimension if the request does not say it.
const LISTED: u32 = 10;

/// Returns the approximate number of distinct values of a column, if it is known.
pub type CountValues<'c> = &'c dyn Fn(&TableName, &str) -> Option<u64>;

/// The queries of a comparison, with what is needed to read their results.
#[derive(Debug, Clone)]
pub struct ChangePlan {
    /// The compared metric.
    pub metric: Metric,
    /// Both sides, the earlier one first.
    pub sides: [Side; 2],
    /// Queries of one row: the metric, then its parts.
    pub totals: [CompiledQuery; 2],
    /// Queries of the last day with rows, for comparisons of periods.
    pub last_days: Option<[CompiledQuery; 2]>,
    /// The dimensions that are compared.
    pub dimensions: Vec<PlannedDimension>,
    /// The dimensions that are not.
    pub left_out: Vec<LeftOut>,
    /// Maximum number of values that are listed.
    pub listed: usize,
    /// True if two values of a dimension are compared.
    pub is_between_groups: bool,
    pub(crate) shape: Result<Shape, String>,
    pub(crate) parts: Vec<Part>,
}

/// A dimension with its queries. Each returns the value of the dimension and the metric's parts.
#[derive(Debug, Clone)]
pub struct PlannedDimension {
    /// The name in queries.
    pub name: String,
    /// The title for users.
    pub title: String,
    /// The queries of both sides.
    pub queries: [CompiledQuery; 2],
}

/// A dimension that is not compared.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// The name in queries.
    pub name: String,
    /// The reason, in one sentence.
    pub reason: String,
}

/// Plans a comparison. Without named dimensions, categories with few values come first.
///
/// # Errors
/// Fails if the metric, a named dimension or a period does not exist, or if a query cannot be compiled.
pub fn plan_change(
    file: &MetricsFile,
    catalog: &Catalog,
    request: &MetricChangeRequest,
    count_values: CountValues<'_>,
) -> Result<ChangePlan, AppError> {
    let name = request.metric.trim();
    let metric = file.metrics.iter().find(|metric| metric.name.eq_ignore_ascii_case(name));
    let Some(metric) = metric else {
        // The compiler explains which metrics exist.
        let query = MetricQuery { metrics: vec![name.to_owned()], ..MetricQuery::default() };
        return Err(match compile_query(file, catalog, &query) {
            Err(error) => error.into(),
            Ok(_) => AppError::new(ErrorCode::NotFound, tr!("Metric '{name}' not found", name)),
        });
    };
    let sides = resolve_sides(file, catalog, request)?;
    let mut planner = Planner { file: file.clone(), catalog, request, sides: &sides };
    let (shape, parts) = match read_shape(file, metric, catalog.dialect) {
        Ok((shape, parts)) => (Ok(shape), parts),
        Err(ShapeError::NotAdditive(reason)) => (Err(reason), Vec::new()),
        Err(ShapeError::Invalid(error)) => return Err(error),
    };
    planner.file.metrics.extend(parts.iter().map(|part| part.metric.clone()));
    let names: Vec<String> = parts.iter().map(|part| part.metric.name.clone()).collect();
    let totals = planner.compile_sides(&[std::slice::from_ref(&metric.name), &names[..]].concat(), |query| query);
    let totals = totals.map_err(|error| match &shape {
        // The reason says more than the compiler's advice for other queries.
        Err(reason) if !error.is_missing => AppError::new(ErrorCode::Usage, reason.clone()).with_detail(error),
        _ => error.into(),
    })?;
    let last_days = parts.first().and_then(|part| planner.plan_last_days(&part.metric));
    let mut plan = ChangePlan {
        metric: metric.clone(),
        totals,
        last_days,
        dimensions: Vec::new(),
        left_out: Vec::new(),
        listed: request.members.unwrap_or(LISTED).clamp(1, 1_000) as usize,
        is_between_groups: request.between.is_some(),
        shape,
        sides: sides.clone(),
        parts,
    };
    if plan.shape.is_ok() {
        planner.plan_dimensions(&mut plan, &names, count_values)?;
    }
    Ok(plan)
}

struct Planner<'p> {
    file: MetricsFile,
    catalog: &'p Catalog,
    request: &'p MetricChangeRequest,
    sides: &'p [Side; 2],
}

impl Planner<'_> {
    /// Compiles the same query for both sides.
    fn compile_sides(
        &self,
        metrics: &[String],
        complete: impl Fn(MetricQuery) -> MetricQuery,
    ) -> Result<[CompiledQuery; 2], MetricError> {
        let compile = |side: &Side| {
            let day = |day: chrono::NaiveDate| day.format("%Y-%m-%d").to_string();
            let query = MetricQuery {
                metrics: metrics.to_vec(),
                filters: [&self.request.filters[..], &side.filters].concat(),
                from: side.period.as_ref().map(|period| day(period.first)),
                to: side.period.as_ref().map(|period| day(period.last)),
                ..MetricQuery::default()
            };
            compile_query(&self.file, self.catalog, &complete(query))
        };
        let [before, after] = self.sides;
        Ok([compile(before)?, compile(after)?])
    }

    /// Plans the queries of the last day with rows; `None` if the rows are not dated by day.
    fn plan_last_days(&mut self, part: &Metric) -> Option<[CompiledQuery; 2]> {
        self.sides.iter().all(|side| side.period.is_some()).then_some(())?;
        let name = unused_name(&self.file, "change_rows");
        let rows = Metric {
            name: name.clone(),
            aggregate: Some(Aggregate::Count),
            of: None,
            last_of: None,
            every_period: Some(false),
            ..part.clone()
        };
        self.file.metrics.push(rows);
        let by_day = |query: MetricQuery| MetricQuery {
            by: vec!["metric_time__day".into()],
            order: vec!["-metric_time__day".into()],
            limit: Some(1),
            ..query
        };
        self.compile_sides(&[name], by_day).ok()
    }

    fn plan_dimensions(
        &self,
        plan: &mut ChangePlan,
        parts: &[String],
        count_values: CountValues<'_>,
    ) -> Result<(), AppError> {
        let is_named = !self.request.by.is_empty();
        let names = match is_named {
            true => unique_names(&self.request.by),
            false => self.choose_dimensions(plan, count_values)?,
        };
        for name in names {
            let found = find_dimension_column(&self.file, self.catalog, &plan.metric.name, &name);
            let title = found.as_ref().ok().and_then(|dimension| dimension.label.clone());
            let is_time = found.as_ref().is_ok_and(|dimension| dimension.is_time);
            if let Some(reason) = self.refuse_dimension(plan, &name, is_time) {
                plan.left_out.push(LeftOut { name, reason });
                continue;
            }
            let by = |query: MetricQuery| MetricQuery { by: vec![name.clone()], limit: Some(MOST_VALUES + 1), ..query };
            match self.compile_sides(parts, by) {
                Ok(queries) => {
                    let title = title.unwrap_or_else(|| name.clone());
                    plan.dimensions.push(PlannedDimension { name, title, queries });
                }
                Err(error) if is_named => return Err(error.into()),
                Err(error) => plan.left_out.push(LeftOut { name, reason: error.message }),
            }
        }
        Ok(())
    }

    /// Returns the reason why a dimension cannot explain the change.
    fn refuse_dimension(&self, plan: &ChangePlan, name: &str, is_time: bool) -> Option<String> {
        let compared = self.request.between.as_ref().map(|pair| pair.dimension.trim());
        if compared.is_some_and(|compared| compared.eq_ignore_ascii_case(name)) {
            return Some(tr!("It is the dimension whose values are compared"));
        }
        let is_balance = plan.parts.iter().any(|part| part.metric.last_of.is_some());
        (is_time && is_balance).then(|| tr!("Balances of several days must not be added"))
    }

    /// Returns the categories that are compared, those with few values first, and notes the others.
    fn choose_dimensions(&self, plan: &mut ChangePlan, count_values: CountValues<'_>) -> Result<Vec<String>, AppError> {
        let metric = plan.metric.name.clone();
        let all = available_dimensions(&self.file, std::slice::from_ref(&metric), self.catalog.dialect)?;
        let mut known: Vec<(Option<u64>, AvailableDimension)> = Vec::new();
        for dimension in all.into_iter().filter(|dimension| dimension.kind == "category") {
            let found = find_dimension_column(&self.file, self.catalog, &metric, &dimension.name).ok();
            let count = found.and_then(|found| found.column).and_then(|(table, column)| count_values(&table, &column));
            known.push((count, dimension));
        }
        // A column with one value explains nothing; columns without a profile come after known ones.
        known.sort_by_key(|(count, dimension)| match count {
            Some(count) if *count > 1 => (0, *count, dimension.name.clone()),
            None => (1, 0, dimension.name.clone()),
            Some(_) => (2, 0, dimension.name.clone()),
        });
        let mut chosen = Vec::new();
        for (count, dimension) in known {
            let reason = match count {
                Some(count) if count > u64::from(MOST_VALUES) => Some(too_many_values()),
                _ if chosen.len() == MOST_DIMENSIONS => {
                    Some(tr!("Only {most} dimensions are compared unless they are named", most = MOST_DIMENSIONS))
                }
                _ => None,
            };
            match reason {
                Some(reason) => plan.left_out.push(LeftOut { name: dimension.name, reason }),
                None => chosen.push(dimension.name),
            }
        }
        Ok(chosen)
    }
}

/// Returns the reason for leaving out a dimension with very many values.
pub(crate) fn too_many_values() -> String {
    tr!("It has more than {most} values; limit them by a condition", most = format_number(u64::from(MOST_VALUES)))
}

fn unique_names(names: &[String]) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        if !unique.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            unique.push(name.to_owned());
        }
    }
    unique
}
