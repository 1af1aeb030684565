//! Writing a bundle. Because a bundle leaves the computer, it contains only what the warehouse's policy permits, unless the user decides
//! otherwise.

use super::{BundleManifest, CODE, EVENTS, FORMAT, LogHash, MANIFEST, QUESTION, RESULT, SQL, VERSION, page_to_csv};
use crate::abridged::{answer_alone, errors_of, without_errors};
use crate::app::App;
use crate::runs::check_run_id;
use crate::state::work::{current_timestamp, panic_error, run_blocking};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use vitrine_agents::run::egress::Egress;
use vitrine_domain::{AppError, EgressLevel, ErrorCode, Page, RunEvent, RunReport, create_private};
use vitrine_store::{RunFile, sha256_hex};
use vitrine_words::tr;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

impl App {
    /// Writes a run's answer with its evidence to a path that the caller may choose freely. With `everything` nothing is removed,
    /// regardless of the warehouse's policy.
    ///
    /// # Errors
    /// When the run has no answer, or its database cannot be opened to determine which values the policy permits.
    pub async fn write_bundle(
        &self,
        run_id: String,
        path: PathBuf,
        everything: bool,
    ) -> Result<BundleManifest, AppError> {
        check_run_id(&run_id)?;
        let events = self.run_events(run_id.clone(), 0).await?;
        let report = RunReport::from_events(&events);
        let (Some(sql), Some(page)) = (report.sql.clone(), report.page.clone()) else {
            return Err(AppError::new(
                ErrorCode::NotFound,
                tr!("This run has no answer, so there is nothing to prove"),
            )
            .with_hint(tr!("Choose a run that was answered: vitrine runs list")));
        };
        let whole = self.exported_run(run_id).await?;
        let log = LogHash { events: events.len() as u32, sha256: sha256_hex(&whole) };
        let held = if everything { None } else { self.held_back(&report, &sql, &page, &events).await? };
        let (page, kept, left_out) = match held {
            None => (page, whole, None),
            Some(held) => {
                let file = RunFile { format: "vitrine-run".to_owned(), version: 1, events: held.events };
                let text = serde_json::to_string_pretty(&file).map_err(|error| panic_error(&error))?;
                (held.page, text, Some(held.what))
            }
        };
        let mut parts = vec![(QUESTION, report.question.clone() + "\n"), (SQL, sql.clone() + "\n")];
        if let Some(code) = &report.code {
            parts.push((CODE, code.clone()));
        }
        parts.extend([(RESULT, page_to_csv(&page)), (EVENTS, kept)]);
        let manifest = BundleManifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: format!("vitrine {}", env!("CARGO_PKG_VERSION")),
            written_at: current_timestamp(),
            run_id: report.run_id.clone(),
            asked_at: report.started_at.clone(),
            warehouse: report.warehouse.clone(),
            dialect: report.dialect,
            method: report.strategy.clone(),
            models: report.models.clone(),
            rows: page.row_count,
            truncated: page.truncated,
            left_out,
            log,
            parts: parts.iter().map(|(name, text)| ((*name).to_owned(), sha256_hex(text))).collect::<BTreeMap<_, _>>(),
        };
        let text = serde_json::to_string_pretty(&manifest).map_err(|error| panic_error(&error))?;
        parts.insert(0, (MANIFEST, text));
        run_blocking(move || write_archive(&path, &parts)).await?;
        Ok(manifest)
    }

    /// Returns the run without the content that the warehouse's policy keeps on this computer; `None` if the policy keeps nothing back.
    async fn held_back(
        &self,
        report: &RunReport,
        sql: &str,
        page: &Page,
        events: &[RunEvent],
    ) -> Result<Option<Held>, AppError> {
        let open = self.ensure_open(&report.warehouse).await.map_err(|error| {
            let what = tr!("The values that may be sent cannot be determined, because the database cannot be opened");
            AppError::new(error.code, what)
                .with_detail(error)
                .with_hint(tr!("Open it, or write the whole bundle with --everything"))
        })?;
        let policy = self.egress_of(&open.uri).await?;
        let egress = Egress::new(policy.clone(), &open.catalog(), &open.profile());
        let mut marked = page.clone();
        let proven = match report.code {
            Some(_) => None,
            None => self.prove_read_only(&open, sql.to_owned()).await.ok(),
        };
        match &proven {
            Some(sql) => drop(egress.mark_masked_columns(&mut marked, sql, &open.catalog())),
            None => egress.mark_unknown_result(&mut marked, sql),
        }
        let shown = egress.mask_page(&marked);
        let holds_back = |page: &Page| *egress.mask_page(page) != *page;
        if !egress.leaves_out() && !events.iter().any(|event| collect_pages(event).iter().any(&holds_back)) {
            return Ok(None);
        }
        let mut told = marked.clone();
        told.columns.clone_from(&shown.columns);
        told.rows = if policy.level < EgressLevel::Results { Vec::new() } else { shown.rows.clone() };
        let what = match policy.level {
            EgressLevel::Results => "Masked values, and all of the log but the answer",
            _ => "The rows, and all of the log but the answer",
        };
        let errors = errors_of(events);
        let line =
            |text: &str| egress.redact_text(without_errors(text, &errors), &format!("{}\n{sql}", report.question));
        let events = events.iter().filter_map(|event| answer_alone(event, &told, &line)).collect();
        Ok(Some(Held { page: told, events, what: what.to_owned() }))
    }
}

/// A run without the content that stays on this computer.
struct Held {
    page: Page,
    events: Vec<RunEvent>,
    what: String,
}

/// Returns all pages of rows in an event.
fn collect_pages(event: &RunEvent) -> Vec<Page> {
    let mut found = Vec::new();
    let mut open = vec![serde_json::to_value(event).unwrap_or_default()];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(object) => {
                if object.contains_key("columns") && object.contains_key("rows") {
                    found.extend(serde_json::from_value::<Page>(Value::Object(object.clone())).ok());
                }
                open.extend(object.into_iter().map(|(_, value)| value));
            }
            Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
    found
}

/// Writes an archive atomically. The same parts give the same bytes, because the entries have no times.
fn write_archive(path: &Path, parts: &[(&str, String)]) -> Result<(), AppError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    let draft = PathBuf::from(draft);
    let write = || -> std::io::Result<()> {
        let mut zip = ZipWriter::new(create_private(&draft)?);
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        for (name, text) in parts {
            zip.start_file(*name, options)?;
            zip.write_all(text.as_bytes())?;
        }
        zip.finish()?.sync_all()?;
        std::fs::rename(&draft, path)
    };
    write().inspect_err(|_| drop(std::fs::remove_file(&draft))).map_err(|error| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
            .with_hint(tr!("Check that the folder exists and that there is space"))
            .with_detail(error)
    })
}
