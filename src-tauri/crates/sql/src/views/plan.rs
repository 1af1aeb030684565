//! A view whose every name is known: what `check` makes of a spec and what is written as SQL.

use super::relation::{Rows, ViewColumn};
use super::{Hidden, ViewRelation};
use crate::ColumnType;
use vitrine_domain::views::{Aggregate, Comparison, JoinKind, Period, Sign, WindowKind};

/// A view with its names resolved. Sources stand in the order of joining: each is linked to an earlier one.
#[derive(Debug, Clone)]
pub(super) struct Plan<'a> {
    pub name: String,
    pub sources: Vec<Source<'a>>,
    pub dimensions: Vec<Dimension>,
    pub metrics: Vec<Metric>,
    pub ratios: Vec<Ratio>,
    pub windows: Vec<Window>,
    pub conditions: Vec<Held<Field>>,
    pub having: Vec<Held<Output>>,
    pub distinct: bool,
    pub top: Option<Top>,
    pub order: Vec<(Output, bool)>,
    pub limit: Option<u32>,
}

#[derive(Debug, Clone)]
pub(super) struct Source<'a> {
    pub alias: String,
    pub rows: Rows<'a>,
    /// How it is joined; none of the first.
    pub link: Option<Link>,
    /// Whether it may be missing in a row.
    pub nullable: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Link {
    /// An earlier source.
    pub parent: usize,
    pub kind: JoinKind,
    /// Pairs of columns, the parent's first.
    pub on: Vec<(String, String)>,
}

/// A column of a source, as it is stored or as what it hides.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub source: usize,
    pub column: String,
    /// What can be done with it as it is taken.
    pub family: ColumnType,
    /// As what it is read; `None` as it is stored.
    pub read: Option<Hidden>,
}

/// A column of the view.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Output {
    pub name: String,
    pub family: ColumnType,
    /// What its text hides.
    pub hidden: Option<Hidden>,
}

impl Output {
    /// One that hides nothing.
    pub fn plain(name: impl Into<String>, family: ColumnType) -> Self {
        Self { name: name.into(), family, hidden: None }
    }

    /// What can be done with it when it is read as what it hides.
    pub fn meant(&self) -> ColumnType {
        self.hidden.as_ref().and_then(Hidden::family).unwrap_or(self.family)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Dimension {
    pub field: Field,
    pub by: Option<Period>,
    pub output: Output,
}

#[derive(Debug, Clone)]
pub(super) struct Metric {
    pub agg: Aggregate,
    pub of: Option<Value>,
    pub output: Output,
    /// Sources whose rows would be repeated, so that each has to be told from its repetitions.
    pub once: Option<Vec<usize>>,
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Field(Field),
    Number(String),
    Arithmetic(Box<Value>, Sign, Box<Value>),
}

#[derive(Debug, Clone)]
pub(super) struct Ratio {
    pub of: Output,
    pub to: Output,
    pub output: Output,
}

#[derive(Debug, Clone)]
pub(super) struct Window {
    pub kind: WindowKind,
    pub of: Output,
    pub per: Vec<Output>,
    pub along: Vec<Output>,
    pub output: Output,
}

#[derive(Debug, Clone)]
pub(super) struct Top {
    pub n: u32,
    pub by: Output,
    pub per: Vec<Output>,
    pub ascending: bool,
}

/// A condition; `T` is what is compared.
#[derive(Debug, Clone)]
pub(super) enum Held<T> {
    Test { of: T, op: Comparison, with: Vec<Fixed> },
    Any(Vec<Held<T>>),
    All(Vec<Held<T>>),
}

/// A constant as it has to be written beside its column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fixed {
    Text(String),
    Number(String),
    Boolean(bool),
    Day(String),
}

impl Value {
    /// The fields in it.
    pub fn fields(&self) -> Vec<&Field> {
        match self {
            Value::Field(field) => vec![field],
            Value::Number(_) => Vec::new(),
            Value::Arithmetic(left, _, right) => left.fields().into_iter().chain(right.fields()).collect(),
        }
    }

    /// The family of its result.
    pub fn family(&self) -> ColumnType {
        match self {
            Value::Field(field) => field.family,
            Value::Number(text) if text.parse::<i64>().is_ok() => ColumnType::Whole,
            Value::Number(_) => ColumnType::Decimal,
            Value::Arithmetic(left, sign, right) => match (left.family(), right.family()) {
                (ColumnType::Float, _) | (_, ColumnType::Float) => ColumnType::Float,
                (ColumnType::Unknown, _) | (_, ColumnType::Unknown) => ColumnType::Unknown,
                (ColumnType::Whole, ColumnType::Whole) if *sign != Sign::Over => ColumnType::Whole,
                _ => ColumnType::Decimal,
            },
        }
    }
}

impl<'a> Plan<'a> {
    /// All columns of the view, in order.
    pub fn outputs(&self) -> impl Iterator<Item = &Output> {
        let dimensions = self.dimensions.iter().map(|d| &d.output);
        let metrics = self.metrics.iter().map(|m| &m.output);
        let ratios = self.ratios.iter().map(|r| &r.output);
        dimensions.chain(metrics).chain(ratios).chain(self.windows.iter().map(|w| &w.output))
    }

    /// Whether rows are grouped.
    pub fn is_grouped(&self) -> bool {
        !self.metrics.is_empty()
    }

    /// What later views can read.
    pub fn relation(&self) -> ViewRelation {
        let base = |field: &Field| {
            let column = self.sources[field.source].rows.relation.column(&field.column);
            column.map(|c| (c.sources.clone(), c.plain)).unwrap_or_default()
        };
        let mut columns: Vec<ViewColumn> = Vec::new();
        let mut push = |output: &Output, sources: Vec<(String, String)>, plain: bool| {
            let Output { name, family, hidden } = output.clone();
            columns.push(ViewColumn { name, family, hidden, sources, plain });
        };
        for dimension in &self.dimensions {
            let (sources, plain) = base(&dimension.field);
            push(&dimension.output, sources, plain && dimension.by.is_none());
        }
        let mut of_metrics: Vec<(&str, Vec<(String, String)>)> = Vec::new();
        for metric in &self.metrics {
            let fields = metric.of.as_ref().map(Value::fields).unwrap_or_default();
            let sources = united(fields.into_iter().map(|field| base(field).0));
            of_metrics.push((&metric.output.name, sources.clone()));
            push(&metric.output, sources, false);
        }
        let named = |name: &str| {
            of_metrics
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, s)| s.clone())
                .or_else(|| self.dimensions.iter().find(|d| d.output.name == name).map(|d| base(&d.field).0))
        };
        let mut of_ratios = Vec::new();
        for ratio in &self.ratios {
            let sources = united([&ratio.of, &ratio.to].into_iter().filter_map(|o| named(&o.name)));
            of_ratios.push((ratio.output.name.as_str(), sources.clone()));
            push(&ratio.output, sources, false);
        }
        for window in &self.windows {
            let ratio = of_ratios.iter().find(|(n, _)| *n == window.of.name).map(|(_, s)| s.clone());
            let sources = if window.kind == WindowKind::Rank { None } else { ratio.or_else(|| named(&window.of.name)) };
            push(&window.output, sources.unwrap_or_default(), false);
        }
        let (keys, unique) = self.keys();
        ViewRelation { name: self.name.clone(), columns, keys, unique }
    }
}

fn united<T: PartialEq>(parts: impl IntoIterator<Item = Vec<T>>) -> Vec<T> {
    let mut all = Vec::new();
    for one in parts.into_iter().flatten() {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}
