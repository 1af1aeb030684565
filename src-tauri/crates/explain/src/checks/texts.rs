//! Checks numbers stored as text, which are compared character by character: '10' precedes '9'.

use super::filters::Filter;
use super::flow::{Flow, column_said};
use vitrine_domain::{ExplanationCheck, capitalize_first};
use vitrine_sql::facts::{Comparison, Constant};
use vitrine_sql::{ColumnType, DialectExt, quote_identifier, table_ref};
use vitrine_sql_steps::{Aggregate, Expression, OrderKey, Origin};
use vitrine_words::{plural, tr};

impl Flow<'_> {
    /// Reports a comparison that keeps other rows than a numeric one would.
    pub(super) fn compared_as_text(&self, filter: &Filter<'_>) -> Option<ExplanationCheck> {
        let orders = |c: &&Comparison| c.operator != "=";
        let (asked, run, comparison) = filter.condition_pairs().find_map(|(asked, run)| {
            let comparison = run.comparison.as_ref().filter(orders)?;
            let is_text = comparison.is_column && self.hides_numbers(self.origin_of(asked, &comparison.value)?);
            let is_made = comparison.is_made_text
                && self.catalog.dialect.sql().compares_computed_text_with_numbers_as_text()
                && comparison.constants.iter().all(|constant| matches!(constant, Constant::Number(_)));
            (is_text || is_made).then_some((asked, run, comparison))
        })?;
        let value = format!("CAST({} AS DOUBLE PRECISION)", comparison.value);
        let numbers: Option<Vec<f64>> = comparison.constants.iter().map(|c| c.as_text().parse().ok()).collect();
        let by_number = match (comparison.operator, numbers?.as_slice()) {
            ("between", [low, high]) => format!("{value} BETWEEN {low} AND {high}"),
            (operator, [number]) => format!("{value} {operator} {number}"),
            _ => return None,
        };
        let otherwise = format!("({}) <> ({by_number})", run.text);
        let wrong = self.request_number(filter.count_query(&[&otherwise]))?;
        let text = plural!(
            wrong,
            "Numbers are compared as text, so “10” comes before “9”: compared as numbers, {n} row gets another result \
             ({condition})",
            "Numbers are compared as text, so “10” comes before “9”: compared as numbers, {n} rows get another result \
             ({condition})",
            condition = self.describe_expression(asked)
        );
        (wrong > 0).then(|| self.build_check(filter.at, "text-number", true, text))
    }

    /// Reports MIN or MAX of numbers stored as text.
    pub(super) fn text_extremes(&self, at: usize, aggregates: &[Aggregate]) -> Vec<ExplanationCheck> {
        let mut found = Vec::new();
        for aggregate in aggregates.iter().filter(|a| matches!(a.function.as_str(), "min" | "max")) {
            let Some(origin) = aggregate.argument.as_ref().and_then(|argument| self.by_itself(argument)) else {
                continue;
            };
            if self.sorts_otherwise(origin) {
                let text = tr!(
                    "{column} is text, so “10” comes before “9”: {value} is not that of the numbers",
                    column = capitalize_first(&column_said(origin)),
                    value = self.describe_expression(&aggregate.value)
                );
                found.push(self.build_check(at, "text-number", true, text));
            }
        }
        found
    }

    /// Reports an order by numbers stored as text. If it decides which rows are shown, it changes the answer.
    pub(super) fn text_order(&self, at: usize, keys: &[OrderKey], cuts: bool) -> Option<ExplanationCheck> {
        let origin = self.by_itself(&keys.first()?.value)?;
        let text = tr!("Sorted by {column}, which is text: “10” comes before “9”", column = column_said(origin));
        self.sorts_otherwise(origin).then(|| self.build_check(at, "text-number", cuts, text))
    }

    /// Returns the column if an expression is a plain column.
    fn by_itself<'e>(&self, expression: &'e Expression) -> Option<&'e Origin> {
        match expression.columns.as_slice() {
            [only] if !expression.text.contains(['(', ' ']) => Some(only),
            _ => None,
        }
    }

    fn hides_numbers(&self, origin: &Origin) -> bool {
        let is_text = self
            .find_column(origin)
            .is_some_and(|column| self.catalog.dialect.sql().column_type(&column.data_type) == ColumnType::Text);
        is_text && self.column_profile(origin).is_some_and(|known| known.hidden.as_deref() == Some("number"))
    }

    /// Returns true if a column contains numbers as text of different lengths.
    fn sorts_otherwise(&self, origin: &Origin) -> bool {
        let Some(table) = self.catalog.find_table(&origin.table).filter(|_| self.hides_numbers(origin)) else {
            return false;
        };
        let dialect = self.catalog.dialect;
        let (column, table) = (quote_identifier(&origin.column, dialect), table_ref(&table.name, dialect));
        let lengths = format!("SELECT COUNT(DISTINCT LENGTH({column})) FROM {table}");
        self.request_number(lengths).is_some_and(|different| different > 1)
    }
}
