//! Cube's data models in YAML.

use super::collect::Collector;
use super::fields::{Object, get_object, get_objects, get_text, is_set};
use super::snowflake::link_tables;
use crate::definition::{
    Aggregate, Cumulative, Dimension, DimensionKind, Entity, EntityKind, Metric, Pick, SemanticTable,
};
use crate::grain::Span;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;
use vitrine_words::tr;

/// Reads a file. Returns false if it has neither cubes nor views.
pub(crate) fn read_file(whole: &Object, collector: &mut Collector<'_>) -> bool {
    let cubes = get_objects(whole, "cubes");
    let views = get_objects(whole, "views");
    if cubes.is_empty() && (views.is_empty() || whole.contains_key("semantic_models")) {
        return false;
    }
    for view in views {
        collector.skip(
            "view",
            get_text(view, "name").unwrap_or_default(),
            tr!("views are not imported; metrics are grouped by dimensions of joined tables"),
        );
    }
    let mut tables = Vec::new();
    let mut kept = Vec::new();
    for cube in cubes {
        match read_cube(cube, collector) {
            Ok(table) => {
                tables.push(table);
                kept.push(cube);
            }
            Err(reason) => collector.skip("cube", get_text(cube, "name").unwrap_or_default(), reason),
        }
    }
    for (at, cube) in kept.iter().enumerate() {
        for join in get_objects(cube, "joins") {
            if let Err(reason) = read_join(join, at, &mut tables) {
                let name = get_text(join, "name").unwrap_or_default();
                collector.skip("join", format!("{}.{name}", tables[at].name), reason);
            }
        }
    }
    let names = metric_names(&kept);
    for (table, cube) in tables.into_iter().zip(kept) {
        let name = table.name.clone();
        if collector.add_table(table) {
            read_measures(cube, &name, &names, collector);
        }
        for (key, kind) in [("segments", "segment"), ("pre_aggregations", "pre-aggregation")] {
            for one in get_objects(cube, key) {
                let own = get_text(one, "name").unwrap_or_default();
                collector.skip(kind, format!("{name}.{own}"), tr!("only joins, dimensions and measures are imported"));
            }
        }
    }
    true
}

/// Returns the names of metrics by cube and measure: the measure's own name where it is unique.
fn metric_names(cubes: &[&Object]) -> HashMap<(String, String), String> {
    let mut count: HashMap<String, usize> = HashMap::new();
    let mut all = Vec::new();
    for cube in cubes {
        let cube_name = get_text(cube, "name").unwrap_or_default();
        for measure in get_objects(cube, "measures") {
            let name = get_text(measure, "name").unwrap_or_default();
            *count.entry(name.to_lowercase()).or_default() += 1;
            all.push((cube_name.clone(), name));
        }
    }
    let name_of = |(cube, measure): &(String, String)| {
        let is_plain = count[&measure.to_lowercase()] == 1 && !measure.eq_ignore_ascii_case("count");
        if is_plain { measure.clone() } else { format!("{cube}_{measure}") }
    };
    all.into_iter().map(|key| (key.clone(), name_of(&key))).collect()
}

fn read_cube(cube: &Object, collector: &mut Collector<'_>) -> Result<SemanticTable, String> {
    let name = get_text(cube, "name").unwrap_or_default();
    let stored = match (get_text(cube, "sql_table"), get_text(cube, "sql")) {
        (Some(table), _) => table,
        (None, Some(sql)) => {
            plain_select(&sql).ok_or_else(|| tr!("cubes over a query are not supported; create a view"))?
        }
        (None, None) => return Err(tr!("it has no table")),
    };
    if cube.contains_key("extends") {
        return Err(tr!("cubes that extend others are not supported"));
    }
    let mut table = SemanticTable {
        table: Some(stored),
        label: get_text(cube, "title"),
        description: get_text(cube, "description"),
        primary_entity: Some(name.clone()),
        name,
        ..SemanticTable::default()
    };
    let dimensions = get_objects(cube, "dimensions");
    let keys: Vec<&&Object> = dimensions.iter().filter(|dimension| is_set(dimension, "primary_key")).collect();
    if let [key] = keys.as_slice()
        && let Ok(column) = own_sql(&get_text(key, "sql").unwrap_or_default(), &table.name, cube)
    {
        table.primary_entity = None;
        table.entities.push(Entity {
            name: table.name.clone(),
            kind: EntityKind::Primary,
            column: Some(column),
            label: None,
            description: None,
        });
    }
    for dimension in dimensions {
        let own = get_text(dimension, "name").unwrap_or_default();
        let kind = get_text(dimension, "type").unwrap_or_default().to_lowercase();
        let text = get_text(dimension, "sql").ok_or_else(|| tr!("only dimensions with sql are supported"));
        let column = text.and_then(|text| own_sql(&text, &table.name, cube));
        match (kind.as_str(), column) {
            ("string" | "number" | "boolean" | "time", Ok(column)) if !own.eq_ignore_ascii_case(&table.name) => {
                table.dimensions.push(Dimension {
                    kind: if kind == "time" { DimensionKind::Time } else { DimensionKind::Category },
                    column: Some(column).filter(|column| *column != own),
                    label: get_text(dimension, "title"),
                    description: get_text(dimension, "description"),
                    name: own,
                    ..Dimension::default()
                });
            }
            (_, Ok(_)) => collector.skip(
                "dimension",
                format!("{}.{own}", table.name),
                tr!("the type {kind} is not supported", kind),
            ),
            (_, Err(reason)) => collector.skip("dimension", format!("{}.{own}", table.name), reason),
        }
    }
    let times = table.dimensions.iter().filter(|dimension| dimension.kind == DimensionKind::Time);
    let times: Vec<&str> = times.map(|dimension| dimension.name.as_str()).collect();
    if let [first, _, ..] = times.as_slice() {
        collector.skip("time", table.name.clone(), tr!("it has several times; metric_time means {name}", name = first));
    }
    table.time = times.first().map(|name| (*name).to_owned());
    Ok(table)
}

/// Returns the table of `SELECT * FROM table`.
fn plain_select(sql: &str) -> Option<String> {
    static SELECT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?is)^\s*select\s+\*\s+from\s+([\w."`]+)\s*;?\s*$"#).expect("a valid pattern"));
    SELECT.captures(sql).map(|found| found[1].to_owned())
}

static REFERENCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\$?\{\s*([\w.]+)\s*\}(\s*\.\s*(\w+))?").expect("a valid pattern"));

/// Replaces references to the cube's own columns and dimensions.
///
/// # Errors
/// Returns the reason if another cube or a measure is referred to.
fn own_sql(text: &str, name: &str, cube: &Object) -> Result<String, String> {
    replace_references(text, &mut |target, column| {
        let is_cube = |text: &str| text.eq_ignore_ascii_case("CUBE") || text.eq_ignore_ascii_case(name);
        let member = match (target.split_once('.'), column) {
            (None, Some(column)) if is_cube(target) => return Ok(column.to_owned()),
            (Some((cube, member)), None) if is_cube(cube) => member,
            (None, None) if !is_cube(target) => target,
            _ => return Err(tr!("it refers to {name}", name = target)),
        };
        let dimensions = get_objects(cube, "dimensions");
        let found = dimensions.iter().find(|dimension| get_text(dimension, "name").is_some_and(|own| own == member));
        let sql = found.and_then(|dimension| get_text(dimension, "sql")).filter(|sql| !sql.contains('{'));
        sql.map(|sql| format!("({sql})")).ok_or_else(|| tr!("it refers to {name}", name = target))
    })
}

/// Returns the text for a reference, given by its name and its column, or the reason why there is none.
type Replace<'a> = dyn FnMut(&str, Option<&str>) -> Result<String, String> + 'a;

fn replace_references(text: &str, replace: &mut Replace<'_>) -> Result<String, String> {
    let mut written = String::new();
    let mut end = 0;
    for found in REFERENCE.captures_iter(text) {
        let whole = found.get(0).expect("the whole match");
        written += &text[end..whole.start()];
        written += &replace(&found[1], found.get(3).map(|column| column.as_str()))?;
        end = whole.end();
    }
    written += &text[end..];
    Ok(written.trim().to_owned())
}

fn read_join(join: &Object, own: usize, tables: &mut [SemanticTable]) -> Result<(), String> {
    static EQUAL: LazyLock<Regex> = LazyLock::new(|| {
        let side = r"\$?\{\s*(\w+)(?:\s*\}\s*\.\s*(\w+)|\s*\.\s*(\w+)\s*\})";
        Regex::new(&format!(r"^\s*{side}\s*=\s*{side}\s*$")).expect("a valid pattern")
    });
    let name = get_text(join, "name").unwrap_or_default();
    let other = tables.iter().position(|table| table.name.eq_ignore_ascii_case(&name));
    let other = other.ok_or_else(|| tr!("the file has no cube {name}", name))?;
    let sql = get_text(join, "sql").unwrap_or_default();
    let found = EQUAL.captures(&sql).ok_or_else(|| tr!("only joins by one equal column are supported"))?;
    let column = |at: usize, table: &SemanticTable| -> String {
        // A member in braces is a dimension, whose column may have another name.
        match (found.get(at), found.get(at + 1)) {
            (Some(column), _) => column.as_str().to_owned(),
            (None, Some(member)) => {
                let own = table.find_dimension(member.as_str()).map(|dimension| dimension.expression().to_owned());
                own.unwrap_or_else(|| member.as_str().to_owned())
            }
            _ => String::new(),
        }
    };
    let is_own = |text: &str| text.eq_ignore_ascii_case("CUBE") || text.eq_ignore_ascii_case(&tables[own].name);
    let (own_column, other_column) = match (is_own(&found[1]), is_own(&found[4])) {
        (true, false) => (column(2, &tables[own]), column(5, &tables[other])),
        (false, true) => (column(5, &tables[own]), column(2, &tables[other])),
        _ => return Err(tr!("only joins by one equal column are supported")),
    };
    match get_text(join, "relationship").unwrap_or_default().to_lowercase().as_str() {
        "many_to_one" | "belongs_to" | "belongsto" => {
            link_tables(tables, (own, &own_column), (other, &other_column), EntityKind::Foreign)
        }
        "one_to_many" | "has_many" | "hasmany" => {
            link_tables(tables, (other, &other_column), (own, &own_column), EntityKind::Foreign)
        }
        "one_to_one" | "has_one" | "hasone" => {
            link_tables(tables, (own, &own_column), (other, &other_column), EntityKind::Unique)
        }
        other => Err(tr!("the relationship {kind} is not known", kind = other)),
    }
}

fn read_measures(cube: &Object, table: &str, names: &HashMap<(String, String), String>, collector: &mut Collector<'_>) {
    for measure in get_objects(cube, "measures") {
        let own = get_text(measure, "name").unwrap_or_default();
        let name = names.get(&(table.to_owned(), own.clone())).cloned().unwrap_or(own.clone());
        match read_measure(measure, cube, table, names) {
            Ok(read) => collector.add_metric(Metric {
                name,
                label: get_text(measure, "title"),
                description: get_text(measure, "description"),
                format: get_text(measure, "format"),
                ..read
            }),
            Err(reason) => collector.skip("measure", format!("{table}.{own}"), reason),
        }
    }
}

fn read_measure(
    measure: &Object,
    cube: &Object,
    table: &str,
    names: &HashMap<(String, String), String>,
) -> Result<Metric, String> {
    let kind = get_text(measure, "type").unwrap_or_default().to_lowercase();
    let text = get_text(measure, "sql");
    for unsupported in ["multi_stage", "time_shift", "group_by", "reduce_by", "case"] {
        if measure.get(unsupported).is_some_and(|value| *value != serde_json::Value::Bool(false)) {
            return Err(tr!("{property} is not supported", property = unsupported));
        }
    }
    if kind == "number" {
        let formula = replace_references(&text.unwrap_or_default(), &mut |target, column| {
            let (cube, own) = target.split_once('.').unwrap_or((table, target));
            let cube = if cube.eq_ignore_ascii_case("CUBE") { table } else { cube };
            let found = names.get(&(cube.to_owned(), own.to_owned())).filter(|_| column.is_none());
            found.cloned().ok_or_else(|| tr!("it refers to {name}, which is not a measure", name = target))
        })?;
        return Ok(Metric { formula: Some(formula), ..Metric::default() });
    }
    let aggregate = match kind.as_str() {
        "sum" | "running_total" => Aggregate::Sum,
        "count" => Aggregate::Count,
        "count_distinct" => Aggregate::CountDistinct,
        "avg" => Aggregate::Average,
        "min" => Aggregate::Min,
        "max" => Aggregate::Max,
        "count_distinct_approx" => return Err(tr!("approximate counts are not supported; use count_distinct")),
        other => return Err(tr!("the type {kind} is not supported", kind = other)),
    };
    let mut of = text.map(|text| own_sql(&text, table, cube)).transpose()?;
    let mut conditions = Vec::new();
    for filter in get_objects(measure, "filters") {
        conditions.push(format!("({})", own_sql(&get_text(filter, "sql").unwrap_or_default(), table, cube)?));
    }
    if !conditions.is_empty() {
        of = Some(format!("CASE WHEN {} THEN {} END", conditions.join(" AND "), of.as_deref().unwrap_or("1")));
    }
    let cumulative = match get_object(measure, "rolling_window") {
        Some(window) => Some(read_window(window)?),
        None if kind == "running_total" => Some(Cumulative { pick: Pick::Last, ..Cumulative::default() }),
        None => None,
    };
    let (table, every_period) = (Some(table.to_owned()), Some(false));
    Ok(Metric { aggregate: Some(aggregate), of, table, cumulative, every_period, ..Metric::default() })
}

fn read_window(window: &Object) -> Result<Cumulative, String> {
    if window.contains_key("leading") || get_text(window, "offset").is_some_and(|offset| offset != "end") {
        return Err(tr!("only windows before the end of a period are supported"));
    }
    match get_text(window, "type").unwrap_or_default().as_str() {
        "to_date" => {
            let grain = get_text(window, "granularity").unwrap_or_default();
            let since = crate::grain::Grain::parse(&grain);
            let since = since.ok_or_else(|| tr!("the period {grain} is not supported", grain))?;
            Ok(Cumulative { since: Some(since), pick: Pick::Last, ..Cumulative::default() })
        }
        _ => {
            let trailing = get_text(window, "trailing").unwrap_or_default();
            let window = match trailing.as_str() {
                "unbounded" => None,
                span => Some(Span::parse(span).ok_or_else(|| tr!("the span {span} is not supported", span))?),
            };
            Ok(Cumulative { window, pick: Pick::Last, ..Cumulative::default() })
        }
    }
}
