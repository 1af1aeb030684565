//! `vitrine saved watch`, `vitrine saved run --due` and `vitrine saved timer`

mod notify;

use crate::args::{FormatWord, IntervalWord, SchedulerWord, TimerCommand, WatchArgs};
use crate::end::End;
use crate::output::{in_rows, print_json, print_note, print_text, sanitize_text, text_table};
use crate::stop::Stop;
use serde_json::json;
use vitrine_api::{
    App, Scheduler, SchedulerEntry, WatchAlert, WatchFormat, WatchInterval, WatchOutcome, WatchOutput, WatchPlan,
    WatchReport, WatchedAnswer,
};
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::{plural, tr};

/// Time of day of a daily or weekly run in minutes, unless chosen.
const USUAL_TIME: u16 = 8 * 60;

pub(crate) async fn run(app: &App, args: WatchArgs, stop: &Stop) -> Result<(), End> {
    if args.list {
        let watched = app.watched_answers().await?;
        print_watched(&watched, args.json);
        if !watched.is_empty() {
            note_missing_timer(app).await;
        }
        return Ok(());
    }
    let question = app.saved_named(args.saved.as_deref().unwrap_or_default()).await?;
    if args.remove {
        app.unwatch_saved(question.id).await?;
        print_note(&tr!("“{title}” is no longer watched", title = sanitize_text(&question.title, false)));
        return Ok(());
    }
    let json = args.json;
    let (watched, first) = app.watch_saved(question.id, build_plan(args)?, stop.token()).await?;
    if json {
        print_json(&watched);
        return Ok(());
    }
    let title = sanitize_text(&watched.title, false);
    let rows = in_rows(first.run.rows.unwrap_or_default());
    print_text(&tr!("“{title}” is watched: {plan}", title, plan = describe_plan(&watched.watch.plan)));
    print_text(&tr!("Now: {rows}. Next run: {next}", rows, next = watched.next_due_local));
    first.run.notes.iter().for_each(|note| print_note(&sanitize_text(note, false)));
    note_missing_timer(app).await;
    Ok(())
}

async fn note_missing_timer(app: &App) {
    if !app.is_scheduler_installed().await {
        print_note(&tr!("Nothing runs by itself until the timer is installed: vitrine saved timer install"));
    }
}

fn build_plan(args: WatchArgs) -> Result<WatchPlan, AppError> {
    let interval = match args.every.expect("the parser asks for it") {
        IntervalWord::Hour => WatchInterval::Hour,
        IntervalWord::Day => WatchInterval::Day,
        IntervalWord::Week => WatchInterval::Week,
    };
    if interval == WatchInterval::Hour && args.at.is_some() {
        let message = tr!("An hourly run is at the full hour, so it takes no --at");
        return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!("Leave out --at, or use --every day")));
    }
    if interval != WatchInterval::Week && args.on.is_some() {
        let message = tr!("Only a weekly run has a day, so it takes no --on");
        return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!("Leave out --on, or use --every week")));
    }
    let output = match args.to {
        None => None,
        Some(folder) => {
            let folder = std::path::absolute(&folder).map_err(|error| {
                AppError::new(ErrorCode::Usage, tr!("{path} is not the path of a folder", path = folder.display()))
                    .with_detail(error)
            })?;
            let format = match args.format.unwrap_or(FormatWord::Xlsx) {
                FormatWord::Xlsx => WatchFormat::Xlsx,
                FormatWord::Html => WatchFormat::Html,
                FormatWord::Csv => WatchFormat::Csv,
            };
            Some(WatchOutput { folder: folder.display().to_string(), format })
        }
    };
    Ok(WatchPlan {
        interval,
        minute: args.at.unwrap_or(if interval == WatchInterval::Hour { 0 } else { USUAL_TIME }),
        weekday: args.on.map_or(0, |day| day as u8),
        alert: match (args.above, args.below) {
            (Some(limit), _) => WatchAlert::Above(limit.trim().to_owned()),
            (_, Some(limit)) => WatchAlert::Below(limit.trim().to_owned()),
            (None, None) => WatchAlert::Changed,
        },
        column: args.column,
        output,
    })
}

/// Describes when a watched answer runs and when it is reported.
fn describe_plan(plan: &WatchPlan) -> String {
    let time = format!("{:02}:{:02}", plan.minute / 60, plan.minute % 60);
    let when = match plan.interval {
        WatchInterval::Hour => tr!("every hour"),
        WatchInterval::Day => tr!("every day at {time}", time),
        WatchInterval::Week => tr!("every week on {day} at {time}", day = weekday_name(plan.weekday), time),
    };
    let alert = match &plan.alert {
        WatchAlert::Changed => tr!("reported when it changes"),
        WatchAlert::Above(limit) => tr!("reported above {limit}", limit),
        WatchAlert::Below(limit) => tr!("reported below {limit}", limit),
    };
    format!("{when}, {alert}")
}

fn weekday_name(weekday: u8) -> String {
    match weekday {
        0 => tr!("Monday"),
        1 => tr!("Tuesday"),
        2 => tr!("Wednesday"),
        3 => tr!("Thursday"),
        4 => tr!("Friday"),
        5 => tr!("Saturday"),
        _ => tr!("Sunday"),
    }
}

fn describe_outcome(outcome: WatchOutcome) -> String {
    match outcome {
        WatchOutcome::First => tr!(context "run of a watched answer", "first result"),
        WatchOutcome::Unchanged => tr!(context "run of a watched answer", "unchanged"),
        WatchOutcome::Changed => tr!(context "run of a watched answer", "changed"),
        WatchOutcome::Crossed => tr!(context "run of a watched answer", "beyond the limit"),
        WatchOutcome::Returned => tr!(context "run of a watched answer", "within the limit again"),
        WatchOutcome::Drifted => tr!(context "run of a watched answer", "the data has another shape"),
        WatchOutcome::Failed => tr!(context "run of a watched answer", "failed"),
    }
}

fn print_watched(watched: &[WatchedAnswer], json: bool) {
    if json {
        print_json(&watched);
        return;
    }
    if watched.is_empty() {
        print_note(&tr!("Nothing is watched. Begin with: vitrine saved watch SAVED --every day"));
        return;
    }
    let rows = watched.iter().map(|answer| {
        let last = answer.last_run.as_ref();
        vec![
            answer.title.clone(),
            describe_plan(&answer.watch.plan),
            answer.next_due_local.clone(),
            last.map(|run| describe_outcome(run.outcome)).unwrap_or_default(),
            answer.watch.state.value.clone().unwrap_or_default(),
        ]
    });
    let heads = [
        tr!(context "heading", "title"),
        tr!(context "heading", "schedule"),
        tr!(context "heading", "next run"),
        tr!(context "heading", "last run"),
        tr!(context "heading", "number"),
    ];
    print_text(&text_table(&heads.map(|name| (name, CellType::Text)), &rows.collect::<Vec<_>>()));
}

/// Runs the watched answers that are due. `shown` says if notifications are shown, and if JSON is printed.
pub(crate) async fn run_due(
    app: &App,
    until: Option<String>,
    (notifies, json): (bool, bool),
    stop: &Stop,
) -> Result<(), End> {
    let report = |report: &WatchReport| {
        if !json {
            print_report(report);
        }
        if notifies && report.run.reported {
            notify::show_notification(&report.title, &describe_report(report));
        }
    };
    let done = app.run_due_watches(until, stop.token(), &report).await?;
    if json {
        print_json(&json!({ "busy": done.busy, "runs": done.reports, "nextDue": done.next_due }));
    } else if done.busy {
        print_note(&tr!("Another process is running the watched answers"));
    } else if done.reports.is_empty() {
        print_note(&tr!("Nothing is due"));
    }
    let failed = done.reports.iter().filter(|report| report.run.outcome == WatchOutcome::Failed && report.run.reported);
    match failed.count() {
        0 => Ok(()),
        count => {
            print_note(&plural!(count, "{n} watched answer failed", "{n} watched answers failed"));
            Err(End::Told(3))
        }
    }
}

fn describe_report(report: &WatchReport) -> String {
    let outcome = describe_outcome(report.run.outcome);
    match report.run.notes.is_empty() {
        true => outcome,
        false => format!("{outcome}: {}", report.run.notes.join("; ")),
    }
}

fn print_report(report: &WatchReport) {
    let title = &report.title;
    if report.run.outcome == WatchOutcome::Failed && !report.run.reported {
        // The error was reported when it occurred first.
        print_note(&sanitize_text(&tr!("{title}: failed again", title), false));
        return;
    }
    print_text(&sanitize_text(&format!("{title}: {}", describe_report(report)), false));
    if let Some(file) = &report.run.file {
        print_note(&tr!("Written to {path}", path = sanitize_text(file, false)));
    }
}

pub(crate) async fn run_timer_command(app: &App, command: TimerCommand) -> Result<(), AppError> {
    match command {
        TimerCommand::Install { print: true, scheduler } => {
            let scheduler = match scheduler {
                None => Scheduler::of_system(),
                Some(SchedulerWord::Systemd) => Scheduler::Systemd,
                Some(SchedulerWord::Launchd) => Scheduler::Launchd,
                Some(SchedulerWord::TaskScheduler) => Scheduler::TaskScheduler,
            };
            let entry = app.scheduler_entry(scheduler).await?;
            print_entry(&entry, &entry.activate);
        }
        TimerCommand::Install { print: false, .. } => {
            let entry = app.install_scheduler().await?;
            for file in &entry.files {
                print_note(&tr!("Written to {path}", path = file.path));
            }
            print_note(&tr!("The timer is installed. Remove it with: vitrine saved timer remove"));
        }
        TimerCommand::Remove { print: true } => {
            let entry = app.scheduler_entry(Scheduler::of_system()).await?;
            let mut commands = entry.deactivate.clone();
            commands.extend(entry.files.iter().map(|file| vec!["rm".to_owned(), file.path.clone()]));
            commands.iter().for_each(|command| print_text(&command.join(" ")));
        }
        TimerCommand::Remove { print: false } => {
            app.remove_scheduler().await?;
            print_note(&tr!("The timer is removed"));
        }
    }
    Ok(())
}

fn print_entry(entry: &SchedulerEntry, commands: &[Vec<String>]) {
    for file in &entry.files {
        print_text(&format!("# {}\n{}", file.path, file.content));
    }
    commands.iter().for_each(|command| print_text(&format!("# {}", command.join(" "))));
}
