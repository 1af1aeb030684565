//! Generates a view's query with as few levels as possible: joined rows, groups, values computed from groups, the first
//! rows per group. Aggregation always happens in the database.

use super::rows::{Writer, aggregate_expr};
use super::terms::unused_name;
use super::{reading, terms};
use crate::model::hidden::Hidden;
use crate::model::plan::{Output, Plan};
use vitrine_domain::Dialect;
use vitrine_domain::views::WindowKind;
use vitrine_sql::{ColumnType, DialectExt, quote_identifier};

pub(crate) fn write_query(plan: &Plan<'_>, dialect: Dialect) -> String {
    Writer { plan, dialect }.write_query()
}

impl Writer<'_> {
    fn write_query(&self) -> String {
        let plan = self.plan;
        let levels = plan.metrics.iter().any(|m| m.once.is_some() || self.lacks_aggregate(m.agg));
        let mut sql = if levels { self.in_levels() } else { self.write_base_level() };
        if !(plan.having.is_empty() && plan.ratios.is_empty() && plan.windows.is_empty()) {
            sql = self.write_computed_level(&sql);
        }
        if plan.top.is_some() {
            sql = self.first_of_each(&sql);
        }
        if plan.order.iter().any(|(by, descending)| self.is_sorted_by_expression(by, *descending)) {
            // Not every dialect sorts by an expression over its select list.
            let columns: Vec<String> = plan.outputs().map(|o| self.quoted_name(o)).collect();
            sql = format!("SELECT {}\nFROM (\n{sql}\n) AS listed", columns.join(", "));
        }
        let mut order: Vec<String> = plan.order.iter().map(|(by, descending)| self.sort_key(by, *descending)).collect();
        if plan.limit.is_some() {
            order.extend(self.tie_breaking_keys(plan.order.iter().map(|(by, _)| by)));
        }
        sql + &self.dialect.sql().sort_and_limit_clauses(&order, plan.limit)
    }

    /// Returns true if a sort key is an expression over the select list, which not every dialect accepts. Sorting NULL
    /// last is one where it is not a keyword.
    fn is_sorted_by_expression(&self, by: &Output, descending: bool) -> bool {
        let hidden = by.hidden.as_ref().is_some_and(|hidden| *hidden != Hidden::Nothing);
        if !self.dialect.sql().sorts_by_expressions_over_aliases() {
            return true;
        }
        let aggregated = !self.dialect.sql().sorts_by_expressions_over_aggregates()
            && self.plan.metrics.iter().any(|metric| metric.output == *by);
        hidden || (aggregated && !descending)
    }

    /// Generates one level: joined rows, or their groups.
    fn write_base_level(&self) -> String {
        let plan = self.plan;
        let dimensions = plan.dimensions.iter().map(|d| (self.dimension_expr(d), &d.output));
        let metrics =
            plan.metrics.iter().map(|m| (aggregate_expr(m, self.aggregated_value(m), self.dialect), &m.output));
        let columns: Vec<String> =
            dimensions.chain(metrics).map(|(sql, output)| format!("{sql} AS {}", self.quoted_name(output))).collect();
        let distinct = if plan.distinct { "DISTINCT " } else { "" };
        let keys: Vec<String> = plan.dimensions.iter().map(|d| self.dimension_expr(d)).collect();
        format!("SELECT {distinct}{}\n{}{}", columns.join(", "), self.render_from(), self.group_by(&keys))
    }

    /// Returns an output as computed from the level below.
    fn computed_output(&self, output: &Output) -> String {
        match self.plan.ratios.iter().find(|r| r.output == *output) {
            Some(ratio) => terms::quotient_expr(
                &self.quoted_name(&ratio.of),
                &self.quoted_name(&ratio.to),
                ratio.of.family,
                self.dialect,
            ),
            None => self.converted_output(output),
        }
    }

    /// Returns an output of the level below, converted to its hidden type.
    fn converted_output(&self, output: &Output) -> String {
        let name = self.quoted_name(output);
        output
            .hidden
            .as_ref()
            .map_or_else(|| name.clone(), |hidden| reading::read_as_hidden(&name, hidden, self.dialect))
    }

    /// Generates a further level: filtered groups with their ratios and windows.
    fn write_computed_level(&self, below: &str) -> String {
        let plan = self.plan;
        let mut columns: Vec<String> = plan.dimensions.iter().map(|d| self.quoted_name(&d.output)).collect();
        columns.extend(plan.metrics.iter().map(|m| self.quoted_name(&m.output)));
        columns.extend(
            plan.ratios
                .iter()
                .map(|r| format!("{} AS {}", self.computed_output(&r.output), self.quoted_name(&r.output))),
        );
        for window in &plan.windows {
            let of = self.computed_output(&window.of);
            let per: Vec<String> = window.per.iter().map(|o| self.quoted_name(o)).collect();
            let per = if per.is_empty() { String::new() } else { format!("PARTITION BY {}", per.join(", ")) };
            let ordered = |keys: String| format!("{per}{}ORDER BY {keys}", if per.is_empty() { "" } else { " " });
            let value = match window.kind {
                WindowKind::Rank => format!("RANK() OVER ({})", ordered(self.dialect.sql().nulls_last(&of, true))),
                WindowKind::Share => {
                    let total = format!("SUM({of}) OVER ({per})");
                    terms::quotient_expr(&of, &total, window.of.family, self.dialect)
                }
                WindowKind::Lag | WindowKind::MovingSum | WindowKind::MovingAvg => {
                    let mut keys: Vec<String> = window.along.iter().map(|o| self.sort_key(o, false)).collect();
                    keys.extend(self.tie_breaking_keys(window.per.iter().chain(&window.along)));
                    let over = ordered(keys.join(", "));
                    let frame = format!("ROWS BETWEEN {} PRECEDING AND CURRENT ROW", window.rows - 1);
                    match window.kind {
                        WindowKind::Lag => self.dialect.sql().lag(&of, window.rows, &over),
                        WindowKind::MovingSum => format!("SUM({of}) OVER ({over} {frame})"),
                        _ => format!("{} OVER ({over} {frame})", self.dialect.sql().mean(&of)),
                    }
                }
                WindowKind::RunningTotal => {
                    let along: Vec<String> = window.along.iter().map(|o| self.sort_key(o, false)).collect();
                    format!("SUM({of}) OVER ({})", ordered(along.join(", ")))
                }
            };
            columns.push(format!("{value} AS {}", self.quoted_name(&window.output)));
        }
        let having: Vec<String> = plan
            .having
            .iter()
            .map(|c| self.condition_expr(c, &|o, _| (self.computed_output(o), o.converted_type())))
            .collect();
        let having = if having.is_empty() { String::new() } else { format!("\nWHERE {}", having.join(" AND ")) };
        format!("SELECT {}\nFROM (\n{below}\n) AS grouped{having}", columns.join(", "))
    }

    /// Generates a further level: the first rows of each group.
    fn first_of_each(&self, below: &str) -> String {
        let Some(top) = &self.plan.top else { return below.to_owned() };
        let place = unused_name("place", |name| self.plan.outputs().any(|o| o.name.eq_ignore_ascii_case(name)));
        let place = quote_identifier(&place, self.dialect);
        let columns: Vec<String> = self.plan.outputs().map(|o| self.quoted_name(o)).collect();
        let columns = columns.join(", ");
        let per: Vec<String> = top.per.iter().map(|o| self.quoted_name(o)).collect();
        let per = if per.is_empty() { String::new() } else { format!("PARTITION BY {} ", per.join(", ")) };
        let sorts = self.dialect.sql().ignores_nulls_last_of_first_row() && top.n == 1 && top.ascending;
        let keys: Vec<String> = sorts
            .then(|| format!("{} IS NULL", self.converted_output(&top.by)))
            .into_iter()
            .chain(std::iter::once(self.sort_key(&top.by, !top.ascending)))
            .chain(self.tie_breaking_keys(top.per.iter().chain(std::iter::once(&top.by))))
            .collect();
        let number = format!("ROW_NUMBER() OVER ({per}ORDER BY {}) AS {place}", keys.join(", "));
        format!(
            "SELECT {columns}\nFROM (\nSELECT {columns}, {number}\nFROM (\n{below}\n) AS kept\n) AS placed\nWHERE {place} \
             <= {}",
            top.n
        )
    }

    fn sort_key(&self, by: &Output, descending: bool) -> String {
        self.dialect.sql().nulls_last(&self.converted_output(by), descending)
    }

    /// Returns tie-breaking sort keys: the dimensions, which identify groups.
    fn tie_breaking_keys<'o>(&self, given: impl Iterator<Item = &'o Output>) -> Vec<String> {
        let given: Vec<&Output> = given.collect();
        let dimensions = self.plan.dimensions.iter().map(|d| &d.output);
        dimensions
            .filter(|o| o.family != ColumnType::Other)
            // Different texts can be the same number.
            .filter(|o| !given.contains(o) || o.converted_type() != o.family)
            .map(|o| self.dialect.sql().nulls_last(&self.quoted_name(o), false))
            .collect()
    }
}
