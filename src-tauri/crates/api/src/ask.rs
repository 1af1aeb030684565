//! Asking a question: returns a run id immediately and works in a separate task.

use crate::app::App;
use crate::sink::LogSink;
use crate::state::runs::Asks;
use crate::state::setup::Patience;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::{current_timestamp, new_id, on_own_thread, panic_error};
use crate::types::AskRequest;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::{find_method, parameters};
use vitrine_agents::{
    Ask, AskData, AskHistory, AskOptions, AskPermissions, Earlier, FollowedRun, Models, RunSink, UserClarifier,
    UserRoles,
};
use vitrine_domain::{Agent, AppError, AskSettings, EgressLevel, ErrorCode, EventBody, RunReport, Switch};
use vitrine_store::QueryAuthor;
use vitrine_warehouse::WarehouseError;
use vitrine_words::tr;

impl App {
    /// Starts a run for a question and returns the run's id. Problems that prevent the run, such as a missing file or model, are returned
    /// as errors; all later ones are in the run's log.
    pub async fn ask(&self, request: AskRequest) -> Result<String, AppError> {
        self.ask_for(request, None, None).await
    }

    /// Same as `ask`, optionally for an external program: then no model of the run receives more than that program may read. A run that
    /// continues an earlier one takes over the background of that run.
    pub(crate) async fn ask_for(
        &self,
        request: AskRequest,
        receiver: Option<String>,
        earlier: Option<Arc<Earlier>>,
    ) -> Result<String, AppError> {
        let settings = self.complete_settings(request.settings.clone()).await?;
        let models = self.models_for(&settings).await?;
        let open = self.ensure_open(&request.warehouse).await?;
        if !open.kind.info().has_rows {
            // Without rows, every query of every round would fail.
            return Err(WarehouseError::SchemaOnly.into());
        }
        self.remember_warehouse(&open).await?;
        let asks_first = self.requires_approval(&open.uri).await?;
        if open.read_ahead && !asks_first {
            self.begin_preparation(&open);
        }
        let functions = self.allowed_in(&open).await?;
        if let Some(refused) = self.spending_refusal(&request, &settings, &models, None).await? {
            return Err(refused);
        }
        let meter = self.monthly_meter().await?;
        let embedder = self.load_embedder().await;
        let verified = match settings.is_enabled(Switch::Verified) {
            true => self.verified_like(&open, &request.question, embedder.clone()).await?,
            false => Vec::new(),
        };
        let egress = self.egress_of(&open.uri).await?;
        let answer_leaves = receiver.is_some();
        let stays = models.all_run_here() && !answer_leaves;
        let told = if stays { EgressLevel::Results } else { egress.level };
        let knowledge = match earlier {
            Some(_) => request.knowledge.clone(),
            None => self.collect_knowledge(&open, &request, told).await?,
        };
        let definitions = self.standing_definitions(&open).await?;
        // Background that the user gives with a question may contradict the metrics. A broken file must not stop the question.
        let has_background = request.knowledge.as_deref().is_some_and(|text| !text.trim().is_empty());
        let (metrics, metrics_problem) = match settings.is_enabled(Switch::Metrics) && !has_background {
            true => match self.metrics_for_questions(&request.warehouse).await {
                // The user's own definitions may contradict them too.
                Ok(Some(metrics)) => match self.defines_words_of(&open, &request.question, &metrics).await? {
                    true => (None, None),
                    false => (Some(metrics), None),
                },
                Ok(None) => (None, None),
                Err(error) => (None, Some(error.message)),
            },
            false => (None, None),
        };
        // An external program receives an answer to its own question only, without remembered interpretations.
        let remembered = match (&earlier, &receiver) {
            (None, None) if settings.is_enabled(Switch::Readings) => {
                self.remembered_for(&open, &request, knowledge.as_deref()).await?
            }
            _ => None,
        };
        // A query that reads stored values would have to be approved before the question is understood.
        let template = match (&earlier, &receiver, &remembered) {
            (None, None, None) if settings.is_enabled(Switch::Verified) && !asks_first => {
                self.fill_verified_template(&open, &request, &settings, knowledge.as_deref()).await?
            }
            _ => None,
        };
        let calibration = self.load_calibration(models.for_agent(Agent::Generator).id()).await?;
        self.inner.prefills.make_way(&open.uri, models.default.id());

        let run_id = new_id();
        let cancel = self.inner.ending.child_token();
        let (running, clarifier, onlooker) = self.inner.runs.begin_run(&run_id, cancel.clone());
        let clarifier = settings.ask_when_unsure.then(|| Arc::new(clarifier) as Arc<dyn UserClarifier>);
        let is_users =
            earlier.as_deref().is_some_and(|run| run.edited_sql().is_some() && run.chosen_reading().is_none());
        let approver = asks_first.then(|| {
            let author = if is_users { QueryAuthor::User } else { QueryAuthor::Model };
            let (warehouse, question, run_id) = (open.uri.clone(), request.question.clone(), run_id.clone());
            self.query_approver(Asks { warehouse, question, run_id, author })
        });
        let sandbox =
            if find_method(&settings.strategy)?.info.runs_code { self.sandbox_for_run(&run_id) } else { None };
        let sent_before = request.follows.as_ref().map(|before| self.inner.rewritings.take_requests(&before.run_id));
        let sink =
            Arc::new(LogSink::new(self.clone(), running, cancel.clone(), receiver, sent_before.unwrap_or_default()));
        let warehouse = self.for_question(&open);
        let follows = match request.follows {
            Some(follow_up) => {
                // The previous run may be deleted; its query is then unknown.
                let before = self.run_report(follow_up.run_id.clone()).await.ok();
                Some(FollowedRun { follow_up, sql: before.and_then(|run| run.sql) })
            }
            None => None,
        };
        let check_limit = models.check_limit();
        let ask = move |open: &OpenWarehouse| Ask {
            question: request.question,
            knowledge,
            data: AskData {
                uri: open.uri.clone(),
                warehouse,
                catalog: open.catalog(),
                profile: open.profile(),
                definitions,
                metrics,
                metrics_problem,
                values: open.value_index(),
                embedder,
                sandbox,
            },
            models,
            permissions: AskPermissions { functions, egress, answer_leaves },
            options: AskOptions {
                settings,
                given_schema: None,
                // Explanations and the assessor execute further queries.
                explain: !asks_first,
                assess: !asks_first,
                check_limit,
                calibration,
                meter: Some(meter),
                started_at: current_timestamp(),
                // The day of the user begins at another time than that of UTC.
                today: Some(jiff::Zoned::now().date().to_string()),
            },
            user: UserRoles { clarifier, onlooker: Some(Arc::new(onlooker)), approver },
            history: AskHistory { follows, earlier, remembered, template, verified },
        };
        let (log, patience) = (Arc::clone(&sink), self.inner.options.patience);
        let work = on_own_thread(move || answer_question(open, ask, log, patience, cancel));
        let (app, id) = (self.clone(), run_id.clone());
        tokio::spawn(async move {
            if work.await.is_err() || !sink.is_finished() {
                app.end_broken(&sink, &id).await;
            }
        });
        Ok(run_id)
    }

    /// Writes the last event of a run whose task panicked, so that its log is complete.
    async fn end_broken(&self, sink: &LogSink, run_id: &str) {
        let report = RunReport::from_events(&self.run_events(run_id.to_owned(), 0).await.unwrap_or_default());
        sink.emit(EventBody::RunFinished {
            error: Some(panic_error(&"the task that worked on the question panicked")),
            usage: report.usage,
            usage_by_agent: report.usage_by_agent,
        });
    }

    /// Checks the settings and fills in the default model and all parameters, so that the run's log records which model answered with which
    /// parameters.
    pub(crate) async fn complete_settings(&self, mut settings: AskSettings) -> Result<AskSettings, AppError> {
        check_settings(&settings)?;
        settings.methods = parameters::fill_defaults(&settings.methods).map_err(|what| invalid_setting_error(&what))?;
        if settings.model.is_none() {
            settings.model = Some(self.settings().await?.default_model);
        }
        Ok(settings)
    }

    pub(crate) async fn models_for(&self, settings: &AskSettings) -> Result<Models, AppError> {
        let default = settings.model.clone().unwrap_or_default();
        let mut models = Models { default: self.chat_model(&default).await?, by_agent: Default::default() };
        for (agent, id) in &settings.agent_models {
            models.by_agent.insert(*agent, self.chat_model(id).await?);
        }
        Ok(models)
    }
}

async fn answer_question(
    open: Arc<OpenWarehouse>,
    ask: impl FnOnce(&OpenWarehouse) -> Ask,
    sink: Arc<LogSink>,
    patience: Patience,
    cancel: CancellationToken,
) {
    open.wait_until_ready(patience, &cancel).await;
    let ask = ask(&open);
    // The same error is the run's last event.
    let _ = vitrine_agents::run(ask, sink, cancel).await;
}

fn check_settings(settings: &AskSettings) -> Result<(), AppError> {
    let wrong = |what: String, hint: String| Err(AppError::new(ErrorCode::Usage, what).with_hint(hint));
    find_method(&settings.strategy)?;
    if !(1..=16).contains(&settings.candidates) {
        return wrong(tr!("{count} candidates are not possible", count = settings.candidates), tr!("Choose 1 to 16"));
    }
    for threshold in [settings.edit_threshold, settings.semantic_threshold] {
        if !(0.0..=1.0).contains(&threshold) {
            return wrong(tr!("{threshold} is not a threshold", threshold), tr!("Choose 0 to 1"));
        }
    }
    if settings.row_limit == 0 || settings.timeout_s == 0 {
        return wrong(tr!("Row limit and time limit must be at least 1"), tr!("Raise them"));
    }
    settings
        .budget
        .check_limits()
        .and_then(|()| parameters::check_parameters(&settings.methods))
        .map_err(|what| invalid_setting_error(&what))
}

fn invalid_setting_error(what: &str) -> AppError {
    AppError::new(ErrorCode::Usage, what).with_hint(tr!("Change it in the settings or with --set"))
}
