//! Generates grouping in several levels: if joins repeat rows, each row counts once per group (see `grain`); if a
//! dialect lacks an aggregate, it is computed from others (`spread`).

use super::rows::{Writer, aggregate_expr};
use super::terms::unused_name;
use vitrine_sql::quote_identifier;

impl Writer<'_> {
    /// Returns the columns that identify a source's rows.
    fn row_key(&self, source: usize) -> Vec<String> {
        let alias = quote_identifier(&self.plan.sources[source].alias, self.dialect);
        let column = |name: &String| format!("{alias}.{}", quote_identifier(name, self.dialect));
        match self.row_number(source) {
            Some(number) => vec![column(&number)],
            None => self.plan.sources[source].rows.relation.keys.first().into_iter().flatten().map(column).collect(),
        }
    }

    /// Generates joined rows, each numbered among its own repetitions within its group, and groups over the first ones;
    /// if the dialect lacks an aggregate, with an intermediate level for its computation. If a metric has conditions,
    /// repetitions that meet them are numbered separately.
    pub(crate) fn in_levels(&self) -> String {
        let plan = self.plan;
        let taken = |name: &str| plan.outputs().any(|o| o.name.eq_ignore_ascii_case(name));
        let mut counters: Vec<(Vec<usize>, Option<String>, String)> = Vec::new();
        let mut inner: Vec<String> = plan
            .dimensions
            .iter()
            .map(|d| format!("{} AS {}", self.dimension_expr(d), self.quoted_name(&d.output)))
            .collect();
        let grouped: Vec<String> = plan.dimensions.iter().map(|d| self.dimension_expr(d)).collect();
        let mut values: Vec<Option<String>> = Vec::new();
        for metric in &plan.metrics {
            let name = self.quoted_name(&metric.output);
            let counted = self.aggregated_value(metric);
            inner.extend(counted.iter().map(|value| format!("{value} AS {name}")));
            values.push(match &metric.once {
                None => counted.map(|_| name.clone()),
                Some(of) => {
                    let counts = self.metric_condition(metric);
                    let known = counters.iter().find(|(sources, known, _)| sources == of && *known == counts);
                    let known = known.map(|(.., counter)| counter.clone());
                    let counter = known.unwrap_or_else(|| {
                        let number = counters.len() + 1;
                        let counter = quote_identifier(&unused_name(&format!("once_{number}"), taken), self.dialect);
                        counters.push((of.clone(), counts, counter.clone()));
                        counter
                    });
                    Some(format!("CASE WHEN {counter} = 1 THEN {name} END"))
                }
            });
        }
        for (sources, counts, counter) in &counters {
            let keys: Vec<String> = sources.iter().flat_map(|&source| self.row_key(source)).collect();
            let mut parts: Vec<String> = grouped.iter().chain(&keys).cloned().collect();
            parts.extend(counts.iter().map(|counts| format!("CASE WHEN {counts} THEN 1 END")));
            // Repetitions agree in all relevant values; the order exists because Snowflake requires one.
            let order = keys.first().map_or_else(|| "NULL".to_owned(), Clone::clone);
            inner.push(format!(
                "ROW_NUMBER() OVER (PARTITION BY {} ORDER BY {order}) AS {counter}",
                if parts.is_empty() { "NULL".to_owned() } else { parts.join(", ") }
            ));
        }
        let joined = format!("SELECT {}\n{}", inner.join(", "), self.render_from());
        let names: Vec<String> = plan.dimensions.iter().map(|d| self.quoted_name(&d.output)).collect();
        let mut outer = names.clone();
        let (below, word) =
            if plan.metrics.iter().any(|m| self.lacks_aggregate(m.agg)) {
                let (columns, metrics) = self.window_level_columns(&values);
                outer.extend(metrics);
                (format!("SELECT {}\nFROM (\n{joined}\n) AS joined", columns.join(", ")), "spread")
            } else {
                let metrics = plan.metrics.iter().zip(values);
                outer.extend(metrics.map(|(m, of)| {
                    format!("{} AS {}", aggregate_expr(m, of, self.dialect), self.quoted_name(&m.output))
                }));
                (joined, "joined")
            };
        format!("SELECT {}\nFROM (\n{below}\n) AS {word}{}", outer.join(", "), self.group_by(&names))
    }
}
