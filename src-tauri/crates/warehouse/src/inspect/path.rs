//! The test of a database file, data files or a schema: existence, opening, reading, and write access.

use super::report::{Outcome, Report};
use crate::engines::{EngineInfo, PathTexts};
use crate::run::run_blocking;
use crate::{OpenOptions, WarehouseError, WarehouseUri, regular};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use vitrine_domain::{Catalog, SchemaTables, TestStage};
use vitrine_words::{plural, tr, translate_constant};

/// Tests a path that an engine reads, with the engine's texts.
pub(crate) async fn inspect_path(
    engine: &'static EngineInfo,
    texts: &PathTexts,
    report: &mut Report<'_>,
    uri: &WarehouseUri,
    options: &OpenOptions,
) {
    let path = uri.path().map(Path::to_path_buf).unwrap_or_default();
    if report.run_stage(TestStage::Name, check_path(texts.title, path.clone())).await.is_none() {
        return;
    }
    if report.run_stage(TestStage::Reach, check_opening(path.clone())).await.is_none() {
        return;
    }
    let Some(schemas) = report.run_stage(TestStage::Readable, check_reading(engine, uri, options)).await else {
        return;
    };
    report.set_schemas(schemas);
    report.run_stage(TestStage::Rights, check_rights(texts.protection, path)).await;
}

async fn check_path(title: &'static str, path: PathBuf) -> Result<(Outcome, ()), Outcome> {
    let what = translate_constant(title);
    let at = path.clone();
    let metadata = run_blocking(move || {
        std::fs::metadata(&at).map_err(|error| WarehouseError::from_io_error("reading", &at, &error))
    });
    let metadata = metadata.await.map_err(Outcome::of_error)?;
    let says = match metadata.is_dir() {
        true => tr!("{what}: the folder exists.", what),
        false => tr!("{what}: the file exists.", what),
    };
    Ok((Outcome::ok(says).with_lines([path.display().to_string()]), ()))
}

async fn check_opening(path: PathBuf) -> Result<(Outcome, ()), Outcome> {
    let at = path.clone();
    let size = run_blocking(move || {
        let failed = |error: std::io::Error| WarehouseError::from_io_error("opening", &at, &error);
        if at.is_dir() {
            return Ok(std::fs::read_dir(&at).map_err(failed)?.count() as u64);
        }
        regular::open_file(&at).and_then(|file| file.metadata()).map(|metadata| metadata.len()).map_err(failed)
    });
    let size = size.await.map_err(Outcome::of_error)?;
    let says = if path.is_dir() {
        plural!(
            size,
            "It opens for reading: {n} entry in the folder.",
            "It opens for reading: {n} entries in the folder."
        )
    } else {
        plural!(size, "It opens for reading: {n} byte.", "It opens for reading: {n} bytes.")
    };
    Ok((Outcome::ok(says), ()))
}

async fn check_reading(
    engine: &EngineInfo,
    uri: &WarehouseUri,
    options: &OpenOptions,
) -> Result<(Outcome, Vec<SchemaTables>), Outcome> {
    let warehouse = engine.open_scoped(uri, options).await.map_err(Outcome::of_error)?;
    let catalog = warehouse.load_catalog().await;
    warehouse.close().await;
    let catalog = catalog.map_err(Outcome::of_error)?;
    let outcome = Outcome::from_table_count(catalog.tables.len()).unwrap_or_else(|| {
        Outcome::warning(tr!("It opens, but contains no table.")).with_advice(tr!("Check that it is the right file."))
    });
    let schemas = by_schema(&catalog);
    let lines: Vec<String> = schemas.iter().map(|schema| format!("{}: {}", schema.name, schema.tables)).collect();
    Ok((outcome.with_lines(lines), schemas))
}

/// Counts the tables of each schema if there are several.
fn by_schema(catalog: &Catalog) -> Vec<SchemaTables> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let own = catalog.search_path.first().map_or("main", String::as_str);
    for table in &catalog.tables {
        *counts.entry(table.name.schema.as_deref().unwrap_or(own)).or_default() += 1;
    }
    if counts.len() < 2 {
        return Vec::new();
    }
    counts.iter().map(|(name, tables)| SchemaTables { name: (*name).to_owned(), tables: *tables }).collect()
}

async fn check_rights(protection: Option<&'static str>, path: PathBuf) -> Result<(Outcome, ()), Outcome> {
    let Some(protection) = protection else {
        return Ok((Outcome::ok(tr!("It has no rows, so nothing is run on it.")), ()));
    };
    let outcome =
        run_blocking(move || Ok::<_, WarehouseError>(rights_of(protection, &path))).await.map_err(Outcome::of_error)?;
    Ok((outcome, ()))
}

fn rights_of(protection: &'static str, path: &Path) -> Outcome {
    let mut lines = vec![translate_constant(protection).to_owned()];
    for (ending, meaning) in [
        (
            "-journal",
            tr!(
                "another program is changing it, or was cut off while it did; then a copy is read that has this taken back"
            ),
        ),
        (
            "-wal",
            tr!(
                "another program has it open, or left unfinished changes; if no program has it open, a copy with the changes is read"
            ),
        ),
        (".wal", tr!("another program has it open, or left unfinished changes")),
    ] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(ending);
        if std::fs::metadata(&beside).is_ok_and(|metadata| metadata.len() > 0) {
            lines.push(tr!("{file} is there: {meaning}.", file = Path::new(&beside).display(), meaning));
        }
    }
    let metadata = std::fs::metadata(path).ok();
    if metadata.as_ref().is_some_and(anybody_writes) {
        return Outcome::warning(tr!("Every user of this computer can change it. Vitrine opens it read-only."))
            .with_lines(lines)
            .with_advice(tr!("Remove that right: {command}", command = format!("chmod o-w '{}'", path.display())));
    }
    if may_write(path) {
        lines.push(tr!(
            "Your account can edit this file, so other programs that you start can; Vitrine opens it read-only."
        ));
    } else {
        lines.push(tr!("Your account cannot edit this file either."));
    }
    Outcome::ok(tr!("Vitrine opens it read-only.")).with_lines(lines)
}

#[cfg(unix)]
fn anybody_writes(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o002 != 0
}

#[cfg(not(unix))]
fn anybody_writes(_: &Metadata) -> bool {
    false
}

/// Returns true if the user of this process may write to the path; asks the system without writing.
#[cfg(target_os = "linux")]
fn may_write(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn may_write(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.permissions().readonly())
}
