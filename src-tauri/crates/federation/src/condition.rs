//! Conditions of a query that concern the columns of one table.

use crate::source::Source;
use sqlparser::ast::{BinaryOperator, CastKind, DataType, Expr, TimezoneInfo, UnaryOperator, Value, ValueWithSpan};
use vitrine_domain::Table;
use vitrine_sql::dialect::{ColumnTest, Comparison, Constant};
use vitrine_sql::{DialectExt, quote_identifier};

/// A condition over the columns of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Filter {
    /// A test of the column at a place.
    Test(usize, ColumnTest),
    /// All hold.
    All(Vec<Filter>),
    /// At least one holds.
    Any(Vec<Filter>),
}

/// A filter as a source evaluates it.
pub(crate) struct WrittenFilter {
    pub sql: String,
    /// True if it holds for the same rows as in the local engine.
    pub exact: bool,
}

/// Reads a condition. `column` returns the place of a column of the table. `None` if a part of the condition concerns
/// anything else.
pub(crate) fn read_filter(expr: &Expr, column: &dyn Fn(&Expr) -> Option<usize>) -> Option<Filter> {
    let test = |expr: &Expr, test: ColumnTest| column(expr).map(|at| Filter::Test(at, test));
    match expr {
        Expr::Nested(inner) => read_filter(inner, column),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            Some(Filter::All(vec![read_filter(left, column)?, read_filter(right, column)?]))
        }
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            Some(Filter::Any(vec![read_filter(left, column)?, read_filter(right, column)?]))
        }
        Expr::BinaryOp { left, op, right } => {
            let comparison = match op {
                BinaryOperator::Eq => Comparison::Equal,
                BinaryOperator::NotEq => Comparison::NotEqual,
                BinaryOperator::Lt => Comparison::Less,
                BinaryOperator::LtEq => Comparison::LessOrEqual,
                BinaryOperator::Gt => Comparison::Greater,
                BinaryOperator::GtEq => Comparison::GreaterOrEqual,
                _ => return None,
            };
            match (read_constant(left), read_constant(right)) {
                (None, Some(constant)) => test(left, ColumnTest::Compare(comparison, constant)),
                (Some(constant), None) => test(right, ColumnTest::Compare(comparison.mirrored(), constant)),
                _ => None,
            }
        }
        Expr::InList { expr, list, negated } => {
            let constants: Vec<Constant> = list.iter().map(read_constant).collect::<Option<_>>()?;
            if !negated {
                return test(expr, ColumnTest::OneOf(constants));
            }
            let differs = |constant| test(expr, ColumnTest::Compare(Comparison::NotEqual, constant));
            constants.into_iter().map(differs).collect::<Option<_>>().map(Filter::All)
        }
        Expr::Between { expr, negated, low, high } => {
            let (low, high) = (read_constant(low)?, read_constant(high)?);
            let compare = |comparison, constant| test(expr, ColumnTest::Compare(comparison, constant));
            Some(match negated {
                false => Filter::All(vec![
                    compare(Comparison::GreaterOrEqual, low)?,
                    compare(Comparison::LessOrEqual, high)?,
                ]),
                true => Filter::Any(vec![compare(Comparison::Less, low)?, compare(Comparison::Greater, high)?]),
            })
        }
        Expr::Like { negated: false, any: false, expr, pattern, escape_char: None } => match read_constant(pattern)? {
            Constant::Text(pattern) => test(expr, ColumnTest::Like(pattern)),
            _ => None,
        },
        Expr::IsNull(inner) => test(inner, ColumnTest::IsNull),
        Expr::IsNotNull(inner) => test(inner, ColumnTest::IsNotNull),
        Expr::IsTrue(inner) => test(inner, equals(true)),
        Expr::IsFalse(inner) => test(inner, equals(false)),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => match expr.as_ref() {
            Expr::IsNull(inner) => test(inner, ColumnTest::IsNotNull),
            Expr::IsNotNull(inner) => test(inner, ColumnTest::IsNull),
            inner => test(inner, equals(false)),
        },
        other => test(other, equals(true)),
    }
}

fn equals(value: bool) -> ColumnTest {
    ColumnTest::Compare(Comparison::Equal, Constant::Boolean(value))
}

/// Returns a number of a query in a notation that all engines read alike.
pub(crate) fn read_number(expr: &Expr) -> Option<String> {
    match read_constant(expr)? {
        Constant::Number(number) if number.len() <= 16 && !number.contains(['e', 'E', '_']) => Some(number),
        _ => None,
    }
}

fn read_constant(expr: &Expr) -> Option<Constant> {
    let text = |value: &Value| match value {
        Value::SingleQuotedString(text) => Some(text.clone()),
        _ => None,
    };
    let is_moment = |data_type: &DataType| {
        matches!(
            data_type,
            DataType::Date
                | DataType::Datetime(_)
                | DataType::Timestamp(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone)
        )
    };
    match expr {
        Expr::Nested(inner) => read_constant(inner),
        Expr::Value(ValueWithSpan { value, .. }) => match value {
            Value::Number(number, false) => Some(Constant::Number(number.clone())),
            Value::Boolean(value) => Some(Constant::Boolean(*value)),
            other => text(other).map(Constant::Text),
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match read_constant(expr)? {
            Constant::Number(number) if !number.starts_with('-') => Some(Constant::Number(format!("-{number}"))),
            _ => None,
        },
        Expr::TypedString(typed) if is_moment(&typed.data_type) => text(&typed.value.value).map(Constant::Moment),
        Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr, data_type, .. } if is_moment(data_type) => {
            match expr.as_ref() {
                Expr::Value(ValueWithSpan { value, .. }) => text(value).map(Constant::Moment),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Writes a filter in the dialect of its source. AggregateParts of AND that the source may evaluate differently are left out; `None`
/// if nothing remains.
pub(crate) fn write_filter(filter: &Filter, source: &Source, table: &Table) -> Option<WrittenFilter> {
    match filter {
        Filter::Test(at, test) => {
            let dialect = source.catalog.dialect;
            let column = &table.columns[*at];
            let name = quote_identifier(&column.name, dialect);
            let written = dialect.sql().pushed_test(&name, &column.data_type, test)?;
            Some(WrittenFilter { sql: written.sql, exact: written.exact })
        }
        Filter::All(parts) => {
            let written: Vec<WrittenFilter> =
                parts.iter().filter_map(|part| write_filter(part, source, table)).collect();
            let exact = written.len() == parts.len() && written.iter().all(|part| part.exact);
            join(written, " AND ", exact)
        }
        Filter::Any(parts) => {
            let written: Vec<WrittenFilter> =
                parts.iter().map(|part| write_filter(part, source, table)).collect::<Option<_>>()?;
            let exact = written.iter().all(|part| part.exact);
            join(written, " OR ", exact)
        }
    }
}

fn join(parts: Vec<WrittenFilter>, between: &str, exact: bool) -> Option<WrittenFilter> {
    let texts: Vec<String> = parts.into_iter().map(|part| part.sql).collect();
    match texts.as_slice() {
        [] => None,
        [only] => Some(WrittenFilter { sql: only.clone(), exact }),
        _ => Some(WrittenFilter { sql: format!("({})", texts.join(between)), exact }),
    }
}
