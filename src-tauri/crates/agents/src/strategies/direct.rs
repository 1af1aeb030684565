//! The baseline: one call with the whole schema, one query, no repair.

use crate::context::{RunContext, StageError};
use crate::contract::OutputContract;
use crate::prompt::{self, Prompt};
use crate::stages::generate::Effort;
use crate::stages::views::Views;
use crate::stages::{answer, generate, schema};
use vitrine_domain::Agent;
use vitrine_llm::Request;

/// Runs the strategy.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let schema = schema::prepare(context, Agent::Generator, u32::MAX).await?;
    let dialect = context.ask.catalog.dialect;
    let text: String = schema.chunks.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("\n");
    let request = Request {
        tail: prompt::Direct {
            question: context.ask.question.trim(),
            facts: context.ask.knowledge.as_deref().map(str::trim).unwrap_or_default(),
            values: &[],
            dialect: dialect.display_name(),
        }
        .render(),
        ..schema::opening(dialect, &text)
    };
    let effort = Effort { candidates: 1, rounds: 0, rebind: false };
    let contract = OutputContract::default();
    let chosen =
        generate::generate(context, &[request], &[schema::NODE], &Views::default(), &contract, &effort).await?;
    answer::answer(context, chosen, generate::NODE);
    Ok(())
}
