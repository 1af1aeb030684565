//! The upper levels of a query: metrics from leaves, comparisons, shares and running totals, conditions on metrics,
//! order and limit.

use super::compiler::{Compiler, GroupBy};
use super::leaf::Value;
use super::merge::NamedQueries;
use super::request::MetricQuery;
use crate::expression::{join_parts, replace_names, with_expression, write_formula};
use crate::problem::MetricError;
use vitrine_sql::ColumnType;
use vitrine_words::tr;

/// Generates the text of a query.
pub(crate) fn write_query(compiler: &Compiler<'_, '_>, query: &MetricQuery) -> Result<String, MetricError> {
    let groups = compiler.resolve_groups(&query.by)?;
    let (mut queries, merged) = compiler.write_leaves(&groups)?;
    let groups_sql: Vec<String> = groups.iter().map(|group| compiler.quote(&group.output)).collect();
    let metrics: Vec<String> = compiler.plan.values.iter().map(|(metric, _)| compiler.quote(&metric.name)).collect();

    let mut columns = groups_sql.clone();
    for ((_, value), name) in compiler.plan.values.iter().zip(&metrics) {
        columns.push(write_alias(compiler.value_expression(value, &merged)?, name));
    }
    for (value, (metric, _)) in compiler.plan.earlier.iter().zip(&compiler.plan.values) {
        columns.push(write_alias(compiler.value_expression(value, &merged)?, &earlier_name(compiler, &metric.name)));
    }
    let current = compiler.period_clause(&groups, &merged)?;
    let mut last = compiler.part_name("metric_values");
    queries.push((last.clone(), format!("SELECT {}\nFROM {merged}{current}", columns.join(", "))));

    let mut outputs = groups_sql;
    outputs.extend(metrics.iter().cloned());
    let derived = derived_columns(compiler, query, &groups)?;
    if !derived.is_empty() {
        let mut columns = outputs.clone();
        if query.compare.is_some() {
            columns.extend(compiler.plan.values.iter().map(|(metric, _)| earlier_name(compiler, &metric.name)));
        }
        columns.extend(derived.iter().map(|(name, sql)| write_alias(sql.clone(), name)));
        let below = last;
        last = compiler.part_name("metric_results");
        queries.push((last.clone(), format!("SELECT {}\nFROM {below}", columns.join(", "))));
        outputs = columns_of(compiler, query, &groups, &derived);
    }
    let is_repeated = |at: &usize| outputs[..*at].iter().any(|known| known.eq_ignore_ascii_case(&outputs[*at]));
    if let Some(at) = (0..outputs.len()).find(is_repeated) {
        return Err(MetricError::new(tr!("Two columns of the result are called '{name}'", name = outputs[at]))
            .with_hint(tr!("Rename the metric or the dimension")));
    }
    let having = having_clause(compiler, &outputs)?;
    let order = order_keys(compiler, query, &groups, &outputs)?;
    let titled = with_titles(compiler, query, &groups, &outputs);
    let select = format!("SELECT {}\nFROM {last}{having}", titled.join(", "));
    let end = compiler.sql().sort_and_limit_clauses(&order, query.limit);
    Ok(format!("{}{select}{end}", with_clause(&queries)))
}

fn with_clause(queries: &NamedQueries) -> String {
    let parts: Vec<String> = queries.iter().map(|(name, sql)| format!("{name} AS (\n{sql}\n)")).collect();
    format!("WITH {}\n", parts.join(",\n"))
}

fn write_alias(sql: String, name: &str) -> String {
    if sql == name { sql } else { format!("{sql} AS {name}") }
}

/// Gives the columns of the result their titles. A title that is also the name of another column is left out, because
/// conditions and the order name columns.
fn with_titles(
    compiler: &Compiler<'_, '_>,
    query: &MetricQuery,
    groups: &[GroupBy],
    outputs: &[String],
) -> Vec<String> {
    let of_group = |output: &String| groups.iter().find(|group| compiler.quote(&group.output) == *output);
    let of_metric = |output: &String| {
        compiler.plan.values.iter().map(|(metric, _)| &metric.name).find(|name| compiler.quote(name) == *output)
    };
    let title_of = |output: &String| {
        let name = of_group(output).map(|group| &group.written).or_else(|| of_metric(output))?;
        let title = compiler.quote(query.titles.get(name)?);
        let is_taken = outputs.iter().any(|other| other != output && other.eq_ignore_ascii_case(&title));
        (!is_taken).then_some(title)
    };
    let titles: Vec<Option<String>> = outputs.iter().map(title_of).collect();
    let is_unique =
        |title: &String| titles.iter().flatten().filter(|other| other.eq_ignore_ascii_case(title)).count() == 1;
    outputs
        .iter()
        .zip(&titles)
        .map(|(output, title)| match title.as_ref().filter(|title| is_unique(title)) {
            Some(title) => write_alias(output.clone(), title),
            None => output.clone(),
        })
        .collect()
}

fn earlier_name(compiler: &Compiler<'_, '_>, metric: &str) -> String {
    compiler.quote(&format!("{metric}__previous"))
}

/// Returns the columns of the result: groups, then each metric with what is derived from it.
fn columns_of(
    compiler: &Compiler<'_, '_>,
    query: &MetricQuery,
    groups: &[GroupBy],
    derived: &[(String, String)],
) -> Vec<String> {
    let mut outputs: Vec<String> = groups.iter().map(|group| compiler.quote(&group.output)).collect();
    for (metric, _) in &compiler.plan.values {
        outputs.push(compiler.quote(&metric.name));
        if query.compare.is_some() {
            outputs.push(earlier_name(compiler, &metric.name));
        }
        let own = derived_names(compiler, &metric.name);
        outputs.extend(own.into_iter().filter(|name| derived.iter().any(|(known, _)| known == name)));
    }
    outputs
}

fn derived_names(compiler: &Compiler<'_, '_>, metric: &str) -> [String; 4] {
    ["change", "change_share", "share", "running_total"].map(|kind| compiler.quote(&format!("{metric}__{kind}")))
}

/// Returns the columns computed from several rows or periods, by their names.
fn derived_columns(
    compiler: &Compiler<'_, '_>,
    query: &MetricQuery,
    groups: &[GroupBy],
) -> Result<Vec<(String, String)>, MetricError> {
    let sql = compiler.sql();
    let (mut times, mut others) = (Vec::new(), Vec::new());
    for group in groups {
        let column = compiler.quote(&group.output);
        if compiler.is_time_group(group)? { times.push(column) } else { others.push(column) }
    }
    let quotient = |of: &str, to: &str| format!("{} / NULLIF({to}, 0)", sql.dividend(of, ColumnType::Unknown));
    let mut derived = Vec::new();
    for (metric, value) in &compiler.plan.values {
        let name = compiler.quote(&metric.name);
        let [change, change_share, share, running] = derived_names(compiler, &metric.name);
        if query.compare.is_some() {
            let earlier = earlier_name(compiler, &metric.name);
            derived.push((change, format!("{name} - {earlier}")));
            derived.push((change_share, quotient(&format!("({name} - {earlier})"), &earlier)));
        }
        if query.share {
            // The share of a period's total if other dimensions divide it, else of the whole total.
            let within_periods = !times.is_empty() && !others.is_empty();
            if !compiler.is_additive(value, !times.is_empty() && !within_periods)? {
                return Err(not_additive(&metric.name));
            }
            let per = if within_periods { format!("PARTITION BY {}", times.join(", ")) } else { String::new() };
            derived.push((share, quotient(&name, &format!("SUM({name}) OVER ({per})"))));
        }
        if query.running_total {
            if times.is_empty() {
                return Err(MetricError::new(tr!("A running total needs a time to group by"))
                    .with_hint(tr!("Add a period to --by, such as metric_time__month")));
            }
            if !compiler.is_additive(value, true)? {
                return Err(not_additive(&metric.name));
            }
            let per = if others.is_empty() { String::new() } else { format!("PARTITION BY {} ", others.join(", ")) };
            let keys: Vec<String> = times.iter().map(|time| sql.nulls_last(time, false)).collect();
            derived.push((running, format!("SUM({name}) OVER ({per}ORDER BY {})", keys.join(", "))));
        }
    }
    Ok(derived)
}

fn not_additive(metric: &str) -> MetricError {
    MetricError::new(tr!("Values of '{metric}' cannot be added over these groups", metric)).with_hint(tr!(
        "Shares and running totals exist for sums and counts, not for ratios, distinct counts, means and balances"
    ))
}

/// Returns the WHERE clause of the conditions on metrics.
fn having_clause(compiler: &Compiler<'_, '_>, outputs: &[String]) -> Result<String, MetricError> {
    let mut conditions = Vec::new();
    for text in &compiler.plan.having {
        conditions.push(with_expression(text, compiler.dialect(), |expr| {
            let sql = replace_names(expr, &mut |parts| {
                let [name] = parts else { return Err(unknown_output(&join_parts(parts))) };
                find_output(compiler, outputs, &name.value).map(Some)
            })?;
            Ok(format!("({sql})"))
        })?);
    }
    Ok(if conditions.is_empty() { String::new() } else { format!("\nWHERE {}", conditions.join(" AND ")) })
}

fn unknown_output(name: &str) -> MetricError {
    MetricError::missing(tr!("'{name}' is not a column of the result", name))
        .with_hint(tr!("Use the metrics of --metrics and the dimensions of --by"))
}

fn find_output(compiler: &Compiler<'_, '_>, outputs: &[String], name: &str) -> Result<String, MetricError> {
    let quoted = compiler.quote(name);
    let found = outputs.iter().find(|output| **output == quoted);
    let found = found.or_else(|| outputs.iter().find(|output| output.eq_ignore_ascii_case(&quoted)));
    found.cloned().ok_or_else(|| unknown_output(name))
}

/// Returns the sort keys: as requested, then the groups, so that the order is always the same.
fn order_keys(
    compiler: &Compiler<'_, '_>,
    query: &MetricQuery,
    groups: &[GroupBy],
    outputs: &[String],
) -> Result<Vec<String>, MetricError> {
    let mut keys: Vec<(String, bool)> = Vec::new();
    for written in &query.order {
        let written = written.trim();
        let (name, descending) = match (written.strip_prefix('-'), written.rsplit_once(char::is_whitespace)) {
            (Some(name), _) => (name.trim(), true),
            (None, Some((name, word))) if word.eq_ignore_ascii_case("desc") => (name.trim(), true),
            (None, Some((name, word))) if word.eq_ignore_ascii_case("asc") => (name.trim(), false),
            _ => (written, false),
        };
        let group = groups.iter().find(|group| group.written.eq_ignore_ascii_case(name));
        let output = match group {
            Some(group) => compiler.quote(&group.output),
            None => find_output(compiler, outputs, name)?,
        };
        keys.push((output, descending));
    }
    for group in groups {
        let output = compiler.quote(&group.output);
        if keys.iter().all(|(known, _)| *known != output) {
            keys.push((output, false));
        }
    }
    Ok(keys.into_iter().map(|(key, descending)| compiler.sql().nulls_last(&key, descending)).collect())
}

impl Compiler<'_, '_> {
    /// Returns the WHERE clause of a comparison: rows of the current period, and groups that only the earlier period has
    /// up to the last current period.
    fn period_clause(&self, groups: &[GroupBy], merged: &str) -> Result<String, MetricError> {
        if self.plan.earlier.is_empty() {
            return Ok(String::new());
        }
        let is_current = format!("{} = 1", self.current_marker());
        let mut within = Vec::new();
        for group in groups {
            if self.is_time_group(group)? {
                let time = self.quote(&group.output);
                within.push(format!("{time} <= (SELECT MAX({time}) FROM {merged} WHERE {is_current})"));
            }
        }
        // Moving values to later periods also creates periods after the end of the data.
        Ok(format!("\nWHERE ({is_current} OR ({}))", within.join(" AND ")))
    }

    /// Returns the expression of a value over the leaves of a named query.
    fn value_expression(&self, value: &Value<'_>, leaves: &str) -> Result<String, MetricError> {
        Ok(match value {
            Value::Leaf(leaf) => format!("{leaves}.{}", self.leaf_column(*leaf)),
            Value::Filled(value, constant) => {
                let constant = if *constant < 0 { format!("({constant})") } else { constant.to_string() };
                format!("COALESCE({}, {constant})", self.value_expression(value, leaves)?)
            }
            Value::Ratio(of, to) => {
                // In several dialects the dividend is the expression itself, and the quotient binds closer than its operators.
                let of = self.sql().dividend(&self.operand_expression(of, leaves)?, ColumnType::Unknown);
                format!("{of} / NULLIF({}, 0)", self.value_expression(to, leaves)?)
            }
            Value::Formula(text, inputs) => write_formula(text, self.dialect(), &mut |parts| {
                let name = join_parts(parts);
                let input = inputs.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
                let (_, value) = input.ok_or_else(|| {
                    MetricError::missing(tr!("The formula uses '{name}', which is not a metric", name))
                })?;
                Ok(Some(self.operand_expression(value, leaves)?))
            })?,
        })
    }

    /// Returns the expression of a value, in parentheses where an operator beside it would change its meaning.
    fn operand_expression(&self, value: &Value<'_>, leaves: &str) -> Result<String, MetricError> {
        let sql = self.value_expression(value, leaves)?;
        Ok(match value {
            Value::Leaf(_) | Value::Filled(..) => sql,
            Value::Ratio(..) | Value::Formula(..) => format!("({sql})"),
        })
    }
}
