//! The files of watched answers, written from the same execution as the comparison.

use super::schedule::{local_zone, parse_stored};
use super::single_run::{WatchResult, stream_batches};
use crate::app::App;
use crate::reports::{format_time, limit_rows};
use crate::types::SavedQuestion;
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, ExportAbout, ExportFact};
use vitrine_report::{Report, ReportedAnswer, choose_chart};
use vitrine_store::{Watch, WatchFormat, WatchOutput};
use vitrine_warehouse::{CsvOptions, ExportFormat, ExportOptions};
use vitrine_words::tr;

/// Maximum number of characters of the title in a file name.
const LONGEST_NAME: usize = 60;

/// Checks that files can be written to a folder.
pub(super) fn check_folder(folder: &str) -> Result<(), AppError> {
    match Path::new(folder).is_dir() {
        true => Ok(()),
        false => Err(AppError::new(ErrorCode::Usage, tr!("The folder {folder} does not exist", folder))
            .with_hint(tr!("Create it first"))),
    }
}

impl App {
    /// Writes the file of a run, and returns its path; `None` if the plan has no files. Existing files are kept.
    pub(super) async fn write_watch_file(
        &self,
        watch: &Watch,
        question: &SavedQuestion,
        result: &WatchResult,
    ) -> Result<Option<String>, AppError> {
        let Some(WatchOutput { folder, format }) = &watch.plan.output else { return Ok(None) };
        check_folder(folder)?;
        let path = find_free_path(Path::new(folder), &question.title, (result.saved.at.as_str(), *format))?;
        match format {
            WatchFormat::Html => {
                let html = self.render_watched(question, result).await?;
                crate::reports::write_report_file(path.clone(), html, false).await?;
            }
            WatchFormat::Xlsx | WatchFormat::Csv => self.export_watched(question, result, (&path, *format)).await?,
        }
        Ok(Some(path.display().to_string()))
    }

    async fn export_watched(
        &self,
        question: &SavedQuestion,
        result: &WatchResult,
        (path, format): (&Path, WatchFormat),
    ) -> Result<(), AppError> {
        let settings = self.settings().await?;
        let csv = CsvOptions {
            guard_formulas: settings.csv_guard_formulas,
            byte_order_mark: settings.csv_byte_order_mark,
            header: true,
        };
        let facts = [
            (tr!(context "heading", "Question"), question.title.clone()),
            (tr!(context "heading", "Taken"), format_time(&result.saved.at)),
            (tr!(context "heading", "SQL"), result.sql.clone()),
            (tr!(context "heading", "Source"), self.describe_source(&question.warehouse).await?),
        ];
        let facts = facts.into_iter().map(|(label, text)| ExportFact { label, text }).collect();
        let about = ExportAbout { title: tr!("About these rows"), facts, ..ExportAbout::default() };
        let format = if format == WatchFormat::Xlsx { ExportFormat::Xlsx } else { ExportFormat::Csv };
        let options = ExportOptions { format, csv, about: Some(about) };
        let batches = stream_batches(&result.schema, &result.batches);
        vitrine_warehouse::export_batches(batches, path, options, |_| {}, CancellationToken::new()).await?;
        Ok(())
    }

    /// Renders the result as a report, as far as the privacy settings of its database permit.
    async fn render_watched(&self, question: &SavedQuestion, result: &WatchResult) -> Result<String, AppError> {
        let open = self.ensure_open(&question.warehouse).await?;
        let known = format!("{}\n{}", question.question, result.sql);
        let page = result.saved.page.clone();
        let disclosed = self.disclose_page(&open, (Some(result.sql.as_str()), known), page, Vec::new()).await?;
        let headline = result.saved.headline.clone().filter(|headline| !disclosed.hides_measure(headline));
        let chart = disclosed.page.as_ref().and_then(|page| choose_chart(page, headline.as_ref()));
        let hides = |at: &u32| disclosed.hides_column(*at as usize);
        let chart = chart.filter(|chart| !chart.along.iter().chain(&chart.by).chain([&chart.measure]).any(hides));
        let conditions = headline.iter().flat_map(|headline| headline.conditions.clone()).collect();
        let answered_at = format_time(&result.saved.at);
        let answer = ReportedAnswer {
            question: question.title.clone(),
            answered_at: answered_at.clone(),
            source: self.describe_source(&question.warehouse).await?,
            headline,
            chart,
            most_rows: limit_rows(0),
            conditions,
            sql: Some(result.sql.clone()),
            withheld: disclosed.describe_withheld(),
            is_saved: true,
            page: disclosed.page,
            ..ReportedAnswer::default()
        };
        let report = Report { written_at: answered_at, answers: vec![answer], ..Report::default() };
        self.render_answers(report).await
    }
}

/// Returns a path for a file of this time that does not exist.
fn find_free_path(folder: &Path, title: &str, (at, format): (&str, WatchFormat)) -> Result<PathBuf, AppError> {
    let extension = match format {
        WatchFormat::Xlsx => "xlsx",
        WatchFormat::Html => "html",
        WatchFormat::Csv => "csv",
    };
    let local = parse_stored(at)?.to_zoned(local_zone());
    let name = format!("{}-{}", to_file_name(title), local.strftime("%Y-%m-%d-%H%M"));
    let numbered = (1..1_000).map(|number| match number {
        1 => folder.join(format!("{name}.{extension}")),
        number => folder.join(format!("{name}-{number}.{extension}")),
    });
    numbered.into_iter().find(|path| path.symlink_metadata().is_err()).ok_or_else(|| {
        AppError::new(ErrorCode::Usage, tr!("The folder {folder} holds too many files", folder = folder.display()))
            .with_hint(tr!("Move the old files elsewhere"))
    })
}

/// Converts a title to a part of a file name: letters and digits, joined by hyphens.
fn to_file_name(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("-").to_lowercase().chars().take(LONGEST_NAME).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "answer".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_a_name_that_stays_in_its_folder() {
        for (title, name) in [
            ("Umsatz je Monat (€)", "umsatz-je-monat"),
            ("../../etc/passwd", "etc-passwd"),
            ("売上 2026", "売上-2026"),
            ("***", "answer"),
        ] {
            assert_eq!(to_file_name(title), name);
        }
        assert!(to_file_name(&"very long ".repeat(40)).chars().count() <= LONGEST_NAME);
    }
}
