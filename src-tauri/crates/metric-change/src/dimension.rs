//! The contributions of one dimension, ranked and printed.

use crate::amount::format_amount;
use crate::members::read_members;
use crate::number::Number;
use crate::plan::{ChangePlan, PlannedDimension};
use crate::rank::explanatory_power;
use crate::report::{DimensionChange, MemberChange, OtherMembers, Presence};
use crate::rounding::round_to_sum;
use crate::shape::Shape;
use crate::split::{Contribution, split_change};
use crate::totals::Totals;
use std::collections::BTreeMap;
use vitrine_domain::Page;
use vitrine_words::{plural, tr};

/// Number of significant digits of numbers that have no exact decimal form.
const DIGITS: u32 = 12;
/// From this ratio of opposite contributions to the change, a note explains that they offset each other.
const OFFSETTING: i64 = 3;

/// A dimension with its contributions, the largest first.
#[derive(Debug, Clone)]
pub struct SplitDimension {
    /// The name in queries.
    pub name: String,
    /// The title for users.
    pub title: String,
    /// The contributions of its values, the largest first.
    pub contributions: Vec<Contribution>,
    /// The explanatory power, from 0 to 1.
    pub power: f64,
    /// Caveats.
    pub notes: Vec<String>,
    pub(crate) sql: [String; 2],
}

impl ChangePlan {
    /// Splits the change by a dimension, from the results of its queries.
    ///
    /// # Errors
    /// Fails with the reason why the dimension cannot be used.
    pub fn split_by(
        &self,
        dimension: &PlannedDimension,
        totals: &Totals,
        pages: [&Page; 2],
    ) -> Result<SplitDimension, String> {
        let shape = self.shape.as_ref().map_err(Clone::clone)?;
        if let Some(problem) = &totals.problem {
            return Err(problem.clone());
        }
        let members = read_members(self, dimension, totals, pages)?;
        let mut contributions =
            split_change(shape, &members).ok_or_else(|| tr!("Its values have no divisor on one side"))?;
        contributions.sort_by(|a, b| b.total.abs().cmp(&a.total.abs()).then_with(|| a.key.cmp(&b.key)));
        let notes = describe_caveats(&dimension.title, &contributions, matches!(shape, Shape::Quotient(..)));
        Ok(SplitDimension {
            name: dimension.name.clone(),
            title: dimension.title.clone(),
            power: explanatory_power(&contributions),
            contributions,
            notes,
            sql: [0, 1].map(|side| dimension.queries[side].sql.as_str().to_owned()),
        })
    }
}

/// Returns what a reader of the contributions must know.
fn describe_caveats(title: &str, contributions: &[Contribution], is_quotient: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let change: Number = contributions.iter().map(|one| &one.total).sum();
    let amounts = |wanted: bool| -> Number {
        let amounts: Vec<Number> =
            contributions.iter().filter(|one| one.total.is_negative() == wanted).map(|one| one.total.abs()).collect();
        amounts.iter().sum()
    };
    let (up, down) = (amounts(false), amounts(true));
    let is_offset = !up.is_zero() && !down.is_zero();
    if is_offset && &up + &down > &Number::from_whole(OFFSETTING) * &change.abs() {
        notes.push(tr!(
            "Increases of {up} and decreases of {down} offset each other",
            up = format_amount(&up, None),
            down = format_amount(&down, None)
        ));
    }
    if contributions.len() > 1 && contributions.iter().all(|one| one.has_rows != [true, true]) {
        notes.push(tr!(
            "No value of {dimension} has rows on both sides, so that it explains nothing",
            dimension = title
        ));
    }
    let names = find_spellings(contributions);
    if !names.is_empty() {
        notes.push(tr!(
            "These values differ only in upper and lower case or blanks and are counted separately: {names}",
            names = names.join(", ")
        ));
    }
    if !is_quotient {
        return notes;
    }
    let rate: Number = contributions.iter().filter_map(|one| one.rate.as_ref()).sum();
    if rate.is_negative() != change.is_negative() && !rate.is_zero() && !change.is_zero() {
        notes.push(tr!(
            "Within the values of {dimension}, the metric changed in the other direction: their shares moved",
            dimension = title
        ));
    }
    let has_negative = contributions
        .iter()
        .filter_map(|one| one.weights.as_ref())
        .any(|weights| weights.iter().any(Number::is_negative));
    if has_negative {
        notes.push(tr!(
            "Some values have a negative share of the divisor, so that shares must not be read as parts of a whole"
        ));
    }
    let alone = contributions.iter().filter(|one| {
        one.weights.as_ref().is_some_and(|weights| weights.iter().all(Number::is_zero)) && !one.total.is_zero()
    });
    let count = alone.count();
    if count > 0 {
        notes.push(plural!(
            count,
            "{n} value has a dividend but no divisor; its contribution is no quotient of its own",
            "{n} values have a dividend but no divisor; their contributions are no quotients of their own"
        ));
    }
    notes
}

/// Returns the values that appear on only one side and differ from another one only in case or blanks.
fn find_spellings(contributions: &[Contribution]) -> Vec<String> {
    let mut by_spelling: BTreeMap<String, Vec<&Contribution>> = BTreeMap::new();
    for one in contributions {
        if let Some(key) = &one.key {
            by_spelling.entry(key.trim().to_lowercase()).or_default().push(one);
        }
    }
    let groups = by_spelling
        .into_values()
        .filter(|group| group.len() > 1 && group.iter().any(|one| one.has_rows != [true, true]));
    groups.flatten().filter_map(|one| one.key.clone()).take(6).map(|key| format!("'{key}'")).collect()
}

/// The printed numbers of a comparison.
pub(crate) struct Precision {
    /// Decimal places, if numbers are rounded.
    rounded: Option<u32>,
}

impl Precision {
    /// Determines the precision: exact decimals if there are any, else a number of digits of the values.
    pub(crate) fn choose(is_quotient: bool, totals: &Totals) -> Self {
        let exact = !is_quotient && totals.is_exact;
        let values = || totals.values.iter().flatten();
        let rounded = match exact && values().all(|value| value.decimal_places().is_some()) {
            true => None,
            false => {
                let sizes = values().filter(|value| !value.is_zero());
                sizes.map(|value| value.places_for_digits(DIGITS)).min().or(Some(0))
            }
        };
        Self { rounded }
    }

    /// Returns the decimal places of some numbers.
    pub(crate) fn places<'n>(&self, numbers: impl Iterator<Item = &'n Number>) -> u32 {
        match self.rounded {
            Some(places) => places,
            None => numbers.map(|number| number.decimal_places().unwrap_or(DIGITS)).max().unwrap_or(0),
        }
    }
}

impl SplitDimension {
    /// Prints the contributions: the largest ones, and all others together.
    pub(crate) fn print(&self, change: &Number, precision: &Precision, listed: usize) -> DimensionChange {
        let shown = &self.contributions[..listed.min(self.contributions.len())];
        let rest = &self.contributions[shown.len()..];
        let values = self.contributions.iter().flat_map(|one| one.values.iter().flatten().chain([&one.total]));
        let places = precision.places(values.chain([change]));
        let others: Number = rest.iter().map(|one| &one.total).sum();
        let mut totals: Vec<Number> = shown.iter().map(|one| one.total.clone()).collect();
        if !rest.is_empty() {
            totals.push(others);
        }
        let totals = round_to_sum(&totals, change, places);
        let is_quotient = self.contributions.iter().any(|one| one.rate.is_some());
        let round_rate = |rate: &Number| Number::from_units(rate.round_to_units(places), places);
        let rates: Vec<Number> = match is_quotient {
            true => {
                let own = shown.iter().map(|one| one.rate.as_ref().map_or_else(Number::zero, round_rate));
                let others: Number = rest.iter().filter_map(|one| one.rate.as_ref()).sum();
                own.chain((!rest.is_empty()).then(|| round_rate(&others))).collect()
            }
            false => Vec::new(),
        };
        let print = |number: &Number| number.format(places);
        let share = |total: &Number| total.divide(change).map(|share| share.to_f64());
        let effects = |at: usize| match rates.get(at) {
            Some(rate) => (Some(print(rate)), Some(print(&(&totals[at] - rate)))),
            None => (None, None),
        };
        let members = shown.iter().enumerate().map(|(at, one)| {
            let (rate, mix) = effects(at);
            MemberChange {
                member: one.key.clone(),
                presence: match one.has_rows {
                    [false, _] => Presence::New,
                    [_, false] => Presence::Vanished,
                    _ => Presence::Both,
                },
                before: one.values[0].as_ref().map(print),
                after: one.values[1].as_ref().map(print),
                contribution: print(&totals[at]),
                share: share(&one.total),
                rate,
                mix,
                weight_before: one.weights.as_ref().map(|weights| weights[0].to_f64()),
                weight_after: one.weights.as_ref().map(|weights| weights[1].to_f64()),
            }
        });
        let others = (!rest.is_empty()).then(|| {
            let (rate, mix) = effects(shown.len());
            let total = &totals[shown.len()];
            OtherMembers {
                count: u32::try_from(rest.len()).unwrap_or(u32::MAX),
                contribution: print(total),
                share: share(total),
                rate,
                mix,
            }
        });
        let rate: Number = rates.iter().sum();
        DimensionChange {
            name: self.name.clone(),
            title: self.title.clone(),
            power: self.power,
            members: members.collect(),
            others,
            rate: is_quotient.then(|| print(&rate)),
            mix: is_quotient.then(|| print(&(&Number::from_units(change.round_to_units(places), places) - &rate))),
            notes: self.notes.clone(),
            before_sql: self.sql[0].clone(),
            after_sql: self.sql[1].clone(),
        }
    }
}
