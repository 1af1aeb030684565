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
    /// The join with an earlier source; `None` for the first source.
    pub link: Option<Link>,
    /// True if its row may be missing.
    pub nullable: bool,
}

impl Source<'_> {
    /// Returns true if it is the excluded side of an anti join.
    pub fn is_absent(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.kind == JoinKind::Anti)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// Index of the earlier source.
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
    /// Its type after conversion to the hidden type.
    pub family: ColumnType,
    /// The hidden type that it is converted to; `None` for the stored value.
    pub read: Option<Hidden>,
}

/// A column of the view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Output {
    pub name: String,
    pub family: ColumnType,
    /// Its hidden type, if it is stored text.
    pub hidden: Option<Hidden>,
}

impl Output {
    /// Creates a column without a hidden type.
    pub fn without_hidden_type(name: impl Into<String>, family: ColumnType) -> Self {
        Self { name: name.into(), family, hidden: None }
    }

    /// Returns its type after conversion to the hidden type.
    pub fn converted_type(&self) -> ColumnType {
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
    /// Returns the column, if the dimension is an unchanged one.
    pub fn unchanged_field(&self) -> Option<&Field> {
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
    /// Conditions for a joined row to be counted.
    pub conditions: Vec<Held<Value>>,
    pub output: Output,
    /// Sources whose rows the joins would repeat, so that repetitions must be identified.
    pub once: Option<Vec<usize>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Field(Field),
    /// The join column of a full join: from the first side, otherwise from the second.
    Either(Field, Field),
    Number(String),
    Arithmetic(Box<Value>, Sign, Box<Value>),
    Constant(Fixed),
    /// Calendar steps from one date to another.
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
    /// A path into a nested column.
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
    /// Offset of an earlier row, or number of rows in the window.
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

/// A resolved condition; `T` is the type of its operands.
#[derive(Debug, Clone)]
pub(crate) enum Held<T> {
    Test {
        of: T,
        op: Comparison,
        with: Vec<Fixed>,
    },
    /// Two operands; compared by day if both are dates but not both timestamps.
    Pair {
        left: T,
        op: Comparison,
        right: T,
        days: bool,
    },
    Any(Vec<Held<T>>),
    All(Vec<Held<T>>),
}

/// A constant of the type that its column needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fixed {
    Text(String),
    Number(String),
    Boolean(bool),
    Day(String),
}

impl Fixed {
    /// Returns the type of the constant.
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
    /// Returns the fields of the condition.
    pub fn fields(&self) -> Vec<&Field> {
        match self {
            Held::Test { of, .. } => of.fields(),
            Held::Pair { left, right, .. } => left.fields().into_iter().chain(right.fields()).collect(),
            Held::Any(all) | Held::All(all) => all.iter().flat_map(Held::fields).collect(),
        }
    }
}

impl Value {
    /// Returns true if the expression can have a value although a row in it is missing.
    pub fn survives_missing_rows(&self) -> bool {
        match self {
            Value::Case { .. } => true,
            Value::Arithmetic(left, _, right) => left.survives_missing_rows() || right.survives_missing_rows(),
            Value::Cast(of, _) => of.survives_missing_rows(),
            _ => false,
        }
    }

    /// Returns the fields of the expression.
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

    /// Returns the type of the expression.
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
    /// Returns all columns of the view, in order.
    pub fn outputs(&self) -> impl Iterator<Item = &Output> {
        let dimensions = self.dimensions.iter().map(|d| &d.output);
        let metrics = self.metrics.iter().map(|m| &m.output);
        let ratios = self.ratios.iter().map(|r| &r.output);
        dimensions.chain(metrics).chain(ratios).chain(self.windows.iter().map(|w| &w.output))
    }

    /// Returns true if rows are grouped.
    pub fn is_grouped(&self) -> bool {
        !self.metrics.is_empty()
    }
}
