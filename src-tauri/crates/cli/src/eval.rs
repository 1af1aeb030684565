//! `vitrine eval`

use crate::args::{EvalArgs, EvalCommand, ReportArgs};
use crate::end::End;
use crate::named::resolve_address;
use crate::output::{print_json, print_note, print_text};
use crate::stop::Stop;
use std::path::Path;
use vitrine_api::App;
use vitrine_api::eval::{
    Calibrated, EvalOptions, EvalScope, KnownFailures, Pack, Progress, Report, Run, Sample, SelectionQuality, Share,
};
use vitrine_domain::{AppError, CertaintyLevel, ErrorCode};
use vitrine_words::{plural, tr, translate_constant};

pub(crate) async fn run(app: &App, args: EvalArgs, stop: &Stop) -> Result<(), End> {
    match (args.command, args.pack) {
        (Some(EvalCommand::Report { runs, report }), _) => {
            let runs = runs.into_iter().map(|(name, folder)| Run::load(name, &folder)).collect::<Result<_, _>>()?;
            Ok(write_report(&Report::new(runs, None)?, &report)?)
        }
        (Some(EvalCommand::Calibrate { folders, out }), _) => {
            let (calibrated, path) = app.calibrate_model(folders, out).await?;
            print_text(&format_calibration(&calibrated));
            print_note(&tr!("The weights are in {path}", path = path.display()));
            Ok(())
        }
        (None, folder) => {
            let scope = if args.linking { EvalScope::Linking } else { EvalScope::Answers };
            let mut pack = match (folder, args.saved) {
                (Some(folder), _) => app.load_connected_pack(&folder, scope, &args.connections).await?,
                (None, Some(warehouse)) => {
                    let address = resolve_address(app, &warehouse).await?;
                    app.saved_pack(&address).await?
                }
                // The argument parser requires one of them.
                (None, None) => {
                    return Err(AppError::new(ErrorCode::Usage, tr!("There is no question pack to run")).into());
                }
            };
            // Reads the baseline first, so that an error is reported before the evaluation.
            let baseline = args.baseline.map(|folder| Run::load("baseline", &folder)).transpose()?;
            let settings =
                crate::ask::resolve_settings(app, app.settings().await?.for_measuring(), args.asking).await?;
            let sample =
                Sample { every: args.every, offset: args.offset, limit: args.limit, databases: args.databases };
            if let Some(server) = &args.server {
                app.load_dumps(&mut pack, &sample, server, |name| print_note(&tr!("Loading {name} …", name))).await?;
            }
            let out = match args.out {
                Some(out) => out,
                None => app.evaluation_folder(&pack, &sample, args.schema, &settings).await?,
            };
            print_note(&describe_pack(&pack, &out));
            let options = EvalOptions {
                settings,
                sample,
                meaning: args.meaning,
                schema: args.schema,
                jobs: args.jobs,
                out,
                resume: args.resume,
                replies: args.replies,
            };
            let run = app
                .evaluate_pack(&pack, options, stop.token(), |progress| print_note(&format_progress(&progress)))
                .await?;
            let known = args
                .known_failures
                .map(|file| KnownFailures::check_outcomes(&file, &run.pack, &run.outcomes, run.rule))
                .transpose()?;
            Ok(write_report(&Report::new(baseline.into_iter().chain([run]).collect(), known)?, &args.report)?)
        }
    }
}

/// Describes a calibration: the weights, and their effect on questions that were excluded from the fit.
fn format_calibration(calibrated: &Calibrated) -> String {
    let Calibrated { calibration, first, firm, left_out, selection } = calibrated;
    let mut text = format!(
        "{}\n",
        tr!(
            "{model}: fitted to {questions} answers of {packs}, measured on {others} others",
            model = calibration.model,
            questions = calibration.questions,
            packs = calibration.packs.join(" and "),
            others = left_out.len()
        )
    );
    for (title, fitted, summary) in
        [(tr!("With the answer"), &calibration.first, first), (tr!("According to the search"), &calibration.firm, firm)]
    {
        let weights = fitted.weights.iter().map(|(feature, of)| format!("{} {:+.2}", feature.as_str(), of.weight));
        let weights: Vec<String> = weights.collect();
        text += &format!(
            "\n{}\n",
            tr!(
                "{title}: sure from {share} on; {weights}",
                title,
                share = format!("{:.3}", fitted.sure),
                weights = weights.join(", ")
            )
        );
        if let Some(summary) = summary {
            text += &format!("{}\n", summary.to_sentence());
            for bin in &summary.bins {
                let Share { count, of, .. } = bin.right;
                text += &format!(
                    "  {}\n",
                    tr!(
                        "{share} stated, {count} of {of} correct",
                        share = format!("{:.0}%", 100.0 * bin.said),
                        count,
                        of
                    )
                );
            }
        }
    }
    if let Some(SelectionQuality { questions, learned, points }) = selection {
        text += &format!(
            "\n{}\n",
            tr!(
                "Choice between compared results: {learned} of {questions} right with learned weights, {points} by points",
                learned,
                questions,
                points
            )
        );
    }
    let unflagged =
        left_out.iter().filter(|(_, _, certainty, right)| !right && certainty.level == CertaintyLevel::Sure);
    for (pack, id, certainty, _) in unflagged {
        text += &format!(
            "{}\n",
            tr!(
                "wrong and labelled sure: {pack} {id} ({share})",
                pack,
                id,
                share = format!("{:.2}", certainty.probability)
            )
        );
    }
    text
}

fn write_report(report: &Report, args: &ReportArgs) -> Result<(), AppError> {
    if let Some(file) = &args.html {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        write_file(file, report.to_html(folder))?;
    }
    if let Some(file) = &args.csv {
        write_file(file, report.to_csv())?;
    }
    if args.json {
        print_json(report)
    } else {
        print_text(&report.to_markdown())
    }
    Ok(())
}

fn write_file(file: &Path, text: String) -> Result<(), AppError> {
    std::fs::write(file, text).map_err(|error| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = file.display())).with_detail(error)
    })
}

fn describe_pack(pack: &Pack, out: &Path) -> String {
    let questions = plural!(pack.questions.len(), "{n} question", "{n} questions");
    let left_out: Vec<String> = pack
        .left_out
        .iter()
        .map(|(why, n)| tr!("{n} left out ({reason})", n, reason = translate_constant(why.reason_text())))
        .collect();
    let documents = match pack.count_missing_documents() {
        0 => None,
        n => Some(plural!(n, "{n} without the document that it names", "{n} without the documents that they name")),
    };
    tr!(
        "{pack}: {questions}; results go to {folder}",
        pack = pack.name,
        questions = [vec![questions], documents.into_iter().collect(), left_out].concat().join(", "),
        folder = out.display()
    )
}

fn format_progress(progress: &Progress<'_>) -> String {
    let outcome = progress.outcome;
    let (well, badly) = match progress.scope {
        EvalScope::Answers => (tr!("right"), tr!("wrong")),
        EvalScope::Linking => (tr!("with all tables"), tr!("tables missing")),
    };
    let mark = match (outcome.left_out, outcome.went_well(progress.scope, progress.rule)) {
        (Some(reason), _) => tr!("left out, {reason}", reason = translate_constant(reason.reason_text())),
        (None, true) => well.clone(),
        (None, false) => badly,
    };
    let seconds = outcome.usage.wall_ms as f64 / 1000.0;
    let so_far =
        tr!("{right} of {asked} {well}", right = progress.right, asked = progress.done - progress.left_out, well);
    format!(
        "{}  {mark}  {seconds:.1} s  {}  ({so_far}{})",
        tr!("{done} of {total}", done = progress.done, total = progress.total),
        outcome.id,
        time_left(progress.seconds_left),
    )
}

fn time_left(seconds: f64) -> String {
    match (seconds / 60.0).ceil() as u64 {
        0 => String::new(),
        minutes @ 1..60 => format!(", {}", tr!("{minutes} min left", minutes)),
        minutes => format!(", {}", tr!("{hours} h {minutes} min left", hours = minutes / 60, minutes = minutes % 60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_said_in_words_one_plans_with() {
        assert_eq!(time_left(0.0), "");
        assert_eq!(time_left(20.0), ", 1 min left");
        assert_eq!(time_left(3541.0), ", 1 h 0 min left");
        assert_eq!(time_left(9000.0), ", 2 h 30 min left");
    }
}
