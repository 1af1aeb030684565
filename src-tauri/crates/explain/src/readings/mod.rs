//! Describes in plain words how alternative queries interpret a question: what each one returns, and what it does
//! differently from the others. The descriptions contain no SQL. A query without a description is represented by its
//! result.

mod clauses;
mod names;

use clauses::{Clause, ClauseKind, ambiguous_columns, collect_clauses};
use names::{Called, in_words};
use vitrine_domain::{Catalog, Page, capitalize_first};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_steps::{Expression, Origin, Steps, identifier_words, plain_phrase, take_apart};
use vitrine_words::{join_with_and, plural, quote_text, tr};

/// Maximum number of columns that are named.
const COLUMNS: usize = 4;
/// Maximum number of characters of a cell that are shown.
const LONGEST_CELL: usize = 40;

/// A query that may be the intended interpretation of a question.
#[derive(Debug, Clone, Copy)]
pub struct Meant<'a> {
    /// The query of this interpretation.
    pub sql: &'a ReadOnlySql,
    /// The result of the query.
    pub page: &'a Page,
    /// Known effects of its conditions, keyed by their descriptions ([`condition_in_words`]).
    pub effects: &'a [(String, Effect)],
}

/// The effect of a condition on the rows of its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// The condition keeps all rows, so it makes no difference.
    None,
    /// The condition keeps some rows: `12 of 1,000 rows of orders`.
    Keeps(String),
}

/// Describes an expression in terms of entities: `number of customers`, `number of different customers`. Returns `None`
/// if this is not possible.
pub(crate) fn plain_words(of: &Expression, steps: &Steps, catalog: &Catalog) -> Option<String> {
    in_words(of, steps, catalog, &ambiguous_columns(steps))
}

/// Describes each query in one line.
pub fn describe_readings(all: &[Meant<'_>], catalog: &Catalog) -> Vec<String> {
    let told: Vec<Option<Vec<Clause>>> = all.iter().map(|one| query_clauses(one, catalog)).collect();
    let known: Vec<&Vec<Clause>> = told.iter().flatten().collect();
    let shared = |clause: &Clause| known.iter().all(|other| other.iter().any(|own| own.is_same_clause(clause)));
    let mut lines: Vec<String> = told
        .iter()
        .zip(all)
        .map(|(own, one)| {
            let others = known.iter().flat_map(|clauses| clauses.iter()).filter(|clause| !shared(clause));
            let others: Vec<&Clause> = others.collect();
            let line = own.as_ref().and_then(|own| describe_query(own, &others, shared));
            line.unwrap_or_else(|| by_result(one.page))
        })
        .collect();
    let twice: Vec<bool> = lines.iter().map(|line| lines.iter().filter(|other| *other == line).count() > 1).collect();
    for ((line, one), _) in lines.iter_mut().zip(all).zip(twice).filter(|(_, twice)| *twice) {
        let result = first_cells(one.page);
        if !result.is_empty() && !line.ends_with(&result) {
            *line = tr!("{reading}, giving {result}", reading = line, result);
        }
    }
    lines
}

/// Describes a condition on the rows of one table in plain words; `None` if that would need SQL.
pub fn condition_in_words(condition: &str, table: &str, catalog: &Catalog) -> Option<String> {
    let origin = |column: &str| Origin { table: table.to_owned(), column: column.to_owned() };
    let columns = catalog.find_table(table)?.columns.iter().map(|column| origin(&column.name)).collect();
    let expression = Expression { text: condition.to_owned(), columns };
    plain_phrase(condition, catalog.dialect, &Called::new(catalog, None, &expression, Vec::new()))
}

fn query_clauses(one: &Meant<'_>, catalog: &Catalog) -> Option<Vec<Clause>> {
    let steps = take_apart(one.sql, catalog).ok()?;
    let mut clauses = collect_clauses(&steps, catalog);
    clauses.retain_mut(|clause| {
        let effect = one
            .effects
            .iter()
            .find(|(words, _)| clause.part == ClauseKind::Only && clause.words.as_ref() == Some(words));
        match effect {
            Some((_, Effect::None)) => return false,
            Some((_, Effect::Keeps(rows))) => clause.keeps = Some(rows.clone()),
            None => {}
        }
        true
    });
    Some(clauses)
}

/// Describes what a query returns and does; `None` if a part has no plain words.
fn describe_query(own: &[Clause], others: &[&Clause], shared: impl Fn(&Clause) -> bool) -> Option<String> {
    let of = |part: ClauseKind| own.iter().filter(move |clause| clause.part == part);
    let differing = |part: ClauseKind| -> Option<Vec<String>> {
        let own = of(part).filter(|clause| !shared(clause));
        own.map(Clause::describe_clause).collect()
    };
    let outputs: Option<Vec<String>> = of(ClauseKind::Output).map(|clause| clause.words.clone()).collect();
    let mut line = match outputs {
        Some(outputs) if outputs.len() <= COLUMNS => join_with_and(&outputs),
        Some(outputs) => {
            let (first, others) = (outputs[..COLUMNS - 1].join(", "), outputs.len() + 1 - COLUMNS);
            tr!("{first} and {others} more", first, others)
        }
        None => return None,
    };
    let counts_rows = of(ClauseKind::Table).count() == 1
        && of(ClauseKind::Table).all(|t| line.ends_with(t.words.as_deref().unwrap_or(" ")));
    let tables = differing(ClauseKind::Table)?;
    if !tables.is_empty() && !counts_rows {
        line = tr!("{reading}, from {tables}", reading = line, tables = join_with_and(&tables));
    }
    differing(ClauseKind::Once)?.iter().for_each(|once| line.push_str(&format!(", {once}")));
    let per = differing(ClauseKind::Per)?;
    if !per.is_empty() {
        line = tr!("{reading}, for each {keys}", reading = line, keys = join_with_and(&per));
    }
    let only = differing(ClauseKind::Only)?;
    if !only.is_empty() {
        line = tr!("{reading}, only where {conditions}", reading = line, conditions = join_with_and(&only));
    } else {
        let mut open = others.iter().filter(|clause| clause.part == ClauseKind::Only && clause.could_hold_in(own));
        if let Some(condition) = open.find_map(|clause| clause.words.as_ref()) {
            line = tr!("{reading}, whether or not {condition}", reading = line, condition);
        }
    }
    differing(ClauseKind::Rows)?.iter().for_each(|rows| line.push_str(&format!(", {rows}")));
    Some(capitalize_first(&line))
}

/// Describes an interpretation by its result.
fn by_result(page: &Page) -> String {
    let plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' '));
    let columns: Option<Vec<String>> =
        page.columns.iter().map(|column| plain(&column.name).then(|| identifier_words(&column.name))).collect();
    let columns = columns.filter(|columns| columns.len() <= COLUMNS).map(|columns| join_with_and(&columns));
    let cells = first_cells(page);
    match (page.row_count, page.columns.len(), columns) {
        (0, _, _) => tr!("No rows"),
        (1, 1, Some(column)) => tr!("The value {cells} of {column}", cells, column),
        (1, 1, None) => tr!("The value {cells}", cells),
        (1, _, Some(columns)) => tr!("One row with {columns}, {cells}", columns, cells),
        (1, count, None) => tr!("One row with {count} columns, {cells}", count, cells),
        (rows, _, Some(columns)) => {
            plural!(
                rows,
                "{n} row with {columns}, the first {cells}",
                "{n} rows with {columns}, the first {cells}",
                columns,
                cells
            )
        }
        (rows, 1, None) => plural!(rows, "{n} row, the first {cells}", "{n} rows, the first {cells}", cells),
        (rows, count, None) => plural!(
            rows,
            "{n} row with {count} columns, the first {cells}",
            "{n} rows with {count} columns, the first {cells}",
            count,
            cells
        ),
    }
}

/// Formats the first cells of a result. Texts are quoted to distinguish them from the description.
fn first_cells(page: &Page) -> String {
    let cell = |cell: &Option<String>| match cell {
        None => tr!("nothing"),
        Some(text) if text.parse::<f64>().is_ok() => text.clone(),
        Some(text) => {
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            quote_text(&flat.chars().take(LONGEST_CELL).collect::<String>())
        }
    };
    let cells = page.rows.first().into_iter().flatten().take(COLUMNS).map(cell);
    cells.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
