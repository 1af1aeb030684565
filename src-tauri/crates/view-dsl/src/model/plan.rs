//! A resolved view: the output of `check` and the input of `write`.

use super::hidden::Hidden;
use super::relation::Rows;
use vitrine_domain::views::{Aggregate, CastType, Comparison, JoinKind, Period, Sign, Step, WindowKind};
use vitrine_sql::ColumnType;

/// A view with its names resolved. Sources are in join order: each is linked to an earlier one.
#[derive(Debug, Clone)]
pub(crate) struct Plan<'a> {
    pub name: String,
    pub sources: Vec<Source<'a>>,
    pub dimensions: Vec<Dimension>,
    pub metrics: Vec<Metric>,
    pub ratios: Vec<Ratio>,
    pub windows: Vec<Window>,
    pub conditions: Vec<Held<Value>>,
    pub having: Vec<Held<Output>>,
    pub distinct: bool,
    pub top: Option<Top>,
    pub order: Vec<(Output, bool)>,
    pub limit: Option<u32>,
}

#[derive(Debug, Clone)]
pub(crate) struct Source<'a> {
    pub alias: String,
    pub rows: Rows<'a>,
    /// Its join; `None` for the first source.
    pub link: Option<Link>,
    /// Whether its row may be missing.
    pub nullable: bool,
}

impl Source<'_> {
    /// Whether an anti join leaves its rows out.
    pub fn is_absent(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.kind == JoinKind::Anti)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// An earlier source.
    pub parent: usize,
    pub kind: JoinKind,
    /// Pairs of columns, the parent's first.
    pub on: Vec<(String, String)>,
}

/// A column of a source, as stored or as its hidden type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub source: usize,
    pub column: String,
    /// Its type as it is read.
    pub family: ColumnType,
    /// The hidden type that it is read as; `None` as it is stored.
    pub read: Option<Hidden>,
}

/// A column of the view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Output {
    pub name: String,
    pub family: ColumnType,
    /// Its hidden type.
    pub hidden: Option<Hidden>,
}

impl Output {
    /// A column without a hidden type.
    pub fn plain(name: impl Into<String>, family: ColumnType) -> Self {
        Self { name: name.into(), family, hidden: None }
    }

    /// Its type when it is read as its hidden type.
    pub fn meant(&self) -> ColumnType {
        self.hidden.as_ref().and_then(Hidden::family).unwrap_or(self.family)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Dimension {
    pub value: Value,
    pub by: Option<Period>,
    pub output: Output,
}

impl Dimension {
    /// The column that it is, unchanged.
    pub fn field(&self) -> Option<&Field> {
        match &self.value {
            Value::Field(field) if self.by.is_none() => Some(field),
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Metric {
    pub agg: Aggregate,
    pub of: Option<Value>,
    /// What has to hold of a joined row for it to count.
    pub conditions: Vec<Held<Value>>,
    pub output: Output,
    /// Sources whose rows the joins would repeat, so that each row has to be told from its repetitions.
    pub once: Option<Vec<usize>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Field(Field),
    /// The column of a full join: of the first side, or else of the second.
    Either(Field, Field),
    Number(String),
    Arithmetic(Box<Value>, Sign, Box<Value>),
    Constant(Fixed),
    /// Steps of the calendar from one date to another.
    Steps {
        from: Box<Value>,
        to: Box<Value>,
        unit: Period,
    },
    /// The first constant whose conditions all hold.
    Case {
        branches: Vec<(Vec<Held<Value>>, Fixed)>,
        otherwise: Option<Fixed>,
    },
    Cast(Box<Value>, CastType),
    /// A part of a nested column.
    Nested(Field, Vec<Step>, CastType),
}

#[derive(Debug, Clone)]
pub(crate) struct Ratio {
    pub of: Output,
    pub to: Output,
    pub output: Output,
}

#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub kind: WindowKind,
    pub of: Output,
    pub per: Vec<Output>,
    pub along: Vec<Output>,
    /// Rows before this one, or rows in the window.
    pub rows: u32,
    pub output: Output,
}

#[derive(Debug, Clone)]
pub(crate) struct Top {
    pub n: u32,
    pub by: Output,
    pub per: Vec<Output>,
    pub ascending: bool,
}

/// A condition; `T` is the compared operand.
#[derive(Debug, Clone)]
pub(crate) enum Held<T> {
    Test {
        of: T,
        op: Comparison,
        with: Vec<Fixed>,
    },
    /// Two operands, by their days where both are dates and not both times.
    Pair {
        left: T,
        op: Comparison,
        right: T,
        days: bool,
    },
    Any(Vec<Held<T>>),
    All(Vec<Held<T>>),
}

/// A constant as it is written beside its column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fixed {
    Text(String),
    Number(String),
    Boolean(bool),
    Day(String),
}

impl Fixed {
    /// Its type.
    pub fn family(&self) -> ColumnType {
        match self {
            Fixed::Text(_) => ColumnType::Text,
            Fixed::Number(text) => of_number(text),
            Fixed::Boolean(_) => ColumnType::Boolean,
            Fixed::Day(_) => ColumnType::Date,
        }
    }
}

fn of_number(text: &str) -> ColumnType {
    if text.parse::<i64>().is_ok() { ColumnType::Whole } else { ColumnType::Decimal }
}

impl Held<Value> {
    /// The fields in it.
    pub fn fields(&self) -> Vec<&Field> {
        match self {
            Held::Test { of, .. } => of.fields(),
            Held::Pair { left, right, .. } => left.fields().into_iter().chain(right.fields()).collect(),
            Held::Any(all) | Held::All(all) => all.iter().flat_map(Held::fields).collect(),
        }
    }
}

impl Value {
    /// Whether it can have a value where a row in it is missing.
    pub fn survives(&self) -> bool {
        match self {
            Value::Case { .. } => true,
            Value::Arithmetic(left, _, right) => left.survives() || right.survives(),
            Value::Cast(of, _) => of.survives(),
            _ => false,
        }
    }

    /// The fields in it.
    pub fn fields(&self) -> Vec<&Field> {
        match self {
            Value::Field(field) | Value::Nested(field, ..) => vec![field],
            Value::Either(one, other) => vec![one, other],
            Value::Number(_) | Value::Constant(_) => Vec::new(),
            Value::Cast(of, _) => of.fields(),
            Value::Case { branches, .. } => branches.iter().flat_map(|(when, _)| when).flat_map(Held::fields).collect(),
            Value::Steps { from: left, to: right, .. } | Value::Arithmetic(left, _, right) => {
                left.fields().into_iter().chain(right.fields()).collect()
            }
        }
    }

    /// The type of its result.
    pub fn family(&self) -> ColumnType {
        match self {
            Value::Field(field) | Value::Either(field, _) => field.family,
            Value::Number(text) => of_number(text),
            Value::Constant(fixed) => fixed.family(),
            Value::Case { branches, otherwise } => {
                let all = branches.iter().map(|(_, then)| then).chain(otherwise).map(Fixed::family);
                all.reduce(|a, b| if a == b { a } else { ColumnType::Decimal }).unwrap_or(ColumnType::Unknown)
            }
            Value::Steps { .. } | Value::Nested(.., CastType::Whole) => ColumnType::Whole,
            Value::Nested(.., CastType::Number) => ColumnType::Decimal,
            Value::Nested(.., CastType::Text) => ColumnType::Text,
            Value::Nested(.., CastType::Date) => ColumnType::Date,
            Value::Cast(of, to) => match (to, of.family()) {
                (CastType::Whole, _) => ColumnType::Whole,
                (CastType::Number, family) if family.is_number() && family != ColumnType::Unknown => family,
                (CastType::Number, ColumnType::Boolean) => ColumnType::Whole,
                (CastType::Number, _) => ColumnType::Decimal,
                (CastType::Text, _) => ColumnType::Text,
                (CastType::Date, _) => ColumnType::Date,
            },
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
}

/// A period's own name.
pub(crate) fn word(period: Period) -> &'static str {
    match period {
        Period::Year => "year",
        Period::Quarter => "quarter",
        Period::Month => "month",
        Period::Week => "week",
        Period::Day => "day",
    }
}
