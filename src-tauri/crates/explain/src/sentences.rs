//! Describes each step in one sentence, and the whole query clause by clause.

use vitrine_domain::{Dialect, RewrittenQuestion, capitalize_first};
use vitrine_sql_steps::{
    Aggregate, Expression, JoinKind, Limit, OrderKey, Output, SetKind, Step, StepKind, Steps, column_of,
    describe_conditions, describe_shared_key, describe_sql, identifier_words, largest_first, one_by_one, rows_where,
};
use vitrine_words::{join_with_and, tr};

/// Describes a step in one sentence.
pub(crate) fn describe_step(steps: &Steps, at: usize, dialect: Dialect) -> String {
    replace_step_names(format_step(steps, at, dialect), steps, dialect)
}

fn format_step(steps: &Steps, at: usize, dialect: Dialect) -> String {
    let step = &steps.steps()[at];
    let given = NamedValues::before_step(steps, at);
    let say = |expression: &Expression| {
        given.find_name(&expression.text).unwrap_or_else(|| describe_sql(&expression.text, dialect))
    };
    let all = |conditions: &[Expression]| {
        let is_named = conditions.iter().any(|condition| given.find_name(&condition.text).is_some());
        let texts: Vec<String> = match is_named {
            true => conditions.iter().map(say).collect(),
            false => describe_conditions(&condition_texts(conditions), None, dialect),
        };
        join_with_and(&texts)
    };
    let columns =
        |outputs: &[Output]| outputs.iter().map(|output| describe_output(output, dialect)).collect::<Vec<_>>();
    match &step.kind {
        StepKind::Table { table, filters } if filters.is_empty() => {
            tr!("Takes all rows of {table}.", table = identifier_words(table))
        }
        StepKind::Table { table, filters } => {
            let filters = describe_conditions(&condition_texts(filters), Some(table), dialect);
            tr!(
                "Takes the rows of {table} where {conditions}.",
                table = identifier_words(table),
                conditions = join_with_and(&filters)
            )
        }
        StepKind::Join { kind, left, right, condition } => {
            let (of_left, of_right) = (source_name(steps, at, left), source_name(steps, at, right));
            let shared = condition.as_ref().and_then(|condition| describe_shared_key(&condition.text, dialect));
            let joined = match (shared, condition.as_ref().map(say)) {
                (Some(columns), _) => {
                    tr!("Matches {right} to {left} by {columns}", right = of_right, left = of_left, columns)
                }
                (None, Some(condition)) => {
                    tr!("Matches {right} to {left} where {condition}", right = of_right, left = of_left, condition)
                }
                (None, None) => tr!("Matches {right} to {left}", right = of_right, left = of_left),
            };
            match kind {
                JoinKind::Inner => tr!("{joined}; rows without a match drop out.", joined),
                JoinKind::Left => {
                    tr!("{joined}; {rows} without a match stay.", joined, rows = rows_of(steps, at, left))
                }
                JoinKind::Right => {
                    tr!("{joined}; {rows} without a match stay.", joined, rows = rows_of(steps, at, right))
                }
                JoinKind::Full => tr!("{joined}; rows without a match stay on both sides.", joined),
                JoinKind::Cross => {
                    tr!("Combines each row of {left} with each row of {right}.", left = of_left, right = of_right)
                }
            }
        }
        StepKind::Filter { conditions } => tr!("Keeps the rows where {conditions}.", conditions = all(conditions)),
        StepKind::Having { conditions } => tr!("Keeps the groups where {conditions}.", conditions = all(conditions)),
        StepKind::Group { keys, aggregates, .. } => {
            let value = |aggregate: &Aggregate| match is_given(aggregate) {
                true => tr!(
                    "{value} (called {name})",
                    value = say(&aggregate.value),
                    name = identifier_words(&aggregate.name)
                ),
                false => say(&aggregate.value),
            };
            let values = join_with_and(&aggregates.iter().map(value).collect::<Vec<_>>());
            let keys = join_with_and(&keys.iter().map(|key| say(&key.value)).collect::<Vec<_>>());
            match (keys.is_empty(), values.is_empty()) {
                (true, _) => tr!("Over all rows: {values}.", values),
                (false, true) => tr!("Makes one row for each {keys}.", keys),
                (false, false) => tr!("For each {keys}: {values}.", keys, values),
            }
        }
        StepKind::Window { outputs } => tr!("Adds {values} to each row.", values = join_with_and(&columns(outputs))),
        StepKind::Project { outputs } => tr!("Computes {values}.", values = join_with_and(&columns(outputs))),
        StepKind::Distinct => tr!("Removes duplicate rows."),
        StepKind::SetOperation { operation, all, left, right, .. } => {
            let (left, right) = (source_name(steps, at, left), source_name(steps, at, right));
            match (operation, all) {
                (SetKind::Union, true) => tr!("Combines the rows of {left} and {right}.", left, right),
                (SetKind::Union, false) => {
                    tr!("Combines the rows of {left} and {right}, without duplicates.", left, right)
                }
                (SetKind::Intersect, true) => tr!("Keeps the rows of {left} that are also in {right}.", left, right),
                (SetKind::Intersect, false) => {
                    tr!("Keeps the rows of {left} that are also in {right}, without duplicates.", left, right)
                }
                (SetKind::Except, true) => tr!("Keeps the rows of {left} that are not in {right}.", left, right),
                (SetKind::Except, false) => {
                    tr!("Keeps the rows of {left} that are not in {right}, without duplicates.", left, right)
                }
            }
        }
        StepKind::Order { keys, limit, distinct } => {
            let keys = describe_order(keys, &say);
            let order = match limit {
                Some(limit) => tr!("Sorts by {keys} and {keeps}.", keys, keeps = describe_limit(limit)),
                None => tr!("Sorts by {keys}.", keys),
            };
            if *distinct { format!("{} {order}", tr!("Removes duplicate rows.")) } else { order }
        }
        StepKind::Limit(limit) => format!("{}.", capitalize_first(&describe_limit(limit))),
        StepKind::Query { reason } => tr!("Kept as one step: {reason}.", reason),
        _ => String::new(),
    }
}

fn condition_texts(conditions: &[Expression]) -> Vec<&str> {
    conditions.iter().map(|condition| condition.text.as_str()).collect()
}

/// Values that earlier steps named; later sentences use these names.
struct NamedValues<'s>(Vec<(&'s str, &'s str)>);

impl<'s> NamedValues<'s> {
    fn before_step(steps: &'s Steps, at: usize) -> Self {
        let given = |step: &'s Step| -> Vec<(&'s str, &'s str)> {
            match &step.kind {
                StepKind::Group { aggregates, .. } => {
                    let own = aggregates.iter().filter(|aggregate| is_given(aggregate));
                    own.map(|aggregate| (aggregate.value.text.as_str(), aggregate.name.as_str())).collect()
                }
                StepKind::Project { outputs } | StepKind::Window { outputs } => {
                    let own = outputs.iter().filter(|output| is_name(&output.name));
                    own.map(|output| (output.value.text.as_str(), output.name.as_str())).collect()
                }
                _ => Vec::new(),
            }
        };
        Self(steps.steps()[..at].iter().flat_map(given).collect())
    }

    fn find_name(&self, text: &str) -> Option<String> {
        self.0.iter().rev().find(|(value, _)| *value == text).map(|(_, name)| identifier_words(name))
    }
}

/// Returns true if the query's name for an aggregate is more informative than the aggregate: `revenue`, but not
/// `sum_amount`.
fn is_given(aggregate: &Aggregate) -> bool {
    let Aggregate { name, function, .. } = aggregate;
    name != "row_count" && !name.starts_with(function.as_str()) && is_name(name)
}

/// Returns true if a column's name is an alias rather than a name that the engine derives from the expression.
fn is_name(name: &str) -> bool {
    name != "value" && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Describes the clauses that produce the result: columns, rows, groups, order.
pub(crate) fn describe_clauses(steps: &Steps, dialect: Dialect) -> (Vec<String>, RewrittenQuestion) {
    let say = |expression: &Expression| describe_sql(&expression.text, dialect);
    let [mut shown, mut tables, mut only, mut per, mut order]: [Vec<String>; 5] = Default::default();
    let last = steps.steps().last();
    let given = NamedValues::before_step(steps, steps.steps().len());
    let named = |text: &str| given.find_name(text).unwrap_or_else(|| describe_sql(text, dialect));
    let add = |list: &mut Vec<String>, text: String| {
        let text = replace_step_names(text, steps, dialect);
        if !list.contains(&text) {
            list.push(text);
        }
    };
    for (at, _) in of_the_result(steps).into_iter().enumerate().filter(|(_, main)| *main) {
        let step = &steps.steps()[at];
        let read = step.reads.iter().filter(|name| steps.steps().iter().all(|step| step.name != **name));
        let rows = match &step.kind {
            StepKind::Join { left, right, .. } | StepKind::SetOperation { left, right, .. } => vec![left, right],
            _ => step.reads.first().into_iter().collect(),
        };
        read.filter(|name| rows.contains(name)).for_each(|name| add(&mut tables, identifier_words(name)));
        match &step.kind {
            StepKind::Table { filters: conditions, .. }
            | StepKind::Filter { conditions }
            | StepKind::Having { conditions } => {
                let texts = describe_conditions(&condition_texts(conditions), None, dialect);
                texts.into_iter().for_each(|text| add(&mut only, text));
            }
            // The last of nested groupings produces the rows of the result.
            StepKind::Group { keys, .. } => {
                per.clear();
                keys.iter().for_each(|key| add(&mut per, say(&key.value)));
            }
            StepKind::SetOperation { .. } => {
                add(&mut order, format_step(steps, at, dialect).trim_end_matches('.').to_owned())
            }
            StepKind::Distinct => add(&mut only, tr!("rows are distinct")),
            StepKind::Order { keys, limit, .. } => {
                add(&mut order, tr!("Sorted by {keys}", keys = describe_order(keys, &|key| named(&key.text))));
                limit.iter().for_each(|limit| add(&mut order, capitalize_first(&describe_limit(limit))));
            }
            StepKind::Limit(limit) => add(&mut order, capitalize_first(&describe_limit(limit))),
            _ => {}
        }
    }
    for column in last.into_iter().flat_map(|step| &step.columns) {
        add(&mut shown, column_words(steps, &column.name, dialect, &|value| describe_sql(&value.text, dialect)));
    }
    let mut clauses = vec![tr!("Shows {outputs}", outputs = join_with_and(&shown))];
    clauses.extend((!tables.is_empty()).then(|| tr!("From the rows of {tables}", tables = join_with_and(&tables))));
    clauses.extend((!per.is_empty()).then(|| tr!("For each {keys}", keys = join_with_and(&per))));
    let task = clauses.join("; ");
    clauses.extend((!only.is_empty()).then(|| tr!("Only where {conditions}", conditions = join_with_and(&only))));
    let rewritten = RewrittenQuestion {
        task,
        outputs: shown,
        filters: only,
        ordering: order.join("; "),
        ..RewrittenQuestion::default()
    };
    clauses.extend(order);
    (clauses, rewritten)
}

/// Describes a column of the result; `say` converts its expression to words.
pub(crate) fn column_words(
    steps: &Steps,
    column: &str,
    dialect: Dialect,
    say: &dyn Fn(&Expression) -> String,
) -> String {
    // The engine has named the column after its expression.
    let unnamed = || column.contains('(').then(|| say(&Expression { text: column.to_owned(), columns: Vec::new() }));
    replace_step_names(
        describe_column(steps, column, say).or_else(unnamed).unwrap_or_else(|| identifier_words(column)),
        steps,
        dialect,
    )
}

/// Returns true for each step through which the rows of the result pass. Steps that only a condition reads ("not one of
/// ...") are described with it.
pub(crate) fn of_the_result(steps: &Steps) -> Vec<bool> {
    let all = steps.steps();
    let mut main = vec![false; all.len()];
    let mut open: Vec<usize> = all.len().checked_sub(1).into_iter().collect();
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut main[at], true) {
            continue;
        }
        let rows: Vec<&String> = match &all[at].kind {
            StepKind::Table { .. } => Vec::new(),
            StepKind::Join { left, right, .. } | StepKind::SetOperation { left, right, .. } => vec![left, right],
            _ => all[at].reads.first().into_iter().collect(),
        };
        open.extend(rows.into_iter().filter_map(|name| all[..at].iter().position(|step| step.name == *name)));
    }
    main
}

/// Describes the aggregate or value that some step computes under a result column's name.
fn describe_column(steps: &Steps, column: &str, say: &dyn Fn(&Expression) -> String) -> Option<String> {
    steps.steps().iter().rev().find_map(|step| {
        let (outputs, aggregates): (&[Output], _) = match &step.kind {
            StepKind::Project { outputs } | StepKind::Window { outputs } => (outputs, None),
            StepKind::Group { keys, aggregates, .. } => (keys, Some(aggregates)),
            _ => (&[], None),
        };
        let output = outputs.iter().find(|output| output.name == column).map(|output| &output.value);
        let aggregate = aggregates.into_iter().flatten().find(|aggregate| aggregate.name == column);
        let value = output.or(aggregate.map(|aggregate| &aggregate.value))?;
        let said = say(value);
        let own = identifier_words(column);
        // `average (average total)` would be redundant.
        let is_own = match aggregate {
            Some(aggregate) => is_given(aggregate),
            None => output.is_some() && is_name(column),
        };
        Some(if is_own && !said.to_lowercase().contains(&own.to_lowercase()) {
            format!("{own} ({said})")
        } else {
            said
        })
    })
}

fn describe_output(output: &Output, dialect: Dialect) -> String {
    let value = describe_sql(&output.value.text, dialect);
    let name = identifier_words(&output.name);
    if value.contains(&name) || value == format!("`{}`", output.name) { value } else { format!("{name} ({value})") }
}

/// The source that a sentence about a step refers to.
enum Source {
    /// A table or step with a name.
    Named(String),
    /// The step immediately before this one.
    SoFar,
    /// A step that is referred to by its number.
    Numbered(usize),
}

/// Returns how the sentence about the step at `at` refers to a step or a table.
fn source(steps: &Steps, at: usize, name: &str) -> Source {
    let all = steps.steps();
    match all.iter().position(|step| step.name == name) {
        None => Source::Named(identifier_words(name)),
        Some(read) => match &all[read] {
            Step { kind: StepKind::Table { table, .. }, .. } => Source::Named(identifier_words(table)),
            Step { kind: StepKind::Join { .. } | StepKind::Filter { .. }, .. } if read + 1 == at => Source::SoFar,
            step if is_numbered(step) => Source::Numbered(read + 1),
            step => Source::Named(identifier_words(&step.name)),
        },
    }
}

/// Returns the name of a step or a table in a sentence about the step at `at`, after a preposition.
fn source_name(steps: &Steps, at: usize, name: &str) -> String {
    match source(steps, at, name) {
        Source::Named(name) => name,
        Source::SoFar => tr!("the rows so far"),
        Source::Numbered(number) => tr!("the rows of step {number}", number),
    }
}

/// Returns the rows of a source as the subject of a sentence.
fn rows_of(steps: &Steps, at: usize, name: &str) -> String {
    match source(steps, at, name) {
        Source::Named(table) => tr!("rows of {table}", table),
        Source::SoFar => tr!(context "subject", "the rows so far"),
        Source::Numbered(number) => tr!(context "subject", "the rows of step {number}", number),
    }
}

/// Returns true if a step has a generated, numbered name rather than one from the query.
pub(crate) fn is_numbered(step: &Step) -> bool {
    step.name.strip_prefix('s').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// Replaces the names of steps that conditions read by descriptions.
fn replace_step_names(said: String, steps: &Steps, dialect: Dialect) -> String {
    let named = steps.steps().iter().enumerate().filter(|(_, step)| is_numbered(step));
    named.fold(said, |said, (at, step)| {
        let name = identifier_words(&step.name);
        if !said.contains(&name) {
            return said;
        }
        // A single value computed from all rows describes itself.
        if let StepKind::Group { keys, aggregates, .. } = &step.kind
            && keys.is_empty()
        {
            let of = step.reads.first().map(|read| source_name(steps, at, read)).unwrap_or_default();
            let value = |said: String, aggregate: &Aggregate| {
                let meant = column_of(&describe_sql(&aggregate.value.text, dialect), &of);
                said.replace(&column_of(&identifier_words(&aggregate.name), &name), &meant)
            };
            return aggregates.iter().fold(said, value);
        }
        let meant = match &step.kind {
            StepKind::Table { table, filters } if filters.is_empty() => identifier_words(table),
            StepKind::Table { table, filters } => {
                let filters = describe_conditions(&condition_texts(filters), Some(table), dialect);
                format!("({})", rows_where(&identifier_words(table), &join_with_and(&filters)))
            }
            _ => tr!("step {number}", number = at + 1),
        };
        said.replace(&name, &meant)
    })
}

fn describe_order(keys: &[OrderKey], say: &impl Fn(&Expression) -> String) -> String {
    let key = |key: &OrderKey| {
        let said = say(&key.value);
        if key.descending { largest_first(&said) } else { said }
    };
    one_by_one(&keys.iter().map(key).collect::<Vec<_>>())
}

fn describe_limit(limit: &Limit) -> String {
    match (limit.count.as_deref(), &limit.offset) {
        (Some("1"), None) => tr!("keeps the first row"),
        (Some(count), None) => tr!("keeps the first {count} rows", count),
        (Some("1"), Some(offset)) => tr!("keeps the first row after skipping {offset}", offset),
        (Some(count), Some(offset)) => tr!("keeps the first {count} rows after skipping {offset}", count, offset),
        (None, Some(offset)) => tr!("skips the first {offset} rows", offset),
        (None, None) => tr!("keeps all rows"),
    }
}
