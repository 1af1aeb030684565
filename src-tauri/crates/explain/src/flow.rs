//! What the rows say that go into steps and come out of them: joins that multiply or lose rows, filters that keep all or
//! nothing, shares of what is filtered already. Only what the counts prove is said; what is usual in a right query, too, is
//! said at the step and not at the answer (`may_change`).

use std::collections::HashMap;
use vitrine_catalog::grouped;
use vitrine_domain::{Catalog, ExplanationCheck, Profile};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Grain, Matches, each_select};
use vitrine_sql_steps::{Aggregate, Expression, JoinKind, Origin, Step, StepKind, Steps, listed, phrase, spaced};

/// Aggregates that a repeated row changes.
const ADDED_UP: [&str; 3] = ["sum", "avg", "total"];

/// What a careful reader would ask about, in the order of the steps.
pub(crate) fn checks(
    sql: &ReadOnlySql,
    steps: &Steps,
    rows: &HashMap<String, u64>,
    catalog: &Catalog,
    profile: &Profile,
) -> Vec<ExplanationCheck> {
    let flow = Flow { sql, steps, rows, catalog, profile };
    (0..steps.steps().len()).flat_map(|at| flow.of(at)).collect()
}

struct Flow<'a> {
    sql: &'a ReadOnlySql,
    steps: &'a Steps,
    rows: &'a HashMap<String, u64>,
    catalog: &'a Catalog,
    profile: &'a Profile,
}

impl Flow<'_> {
    fn of(&self, at: usize) -> Vec<ExplanationCheck> {
        let step = &self.steps.steps()[at];
        let Some(out) = self.count(&step.name) else { return Vec::new() };
        match &step.kind {
            StepKind::Table { table, filters } if !filters.is_empty() => self.filter(step, table, filters, out),
            StepKind::Filter { conditions } | StepKind::Having { conditions } => match step.reads.first() {
                Some(read) => self.filter(step, read, conditions, out),
                None => Vec::new(),
            },
            StepKind::Join { kind, left, right, condition } => self.join(step, *kind, (left, right), condition, out),
            StepKind::Group { aggregates, .. } => self.group(step, aggregates),
            StepKind::Order { limit: Some(_), .. } | StepKind::Limit(_) => self.limit(step, out),
            _ => Vec::new(),
        }
    }

    fn count(&self, name: &str) -> Option<u64> {
        self.rows.get(name).copied()
    }

    fn filter(&self, step: &Step, read: &str, conditions: &[Expression], out: u64) -> Vec<ExplanationCheck> {
        let Some(rows) = self.count(read).filter(|rows| *rows > 0) else { return Vec::new() };
        let said: Vec<String> = conditions.iter().map(|c| phrase(&c.text, self.catalog.dialect)).collect();
        let said = listed(&said);
        match out {
            0 => vec![check(step, "keeps-none", true, format!("None of the {} is left: {said}", counted(rows, "row")))],
            _ if out == rows => {
                vec![check(step, "keeps-all", false, format!("All {} stay: {said}", counted(rows, "row")))]
            }
            _ => Vec::new(),
        }
    }

    fn join(
        &self,
        step: &Step,
        kind: JoinKind,
        (left, right): (&str, &str),
        condition: &Option<Expression>,
        out: u64,
    ) -> Vec<ExplanationCheck> {
        let (Some(from), Some(with)) = (self.count(left), self.count(right)) else { return Vec::new() };
        if from == 0 || with == 0 || !matches!(kind, JoinKind::Inner) {
            return Vec::new();
        }
        if out == 0 {
            let text = "No row has a partner: the columns that are joined on have no value in common".to_owned();
            return vec![check(step, "nothing-joined", true, text)];
        }
        // Each row that has a partner gives one row at least. A side that is filtered before loses rows on purpose.
        let mut found: Vec<ExplanationCheck> = [(left, from, right), (right, with, left)]
            .into_iter()
            .filter(|(_, rows, other)| out < *rows && self.is_whole(other))
            .map(|(of, rows, other)| {
                let lost = rows - out;
                let verbs = if lost == 1 { ("has", "is") } else { ("have", "are") };
                let text = format!(
                    "At least {} of the {} {} no partner in {} and {} left out",
                    grouped(lost),
                    self.rows_called(of, rows),
                    verbs.0,
                    self.called(other),
                    verbs.1,
                );
                // That a customer has no order is common; that an order has no customer is not.
                check(step, "rows-lost", self.refers(condition, other), text)
            })
            .collect();
        for origin in condition.iter().flat_map(|condition| &condition.columns) {
            if let Some(part) = self.empty_part(origin) {
                let Origin { table, column } = origin;
                let text = format!(
                    "{part:.0} % of {} of {} is empty: such rows find no partner",
                    spaced(column),
                    spaced(table)
                );
                found.push(check(step, "empty-keys", true, text));
            }
        }
        found
    }

    /// Per cent of a column that is NULL, where that is anything to speak of.
    fn empty_part(&self, origin: &Origin) -> Option<f64> {
        let table = self.catalog.table(&origin.table)?;
        let ratio = self.profile.table(&table.name)?.column(&origin.column)?.null_ratio;
        (ratio >= 0.005).then_some(ratio * 100.0)
    }

    /// Sums over rows that a join repeats: more rows are added up than the table has.
    fn group(&self, step: &Step, aggregates: &[Aggregate]) -> Vec<ExplanationCheck> {
        let Some(rows) = step.reads.first().and_then(|read| self.count(read)) else { return Vec::new() };
        let mut found = Vec::new();
        for aggregate in aggregates.iter().filter(|a| ADDED_UP.contains(&a.function.as_str()) && !a.distinct) {
            let columns = aggregate.argument.iter().flat_map(|argument| &argument.columns);
            let mut tables: Vec<&str> = columns.map(|origin| origin.table.as_str()).collect();
            tables.dedup();
            // Of a product over several tables the rows of the finest are meant.
            let [table] = tables.as_slice() else { continue };
            if let Some(own) = self.rows_of(table).filter(|own| rows > *own) {
                let text = format!(
                    "{} is taken over {}, but {} has {}: a join repeats them",
                    phrase(&aggregate.value.text, self.catalog.dialect),
                    counted(rows, "row"),
                    spaced(table),
                    grouped(own)
                );
                found.push(check(step, "rows-multiplied", !self.is_looked_up(table), text));
            }
        }
        for aggregate in aggregates {
            found.extend(self.filtered_share(step, aggregate));
        }
        found
    }

    /// A part is counted by a condition that all rows meet already.
    fn filtered_share(&self, step: &Step, aggregate: &Aggregate) -> Option<ExplanationCheck> {
        let value = flat(&aggregate.value.text);
        let before = self.steps.steps().iter().take_while(|other| other.name != step.name);
        let conditions = before.flat_map(|step| match &step.kind {
            StepKind::Table { filters, .. } => filters.as_slice(),
            StepKind::Filter { conditions } => conditions.as_slice(),
            _ => &[],
        });
        let mut met = conditions.filter(|c| value.contains(&format!("when {} then", flat(&c.text))));
        let met = met.next()?;
        let said = phrase(&met.text, self.catalog.dialect);
        let text = format!("Counts the part where {said}, but only such rows are left: the part is always the whole");
        Some(check(step, "share-of-filter", true, text))
    }

    fn limit(&self, step: &Step, out: u64) -> Vec<ExplanationCheck> {
        let rows = step.reads.first().and_then(|read| self.count(read));
        let cut = rows.filter(|rows| *rows > out && out > 0);
        let text = cut.map(|rows| format!("Shows {} of {}", grouped(out), counted(rows, "row")));
        text.map(|text| check(step, "limit-cuts", false, text)).into_iter().collect()
    }

    /// Rows of a table as they go into joins.
    fn rows_of(&self, table: &str) -> Option<u64> {
        let mut reads = self.steps.steps().iter().filter_map(|step| match &step.kind {
            StepKind::Table { table: own, .. } if own.eq_ignore_ascii_case(table) => self.count(&step.name),
            _ => None,
        });
        match (reads.next(), reads.next()) {
            (Some(rows), None) => Some(rows),
            (None, _) => self.count(table),
            // Read twice: whose rows are meant is not told.
            (Some(_), Some(_)) => None,
        }
    }

    /// Whether a join's condition has a foreign key on the side that is not called `other`.
    fn refers(&self, condition: &Option<Expression>, other: &str) -> bool {
        let other = self.table_of(other);
        condition.iter().flat_map(|condition| &condition.columns).any(|origin| {
            let table = self.catalog.table(&origin.table);
            !origin.table.eq_ignore_ascii_case(other)
                && table.is_some_and(|table| {
                    let mut keys = table.foreign_keys.iter().flat_map(|key| &key.columns);
                    keys.any(|column| column.eq_ignore_ascii_case(&origin.column))
                })
        })
    }

    /// Whether the joined rows are those of one table, each with what belongs to it: `sale JOIN product`, where the product's
    /// price counts for each sale. Not so where two tables hang on a third: then each repeats the other.
    fn is_looked_up(&self, table: &str) -> bool {
        let mut looked_up = true;
        each_select(self.sql, self.catalog, |_, select, tables| {
            if tables.iter().any(|own| own.table.name.to_string().eq_ignore_ascii_case(table)) {
                let grain = Grain::of(select, tables);
                looked_up &= (0..tables.len()).any(|rows| grain.repeats(rows) == Matches::One);
            }
        });
        looked_up
    }

    fn table_of<'s>(&'s self, name: &'s str) -> &'s str {
        match self.steps.steps().iter().find(|step| step.name == name).map(|step| &step.kind) {
            Some(StepKind::Table { table, .. }) => table,
            _ => name,
        }
    }

    /// Whether a side of a join is a table with all its rows.
    fn is_whole(&self, name: &str) -> bool {
        match self.steps.steps().iter().find(|step| step.name == name) {
            None => true,
            Some(step) => matches!(&step.kind, StepKind::Table { filters, .. } if filters.is_empty()),
        }
    }

    /// `12 rows of orders`, `12 rows so far`
    fn rows_called(&self, name: &str, rows: u64) -> String {
        let is_join = |step: &Step| step.name == name && matches!(step.kind, StepKind::Join { .. });
        match self.steps.steps().iter().any(is_join) {
            true => format!("{} so far", counted(rows, "row")),
            false => format!("{} of {}", counted(rows, "row"), self.called(name)),
        }
    }

    fn called(&self, name: &str) -> String {
        match self.steps.steps().iter().find(|step| step.name == name) {
            Some(Step { kind: StepKind::Table { table, .. }, .. }) => spaced(table),
            Some(Step { kind: StepKind::Join { .. }, .. }) => "the rows so far".to_owned(),
            _ => spaced(name),
        }
    }
}

fn check(step: &Step, code: &str, may_change: bool, text: String) -> ExplanationCheck {
    ExplanationCheck { code: code.to_owned(), step: Some(step.name.clone()), text, may_change }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn counted(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(number))
}
