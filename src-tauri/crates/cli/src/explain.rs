//! `vitrine explain`: how the result of a query comes about.

use crate::args::ExplainArgs;
use crate::end::End;
use crate::input::stdin_text;
use crate::output::{clean, in_rows, note, print, print_json};
use crate::sample::announce_sample;
use vitrine_api::App;
use vitrine_domain::{ColumnUse, ExplainedStep, Explanation, ExplanationCheck, UsedTable};
use vitrine_words::tr;

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
        question
            .unsaid
            .iter()
            .for_each(|text| print(&tr!("- not said in the question: {text}", text = clean(text, false))));
    }
    for (step, number) in steps.iter().zip(1..) {
        print(&format!("\n{number}. {}", told(step)));
        checks.iter().filter(|check| check.step.as_ref() == Some(&step.name)).for_each(|check| print(&asked(check)));
    }
    print("");
    selection.iter().for_each(|table| print(&used(table)));
    match &explanation.unproven {
        None => note(&tr!("the steps were run and give the query's own result")),
        Some(why) if steps.is_empty() => note(&tr!("the query is not taken apart: {why}", why = clean(why, false))),
        Some(why) => note(&tr!("the steps are not proven: {why}", why = clean(why, false))),
    }
}

fn told(step: &ExplainedStep) -> String {
    let rows = step.rows.map(in_rows);
    let grain = step.grain.as_ref().map(|grain| tr!("each {grain}", grain = clean(grain, false)));
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
            [] => clean(&column.column, false),
            uses => {
                format!("{} ({})", clean(&column.column, false), uses.iter().map(word).collect::<Vec<_>>().join(", "))
            }
        })
        .collect();
    format!("{}: {}", clean(&table.table, false), columns.join(", "))
}
