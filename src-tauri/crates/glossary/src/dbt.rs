//! Imports descriptions from dbt's files: property files such as `schema.yml`, and the `manifest.json` that dbt
//! generates.

use crate::text::name_to_words;
use serde_json::{Map, Value};
use vitrine_domain::{Catalog, Definition, DefinitionSource};
use vitrine_words::{plural, tr};

/// Maximum number of definitions imported from one file.
const MOST: usize = 20_000;

/// Kinds of files that dbt uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DbtFile {
    /// A file of properties, such as `schema.yml`.
    Properties,
    /// The `manifest.json` that dbt generates.
    Manifest,
}

/// The definitions of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Definitions in the order of the file.
    pub definitions: Vec<Definition>,
    /// Skipped items with reasons, for users.
    pub notes: Vec<String>,
}

/// Reasons why a file cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnreadableDbt {
    /// The file is not valid YAML or JSON; contains the parser's message.
    Format(String),
    /// The file contains no known dbt resources.
    NothingKnown,
}

impl std::fmt::Display for UnreadableDbt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Self::Format(error) => tr!("it cannot be read: {error}", error),
            Self::NothingKnown => tr!("it has no models, sources, seeds, snapshots or metrics"),
        })
    }
}

impl std::error::Error for UnreadableDbt {}

/// Reads the descriptions of a file. Descriptions of tables and columns that the catalog lacks are skipped and counted.
///
/// # Errors
/// Returns an error if the file cannot be parsed or is not a dbt file.
pub fn from_dbt(text: &str, file: DbtFile, catalog: &Catalog) -> Result<Imported, UnreadableDbt> {
    let unread = |error: &dyn std::fmt::Display| UnreadableDbt::Format(error.to_string());
    let whole: Value = match file {
        DbtFile::Manifest => serde_json::from_str(text).map_err(|error| unread(&error))?,
        DbtFile::Properties => {
            serde_saphyr::from_str_with_options(text, yaml_options()).map_err(|error| unread(&error))?
        }
    };
    let mut reader = Reader { catalog, found: Imported::default(), unrendered: 0, elsewhere: 0, known: false };
    if let Some(whole) = whole.as_object() {
        match file {
            DbtFile::Manifest => reader.read_manifest(whole),
            DbtFile::Properties => reader.read_properties(whole),
        }
    }
    if !reader.known {
        return Err(UnreadableDbt::NothingKnown);
    }
    Ok(reader.into_imported())
}

/// Returns options in which only `true` and `false` are booleans: columns may be called `n`, `y` or `no`.
fn yaml_options() -> serde_saphyr::Options {
    serde_saphyr::options! { strict_booleans: true }
}

struct Reader<'c> {
    catalog: &'c Catalog,
    found: Imported,
    unrendered: usize,
    elsewhere: usize,
    /// True if a known dbt section was found.
    known: bool,
}

impl Reader<'_> {
    fn read_manifest(&mut self, whole: &Map<String, Value>) {
        for group in ["nodes", "sources"] {
            let Some(nodes) = whole.get(group).and_then(Value::as_object) else { continue };
            self.known = true;
            for node in nodes.values().filter_map(Value::as_object) {
                let kind = get_text(node, "resource_type");
                if matches!(kind, Some("model" | "seed" | "snapshot" | "source")) {
                    self.read_relation(node);
                }
            }
        }
        if let Some(metrics) = whole.get("metrics").and_then(Value::as_object) {
            self.known = true;
            metrics.values().filter_map(Value::as_object).for_each(|metric| self.read_metric(metric));
        }
    }

    fn read_properties(&mut self, whole: &Map<String, Value>) {
        for group in ["models", "seeds", "snapshots"] {
            for node in get_objects(whole, group) {
                self.known = true;
                self.read_relation(node);
            }
        }
        for source in get_objects(whole, "sources") {
            self.known = true;
            get_objects(source, "tables").for_each(|table| self.read_relation(table));
        }
        for metric in get_objects(whole, "metrics") {
            self.known = true;
            self.read_metric(metric);
        }
    }

    /// Reads a model, seed, snapshot or source table.
    fn read_relation(&mut self, node: &Map<String, Value>) {
        let names = ["identifier", "alias", "name"];
        let Some(name) = names.iter().find_map(|key| get_text(node, key).filter(|name| !name.is_empty())) else {
            return;
        };
        let schema = get_text(node, "schema");
        let fits = |table: &&vitrine_domain::Table| {
            table.name.name.eq_ignore_ascii_case(name)
                && match (&table.name.schema, schema) {
                    (Some(own), Some(schema)) => own.eq_ignore_ascii_case(schema),
                    _ => true,
                }
        };
        let by_name = |table: &&vitrine_domain::Table| table.name.name.eq_ignore_ascii_case(name);
        let tables = &self.catalog.tables;
        // Property files name no schema, and development builds use other schemas.
        let table = tables.iter().find(fits).or_else(|| tables.iter().find(by_name));
        let columns: Vec<&Map<String, Value>> = match node.get("columns") {
            Some(Value::Object(columns)) => columns.values().filter_map(Value::as_object).collect(),
            _ => get_objects(node, "columns").collect(),
        };
        let Some(table) = table else {
            let described = columns.iter().filter(|column| get_text(column, "description").is_some()).count();
            self.elsewhere += described + usize::from(get_text(node, "description").is_some());
            return;
        };
        let label: Vec<&str> = table.name.name_parts().collect();
        let label = label.join(".");
        self.add_definition(node, name, Some(label.clone()));
        for column in columns {
            let Some(column_name) = get_text(column, "name") else { continue };
            match table.columns.iter().find(|own| own.name.eq_ignore_ascii_case(column_name)) {
                Some(own) => self.add_definition(column, &own.name, Some(format!("{label}.{}", own.name))),
                None => self.elsewhere += usize::from(get_text(column, "description").is_some()),
            }
        }
    }

    fn read_metric(&mut self, metric: &Map<String, Value>) {
        let Some(name) = get_text(metric, "label").or_else(|| get_text(metric, "name")) else { return };
        self.add_definition(metric, name, None);
    }

    fn add_definition(&mut self, node: &Map<String, Value>, name: &str, subject: Option<String>) {
        let Some(meaning) = get_text(node, "description").filter(|text| !text.trim().is_empty()) else { return };
        if meaning.contains("{{") {
            self.unrendered += 1;
            return;
        }
        if self.found.definitions.len() == MOST {
            return;
        }
        self.found.definitions.push(Definition {
            term: name_to_words(name),
            synonyms: read_synonyms(node),
            meaning: meaning.to_owned(),
            condition: None,
            always: false,
            subject,
            source: DefinitionSource::Dbt,
        });
    }

    fn into_imported(mut self) -> Imported {
        if self.elsewhere > 0 {
            self.found.notes.push(plural!(
                self.elsewhere as u64,
                "{n} description of a table or column that this database lacks",
                "{n} descriptions of tables and columns that this database lacks"
            ));
        }
        if self.unrendered > 0 {
            self.found.notes.push(plural!(
                self.unrendered as u64,
                "{n} description that is a block of docs: it is written out in target/manifest.json",
                "{n} descriptions that are blocks of docs: they are written out in target/manifest.json"
            ));
        }
        if self.found.definitions.len() == MOST {
            self.found.notes.push(tr!("everything after the first {most} definitions", most = MOST));
        }
        self.found
    }
}

fn get_text<'v>(node: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    node.get(key).and_then(Value::as_str)
}

fn get_objects<'v>(node: &'v Map<String, Value>, key: &str) -> impl Iterator<Item = &'v Map<String, Value>> {
    node.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// Reads `meta.synonyms`, or `config.meta.synonyms` of newer versions.
fn read_synonyms(node: &Map<String, Value>) -> Vec<String> {
    let config = node.get("config").and_then(Value::as_object);
    let metas = [node.get("meta"), config.and_then(|config| config.get("meta"))];
    let found = metas.into_iter().flatten().filter_map(|meta| meta.get("synonyms")).find_map(Value::as_array);
    found.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
