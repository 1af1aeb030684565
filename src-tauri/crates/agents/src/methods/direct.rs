//! The baselines: one prompt with the whole schema and without repair, answered once or, for `vote`, several times.

use super::method::{Method, accept_any_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits, CORRECTION_TEMPERATURE};
use crate::attempt::prepare::RuleUse;
use crate::attempt::views::Views;
use crate::choice::accept;
use crate::prompt::{self, Prompt};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::prompt_schema::PromptSchema;
use crate::stages::{answer, generate, rewrite, schema};
use vitrine_domain::method_info::{CallCount, MethodGroup, StageInfo};
use vitrine_domain::{Agent, MethodInfo, StageKind};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::later;

/// Stages that both baselines share.
const STAGES: &[StageInfo] = &[
    StageInfo::for_every_run(StageKind::Schema),
    StageInfo::for_every_run(StageKind::Generator),
    StageInfo::for_every_run(StageKind::Result),
];

/// The baseline with one reply.
pub(super) const DIRECT: Method = Method {
    info: MethodInfo {
        name: "direct",
        label: "Direct",
        everyday: Some("Fast"),
        note: later!("One request with the whole schema, nothing checked. Fastest."),
        group: MethodGroup::Baseline,
        runs_code: false,
        calls: CallCount::new(1, 1, 0),
        parameters: &[],
        switches: &[],
        stages: STAGES,
    },
    typed: accept_any_parameters,
    run: |context| Box::pin(run(context, 1)),
};

/// The baseline that takes the most common result of several replies.
pub(super) const VOTE: Method = Method {
    info: MethodInfo {
        name: "vote",
        label: "Plain vote",
        everyday: None,
        note: later!("The same request several times; the most common result wins. Nothing else is checked."),
        calls: CallCount::new(2, 2, 0),
        ..DIRECT.info
    },
    typed: accept_any_parameters,
    run: |context| Box::pin(run(context, context.ask.options.settings.candidates)),
};

/// Writes `candidates` queries, the first of them greedy, and chooses the most common result.
pub async fn run(context: &RunContext, candidates: u32) -> Result<(), StageError> {
    let schema = schema::prepare_schema(context, Agent::Generator, u32::MAX).await?;
    let dialect = context.ask.data.catalog.dialect;
    let visible = PromptSchema::from_schema(&schema);
    let facts = rewrite::knowledge_as_given(context).await?;
    let request = Request {
        tail: prompt::Direct {
            question: context.ask.question.trim(),
            facts: &facts,
            values: &[],
            dialect: dialect.sql().display_name(),
        }
        .render_for(&context.model(Agent::Generator).profile()),
        ..visible.opening_request(context, Agent::Generator)
    };
    let attempts = AttemptContext {
        context,
        node: nodes::GENERATOR,
        title: later!("Write the SQL"),
        inputs: &[nodes::SCHEMA],
        visible: &visible,
        views: &Views::default(),
        values: &[],
        contract: &OutputContract::default(),
        limits: AttemptLimits {
            candidates,
            rounds: 0,
            rules: RuleUse::NONE,
            correction_temperature: CORRECTION_TEMPERATURE,
            empty_results: None,
        },
        first: 1,
    };
    let chosen =
        accept::accept_majority(&attempts, generate::write_drafts(&attempts, &[request]).await?.into_candidates()?);
    answer::deliver_answer(context, chosen, nodes::GENERATOR).await;
    Ok(())
}
