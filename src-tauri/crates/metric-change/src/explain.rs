//! Assembles the report from the totals and the dimensions.

use crate::dimension::{Precision, SplitDimension};
use crate::notes::describe_caveats;
use crate::number::Number;
use crate::plan::{ChangePlan, LeftOut};
use crate::report::{InputChange, MetricChange, SideValue};
use crate::sentence::describe_change;
use crate::shape::{Shape, title_of};
use crate::totals::Totals;
use chrono::NaiveDate;

impl ChangePlan {
    /// Assembles the report. `left_out` lists dimensions that failed, in addition to those that were not planned.
    pub fn assemble_report(
        &self,
        totals: &Totals,
        mut dimensions: Vec<SplitDimension>,
        left_out: Vec<LeftOut>,
        last_days: [Option<NaiveDate>; 2],
    ) -> MetricChange {
        dimensions.sort_by(|a, b| {
            let by_power = b.power.total_cmp(&a.power);
            by_power.then(a.contributions.len().cmp(&b.contributions.len())).then_with(|| a.name.cmp(&b.name))
        });
        let is_quotient = matches!(self.shape, Ok(Shape::Quotient(..)));
        let precision = Precision::choose(is_quotient, totals);
        let difference = match &totals.values {
            [Some(before), Some(after)] => Some(after - before),
            _ => None,
        };
        let places = precision.places(totals.values.iter().flatten().chain(difference.as_ref()));
        let side = |at: usize| SideValue {
            title: self.sides[at].title.clone(),
            value: totals.values[at].as_ref().map(|value| value.format(places)),
            sql: self.totals[at].sql.as_str().to_owned(),
        };
        let share = difference.as_ref().zip(totals.values[0].as_ref()).and_then(|(change, first)| {
            if first > &Number::zero() { change.divide(first).map(|share| share.to_f64()) } else { None }
        });
        let printed = match &difference {
            Some(change) => dimensions.iter().map(|one| one.print(change, &precision, self.listed)).collect(),
            None => Vec::new(),
        };
        MetricChange {
            metric: self.metric.name.clone(),
            title: title_of(&self.metric).to_owned(),
            unit: self.metric.unit.clone(),
            before: side(0),
            after: side(1),
            change: difference.as_ref().map(|change| change.format(places)),
            change_share: share,
            sentence: describe_change(self, totals, &dimensions),
            notes: describe_caveats(self, totals, last_days),
            not_additive: totals.problem.clone(),
            inputs: self.describe_inputs(totals),
            dimensions: printed,
            left_out: [&self.left_out[..], &left_out].concat(),
        }
    }

    /// Returns the changes of the parts, if there are several.
    fn describe_inputs(&self, totals: &Totals) -> Vec<InputChange> {
        let (Ok(shape), true) = (&self.shape, self.parts.len() > 1 && totals.problem.is_none()) else {
            return Vec::new();
        };
        let print = |number: &Number| number.format(number.decimal_places().unwrap_or(6));
        let describe = |(at, part): (usize, &crate::shape::Part)| {
            let [before, after] = [0, 1].map(|side| totals.parts[side].get(at).cloned().unwrap_or_else(Number::zero));
            let contribution = match shape {
                Shape::Sum(linear) => linear.terms.get(&at).map(|by| &(&after - &before) * by),
                Shape::Quotient(..) => None,
            };
            InputChange {
                title: part.title.clone(),
                before: print(&before),
                after: print(&after),
                contribution: contribution.as_ref().map(print),
            }
        };
        self.parts.iter().enumerate().map(describe).collect()
    }
}
