//! Monthly spending, and its limits.

use crate::app::App;
use crate::estimate::used_by;
use crate::state::work::current_timestamp;
use crate::types::{AskRequest, Estimate, Spending, SpendingRow};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use vitrine_agents::methods::find_method;
use vitrine_agents::{Models, MonthlyMeter, SpentCall};
use vitrine_domain::money::format_usd;
use vitrine_domain::{Agent, AppError, AskSettings, Cap, ErrorCode, MonthlyCaps, Usage, capitalize_first};
use vitrine_store::{Spent, Store};
use vitrine_words::{plural, tr};

impl App {
    /// Returns the spending of a month (`2026-11`, UTC), by model and agent; without a month, of the current one.
    pub async fn spending(&self, month: Option<String>) -> Result<Spending, AppError> {
        let month = match month {
            Some(month) => check_month(month)?,
            None => this_month(),
        };
        let asked = month.clone();
        let (rows, months) =
            self.with_store(move |store| Ok((store.monthly_costs(&asked)?, store.months_spent()?))).await?;
        let remote = |row: &&Spent| row.remote;
        let mut unpriced: BTreeSet<String> = rows
            .iter()
            .filter(remote)
            .filter(|row| row.usage.cost_micro_usd().is_none())
            .map(|row| row.model.clone())
            .collect();
        for model in self.remote_models().await? {
            if self.chat_model(&model.id).await.is_ok_and(|model| !model.profile().has_price()) {
                unpriced.insert(model.id);
            }
        }
        let (remote_by_agent, remote) = remote_of(&rows);
        Ok(Spending {
            month,
            months,
            local: sum_usage(rows.iter().filter(|row| !row.remote)),
            remote,
            remote_by_agent,
            caps: self.settings().await?.monthly,
            unpriced: unpriced.into_iter().collect(),
            rows: rows
                .into_iter()
                .map(|Spent { model, agent, remote, usage }| SpendingRow { model, agent, remote, usage })
                .collect(),
        })
    }

    /// Creates the meter of a run, which records its spending and applies the current limits.
    pub(crate) async fn monthly_meter(&self) -> Result<Arc<dyn MonthlyMeter>, AppError> {
        let caps = self.settings().await?.monthly;
        Ok(Arc::new(StoredMeter { store: Arc::clone(&self.inner.store), caps }))
    }

    /// Returns the reason that the month's limits refuse a question to these models. Without an `estimate`, the cost is estimated first.
    pub(crate) async fn spending_refusal(
        &self,
        request: &AskRequest,
        settings: &AskSettings,
        models: &Models,
        estimate: Option<&Estimate>,
    ) -> Result<Option<AppError>, AppError> {
        let caps = self.settings().await?.monthly;
        let used = used_by(models, &find_method(&settings.strategy)?.info);
        let agents: BTreeSet<Agent> =
            used.iter().filter(|(_, model)| !model.profile().runs_here()).map(|(agent, _)| *agent).collect();
        if agents.is_empty() || !caps.is_set() {
            return Ok(None);
        }
        let estimate = match estimate {
            Some(estimate) => estimate,
            None => &self.estimate_for_settings(request, settings, models).await?,
        };
        let month = this_month();
        let asked = month.clone();
        let spent = self.with_store(move |store| store.monthly_costs(&asked)).await?;
        // The lower bound of the cost. Tokens of local models are not limited, but an estimate does not separate them.
        let ahead = Usage {
            prompt_tokens: if agents.len() == used.len() { estimate.tokens.low } else { 0 },
            micro_usd: estimate.money.map_or(0, |money| money.low),
            ..Usage::default()
        };
        Ok(find_exceeded_limit(&caps, &spent, &agents, ahead).map(|exceeded| exceeded.to_app_error(&month)))
    }
}

/// Stores the spending in the workspace, so that all runs and processes share it.
struct StoredMeter {
    store: Arc<Store>,
    caps: MonthlyCaps,
}

impl MonthlyMeter for StoredMeter {
    fn record_call(&self, call: SpentCall<'_>) {
        let SpentCall { agent, model, remote, usage } = call;
        let spent = Spent { model: model.to_owned(), agent, remote, usage };
        if let Err(error) = self.store.add_spent(&this_month(), &spent) {
            tracing::error!(%error, model, "what a call cost could not be counted");
        }
    }

    fn reached_limit(&self, agent: Agent) -> Option<String> {
        if !self.caps.is_set() {
            return None;
        }
        // If the workspace cannot be read, the run ends when its log cannot be written.
        let spent = self.store.monthly_costs(&this_month()).ok()?;
        let exceeded = find_exceeded_limit(&self.caps, &spent, &BTreeSet::from([agent]), Usage::default())?;
        Some(tr!("{limit} was reached", limit = exceeded.describe_limit()))
    }
}

/// A monthly limit that is reached, or would be exceeded by a question.
#[derive(Debug, PartialEq)]
struct Exceeded {
    agent: Option<Agent>,
    /// The spent amount as text, like `most` (the limit) and `ahead` (the lower bound of a question).
    spent: String,
    most: String,
    ahead: Option<String>,
}

impl Exceeded {
    fn describe_limit(&self) -> String {
        let most = &self.most;
        match self.agent {
            None => tr!("the month's limit of {most} for models behind an address", most),
            Some(agent) => tr!(
                "the month's limit of {most} for models behind an address, asked by the {agent}",
                most,
                agent = agent.as_str()
            ),
        }
    }

    fn to_app_error(&self, month: &str) -> AppError {
        let (limit, spent) = (self.describe_limit(), &self.spent);
        let message = match &self.ahead {
            None => tr!("{limit} is reached: {spent} are spent in {month} (UTC)", limit, spent, month),
            Some(ahead) => tr!(
                "{limit} would be exceeded: {spent} were spent in {month} (UTC), and the question takes at least {ahead}",
                limit,
                spent,
                month,
                ahead
            ),
        };
        AppError::new(ErrorCode::Usage, capitalize_first(&message)).with_hint(tr!(
            "Raise it in the settings (What models cost) or with: vitrine models limit; or choose a model on this computer"
        ))
    }
}

/// Returns the first limit that the spending reaches, or that it would exceed with the cost ahead.
fn find_exceeded_limit(
    caps: &MonthlyCaps,
    spent: &[Spent],
    agents: &BTreeSet<Agent>,
    ahead: Usage,
) -> Option<Exceeded> {
    let (by_agent, all) = remote_of(spent);
    let own =
        caps.by_agent.iter().filter(|(agent, _)| agents.contains(agent)).map(|(agent, cap)| {
            (Some(*agent), cap, by_agent.get(agent).copied().unwrap_or_default(), Usage::default())
        });
    std::iter::once((None, &caps.all, all, ahead)).chain(own).find_map(|(agent, cap, spent, ahead)| {
        let Cap { tokens, money } = *cap;
        let tokens_said = |tokens: u64| plural!(tokens, "{n} token", "{n} tokens");
        describe_excess(spent.micro_usd, money, ahead.micro_usd, format_usd)
            .or_else(|| describe_excess(spent.total_tokens(), tokens, ahead.total_tokens(), tokens_said))
            .map(|(spent, most, ahead)| Exceeded { agent, spent, most, ahead })
    })
}

fn describe_excess(
    spent: u64,
    most: Option<u64>,
    ahead: u64,
    said: impl Fn(u64) -> String,
) -> Option<(String, String, Option<String>)> {
    let most = most?;
    let is_reached = spent >= most;
    (is_reached || spent + ahead > most).then(|| (said(spent), said(most), (!is_reached).then(|| said(ahead))))
}

/// Returns the usage of remote models, by agent and in total.
fn remote_of(spent: &[Spent]) -> (BTreeMap<Agent, Usage>, Usage) {
    let mut by_agent: BTreeMap<Agent, Usage> = BTreeMap::new();
    for row in spent.iter().filter(|row| row.remote) {
        *by_agent.entry(row.agent).or_default() += row.usage;
    }
    let all = sum_usage(spent.iter().filter(|row| row.remote));
    (by_agent, all)
}

fn sum_usage<'a>(rows: impl Iterator<Item = &'a Spent>) -> Usage {
    let mut all = Usage::default();
    rows.for_each(|row| all += row.usage);
    all
}

pub(crate) fn this_month() -> String {
    current_timestamp().chars().take(7).collect()
}

pub(crate) fn check_month(month: String) -> Result<String, AppError> {
    let parts = month.split_once('-').map(|(year, month)| (year.parse::<u16>(), month.parse::<u8>()));
    match parts {
        Some((Ok(_), Ok(1..=12))) if month.len() == 7 => Ok(month),
        _ => Err(AppError::new(ErrorCode::Usage, tr!("'{month}' is not a month", month))
            .with_hint(tr!("Write it as 2026-11"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent_row(agent: Agent, remote: bool, tokens: u64, micro_usd: u64) -> Spent {
        let usage = Usage { llm_calls: 1, prompt_tokens: tokens, micro_usd, priced_calls: 1, ..Usage::default() };
        Spent { model: "m".to_owned(), agent, remote, usage }
    }

    fn money_caps(money: u64) -> MonthlyCaps {
        MonthlyCaps { all: Cap { money: Some(money), tokens: None }, ..MonthlyCaps::default() }
    }

    fn exceeded_message(caps: &MonthlyCaps, rows: &[Spent], ahead: u64) -> Option<String> {
        let agents = BTreeSet::from([Agent::Generator]);
        let ahead = Usage { micro_usd: ahead, ..Usage::default() };
        find_exceeded_limit(caps, rows, &agents, ahead).map(|exceeded| exceeded.to_app_error("2026-11").message)
    }

    #[test]
    fn a_month_is_over_when_its_limit_is_spent_and_not_before() {
        let rows = [spent_row(Agent::Generator, true, 1_000, 150_000), spent_row(Agent::Judge, true, 1_000, 60_000)];
        assert_eq!(exceeded_message(&money_caps(220_000), &rows, 0), None);
        let said =
            "The month's limit of $0.21 for models behind an address is reached: $0.21 are spent in 2026-11 (UTC)";
        assert_eq!(exceeded_message(&money_caps(210_000), &rows, 0).as_deref(), Some(said));
        let said = exceeded_message(&money_caps(220_000), &rows, 20_000).unwrap();
        assert!(said.contains("would be exceeded") && said.contains("takes at least $0.0200"), "{said}");
        assert_eq!(exceeded_message(&money_caps(230_000), &rows, 20_000), None);
    }

    #[test]
    fn models_on_this_machine_do_not_count() {
        let tokens = MonthlyCaps { all: Cap { tokens: Some(100), money: None }, ..MonthlyCaps::default() };
        assert_eq!(exceeded_message(&tokens, &[spent_row(Agent::Generator, false, 5_000, 0)], 0), None);
        assert!(
            exceeded_message(&tokens, &[spent_row(Agent::Generator, true, 100, 0)], 0).unwrap().contains("100 tokens")
        );
    }

    #[test]
    fn an_agent_has_a_limit_of_its_own() {
        let cap = Cap { money: Some(50_000), tokens: None };
        let only_judge = MonthlyCaps { by_agent: BTreeMap::from([(Agent::Judge, cap)]), ..MonthlyCaps::default() };
        let rows = [spent_row(Agent::Judge, true, 10, 50_000)];
        assert_eq!(exceeded_message(&only_judge, &rows, 0), None, "the generator may go on");
        let judge = BTreeSet::from([Agent::Judge]);
        let said = find_exceeded_limit(&only_judge, &rows, &judge, Usage::default()).unwrap().describe_limit();
        assert!(said.contains("asked by the judge"), "{said}");
    }

    #[test]
    fn months_are_written_one_way() {
        assert!(check_month("2026-11".to_owned()).is_ok());
        for wrong in ["2026", "2026-13", "26-1", "2026-1", "next"] {
            assert!(check_month(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
