//! Comparison of a result with the previous one: the watched number, the columns, and the rows.

use crate::compare::compare_pages;
use vitrine_arrange::compare_numbers;
use vitrine_domain::{AppError, CellType, ErrorCode, Headline, Page, ResultColumn};
use vitrine_store::{WatchAlert, WatchPlan};
use vitrine_words::{join_with_and, plural, tr};

/// Maximum number of columns whose names are listed in an error.
const NAMED: usize = 12;

/// Returns the column whose numbers a limit applies to: the named one, the only one with numbers, or the main number of the result.
/// A column of NULLs may hold that number at another time, unless `before`, the columns of the previous result, says otherwise.
///
/// # Errors
/// When no column, or several, can be meant, because a limit on another number would be silently wrong.
pub(super) fn find_number_column(
    plan: &WatchPlan,
    page: &Page,
    headline: Option<&Headline>,
    before: &[ResultColumn],
) -> Result<usize, AppError> {
    let is_number = |kind: CellType| matches!(kind, CellType::Integer | CellType::Decimal | CellType::Float);
    let may_be_number = |column: &ResultColumn| match column.cell_type {
        CellType::Null => {
            let known = before.iter().find(|own| own.name == column.name).map(|own| own.cell_type);
            known.is_none_or(|kind| kind == CellType::Null || is_number(kind))
        }
        kind => is_number(kind),
    };
    let numbers: Vec<usize> = (0..page.columns.len()).filter(|at| may_be_number(&page.columns[*at])).collect();
    let has_missing = numbers.iter().any(|at| page.columns[*at].cell_type == CellType::Null);
    let names: Vec<String> = numbers.iter().take(NAMED).map(|at| page.columns[*at].name.clone()).collect();
    let listed = join_with_and(&names);
    if let Some(name) = &plan.column {
        let has_name = |column: &ResultColumn| column.name.eq_ignore_ascii_case(name.trim());
        let mut named = (0..page.columns.len()).filter(|at| has_name(&page.columns[*at]));
        return match (named.next(), named.next()) {
            (Some(at), None) if numbers.contains(&at) || page.columns[at].cell_type == CellType::Null => Ok(at),
            (Some(_), None) => Err(number_error(tr!("The column {name} holds no numbers", name), listed)),
            (Some(_), Some(_)) => Err(number_error(tr!("Several columns are called {name}", name), listed)),
            (None, _) => Err(number_error(tr!("The answer has no column {name}", name), listed)),
        };
    }
    let main = headline.and_then(|headline| headline.measure).map(|at| at as usize);
    match (numbers.as_slice(), main) {
        ([only], _) => Ok(*only),
        // The main number of the result depends on the columns that hold numbers now.
        (_, Some(main)) if numbers.contains(&main) && !has_missing => Ok(main),
        ([], _) => Err(number_error(tr!("The answer has no numbers to compare with a limit"), listed)),
        _ => Err(number_error(tr!("The answer has several numbers, so the limit is ambiguous"), listed)),
    }
}

fn number_error(message: String, listed: String) -> AppError {
    let error = AppError::new(ErrorCode::Usage, message);
    match listed.is_empty() {
        true => error.with_hint(tr!("Watch it for changes instead, or save a query that returns a number")),
        false => error.with_hint(tr!("Name one with --column. There are numbers in: {listed}", listed)),
    }
}

/// Returns the columns of a result; a column of NULLs keeps the type that it had before.
pub(super) fn keep_known_types(now: &[ResultColumn], before: &[ResultColumn]) -> Vec<ResultColumn> {
    let known = |column: &ResultColumn| match column.cell_type {
        CellType::Null => before.iter().find(|own| own.name == column.name).map(|own| own.cell_type),
        _ => None,
    };
    let keep = |column: &ResultColumn| match known(column) {
        Some(cell_type) => ResultColumn { cell_type, ..column.clone() },
        None => column.clone(),
    };
    now.iter().map(keep).collect()
}

/// Returns the number that is compared with the limit: the largest for an upper limit, the smallest for a lower one. `None` if
/// there are only missing values.
pub(super) fn find_extreme(alert: &WatchAlert, page: &Page, column: usize) -> Option<String> {
    let wanted = match alert {
        WatchAlert::Changed => return None,
        WatchAlert::Above(_) => std::cmp::Ordering::Greater,
        WatchAlert::Below(_) => std::cmp::Ordering::Less,
    };
    let known = page.rows.iter().filter_map(|row| row.get(column)?.as_deref());
    let numbers = known.filter(|text| compare_numbers(text, "0").is_some());
    let extreme = numbers.reduce(|best, next| if compare_numbers(next, best) == Some(wanted) { next } else { best });
    extreme.map(str::to_owned)
}

/// Returns true if a number is beyond the limit.
pub(super) fn is_beyond(alert: &WatchAlert, value: Option<&str>) -> bool {
    let compare = |limit: &str| value.and_then(|value| compare_numbers(value, limit));
    match alert {
        WatchAlert::Changed => false,
        WatchAlert::Above(limit) => compare(limit) == Some(std::cmp::Ordering::Greater),
        WatchAlert::Below(limit) => compare(limit) == Some(std::cmp::Ordering::Less),
    }
}

/// Describes changes of the result's columns, one sentence each.
pub(super) fn describe_columns(before: &[ResultColumn], now: &[ResultColumn]) -> Vec<String> {
    let find = |columns: &[ResultColumn], name: &str| columns.iter().find(|column| column.name == name).cloned();
    let mut changes = Vec::new();
    for column in before {
        let name = &column.name;
        match find(now, name) {
            None => changes.push(tr!("The answer no longer has the column {name}", name)),
            // A column of NULLs has no type of its own.
            Some(own)
                if own.cell_type != column.cell_type
                    && ![own.cell_type, column.cell_type].contains(&CellType::Null) =>
            {
                changes.push(tr!("The column {name} of the answer has another type now", name));
            }
            Some(_) => {}
        }
    }
    let added = now.iter().filter(|column| find(before, &column.name).is_none());
    changes.extend(added.map(|column| tr!("The answer has a new column {name}", name = column.name)));
    changes
}

/// Describes how the rows differ; `None` if they are equal.
pub(super) fn describe_rows(before: &Page, now: &Page) -> Option<String> {
    if let ([old], [new]) = (before.rows.as_slice(), now.rows.as_slice())
        && let ([old], [new]) = (old.as_slice(), new.as_slice())
        && before.columns[0].name == now.columns[0].name
    {
        let text = |cell: &Option<String>| cell.clone().unwrap_or_else(|| tr!("no value"));
        let is_same = compare_pages(before, now).same == 1;
        return (!is_same).then(|| tr!("{old} before, {new} now", old = text(old), new = text(new)));
    }
    let found = compare_pages(before, now);
    let counts = [
        (found.changed_count, plural!(found.changed_count, "{n} row changed", "{n} rows changed")),
        (found.only_right_count, plural!(found.only_right_count, "{n} row is new", "{n} rows are new")),
        (found.only_left_count, plural!(found.only_left_count, "{n} row is gone", "{n} rows are gone")),
    ];
    let parts: Vec<String> = counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
