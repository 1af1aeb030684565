//! Evaluations for the window: started as jobs, stored in one folder each, listed and compared.

use crate::app::App;
use crate::eval::{EvalOptions, EvalScope, Pack, Run, Sample};
use crate::folders::remove_below;
use crate::state::work::{new_id, run_blocking};
use crate::types::{
    EvaluationComparison, EvaluationGroup, EvaluationQuestion, EvaluationRequest, EvaluationSummary, JobEvent, JobKind,
    JobState, SavedStatus,
};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, AskSettings, Dialect, ErrorCode, EventBody, RunEvent, child_of};
use vitrine_eval::{AmbiguityMode, GivenSchema, Outcome, Question, compare_run_outcomes, events_file};
use vitrine_words::tr;

impl App {
    /// Returns all evaluations, the last changed first. Evaluations without results are omitted.
    pub async fn evaluations(&self) -> Result<Vec<EvaluationSummary>, AppError> {
        let folder = self.inner.options.folders.evaluations();
        run_blocking(move || {
            let mut found: Vec<_> = std::fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .filter_map(|entry| {
                    let changed = entry.path().join("results.jsonl").metadata().ok()?.modified().ok()?;
                    let id = entry.file_name().to_string_lossy().into_owned();
                    // A folder that cannot be read is not an evaluation; it is skipped.
                    let run = Run::load(id.clone(), &entry.path()).ok()?;
                    // The page shows only evaluations of answers.
                    (run.scope == EvalScope::Answers).then(|| (changed, summarize_run(id, &run)))
                })
                .collect();
            found.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
            Ok(found.into_iter().map(|(_, summary)| summary).collect())
        })
        .await
    }

    /// Starts an evaluation, or resumes the one with the same questions, method and model. Returns the id of the job, whose title is the
    /// evaluation's.
    pub async fn start_evaluation(&self, request: EvaluationRequest) -> Result<String, AppError> {
        let pack = self.load_pack(&request).await?;
        let settings =
            AskSettings { strategy: request.strategy, model: request.model, ..self.settings().await?.for_measuring() };
        let sample = Sample {
            every: request.every.max(1) as usize,
            limit: request.limit.map(|limit| limit as usize),
            ..Sample::default()
        };
        let out = self.evaluation_folder(&pack, &sample, GivenSchema::Whole, &settings).await?;
        // Problems that prevent the whole evaluation are returned immediately.
        let total = pack.select_questions(&sample)?.len() as u64;
        self.models_for(&self.complete_settings(settings.clone()).await?).await?;
        let id = out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let job = JobEvent {
            job_id: new_id(),
            kind: JobKind::Evaluation,
            title: id,
            done: 0,
            total: Some(total),
            unit: "questions".to_owned(),
            state: JobState::Running,
            error: None,
            path: Some(out.display().to_string()),
        };
        let app = self.clone();
        Ok(self.start_job(job, move |progress, cancel| async move {
            let options = EvalOptions {
                settings,
                sample,
                meaning: AmbiguityMode::Any,
                schema: GivenSchema::Whole,
                jobs: 1,
                out,
                resume: true,
                replies: None,
            };
            let on_progress =
                |at: crate::eval::Progress<'_>| progress.report_progress(at.done as u64, Some(at.total as u64));
            let run = app.evaluate_pack(&pack, options, cancel, on_progress).await?;
            Ok(run.outcomes.len() as u64)
        }))
    }

    /// Returns the outcome of each question of an evaluation, in the pack's order.
    pub async fn evaluation(&self, id: String) -> Result<Vec<EvaluationQuestion>, AppError> {
        let path = self.evaluation_path(&id)?;
        run_blocking(move || {
            let run = Run::load(id, &path)?;
            Ok(run.outcomes.iter().map(|outcome| to_evaluation_question(outcome, &run)).collect())
        })
        .await
    }

    /// Compares two evaluations over the questions that both contain.
    pub async fn compare_evaluations(&self, base: String, id: String) -> Result<EvaluationComparison, AppError> {
        let (base, run) = (self.evaluation_run(base).await?, self.evaluation_run(id).await?);
        let compared = compare_run_outcomes((&base.name, &base.outcomes), (&run.name, &run.outcomes), run.rule)
            .filter(|comparison| comparison.all.pair_count() > 0)
            .ok_or_else(|| {
                AppError::new(ErrorCode::Usage, tr!("These two have no question in common"))
                    .with_hint(tr!("Compare runs over the same pack"))
            })?;
        let ids = |won: bool| compared.flips.iter().filter(|f| f.won == won).map(|f| f.id.clone()).collect();
        Ok(EvaluationComparison {
            questions: compared.all.pair_count(),
            wins: compared.all.wins,
            losses: compared.all.losses,
            difference: compared.difference,
            low: compared.interval[0],
            high: compared.interval[1],
            p: compared.p,
            won: ids(true),
            lost: ids(false),
        })
    }

    /// Returns the events of the run of one question.
    pub async fn evaluation_events(&self, id: String, question: String) -> Result<Vec<RunEvent>, AppError> {
        let path = events_path(&self.evaluation_path(&id)?, &question);
        run_blocking(move || {
            let text = std::fs::read_to_string(&path).map_err(|error| {
                AppError::new(ErrorCode::NotFound, tr!("The run of this question was not stored")).with_detail(error)
            })?;
            Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
        })
        .await
    }

    /// Deletes an evaluation with the runs of its questions.
    pub async fn delete_evaluation(&self, id: String) -> Result<(), AppError> {
        self.evaluation_path(&id)?;
        let folder = self.inner.options.folders.evaluations();
        run_blocking(move || {
            remove_below(&folder, &id).map_err(|error| {
                AppError::new(ErrorCode::NotFound, tr!("The evaluation cannot be deleted")).with_detail(error)
            })
        })
        .await
    }

    async fn evaluation_run(&self, id: String) -> Result<Run, AppError> {
        let path = self.evaluation_path(&id)?;
        run_blocking(move || Run::load(id, &path)).await
    }

    /// Returns the folder of an evaluation; an id that would lead out of the folder of all evaluations is an error.
    fn evaluation_path(&self, id: &str) -> Result<PathBuf, AppError> {
        child_of(&self.inner.options.folders.evaluations(), id)
            .ok_or_else(|| AppError::new(ErrorCode::NotFound, tr!("Evaluation not found")))
    }

    /// Loads the questions of a request: from a folder, or the verified saved questions of a warehouse.
    async fn load_pack(&self, request: &EvaluationRequest) -> Result<Pack, AppError> {
        match (&request.pack, &request.warehouse) {
            (Some(folder), _) => {
                let folder = PathBuf::from(folder);
                run_blocking(move || Pack::load(&folder, EvalScope::Answers)).await
            }
            (None, Some(uri)) => self.saved_pack(uri).await,
            (None, None) => Err(AppError::new(ErrorCode::Usage, tr!("There is nothing to measure"))
                .with_hint(tr!("Choose a folder of questions, or save and verify some of your own"))),
        }
    }

    /// Returns the verified questions of a warehouse as a pack, which is a benchmark of the user's own.
    ///
    /// # Errors
    /// When there are none.
    pub async fn saved_pack(&self, uri: &str) -> Result<Pack, AppError> {
        let open = self.ensure_open(uri).await?;
        let questions: Vec<Question> = self
            .saved(String::new())
            .await?
            .into_iter()
            .filter(|saved| saved.warehouse == open.uri && saved.status == SavedStatus::Verified)
            // The gold result comes from a query; questions that are answered by code have none.
            .filter(|saved| saved.code.is_none())
            .map(|saved| Question {
                id: saved.id,
                db_id: open.declared.database.clone(),
                question: saved.question,
                gold_sql: vec![saved.sql],
                warehouse: open.uri.clone(),
                ..Question::default()
            })
            .collect();
        if questions.is_empty() {
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("No saved question of this data with SQL for its answer is marked as verified"),
            )
            .with_hint(tr!("Save an answer that you have checked, and set its status to Verified")));
        }
        Pack::of_questions(format!("my-{}", open.declared.database), questions)
    }
}

fn summarize_run(id: String, run: &Run) -> EvaluationSummary {
    let figures = vitrine_eval::report::summary::Summary::new(run, run.rule);
    let settings = run.settings.as_ref();
    EvaluationSummary {
        id,
        pack: run.pack.clone(),
        strategy: settings.map(|s| s.strategy.clone()),
        model: settings.and_then(|s| s.model.clone()),
        rule: run.rule.name().to_owned(),
        every: run.every,
        right: run.outcomes.iter().filter(|o| o.is_right(run.rule)).count() as u32,
        questions: run.outcomes.len() as u32,
        median_seconds: figures.median_seconds,
        model_calls: figures.cost.llm_calls,
        tokens: figures.cost.prompt_tokens - figures.cost.cached_prompt_tokens + figures.cost.completion_tokens,
        by_hardness: figures
            .by_hardness
            .into_iter()
            .map(|group| EvaluationGroup {
                name: group.name,
                right: group.right.count as u32,
                questions: group.right.of as u32,
            })
            .collect(),
    }
}

fn to_evaluation_question(outcome: &Outcome, run: &Run) -> EvaluationQuestion {
    EvaluationQuestion {
        id: outcome.id.clone(),
        database: outcome.db_id.clone(),
        question: outcome.question.clone(),
        hardness: outcome.hardness.clone(),
        right: outcome.is_right(run.rule),
        sql: outcome.sql.clone(),
        // Formatted, because packs contain the query on one line.
        gold: dialect_of(&run.folder, &outcome.id)
            .map_or_else(|| outcome.gold.clone(), |dialect| vitrine_sql::format_sql(&outcome.gold, dialect)),
        error: outcome.error.clone(),
        seconds: outcome.elapsed_seconds(),
    }
}

/// Returns the path of the run of one question.
fn events_path(folder: &Path, question: &str) -> PathBuf {
    folder.join("events").join(events_file(question))
}

/// Returns the dialect of a question's database from the first event of its run; `None` if the run was not stored.
fn dialect_of(folder: &Path, question: &str) -> Option<Dialect> {
    let mut first = String::new();
    BufReader::new(File::open(events_path(folder, question)).ok()?).read_line(&mut first).ok()?;
    match serde_json::from_str::<RunEvent>(&first).ok()?.body {
        EventBody::RunStarted { dialect, .. } => Some(dialect),
        _ => None,
    }
}
