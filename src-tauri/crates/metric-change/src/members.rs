//! The values of a dimension on both sides, read from the rows of its queries.

use crate::number::Number;
use crate::plan::{ChangePlan, MOST_VALUES, PlannedDimension, too_many_values};
use crate::totals::{Totals, is_exact, read_number};
use std::collections::BTreeMap;
use vitrine_domain::Page;
use vitrine_words::tr;

/// The parts of a metric for one value of a dimension, the earlier side first.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The value; `None` for rows without one.
    pub key: Option<String>,
    /// The parts, 0 without rows.
    pub parts: [Vec<Number>; 2],
    /// True for sides that have rows of it.
    pub has_rows: [bool; 2],
}

/// Largest difference between a total and the sum of its groups, in proportion to the values, if they are
/// floating-point numbers.
const TOLERANCE: &str = "1e-9";

/// Reads the values of a dimension and checks that they add up to the totals.
///
/// # Errors
/// Fails with the reason why the dimension cannot be used.
pub(crate) fn read_members(
    plan: &ChangePlan,
    dimension: &PlannedDimension,
    totals: &Totals,
    pages: [&Page; 2],
) -> Result<Vec<Member>, String> {
    let count = plan.parts.len();
    let mut members: BTreeMap<Option<String>, Member> = BTreeMap::new();
    for (side, page) in pages.into_iter().enumerate() {
        if page.truncated || page.rows.len() > MOST_VALUES as usize {
            return Err(too_many_values());
        }
        for row in &page.rows {
            let [key, cells @ ..] = row.as_slice() else { return Err(tr!("Its rows cannot be read")) };
            if cells.len() != count {
                return Err(tr!("Its rows cannot be read"));
            }
            let member = members.entry(key.clone()).or_insert_with(|| Member {
                key: key.clone(),
                parts: [vec![Number::zero(); count], vec![Number::zero(); count]],
                has_rows: [false, false],
            });
            for (sum, cell) in member.parts[side].iter_mut().zip(cells) {
                let number = read_number(cell.as_deref()).map_err(|error| error.message)?;
                *sum = &*sum + &number.unwrap_or_else(Number::zero);
            }
            member.has_rows[side] = true;
        }
    }
    let members: Vec<Member> = members.into_values().collect();
    let exact = totals.is_exact && pages.iter().all(|page| page.columns.iter().skip(1).all(|c| is_exact(c.cell_type)));
    for side in [0, 1] {
        for part in 0..count {
            let values = || members.iter().map(|member| &member.parts[side][part]);
            let sum: Number = values().sum();
            let difference = (&sum - &totals.parts[side][part]).abs();
            let size: Vec<Number> = values().map(Number::abs).collect();
            let allowed = match Number::parse(TOLERANCE) {
                Some(tolerance) if !exact => &tolerance * &size.iter().sum::<Number>(),
                _ => Number::zero(),
            };
            if difference > allowed {
                return Err(tr!(
                    "The values of {dimension} do not add up to the total: {sum} instead of {total}. The data may have changed in between",
                    dimension = dimension.title,
                    sum = shorten_number(&sum),
                    total = shorten_number(&totals.parts[side][part])
                ));
            }
        }
    }
    Ok(members)
}

fn shorten_number(number: &Number) -> String {
    number.format(number.decimal_places().unwrap_or(6))
}
