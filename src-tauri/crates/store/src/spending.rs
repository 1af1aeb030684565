//! Cost of models, as sums by month, model and agent. They remain when runs are deleted.

use crate::runs::count_from_sql;
use crate::{Store, StoreError};
use rusqlite::{Row, params};
use vitrine_domain::{Agent, ModelId, Usage};

/// The cost of one agent with one model in a month.
#[derive(Debug, Clone, PartialEq)]
pub struct Spent {
    /// The model that was called.
    pub model: ModelId,
    /// The agent that called it.
    pub agent: Agent,
    /// `true` for a remote model.
    pub remote: bool,
    /// Calls, tokens, time and money.
    pub usage: Usage,
}

impl Store {
    /// Adds to the cost of a month, such as `2026-11`.
    pub fn add_spent(&self, month: &str, spent: &Spent) -> Result<(), StoreError> {
        let usage = &spent.usage;
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        self.with_transaction(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO spending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                     ON CONFLICT (month, model, agent, remote) DO UPDATE SET calls = calls + excluded.calls,
                     prompt_tokens = prompt_tokens + excluded.prompt_tokens,
                     cached_prompt_tokens = cached_prompt_tokens + excluded.cached_prompt_tokens,
                     completion_tokens = completion_tokens + excluded.completion_tokens, wall_ms = wall_ms + excluded.wall_ms,
                     micro_usd = micro_usd + excluded.micro_usd, priced_calls = priced_calls + excluded.priced_calls",
                )?
                .execute(params![
                    month,
                    spent.model,
                    spent.agent.as_str(),
                    spent.remote,
                    number(usage.llm_calls),
                    number(usage.prompt_tokens),
                    number(usage.cached_prompt_tokens),
                    number(usage.completion_tokens),
                    number(usage.wall_ms),
                    number(usage.micro_usd),
                    number(usage.priced_calls),
                ])?;
            Ok(())
        })
    }

    /// Returns the costs of a month, highest first.
    pub fn monthly_costs(&self, month: &str) -> Result<Vec<Spent>, StoreError> {
        let select =
            "SELECT model, agent, remote, calls, prompt_tokens, cached_prompt_tokens, completion_tokens, wall_ms,
            micro_usd, priced_calls FROM spending WHERE month = ?1
            ORDER BY micro_usd DESC, prompt_tokens + completion_tokens DESC, model, agent";
        self.with_reader(|connection| connection.prepare_cached(select)?.query_map([month], read_spent_row)?.collect())
    }

    /// Returns the months with costs, latest first.
    pub fn months_spent(&self) -> Result<Vec<String>, StoreError> {
        let select = "SELECT DISTINCT month FROM spending ORDER BY month DESC";
        self.with_reader(|connection| connection.prepare_cached(select)?.query_map([], |row| row.get(0))?.collect())
    }
}

fn read_spent_row(row: &Row<'_>) -> rusqlite::Result<Spent> {
    let number = |column| row.get(column).map(count_from_sql);
    let agent: String = row.get(1)?;
    let agent = agent.parse().map_err(|error: String| {
        rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, error.into())
    })?;
    Ok(Spent {
        model: row.get(0)?,
        agent,
        remote: row.get(2)?,
        usage: Usage {
            llm_calls: number(3)?,
            prompt_tokens: number(4)?,
            cached_prompt_tokens: number(5)?,
            completion_tokens: number(6)?,
            wall_ms: number(7)?,
            micro_usd: number(8)?,
            priced_calls: number(9)?,
            ..Usage::default()
        },
    })
}
