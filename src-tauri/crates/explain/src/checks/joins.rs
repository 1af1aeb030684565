//! Checks joins that lose rows, match none, have no condition, or use one of several keys.

use super::flow::Flow;
use super::partners::{Partners, Side};
use vitrine_domain::{ExplanationCheck, ForeignKey};
use vitrine_sql_steps::{Expression, JoinKind, Origin, StepKind, identifier_words};
use vitrine_words::{join_with_and, plural, tr};

/// Minimum number of rows for which a join with hardly any match is reported.
const ENOUGH: u64 = 20;

impl Flow<'_> {
    pub(super) fn check_join(&self, at: usize, partners: Option<&Partners>) -> Vec<ExplanationCheck> {
        let StepKind::Join { kind, left, right, condition } = &self.step(at).kind else { return Vec::new() };
        let mut found = Vec::new();
        match (kind, partners) {
            (JoinKind::Inner, Some(partners)) => {
                found.extend(self.check_lost_rows(at, (left, right), condition, partners))
            }
            (JoinKind::Cross, _) => found.extend(self.every_pair(at, left, right)),
            _ => {}
        }
        found.extend(self.other_keys(at, condition));
        found
    }

    fn check_lost_rows(
        &self,
        at: usize,
        (left, right): (&str, &str),
        condition: &Option<Expression>,
        partners: &Partners,
    ) -> Vec<ExplanationCheck> {
        if partners.left.rows == 0 || partners.right.rows == 0 {
            return Vec::new();
        }
        if partners.pairs == 0 {
            let text = tr!(
                "None of the {left} has a partner among the {right}",
                left = self.rows_called(left, partners.left.rows),
                right = self.rows_called(right, partners.right.rows)
            );
            return vec![self.build_check(at, "nothing-joined", true, text)];
        }
        // Rows with a foreign key have at most one match.
        let (many_left, many_right) = (partners.multiplies_left(), partners.multiplies_right());
        let sides = [
            (left, partners.left, right, (many_left, many_right)),
            (right, partners.right, left, (many_right, many_left)),
        ];
        let nearly = |side: Side| side.rows >= ENOUGH && side.lost >= side.rows / 10 * 9;
        let mismatch = nearly(partners.left) && nearly(partners.right) && (self.is_whole(left) || self.is_whole(right));
        let mut found = Vec::new();
        for (own, side, other, (has_many, is_shared)) in sides {
            let is_itself = self.joined_tables(other).iter().any(|table| self.joined_tables(own).contains(table));
            let is_told = self.has_foreign_key(condition, other) && (is_shared || !is_itself);
            let refers = !has_many && (is_told || (is_shared && !self.is_declared(condition)));
            if side.lost == 0 || !(self.is_whole(other) || mismatch) {
                continue;
            }
            let table = self.joined_tables(other);
            let depends = is_itself || table.iter().any(|table| self.is_used(table, at));
            let may_change = (mismatch && !has_many) || (refers && (nearly(side) || !depends));
            let is_empty = side.empty == side.lost;
            let code = if is_empty { "empty-keys" } else { "rows-lost" };
            let (rows, other) = (self.rows_called(own, side.rows), self.describe_source(other));
            let text = match (is_empty, side.empty) {
                (true, _) => plural!(
                    side.lost,
                    "{n} of the {rows} has no value in the join column and is left out",
                    "{n} of the {rows} have no value in the join column and are left out",
                    rows
                ),
                (false, 0) => plural!(
                    side.lost,
                    "{n} of the {rows} has no partner in {other} and is left out",
                    "{n} of the {rows} have no partner in {other} and are left out",
                    rows,
                    other
                ),
                (false, empty) => {
                    let empty =
                        plural!(empty, "{n} has no value in the join column", "{n} have no value in the join column");
                    plural!(
                        side.lost,
                        "{n} of the {rows} has no partner in {other} ({empty}) and is left out",
                        "{n} of the {rows} have no partner in {other} ({empty}) and are left out",
                        rows,
                        other,
                        empty
                    )
                }
            };
            found.push(self.build_check(at, code, may_change, text));
        }
        found
    }

    /// Reports cross joins: sums over such pairs count each row many times.
    fn every_pair(&self, at: usize, left: &str, right: &str) -> Option<ExplanationCheck> {
        let (from, with) = (self.row_count(left)?, self.row_count(right)?);
        let adds_up = matches!(self.grouped_after(at), Some((_, false)));
        let text = tr!(
            "There is no join condition: each of the {left} is combined with each of the {right}",
            left = self.rows_called(left, from),
            right = self.rows_called(right, with)
        );
        (from > 1 && with > 1).then(|| self.build_check(at, "every-pair", adds_up, text))
    }

    /// Reports other foreign keys from a table to the one that it is joined with.
    fn other_keys(&self, at: usize, condition: &Option<Expression>) -> Vec<ExplanationCheck> {
        let all: Vec<&Origin> = self.steps.steps().iter().flat_map(joined_by).collect();
        let by = |table: &str, key: &ForeignKey| {
            key.columns.iter().all(|column| all.iter().any(|origin| is_same_column(origin, table, column)))
        };
        let mut found = Vec::new();
        for origin in condition.iter().flat_map(|condition| &condition.columns) {
            let Some(table) = self.catalog.find_table(&origin.table) else { continue };
            let used = table.foreign_keys.iter().find(|key| key.columns == [origin.column.clone()]);
            let Some(used) = used else { continue };
            let others = table.foreign_keys.iter().filter(|key| key.ref_table == used.ref_table && *key != used);
            let others: Vec<&ForeignKey> = others.collect();
            if others.is_empty() || others.iter().any(|key| by(&origin.table, key)) {
                continue;
            }
            let named: Vec<String> =
                others.iter().flat_map(|key| &key.columns).map(|name| identifier_words(name)).collect();
            let text = tr!(
                "Joined by {column}; {table} also refers to {other} by {columns}",
                column = identifier_words(&origin.column),
                table = identifier_words(&origin.table),
                other = identifier_words(&used.ref_table.to_string()),
                columns = join_with_and(&named)
            );
            found.push(self.build_check(at, "other-key", false, text));
        }
        found
    }

    /// Returns true if a join condition has a foreign key to the side that is called `other`.
    fn has_foreign_key(&self, condition: &Option<Expression>, other: &str) -> bool {
        let others = self.joined_tables(other);
        condition.iter().flat_map(|condition| &condition.columns).any(|origin| {
            self.catalog.find_table(&origin.table).is_some_and(|table| {
                let to = |key: &&ForeignKey| others.iter().any(|o| o.eq_ignore_ascii_case(&key.ref_table.to_string()));
                let mut keys = table.foreign_keys.iter().filter(to).flat_map(|key| &key.columns);
                keys.any(|column| column.eq_ignore_ascii_case(&origin.column))
            })
        })
    }

    /// Returns true if a column of a condition is a declared foreign key.
    fn is_declared(&self, condition: &Option<Expression>) -> bool {
        let origins = condition.iter().flat_map(|condition| &condition.columns);
        origins.filter_map(|origin| Some((origin, self.catalog.find_table(&origin.table)?))).any(|(origin, table)| {
            let mut keys = table.foreign_keys.iter().flat_map(|key| &key.columns);
            keys.any(|column| column.eq_ignore_ascii_case(&origin.column))
        })
    }

    /// Formats a number of rows: `12 rows of orders` or `12 rows so far`.
    pub(super) fn rows_called(&self, name: &str, rows: u64) -> String {
        match self.step_index(name).map(|at| &self.step(at).kind) {
            None | Some(StepKind::Table { .. }) => {
                plural!(rows, "{n} row of {table}", "{n} rows of {table}", table = self.describe_source(name))
            }
            Some(_) => plural!(rows, "{n} row so far", "{n} rows so far"),
        }
    }

    pub(super) fn describe_source(&self, name: &str) -> String {
        match self.step_index(name).map(|at| &self.step(at).kind) {
            None => identifier_words(name),
            Some(StepKind::Table { table, .. }) => identifier_words(table),
            Some(_) => tr!("the rows so far"),
        }
    }
}

fn joined_by(step: &vitrine_sql_steps::Step) -> &[Origin] {
    match &step.kind {
        StepKind::Join { condition: Some(condition), .. } => &condition.columns,
        _ => &[],
    }
}

fn is_same_column(origin: &Origin, table: &str, column: &str) -> bool {
    origin.table.eq_ignore_ascii_case(table) && origin.column.eq_ignore_ascii_case(column)
}
