//! Exports metrics as YAML that dbt and MetricFlow read.

use crate::definition::{
    Aggregate, Cumulative, DimensionKind, EntityKind, Metric, MetricInput, MetricsFile, Pick, SemanticTable,
};
use crate::import::Skipped;
use crate::problem::MetricError;
use serde_json::{Map, Value, json};
use vitrine_words::tr;

/// Metrics as YAML of dbt, with the parts that it cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedMetrics {
    /// The YAML text.
    pub text: String,
    /// Parts that MetricFlow cannot express.
    pub skipped: Vec<Skipped>,
}

/// Exports metrics as `semantic_models` and `metrics` of dbt's YAML.
///
/// # Errors
/// Fails if a text cannot be represented.
pub fn export_metricflow(file: &MetricsFile) -> Result<ExportedMetrics, MetricError> {
    let mut skipped = Vec::new();
    let mut skip = |kind: &str, name: &str, reason: String| {
        skipped.push(Skipped { kind: kind.to_owned(), name: name.to_owned(), reason });
    };
    for table in &file.tables {
        if table.time.as_ref().is_some_and(|time| table.find_dimension(time).is_none()) {
            skip("time", &table.name, tr!("its time is in another table; MetricFlow needs it in the table itself"));
        }
    }
    if file.calendar.fiscal_year_start != 1 || file.calendar.time_zone.is_some() {
        skip("calendar", "calendar", tr!("MetricFlow has no fiscal year and no time zone"));
    }
    let models: Vec<Value> = file.tables.iter().map(|table| write_model(table, file)).collect();
    let metrics: Vec<Value> = file.metrics.iter().map(|metric| write_metric(metric, file)).collect();
    let whole = json!({ "semantic_models": models, "metrics": metrics });
    let text = serde_saphyr::to_string(&whole)
        .map_err(|error| MetricError::new(tr!("The metrics cannot be written as YAML: {why}", why = error)))?;
    Ok(ExportedMetrics { text, skipped })
}

/// Sets a property that is present.
fn set(object: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), value.into());
    }
}

fn write_model(table: &SemanticTable, file: &MetricsFile) -> Value {
    let mut model = Map::new();
    set(&mut model, "name", Some(table.name.clone()));
    let stored = table.stored_name().rsplit('.').next().unwrap_or_default().trim_matches('"');
    set(&mut model, "model", Some(format!("ref('{stored}')")));
    set(&mut model, "label", table.label.clone());
    set(&mut model, "description", table.description.clone());
    let time = table.time.clone().filter(|time| table.find_dimension(time).is_some());
    if let Some(time) = time {
        model.insert("defaults".to_owned(), json!({ "agg_time_dimension": time }));
    }
    let has_primary = table.entities.iter().any(|entity| entity.kind == EntityKind::Primary);
    set(&mut model, "primary_entity", table.primary_entity.clone().filter(|_| !has_primary));
    let entities: Vec<Value> = table
        .entities
        .iter()
        .map(|entity| {
            let kind = serde_json::to_value(entity.kind).unwrap_or_default();
            let mut one = Map::from_iter([("name".to_owned(), entity.name.clone().into()), ("type".to_owned(), kind)]);
            set(&mut one, "expr", entity.column.clone());
            set(&mut one, "label", entity.label.clone());
            set(&mut one, "description", entity.description.clone());
            Value::Object(one)
        })
        .collect();
    set(&mut model, "entities", (!entities.is_empty()).then_some(entities));
    let dimensions: Vec<Value> = table
        .dimensions
        .iter()
        .map(|dimension| {
            let is_time = dimension.kind == DimensionKind::Time;
            let mut one = Map::new();
            set(&mut one, "name", Some(dimension.name.clone()));
            set(&mut one, "type", Some(if is_time { "time" } else { "categorical" }));
            set(&mut one, "expr", dimension.column.clone());
            set(&mut one, "label", dimension.label.clone());
            set(&mut one, "description", dimension.description.clone());
            set(&mut one, "is_partition", dimension.partition.then_some(true));
            if is_time {
                let grain = dimension.grain.unwrap_or_default().name();
                one.insert("type_params".to_owned(), json!({ "time_granularity": grain }));
            }
            if !dimension.synonyms.is_empty() {
                one.insert("config".to_owned(), json!({ "meta": { "synonyms": dimension.synonyms } }));
            }
            Value::Object(one)
        })
        .collect();
    set(&mut model, "dimensions", (!dimensions.is_empty()).then_some(dimensions));
    let own = file
        .metrics
        .iter()
        .filter(|metric| metric.table.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(&table.name)));
    let measures: Vec<Value> = own.filter_map(write_measure).collect();
    set(&mut model, "measures", (!measures.is_empty()).then_some(measures));
    Value::Object(model)
}

fn write_measure(metric: &Metric) -> Option<Value> {
    let aggregate = metric.aggregate?;
    let mut measure = Map::new();
    set(&mut measure, "name", Some(metric.name.clone()));
    let agg = match aggregate {
        Aggregate::Average => Value::from("average"),
        other => serde_json::to_value(other).unwrap_or_default(),
    };
    measure.insert("agg".to_owned(), agg);
    let of = metric.of.as_deref().filter(|of| of.trim() != "*").unwrap_or("1");
    set(&mut measure, "expr", (of != metric.name).then_some(of));
    let time = metric.time.as_deref().filter(|time| !time.contains(crate::names::SEPARATOR));
    set(&mut measure, "agg_time_dimension", time);
    if let Some(last_of) = &metric.last_of {
        let choice = if last_of.pick == Pick::First { "min" } else { "max" };
        let mut one = json!({ "name": last_of.over, "window_choice": choice });
        if !last_of.per.is_empty() {
            one["window_groupings"] = json!(last_of.per);
        }
        measure.insert("non_additive_dimension".to_owned(), one);
    }
    Some(Value::Object(measure))
}

fn write_metric(metric: &Metric, file: &MetricsFile) -> Value {
    let mut written = Map::new();
    set(&mut written, "name", Some(metric.name.clone()));
    set(&mut written, "label", Some(metric.label.clone().unwrap_or_else(|| metric.name.clone())));
    set(&mut written, "description", metric.description.clone());
    let (kind, params) = write_form(metric, file);
    set(&mut written, "type", Some(kind));
    written.insert("type_params".to_owned(), params);
    let filters: Vec<String> = metric.filters.iter().map(|filter| as_template(filter, file)).collect();
    set(&mut written, "filter", (!filters.is_empty()).then_some(filters));
    let mut meta = Map::new();
    set(&mut meta, "owner", metric.owner.clone());
    set(&mut meta, "unit", metric.unit.clone());
    set(&mut meta, "format", metric.format.clone());
    set(&mut meta, "synonyms", (!metric.synonyms.is_empty()).then(|| metric.synonyms.clone()));
    if !meta.is_empty() {
        written.insert("config".to_owned(), json!({ "meta": meta }));
    }
    Value::Object(written)
}

fn write_form(metric: &Metric, file: &MetricsFile) -> (&'static str, Value) {
    let input = |input: &MetricInput| write_input(input, file);
    if let Some(ratio) = &metric.ratio {
        return ("ratio", json!({ "numerator": input(&ratio.of), "denominator": input(&ratio.to) }));
    }
    if let Some(formula) = &metric.formula {
        let named = file.metrics.iter().filter(|other| mentions(formula, &other.name));
        let inputs: Vec<Value> = match metric.inputs.is_empty() {
            true => named.map(|other| json!({ "name": other.name })).collect(),
            false => metric.inputs.iter().map(input).collect(),
        };
        return ("derived", json!({ "expr": formula, "metrics": inputs }));
    }
    let measure = match metric.cumulative.as_ref().and_then(|cumulative| cumulative.metric.clone()) {
        Some(summed) => summed,
        None => metric.name.clone(),
    };
    let mut measure = Map::from_iter([("name".to_owned(), Value::from(measure))]);
    set(&mut measure, "fill_nulls_with", metric.when_empty);
    set(&mut measure, "join_to_timespine", metric.every_period.unwrap_or(true).then_some(true));
    let Some(cumulative) = &metric.cumulative else { return ("simple", json!({ "measure": measure })) };
    measure.remove("join_to_timespine");
    let Cumulative { window, since, pick, .. } = cumulative;
    let pick = match pick {
        Pick::First => "first",
        Pick::Last => "last",
        Pick::Average => "average",
    };
    let mut own = Map::from_iter([("period_agg".to_owned(), Value::from(pick))]);
    set(&mut own, "window", window.map(|window| window.to_string()));
    set(&mut own, "grain_to_date", since.map(|since| since.name()));
    ("cumulative", json!({ "measure": measure, "cumulative_type_params": own }))
}

fn write_input(input: &MetricInput, file: &MetricsFile) -> Value {
    let mut one = Map::from_iter([("name".to_owned(), Value::from(input.metric.clone()))]);
    set(&mut one, "alias", input.alias.clone());
    let filters: Vec<String> = input.filters.iter().map(|filter| as_template(filter, file)).collect();
    set(&mut one, "filter", (!filters.is_empty()).then_some(filters));
    set(&mut one, "offset_window", input.offset.map(|offset| offset.to_string()));
    Value::Object(one)
}

fn mentions(formula: &str, name: &str) -> bool {
    formula.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word.eq_ignore_ascii_case(name))
}

/// Writes the names of dimensions in a plain condition as MetricFlow's templates.
fn as_template(filter: &str, file: &MetricsFile) -> String {
    if filter.contains("{{") {
        return filter.to_owned();
    }
    let mut written = String::with_capacity(filter.len());
    let mut quote = None;
    let mut word = String::new();
    let end_word = |word: &mut String, written: &mut String| {
        *written += &template_of(word, file).unwrap_or_else(|| word.clone());
        word.clear();
    };
    for c in filter.chars() {
        match quote {
            Some(end) => {
                written.push(c);
                if c == end {
                    quote = None;
                }
            }
            None if c.is_alphanumeric() || c == '_' => word.push(c),
            None => {
                end_word(&mut word, &mut written);
                written.push(c);
                if matches!(c, '\'' | '"' | '`') {
                    quote = Some(c);
                }
            }
        }
    }
    end_word(&mut word, &mut written);
    written
}

fn template_of(word: &str, file: &MetricsFile) -> Option<String> {
    use crate::names::{DimensionName, METRIC_TIME, SEPARATOR};
    if !word.contains(SEPARATOR) && !word.eq_ignore_ascii_case(METRIC_TIME) {
        let is_entity = file.tables.iter().any(|table| table.find_entity(word).is_some());
        return is_entity.then(|| format!("{{{{ Entity('{word}') }}}}"));
    }
    let readings = DimensionName::readings(word)?;
    let name = readings.last()?;
    let whole =
        name.links.iter().map(String::as_str).chain([name.element.as_str()]).collect::<Vec<_>>().join(SEPARATOR);
    Some(match name.grain {
        Some(grain) => format!("{{{{ TimeDimension('{whole}', '{}') }}}}", grain.name()),
        None => format!("{{{{ Dimension('{whole}') }}}}"),
    })
}
