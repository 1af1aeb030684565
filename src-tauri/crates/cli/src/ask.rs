//! `vitrine ask`

use crate::approvals;
use crate::args::{AskArgs, Asking, ExcludedPart, OutArgs};
use crate::end::{End, status_of};
use crate::export::{about_run, write_result, write_table};
use crate::headline::headline_line;
use crate::input::stdin_text;
use crate::last_run::resolve_run_id;
use crate::notes::{certainty_line, metric_lines, rule_lines};
use crate::output::{date_part, format_page, print_error, print_json, print_note, print_text, sanitize_text};
use crate::sources::print_read_totals;
use crate::stages::{Stages, format_summary};
use crate::stop::Stop;
use crate::{choice, models};
use futures::StreamExt;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tokio::sync::oneshot;
use vitrine_api::methods::parameters;
use vitrine_api::{App, AppEvent, AskRequest, FollowUpRequest, SAMPLE, is_joined_address};
use vitrine_domain::{AppError, AskSettings, ErrorCode, EventBody, FollowUp, RunEvent, RunReport, Switch};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, args: AskArgs, stop: &Stop) -> Result<(), End> {
    let json = args.json;
    if args.estimate {
        return stop.or_cancelled(print_estimate(app, args)).await;
    }
    let question = args.question.join(" ");
    let report = match answer_question(app, args, stop).await {
        Ok(report) => report,
        // With --json, an object is printed even if the run could not begin.
        Err(error) if json => RunReport { question, finished: Some(Some(error)), ..RunReport::default() },
        Err(error) => return Err(error.into()),
    };
    let reads = app.source_reads(&report.warehouse).await;
    if !json {
        print_read_totals(&reads);
        return finish_command(report, json);
    }
    let mut object = report.to_json();
    if is_joined_address(&report.warehouse) {
        object["sources"] = serde_json::json!(reads);
    }
    print_json(&object);
    end_command(report)
}

/// Prints the report for `--json`, and ends with the status of the run.
pub(crate) fn finish_command(report: RunReport, json: bool) -> Result<(), End> {
    if json {
        print_json(&report.to_json());
    }
    end_command(report)
}

fn end_command(report: RunReport) -> Result<(), End> {
    match report.finished {
        Some(None) => Ok(()),
        Some(Some(error)) => {
            print_error(&error);
            // A run without an answer ends with status 3, unless connection or model caused the error.
            Err(End::Told(match status_of(error.code) {
                2 if !report.run_id.is_empty() && error.code != ErrorCode::Usage => 3,
                status => status,
            }))
        }
        None => Err(AppError::new(ErrorCode::Internal, tr!("The run ended without its last event")).into()),
    }
}

/// Prints the estimated cost of a question.
async fn print_estimate(app: &App, args: AskArgs) -> Result<(), End> {
    let json = args.json;
    let estimate = app.estimate(build_request(app, args).await?).await?;
    if json {
        print_json(&estimate);
        return Ok(());
    }
    print_text(&estimate.text);
    if let Some(refused) = &estimate.refused {
        print_note(refused);
    }
    Ok(())
}

/// Returns the settings of a question. Arguments override the preset, which overrides the stored settings.
pub(crate) async fn resolve_settings(app: &App, kept: AskSettings, asking: Asking) -> Result<AskSettings, AppError> {
    let Some(preset) = asking.models else { return Ok(with_typed(kept, asking)) };
    let presets = app.model_presets().await?;
    let chosen = presets.into_iter().find(|info| info.name == preset).expect("all are listed");
    if !chosen.usable {
        let why = tr!("'{preset}' cannot be used: {reason}", preset = preset.as_str(), reason = chosen.note);
        return Err(AppError::new(ErrorCode::ModelMissing, why)
            .with_hint(tr!("See which models there are: vitrine models list")));
    }
    print_note(&format!("Models: {}", chosen.note));
    Ok(with_typed(AskSettings { model: chosen.model, agent_models: chosen.agent_models, ..kept }, asking))
}

fn with_typed(mut settings: AskSettings, asking: Asking) -> AskSettings {
    settings.model = asking.model.or(settings.model);
    settings.strategy = asking.strategy.unwrap_or(settings.strategy);
    settings.agent_models.extend(asking.agent_models);
    settings.candidates = asking.candidates.unwrap_or(settings.candidates);
    for part in asking.without {
        match part {
            ExcludedPart::Switch(switch) => settings.without.push(switch),
            ExcludedPart::Rule(code) => settings.without_rules.push(code),
        }
    }
    settings.seed = asking.seed.unwrap_or(settings.seed);
    settings.max_rounds = asking.rounds.unwrap_or(settings.max_rounds);
    settings.chunk_budget = asking.budget;
    settings.timeout_s = asking.timeout.unwrap_or(settings.timeout_s);
    settings.budget.seconds = asking.max_seconds.or(settings.budget.seconds);
    if settings.budget.seconds.is_some() {
        settings.answer_within_s = 0;
    }
    settings.budget.money = asking.max_usd.or(settings.budget.money);
    settings.budget.tokens = asking.max_tokens.or(settings.budget.tokens);
    for (key, value) in &asking.parameters {
        parameters::apply_setting(&mut settings, key, value).expect("tried when it was read");
    }
    settings
}

/// Builds the request. Without a user at the terminal, the run asks nothing back and has no time limit for an answer.
async fn build_request(app: &App, args: AskArgs) -> Result<AskRequest, AppError> {
    let mut settings = resolve_settings(app, app.settings().await?.for_asking(), args.asking).await?;
    if args.json || !choice::somebody_is_there() {
        settings.ask_when_unsure = false;
        settings.answer_within_s = 0;
    } else {
        app.shows_approvals();
    }
    // The check does not change the answer, so the command waits for it only on request.
    if !args.check && settings.is_enabled(Switch::Certainty) {
        settings.without.push(Switch::Certainty);
    }
    Ok(AskRequest {
        question: read_question(args.question)?,
        knowledge: args.knowledge.as_deref().map(read_text).transpose()?,
        settings,
        warehouse: args.warehouse.into_iter().next().unwrap_or_else(|| SAMPLE.to_owned()),
        follows: None,
    })
}

/// Completes a follow-up with the question of an earlier run, so that it can be asked on its own.
async fn complete_question(app: &App, request: AskRequest, before: RunReport) -> Result<AskRequest, AppError> {
    // Stored values are recognized only if the data is open. An address that came with an imported run is refused.
    app.catalog(request.warehouse.clone()).await?;
    let AskRequest { question: text, settings, .. } = request.clone();
    let question =
        app.follow_up(FollowUpRequest { run_id: before.run_id.clone(), text: text.clone(), settings }).await?;
    print_note(&sanitize_text(&tr!("completed question: {question}", question), false));
    let follows = Some(FollowUp { run_id: before.run_id, question: before.question, text });
    Ok(AskRequest { question, follows, ..request })
}

async fn answer_question(app: &App, mut args: AskArgs, stop: &Stop) -> Result<RunReport, AppError> {
    let before = match args.after.take() {
        Some(run) => {
            let before = app.run_report(resolve_run_id(app, run).await?).await?;
            if args.warehouse.is_empty() {
                args.warehouse.push(before.warehouse.clone());
            }
            Some(before)
        }
        None => None,
    };
    let events = args.events.as_deref().map(EventFile::create).transpose()?;
    let (out, json, pull, keeps_looking) = (args.out.clone(), args.json, args.pull, args.keep_looking);
    let mut request = build_request(app, args).await?;
    let (asks, approves) = (request.settings.ask_when_unsure, !json && choice::somebody_is_there());
    if app.makes_sample(&request.warehouse) {
        print_note(&tr!("Creating the sample warehouse, once …"));
    }
    models::offer_missing(app, &request.settings, pull, stop).await?;
    if let Some(before) = before {
        request = tokio::select! {
            completed = complete_question(app, request, before) => completed?,
            () = stop.token().cancelled_owned() => return Err(AppError::new(ErrorCode::Cancelled, tr!("Stopped"))),
        };
    }
    let run_id = tokio::select! {
        run_id = app.ask(request) => run_id?,
        () = stop.token().cancelled_owned() => return Err(AppError::new(ErrorCode::Cancelled, tr!("Stopped"))),
    };
    let report = watch_run(app, run_id, Watch { asks, approves, keeps_looking, json, events }, stop).await?;
    report_and_export(app, &report, &out, json, stop).await?;
    Ok(report)
}

/// Options for following a run.
#[derive(Default)]
pub(crate) struct Watch {
    /// True if readings are offered to the user.
    pub asks: bool,
    /// True if the user approves queries here.
    pub approves: bool,
    /// True if the run continues after its time limit.
    pub keeps_looking: bool,
    /// True if standard output is reserved for one JSON object.
    pub json: bool,
    /// The file for the run's events.
    pub events: Option<EventFile>,
}

/// Follows a run to its end, reports its events, and relays its questions to the user.
pub(crate) async fn watch_run(app: &App, run_id: String, watch: Watch, stop: &Stop) -> Result<RunReport, AppError> {
    let Watch { asks, approves, keeps_looking, json, mut events } = watch;
    let mut stages = Stages::new();
    let mut report = RunReport::default();
    let mut run = Box::pin(app.stream_run_events(run_id.clone()));
    let mut other = app.subscribe_to_events();
    let token = stop.token();
    let mut stopping = false;
    let mut choice: Option<oneshot::Receiver<Option<u32>>> = None;
    let mut word: Option<oneshot::Receiver<()>> = None;
    let mut approval: Option<(String, oneshot::Receiver<bool>)> = None;
    loop {
        let event = tokio::select! {
            event = run.next() => event,
            () = token.cancelled(), if !stopping => {
                stopping = true;
                stages.set_message(tr!("Stopping …"));
                app.cancel_run(run_id.clone()).await?;
                continue;
            }
            said = async { choice.as_mut().expect("some").await }, if choice.is_some() => {
                choice = None;
                app.choose_reading(run_id.clone(), said.ok().flatten()).await?;
                continue;
            }
            said = async { (&mut approval.as_mut().expect("some").1).await }, if approval.is_some() => {
                let (hash, _) = approval.take().expect("some");
                app.decide_query(run_id.clone(), hash, said.unwrap_or(false)).await?;
                stages.start_spinner();
                continue;
            }
            Ok(()) = async { word.as_mut().expect("some").await }, if word.is_some() => {
                word = None;
                // The run may have ended meanwhile.
                let _ = app.keep_looking(run_id.clone(), true).await;
                continue;
            }
            Ok(AppEvent::Preparation(p)) = other.recv(), if report.started_at.is_empty() => {
                stages.set_message(if p.profiled < p.tables {
                    tr!("Reading the data: table {at} of {of} …", at = p.profiled, of = p.tables)
                } else {
                    tr!("Indexing values: column {at} of {of} …", at = p.values_indexed, of = p.values_total)
                });
                continue;
            }
        };
        let Some(event) = event.transpose()? else { break };
        if let Some(file) = &mut events {
            file.write_event(&event)?;
        }
        report.apply_event(&event);
        stages.report_event(&event);
        if matches!(event.body, EventBody::ResultReady { .. }) {
            stages.stop_spinner();
            show_answer(&report, json);
        }
        if let EventBody::ReadingsOffered { readings, .. } = &event.body
            && asks
        {
            stages.stop_spinner();
            choice = Some(choice::ask_for_reading(readings));
        }
        if let EventBody::ApprovalAsked { sql, sql_sha256, .. } = &event.body
            && approves
        {
            stages.stop_spinner();
            approval = Some((sql_sha256.clone(), approvals::ask_for_approval(&report.warehouse, sql, sql_sha256)));
        }
        match &event.body {
            EventBody::BestSoFar { waits_s: waits_s @ 1.., page: rows, .. } => {
                stages.stop_spinner();
                print_note(&format!("\n{}\n{}", tr!("The best so far:"), format_page(rows)));
                if keeps_looking {
                    app.keep_looking(run_id.clone(), true).await?;
                } else {
                    word = Some(choice::keep_looking(*waits_s));
                }
            }
            EventBody::LookingDecided { goes_on: true, .. } => {
                print_note(&tr!("Looking on …"));
                stages.start_spinner();
            }
            EventBody::LookingDecided { goes_on: false, .. } => word = None,
            _ => {}
        }
    }
    stages.stop_spinner();
    Ok(report)
}

/// Shows the answer as soon as it exists, because later work may take longer.
fn show_answer(report: &RunReport, json: bool) {
    if let (Some(sql), _) = format_summary(report) {
        print_note(&format!("\n{sql}\n"));
    }
    if let Some(code) = &report.code {
        print_note(&format!("{}\n", sanitize_text(code, true)));
    }
    if let (Some(rows), false) = (&report.page, json) {
        print_text(&format_page(rows));
        if let Some(line) = headline_line(report) {
            print_note(&line);
        }
    }
}

/// Prints the facts about the answer, and writes it to a file if requested.
pub(crate) async fn report_and_export(
    app: &App,
    report: &RunReport,
    out: &OutArgs,
    json: bool,
    stop: &Stop,
) -> Result<(), AppError> {
    if report.best_so_far {
        let said = tr!("Stopped before there was an answer. The best result so far, not confirmed:");
        print_note(&format!("\n{said}"));
        show_answer(report, json);
    }
    let (_, cost) = format_summary(report);
    if std::io::stdout().is_terminal() {
        print_note("");
    }
    let certainty = report.certainty.as_ref().map(certainty_line);
    let metrics = report.metrics.iter().flat_map(metric_lines);
    for line in metrics.chain(reading_line(report)).chain(certainty).chain(rule_lines(report)) {
        print_note(&line);
    }
    print_note(&cost);
    let file = out.export_file(app.settings().await?.csv_style(), || about_run(report));
    if let (Some(file), Some(sql), Some(None)) = (file, &report.sql, &report.finished) {
        match &report.code {
            Some(_) => write_table(app, &report.run_id, file, stop).await?,
            None => write_result(app, &report.warehouse, sql, file, stop).await?,
        }
    }
    Ok(())
}

/// Describes the chosen reading of an ambiguous question, and the commands to change an earlier choice.
fn reading_line(report: &RunReport) -> Option<String> {
    let reading = report.reading.as_ref()?;
    let meaning = if reading.meaning.is_empty() { tr!("as its query says") } else { reading.meaning.clone() };
    let said = tr!("read as: {meaning}", meaning);
    Some(sanitize_text(
        &match reading.chosen_at.as_deref() {
            None => said,
            Some(at) => tr!(
                "{said} (you chose this on {day}: --without readings asks again, vitrine readings choose {id} selects another)",
                said,
                day = date_part(at),
                id = report.run_id
            ),
        },
        false,
    ))
}

fn read_question(words: Vec<String>) -> Result<String, AppError> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    stdin_text()
}

fn read_text(path: &Path) -> Result<String, AppError> {
    std::fs::read_to_string(path).map_err(|error| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be read as text", path = path.display()))
            .with_hint(tr!("Name a text file in UTF-8"))
            .with_detail(error)
    })
}

/// Writes events as JSON lines; each is flushed before the next.
pub(crate) struct EventFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl EventFile {
    fn create(path: &Path) -> Result<Self, AppError> {
        let file = File::create(path).map_err(|error| not_writable_error(path, &error))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file) })
    }

    fn write_event(&mut self, event: &RunEvent) -> Result<(), AppError> {
        serde_json::to_writer(&mut self.file, event)
            .map_err(std::io::Error::from)
            .and_then(|()| self.file.write_all(b"\n"))
            .and_then(|()| self.file.flush())
            .map_err(|error| not_writable_error(&self.path, &error))
    }
}

fn not_writable_error(path: &Path, error: &std::io::Error) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
        .with_hint(tr!("Check that the folder exists and that there is space"))
        .with_detail(error)
}
