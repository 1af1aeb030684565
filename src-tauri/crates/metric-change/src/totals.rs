//! The totals of both sides, read from the rows of the plan's queries and checked against the metric itself.

use crate::number::Number;
use crate::plan::ChangePlan;
use crate::shape::{Linear, Shape, title_of};
use vitrine_domain::{AppError, CellType, ErrorCode, Page};
use vitrine_metrics::Aggregate;
use vitrine_words::tr;

/// The totals of both sides, the earlier one first.
#[derive(Debug, Clone)]
pub struct Totals {
    /// The values of the metric; `None` if there is none, such as a quotient without a divisor.
    pub values: [Option<Number>; 2],
    /// True for sides without rows that count; their value is `None` or counts as 0.
    pub is_empty: [bool; 2],
    /// The values of the parts, 0 without rows.
    pub(crate) parts: [Vec<Number>; 2],
    /// True if no value is a floating-point number, so that groups must add up exactly.
    pub(crate) is_exact: bool,
    /// The reason why the change cannot be split.
    pub(crate) problem: Option<String>,
}

impl ChangePlan {
    /// Reads the totals of both sides from the results of `totals`.
    ///
    /// # Errors
    /// Fails if a result has another form, which is an error of this program or of the database.
    pub fn read_totals(&self, pages: [&Page; 2]) -> Result<Totals, AppError> {
        let [before, after] = [self.read_side(pages[0])?, self.read_side(pages[1])?];
        let is_exact = pages.iter().all(|page| page.columns.iter().skip(1).all(|column| is_exact(column.cell_type)));
        let shape = match &self.shape {
            Ok(shape) => shape,
            Err(reason) => {
                let is_empty = [before.metric.is_none(), after.metric.is_none()];
                return Ok(Totals {
                    values: [before.metric, after.metric],
                    is_empty,
                    parts: [Vec::new(), Vec::new()],
                    is_exact: true,
                    problem: Some(reason.clone()),
                });
            }
        };
        let mut totals = Totals {
            values: [None, None],
            is_empty: [self.is_empty(&before), self.is_empty(&after)],
            parts: [before.numbers(), after.numbers()],
            is_exact,
            problem: None,
        };
        for (at, side) in [&before, &after].into_iter().enumerate() {
            let computed = compute_value(shape, &totals.parts[at]);
            if !fits(side, computed.as_ref()) {
                totals.problem.get_or_insert_with(|| {
                    tr!(
                        "The value of {metric} for {side} differs from the value that its parts give, so that the parts do not explain it",
                        metric = title_of(&self.metric),
                        side = self.sides[at].title
                    )
                });
            }
            if computed.is_none() {
                totals.problem.get_or_insert_with(|| {
                    tr!(
                        "{metric} has no value for {side}, because its divisor is 0 or has no rows",
                        metric = title_of(&self.metric),
                        side = self.sides[at].title
                    )
                });
            }
            totals.values[at] = match totals.problem {
                Some(_) => side.metric.clone(),
                None => computed,
            };
        }
        Ok(totals)
    }

    /// Returns true if no row counts: sums are NULL then, and counts are 0.
    fn is_empty(&self, side: &SideRow) -> bool {
        side.parts.iter().zip(&self.parts).all(|(value, part)| match value {
            None => true,
            Some(value) => part.metric.aggregate == Some(Aggregate::Count) && value.is_zero(),
        })
    }

    fn read_side(&self, page: &Page) -> Result<SideRow, AppError> {
        let wrong = || {
            AppError::new(
                ErrorCode::Usage,
                tr!("The totals of {metric} cannot be read", metric = title_of(&self.metric)),
            )
            .with_hint(tr!("Remove conditions on metrics: only conditions on dimensions are possible here"))
        };
        let [row] = page.rows.as_slice() else { return Err(wrong()) };
        let mut cells = Vec::new();
        for cell in row {
            cells.push(read_number(cell.as_deref())?);
        }
        if cells.len() != self.parts.len() + 1 || page.columns.len() != cells.len() {
            return Err(wrong());
        }
        let metric = cells.remove(0);
        let text = row.first().and_then(Option::as_deref).unwrap_or_default();
        let places = match page.columns.first().map(|column| column.cell_type) {
            Some(CellType::Decimal) => text.split_once('.').map_or(0, |(_, fraction)| fraction.len() as u32),
            _ => 0,
        };
        Ok(SideRow { metric, places, parts: cells })
    }
}

/// The row of one side.
struct SideRow {
    metric: Option<Number>,
    /// Decimal places of the metric's text, if the database rounds decimals.
    places: u32,
    parts: Vec<Option<Number>>,
}

impl SideRow {
    fn numbers(&self) -> Vec<Number> {
        self.parts.iter().map(|part| part.clone().unwrap_or_else(Number::zero)).collect()
    }
}

/// Reads the number of a cell.
///
/// # Errors
/// Fails for other texts, such as `NaN`.
pub(crate) fn read_number(cell: Option<&str>) -> Result<Option<Number>, AppError> {
    let Some(text) = cell else { return Ok(None) };
    match Number::parse(text) {
        Some(number) => Ok(Some(number)),
        None => Err(AppError::new(ErrorCode::Query, tr!("'{text}' is not a number that can be compared", text))),
    }
}

/// Returns true if values of a type have no rounding errors.
pub(crate) fn is_exact(cell_type: CellType) -> bool {
    matches!(cell_type, CellType::Integer | CellType::Decimal | CellType::Null)
}

/// Computes the value of a metric from its parts; `None` if its divisor is 0.
pub(crate) fn compute_value(shape: &Shape, parts: &[Number]) -> Option<Number> {
    let sum = |linear: &Linear| linear.sum_parts(parts);
    match shape {
        Shape::Sum(linear) => Some(&sum(linear) + &linear.constant),
        Shape::Quotient(of, to) => sum(of).divide(&sum(to)),
    }
}

/// Returns true if the value of a metric equals the value computed from its parts, up to the database's rounding. A
/// metric without a value fits if parts have no rows, which count as 0.
fn fits(side: &SideRow, computed: Option<&Number>) -> bool {
    match (&side.metric, computed) {
        (None, None) => true,
        (None, Some(_)) => side.parts.iter().any(Option::is_none),
        (Some(_), None) => false,
        (Some(metric), Some(computed)) => {
            let difference = (metric - computed).abs();
            let share = |text: &str| Number::parse(text).map(|share| &share * &computed.abs());
            let unit = match side.places {
                0 => None,
                places => Number::from_whole(1).divide(&power_of_ten(places)),
            };
            // Databases cut or round quotients of decimals after a few places.
            let rounding = unit.zip(share("0.001")).map(|(unit, most)| if unit < most { unit } else { most });
            share("1e-9").into_iter().chain(rounding).any(|allowed| difference <= allowed)
        }
    }
}

fn power_of_ten(places: u32) -> Number {
    Number::parse(&format!("1e{places}")).unwrap_or_else(|| Number::from_whole(1))
}
