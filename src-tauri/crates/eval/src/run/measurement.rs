//! Measurement of one question: prepares its database, runs its gold queries, asks the question and judges the outcome.

use super::environment::{Databases, EvalEnvironment};
use super::events::{EventList, UntilLinked};
use super::outcome::Outcome;
use crate::judge::{
    Families, Gold, GoldClarifier, JudgedQuestion, Judgement, Prediction, PreparedDatabase, collect_attempts,
    collect_needed_names, collect_seen_names, find_generation_path, judge_attempts, judge_prediction, load_golds,
    select_gold_schema,
};
use crate::metrics::Rule;
use crate::metrics::candidates::EvaluatedCandidates;
use crate::metrics::linking::Linking;
use crate::pack::{AmbiguityMode, EvalScope, GivenSchema, Question, SkipReason};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::find_method;
use vitrine_agents::{Ask, AskData, AskHistory, AskOptions, AskPermissions, UserClarifier, UserRoles};
use vitrine_domain::{AppError, AskSettings, EgressPolicy, RunReport, SchemaSelection, Usage};

/// The measurement of one question.
pub(crate) struct Measurement {
    pub(crate) question: Question,
    pub(crate) sink: Arc<EventList>,
    pub(crate) environment: Arc<EvalEnvironment>,
    pub(crate) databases: Arc<Databases>,
    pub(crate) settings: AskSettings,
    pub(crate) rule: Rule,
    pub(crate) meaning: AmbiguityMode,
    pub(crate) schema: GivenSchema,
    pub(crate) scope: EvalScope,
    pub(crate) cancel: CancellationToken,
}

impl Measurement {
    pub(crate) async fn measure_question(self) -> Outcome {
        let question = &self.question;
        let database = match self.prepare_database().await {
            Ok(database) => database,
            Err(error) => {
                return Outcome {
                    candidates: (self.scope == EvalScope::Answers).then(EvaluatedCandidates::default),
                    ..Outcome::without_answer(question, Some(error.to_string()))
                };
            }
        };
        if self.scope == EvalScope::Linking {
            return self.measure_linking(&database).await;
        }
        // Judging has a byte limit of its own, so that an expensive answer is still judged.
        let (database, asked) = (database.with_own_budget(), database.with_own_budget());
        // Runs first, because a question that cannot be measured need not be asked.
        let golds = match load_golds(question, &database).await {
            Ok(golds) => Arc::new(golds),
            Err(reason) => return Outcome::left_out(question, reason),
        };
        let given = match self.schema {
            GivenSchema::Whole => None,
            given => match select_gold_schema(&golds, &database.catalog, given) {
                Some(selection) => Some(selection),
                None => return Outcome::left_out(question, SkipReason::GoldFails),
            },
        };
        // The error is ignored, because it is also the run's last event.
        let ask = self.build_ask(&asked, &golds, given);
        let _ = vitrine_agents::run(ask, self.sink.clone(), self.cancel.clone()).await;
        let (report, last_tried) = self.sink.run_report();
        let sql = report.sql.clone().or(last_tried);
        let prediction = Prediction {
            sql: sql.as_deref(),
            ran: report.page.is_some(),
            rows: report.page.as_ref().filter(|_| report.code.is_some()),
            fetched: report.page.as_ref(),
            selection: &report.selection,
        };
        let judgement = judge_prediction(question, &database, &golds, prediction, self.rule).await;
        if judgement.over_limit {
            return Outcome {
                answered: true,
                usage: report.usage,
                by_agent: by_agent(&report),
                sql,
                ..Outcome::left_out(question, SkipReason::OverLimit)
            };
        }
        let case = JudgedQuestion { question, database: &database, golds: &golds };
        let candidates = self.evaluate_candidates(case, &report, &judgement).await;
        let mut outcome = Outcome {
            answered: report.page.is_some(),
            fault: judgement.fault,
            linking: judgement.linking,
            usage: report.usage,
            phases: report.phases,
            by_agent: by_agent(&report),
            sql,
            asked: self.sink.was_intended_offered(),
            certainty: report.certainty.clone(),
            candidates: Some(candidates),
            ..Outcome::without_answer(question, report.finished.flatten().map(|error| error.to_string()))
        };
        outcome.set_verdict(judgement.verdict);
        outcome
    }

    /// Judges all queries of the run, after its answer.
    async fn evaluate_candidates(
        &self,
        case: JudgedQuestion<'_>,
        report: &RunReport,
        judgement: &Judgement,
    ) -> EvaluatedCandidates {
        let (attempts, path) = self.sink.read_events(|events| (collect_attempts(events), find_generation_path(events)));
        let answer = report.sql.as_deref().filter(|_| report.page.is_some() && report.code.is_none());
        let answer = answer.map(|sql| (sql, judgement.verdict));
        let timeout = Duration::from_secs(u64::from(self.settings.timeout_s));
        let is_complete = |linking: Linking| linking.tables.is_complete() && linking.columns.is_complete();
        EvaluatedCandidates {
            queries: judge_attempts(case, attempts, answer, timeout, &self.cancel).await,
            linked: judgement.linking.filter(|_| !report.selection.is_empty()).map(is_complete),
            path,
            errors: judgement.errors.clone(),
        }
    }

    /// Evaluates schema linking without judging an answer.
    async fn measure_linking(&self, database: &PreparedDatabase) -> Outcome {
        let question = &self.question;
        let families = Families::from_catalog(&database.catalog);
        let needed = collect_needed_names(&question.gold_sql, database, &families);
        if needed.is_empty() {
            return Outcome::left_out(question, SkipReason::GoldFails);
        }
        let enough = self.cancel.child_token();
        let sink = Arc::new(UntilLinked { sink: self.sink.clone(), enough: enough.clone() });
        let ended = vitrine_agents::run(self.build_ask(database, &Arc::default(), None), sink, enough.clone()).await;
        let (report, _) = self.sink.run_report();
        let error = ended.err().filter(|_| !enough.is_cancelled()).map(|error| error.to_string());
        let seen = match error {
            Some(_) => Default::default(),
            None => families.fold_names(collect_seen_names(&report.selection, &database.catalog)),
        };
        Outcome {
            fault: None,
            spider2: None,
            linking: Linking::best_match(&needed, &seen),
            usage: report.usage,
            by_agent: by_agent(&report),
            ..Outcome::without_answer(question, error)
        }
    }

    async fn prepare_database(&self) -> Result<PreparedDatabase, AppError> {
        let address = &self.question.warehouse;
        let cell = {
            let mut cells = self.databases.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(address.clone()).or_default())
        };
        cell.get_or_try_init(|| (self.environment.prepare)(address.clone())).await.cloned()
    }

    fn build_ask(
        &self,
        database: &PreparedDatabase,
        golds: &Arc<Vec<Gold>>,
        given_schema: Option<SchemaSelection>,
    ) -> Ask {
        let asker = || GoldClarifier { database: database.clone(), golds: Arc::clone(golds), rule: self.rule };
        Ask {
            question: self.question.question.clone(),
            knowledge: self.question.evidence.clone(),
            data: AskData {
                uri: self.question.db_id.clone(),
                warehouse: database.warehouse.clone(),
                catalog: database.catalog.clone(),
                profile: database.profile.clone(),
                definitions: database.standing.clone(),
                // The evidence of a question may contradict the metrics.
                metrics: database.metrics.clone().filter(|_| self.question.evidence.is_none()),
                metrics_problem: None,
                values: database.values.clone(),
                embedder: database.embedder.clone(),
                sandbox: if find_method(&self.settings.strategy).is_ok_and(|method| method.info.runs_code) {
                    (self.environment.sandbox)()
                } else {
                    None
                },
            },
            models: self.environment.models.clone(),
            permissions: AskPermissions {
                functions: database.allowed.clone(),
                // Benchmark data is public.
                egress: EgressPolicy::allow_everything(),
                answer_leaves: false,
            },
            options: AskOptions {
                settings: self.settings.clone(),
                given_schema,
                explain: true,
                assess: true,
                // A measurement waits for the complete check.
                check_limit: Duration::from_secs(3_600),
                calibration: self.environment.calibration.clone(),
                meter: self.environment.meter.clone(),
                started_at: String::new(),
                today: None,
            },
            user: UserRoles {
                clarifier: (self.meaning == AmbiguityMode::Asked).then(|| Arc::new(asker()) as Arc<dyn UserClarifier>),
                ..UserRoles::default()
            },
            // Empty, because verified questions may be the measured ones.
            history: AskHistory::default(),
        }
    }
}

pub(crate) fn by_agent(report: &RunReport) -> BTreeMap<String, Usage> {
    report.usage_by_agent.iter().map(|(agent, usage)| (agent.as_str().to_owned(), *usage)).collect()
}
