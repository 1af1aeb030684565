//! The change in words.

use crate::amount::{format_amount, format_signed};
use crate::dimension::SplitDimension;
use crate::number::Number;
use crate::plan::ChangePlan;
use crate::shape::title_of;
use crate::split::Contribution;
use crate::totals::Totals;
use vitrine_words::{format_decimal, format_percent, join_with_and, tr};

/// From this explanatory power, a dimension is named as the cause.
const NAMED: f64 = 0.1;

/// Describes the change and its main cause.
pub(crate) fn describe_change(plan: &ChangePlan, totals: &Totals, ranked: &[SplitDimension]) -> String {
    let metric = title_of(&plan.metric);
    let [before, after] = plan.sides.each_ref().map(|side| side.title.as_str());
    let mut sentences = Vec::new();
    let empty: Vec<String> = totals
        .is_empty
        .iter()
        .zip([before, after])
        .filter(|(is_empty, _)| **is_empty)
        .map(|(_, title)| title.to_owned())
        .collect();
    if !empty.is_empty() {
        sentences.push(tr!("{metric} has no rows for {sides}.", metric, sides = join_with_and(&empty)));
    }
    let [Some(first), Some(second)] = &totals.values else {
        if empty.is_empty() {
            sentences.push(tr!("{metric} has no value for one side, so that there is no difference.", metric));
        }
        return sentences.join(" ");
    };
    let change = second - first;
    sentences.push(describe_difference(plan, &change, first));
    if let Some(dimension) = ranked.first() {
        sentences.extend(describe_cause(plan, dimension, &change));
    }
    sentences.join(" ")
}

/// Describes the difference of both sides.
fn describe_difference(plan: &ChangePlan, change: &Number, first: &Number) -> String {
    let metric = title_of(&plan.metric);
    let unit = plan.metric.unit.as_deref();
    let [before, after] = plan.sides.each_ref().map(|side| side.title.as_str());
    let is_rise = !change.is_negative();
    if change.is_zero() {
        let value = format_amount_signed(first, unit);
        return match plan.is_between_groups {
            true => tr!("{metric} is the same for {before} and {after}: {value}.", metric, before, after, value),
            false => tr!("{metric} did not change from {before} to {after}: {value}.", metric, before, after, value),
        };
    }
    let amount = format_amount(change, unit);
    let share = if first > &Number::zero() { change.divide(first) } else { None };
    let amount = match share {
        Some(share) => tr!("{amount} ({percent})", amount, percent = format_share(share.abs().to_f64())),
        None => amount,
    };
    match (plan.is_between_groups, is_rise) {
        (true, true) => {
            tr!("{metric} is {amount} higher for {after} than for {before}.", metric, amount, after, before)
        }
        (true, false) => {
            tr!("{metric} is {amount} lower for {after} than for {before}.", metric, amount, after, before)
        }
        (false, true) => tr!("{metric} rose by {amount} from {before} to {after}.", metric, amount, before, after),
        (false, false) => tr!("{metric} fell by {amount} from {before} to {after}.", metric, amount, before, after),
    }
}

fn format_amount_signed(number: &Number, unit: Option<&str>) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    format!("{sign}{}", format_amount(number, unit))
}

/// Formats a share as a percentage, with a decimal place if it is small.
fn format_share(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 1.0 || percent == 0.0 {
        return format_percent(share);
    }
    let digits = if percent >= 0.1 { 1 } else { 2 };
    format_percent(0.01).replacen('1', &format_decimal(percent, digits), 1)
}

/// Describes the value that contributes most to a change, and for quotients both effects.
fn describe_cause(plan: &ChangePlan, dimension: &SplitDimension, change: &Number) -> Vec<String> {
    let unit = plan.metric.unit.as_deref();
    if dimension.power < NAMED {
        return vec![tr!("No value of a dimension stands out.")];
    }
    let counts = |one: &&Contribution| {
        !one.total.is_zero() && (change.is_zero() || one.total.is_negative() == change.is_negative())
    };
    let Some(lead) = dimension.contributions.iter().find(counts) else { return Vec::new() };
    let title = &dimension.title;
    let value = match &lead.key {
        Some(key) => format!("{title} {key}"),
        None => tr!("{dimension} without a value", dimension = title),
    };
    let mut sentences = vec![match () {
        () if change.is_zero() => {
            let amount = format_signed(&lead.total, unit);
            tr!("{value} changed by {amount}, and other values offset that.", value, amount)
        }
        () if lead.total.abs() > change.abs() => {
            let amount = format_signed(&lead.total, unit);
            tr!(
                "{value} accounts for {amount}, more than the whole change; other values offset the rest.",
                value,
                amount
            )
        }
        () => tr!("{value} explains {amount} of it.", value, amount = format_amount(&lead.total, unit)),
    }];
    if lead.rate.is_some() {
        let rate: Number = dimension.contributions.iter().filter_map(|one| one.rate.as_ref()).sum();
        let mix = change - &rate;
        sentences.push(tr!(
            "Changes within the values of {dimension} contribute {rate}, changes of their shares {mix}.",
            dimension = title,
            rate = format_signed(&rate, unit),
            mix = format_signed(&mix, unit)
        ));
    }
    sentences
}
