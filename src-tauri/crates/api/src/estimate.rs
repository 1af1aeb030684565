//! Cost estimates of questions, from the cost of earlier runs on this computer, else from the schema and the method.

use crate::app::App;
use crate::types::{AskRequest, Estimate, EstimateBasis, Span};
use std::collections::BTreeMap;
use std::sync::Arc;
use vitrine_agents::Models;
use vitrine_agents::methods::find_method;
use vitrine_catalog::RenderOptions;
use vitrine_domain::method_info::{CallCount, MethodGroup};
use vitrine_domain::money::format_usd;
use vitrine_domain::{
    Agent, AppError, AskSettings, Budget, Caching, Catalog, EgressLevel, MethodInfo, ModelId, ModelProfile, Profile,
    Usage,
};
use vitrine_llm::{ChatModel, estimate_tokens};
use vitrine_store::PastRun;
use vitrine_words::{format_number, plural, tr};

/// Number of earlier runs that are used: enough for the first and last decile, and few enough to follow a change.
const RUNS: u32 = 50;

/// Number of instruction tokens in a prompt in addition to the schema; larger for models that deliberate.
fn instruction_tokens(deliberates: bool) -> u64 {
    if deliberates { 1_500 } else { 300 }
}

/// Number of tokens that one call writes, including reasoning and samples. The values for models that do not deliberate were measured
/// (docs/methods.md: 35 to 130 per call); for other models they are a rough range.
fn output_tokens(deliberates: bool) -> Span {
    if deliberates { Span { low: 200, high: 3_000 } } else { Span { low: 30, high: 150 } }
}

/// The inputs of an estimate.
pub(crate) struct Known<'a> {
    /// Earlier runs of the same method and models.
    pub(crate) runs: &'a [PastRun],
    /// Address of the warehouse; runs on it are preferred.
    pub(crate) warehouse: &'a str,
    /// Number of calls that the method makes.
    pub(crate) calls: CallCount,
    /// Number of tokens in the text of the schema.
    pub(crate) schema: u64,
    pub(crate) question: u64,
    /// Maximum number of schema tokens in one prompt.
    pub(crate) chunk: u64,
    /// Profiles of the models that are called.
    pub(crate) models: &'a BTreeMap<ModelId, ModelProfile>,
    pub(crate) budget: Budget,
}

/// Estimates the cost of a question.
pub(crate) fn estimate_cost(known: &Known<'_>) -> Estimate {
    let here: Vec<&Usage> =
        known.runs.iter().filter(|run| run.warehouse == known.warehouse).map(|run| &run.usage).collect();
    let all: Vec<&Usage> = known.runs.iter().map(|run| &run.usage).collect();
    let mut estimate = match (here.is_empty(), all.is_empty()) {
        (false, _) => from_runs(known, &here, EstimateBasis::Warehouse),
        (true, false) => from_runs(known, &all, EstimateBasis::Elsewhere),
        (true, true) => from_schema(known),
    };
    let needs = |span: Option<Span>, most: Option<u64>| span.zip(most).is_some_and(|(span, most)| span.low > most);
    let is_over = needs(Some(estimate.tokens), known.budget.tokens) || needs(estimate.money, known.budget.money);
    // The limits of the question apply, regardless of the cost of earlier runs.
    let within = |span: &mut Span, most: Option<u64>| {
        if let Some(most) = most {
            *span = Span { low: span.low.min(most), high: span.high.min(most) };
        }
    };
    within(&mut estimate.tokens, known.budget.tokens);
    estimate.money.iter_mut().for_each(|span| within(span, known.budget.money));
    estimate.seconds.iter_mut().for_each(|span| within(span, known.budget.seconds.map(u64::from)));
    estimate.text = format_estimate(&estimate, known.models.values().all(ModelProfile::runs_here));
    if is_over {
        let limit = Budget { seconds: None, ..known.budget };
        estimate.text = tr!(
            "{estimate}. The limit of {limit} may end it before there is an answer",
            estimate = estimate.text,
            limit
        );
    }
    estimate
}

fn from_runs(known: &Known<'_>, runs: &[&Usage], basis: EstimateBasis) -> Estimate {
    let span =
        |of: fn(&Usage) -> u64| interdecile_span(runs.iter().map(|usage| of(usage)).collect()).unwrap_or_default();
    // With one model, its current price applies; with several, only the log shows which model made a call.
    let only = known.models.values().next().filter(|_| known.models.len() == 1);
    let price = |usage: &&Usage| match only {
        Some(profile) => profile.micro_usd(usage),
        None => usage.cost_micro_usd().or((usage.priced_calls > 0).then_some(usage.micro_usd)),
    };
    Estimate {
        basis,
        runs: runs.len() as u32,
        calls: span(|usage| usage.llm_calls),
        tokens: span(Usage::total_tokens),
        money: interdecile_span(runs.iter().filter_map(price).collect()),
        seconds: Some(widen_span(span(|usage| usage.wall_ms.div_ceil(1000)), runs.len() as u64)),
        unpriced: unpriced_models(known.models),
        refused: None,
        text: String::new(),
    }
}

fn from_schema(known: &Known<'_>) -> Estimate {
    let chunks = known.schema.div_ceil(known.chunk.max(1)).max(1);
    let more = u64::from(known.calls.per_chunk) * (chunks - 1);
    let calls = Span { low: u64::from(known.calls.least) + more, high: u64::from(known.calls.most) + more };
    let large = known.models.values().any(|profile| profile.deliberates);
    let least = instruction_tokens(known.models.values().all(|profile| profile.deliberates));
    // A prompt contains at most one chunk, and less if tables were selected before.
    let shown = known.schema.min(known.chunk);
    let prompt = Span {
        low: calls.low * (shown / 2 + known.question + least),
        high: calls.high * (shown + known.question + instruction_tokens(large)),
    };
    let reply = Span { low: calls.low * output_tokens(false).low, high: calls.high * output_tokens(large).high };
    // The schema is the first part of every prompt. A provider that caches it reads most of it once; if the cache entry expires in between,
    // every call writes it to the cache again.
    let usage = |prompt_tokens, completion_tokens| Usage { prompt_tokens, completion_tokens, ..Usage::default() };
    let marked = |profile: &ModelProfile, tokens: u64| if profile.caching == Caching::Marked { tokens } else { 0 };
    let at_best = |profile: &ModelProfile| Usage {
        cached_prompt_tokens: if profile.caching == Caching::None { 0 } else { prompt.low / 2 },
        cache_write_tokens: marked(profile, (shown / 2).min(prompt.low / 2)),
        ..usage(prompt.low, reply.low)
    };
    let at_worst = |profile: &ModelProfile| Usage {
        cache_write_tokens: marked(profile, calls.high * shown),
        ..usage(prompt.high, reply.high)
    };
    let cheapest = known.models.values().filter_map(|profile| profile.micro_usd(&at_best(profile))).min();
    let dearest = known.models.values().filter_map(|profile| profile.micro_usd(&at_worst(profile))).max();
    Estimate {
        basis: EstimateBasis::Formula,
        runs: 0,
        calls,
        tokens: Span { low: prompt.low + reply.low, high: prompt.high + reply.high },
        money: cheapest.zip(dearest).map(|(low, high)| Span { low, high }),
        seconds: None,
        unpriced: unpriced_models(known.models),
        refused: None,
        text: String::new(),
    }
}

/// Returns the span from the first to the last decile, which excludes outliers; with fewer than ten values, the span of all.
fn interdecile_span(mut values: Vec<u64>) -> Option<Span> {
    values.sort_unstable();
    let cut = values.len() / 10;
    Some(Span { low: *values.get(cut)?, high: values[values.len() - 1 - cut] })
}

/// Widens a span of seconds from few runs, because the next question may take much longer and a single run gives no range.
fn widen_span(span: Span, runs: u64) -> Span {
    const MANY: u64 = 10;
    if runs >= MANY {
        return span;
    }
    Span { low: (span.low / 2).max(1), high: (span.high + span.high * 4 / runs.max(1)).max(2) }
}

fn unpriced_models(models: &BTreeMap<ModelId, ModelProfile>) -> Vec<ModelId> {
    models.iter().filter(|(_, profile)| !profile.has_price()).map(|(id, _)| id.clone()).collect()
}

fn format_estimate(estimate: &Estimate, is_local: bool) -> String {
    let range = |low: String, high: String| if low == high { low } else { tr!("{low} to {high}", low, high) };
    let tokens = range(format_token_count(estimate.tokens.low), format_token_count(estimate.tokens.high));
    let mut parts = vec![tr!("{amount} tokens", amount = tokens)];
    match estimate.money {
        _ if is_local => parts.push(tr!("no money")),
        Some(money) => parts.push(range(format_usd(money.low), format_usd(money.high))),
        None => {}
    }
    if let Some(seconds) = estimate.seconds {
        parts.push(range(seconds.low.to_string(), seconds.high.to_string()) + " s");
    }
    let basis = match estimate.basis {
        EstimateBasis::Warehouse => {
            plural!(estimate.runs, "as one question on this data took", "as {n} questions on this data took")
        }
        EstimateBasis::Elsewhere => {
            plural!(estimate.runs, "as one question on other data took", "as {n} questions on other data took")
        }
        EstimateBasis::Formula => tr!("an estimate from the size of the schema: no earlier question used this method"),
    };
    let told = format!("{}, {basis}", parts.join(", "));
    match estimate.unpriced.as_slice() {
        [] => told,
        models => tr!(
            "{estimate}. The price of {models} is unknown: their cost is neither counted nor limited",
            estimate = told,
            models = models.join(", ")
        ),
    }
}

/// Formats a number of tokens with two significant digits, the precision of an estimate: `1,200`, `35,000`.
fn format_token_count(tokens: u64) -> String {
    let unit = 10_u64.pow(tokens.checked_ilog10().unwrap_or(0).saturating_sub(1));
    format_number((tokens + unit / 2) / unit * unit)
}

impl App {
    /// Estimates the cost of a question without calling a model.
    pub async fn estimate(&self, request: AskRequest) -> Result<Estimate, AppError> {
        let settings = self.complete_settings(request.settings.clone()).await?;
        let models = self.models_for(&settings).await?;
        let estimate = self.estimate_for_settings(&request, &settings, &models).await?;
        let refused =
            self.spending_refusal(&request, &settings, &models, Some(&estimate)).await?.map(|error| error.to_string());
        Ok(Estimate { refused, ..estimate })
    }

    /// Same as [`App::estimate`] for complete settings, also if the question would be refused.
    pub(crate) async fn estimate_for_settings(
        &self,
        request: &AskRequest,
        settings: &AskSettings,
        models: &Models,
    ) -> Result<Estimate, AppError> {
        let open = self.ensure_open(&request.warehouse).await?;
        let info = &find_method(&settings.strategy)?.info;
        let asked = settings.clone();
        let runs = self.with_store(move |store| store.past_runs(&asked, RUNS)).await?;
        let used = used_by(models, info);
        let profiles: BTreeMap<ModelId, ModelProfile> =
            used.values().map(|model| (model.id().to_owned(), model.profile())).collect();
        let schema = if runs.is_empty() {
            open.schema_size.count_tokens(open.catalog(), open.profile(), schema_tokens).await?
        } else {
            0
        };
        let chunk = settings.chunk_budget.unwrap_or_else(|| models.default.profile().chunk_budget);
        let knowledge = self.collect_knowledge(&open, request, EgressLevel::Results).await?;
        let texts = [Some(&request.question), knowledge.as_ref()];
        Ok(estimate_cost(&Known {
            runs: &runs,
            warehouse: &open.uri,
            calls: info.calls,
            schema: u64::from(schema),
            question: texts.into_iter().flatten().map(|text| u64::from(estimate_tokens(text))).sum(),
            // The only prompt of a baseline contains the whole schema.
            chunk: if info.group == MethodGroup::Baseline { u64::MAX } else { u64::from(chunk) },
            models: &profiles,
            budget: settings.budget,
        }))
    }
}

fn schema_tokens(catalog: &Catalog, profile: &Profile) -> u32 {
    let compressed = vitrine_catalog::compress_catalog(catalog);
    estimate_tokens(&vitrine_catalog::render_schema(&compressed, Some(profile), None, &RenderOptions::default()))
}

/// Returns the agents that a method may use, with their models.
pub(crate) fn used_by<'a>(models: &'a Models, info: &MethodInfo) -> BTreeMap<Agent, &'a Arc<dyn ChatModel>> {
    let only = info.group == MethodGroup::Baseline;
    let agents = Agent::ALL.into_iter().filter(|&agent| !only || agent == Agent::Generator);
    agents.map(|agent| (agent, models.for_agent(agent))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Price;

    const CALLS: CallCount = CallCount { least: 2, most: 8, per_chunk: 1 };

    fn priced_profile(input: f64, output: f64) -> ModelProfile {
        ModelProfile {
            price: Some(Price { input, cached: input / 10.0, output, cache_write: None }),
            ..ModelProfile::default()
        }
    }

    fn past_run(warehouse: &str, prompt_tokens: u64, seconds: u64) -> PastRun {
        let usage =
            Usage { llm_calls: 3, prompt_tokens, completion_tokens: 100, wall_ms: seconds * 1000, ..Usage::default() };
        PastRun { warehouse: warehouse.to_owned(), usage }
    }

    fn estimate_past_runs(runs: &[PastRun], models: &[(&str, ModelProfile)], budget: Budget) -> Estimate {
        let models = models.iter().map(|(id, profile)| ((*id).to_owned(), profile.clone())).collect();
        let known = Known {
            runs,
            warehouse: "sqlite:shop.db",
            calls: CALLS,
            schema: 4_000,
            question: 20,
            chunk: 10_000,
            models: &models,
            budget,
        };
        estimate_cost(&known)
    }

    #[test]
    fn earlier_questions_on_the_same_data_say_what_the_next_one_takes() {
        let runs = [
            past_run("sqlite:shop.db", 1_000, 5),
            past_run("sqlite:shop.db", 2_000, 9),
            past_run("sqlite:big.db", 90_000, 60),
        ];
        let found = estimate_past_runs(&runs, &[("big", priced_profile(2.0, 8.0))], Budget::default());
        assert_eq!((found.basis, found.runs), (EstimateBasis::Warehouse, 2));
        assert_eq!(found.tokens, Span { low: 1_100, high: 2_100 });
        assert_eq!(found.money, Some(Span { low: 2_800, high: 4_800 }), "by today's price");
        assert_eq!(found.seconds, Some(Span { low: 2, high: 27 }), "two questions tell little of the next one");
        let text = "1,100 to 2,100 tokens, $0.0028 to $0.0048, 2 to 27 s, as 2 questions on this data took";
        assert_eq!(found.text, text);

        let elsewhere = estimate_past_runs(&runs[2..], &[("big", priced_profile(2.0, 8.0))], Budget::default());
        assert_eq!((elsewhere.basis, elsewhere.runs), (EstimateBasis::Elsewhere, 1));
    }

    #[test]
    fn the_fewer_questions_the_wider_the_time() {
        let seconds = |n: usize| {
            let runs: Vec<PastRun> = (0..n).map(|_| past_run("sqlite:shop.db", 1_000, 9)).collect();
            estimate_past_runs(&runs, &[("big", priced_profile(2.0, 8.0))], Budget::default()).seconds
        };
        assert_eq!(seconds(1), Some(Span { low: 4, high: 45 }), "one question is no range by itself");
        assert_eq!(seconds(4), Some(Span { low: 4, high: 18 }));
        assert_eq!(seconds(10), Some(Span { low: 9, high: 9 }));
    }

    #[test]
    fn one_odd_question_among_many_decides_nothing() {
        let mut runs: Vec<PastRun> = (0..20).map(|n| past_run("sqlite:shop.db", 1_000 + n, 5)).collect();
        runs.push(past_run("sqlite:shop.db", 1_000_000, 500));
        let found = estimate_past_runs(&runs, &[("big", priced_profile(2.0, 8.0))], Budget::default());
        assert!(found.tokens.high < 1_200, "{:?}", found.tokens);
    }

    #[test]
    fn without_earlier_questions_schema_and_method_say_it() {
        let small = estimate_past_runs(&[], &[("big", priced_profile(2.0, 8.0))], Budget::default());
        assert_eq!((small.basis, small.seconds), (EstimateBasis::Formula, None));
        assert_eq!(small.calls, Span { low: 2, high: 8 });
        assert!(small.tokens.low > 2 * 2_000 && small.tokens.high > 8 * 4_000, "{:?}", small.tokens);
        let money = small.money.unwrap();
        assert!(0 < money.low && money.low < money.high, "{money:?}");
        assert!(small.text.contains("an estimate from the size"), "{}", small.text);
    }

    #[test]
    fn what_is_free_and_what_has_no_known_price_are_told_apart() {
        let here = ModelProfile { caching: Caching::Kept, deliberates: false, ..ModelProfile::default() };
        let local = estimate_past_runs(&[], &[("here", here.clone())], Budget::default());
        assert_eq!((local.money, local.unpriced.len()), (Some(Span::default()), 0));
        assert!(local.text.contains("no money"), "{}", local.text);

        let unknown = estimate_past_runs(&[], &[("there", ModelProfile::default())], Budget::default());
        assert_eq!((unknown.money, unknown.unpriced), (None, vec!["there".to_owned()]));
        assert!(unknown.text.contains("The price of there is unknown"), "{}", unknown.text);

        let both = estimate_past_runs(&[], &[("here", here), ("there", ModelProfile::default())], Budget::default());
        assert_eq!(both.unpriced, ["there"]);
    }

    #[test]
    fn a_question_does_not_cost_more_than_its_limit() {
        let budget = Budget { seconds: Some(6), tokens: Some(1_500), money: Some(3_000) };
        let runs = [past_run("sqlite:shop.db", 1_000, 5), past_run("sqlite:shop.db", 2_000, 9)];
        let found = estimate_past_runs(&runs, &[("big", priced_profile(2.0, 8.0))], budget);
        assert_eq!(found.tokens, Span { low: 1_100, high: 1_500 });
        assert_eq!(found.money, Some(Span { low: 2_800, high: 3_000 }));
        assert_eq!(found.seconds, Some(Span { low: 2, high: 6 }));
    }

    #[test]
    fn numbers_are_said_as_precisely_as_they_are_known() {
        assert_eq!(
            [0, 7, 95, 1_234, 34_567, 999_999].map(format_token_count),
            ["0", "7", "95", "1,200", "35,000", "1,000,000"]
        );
    }
}
