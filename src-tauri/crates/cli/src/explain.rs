//! `vitrine explain`: how the result of a query comes about.

use crate::args::ExplainArgs;
use crate::end::End;
use crate::input::stdin_text;
use crate::output::{clean, count, note, print, print_json};
use crate::sample::announce_sample;
use vitrine_api::App;
use vitrine_domain::{ColumnUse, ExplainedStep, Explanation, ExplanationCheck, UsedTable};

pub(crate) async fn run(app: &App, args: ExplainArgs) -> Result<(), End> {
    let sql = if args.sql == "-" { stdin_text()? } else { args.sql };
    announce_sample(app, &args.uri);
    let explanation = app.explain(args.uri, sql, args.question).await?;
    if args.json {
        print_json(&explanation.to_json());
        return Ok(());
    }
    tell(&explanation);
    Ok(())
}

fn tell(explanation: &Explanation) {
    let Explanation { understood, question, selection, steps, checks, .. } = explanation;
    understood.iter().for_each(|clause| print(&clean(clause, false)));
    if let Some(question) = question {
        question.unanswered.iter().for_each(|text| print(&format!("? {}", clean(text, false))));
        question.unsaid.iter().for_each(|text| print(&format!("- not said in the question: {}", clean(text, false))));
    }
    for (step, number) in steps.iter().zip(1..) {
        print(&format!("\n{number}. {}", told(step)));
        checks.iter().filter(|check| check.step.as_ref() == Some(&step.name)).for_each(|check| print(&asked(check)));
    }
    print("");
    selection.iter().for_each(|table| print(&used(table)));
    match &explanation.unproven {
        None => note("the steps were run and give the query's own result"),
        Some(why) if steps.is_empty() => note(&format!("the query is not taken apart: {}", clean(why, false))),
        Some(why) => note(&format!("the steps are not proven: {}", clean(why, false))),
    }
}

fn told(step: &ExplainedStep) -> String {
    let rows = step.rows.map(|rows| count(rows, "row"));
    let grain = step.grain.as_ref().map(|grain| format!("each {}", clean(grain, false)));
    let facts: Vec<String> = rows.into_iter().chain(grain).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    format!("{}{facts}", clean(&step.note, false))
}

fn asked(check: &ExplanationCheck) -> String {
    let mark = if check.may_change { "?" } else { "-" };
    format!("   {mark} {}", clean(&check.text, false))
}

fn used(table: &UsedTable) -> String {
    let word = |used: &ColumnUse| match used {
        ColumnUse::Shown => "shown",
        ColumnUse::Computed => "computed with",
        ColumnUse::Filtered => "filtered by",
        ColumnUse::Joined => "joined on",
        ColumnUse::Grouped => "grouped by",
        ColumnUse::Sorted => "sorted by",
    };
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| match column.uses.as_slice() {
            [] => clean(&column.column, false),
            uses => {
                format!("{} ({})", clean(&column.column, false), uses.iter().map(word).collect::<Vec<_>>().join(", "))
            }
        })
        .collect();
    format!("{}: {}", clean(&table.table, false), columns.join(", "))
}
