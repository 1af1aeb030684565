//! `vitrine explain`: explains the result of a query.

use crate::args::ExplainArgs;
use crate::end::End;
use crate::input::stdin_text;
use crate::output::{in_rows, print_json, print_note, print_text, sanitize_text};
use crate::sample::announce_sample;
use vitrine_api::App;
use vitrine_domain::{ColumnUse, ExplainedStep, Explanation, ExplanationCheck, UsedTable};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, args: ExplainArgs) -> Result<(), End> {
    let sql = if args.sql == "-" { stdin_text()? } else { args.sql };
    let uri = args.uri.unwrap_or_default();
    announce_sample(app, &uri);
    let explanation = app.explain(uri, sql, args.question).await?;
    if args.json {
        print_json(&explanation.to_json());
        return Ok(());
    }
    print_explanation(&explanation);
    Ok(())
}

fn print_explanation(explanation: &Explanation) {
    let Explanation { understood, question, selection, steps, checks, .. } = explanation;
    understood.iter().for_each(|clause| print_text(&sanitize_text(clause, false)));
    if let Some(question) = question {
        question.unanswered.iter().for_each(|text| print_text(&format!("? {}", sanitize_text(text, false))));
        question.unsaid.iter().for_each(|text| {
            print_text(&tr!("- not stated in the question: {text}", text = sanitize_text(text, false)))
        });
    }
    for (step, number) in steps.iter().zip(1..) {
        print_text(&format!("\n{number}. {}", format_step(step)));
        checks
            .iter()
            .filter(|check| check.step.as_ref() == Some(&step.name))
            .for_each(|check| print_text(&format_check(check)));
    }
    print_text("");
    selection.iter().for_each(|table| print_text(&format_used_table(table)));
    match &explanation.unproven {
        None => print_note(&tr!("the steps were run and give the query's own result")),
        Some(why) if steps.is_empty() => {
            print_note(&tr!("the query is not split into steps: {why}", why = sanitize_text(why, false)))
        }
        Some(why) => print_note(&tr!("the steps are not proven: {why}", why = sanitize_text(why, false))),
    }
}

fn format_step(step: &ExplainedStep) -> String {
    let rows = step.rows.map(in_rows);
    let grain = step.grain.as_ref().map(|grain| tr!("each {grain}", grain = sanitize_text(grain, false)));
    let facts: Vec<String> = rows.into_iter().chain(grain).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    format!("{}{facts}", sanitize_text(&step.note, false))
}

fn format_check(check: &ExplanationCheck) -> String {
    let mark = if check.may_change { "?" } else { "-" };
    format!("   {mark} {}", sanitize_text(&check.text, false))
}

fn format_used_table(table: &UsedTable) -> String {
    let word = |used: &ColumnUse| match used {
        ColumnUse::Shown => tr!(context "use of a column", "shown"),
        ColumnUse::Computed => tr!(context "use of a column", "computed with"),
        ColumnUse::Filtered => tr!(context "use of a column", "filtered by"),
        ColumnUse::Joined => tr!(context "use of a column", "joined on"),
        ColumnUse::Grouped => tr!(context "use of a column", "grouped by"),
        ColumnUse::Sorted => tr!(context "use of a column", "sorted by"),
    };
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| match column.uses.as_slice() {
            [] => sanitize_text(&column.column, false),
            uses => {
                format!(
                    "{} ({})",
                    sanitize_text(&column.column, false),
                    uses.iter().map(word).collect::<Vec<_>>().join(", ")
                )
            }
        })
        .collect();
    format!("{}: {}", sanitize_text(&table.table, false), columns.join(", "))
}
