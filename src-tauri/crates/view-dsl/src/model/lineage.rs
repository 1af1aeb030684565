//! Derives the relation that later views can read: the view's columns with their origins, and its keys.

use super::plan::{Field, Output, Plan, Value};
use super::relation::{ViewColumn, ViewRelation};
use vitrine_domain::views::WindowKind;

impl Plan<'_> {
    /// Returns the relation that later views can read.
    pub fn to_relation(&self) -> ViewRelation {
        let column = |field: &Field| self.sources[field.source].rows.relation.column(&field.column);
        let base = |value: &Value| {
            let fields = value.fields().into_iter();
            union_distinct(fields.map(|field| column(field).map(|c| c.sources.clone()).unwrap_or_default()))
        };
        let mut columns: Vec<ViewColumn> = Vec::new();
        let mut push = |output: &Output, sources: Vec<(String, String)>, plain: bool| {
            let Output { name, family, hidden } = output.clone();
            columns.push(ViewColumn { name, family, hidden, sources, plain });
        };
        for dimension in &self.dimensions {
            let plain = dimension.unchanged_field().and_then(column).is_some_and(|c| c.plain);
            push(&dimension.output, base(&dimension.value), plain);
        }
        let mut of_metrics: Vec<(&str, Vec<(String, String)>)> = Vec::new();
        for metric in &self.metrics {
            let sources = metric.of.as_ref().map(base).unwrap_or_default();
            of_metrics.push((&metric.output.name, sources.clone()));
            push(&metric.output, sources, false);
        }
        let named = |name: &str| {
            of_metrics
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, s)| s.clone())
                .or_else(|| self.dimensions.iter().find(|d| d.output.name == name).map(|d| base(&d.value)))
        };
        let mut of_ratios = Vec::new();
        for ratio in &self.ratios {
            let sources = union_distinct([&ratio.of, &ratio.to].into_iter().filter_map(|o| named(&o.name)));
            of_ratios.push((ratio.output.name.as_str(), sources.clone()));
            push(&ratio.output, sources, false);
        }
        for window in &self.windows {
            let ratio = of_ratios.iter().find(|(n, _)| *n == window.of.name).map(|(_, s)| s.clone());
            let sources = if window.kind == WindowKind::Rank { None } else { ratio.or_else(|| named(&window.of.name)) };
            push(&window.output, sources.unwrap_or_default(), false);
        }
        let (keys, unique) = self.row_keys();
        ViewRelation { name: self.name.clone(), columns, keys, unique }
    }
}

fn union_distinct<T: PartialEq>(parts: impl IntoIterator<Item = Vec<T>>) -> Vec<T> {
    let mut all = Vec::new();
    for one in parts.into_iter().flatten() {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}
