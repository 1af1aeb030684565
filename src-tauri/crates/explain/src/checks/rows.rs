//! Traces the rows of a step to their sources, and the columns of a table to later steps.

use super::flow::Flow;
use vitrine_sql_steps::{Expression, JoinKind, Origin, Output, Step, StepKind};

impl Flow<'_> {
    /// Returns the index of a step by its name.
    pub fn step_index(&self, name: &str) -> Option<usize> {
        self.steps.steps().iter().position(|step| step.name == name)
    }

    /// Returns the steps that all rows of a step passed through, nearest first, excluding the step itself. Steps that
    /// only a condition reads and optional sides of outer joins are excluded.
    pub fn passed_steps(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = self.row_sources(at);
        while let Some(name) = open.pop() {
            if let Some(before) = self.step_index(name).filter(|before| !found.contains(before)) {
                found.push(before);
                open.extend(self.row_sources(before));
            }
        }
        found
    }

    fn row_sources(&self, at: usize) -> Vec<&str> {
        let step = self.step(at);
        match &step.kind {
            StepKind::Join { kind, left, right, .. } => match kind {
                JoinKind::Inner | JoinKind::Cross => vec![right, left],
                JoinKind::Left => vec![left],
                JoinKind::Right => vec![right],
                JoinKind::Full => Vec::new(),
            },
            StepKind::Table { .. } | StepKind::SetOperation { .. } | StepKind::Query { .. } => Vec::new(),
            _ => step.reads.first().into_iter().map(String::as_str).collect(),
        }
    }

    /// Returns the catalog names of the tables whose rows are joined in a step or table.
    pub fn joined_tables(&self, name: &str) -> Vec<String> {
        let Some(at) = self.step_index(name) else { return vec![name.to_owned()] };
        match &self.step(at).kind {
            StepKind::Table { table, .. } => vec![table.clone()],
            StepKind::Join { left, right, .. } | StepKind::SetOperation { left, right, .. } => {
                let mut tables = self.joined_tables(left);
                tables.extend(self.joined_tables(right));
                tables
            }
            _ => self.step(at).reads.first().map(|read| self.joined_tables(read)).unwrap_or_default(),
        }
    }

    /// Returns true if a side of a join is a table with all its rows.
    pub fn is_whole(&self, name: &str) -> bool {
        match self.step_index(name).map(|at| &self.step(at).kind) {
            None => true,
            Some(StepKind::Table { filters, .. }) => filters.is_empty(),
            Some(_) => false,
        }
    }

    /// Returns true if the result depends on columns of a table other than through the join at `at` or through values
    /// that are computed together with columns of other tables.
    pub fn is_used(&self, table: &str, at: usize) -> bool {
        let own = |origin: &Origin| origin.table.eq_ignore_ascii_case(table);
        let uses = |expression: &Expression| expression.columns.iter().any(own);
        let alone = |expression: &Expression| uses(expression) && expression.columns.iter().all(own);
        let computed = |outputs: &[Output]| outputs.iter().any(|output| uses(&output.value));
        let uses_it = |(place, step): (usize, &Step)| match &step.kind {
            StepKind::Table { filters, .. } => filters.iter().any(uses),
            StepKind::Join { condition, .. } => place != at && condition.iter().any(uses),
            StepKind::Filter { conditions } | StepKind::Having { conditions } => conditions.iter().any(uses),
            StepKind::Group { keys, aggregates, .. } => {
                computed(keys) || aggregates.iter().any(|aggregate| alone(&aggregate.value))
            }
            StepKind::Window { outputs } | StepKind::Project { outputs } => computed(outputs),
            StepKind::Order { keys, .. } => keys.iter().any(|key| uses(&key.value)),
            StepKind::Query { .. } => true,
            _ => false,
        };
        let shown = self.steps.steps().last().into_iter().flat_map(|step| &step.columns);
        self.steps.steps().iter().enumerate().any(uses_it) || shown.filter_map(|c| c.origin.as_ref()).any(own)
    }

    /// Returns the first grouping that contains the rows of a step, and true if another join precedes it.
    pub fn grouped_after(&self, at: usize) -> Option<(usize, bool)> {
        let all = self.steps.steps();
        let groups = (at + 1..all.len()).find(|later| {
            matches!(all[*later].kind, StepKind::Group { .. }) && self.passed_steps(*later).contains(&at)
        })?;
        let between = self.passed_steps(groups).into_iter().filter(|before| *before > at);
        let joined = between
            .into_iter()
            .any(|step| matches!(all[step].kind, StepKind::Join { .. }) && self.passed_steps(step).contains(&at));
        Some((groups, joined))
    }
}
