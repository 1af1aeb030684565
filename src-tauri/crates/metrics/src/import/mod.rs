//! Imports metrics from files of other tools. What cannot be imported is listed with the reason.

mod collect;
mod cube;
mod dbt;
mod fields;
mod imported;
mod measure;
mod metricflow;
mod snowflake;

use crate::definition::MetricsFile;
use crate::file::render_file;
use crate::problem::MetricError;
use collect::Collector;
use fields::Object;
pub use imported::{ImportedMetrics, Skipped};
use serde_json::Value;
use vitrine_domain::Catalog;
use vitrine_words::tr;

/// Maximum size of an imported file in bytes.
const LARGEST: usize = 64 << 20;

/// Reads the parts of MetricFlow and those that dbt has in another form. Returns false if there are none.
fn read_metricflow(whole: &Object, collector: &mut Collector<'_>) -> bool {
    let has_manifest = metricflow::read_file(whole, collector);
    dbt::read_models(whole, collector) || has_manifest
}

/// Reads files together, because a metric may use a measure of another file: MetricFlow's `semantic_manifest.json`, dbt's
/// YAML files, Cube's data models and Snowflake's semantic models. Tables are looked up in the catalog. Each file is a pair of its name and its text.
///
/// # Errors
/// Fails if a text is neither YAML nor JSON, or has no definitions of a known form.
pub fn import_files(
    files: &[(String, String)],
    known: &MetricsFile,
    catalog: &Catalog,
) -> Result<ImportedMetrics, MetricError> {
    let mut collector = Collector::new(known, catalog);
    for (name, text) in files {
        if text.len() > LARGEST {
            return Err(MetricError::new(tr!("{name} is larger than {size} MB", name, size = LARGEST >> 20)));
        }
        let unread =
            |error: String| MetricError::new(tr!("{name} is neither valid YAML nor JSON: {error}", name, error));
        let whole: Value = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map_err(|error| unread(error.to_string()))?,
            false => {
                serde_saphyr::from_str_with_options(text, yaml_options()).map_err(|error| unread(error.to_string()))?
            }
        };
        let is_known = whole.as_object().is_some_and(|whole| {
            snowflake::read_file(whole, &mut collector)
                || cube::read_file(whole, &mut collector)
                || read_metricflow(whole, &mut collector)
        });
        if !is_known {
            return Err(MetricError::new(tr!("{name} has no metrics of a known form", name)).with_hint(tr!(
                "Choose target/semantic_manifest.json of a dbt project, its YAML files with semantic_models and metrics, a data model of Cube, or a semantic model of Snowflake"
            )));
        }
    }
    let imported = collector.finish();
    // An error here names what the file format cannot express.
    render_file(&imported.file)?;
    Ok(imported)
}

/// Returns options in which only `true` and `false` are booleans: columns may be called `n`, `y` or `no`.
fn yaml_options() -> serde_saphyr::Options {
    serde_saphyr::options! { strict_booleans: true }
}
