//! Parts of dbt's YAML files that MetricFlow's manifest has in another form: models with semantic annotations, and
//! references to models.

use super::collect::Collector;
use super::fields::{Object, get_object, get_objects, get_text};
use super::metricflow::{read_dimension, read_entity, read_metric};
use crate::definition::{Dimension, DimensionKind, SemanticTable};
use crate::grain::Grain;
use serde_json::Value;

/// Reads models with semantic annotations. Returns false if there are none.
pub(crate) fn read_models(whole: &Object, collector: &mut Collector<'_>) -> bool {
    let mut is_known = false;
    for model in get_objects(whole, "models") {
        if let Some(spine) = get_object(model, "time_spine") {
            is_known = true;
            let column = get_text(spine, "standard_granularity_column").unwrap_or_default();
            collector.set_days(&get_text(model, "name").unwrap_or_default(), &column);
        }
        let (enabled, name) = match model.get("semantic_model") {
            Some(Value::Bool(enabled)) => (*enabled, None),
            Some(Value::Object(semantic)) => {
                let enabled = semantic.get("enabled").and_then(Value::as_bool).unwrap_or(true);
                (enabled, get_text(semantic, "name"))
            }
            _ => continue,
        };
        is_known = true;
        if enabled {
            read_annotated_model(model, name, collector);
        }
    }
    is_known
}

fn read_annotated_model(model: &Object, name: Option<String>, collector: &mut Collector<'_>) {
    let stored = get_text(model, "name").unwrap_or_default();
    let name = name.unwrap_or_else(|| stored.clone());
    let mut table = SemanticTable {
        name: name.clone(),
        table: Some(stored),
        description: get_text(model, "description"),
        time: get_text(model, "agg_time_dimension"),
        primary_entity: get_text(model, "primary_entity"),
        ..SemanticTable::default()
    };
    for column in get_objects(model, "columns") {
        let own = get_text(column, "name").unwrap_or_default();
        if let Some(entity) = annotation(column, "entity", &own) {
            table.entities.extend(read_entity(&entity, &name, collector));
        }
        if let Some(dimension) = annotation(column, "dimension", &own) {
            let read = read_dimension(&dimension, &name, collector);
            table.dimensions.extend(read.map(|dimension| with_column_grain(dimension, column)));
        }
    }
    if let Some(derived) = get_object(model, "derived_semantics") {
        for entity in get_objects(derived, "entities") {
            table.entities.extend(read_entity(entity, &name, collector));
        }
        for dimension in get_objects(derived, "dimensions") {
            let read = read_dimension(dimension, &name, collector);
            table.dimensions.extend(read.map(|read| with_column_grain(read, dimension)));
        }
    }
    collector.add_table(table);
    for metric in get_objects(model, "metrics") {
        let (metric, table) = (metric.clone(), name.clone());
        collector.read_later(move |collector| read_metric(&metric, Some(&table), collector));
    }
}

/// Returns the annotation of a column, which is an object or only its type, with the column as its expression.
fn annotation(column: &Object, kind: &str, own: &str) -> Option<Object> {
    let mut object = match column.get(kind)? {
        Value::Object(object) => object.clone(),
        Value::String(kind) => Object::from_iter([("type".to_owned(), Value::String(kind.clone()))]),
        _ => return None,
    };
    let default = |object: &mut Object, key: &str| {
        object.entry(key.to_owned()).or_insert_with(|| Value::String(own.to_owned()));
    };
    default(&mut object, "name");
    default(&mut object, "expr");
    Some(object)
}

/// Takes over the granularity that is written at the column.
fn with_column_grain(dimension: Dimension, column: &Object) -> Dimension {
    let grain = get_text(column, "granularity").and_then(|grain| Grain::parse(&grain));
    match (dimension.kind, grain) {
        (DimensionKind::Time, Some(grain)) if grain != Grain::Day => Dimension { grain: Some(grain), ..dimension },
        _ => dimension,
    }
}
