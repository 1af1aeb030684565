//! ProSPy: the profile in the schema text, progressive pruning, views fetched in a language without dialects, and their
//! analysis in Python, or in SQL where no Python can be run.

use crate::context::{RunContext, StageError};
use crate::contract::OutputContract;
use crate::prompt::prospy::Analyse;
use crate::prompt::{Direct, Generate, Grounding, Prompt, ViewLine};
use crate::stages::attempt::{Desk, Effort};
use crate::stages::fetch::{self, Fetched, Task};
use crate::stages::link::{self, Visible, Wanted};
use crate::stages::prune::prune;
use crate::stages::schema::{self, Schema, count};
use crate::stages::views::{Views, value_lines};
use crate::stages::{analyse, answer, generate, ground, rewrite};
use vitrine_domain::{Agent, RewrittenQuestion, Switch};
use vitrine_llm::Request;

/// The node of the analysis over the whole schema, where nothing ran over what was left of it.
const AGAIN: &str = "generator-2";
/// Candidates of the analysis in SQL that vote.
const CANDIDATES: u32 = 4;

/// Runs the strategy.
///
/// # Errors
/// Fails when the model or the connection fails, or when no analysis ran.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let settings = &ask.settings;
    let parameters = &settings.methods.prospy;
    let question = ask.question.trim();
    let traits = context.model(Agent::Linker).traits();
    let budget = settings.chunk_budget.unwrap_or(traits.chunk_budget);
    let schema = schema::prepare(context, Agent::Linker, budget).await?;
    let facts = rewrite::knowledge(context).await?;
    let matches = if settings.with(Switch::Values) { ground::ground(context, question).await } else { Vec::new() };
    let values = value_lines(&matches);
    let wanted = Wanted { question, facts: &facts, matches: &matches };
    let (mut visible, input) = pruned(context, &schema, wanted, parameters.prunings).await?;

    let contract = OutputContract::of(question, &RewrittenQuestion::default(), &ask.catalog);
    let none = Views::default();
    let inputs = [input];
    let desk = Desk {
        context,
        node: generate::NODE,
        title: "Analyse in SQL",
        inputs: &inputs,
        views: &none,
        values: &values,
        contract: &contract,
        effort: Effort::of(context),
        first: 1,
    };
    let task = Task { question, facts: &facts, most: parameters.views, rows: parameters.view_rows };
    let fetched = fetch::fetch(&desk, &task, &mut visible).await?;
    let desk = Desk { inputs: &[fetch::NODE], ..desk };
    let laboratory = ask.laboratory.clone().filter(|_| settings.with(Switch::Python));
    if let Some(laboratory) = laboratory.filter(|_| !fetched.is_empty()) {
        let lines: Vec<String> = fetched.iter().map(Fetched::line).collect();
        let deliberates = context.model(Agent::Analyst).traits().deliberates;
        let prompt = Analyse { question, facts: &facts, views: &lines, deliberates };
        let executions = parameters.executions;
        if let Some(done) = analyse::analyse(&desk, laboratory.as_ref(), &prompt, &fetched, executions).await? {
            answer::of_analysis(context, done, &fetched);
            return Ok(());
        }
        context.warn(None, "The analysis in Python gave no table: it is done in SQL");
    }
    match in_sql(&desk, &visible, question, &facts, &fetched).await {
        Err(error) if context.cancel.is_cancelled() || visible.selection.is_none() => Err(error),
        Err(_) => {
            context.warn(None, "Nothing ran over what was left: everything that was left out is brought back");
            let whole = Visible { schema: &schema, selection: None };
            in_sql(&Desk { node: AGAIN, ..desk }, &whole, question, &facts, &fetched).await
        }
        answered => answered,
    }
}

/// Without the profile the schema has names and types alone; without pruning all of it is visible.
async fn pruned<'a>(
    context: &RunContext,
    schema: &'a Schema,
    wanted: Wanted<'_>,
    rounds: u32,
) -> Result<(Visible<'a>, &'static str), StageError> {
    if !context.ask.settings.with(Switch::Linking) {
        return Ok((Visible { schema, selection: None }, ground::NODE));
    }
    link::begin(context);
    let visible = prune(context, schema, wanted, rounds).await?;
    match &visible.selection {
        Some(selection) => link::finish(context, selection),
        None => context.finish(link::NODE, "Nothing was left out"),
    }
    Ok((visible, link::NODE))
}

/// The analysis as one query over the views, by vote of several candidates (paper, table 4). The tables are in reach, too:
/// views may have been fetched that are not enough.
async fn in_sql(
    desk: &Desk<'_>,
    visible: &Visible<'_>,
    question: &str,
    facts: &str,
    fetched: &[Fetched],
) -> Result<(), StageError> {
    let context = desk.context;
    let dialect = context.ask.catalog.dialect;
    let views = Views { views: fetched.iter().map(Fetched::as_view).collect(), ..Views::default() };
    let grounding = Grounding {
        question: question.to_owned(),
        facts: facts.to_owned(),
        outputs: Vec::new(),
        ordering: String::new(),
        selection: Vec::new(),
        values: desk.values.to_vec(),
        views: fetched.iter().map(line).collect(),
    };
    let opening = visible.opening(context);
    let mut requests: Vec<Request> = Vec::new();
    let tail = Direct { question, facts, values: desk.values, dialect: dialect.display_name() }.render();
    requests.push(Request { tail, ..opening.clone() });
    if !fetched.is_empty() {
        let tail = Generate { grounding: &grounding, plan: "", dialect: dialect.display_name() }.render();
        requests.push(Request { tail, ..opening });
    }
    let candidates = if context.ask.settings.with(Switch::Voting) { CANDIDATES } else { 1 };
    if candidates == 1 && requests.len() > 1 {
        requests.remove(0);
    }
    let desk = Desk { views: &views, effort: Effort { candidates, ..desk.effort }, ..*desk };
    let chosen = generate::settle(&desk, generate::write(&desk, &requests).await?.ran);
    answer::answer(context, chosen, desk.node).await;
    Ok(())
}

fn line(view: &Fetched) -> ViewLine {
    let first = view.page.rows.first().map(|row| {
        let cells = view.page.columns.iter().zip(row).take(8);
        let pair = |(c, cell): (&vitrine_domain::ResultColumn, &Option<String>)| {
            format!("{}={}", c.name, cell.as_deref().unwrap_or("NULL").chars().take(30).collect::<String>())
        };
        cells.map(pair).collect::<Vec<_>>().join(", ")
    });
    ViewLine {
        name: view.name.clone(),
        rationale: view.rationale.clone(),
        rows: count(view.page.row_count as usize, "row"),
        sql: view.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "),
        sample: first.unwrap_or_else(|| "(no row)".to_owned()),
    }
}
