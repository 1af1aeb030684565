//! The clauses of a query, each with a text for comparison and a description in plain words.

use super::names::{Called, in_words};
use crate::sentences::of_the_result;
use std::collections::{BTreeMap, HashSet};
use vitrine_domain::{Catalog, Table};
use vitrine_sql_steps::{
    Aggregate, DisplayNames, Expression, JoinKind, Limit, Origin, Output, StepColumn, StepKind, Steps,
    identifier_words, largest_first, one_by_one,
};
use vitrine_words::tr;

/// The kind of a clause, in the order in which clauses are described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClauseKind {
    Output,
    Table,
    Once,
    Per,
    Only,
    /// Rows that are kept, and their order.
    Rows,
}

/// A clause of a query with its description.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub(super) part: ClauseKind,
    text: String,
    /// The tables of a condition's columns.
    tables: Vec<String>,
    /// The description; `None` if the clause cannot be expressed in plain words.
    pub(super) words: Option<String>,
    /// The rows that a condition keeps, if they were counted.
    pub(super) keeps: Option<String>,
}

impl Clause {
    /// Returns the description, with the rows that the condition keeps.
    pub(super) fn describe_clause(&self) -> Option<String> {
        let words = self.words.clone()?;
        Some(match &self.keeps {
            Some(rows) => tr!("{condition}, which applies to {rows}", condition = words, rows),
            None => words,
        })
    }

    /// Returns true if both have the same kind and text.
    pub(super) fn is_same_clause(&self, other: &Self) -> bool {
        self.part == other.part && self.text == other.text
    }

    /// Returns true if a query with these clauses reads all tables of this condition.
    pub(super) fn could_hold_in(&self, clauses: &[Self]) -> bool {
        let reads = |table: &String| {
            clauses.iter().any(|own| own.part == ClauseKind::Table && own.text.eq_ignore_ascii_case(table))
        };
        self.tables.iter().all(reads)
    }
}

/// Returns the clauses that produce the result of a query.
pub(super) fn collect_clauses(steps: &Steps, catalog: &Catalog) -> Vec<Clause> {
    let ambiguous = ambiguous_columns(steps);
    let say = |expression: &Expression| in_words(expression, steps, catalog, &ambiguous);
    let mut found = Vec::new();
    let mut add = |part: ClauseKind, text: &str, words: Option<String>, of: &[Origin]| {
        let tables = of.iter().map(|origin| origin.table.clone()).collect();
        let clause = Clause { part, text: text.to_owned(), tables, words, keeps: None };
        if !found.iter().any(|known: &Clause| known.is_same_clause(&clause)) {
            found.push(clause);
        }
    };
    for column in steps.steps().last().into_iter().flat_map(|step| &step.columns) {
        let value = value_of(steps, column);
        let text = value.as_ref().map_or(column.name.as_str(), |value| value.text.as_str());
        let words = match &value {
            Some(value) => say(value),
            None => plain_name(&column.name),
        };
        add(ClauseKind::Output, text, words, &[]);
    }
    let mut per: Vec<(String, Option<String>)> = Vec::new();
    for (step, _) in steps.steps().iter().zip(of_the_result(steps)).filter(|(_, main)| *main) {
        let is_step = |name: &str| steps.steps().iter().any(|step| step.name == name);
        let rows: Vec<&String> = match &step.kind {
            StepKind::Table { table, .. } => vec![table],
            StepKind::Join { left, right, .. } | StepKind::SetOperation { left, right, .. } => vec![left, right],
            _ => step.reads.first().into_iter().collect(),
        };
        for table in rows.into_iter().filter(|name| !is_step(name)) {
            add(
                ClauseKind::Table,
                table,
                Some(catalog.find_table(table).map_or_else(|| identifier_words(table), Table::display_label)),
                &[],
            );
        }
        match &step.kind {
            StepKind::Table { filters: conditions, .. }
            | StepKind::Filter { conditions }
            | StepKind::Having { conditions } => {
                conditions.iter().for_each(|only| add(ClauseKind::Only, &only.text, say(only), &only.columns));
            }
            // The last of nested groupings produces the rows of the result.
            StepKind::Group { keys, .. } => {
                per = keys.iter().map(|key| (key.value.text.clone(), say(&key.value))).collect();
            }
            StepKind::Join { kind: JoinKind::Inner, .. } => {}
            StepKind::Join { kind: JoinKind::Left, right, .. } => {
                let names = Called::new(catalog, Some(steps), &NONE, Vec::new());
                let without = names.row_name(right).map(|right| tr!("also those without {right}", right));
                add(ClauseKind::Rows, right, without, &[]);
            }
            StepKind::Distinct => add(ClauseKind::Once, "distinct", Some(tr!("each once")), &[]),
            StepKind::Order { keys, limit, distinct } => {
                if *distinct {
                    add(ClauseKind::Once, "distinct", Some(tr!("each once")), &[]);
                }
                let texts: Vec<String> =
                    keys.iter().map(|key| format!("{} {}", key.value.text, key.descending)).collect();
                let words: Option<Vec<String>> = keys
                    .iter()
                    .map(|key| say(&key.value).map(|said| if key.descending { largest_first(&said) } else { said }))
                    .collect();
                let words = words.map(|keys| tr!("sorted by {keys}", keys = one_by_one(&keys)));
                add(ClauseKind::Rows, &texts.join(", "), words, &[]);
                limit.iter().for_each(|limit| add(ClauseKind::Rows, &format!("{limit:?}"), first_rows(limit), &[]));
            }
            StepKind::Limit(limit) => add(ClauseKind::Rows, &format!("{limit:?}"), first_rows(limit), &[]),
            StepKind::Project { .. } | StepKind::Window { .. } => {}
            _ => add(ClauseKind::Rows, &step.sql, None, &[]),
        }
    }
    per.into_iter().for_each(|(text, words)| add(ClauseKind::Per, &text, words, &[]));
    found
}

static NONE: Expression = Expression { text: String::new(), columns: Vec::new() };

fn first_rows(limit: &Limit) -> Option<String> {
    match (&limit.count, &limit.offset) {
        (Some(count), None) if count == "1" => Some(tr!("only the first row")),
        (Some(count), None) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(tr!("only the first {count} rows", count))
        }
        _ => None,
    }
}

/// Returns the expression that a column of the result is computed from.
fn value_of(steps: &Steps, column: &StepColumn) -> Option<Expression> {
    if let Some(origin) = &column.origin {
        return Some(Expression { text: origin.column.clone(), columns: vec![origin.clone()] });
    }
    let named = steps.steps().iter().rev().find_map(|step| {
        let (outputs, aggregates): (&[Output], &[Aggregate]) = match &step.kind {
            StepKind::Project { outputs } | StepKind::Window { outputs } => (outputs, &[]),
            StepKind::Group { keys, aggregates, .. } => (keys, aggregates),
            _ => (&[], &[]),
        };
        let output = outputs.iter().find(|output| output.name == column.name).map(|output| &output.value);
        output.or_else(|| aggregates.iter().find(|one| one.name == column.name).map(|one| &one.value)).cloned()
    });
    // An engine names a column after its expression or only after its function.
    named.or_else(|| {
        let aggregates = steps.steps().iter().rev().find_map(|step| match &step.kind {
            StepKind::Group { aggregates, .. } => Some(aggregates),
            _ => None,
        });
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric() || *c == '*').collect::<String>();
        let name = letters(&column.name).to_lowercase();
        let is_it = |aggregate: &&Aggregate| {
            let text = letters(&aggregate.value.text).to_lowercase();
            let qualified = aggregate.argument.iter().flat_map(|argument| &argument.columns);
            let bare = qualified
                .fold(text.clone(), |text, origin| text.replacen(&letters(&origin.table).to_lowercase(), "", 1));
            name == text || name == bare || name == aggregate.function
        };
        let mut found = aggregates?.iter().filter(is_it);
        let first = found.next()?;
        found.next().is_none().then(|| first.value.clone())
    })
}

/// Returns a result column's name in words, unless it is an expression.
fn plain_name(name: &str) -> Option<String> {
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-'));
    is_name.then(|| identifier_words(name))
}

/// Returns the names of columns that occur in several tables of a query.
pub(super) fn ambiguous_columns(steps: &Steps) -> Vec<String> {
    let mut tables: BTreeMap<String, HashSet<&str>> = BTreeMap::new();
    for origin in steps.steps().iter().flat_map(|step| step.columns.iter().filter_map(|column| column.origin.as_ref()))
    {
        tables.entry(origin.column.to_lowercase()).or_default().insert(&origin.table);
    }
    tables.into_iter().filter(|(_, tables)| tables.len() > 1).map(|(column, _)| column).collect()
}
