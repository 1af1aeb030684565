//! Suggests questions about a database from its catalog and profile without reading data. A question is suggested only
//! if the profile shows that it has an answer; keys and columns that look personal are excluded. The roles of columns
//! are inferred from values, so that names can be in any language.

mod evidence;
mod question;
#[cfg(test)]
mod tests;

pub use question::{Effort, SuggestedQuestion};

use evidence::{Amount, Group, Known, Moment, Unit};
use std::collections::BTreeMap;
use vitrine_domain::{Catalog, Profile};
use vitrine_words::{quote_text, tr};

/// Maximum number of questions in total.
const MOST: usize = 24;
/// Maximum number of questions per table.
const PER_TABLE: usize = 5;

/// Returns questions about a database, alternating between kinds and tables. The result is deterministic.
pub fn suggested_questions(catalog: &Catalog, profile: &Profile) -> Vec<SuggestedQuestion> {
    let known = Known::new(catalog, profile);
    let kinds: [fn(&Known<'_>) -> Vec<SuggestedQuestion>; 9] = [
        suggest_counts,
        suggest_totals,
        most_children,
        suggest_averages,
        suggest_highest,
        of_value,
        per_parent,
        over_time,
        without_children,
    ];
    let mut open: Vec<std::vec::IntoIter<SuggestedQuestion>> = kinds.map(|kind| kind(&known).into_iter()).into();
    let mut asked: Vec<SuggestedQuestion> = Vec::new();
    let mut per_table: BTreeMap<String, usize> = BTreeMap::new();
    while asked.len() < MOST {
        let before = asked.len();
        for kind in &mut open {
            // Prefer other tables; skipped questions are not reconsidered.
            let fits = |question: &SuggestedQuestion| {
                let table = &question.about[0].0;
                per_table.get(table).is_none_or(|count| *count < PER_TABLE)
                    && asked.iter().all(|other| other.question != question.question)
            };
            let Some(question) = kind.find(fits) else { continue };
            *per_table.entry(question.about[0].0.clone()).or_default() += 1;
            asked.push(question);
        }
        if asked.len() == before {
            break;
        }
    }
    asked.truncate(MOST);
    if asked.is_empty() {
        // There are rows, but their columns are unknown.
        asked = known
            .tables
            .iter()
            .take(3)
            .map(|table| {
                let text = tr!("How many {things} are there?", things = table.plural_label());
                table.make_question(text, Effort::Easy, &[])
            })
            .collect();
    }
    asked
}

fn suggest_counts(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.questions_per_table(|table| {
        let Group { name, label } = table.groups.first()?;
        let text = tr!("How many {things} are there for each {column}?", things = table.plural_label(), column = label);
        Some(table.make_question(text, Effort::Easy, &[name]))
    })
}

fn suggest_totals(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.questions_per_table(|table| {
        let Moment { name: day, label: when, unit } = table.moments.first()?;
        let Amount { name, label, .. } = table.amounts.iter().find(|amount| amount.varies)?;
        let text = match unit {
            Unit::Month => tr!(
                "What is the total {amount} of {table} by month of {day}?",
                amount = label,
                table = table.label,
                day = when
            ),
            Unit::Year => tr!(
                "What is the total {amount} of {table} by year of {day}?",
                amount = label,
                table = table.label,
                day = when
            ),
        };
        Some(table.make_question(text, Effort::Medium, &[name, day]))
    })
}

fn suggest_averages(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.questions_per_table(|table| {
        let Group { name: group, label: by } = table.groups.get(1).or(table.groups.first())?;
        let Amount { name, label, .. } = table.amounts.first()?;
        let text = tr!(
            "What is the average {amount} of {table} for each {column}?",
            amount = label,
            table = table.label,
            column = by
        );
        Some(table.make_question(text, Effort::Medium, &[name, group]))
    })
}

fn suggest_highest(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.questions_per_table(|table| {
        let name = table.names.as_ref().filter(|_| table.rows > 5)?;
        let Amount { name: amount, label, .. } = table.amounts.last()?;
        let text = tr!("Which 5 {things} have the highest {amount}?", things = table.plural_label(), amount = label);
        Some(table.make_question(text, Effort::Easy, &[amount, name]))
    })
}

fn of_value(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.questions_per_table(|table| {
        let Group { name, label } = table.groups.last()?;
        let value = table.value_of(name)?;
        let text = tr!(
            "How many {things} have {column} {value}?",
            things = table.plural_label(),
            column = label,
            value = quote_text(value)
        );
        Some(table.make_question(text, Effort::Easy, &[name]))
    })
}

fn over_time(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.questions_per_table(|table| {
        let Moment { name, label, unit } = table.moments.last()?;
        let text = match unit {
            Unit::Month => {
                tr!("How many {things} are there by month of {day}?", things = table.plural_label(), day = label)
            }
            Unit::Year => {
                tr!("How many {things} are there by year of {day}?", things = table.plural_label(), day = label)
            }
        };
        Some(table.make_question(text, Effort::Medium, &[name]))
    })
}

fn most_children(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.each_pair(|child, key, parent| {
        let name = parent.names.as_ref().filter(|_| parent.rows > 5 && child.rows > parent.rows)?;
        let text = tr!(
            "Which 5 {things} have the most {others}?",
            things = parent.plural_label(),
            others = child.plural_label()
        );
        Some(parent.make_question(text, Effort::Hard, &[name]).with_columns(child, &[key]))
    })
}

fn per_parent(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.each_pair(|child, key, parent| {
        let Group { name: group, label: by } = parent.groups.first()?;
        let Amount { name, label, varies } = child.amounts.first()?;
        let (amount, table, column, other) = (label, &child.label, by, &parent.label);
        let text = if *varies {
            tr!("What is the total {amount} of {table} for each {column} of {other}?", amount, table, column, other)
        } else {
            tr!("What is the average {amount} of {table} for each {column} of {other}?", amount, table, column, other)
        };
        Some(child.make_question(text, Effort::Hard, &[name, key]).with_columns(parent, &[group]))
    })
}

fn without_children(known: &Known<'_>) -> Vec<SuggestedQuestion> {
    known.each_pair(|child, key, parent| {
        let fewer = child.distinct_count(key)? < parent.rows && child.rows > 1;
        let text =
            tr!("How many {things} have no {others}?", things = parent.plural_label(), others = child.plural_label());
        fewer.then(|| parent.make_question(text, Effort::Hard, &[]).with_columns(child, &[key]))
    })
}
