//! Computes medians and deviations in dialects without such aggregates: a median is the mean of the middle values in
//! order, a deviation comes from the distances to the mean. Both are exact and use a further level of windows.

use super::rows::{Writer, aggregate_expr};
use super::terms::unused_name;
use vitrine_domain::views::Aggregate;
use vitrine_sql::{DialectExt, quote_identifier};

impl Writer<'_> {
    /// Returns true if the dialect lacks the aggregate.
    pub(crate) fn lacks_aggregate(&self, agg: Aggregate) -> bool {
        match agg {
            Aggregate::Median => !self.dialect.sql().has_median(),
            Aggregate::Stddev => !self.dialect.sql().has_standard_deviation(),
            _ => false,
        }
    }

    /// Returns the columns of the level between joined rows and groups, and the metrics above it. `values` are the
    /// expressions of the metrics in joined rows.
    pub(crate) fn window_level_columns(&self, values: &[Option<String>]) -> (Vec<String>, Vec<String>) {
        let plan = self.plan;
        let sql = self.dialect.sql();
        let taken = |name: &str| plan.outputs().any(|o| o.name.eq_ignore_ascii_case(name));
        let column = |name: String| quote_identifier(&unused_name(&name, taken), self.dialect);
        let dimensions: Vec<String> = plan.dimensions.iter().map(|d| self.quoted_name(&d.output)).collect();
        let per = match dimensions.as_slice() {
            [] => String::new(),
            names => format!("PARTITION BY {}", names.join(", ")),
        };
        let mut columns = dimensions;
        let mut metrics = Vec::new();
        for (number, (metric, value)) in (1..).zip(plan.metrics.iter().zip(values)) {
            let name = self.quoted_name(&metric.output);
            columns.extend(value.iter().map(|value| format!("{value} AS {name}")));
            let made = match (metric.agg, value) {
                (Aggregate::Median, Some(value)) if self.lacks_aggregate(metric.agg) => {
                    let (place, many) = (column(format!("place_{number}")), column(format!("many_{number}")));
                    let blank = if per.is_empty() { "" } else { " " };
                    let order = sql.nulls_last(value, false);
                    columns.push(format!(
                        "ROW_NUMBER() OVER ({per}{blank}ORDER BY {order}) AS {place}, COUNT({value}) OVER ({per}) AS {many}"
                    ));
                    let middle = format!("CASE WHEN 2 * {place} BETWEEN {many} AND {many} + 2 THEN {name} END");
                    sql.mean(&middle)
                }
                (Aggregate::Stddev, Some(value)) if self.lacks_aggregate(metric.agg) => {
                    let mean = column(format!("mean_{number}"));
                    columns.push(format!("{} OVER ({per}) AS {mean}", sql.mean(value)));
                    format!("SQRT(SUM(({name} - {mean}) * ({name} - {mean})) / NULLIF(COUNT({name}) - 1, 0))")
                }
                (_, value) => aggregate_expr(metric, value.as_ref().map(|_| name.clone()), self.dialect),
            };
            metrics.push(format!("{made} AS {name}"));
        }
        (columns, metrics)
    }
}
