//! Aggregates of one table's rows, and their combination from the parts of groups.

use crate::condition::read_number;
use crate::source::Source;
use sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator,
};
use vitrine_domain::Table;
use vitrine_sql::ast::{last_part, parse_expr};
use vitrine_sql::{ColumnType, DialectExt, quote_identifier};
use vitrine_warehouse::JOIN_DIALECT;

/// Functions of single values, which do not depend on the number of rows.
const SCALARS: &str = "round coalesce nullif ifnull abs floor ceil ceiling greatest least lower upper trim ltrim rtrim length \
                       substr substring left right replace concat year quarter month day week dayofweek date_trunc date_part \
                       strftime make_date datediff date_diff sign sqrt power pow ln exp";

/// The type of whole numbers in the local engine.
const WHOLE: &str = "BIGINT";

/// The kind of a function call, as far as it matters for groups.
pub(super) enum Call<'e> {
    /// A function of single values.
    Scalar,
    /// An aggregate whose result does not depend on repeated rows.
    IgnoresRepeats,
    /// `count(*)`
    CountRows,
    /// An aggregate of one expression.
    Of(Kind, &'e Expr),
    /// Any other function.
    Other,
}

/// An aggregate that can be combined from parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sum,
    Count,
    Average,
    Least,
    Greatest,
}

pub(super) fn classify_call(function: &Function) -> Call<'_> {
    let Some(name) = last_part(&function.name).map(|name| name.value.to_lowercase()) else { return Call::Other };
    if function.name.0.len() != 1
        || function.over.is_some()
        || function.filter.is_some()
        || function.null_treatment.is_some()
        || !function.within_group.is_empty()
    {
        return Call::Other;
    }
    let FunctionArguments::List(list) = &function.args else { return Call::Other };
    if SCALARS.split_whitespace().any(|known| known == name) {
        return Call::Scalar;
    }
    let is_distinct = match &list.duplicate_treatment {
        None | Some(DuplicateTreatment::All) => false,
        Some(DuplicateTreatment::Distinct) => true,
    };
    if !list.clauses.is_empty() {
        return Call::Other;
    }
    match (name.as_str(), is_distinct, list.args.as_slice()) {
        ("count", false, [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] | []) => Call::CountRows,
        ("count" | "sum" | "avg" | "min" | "max", true, [FunctionArg::Unnamed(FunctionArgExpr::Expr(_))]) => {
            Call::IgnoresRepeats
        }
        (name, false, [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))]) => match name {
            "sum" => Call::Of(Kind::Sum, argument),
            "count" if read_number(argument).is_some() => Call::CountRows,
            "count" => Call::Of(Kind::Count, argument),
            "avg" | "mean" => Call::Of(Kind::Average, argument),
            "min" => Call::Of(Kind::Least, argument),
            "max" => Call::Of(Kind::Greatest, argument),
            _ => Call::Other,
        },
        _ => Call::Other,
    }
}

impl Kind {
    /// Returns true if repeated rows do not change the result.
    pub fn ignores_repeats(self) -> bool {
        matches!(self, Self::Least | Self::Greatest)
    }
}

/// A part of an aggregate that the source computes.
pub(super) struct AggregatePart {
    /// The expression in the dialect of the source.
    pub expression: String,
    pub name: String,
    /// A type of its values, for groups without any.
    pub data_type: String,
}

/// The parts of aggregates that the source computes.
pub(super) struct AggregateParts {
    pub list: Vec<AggregatePart>,
    /// The beginning of their names, which no column of the table has.
    pub prefix: String,
}

impl AggregateParts {
    pub fn for_table(table: &Table) -> Self {
        let mut prefix = "part_".to_owned();
        while table.columns.iter().any(|column| column.name.to_lowercase().starts_with(&prefix)) {
            prefix.push('_');
        }
        Self { list: Vec::new(), prefix }
    }

    /// Returns the name of a part, which is added if it is new.
    fn add(&mut self, expression: String, data_type: &str) -> String {
        if let Some(known) = self.list.iter().find(|known| known.expression == expression) {
            return known.name.clone();
        }
        let name = format!("{}{}", self.prefix, self.list.len() + 1);
        self.list.push(AggregatePart { expression, name: name.clone(), data_type: data_type.to_owned() });
        name
    }
}

/// The table whose rows are grouped.
pub(super) struct Grouped<'a> {
    pub source: &'a Source,
    pub table: &'a Table,
    /// The qualifier of its columns in the query.
    pub binding: &'a str,
}

impl Grouped<'_> {
    fn name_of(&self, at: usize) -> String {
        quote_identifier(&self.table.columns[at].name, self.source.catalog.dialect)
    }

    fn part(&self, name: &str) -> String {
        format!("{}.{}", quote_identifier(self.binding, JOIN_DIALECT), quote_identifier(name, JOIN_DIALECT))
    }

    /// Returns the number of rows, combined from the groups. A group that a join filled with NULLs is one row.
    pub fn count_rows(&self, parts: &mut AggregateParts) -> Option<Expr> {
        let rows = self.part(&parts.add("COUNT(*)".to_owned(), WHOLE));
        parse_expr(&format!("CAST(coalesce(sum(coalesce({rows}, 1)), 0) AS BIGINT)"), JOIN_DIALECT)
    }

    /// Returns an aggregate, combined from the groups. `None` if the source may compute its parts differently. `column`
    /// returns the place of a column of the table.
    pub fn combine(
        &self,
        kind: Kind,
        argument: &Expr,
        column: &dyn Fn(&Expr) -> Option<usize>,
        parts: &mut AggregateParts,
    ) -> Option<Expr> {
        let dialect = self.source.catalog.dialect.sql();
        let text = match kind {
            Kind::Count => {
                let name = self.name_of(column(argument)?);
                let count = self.part(&parts.add(format!("COUNT({name})"), WHOLE));
                format!("CAST(coalesce(sum(coalesce({count}, 0)), 0) AS BIGINT)")
            }
            Kind::Least | Kind::Greatest => {
                let (outer, inner) = if kind == Kind::Least { ("min", "MIN") } else { ("max", "MAX") };
                let at = column(argument)?;
                let data_type = &self.table.columns[at].data_type;
                let extreme = dialect.pushed_extreme(inner, &self.name_of(at), data_type)?;
                format!("{outer}({})", self.part(&parts.add(extreme, data_type)))
            }
            Kind::Sum | Kind::Average => {
                let mut used = Vec::new();
                let expression = self.write_sum(argument, column, &mut used)?;
                if used.is_empty() {
                    return None;
                }
                let columns: Vec<(String, &str)> =
                    used.iter().map(|at| (self.name_of(*at), self.table.columns[*at].data_type.as_str())).collect();
                let sum = dialect.pushed_sum(&expression, &columns)?;
                let is_whole = |(_, data_type): &(String, &str)| dialect.column_type(data_type) == ColumnType::Whole;
                let data_type = if columns.iter().all(is_whole) { WHOLE } else { "DOUBLE" };
                let sum = self.part(&parts.add(sum, data_type));
                match kind {
                    Kind::Average => {
                        let count = self.part(&parts.add(format!("COUNT({expression})"), WHOLE));
                        format!("(CAST(sum({sum}) AS DOUBLE) / sum({count}))")
                    }
                    _ => format!("sum({sum})"),
                }
            }
        };
        parse_expr(&text, JOIN_DIALECT)
    }

    /// Writes an expression that adds, subtracts and multiplies columns and numbers.
    fn write_sum(&self, expr: &Expr, column: &dyn Fn(&Expr) -> Option<usize>, used: &mut Vec<usize>) -> Option<String> {
        if let Some(at) = column(expr) {
            used.push(at);
            return Some(self.name_of(at));
        }
        match expr {
            Expr::Nested(inner) => Some(format!("({})", self.write_sum(inner, column, used)?)),
            Expr::BinaryOp { left, op, right }
                if matches!(op, BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply) =>
            {
                let (left, right) = (self.write_sum(left, column, used)?, self.write_sum(right, column, used)?);
                Some(format!("({left} {op} {right})"))
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, .. } | Expr::Value(_) => read_number(expr),
            _ => None,
        }
    }
}
