//! Measures: aggregates of a semantic model, from which metrics are made.

use super::fields::{Object, get_object, get_text, get_texts, is_set};
use crate::definition::{Aggregate, LastOf, Metric, Pick};
use vitrine_words::tr;

/// Reads an aggregate with its expression and time as a metric of `table`. `name` is the default expression.
///
/// # Errors
/// Returns the reason why it cannot be imported, for users.
pub(crate) fn read_aggregate(object: &Object, name: &str, table: &str) -> Result<Metric, String> {
    let agg = get_text(object, "agg").unwrap_or_default().to_lowercase();
    let aggregate = match agg.as_str() {
        "sum" => Aggregate::Sum,
        "count" => Aggregate::Count,
        "count_distinct" => Aggregate::CountDistinct,
        "average" | "avg" => Aggregate::Average,
        "min" => Aggregate::Min,
        "max" => Aggregate::Max,
        "median" => Aggregate::Median,
        "sum_boolean" => Aggregate::SumBoolean,
        "percentile" => read_percentile(object)?,
        "" => return Err(tr!("it has no aggregate")),
        other => return Err(tr!("the aggregate {agg} is not supported", agg = other)),
    };
    let last_of = get_object(object, "non_additive_dimension").map(read_last_of).transpose()?;
    Ok(Metric {
        name: name.to_owned(),
        aggregate: Some(aggregate),
        of: Some(get_text(object, "expr").unwrap_or_else(|| name.to_owned())),
        table: Some(table.to_owned()),
        time: get_text(object, "agg_time_dimension"),
        last_of,
        label: get_text(object, "label"),
        description: get_text(object, "description"),
        every_period: Some(false),
        ..Metric::default()
    })
}

fn read_percentile(object: &Object) -> Result<Aggregate, String> {
    let params = get_object(object, "agg_params");
    let fraction = params.and_then(|params| params.get("percentile")).and_then(serde_json::Value::as_f64);
    let discrete = params.is_some_and(|params| is_set(params, "use_discrete_percentile"));
    match (fraction, discrete) {
        (Some(0.5), false) => Ok(Aggregate::Median),
        (Some(0.5), true) => Err(tr!("a discrete percentile is not supported, only the median")),
        _ => Err(tr!("of percentiles, only the median is supported")),
    }
}

fn read_last_of(object: &Object) -> Result<LastOf, String> {
    let over = get_text(object, "name").ok_or_else(|| tr!("its non-additive dimension has no name"))?;
    let pick = match get_text(object, "window_choice").unwrap_or_default().to_lowercase().as_str() {
        "" | "min" => Pick::First,
        "max" => Pick::Last,
        other => return Err(tr!("the window choice {choice} is not supported", choice = other)),
    };
    Ok(LastOf { over, pick, per: get_texts(object, "window_groupings") })
}
