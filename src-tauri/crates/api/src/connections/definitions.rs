//! Definitions of a database: stored for its address, and used in every question about it.

use crate::app::App;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::run_blocking;
use crate::types::{AskRequest, DefinitionImport};
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, Definition, DefinitionSource, Definitions, EgressLevel, ErrorCode};
use vitrine_glossary::{DbtFile, Imported};
use vitrine_metrics::MetricsFile;
use vitrine_sql_rules::check_standing;
use vitrine_words::tr;

/// Maximum size of a dbt file in bytes; manifests of large projects have tens of megabytes.
const LARGEST: u64 = 256 << 20;

impl App {
    /// Returns the definitions of a warehouse.
    pub async fn definitions(&self, uri: String) -> Result<Definitions, AppError> {
        let uri = self.ensure_open(&uri).await?.uri.clone();
        self.with_store(move |store| store.definitions(&uri)).await
    }

    /// Stores the definitions of a warehouse and returns them normalized: trimmed, bounded and without duplicates.
    ///
    /// # Errors
    /// When a definition is newly marked as always applicable but cannot be put into queries.
    pub async fn set_definitions(&self, uri: String, known: Definitions) -> Result<Definitions, AppError> {
        let open = self.ensure_open(&uri).await?;
        let (uri, catalog) = (open.uri.clone(), open.catalog());
        let tidied = vitrine_glossary::normalize_definitions(known);
        let key = uri.clone();
        let before = self.with_store(move |store| store.definitions(&key)).await?;
        for new in tidied.entries.iter().filter(|entry| entry.always && !before.entries.contains(entry)) {
            check_standing(new, &catalog).map_err(|problem| {
                AppError::new(ErrorCode::Usage, tr!("“{term}” cannot apply to every answer", term = new.term))
                    .with_hint(tr!(
                        "Name a table, and a condition in SQL on its columns, such as: status <> 'cancelled'"
                    ))
                    .with_detail(problem)
            })?;
        }
        let kept = tidied.clone();
        self.with_store(move |store| store.set_definitions(&uri, &kept)).await?;
        Ok(tidied)
    }

    /// Reads definitions from a `schema.yml` or `manifest.json` of dbt, or without a path from the database's comments. Nothing is stored:
    /// the caller shows the definitions first.
    ///
    /// # Errors
    /// When the file cannot be read or is not a dbt file.
    pub async fn import_definitions(&self, uri: String, path: Option<String>) -> Result<DefinitionImport, AppError> {
        let open = self.ensure_open(&uri).await?;
        let key = open.uri.clone();
        let before = self.with_store(move |store| store.definitions(&key)).await?;
        let catalog = open.catalog();
        let imported = match path {
            None => {
                let definitions = vitrine_glossary::from_comments(&catalog);
                Imported { definitions, notes: Vec::new() }
            }
            Some(path) => {
                let path = PathBuf::from(path);
                run_blocking(move || {
                    let (text, file) = read_dbt_file(&path)?;
                    vitrine_glossary::from_dbt(&text, file, &catalog).map_err(|error| {
                        let name = path.display();
                        AppError::new(ErrorCode::Usage, tr!("{name} is not a dbt file that describes tables", name))
                            .with_hint(tr!("Choose a schema.yml of a models folder, or target/manifest.json"))
                            .with_detail(error)
                    })
                })
                .await?
            }
        };
        let mut found =
            vitrine_glossary::normalize_definitions(Definitions { text: String::new(), entries: imported.definitions })
                .entries;
        let all = found.len();
        found.retain(|definition| !before.entries.contains(definition));
        Ok(DefinitionImport { known: (all - found.len()) as u32, found, notes: imported.notes })
    }

    /// Collects the knowledge for a question: its own text and the definitions of the connection that it uses. Definitions from comments of
    /// the database are included only if the egress level permits them.
    pub(crate) async fn collect_knowledge(
        &self,
        open: &OpenWarehouse,
        request: &AskRequest,
        level: EgressLevel,
    ) -> Result<Option<String>, AppError> {
        let uri = open.uri.clone();
        let mut known = self.with_store(move |store| store.definitions(&uri)).await?;
        if level < EgressLevel::Comments {
            known.entries.retain(|entry| entry.source != DefinitionSource::Comment);
        }
        Ok(vitrine_glossary::collect_knowledge(&known, &request.question, request.knowledge.as_deref()))
    }

    /// Returns true if the user has defined words of a question, other than for every answer. The plain text of a connection counts if it
    /// names a metric of the question.
    pub(crate) async fn defines_words_of(
        &self,
        open: &OpenWarehouse,
        question: &str,
        metrics: &MetricsFile,
    ) -> Result<bool, AppError> {
        let uri = open.uri.clone();
        let known = self.with_store(move |store| store.definitions(&uri)).await?;
        let names = metrics.metrics.iter();
        let names: Vec<&str> = names
            .flat_map(|metric| std::iter::once(&metric.name).chain(&metric.label).chain(&metric.synonyms))
            .map(String::as_str)
            .collect();
        Ok(vitrine_glossary::defines_words_of(&known, question, &names))
    }

    /// Returns the definitions that apply to every question about a warehouse.
    pub(crate) async fn standing_definitions(&self, open: &OpenWarehouse) -> Result<Vec<Definition>, AppError> {
        let uri = open.uri.clone();
        let known = self.with_store(move |store| store.definitions(&uri)).await?;
        Ok(known.entries.into_iter().filter(|entry| entry.always).collect())
    }
}

fn read_dbt_file(path: &Path) -> Result<(String, DbtFile), AppError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let file = match ending.as_str() {
        "json" => DbtFile::Manifest,
        "yml" | "yaml" => DbtFile::Properties,
        _ => {
            let name = path.display();
            return Err(AppError::new(ErrorCode::Usage, tr!("{name} is not a dbt file", name))
                .with_hint(tr!("Choose a schema.yml of a models folder, or target/manifest.json")));
        }
    };
    let failed = |error: std::io::Error| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display()))
            .with_hint(tr!("Check that it exists and that you may read it"))
            .with_detail(error)
    };
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > LARGEST {
        return Err(AppError::new(
            ErrorCode::Usage,
            tr!("{path} is larger than {size} MB", path = path.display(), size = LARGEST >> 20),
        )
        .with_hint(tr!("Choose the schema.yml of the models that matter")));
    }
    Ok((std::fs::read_to_string(path).map_err(failed)?, file))
}
