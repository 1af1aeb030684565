//! Reading and checking a bundle. The file is untrusted: sizes are limited, and its content is never used as a path.

use super::{BundleCheck, BundleManifest, EVENTS, FORMAT, MANIFEST, QUESTION, RESULT, SQL, VERSION, page_to_csv};
use crate::app::App;
use crate::state::work::run_blocking;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;
use vitrine_agents::run::egress::{Egress, MASKED};
use vitrine_domain::{AppError, ErrorCode, Page, RunReport};
use vitrine_store::{QueryAuthor, RunFile, sha256_hex};
use vitrine_words::{later, plural, tr, translate_constant};
use zip::ZipArchive;

/// Limits of a bundle: number of parts, bytes of one part, and bytes of all parts. Parts are held in memory.
const MOST_PARTS: usize = 32;
const LARGEST: u64 = 256 << 20;
const LARGEST_ALL: u64 = 320 << 20;

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

impl App {
    /// Checks a bundle: that its parts match their hashes; with `replay` that the answer follows from its events; with a `warehouse` that
    /// the query returns the same rows there now. No model is called.
    ///
    /// # Errors
    /// When the file is not a bundle, or the query cannot be run again.
    pub async fn check_bundle(
        &self,
        path: PathBuf,
        replay: bool,
        warehouse: Option<String>,
        cancel: CancellationToken,
    ) -> Result<BundleCheck, AppError> {
        let (manifest, parts) = run_blocking(move || read_archive(&path)).await?;
        let mut problems = Vec::new();
        for (name, hash) in &manifest.parts {
            match parts.get(name) {
                None => problems.push(tr!("{name} is missing", name)),
                Some(text) if sha256_hex(text) != *hash => problems.push(tr!("{name} was changed", name)),
                Some(_) => {}
            }
        }
        for name in parts.keys().filter(|name| !manifest.parts.contains_key(*name)) {
            problems.push(tr!("{name} was added", name));
        }
        let text = |name: &str| parts.get(name).cloned().unwrap_or_default();
        let line = |name: &str| text(name).strip_suffix('\n').map(str::to_owned).unwrap_or_else(|| text(name));
        let (question, sql) = (line(QUESTION), line(SQL));
        let report = match serde_json::from_str::<RunFile>(&text(EVENTS)) {
            Ok(file) => Some(RunReport::from_events(&file.events)),
            Err(error) => {
                problems.push(tr!("{events} cannot be read: {error}", events = EVENTS, error));
                None
            }
        };
        if let (true, Some(report)) = (replay, &report) {
            let page = report.page.clone().unwrap_or_default();
            let facts = [
                (report.run_id == manifest.run_id, later!("the events are of another run")),
                (report.question == question, later!("the events ask another question")),
                (report.sql.as_deref() == Some(sql.as_str()), later!("the events end with another query")),
                (page_to_csv(&page) == text(RESULT), later!("the events end with another result")),
                (page.row_count == manifest.rows, later!("the events end with another number of rows")),
                (report.models == manifest.models, later!("the events name other models")),
            ];
            problems.extend(
                facts.into_iter().filter(|(fits, _)| !fits).map(|(_, what)| translate_constant(what).to_owned()),
            );
        }
        let mut rerun = false;
        if let (Some(warehouse), Some(report)) = (warehouse, &report) {
            problems.extend(self.problems_of_rerun(&warehouse, &sql, report, cancel).await?);
            rerun = true;
        }
        Ok(BundleCheck { manifest, question, sql, problems, replayed: replay && report.is_some(), rerun })
    }

    /// Runs a bundle's query with the usual read-only proof, and returns the differences from the recorded result.
    async fn problems_of_rerun(
        &self,
        warehouse: &str,
        sql: &str,
        report: &RunReport,
        cancel: CancellationToken,
    ) -> Result<Vec<String>, AppError> {
        let then = report.page.clone().unwrap_or_default();
        let open = self.ensure_open(warehouse).await?;
        // One additional row shows if the result now has more rows.
        let limit = if then.truncated { then.row_count } else { then.row_count + 1 };
        let rows = self.rows_by(QueryAuthor::Model, warehouse, sql).await?;
        let mut now = self.first_rows(&rows, limit, cancel).await?;
        let mut problems = Vec::new();
        // Names that were masked in the bundle cannot be compared.
        for (now, then) in now.columns.iter_mut().zip(&then.columns).filter(|(_, then)| then.name_masked) {
            now.name.clone_from(&then.name);
        }
        let names = |page: &Page| page.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        if names(&then) != names(&now) {
            problems.push(tr!("the query gives other columns now: {names}", names = names(&now).join(", ")));
            return Ok(problems);
        }
        if now.row_count != then.row_count {
            problems.push(tr!(
                "the query gave {before} rows and gives {now} now",
                before = then.row_count,
                now = now.row_count
            ));
        } else if !then.rows.is_empty() {
            // To compare them, cells that were masked in the bundle have to be masked now as well.
            for (now, then) in now.columns.iter_mut().zip(&then.columns) {
                (now.masked, now.empty_masked) = (then.masked, then.empty_masked);
            }
            if report.page.iter().flat_map(|page| &page.rows).flatten().flatten().any(|cell| cell == MASKED) {
                let policy = self.egress_of(&open.uri).await?;
                let egress = Egress::new(policy, &open.catalog(), &open.profile());
                let rows = egress.mask_page(&now).rows.clone();
                now.rows = rows;
            }
            if sorted_rows(&now) != sorted_rows(&then) {
                problems.push(tr!("the query gives other rows now"));
            }
        }
        Ok(problems)
    }
}

/// Returns the rows in sorted order, so that order does not matter in the comparison.
fn sorted_rows(page: &Page) -> Vec<Vec<Option<String>>> {
    let mut rows = page.rows.clone();
    rows.sort();
    rows
}

fn read_archive(path: &Path) -> Result<(BundleManifest, BTreeMap<String, String>), AppError> {
    let wrong = |what: String| {
        AppError::new(ErrorCode::Usage, tr!("{path} is not a bundle: {reason}", path = path.display(), reason = what))
            .with_hint(tr!("Choose a file that `vitrine runs bundle` has written"))
    };
    let file = std::fs::File::open(path).map_err(|error| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display()))
            .with_hint(tr!("Check that it exists and that you may read it"))
            .with_detail(error)
    })?;
    let mut zip = ZipArchive::new(file).map_err(|error| wrong(error.to_string()))?;
    if zip.len() > MOST_PARTS {
        return Err(wrong(plural!(zip.len(), "it has {n} part", "it has {n} parts")));
    }
    let mut parts = BTreeMap::new();
    let mut left = LARGEST_ALL;
    for at in 0..zip.len() {
        let part = zip.by_index(at).map_err(|error| wrong(error.to_string()))?;
        let name = part.name().map_err(|error| wrong(error.to_string()))?.into_owned();
        let mut bytes = Vec::new();
        // The size that the archive declares may be wrong.
        part.take(LARGEST.min(left) + 1).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
        if bytes.len() as u64 > LARGEST {
            return Err(wrong(tr!("{path} is larger than {size} MB", path = name, size = LARGEST >> 20)));
        }
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| wrong(tr!("its parts are larger than {size} MB together", size = LARGEST_ALL >> 20)))?;
        let text = String::from_utf8(bytes).map_err(|_| wrong(tr!("{name} is not text", name)))?;
        if parts.insert(name.clone(), text).is_some() {
            return Err(wrong(tr!("{name} is there twice", name)));
        }
    }
    let manifest = parts.remove(MANIFEST).ok_or_else(|| wrong(tr!("it has no {name}", name = MANIFEST)))?;
    let head: Head = serde_json::from_str(&manifest).map_err(|error| wrong(error.to_string()))?;
    if head.format != FORMAT {
        return Err(wrong(tr!("its format is '{format}'", format = head.format.chars().take(40).collect::<String>())));
    }
    if head.version > VERSION {
        return Err(wrong(tr!("a newer version of Vitrine wrote it (version {version})", version = head.version)));
    }
    let manifest = serde_json::from_str(&manifest).map_err(|error| wrong(error.to_string()))?;
    Ok((manifest, parts))
}
