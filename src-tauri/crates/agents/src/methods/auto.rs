//! Auto, Vitrine's own method: spends effort where candidates disagree. If metrics cover the question, their query is the answer, and no
//! model is called. Otherwise it starts with two cheap prompts; if their queries agree on a
//! result, that is the answer. Otherwise more candidates are sampled from one of the prompts and the majority of results decides. Without a
//! majority, or if no query ran, it builds AV-SQL's views, and queries written from them also vote. It then probes the conditions in which
//! the leading results differ, compares the first two, and asks the user if several interpretations of the question remain.

use super::method::{Method, accept_any_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits};
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::candidate::choose::{self, is_clear};
use crate::choice::pairwise::{self, JudgeInput};
use crate::choice::{clarify, condition_probes};
use crate::methods::av_sql;
use crate::prompt::{Asked, Direct, Prompt};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::prompt_schema::PromptSchema;
use crate::stages::by_metric::ByMetric;
use crate::stages::generate::{self, Drafts};
use crate::stages::{answer, by_metric, rewrite, schema, value_linking};
use vitrine_domain::method_info::{CallCount, MethodGroup, StageInfo};
use vitrine_domain::{Agent, ErrorCode, MethodInfo, NodeId, RewrittenQuestion, StageKind, Switch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, plural, tr};

/// Node of the candidates that are written from views.
const SECOND: &NodeId = &NodeId::new("generator-views");
/// Number of candidates written from views.
const FROM_VIEWS: u32 = 4;

/// Description and entry point of the method.
pub(super) const METHOD: Method = Method {
    info: MethodInfo {
        name: "auto",
        label: "Auto",
        everyday: Some("Auto"),
        note: later!("Compares a few queries and looks deeper only where their results differ. Suits most questions."),
        group: MethodGroup::Recommended,
        runs_code: false,
        calls: CallCount::new(2, 8, 1),
        parameters: &[],
        switches: &[Switch::Metrics],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo::for_every_run(StageKind::Grounding),
            StageInfo::for_every_run(StageKind::Generator),
            StageInfo::for_every_run(StageKind::Result),
        ],
    },
    typed: accept_any_parameters,
    run: |context| Box::pin(run(context)),
};

/// Runs Auto on the run's question.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let settings = &ask.options.settings;
    let dialect = ask.data.catalog.dialect;
    let model = context.model(Agent::Generator).profile();
    let budget = settings.chunk_budget.unwrap_or(model.chunk_budget);
    let schema = schema::prepare_schema(context, Agent::Generator, budget).await?;
    let mentioned = match by_metric::try_metrics(context).await? {
        ByMetric::Covered(candidate) => {
            answer::deliver_answer(context, *candidate, nodes::METRICS).await;
            return Ok(());
        }
        ByMetric::Mentioned(definitions) => definitions.join("\n"),
    };
    if !schema.for_agent(Agent::Generator).is_whole() {
        // A schema that exceeds one prompt needs a selection before any query can be written.
        let schema = av_sql::read_by_all(context, schema, Agent::Generator).await?;
        return av_sql::answer_over(context, schema, av_sql::Parameters::default()).await;
    }
    let question = ask.question.trim();
    let facts = rewrite::knowledge_as_given(context).await?;
    // Definitions of metrics are shown like those of the connection.
    let facts = [facts, mentioned].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    let facts = facts.as_str();
    let matches = value_linking::link_values(context, question).await;
    let values = value_lines(&model, &ask.data.catalog, &matches);
    let contract =
        OutputContract::from_question(question, &RewrittenQuestion::default(), &ask.data.catalog, model.deliberates);

    let visible = PromptSchema::from_schema(&schema);
    let opening = visible.opening_request(context, Agent::Generator);
    let for_judge = visible.opening_request(context, Agent::Judge);
    let task = Direct { question, facts, values: &values, dialect: dialect.sql().display_name() };
    let mut tails = vec![task.render_for(&model)];
    if settings.candidates > 1 {
        tails.push(Asked(task).render_for(&model));
    }
    let requests: Vec<Request> = tails.into_iter().map(|tail| Request { tail, ..opening.clone() }).collect();
    let views = Views { values: matches.clone(), ..Views::default() };
    let first = AttemptContext {
        context,
        node: nodes::GENERATOR,
        title: later!("Write the SQL"),
        inputs: &[nodes::GROUNDING],
        visible: &visible,
        views: &views,
        values: &values,
        contract: &contract,
        limits: AttemptLimits::from_context(context),
        first: 1,
    };
    // The user's changes to views have an effect only if the views are built.
    let on_views = ask.history.earlier.as_ref().filter(|earlier| earlier.builds_views());
    let drafts = match on_views {
        Some(earlier) => generate::rerun_drafts(&first, earlier).await?,
        None => generate::write_drafts(&first, &requests).await?,
    };
    // Views are built if several queries ran and disagree, or if none of the first queries ran.
    let is_enough = settings.candidates == 1 || drafts.ran.len() == 1 || is_clear(&drafts.ran, &contract);
    if is_enough && on_views.is_none() {
        let chosen = clarify::clarify_choice(&first, drafts.into_candidates()?, None).await?;
        answer::deliver_answer(context, chosen, nodes::GENERATOR).await;
        return Ok(());
    }
    let Drafts { mut ran, next, failure } = drafts;
    // Views cannot contain more data than the database.
    if let Some(failure) = failure.filter(|failure| failure.code == ErrorCode::NotInData && ran.is_empty()) {
        return Err(failure.into());
    }
    let summary = match ran.len() {
        0 => tr!("Nothing ran"),
        several => plural!(several, "{n} query and no majority", "{n} queries and no majority"),
    };
    context.finish_stage(nodes::GENERATOR, summary);

    // Other agents read the schema only from here on.
    let read_by_all = av_sql::read_by_all(context, schema.clone(), Agent::Generator).await?;
    let built = av_sql::build_views_and_plan(context, &read_by_all, matches, av_sql::Parameters::default()).await?;
    let second = AttemptContext {
        node: SECOND,
        title: later!("Second try, step by step"),
        inputs: &[built.input, nodes::GENERATOR],
        views: &built.views,
        values: &built.grounding.values,
        limits: AttemptLimits { candidates: FROM_VIEWS.min(settings.candidates), rounds: 0, ..first.limits },
        first: next,
        ..first
    };
    // If there are candidates already, it is not an error that no query from the views ran.
    match generate::write_drafts(&second, &[built.sql_request(dialect, &model)]).await {
        Ok(more) if ran.is_empty() => ran = more.into_candidates()?,
        Ok(Drafts { ran: more, failure, .. }) => {
            failure.into_iter().for_each(|failure| context.warn(Some(SECOND), failure.message));
            ran.extend(more);
        }
        Err(error) if context.cancel.is_cancelled() || ran.is_empty() => return Err(error),
        Err(error) => context.warn(Some(SECOND), error.0.message),
    }
    // Without a clear majority, the variants of rules take part in the choice.
    choose::admit_variants(&mut ran);
    let probes = condition_probes::probe_conditions(&second, &mut ran).await?;
    let case = JudgeInput { question, facts, opening: &for_judge, probes: &probes };
    let judged = pairwise::judge_leaders(&second, case, &ran).await?;
    let judged = judged.map(|choice| (choice, tr!("Preferred to the next result, compared twice")));
    let chosen = clarify::clarify_choice(&second, ran, judged).await?;
    answer::deliver_answer(context, chosen, SECOND).await;
    Ok(())
}
