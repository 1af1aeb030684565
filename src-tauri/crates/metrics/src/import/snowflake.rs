//! Snowflake's semantic models in YAML.

use super::collect::Collector;
use super::fields::{Object, get_object, get_objects, get_text, get_texts};
use crate::aggregates::split_aggregates;
use crate::definition::{Aggregate, Dimension, DimensionKind, Entity, EntityKind, Metric, SemanticTable};
use crate::expression::{join_parts, replace_names, with_expression};
use crate::problem::MetricError;
use std::collections::HashMap;
use vitrine_sql::quote_identifier;
use vitrine_words::tr;

/// Reads a file. Returns false if it has another form than a semantic model of Snowflake.
pub(crate) fn read_file(whole: &Object, collector: &mut Collector<'_>) -> bool {
    let tables: Vec<&Object> =
        get_objects(whole, "tables").into_iter().filter(|table| table.contains_key("base_table")).collect();
    if tables.is_empty() {
        return false;
    }
    let mut read: Vec<SemanticTable> = tables.iter().map(|table| read_table(table)).collect();
    for relationship in get_objects(whole, "relationships") {
        if let Err(reason) = add_relationship(relationship, &mut read) {
            collector.skip("relationship", get_text(relationship, "name").unwrap_or_default(), reason);
        }
    }
    let names = metric_names(whole, &tables);
    for (table, object) in read.into_iter().zip(&tables) {
        let name = table.name.clone();
        if collector.add_table(table) {
            read_metrics(object, &name, &names, collector);
        }
    }
    for metric in get_objects(whole, "metrics") {
        read_overall(metric, &names, collector);
    }
    for (key, kind) in [("verified_queries", "verified query"), ("filters", "filter")] {
        for one in get_objects(whole, key) {
            collector.skip(
                kind,
                get_text(one, "name").unwrap_or_default(),
                tr!("only tables, relationships and metrics are imported"),
            );
        }
    }
    for key in ["custom_instructions", "module_custom_instructions"] {
        if whole.contains_key(key) {
            collector.skip("instructions", key, tr!("instructions are not metrics"));
        }
    }
    true
}

fn read_table(table: &Object) -> SemanticTable {
    let name = get_text(table, "name").unwrap_or_default();
    let stored = get_object(table, "base_table").map(|base| {
        let parts = ["database", "schema", "table"].iter().filter_map(|part| get_text(base, part));
        parts.collect::<Vec<_>>().join(".")
    });
    let mut read = SemanticTable {
        table: stored,
        description: get_text(table, "description"),
        primary_entity: Some(name.clone()),
        name,
        ..SemanticTable::default()
    };
    let keys = get_object(table, "primary_key").map(|key| get_texts(key, "columns")).unwrap_or_default();
    if let [key] = keys.as_slice() {
        read.primary_entity = None;
        read.entities.push(new_entity(&read.name, EntityKind::Primary, key));
    }
    let kinds = [("dimensions", DimensionKind::Category), ("time_dimensions", DimensionKind::Time)];
    for (key, kind) in kinds {
        for dimension in get_objects(table, key) {
            let Some(name) = get_text(dimension, "name").filter(|name| !name.eq_ignore_ascii_case(&read.name)) else {
                continue;
            };
            read.dimensions.push(Dimension {
                kind,
                column: get_text(dimension, "expr").filter(|expr| *expr != name),
                description: get_text(dimension, "description"),
                synonyms: get_texts(dimension, "synonyms"),
                name,
                ..Dimension::default()
            });
        }
    }
    let times = read.dimensions.iter().filter(|dimension| dimension.kind == DimensionKind::Time);
    read.time = times.map(|dimension| dimension.name.clone()).next();
    read
}

fn new_entity(name: &str, kind: EntityKind, column: &str) -> Entity {
    let column = (column != name).then(|| column.to_owned());
    Entity { name: name.to_owned(), kind, column, label: None, description: None }
}

/// Adds the entities of a relationship. The entity has the name of the right table.
fn add_relationship(relationship: &Object, tables: &mut [SemanticTable]) -> Result<(), String> {
    let side = |key: &str| get_text(relationship, key).unwrap_or_default();
    let (left, right) = (side("left_table"), side("right_table"));
    let columns = get_objects(relationship, "relationship_columns");
    let [columns] = columns.as_slice() else { return Err(tr!("keys of several columns are not supported")) };
    let column = |key: &str| get_text(columns, key).unwrap_or_default();
    let (left_column, right_column) = (column("left_column"), column("right_column"));
    let find = |name: &str| {
        let found = tables.iter().position(|table| table.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| tr!("the file has no table {name}", name))
    };
    let (left_at, right_at) = (find(&left)?, find(&right)?);
    link_tables(tables, (left_at, &left_column), (right_at, &right_column), EntityKind::Foreign)
}

/// Links a table to one in which the column is unique. `kind` is the relation of the left table's rows to the entity.
pub(crate) fn link_tables(
    tables: &mut [SemanticTable],
    (left, left_column): (usize, &str),
    (right, right_column): (usize, &str),
    kind: EntityKind,
) -> Result<(), String> {
    let is_key = |entity: &&Entity| entity.kind != EntityKind::Foreign && entity.expression() == right_column;
    let name = match tables[right].entities.iter().find(is_key) {
        Some(entity) => entity.name.clone(),
        None => {
            let own = tables[right].name.clone();
            let is_taken = tables[right].find_entity(&own).is_some();
            let name = if is_taken { format!("{own}_{right_column}") } else { own };
            let key = if is_taken { EntityKind::Unique } else { EntityKind::Primary };
            tables[right].entities.push(new_entity(&name, key, right_column));
            tables[right].primary_entity = None;
            name
        }
    };
    if left == right {
        return Err(tr!("a table that refers to itself is not supported"));
    }
    if tables[left].find_entity(&name).is_some() || tables[left].find_dimension(&name).is_some() {
        return Err(tr!("the table {table} already has the name {name}", table = tables[left].name, name));
    }
    tables[left].entities.push(new_entity(&name, kind, left_column));
    Ok(())
}

/// The names of metrics by table and name in the file, both in lower case; the table of overall metrics is empty.
type MetricNames = HashMap<(String, String), String>;

/// Returns the names of metrics: the own name where it is unique in the file, else with the table's.
fn metric_names(whole: &Object, tables: &[&Object]) -> MetricNames {
    let mut all: Vec<(String, String)> = Vec::new();
    let overall = get_objects(whole, "metrics").into_iter().map(|metric| (String::new(), metric));
    let of_tables = tables.iter().flat_map(|&table| {
        let name = get_text(table, "name").unwrap_or_default();
        let facts = ["facts", "measures"].iter().flat_map(move |key| get_objects(table, key));
        let facts = facts.filter(|fact| get_text(fact, "default_aggregation").is_some());
        let metrics: Vec<&Object> = facts.chain(get_objects(table, "metrics")).collect();
        metrics.into_iter().map(move |metric| (name.clone(), metric))
    });
    for (table, metric) in overall.chain(of_tables) {
        let key = (table, get_text(metric, "name").unwrap_or_default());
        if !all.contains(&key) {
            all.push(key);
        }
    }
    let mut names = MetricNames::new();
    for (table, own) in &all {
        let is_same = |other: &&(String, String)| other.1.eq_ignore_ascii_case(own);
        let is_plain = table.is_empty() || all.iter().filter(is_same).count() == 1;
        let mut name = if is_plain { own.clone() } else { format!("{table}_{own}") };
        let is_taken = |name: &String| {
            all.iter().map(|(_, other)| other).chain(names.values()).any(|other| other.eq_ignore_ascii_case(name))
        };
        while !is_plain && is_taken(&name) {
            name.push('_');
        }
        names.insert((table.to_lowercase(), own.to_lowercase()), name);
    }
    names
}

fn read_metrics(table: &Object, name: &str, names: &MetricNames, collector: &mut Collector<'_>) {
    let name_of = |own: String| match names.get(&(name.to_lowercase(), own.to_lowercase())) {
        Some(known) => known.clone(),
        None => own,
    };
    let facts: Vec<&Object> = ["facts", "measures"].iter().flat_map(|key| get_objects(table, key)).collect();
    let named = ["dimensions", "time_dimensions"].iter().flat_map(|key| get_objects(table, key)).chain(facts.clone());
    let expressions: HashMap<String, String> =
        named.filter_map(|one| Some((get_text(one, "name")?.to_lowercase(), get_text(one, "expr")?))).collect();
    for fact in facts {
        let fact_name = get_text(fact, "name").unwrap_or_default();
        let Some(default) = get_text(fact, "default_aggregation") else { continue };
        let expr = get_text(fact, "expr").unwrap_or_else(|| fact_name.clone());
        let call = match default.to_lowercase().as_str() {
            "count_distinct" => format!("COUNT(DISTINCT {expr})"),
            "average" => format!("AVG({expr})"),
            other => format!("{other}({expr})"),
        };
        add_expression(fact, &name_of(fact_name), &call, (name, &HashMap::new()), collector);
    }
    for metric in get_objects(table, "metrics") {
        let metric_name = get_text(metric, "name").unwrap_or_default();
        let expr = get_text(metric, "expr").unwrap_or_default();
        add_expression(metric, &name_of(metric_name), &expr, (name, &expressions), collector);
    }
    for filter in get_objects(table, "filters") {
        collector.skip(
            "filter",
            format!("{name}.{}", get_text(filter, "name").unwrap_or_default()),
            tr!("write the condition in the filters of a metric"),
        );
    }
}

/// Adds a metric from an expression with aggregates over columns and facts of a table.
fn add_expression(
    object: &Object,
    name: &str,
    expr: &str,
    (table, expressions): (&str, &HashMap<String, String>),
    collector: &mut Collector<'_>,
) {
    match read_expression(name, expr, table, expressions, collector) {
        Err(error) => collector.skip("metric", name, error.message),
        Ok(metrics) => {
            let last = metrics.len() - 1;
            for (at, metric) in metrics.into_iter().enumerate() {
                let metric = match at == last {
                    true => Metric {
                        description: get_text(object, "description"),
                        synonyms: get_texts(object, "synonyms"),
                        ..metric
                    },
                    false => metric,
                };
                collector.add_metric(metric);
            }
        }
    }
}

/// Returns the metrics of an expression; the last one is the expression itself.
fn read_expression(
    name: &str,
    expr: &str,
    table: &str,
    expressions: &HashMap<String, String>,
    collector: &Collector<'_>,
) -> Result<Vec<Metric>, MetricError> {
    let dialect = collector.catalog.dialect;
    let expanded = with_expression(expr, dialect, |parsed| {
        replace_names(parsed, &mut |parts| {
            let name = match parts {
                [name] => name,
                [qualifier, name] if qualifier.value.eq_ignore_ascii_case(table) => name,
                parts => {
                    return Err(MetricError::new(tr!("'{name}' belongs to another table", name = join_parts(parts))));
                }
            };
            let expression = expressions.get(&name.value.to_lowercase());
            Ok(Some(expression.map_or_else(|| name.to_string(), |expr| format!("({expr})"))))
        })
    })?;
    let prefix = format!("{name}_part_");
    let split = split_aggregates(&expanded, &prefix, dialect)?;
    let new = |name: String, (aggregate, of): (Aggregate, Option<String>)| Metric {
        name,
        aggregate: Some(aggregate),
        of,
        table: Some(table.to_owned()),
        every_period: Some(false),
        ..Metric::default()
    };
    if split.aggregates.is_empty() {
        return Err(MetricError::new(tr!("it has no aggregate")));
    }
    if split.formula == format!("{prefix}1") {
        return Ok(split.aggregates.into_iter().map(|one| new(name.to_owned(), one)).collect());
    }
    let mut metrics: Vec<Metric> =
        (1..).zip(split.aggregates).map(|(number, one)| new(format!("{prefix}{number}"), one)).collect();
    metrics.push(Metric { name: name.to_owned(), formula: Some(split.formula), ..Metric::default() });
    Ok(metrics)
}

/// Reads a metric over metrics of several tables, which are named with their tables.
fn read_overall(metric: &Object, names: &MetricNames, collector: &mut Collector<'_>) {
    let name = get_text(metric, "name").unwrap_or_default();
    let expr = get_text(metric, "expr").unwrap_or_default();
    let formula = with_expression(&expr, collector.catalog.dialect, |parsed| {
        replace_names(parsed, &mut |parts| {
            let unknown = || {
                let name = join_parts(parts);
                MetricError::new(tr!("it refers to {name}, which is not a measure", name))
            };
            let mut found: Vec<&String> = match parts {
                [table, own] => {
                    let key = (table.value.to_lowercase(), own.value.to_lowercase());
                    names.get(&key).into_iter().collect()
                }
                [own] => {
                    let own = own.value.to_lowercase();
                    names.iter().filter(|((_, known), _)| *known == own).map(|(_, name)| name).collect()
                }
                _ => Vec::new(),
            };
            match (found.pop(), found.is_empty()) {
                (Some(name), true) => Ok(Some(quote_identifier(name, collector.catalog.dialect))),
                _ => Err(unknown()),
            }
        })
    });
    match formula {
        Ok(formula) => collector.add_metric(Metric {
            name,
            formula: Some(formula),
            description: get_text(metric, "description"),
            synonyms: get_texts(metric, "synonyms"),
            ..Metric::default()
        }),
        Err(error) => collector.skip("metric", name, error.message),
    }
}
