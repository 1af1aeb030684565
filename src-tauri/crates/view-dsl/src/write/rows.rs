//! Generates the parts of a view's query: names, values, conditions, and the joined rows of its sources.

use super::terms::unused_name;
use super::{casts, reading, terms};
use crate::model::plan::{Dimension, Field, Fixed, Held, Metric, Output, Plan, Value};
use crate::model::relation::{Rows, ViewColumn};
use vitrine_domain::Dialect;
use vitrine_domain::views::{Aggregate, CastType, Comparison, JoinKind, Sign};
use vitrine_sql::{ColumnType, DialectExt, quote_identifier, table_ref};

/// Generates the parts of one plan in one dialect.
pub(crate) struct Writer<'p> {
    pub plan: &'p Plan<'p>,
    pub dialect: Dialect,
}

impl Writer<'_> {
    pub(crate) fn quoted_name(&self, output: &Output) -> String {
        quote_identifier(&output.name, self.dialect)
    }

    fn field_expr(&self, field: &Field) -> String {
        let alias = quote_identifier(&self.plan.sources[field.source].alias, self.dialect);
        let stored = format!("{alias}.{}", quote_identifier(&field.column, self.dialect));
        field
            .read
            .as_ref()
            .map_or_else(|| stored.clone(), |hidden| reading::read_as_hidden(&stored, hidden, self.dialect))
    }

    /// Returns an expression for the day of a value.
    fn day_of(&self, value: &Value) -> String {
        let field = match value {
            Value::Field(field) => field,
            Value::Either(one, other) => {
                let day = |field: &Field| self.day_of(&Value::Field(field.clone()));
                return format!("COALESCE({}, {})", day(one), day(other));
            }
            value => return self.value_expr(value),
        };
        let stored = self.field_expr(&Field { read: None, ..field.clone() });
        field.read.as_ref().map_or_else(|| stored.clone(), |hidden| reading::read_day(&stored, hidden, self.dialect))
    }

    pub(crate) fn dimension_expr(&self, dimension: &Dimension) -> String {
        let value = &dimension.value;
        match dimension.by {
            Some(period) => self.dialect.sql().first_day(&self.day_of(value), period, value.family()),
            None => self.value_expr(value),
        }
    }

    pub(crate) fn value_expr(&self, value: &Value) -> String {
        match value {
            Value::Field(field) => self.field_expr(field),
            Value::Either(one, other) => format!("COALESCE({}, {})", self.field_expr(one), self.field_expr(other)),
            Value::Number(number) => terms::number_literal(number),
            Value::Constant(fixed) => terms::constant_literal(fixed, self.dialect),
            Value::Nested(field, path, to) => {
                let found = self.dialect.sql().text_at_path(&self.field_expr(field), path, field.family);
                casts::cast_expr(&found, ColumnType::Text, *to, self.dialect)
            }
            Value::Cast(of, to) => {
                let day = *to == CastType::Date && matches!(of.family(), ColumnType::Date | ColumnType::Timestamp);
                let expr = if day { self.day_of(of) } else { self.value_expr(of) };
                casts::cast_expr(&expr, of.family(), *to, self.dialect)
            }
            Value::Case { branches, otherwise } => {
                let branches = branches.iter().map(|(when, then)| {
                    let when: Vec<String> = when.iter().map(|c| self.row_condition(c)).collect();
                    format!("WHEN {} THEN {}", when.join(" AND "), terms::constant_literal(then, self.dialect))
                });
                let branches: Vec<String> = branches.collect();
                let otherwise =
                    otherwise.as_ref().map(|other| format!(" ELSE {}", terms::constant_literal(other, self.dialect)));
                format!("CASE {}{} END", branches.join(" "), otherwise.unwrap_or_default())
            }
            Value::Steps { from, to, unit } => {
                let day = |value: &Value| self.dialect.sql().day_of(&self.day_of(value), value.family());
                self.dialect.sql().count_steps(&day(from), &day(to), *unit)
            }
            Value::Arithmetic(left, sign, right) => {
                let family = left.family();
                let side = |side: &Value| match side {
                    Value::Arithmetic(..) | Value::Steps { .. } => format!("({})", self.value_expr(side)),
                    _ => self.value_expr(side),
                };
                let (left, right) = (side(left), side(right));
                match sign {
                    Sign::Plus => format!("{left} + {right}"),
                    Sign::Minus => format!("{left} - {right}"),
                    Sign::Times => format!("{left} * {right}"),
                    Sign::Over => terms::quotient_expr(&left, &right, family, self.dialect),
                }
            }
        }
    }

    /// Generates GROUP BY for the dimensions, which come first in the select list; `keys` are their expressions.
    pub(crate) fn group_by(&self, keys: &[String]) -> String {
        if !self.plan.is_grouped() || self.plan.dimensions.is_empty() {
            return String::new();
        }
        let places: Vec<String> = match self.dialect.sql().groups_by_number() {
            true => (1..=keys.len()).map(|n| n.to_string()).collect(),
            false => keys.to_vec(),
        };
        format!("\nGROUP BY {}", places.join(", "))
    }

    pub(crate) fn render_from(&self) -> String {
        let mut sql = String::new();
        let mut conditions: Vec<String> = Vec::new();
        for (index, source) in self.plan.sources.iter().enumerate() {
            let alias = quote_identifier(&source.alias, self.dialect);
            let mut table = self.table_expr(&source.rows);
            if let Some(number) = self.row_number(index) {
                let number = quote_identifier(&number, self.dialect);
                let numbers = self.dialect.sql().row_numbers();
                let named = if source.rows.united.is_empty() { "" } else { " AS united" };
                table = format!("(SELECT *, {numbers} AS {number} FROM {table}{named})");
            }
            let table = if table == alias { table } else { format!("{table} AS {alias}") };
            let Some(link) = &source.link else {
                sql += &format!("FROM {table}");
                continue;
            };
            let parent = quote_identifier(&self.plan.sources[link.parent].alias, self.dialect);
            let on: Vec<String> = link
                .on
                .iter()
                .map(|(up, own)| {
                    format!(
                        "{parent}.{} = {alias}.{}",
                        quote_identifier(up, self.dialect),
                        quote_identifier(own, self.dialect)
                    )
                })
                .collect();
            let (join, on) = match link.kind {
                JoinKind::Inner => ("JOIN", on),
                JoinKind::Left => ("LEFT JOIN", on),
                JoinKind::Full => ("FULL JOIN", on),
                JoinKind::Anti => {
                    let partner =
                        self.plan.conditions.iter().filter(|c| names_source(c, index)).map(|c| self.row_condition(c));
                    let partner: Vec<String> = on.into_iter().chain(partner).collect();
                    let Some(join) = self.dialect.sql().anti_join() else {
                        let partner = partner.join(" AND ");
                        conditions.push(format!("NOT EXISTS (SELECT 1 FROM {table} WHERE {partner})"));
                        continue;
                    };
                    (join, partner)
                }
            };
            sql += &format!("\n{join} {table} ON {}", on.join(" AND "));
        }
        let absent = |c: &&Held<Value>| c.fields().iter().any(|f| self.plan.sources[f.source].is_absent());
        conditions.extend(self.plan.conditions.iter().filter(|c| !absent(c)).map(|c| self.row_condition(c)));
        if !conditions.is_empty() {
            sql += &format!("\nWHERE {}", conditions.join(" AND "));
        }
        sql
    }

    /// Returns the value that a metric aggregates: NULL for rows that do not meet its conditions. `None` if every row
    /// counts.
    pub(crate) fn aggregated_value(&self, metric: &Metric) -> Option<String> {
        let value = metric.of.as_ref().map(|of| self.value_expr(of));
        match self.metric_condition(metric) {
            Some(counts) => Some(format!("CASE WHEN {counts} THEN {} END", value.as_deref().unwrap_or("1"))),
            None => value,
        }
    }

    /// Returns the condition for a joined row to count for a metric; `None` if every row does.
    pub(crate) fn metric_condition(&self, metric: &Metric) -> Option<String> {
        let all: Vec<String> = metric.conditions.iter().map(|c| self.row_condition(c)).collect();
        (!all.is_empty()).then(|| all.join(" AND "))
    }

    /// Returns the table or union that a source is read from.
    fn table_expr(&self, rows: &Rows<'_>) -> String {
        if rows.united.is_empty() {
            return table_ref(&rows.name, self.dialect);
        }
        let part = |part: &Rows<'_>| {
            let column = |column: &ViewColumn| {
                let name = quote_identifier(&column.name, self.dialect);
                match part.relation.column(&column.name) {
                    Some(own) if rows.series.as_ref() != Some(&column.name) => {
                        let own = quote_identifier(&own.name, self.dialect);
                        if own == name { own } else { format!("{own} AS {name}") }
                    }
                    _ => format!("{} AS {name}", self.dialect.sql().text_literal(&part.name.name)),
                }
            };
            let columns: Vec<String> = rows.relation.columns.iter().map(column).collect();
            format!("SELECT {} FROM {}", columns.join(", "), table_ref(&part.name, self.dialect))
        };
        let parts: Vec<String> = rows.united.iter().map(part).collect();
        format!("({})", parts.join(" UNION ALL "))
    }

    /// Returns a condition on joined rows.
    pub(crate) fn row_condition(&self, condition: &Held<Value>) -> String {
        self.condition_expr(condition, &|value, day| {
            (if day { self.day_of(value) } else { self.value_expr(value) }, value.family())
        })
    }

    /// Returns the name of a row number that identifies a source's rows, if a metric needs one and the source has no
    /// key.
    pub(crate) fn row_number(&self, source: usize) -> Option<String> {
        let relation = &self.plan.sources[source].rows.relation;
        let asked = self.plan.metrics.iter().any(|m| m.once.as_ref().is_some_and(|of| of.contains(&source)));
        (asked && relation.keys.is_empty()).then(|| unused_name("row_no", |name| relation.column(name).is_some()))
    }

    pub(crate) fn condition_expr<T>(&self, held: &Held<T>, of: &dyn Fn(&T, bool) -> (String, ColumnType)) -> String {
        let joined = |all: &[Held<T>], word: &str| {
            let all: Vec<String> = all.iter().map(|c| self.condition_expr(c, of)).collect();
            if all.len() == 1 { all.concat() } else { format!("({})", all.join(word)) }
        };
        match held {
            Held::Any(all) => joined(all, " OR "),
            Held::All(all) => joined(all, " AND "),
            Held::Pair { left, op, right, days } => {
                let side = |side: &T| {
                    let (expr, family) = of(side, *days);
                    if *days {
                        self.dialect.sql().day_of(&expr, family)
                    } else {
                        terms::moment_expr(expr, family, self.dialect)
                    }
                };
                format!("{} {} {}", side(left), operator_symbol(*op), side(right))
            }
            Held::Test { of: what, op, with } => {
                let is_day = matches!(with.first(), Some(Fixed::Day(_)));
                let (mut expr, family) = of(what, is_day);
                if let (Comparison::Contains | Comparison::Like, Some(Fixed::Text(wanted))) = (op, with.first()) {
                    return terms::search_condition(&expr, *op, wanted, family, self.dialect);
                }
                if is_day {
                    expr = self.dialect.sql().day_of(&expr, family);
                }
                let with: Vec<String> = with.iter().map(|f| terms::constant_literal(f, self.dialect)).collect();
                let with = with.as_slice();
                match op {
                    Comparison::IsNull => format!("{expr} IS NULL"),
                    Comparison::IsNotNull => format!("{expr} IS NOT NULL"),
                    Comparison::In => format!("{expr} IN ({})", with.join(", ")),
                    Comparison::NotIn => format!("{expr} NOT IN ({})", with.join(", ")),
                    Comparison::Between => format!("{expr} BETWEEN {}", with.join(" AND ")),
                    _ => format!("{expr} {} {}", operator_symbol(*op), with.concat()),
                }
            }
        }
    }
}

/// Returns true if a condition names a source.
fn names_source(condition: &Held<Value>, source: usize) -> bool {
    condition.fields().iter().any(|field| field.source == source)
}

fn operator_symbol(op: Comparison) -> &'static str {
    match op {
        Comparison::IsNot => "<>",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::More => ">",
        Comparison::AtLeast => ">=",
        _ => "=",
    }
}

/// Generates an aggregate that the dialect supports.
pub(crate) fn aggregate_expr(metric: &Metric, of: Option<String>, dialect: Dialect) -> String {
    let of = of.unwrap_or_else(|| "*".to_owned());
    match metric.agg {
        Aggregate::Count => format!("COUNT({of})"),
        Aggregate::CountDistinct => format!("COUNT(DISTINCT {of})"),
        Aggregate::Sum => format!("SUM({of})"),
        Aggregate::Avg => dialect.sql().mean(&of),
        Aggregate::Min => format!("MIN({of})"),
        Aggregate::Max => format!("MAX({of})"),
        Aggregate::Median => dialect.sql().median(&of),
        Aggregate::Stddev => dialect.sql().standard_deviation(&of),
    }
}
