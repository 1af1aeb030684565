//! MetricFlow's `semantic_manifest.json`, and dbt's YAML files, which have the same parts in a shorter form.

use super::collect::Collector;
use super::fields::{
    Object, get_filters, get_grain, get_object, get_objects, get_span, get_text, get_texts, is_set, referenced_model,
};
use super::measure::read_aggregate;
use crate::definition::{
    Cumulative, Dimension, DimensionKind, Entity, EntityKind, Metric, MetricInput, Pick, Ratio, SemanticTable,
};
use serde_json::Value;
use vitrine_words::tr;

/// Reads a file. Returns false if it has no parts of MetricFlow or dbt.
pub(crate) fn read_file(whole: &Object, collector: &mut Collector<'_>) -> bool {
    let mut is_known = false;
    for model in get_objects(whole, "semantic_models") {
        is_known = true;
        read_model(model, collector);
    }
    for metric in get_objects(whole, "metrics") {
        is_known = true;
        let metric = metric.clone();
        collector.read_later(move |collector| read_metric(&metric, None, collector));
    }
    for query in get_objects(whole, "saved_queries") {
        is_known = true;
        collector.skip(
            "saved query",
            get_text(query, "name").unwrap_or_default(),
            tr!("saved queries are not imported"),
        );
    }
    if let Some(project) = get_object(whole, "project_configuration") {
        read_time_spines(project, collector);
    }
    is_known
}

fn read_time_spines(project: &Object, collector: &mut Collector<'_>) {
    for spine in get_objects(project, "time_spines") {
        let relation = get_object(spine, "node_relation");
        let column = get_object(spine, "primary_column");
        let is_daily =
            column.and_then(|column| get_text(column, "time_granularity")).is_none_or(|grain| grain == "day");
        if let (Some(table), Some(column), true) = (relation.map(relation_name), column, is_daily) {
            return collector.set_days(&table, &get_text(column, "name").unwrap_or_default());
        }
    }
    for spine in get_objects(project, "time_spine_table_configurations") {
        let is_daily = get_text(spine, "grain").is_none_or(|grain| grain == "day");
        if let (Some(table), Some(column), true) =
            (get_text(spine, "location"), get_text(spine, "column_name"), is_daily)
        {
            return collector.set_days(&table, &column);
        }
    }
}

/// Returns the name of a model's table.
fn relation_name(relation: &Object) -> String {
    get_text(relation, "relation_name").unwrap_or_else(|| {
        let parts = ["database", "schema_name", "alias"].iter().filter_map(|part| get_text(relation, part));
        parts.collect::<Vec<_>>().join(".")
    })
}

fn read_model(model: &Object, collector: &mut Collector<'_>) {
    let name = get_text(model, "name").unwrap_or_default();
    let stored = match get_object(model, "node_relation") {
        Some(relation) => relation_name(relation),
        None => referenced_model(&get_text(model, "model").unwrap_or_else(|| name.clone())),
    };
    let mut table = SemanticTable {
        name: name.clone(),
        table: Some(stored),
        label: get_text(model, "label"),
        description: get_text(model, "description"),
        time: get_object(model, "defaults").and_then(|defaults| get_text(defaults, "agg_time_dimension")),
        primary_entity: get_text(model, "primary_entity"),
        ..SemanticTable::default()
    };
    for entity in get_objects(model, "entities") {
        table.entities.extend(read_entity(entity, &name, collector));
    }
    for dimension in get_objects(model, "dimensions") {
        table.dimensions.extend(read_dimension(dimension, &name, collector));
    }
    collector.add_table(table);
    for measure in get_objects(model, "measures") {
        let measure_name = get_text(measure, "name").unwrap_or_default();
        match read_aggregate(measure, &measure_name, &name) {
            Ok(read) => {
                if is_set(measure, "create_metric") {
                    let made = Metric { name: measure_name.clone(), ..read.clone() };
                    collector.read_later(move |collector| collector.add_metric(made));
                }
                collector.add_measure(read);
            }
            Err(reason) => collector.skip("measure", measure_name, reason),
        }
    }
}

pub(crate) fn read_entity(entity: &Object, table: &str, collector: &mut Collector<'_>) -> Option<Entity> {
    let name = get_text(entity, "name")?;
    let kind = match get_text(entity, "type").unwrap_or_default().to_lowercase().as_str() {
        "primary" => EntityKind::Primary,
        "unique" => EntityKind::Unique,
        "foreign" => EntityKind::Foreign,
        "natural" => {
            collector.skip("join", format!("{table}.{name}"), tr!("tables with periods of validity are not joined"));
            EntityKind::Natural
        }
        other => {
            collector.skip("entity", format!("{table}.{name}"), tr!("the type {kind} is not known", kind = other));
            return None;
        }
    };
    let column = get_text(entity, "expr").filter(|expr| *expr != name);
    let (label, description) = (get_text(entity, "label"), get_text(entity, "description"));
    Some(Entity { name, kind, column, label, description })
}

pub(crate) fn read_dimension(dimension: &Object, table: &str, collector: &mut Collector<'_>) -> Option<Dimension> {
    let name = get_text(dimension, "name")?;
    let is_time = get_text(dimension, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("time"));
    let params = get_object(dimension, "type_params");
    let grain = match params.map(|params| get_grain(params, "time_granularity")).transpose() {
        Ok(grain) => grain.flatten(),
        Err(grain) => {
            let finer = ["hour", "minute", "second", "millisecond", "microsecond", "nanosecond"];
            let reason = match finer.contains(&grain.as_str()) {
                true => tr!("the period {grain} is not supported; the dimension is used by day", grain),
                false => tr!("the period {grain} is not supported", grain),
            };
            collector.skip("period", format!("{table}.{name}"), reason);
            if !finer.contains(&grain.as_str()) {
                return None;
            }
            None
        }
    };
    let meta = get_meta(dimension);
    Some(Dimension {
        kind: if is_time { DimensionKind::Time } else { DimensionKind::Category },
        column: get_text(dimension, "expr").filter(|expr| *expr != name),
        grain: grain.filter(|grain| is_time && *grain != crate::grain::Grain::Day),
        label: get_text(dimension, "label"),
        description: get_text(dimension, "description"),
        synonyms: meta.map(|meta| get_texts(meta, "synonyms")).unwrap_or_default(),
        partition: is_set(dimension, "is_partition"),
        name,
        ..Dimension::default()
    })
}

/// Returns the user's own properties.
fn get_meta(object: &Object) -> Option<&Object> {
    get_object(object, "config").and_then(|config| get_object(config, "meta")).or_else(|| get_object(object, "meta"))
}

/// Reads a metric. `own_table` is the table of a model that contains the metric.
pub(crate) fn read_metric(metric: &Object, own_table: Option<&str>, collector: &mut Collector<'_>) {
    let name = get_text(metric, "name").unwrap_or_default();
    let read = match get_text(metric, "type").unwrap_or_else(|| "simple".to_owned()).to_lowercase().as_str() {
        "simple" => read_simple(metric, &name, own_table, collector),
        "ratio" => read_ratio(metric),
        "derived" => read_derived(metric),
        "cumulative" => read_cumulative(metric, &name, collector),
        "conversion" => Err(tr!("conversion metrics are not supported")),
        other => Err(tr!("the type {kind} is not known", kind = other)),
    };
    let read = match read {
        Ok(read) => read,
        Err(reason) => return collector.skip("metric", name, reason),
    };
    let meta = get_meta(metric);
    let from_meta = |key: &str| meta.and_then(|meta| get_text(meta, key));
    let mut filters = read.filters.clone();
    filters.extend(get_filters(metric, "filter"));
    if let Some(grain) = get_text(metric, "time_granularity") {
        collector.skip("period", name.clone(), tr!("the metric's own default period {grain} is not used", grain));
    }
    collector.add_metric(Metric {
        label: get_text(metric, "label").filter(|label| *label != name).or(read.label),
        description: get_text(metric, "description").or(read.description),
        owner: from_meta("owner"),
        unit: from_meta("unit"),
        format: from_meta("format"),
        synonyms: meta.map(|meta| get_texts(meta, "synonyms")).unwrap_or_default(),
        name,
        filters,
        ..read
    });
}

fn type_params(metric: &Object) -> &Object {
    get_object(metric, "type_params").unwrap_or(metric)
}

/// Returns the reference to a measure: its name, or an object.
fn measure_of(params: &Object, collector: &Collector<'_>) -> Result<Metric, String> {
    let (name, more) = match params.get("measure") {
        Some(Value::String(name)) => (name.clone(), None),
        Some(Value::Object(measure)) => (get_text(measure, "name").unwrap_or_default(), Some(measure)),
        _ => return Err(tr!("it names no measure")),
    };
    let measure = collector.find_measure(&name).ok_or_else(|| tr!("its measure {name} was not imported", name))?;
    let mut read = Metric { label: None, ..measure.clone() };
    if let Some(more) = more {
        read.filters.extend(get_filters(more, "filter"));
        take_empty(more, &mut read);
    }
    Ok(read)
}

/// Takes over how a metric treats groups without rows.
fn take_empty(object: &Object, metric: &mut Metric) {
    if let Some(constant) = object.get("fill_nulls_with").and_then(Value::as_i64) {
        metric.when_empty = Some(constant);
    }
    if is_set(object, "join_to_timespine") {
        metric.every_period = None;
    }
}

fn read_simple(
    metric: &Object,
    name: &str,
    own_table: Option<&str>,
    collector: &Collector<'_>,
) -> Result<Metric, String> {
    let params = type_params(metric);
    let aggregation = get_object(params, "metric_aggregation_params");
    let table = aggregation.and_then(|params| get_text(params, "semantic_model"));
    let mut read = match (aggregation, table.as_deref().or(own_table), params.contains_key("measure")) {
        (.., true) if params["measure"] != Value::Null => measure_of(params, collector)?,
        (Some(aggregation), Some(table), _) => {
            let mut aggregation = aggregation.clone();
            if let (None, Some(expr)) = (get_text(&aggregation, "expr"), get_text(params, "expr")) {
                aggregation.insert("expr".to_owned(), Value::String(expr));
            }
            read_aggregate(&aggregation, name, table)?
        }
        (None, Some(table), _) => read_aggregate(params, name, table)?,
        _ => return Err(tr!("it names no measure")),
    };
    take_empty(params, &mut read);
    Ok(Metric { name: name.to_owned(), ..read })
}

/// Reads a metric within another one: its name, or an object.
fn read_input(value: &Value) -> Result<MetricInput, String> {
    let object = match value {
        Value::String(name) => return Ok(MetricInput { metric: name.clone(), ..MetricInput::default() }),
        Value::Object(object) => object,
        _ => return Err(tr!("it names no metric")),
    };
    if get_text(object, "offset_to_grain").is_some() {
        return Err(tr!("offset_to_grain is not supported"));
    }
    let offset = get_span(object, "offset_window").map_err(|span| tr!("the span {span} is not supported", span))?;
    let metric = get_text(object, "name").ok_or_else(|| tr!("it names no metric"))?;
    let alias = get_text(object, "alias").filter(|alias| *alias != metric);
    Ok(MetricInput { metric, alias, filters: get_filters(object, "filter"), offset })
}

fn read_ratio(metric: &Object) -> Result<Metric, String> {
    let params = type_params(metric);
    let part = |key: &str| read_input(params.get(key).unwrap_or(&Value::Null));
    let ratio = Ratio { of: part("numerator")?, to: part("denominator")? };
    Ok(Metric { ratio: Some(ratio), ..Metric::default() })
}

fn read_derived(metric: &Object) -> Result<Metric, String> {
    let params = type_params(metric);
    let formula = get_text(params, "expr").ok_or_else(|| tr!("it has no expression"))?;
    let inputs = params.get("metrics").or_else(|| params.get("input_metrics")).and_then(Value::as_array);
    let inputs = inputs.into_iter().flatten().map(read_input).collect::<Result<Vec<_>, _>>()?;
    Ok(Metric { formula: Some(formula), inputs, ..Metric::default() })
}

fn read_cumulative(metric: &Object, name: &str, collector: &Collector<'_>) -> Result<Metric, String> {
    let params = type_params(metric);
    let own = get_object(params, "cumulative_type_params");
    let pick = |key: &str| own.filter(|own| own.get(key).is_some_and(|value| !value.is_null())).unwrap_or(params);
    let window = get_span(pick("window"), "window").map_err(|span| tr!("the span {span} is not supported", span))?;
    let since = get_grain(pick("grain_to_date"), "grain_to_date")
        .map_err(|grain| tr!("the period {grain} is not supported", grain))?;
    let picked = match get_text(pick("period_agg"), "period_agg").unwrap_or_default().to_lowercase().as_str() {
        "" | "first" => Pick::First,
        "last" => Pick::Last,
        "average" => Pick::Average,
        other => return Err(tr!("the choice {choice} is not supported", choice = other)),
    };
    let mut cumulative = Cumulative { metric: None, window, since, pick: picked };
    let input = pick("metric").get("metric").or_else(|| params.get("input_metric"));
    if let Some(input) = input.filter(|input| !input.is_null()) {
        let input = read_input(input)?;
        if input.offset.is_some() {
            return Err(tr!("an accumulated metric of an earlier period is not supported"));
        }
        cumulative.metric = Some(input.metric);
        let every_period = Some(false);
        return Ok(Metric { cumulative: Some(cumulative), filters: input.filters, every_period, ..Metric::default() });
    }
    let read = measure_of(params, collector)?;
    Ok(Metric { name: name.to_owned(), cumulative: Some(cumulative), ..read })
}
