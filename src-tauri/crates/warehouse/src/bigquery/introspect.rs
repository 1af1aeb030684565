//! Reading tables, columns, comments and keys from the lists that BigQuery keeps of them, which is free: no query is run.

use super::address::ProjectAddress;
use super::fields::Field;
use super::jobs::number;
use super::rest::{Failure, Rest};
use crate::WarehouseError;
use crate::definition::view_query;
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use std::collections::HashMap;
use vitrine_domain::{Column, ForeignKey, Table, TableKind, TableName};

/// Entries of a list that are asked for at once.
const PAGE: &str = "1000";
/// Tables that are asked about at the same time.
const AT_ONCE: usize = 12;
/// From so many tables of one name and a day on, only the newest is looked at: they are one table in parts.
const SHARDS: usize = 4;

/// A table as a list names it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Listed {
    dataset: String,
    name: String,
}

/// All tables of a dataset, or of all datasets where the address names none, and what changes when their rows do.
pub(super) async fn read(rest: &Rest, address: &ProjectAddress) -> Result<(Vec<Table>, String), WarehouseError> {
    let at_connect = |failure: Failure| failure.at_connect(&rest.shown);
    let datasets = match address.dataset() {
        Some(dataset) => vec![dataset.to_owned()],
        None => datasets(rest, address).await.map_err(at_connect)?,
    };
    let lists = stream::iter(datasets).map(|dataset| tables(rest, address, dataset)).buffered(AT_ONCE);
    let listed: Vec<Vec<Listed>> = lists.try_collect().await.map_err(at_connect)?;
    let listed: Vec<Listed> = listed.into_iter().flatten().collect();
    let like = newest(&listed);
    let asked: Vec<Listed> =
        listed.iter().enumerate().filter(|(at, _)| !like.contains_key(at)).map(|(_, table)| table.clone()).collect();
    let calls: Vec<_> = asked.iter().cloned().map(|table| describe(rest, address, table)).collect();
    let described: Vec<Option<Value>> =
        stream::iter(calls).buffered(AT_ONCE).try_collect().await.map_err(at_connect)?;
    let described: HashMap<(&str, &str), Value> = asked
        .iter()
        .zip(described)
        .filter_map(|(table, value)| Some(((table.dataset.as_str(), table.name.as_str()), value?)))
        .collect();
    let (mut found, mut version) = (Vec::new(), String::new());
    for (at, own) in listed.iter().enumerate() {
        let from = like.get(&at).map_or(own, |newest| &listed[*newest]);
        let Some(value) = described.get(&(from.dataset.as_str(), from.name.as_str())) else { continue };
        let mut read = table(address, own, value);
        if from == own {
            let changed = value.get("lastModifiedTime").and_then(Value::as_str).unwrap_or_default();
            version += &format!("{changed};");
        } else {
            read.row_count = None;
            read.comment = Some([read.comment.unwrap_or_default(), format!("Columns as in {}.", from.name)].join(" "))
                .map(|text| text.trim().to_owned());
        }
        found.push(read);
    }
    found.retain(|table: &Table| !table.columns.is_empty());
    Ok((found, version))
}

/// All entries of a list, page by page.
async fn list(rest: &Rest, path: &[&str], entries: &str) -> Result<Vec<Value>, Failure> {
    let (mut all, mut page) = (Vec::new(), None::<String>);
    loop {
        let mut query = vec![("maxResults", PAGE.to_owned())];
        query.extend(page.take().map(|page| ("pageToken", page)));
        let mut answer = rest.get(path, &query).await?;
        if let Some(Value::Array(found)) = answer.get_mut(entries).map(Value::take) {
            all.extend(found);
        }
        match answer.get("nextPageToken").and_then(Value::as_str) {
            Some(next) if !next.is_empty() => page = Some(next.to_owned()),
            _ => return Ok(all),
        }
    }
}

/// The datasets of a project that are not hidden.
pub(super) async fn datasets(rest: &Rest, address: &ProjectAddress) -> Result<Vec<String>, Failure> {
    let found = list(rest, &["projects", address.project(), "datasets"], "datasets").await?;
    let name = |value: &Value| Some(value.get("datasetReference")?.get("datasetId")?.as_str()?.to_owned());
    Ok(found.iter().filter_map(name).collect())
}

async fn tables(rest: &Rest, address: &ProjectAddress, dataset: String) -> Result<Vec<Listed>, Failure> {
    let path = ["projects", address.project(), "datasets", &dataset, "tables"];
    let found = list(rest, &path, "tables").await?;
    let name = |value: &Value| Some(value.get("tableReference")?.get("tableId")?.as_str()?.to_owned());
    Ok(found.iter().filter_map(name).map(|name| Listed { dataset: dataset.clone(), name }).collect())
}

/// Names of tables of one dataset, for those who only count them.
pub(super) async fn names(rest: &Rest, address: &ProjectAddress, dataset: &str) -> Result<Vec<String>, Failure> {
    Ok(tables(rest, address, dataset.to_owned()).await?.into_iter().map(|table| table.name).collect())
}

/// What BigQuery says of a table; nothing where it is gone by now, or hidden from this login.
async fn describe(rest: &Rest, address: &ProjectAddress, table: Listed) -> Result<Option<Value>, Failure> {
    let path = ["projects", address.project(), "datasets", &table.dataset, "tables", &table.name];
    match rest.get(&path, &[]).await {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Answer(error)) if matches!(error.status, 403 | 404) && !error.passes() => {
            tracing::debug!(table = table.name, error.message, "a table is left out");
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Of tables such as `events_20240229`, where each day has its own: which one stands for which, by their places. Those that
/// stand for themselves are left out.
fn newest(listed: &[Listed]) -> HashMap<usize, usize> {
    let mut families: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (at, table) in listed.iter().enumerate() {
        let Some((family, day)) = table.name.split_at_checked(table.name.len().saturating_sub(8)) else { continue };
        if family.ends_with('_') && day.bytes().all(|byte| byte.is_ascii_digit()) && day.starts_with(['1', '2']) {
            families.entry((&table.dataset, family)).or_default().push(at);
        }
    }
    let mut like = HashMap::new();
    for places in families.into_values().filter(|places| places.len() >= SHARDS) {
        let Some(&newest) = places.iter().max_by_key(|at| &listed[**at].name) else { continue };
        like.extend(places.into_iter().filter(|at| *at != newest).map(|at| (at, newest)));
    }
    like
}

/// The table's name as queries write it: the dataset is left out where there is only one, the project where it is billed.
fn name(address: &ProjectAddress, dataset: &str, name: &str) -> TableName {
    match address.dataset() {
        Some(_) => TableName::bare(name),
        None => TableName {
            catalog: (address.billing_project() != address.project()).then(|| address.project().to_owned()),
            schema: Some(dataset.to_owned()),
            name: name.to_owned(),
        },
    }
}

fn table(address: &ProjectAddress, own: &Listed, value: &Value) -> Table {
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_view = matches!(kind, "VIEW" | "MATERIALIZED_VIEW");
    let fields = value.get("schema").and_then(Field::list).unwrap_or_default();
    let column = |field: Field| Column {
        data_type: field.declared(),
        nullable: !field.is_required(),
        comment: field.comment(),
        name: field.name,
    };
    let query = ["view", "materializedView"].iter().find_map(|name| value.get(name)?.get("query")?.as_str());
    Table {
        name: name(address, &own.dataset, &own.name),
        kind: if is_view { TableKind::View } else { TableKind::Table },
        comment: comment(value),
        row_count: number(value, "numRows").filter(|_| kind == "TABLE"),
        columns: fields.into_iter().map(column).collect(),
        primary_key: texts(value.pointer("/tableConstraints/primaryKey/columns")),
        unique_keys: Vec::new(),
        foreign_keys: foreign_keys(address, value),
        definition: query.and_then(view_query),
    }
}

/// The owner's words, and what a query has to know: what the table is parted by, and whether a query has to name that.
fn comment(value: &Value) -> Option<String> {
    let mut said: Vec<String> = text(value.get("description")).map(str::to_owned).into_iter().collect();
    let by_time = value.get("timePartitioning");
    let by = by_time.map(|parts| text(parts.get("field")).unwrap_or("_PARTITIONTIME"));
    let by = by.or_else(|| text(value.pointer("/rangePartitioning/field")));
    if let Some(by) = by {
        let each =
            by_time.and_then(|parts| text(parts.get("type"))).map(|each| format!(" (by {})", each.to_lowercase()));
        said.push(format!("Partitioned by {by}{}.", each.unwrap_or_default()));
    }
    let wanted = [value, by_time.unwrap_or(&Value::Null)]
        .into_iter()
        .any(|of| of.get("requirePartitionFilter").and_then(Value::as_bool).unwrap_or_default());
    if let Some(by) = by.filter(|_| wanted) {
        said.push(format!("Every query has to filter on {by}."));
    }
    let clustered = texts(value.pointer("/clustering/fields"));
    if !clustered.is_empty() {
        said.push(format!("Clustered by {}.", clustered.join(", ")));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

fn foreign_keys(address: &ProjectAddress, value: &Value) -> Vec<ForeignKey> {
    let keys = value.pointer("/tableConstraints/foreignKeys").and_then(Value::as_array);
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let key = |key: &Value| {
        let other = key.get("referencedTable")?;
        let (project, dataset, table) = (text(other, "projectId")?, text(other, "datasetId")?, text(other, "tableId")?);
        let seen = address.dataset().is_none_or(|own| own == dataset) && project == address.project();
        let pairs = key.get("columnReferences")?.as_array()?;
        let side = |name: &str| pairs.iter().map(|pair| text(pair, name)).collect::<Option<Vec<_>>>();
        let (columns, ref_columns) = (side("referencingColumn")?, side("referencedColumn")?);
        seen.then(|| ForeignKey { columns, ref_table: name(address, &dataset, &table), ref_columns })
    };
    keys.map(|keys| keys.iter().filter_map(key).collect()).unwrap_or_default()
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let texts = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    texts.iter().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

#[cfg(test)]
#[path = "../tests/bigquery_catalog.rs"]
mod tests;
