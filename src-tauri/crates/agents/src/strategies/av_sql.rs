//! AV-SQL: rewriter, view generators over schema chunks, planner, generator, revisor.

use crate::context::{RunContext, StageError};
use crate::contract::OutputContract;
use crate::prompt::{Direct, Generate, Grounding, Prompt, ViewLine};
use crate::stages::generate::Effort;
use crate::stages::rewrite::Understood;
use crate::stages::views::{Views, value_lines};
use crate::stages::{answer, generate, plan, revise, rewrite, schema, views};
use vitrine_domain::{Agent, Switch, ViewAttempt};
use vitrine_llm::Request;

/// Runs the strategy.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let settings = &context.ask.settings;
    let dialect = context.ask.catalog.dialect;
    let budget = settings.chunk_budget.unwrap_or_else(|| context.model(Agent::ViewGenerator).traits().chunk_budget);
    let schema = schema::prepare(context, Agent::ViewGenerator, budget).await?;
    let understood = rewrite::rewrite(context).await?;
    let views = views::generate(context, &schema, &understood).await?;
    if views.selection.is_empty() {
        context.warn(Some(views::NODE), "No table seems to hold what is asked for; the answer may be a guess");
    }

    // One chunk: every agent keeps the whole schema, whose reading is already paid for, and is told the selection.
    // Several chunks: the filtered schema of the paper (S_filtered).
    let text = if schema.is_whole() || views.selection.is_empty() {
        schema.chunks[0].text.clone()
    } else {
        schema.render_selection(context, &views.selection)
    };
    let opening: Request = schema::opening(dialect, &text);
    let grounding = ground(&understood, &views, schema.is_whole());
    let contract = OutputContract::of(&understood.question, &understood.rewritten);

    let plan = plan::plan(context, &opening, &grounding, &views).await?;
    // A wrong plan would decide every vote if all candidates followed it. With the embedded model the prompt without views
    // and plan is the more often right of the two by itself (docs/benchmarks.md), so it comes first and is the one sampled.
    let name = dialect.display_name();
    let Grounding { question, facts, values, .. } = &grounding;
    let mut tails = vec![Generate { grounding: &grounding, plan: &plan, dialect: name }.render()];
    if settings.candidates > 1 {
        tails.insert(0, Direct { question, facts, values, dialect: name }.render());
    }
    let requests: Vec<Request> = tails.into_iter().map(|tail| Request { tail, ..opening.clone() }).collect();
    let input = if settings.with(Switch::Planner) { plan::NODE } else { views::NODE };
    let chosen = generate::generate(context, &requests, &[input], &views, &contract, &Effort::of(context)).await?;
    let revised = revise::revise(context, &opening, &grounding, &views, &contract, chosen).await?;
    let input = if settings.with(Switch::Revisor) { revise::NODE } else { generate::NODE };
    answer::answer(context, revised, input);
    Ok(())
}

/// Gathers what the three agents of the last stage are told.
fn ground(understood: &Understood, views: &Views, say_selection: bool) -> Grounding {
    let rewritten = &understood.rewritten;
    Grounding {
        question: understood.question.clone(),
        facts: understood.facts.clone(),
        outputs: rewritten.outputs.clone(),
        ordering: rewritten.ordering.clone(),
        selection: if say_selection {
            views.selection.tables.iter().map(|t| format!("{}({})", t.name, t.columns.join(", "))).collect()
        } else {
            Vec::new()
        },
        values: value_lines(&views.values),
        views: views.views.iter().map(view_line).collect(),
    }
}

fn view_line(view: &ViewAttempt) -> ViewLine {
    let page = view.page.as_ref();
    let sample = page
        .and_then(|p| p.rows.first().map(|row| (p, row)))
        .map(|(p, row)| {
            p.columns
                .iter()
                .zip(row)
                .take(8)
                .map(|(c, cell)| {
                    let cell: String = cell.as_deref().unwrap_or("NULL").chars().take(30).collect();
                    format!("{}={}", c.name, cell.replace('\n', " "))
                })
                .collect::<Vec<_>>()
                .join(", ")
        })
        .unwrap_or_else(|| "(no row)".to_owned());
    ViewLine {
        name: view.name.clone(),
        rationale: view.rationale.clone(),
        rows: schema::count(page.map_or(0, |p| p.row_count as usize), "row"),
        sql: view.sql.clone(),
        sample,
    }
}
