//! From a plan to SQL, in as few levels as it takes: joined rows, groups, what is computed from groups, the first of
//! each. Aggregation is always done in the database: what leaves it are the groups.

use super::once::free;
use super::plan::{Dimension, Field, Held, Metric, Output, Plan, Value};
use super::reading;
use super::terms;
use crate::quote;
use crate::quote::table_ref;
use vitrine_domain::Dialect;
use vitrine_domain::views::{Aggregate, Comparison, JoinKind, Sign, WindowKind};

/// Writes a view's query.
pub(super) fn query(plan: &Plan<'_>, dialect: Dialect) -> String {
    Writer { plan, dialect }.query()
}

pub(super) struct Writer<'p> {
    pub plan: &'p Plan<'p>,
    pub dialect: Dialect,
}

impl Writer<'_> {
    fn query(&self) -> String {
        let plan = self.plan;
        let mut sql = if plan.metrics.iter().any(|m| m.once.is_some()) { self.counted_once() } else { self.joined() };
        if !(plan.having.is_empty() && plan.ratios.is_empty() && plan.windows.is_empty()) {
            sql = self.computed(&sql);
        }
        if plan.top.is_some() {
            sql = self.first_of_each(&sql);
        }
        if plan.order.iter().any(|(by, _)| by.hidden.as_ref().is_some_and(|hidden| *hidden != super::Hidden::Nothing)) {
            // Not every dialect sorts by an expression over what it selects.
            let columns: Vec<String> = plan.outputs().map(|o| self.name(o)).collect();
            sql = format!("SELECT {}\nFROM (\n{sql}\n) AS listed", columns.join(", "));
        }
        let mut order: Vec<String> = plan.order.iter().map(|(by, descending)| self.key(by, *descending)).collect();
        if plan.limit.is_some() {
            order.extend(self.ties(plan.order.iter().map(|(by, _)| by)));
        }
        if !order.is_empty() {
            sql += &format!("\nORDER BY {}", order.join(", "));
        }
        if let Some(limit) = plan.limit {
            sql += &format!("\nLIMIT {limit}");
        }
        sql
    }

    pub(super) fn name(&self, output: &Output) -> String {
        quote(&output.name, self.dialect)
    }

    fn field(&self, field: &Field) -> String {
        let alias = quote(&self.plan.sources[field.source].alias, self.dialect);
        let stored = format!("{alias}.{}", quote(&field.column, self.dialect));
        field.read.as_ref().map_or_else(|| stored.clone(), |hidden| reading::read(&stored, hidden, self.dialect))
    }

    /// A field of which only the day is wanted.
    fn day_of(&self, field: &Field) -> String {
        let stored = self.field(&Field { read: None, ..field.clone() });
        field.read.as_ref().map_or_else(|| stored.clone(), |hidden| reading::read_day(&stored, hidden, self.dialect))
    }

    pub(super) fn dimension(&self, dimension: &Dimension) -> String {
        let field = &dimension.field;
        match dimension.by {
            Some(period) => terms::first_day(&self.day_of(field), period, field.family, self.dialect),
            None => self.field(field),
        }
    }

    pub(super) fn value(&self, value: &Value) -> String {
        match value {
            Value::Field(field) => self.field(field),
            Value::Number(number) => terms::number(number),
            Value::Arithmetic(left, sign, right) => {
                let family = left.family();
                let side = |side: &Value| match side {
                    Value::Arithmetic(..) => format!("({})", self.value(side)),
                    _ => self.value(side),
                };
                let (left, right) = (side(left), side(right));
                match sign {
                    Sign::Plus => format!("{left} + {right}"),
                    Sign::Minus => format!("{left} - {right}"),
                    Sign::Times => format!("{left} * {right}"),
                    Sign::Over => terms::quotient(&left, &right, family, self.dialect),
                }
            }
        }
    }

    /// One level: joined rows, or their groups.
    fn joined(&self) -> String {
        let plan = self.plan;
        let dimensions = plan.dimensions.iter().map(|d| (self.dimension(d), &d.output));
        let metrics = plan.metrics.iter().map(|m| (aggregate(m, m.of.as_ref().map(|of| self.value(of))), &m.output));
        let columns: Vec<String> =
            dimensions.chain(metrics).map(|(sql, output)| format!("{sql} AS {}", self.name(output))).collect();
        let distinct = if plan.distinct { "DISTINCT " } else { "" };
        format!("SELECT {distinct}{}\n{}{}", columns.join(", "), self.from(), self.group_by())
    }

    pub(super) fn group_by(&self) -> String {
        if !self.plan.is_grouped() || self.plan.dimensions.is_empty() {
            return String::new();
        }
        let places: Vec<String> = (1..=self.plan.dimensions.len()).map(|n| n.to_string()).collect();
        format!("\nGROUP BY {}", places.join(", "))
    }

    pub(super) fn from(&self) -> String {
        let mut sql = String::new();
        for (index, source) in self.plan.sources.iter().enumerate() {
            let alias = quote(&source.alias, self.dialect);
            let mut table = table_ref(&source.rows.name, self.dialect);
            if let Some(number) = self.row_number(index) {
                let number = quote(&number, self.dialect);
                let numbers = terms::row_numbers(self.dialect);
                table = format!("(SELECT *, {numbers} AS {number} FROM {table})");
            }
            let table = if table == alias { table } else { format!("{table} AS {alias}") };
            let Some(link) = &source.link else {
                sql += &format!("FROM {table}");
                continue;
            };
            let parent = quote(&self.plan.sources[link.parent].alias, self.dialect);
            let on: Vec<String> = link
                .on
                .iter()
                .map(|(up, own)| format!("{parent}.{} = {alias}.{}", quote(up, self.dialect), quote(own, self.dialect)))
                .collect();
            let join = if link.kind == JoinKind::Left { "LEFT JOIN" } else { "JOIN" };
            sql += &format!("\n{join} {table} ON {}", on.join(" AND "));
        }
        let conditions: Vec<String> = self
            .plan
            .conditions
            .iter()
            .map(|c| self.held(c, &|f, day| (if day { self.day_of(f) } else { self.field(f) }, f.family)))
            .collect();
        if !conditions.is_empty() {
            sql += &format!("\nWHERE {}", conditions.join(" AND "));
        }
        sql
    }

    /// An output where it is computed from the level below.
    fn above(&self, output: &Output) -> String {
        match self.plan.ratios.iter().find(|r| r.output == *output) {
            Some(ratio) => terms::quotient(&self.name(&ratio.of), &self.name(&ratio.to), ratio.of.family, self.dialect),
            None => self.meant(output),
        }
    }

    /// An output of the level below as what it hides.
    fn meant(&self, output: &Output) -> String {
        let name = self.name(output);
        output.hidden.as_ref().map_or_else(|| name.clone(), |hidden| reading::read(&name, hidden, self.dialect))
    }

    /// One level more: groups that are kept, their ratios and windows.
    fn computed(&self, below: &str) -> String {
        let plan = self.plan;
        let mut columns: Vec<String> = plan.dimensions.iter().map(|d| self.name(&d.output)).collect();
        columns.extend(plan.metrics.iter().map(|m| self.name(&m.output)));
        columns.extend(plan.ratios.iter().map(|r| format!("{} AS {}", self.above(&r.output), self.name(&r.output))));
        for window in &plan.windows {
            let of = self.above(&window.of);
            let per: Vec<String> = window.per.iter().map(|o| self.name(o)).collect();
            let per = if per.is_empty() { String::new() } else { format!("PARTITION BY {}", per.join(", ")) };
            let ordered = |keys: String| format!("{per}{}ORDER BY {keys}", if per.is_empty() { "" } else { " " });
            let value = match window.kind {
                WindowKind::Rank => format!("RANK() OVER ({})", ordered(format!("{of} DESC NULLS LAST"))),
                WindowKind::Share => {
                    let total = format!("SUM({of}) OVER ({per})");
                    terms::quotient(&of, &total, window.of.family, self.dialect)
                }
                WindowKind::RunningTotal => {
                    let along: Vec<String> = window.along.iter().map(|o| self.key(o, false)).collect();
                    format!("SUM({of}) OVER ({})", ordered(along.join(", ")))
                }
            };
            columns.push(format!("{value} AS {}", self.name(&window.output)));
        }
        let having: Vec<String> =
            plan.having.iter().map(|c| self.held(c, &|o, _| (self.above(o), o.meant()))).collect();
        let having = if having.is_empty() { String::new() } else { format!("\nWHERE {}", having.join(" AND ")) };
        format!("SELECT {}\nFROM (\n{below}\n) AS grouped{having}", columns.join(", "))
    }

    /// One level more: the first rows of each group.
    fn first_of_each(&self, below: &str) -> String {
        let Some(top) = &self.plan.top else { return below.to_owned() };
        let place = free("place", |name| self.plan.outputs().any(|o| o.name.eq_ignore_ascii_case(name)));
        let place = quote(&place, self.dialect);
        let columns: Vec<String> = self.plan.outputs().map(|o| self.name(o)).collect();
        let columns = columns.join(", ");
        let per: Vec<String> = top.per.iter().map(|o| self.name(o)).collect();
        let per = if per.is_empty() { String::new() } else { format!("PARTITION BY {} ", per.join(", ")) };
        let keys: Vec<String> = std::iter::once(self.key(&top.by, !top.ascending))
            .chain(self.ties(top.per.iter().chain(std::iter::once(&top.by))))
            .collect();
        let number = format!("ROW_NUMBER() OVER ({per}ORDER BY {}) AS {place}", keys.join(", "));
        format!(
            "SELECT {columns}\nFROM (\nSELECT {columns}, {number}\nFROM (\n{below}\n) AS kept\n) AS placed\nWHERE {place} \
             <= {}",
            top.n
        )
    }

    fn key(&self, by: &Output, descending: bool) -> String {
        format!("{}{} NULLS LAST", self.meant(by), if descending { " DESC" } else { "" })
    }

    /// Keys that decide between rows which the given ones leave equal: the dimensions, by which groups differ.
    fn ties<'o>(&self, given: impl Iterator<Item = &'o Output>) -> Vec<String> {
        let given: Vec<&Output> = given.collect();
        let dimensions = self.plan.dimensions.iter().map(|d| &d.output);
        dimensions
            .filter(|o| o.family != crate::ColumnType::Other)
            // Texts that differ can be the same number.
            .filter(|o| !given.contains(o) || o.meant() != o.family)
            .map(|o| format!("{} NULLS LAST", self.name(o)))
            .collect()
    }

    fn held<T>(&self, held: &Held<T>, of: &dyn Fn(&T, bool) -> (String, crate::ColumnType)) -> String {
        let joined = |all: &[Held<T>], word: &str| {
            let all: Vec<String> = all.iter().map(|c| self.held(c, of)).collect();
            if all.len() == 1 { all.concat() } else { format!("({})", all.join(word)) }
        };
        match held {
            Held::Any(all) => joined(all, " OR "),
            Held::All(all) => joined(all, " AND "),
            Held::Test { of: what, op, with } => {
                let is_day = matches!(with.first(), Some(super::plan::Fixed::Day(_)));
                let (mut expr, family) = of(what, is_day);
                if let (Comparison::Contains | Comparison::Like, Some(super::plan::Fixed::Text(wanted))) =
                    (op, with.first())
                {
                    return terms::search(&expr, *op, wanted, family, self.dialect);
                }
                if is_day {
                    expr = terms::day(&expr, family, self.dialect);
                }
                let with: Vec<String> = with.iter().map(|f| terms::fixed(f, self.dialect)).collect();
                let with = with.as_slice();
                match op {
                    Comparison::IsNull => format!("{expr} IS NULL"),
                    Comparison::IsNotNull => format!("{expr} IS NOT NULL"),
                    Comparison::In => format!("{expr} IN ({})", with.join(", ")),
                    Comparison::NotIn => format!("{expr} NOT IN ({})", with.join(", ")),
                    Comparison::Between => format!("{expr} BETWEEN {}", with.join(" AND ")),
                    _ => format!("{expr} {} {}", sign(*op), with.concat()),
                }
            }
        }
    }
}

fn sign(op: Comparison) -> &'static str {
    match op {
        Comparison::IsNot => "<>",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::More => ">",
        Comparison::AtLeast => ">=",
        _ => "=",
    }
}

pub(super) fn aggregate(metric: &Metric, of: Option<String>) -> String {
    let of = of.unwrap_or_else(|| "*".to_owned());
    match metric.agg {
        Aggregate::Count => format!("COUNT({of})"),
        Aggregate::CountDistinct => format!("COUNT(DISTINCT {of})"),
        Aggregate::Sum => format!("SUM({of})"),
        Aggregate::Avg => format!("AVG({of})"),
        Aggregate::Min => format!("MIN({of})"),
        Aggregate::Max => format!("MAX({of})"),
    }
}
