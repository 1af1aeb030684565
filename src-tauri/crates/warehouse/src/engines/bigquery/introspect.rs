//! Reading tables, columns, comments and keys from BigQuery's metadata lists, which is free because no query runs.

use super::address::ProjectAddress;
use super::fields::Field;
use super::jobs::read_number;
use super::known::Known;
use super::partitions::{PartitionFilter, partitioned_by};
use super::rest::{Failure, Rest};
use super::shards::{Group, Listed, find_groups};
use crate::WarehouseError;
use crate::definition::view_query;
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use vitrine_domain::{Column, ForeignKey, Table, TableKind, TableName};

/// Number of list entries per request.
const PAGE: &str = "1000";
/// Number of tables that are described concurrently, because no list contains their columns. BigQuery accepts 100
/// requests of one kind per second from one login, and each takes about 150 ms, so that more concurrent requests would
/// only be refused.
pub(super) const AT_ONCE: usize = 12;

/// The tables of a project, with what queries need to know about them.
#[derive(Debug, Default)]
pub(super) struct ProjectCatalog {
    pub tables: Vec<Table>,
    /// A value that changes when rows change.
    pub version: String,
    pub known: Known,
}

/// Reads all tables of the datasets that the address names, or of all datasets if it names none.
pub(super) async fn read_catalog(rest: &Rest, address: &ProjectAddress) -> Result<ProjectCatalog, WarehouseError> {
    let at_connect = |failure: Failure| failure.at_connect(&rest.shown);
    let datasets = match address.named_datasets() {
        [] => fetch_datasets(rest, address).await.map_err(at_connect)?,
        named => named.to_vec(),
    };
    let lists = stream::iter(datasets).map(|dataset| fetch_tables(rest, address, dataset)).buffered(AT_ONCE);
    let listed: Vec<Vec<Listed>> = lists.try_collect().await.map_err(at_connect)?;
    let listed: Vec<Listed> = listed.into_iter().flatten().collect();
    let entries = list_catalog_entries(&listed);
    let calls: Vec<_> = entries.iter().map(|(at, _)| describe_table(rest, address, listed[*at].clone())).collect();
    let described: Vec<Option<Value>> =
        stream::iter(calls).buffered(AT_ONCE).try_collect().await.map_err(at_connect)?;
    let mut found = ProjectCatalog::default();
    for ((at, group), value) in entries.into_iter().zip(described) {
        let (own, Some(value)) = (&listed[at], value) else { continue };
        let read = build_table(address, own, &value);
        if read.columns.is_empty() {
            continue;
        }
        let changed = value.get("lastModifiedTime").and_then(Value::as_str).unwrap_or_default();
        let parts = group.as_ref().map(|group| format!(" {}", group.names.len())).unwrap_or_default();
        found.version += &format!("{changed}{parts};");
        let name = group.as_ref().map_or_else(|| own.name.clone(), Group::wildcard_name);
        found.known.filters.extend(PartitionFilter::from_table(&own.dataset, &name, &value));
        found.tables.push(match &group {
            Some(group) => group.build_table(read),
            None => read,
        });
        found.known.groups.extend(group);
    }
    Ok(found)
}

/// Returns the entries of the catalog in the order of the list, each with the index of the table that is described.
fn list_catalog_entries(listed: &[Listed]) -> Vec<(usize, Option<Group>)> {
    let groups = find_groups(listed);
    let is_part = |table: &Listed| {
        groups.iter().any(|group| group.dataset == table.dataset && group.names.binary_search(&table.name).is_ok())
    };
    let alone = listed.iter().enumerate().filter(|(_, table)| !is_part(table)).map(|(at, _)| (at, at, None));
    let grouped =
        groups.iter().filter_map(|group| Some((group.first_index()?, group.newest_index()?, Some(group.clone()))));
    let mut all: Vec<(usize, usize, Option<Group>)> = alone.chain(grouped).collect();
    all.sort_by_key(|(place, ..)| *place);
    all.into_iter().map(|(_, at, group)| (at, group)).collect()
}

/// Fetches all entries of a list, page by page.
async fn fetch_list(rest: &Rest, path: &[&str], entries: &str) -> Result<Vec<Value>, Failure> {
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

/// Fetches the names of a project's datasets that are not hidden.
pub(super) async fn fetch_datasets(rest: &Rest, address: &ProjectAddress) -> Result<Vec<String>, Failure> {
    let found = fetch_list(rest, &["projects", address.project(), "datasets"], "datasets").await?;
    let name = |value: &Value| Some(value.get("datasetReference")?.get("datasetId")?.as_str()?.to_owned());
    Ok(found.iter().filter_map(name).collect())
}

async fn fetch_tables(rest: &Rest, address: &ProjectAddress, dataset: String) -> Result<Vec<Listed>, Failure> {
    let path = ["projects", address.project(), "datasets", &dataset, "tables"];
    let found = fetch_list(rest, &path, "tables").await?;
    let name = |value: &Value| Some(value.get("tableReference")?.get("tableId")?.as_str()?.to_owned());
    let is_table = |value: &Value| value.get("type").and_then(Value::as_str) == Some("TABLE");
    let listed =
        |value: &Value| Some(Listed { dataset: dataset.clone(), name: name(value)?, is_table: is_table(value) });
    Ok(found.iter().filter_map(listed).collect())
}

/// Fetches the names of the tables of one dataset.
pub(super) async fn fetch_table_names(
    rest: &Rest,
    address: &ProjectAddress,
    dataset: &str,
) -> Result<Vec<String>, Failure> {
    Ok(fetch_tables(rest, address, dataset.to_owned()).await?.into_iter().map(|table| table.name).collect())
}

/// Fetches BigQuery's description of a table; `None` if it no longer exists or is hidden from this login.
async fn describe_table(rest: &Rest, address: &ProjectAddress, table: Listed) -> Result<Option<Value>, Failure> {
    let path = ["projects", address.project(), "datasets", &table.dataset, "tables", &table.name];
    match rest.get(&path, &[]).await {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Answer(error)) if matches!(error.status, 403 | 404) && !error.is_transient() => {
            tracing::debug!(table = table.name, error.message, "a table is left out");
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Builds the table's name as queries write it: without the dataset if the address names it, and without the project if
/// queries are billed to it.
fn build_table_name(address: &ProjectAddress, dataset: &str, name: &str) -> TableName {
    match address.dataset() {
        Some(_) => TableName::from_unqualified(name),
        None => TableName {
            catalog: (address.billing_project() != address.project()).then(|| address.project().to_owned()),
            schema: Some(dataset.to_owned()),
            name: name.to_owned(),
        },
    }
}

fn build_table(address: &ProjectAddress, own: &Listed, value: &Value) -> Table {
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_view = matches!(kind, "VIEW" | "MATERIALIZED_VIEW");
    let fields = value.get("schema").and_then(Field::parse_schema).unwrap_or_default();
    let column = |field: Field| Column {
        data_type: field.declared_type(),
        nullable: !field.is_required(),
        comment: field.full_comment(),
        name: field.name,
    };
    let query = ["view", "materializedView"].iter().find_map(|name| value.get(name)?.get("query")?.as_str());
    Table {
        name: build_table_name(address, &own.dataset, &own.name),
        kind: if is_view { TableKind::View } else { TableKind::Table },
        comment: build_comment(value),
        row_count: read_number(value, "numRows").filter(|_| kind == "TABLE"),
        columns: fields.into_iter().map(column).collect(),
        primary_key: json_texts(value.pointer("/tableConstraints/primaryKey/columns")),
        unique_keys: Vec::new(),
        foreign_keys: foreign_keys(address, value),
        definition: query.and_then(view_query),
    }
}

/// Builds the comment from the owner's description and from what a query must know: the partitioning, and whether a
/// filter on it is required.
fn build_comment(value: &Value) -> Option<String> {
    let mut said: Vec<String> = json_text(value.get("description")).map(str::to_owned).into_iter().collect();
    if let Some((by, by_time)) = partitioned_by(value) {
        let each = by_time.and_then(|parts| json_text(parts.get("type")));
        let each = each.map(|each| format!(" (by {})", each.to_lowercase())).unwrap_or_default();
        said.push(format!("Partitioned by {by}{each}."));
    }
    if let Some(filter) = PartitionFilter::from_table("", "", value) {
        said.push(format!("Every query has to filter on {}.", filter.column));
    }
    let clustered = json_texts(value.pointer("/clustering/fields"));
    if !clustered.is_empty() {
        said.push(format!("Clustered by {}.", clustered.join(", ")));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

fn json_text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

fn foreign_keys(address: &ProjectAddress, value: &Value) -> Vec<ForeignKey> {
    let keys = value.pointer("/tableConstraints/foreignKeys").and_then(Value::as_array);
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let key = |key: &Value| {
        let other = key.get("referencedTable")?;
        let (project, dataset, table) = (text(other, "projectId")?, text(other, "datasetId")?, text(other, "tableId")?);
        let own = address.named_datasets();
        let seen = (own.is_empty() || own.contains(&dataset)) && project == address.project();
        let pairs = key.get("columnReferences")?.as_array()?;
        let side = |name: &str| pairs.iter().map(|pair| text(pair, name)).collect::<Option<Vec<_>>>();
        let (columns, ref_columns) = (side("referencingColumn")?, side("referencedColumn")?);
        seen.then(|| ForeignKey { columns, ref_table: build_table_name(address, &dataset, &table), ref_columns })
    };
    keys.map(|keys| keys.iter().filter_map(key).collect()).unwrap_or_default()
}

fn json_texts(value: Option<&Value>) -> Vec<String> {
    let texts = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    texts.iter().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

#[cfg(test)]
mod tests;
