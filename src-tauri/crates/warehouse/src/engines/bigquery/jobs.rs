//! Query jobs of BigQuery: prepared without running (a dry run, which is free), run, read page by page, cancelled.

use super::address::ProjectAddress;
use super::fields::Field;
use super::known::Known;
use super::partitions;
use super::rest::{Failure, Rest};
use crate::WarehouseError;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

/// Bytes that a query may be billed for if neither the address nor the caller contains a limit: 10 GB.
const BILLED_BYTES: u64 = 10_000_000_000;
/// Rows per page. BigQuery limits a page to about 10 MB.
const PAGE_ROWS: u64 = 10_000;
/// Maximum wait for the first response; the job can be cancelled only after it.
const FIRST: Duration = Duration::from_millis(500);
/// Time for which BigQuery delays a later response while a query runs.
const LATER: Duration = Duration::from_secs(10);
/// BigQuery bills whole mebibytes, and at least ten for each table that a query reads.
const UNIT: u64 = 1 << 20;
const LEAST: u64 = 10 * UNIT;
/// The only type of statement that may run.
const SELECT: &str = "SELECT";

/// Rounds an estimate of bytes to the amount that BigQuery bills.
pub(super) fn round_billed_bytes(estimated: u64) -> u64 {
    if estimated == 0 { 0 } else { estimated.div_ceil(UNIT).saturating_mul(UNIT).max(LEAST) }
}

/// The connection and the address with which queries run.
#[derive(Clone)]
pub(super) struct Jobs {
    pub rest: Arc<Rest>,
    pub address: ProjectAddress,
    known: Arc<RwLock<Known>>,
}

/// The result of a dry run.
pub(super) struct Prepared {
    pub fields: Vec<Field>,
    /// Bytes that the query would read.
    pub bytes: Option<u64>,
}

/// A query that BigQuery has started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Job {
    project: String,
    id: String,
    location: Option<String>,
}

/// Settings of a query besides its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Bytes that the query may be billed for.
    pub billed_bytes: u64,
    /// Time after which BigQuery itself ends the query.
    pub ends: Duration,
    pub page_rows: u64,
}

impl Wanted {
    /// Creates the settings. `rows` is the row limit; one row more is requested to detect whether the limit truncated
    /// the result. BigQuery also counts the time in which it waits for a slow reader, so that its own timeout is twice
    /// as long.
    pub fn new(billed_bytes: u64, timeout: Duration, rows: Option<u64>) -> Self {
        let page_rows = rows.map_or(PAGE_ROWS, |rows| rows.saturating_add(1).min(PAGE_ROWS));
        Self { billed_bytes, ends: timeout * 2, page_rows }
    }
}

impl Jobs {
    pub fn new(rest: Arc<Rest>, address: ProjectAddress) -> Self {
        Self { rest, address, known: Arc::default() }
    }

    /// Returns the additional information about tables from the catalog that was read last.
    pub fn known_tables(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the additional information about tables from a catalog.
    pub fn set_known_tables(&self, known: Known) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// Returns the bytes that one query may be billed for: the caller's limit, but not more than the limit of the
    /// address or the default.
    pub fn billed_limit(&self, own: Option<u64>) -> u64 {
        let most = self.address.billed_bytes().unwrap_or(BILLED_BYTES);
        own.map_or(most, |own| own.min(most))
    }

    fn build_request(&self, sql: &str) -> Value {
        let mut request = json!({
            "query": sql,
            "useLegacySql": false,
            "formatOptions": {"useInt64Timestamp": true},
            "labels": {"application": "vitrine"},
        });
        if let Some(dataset) = self.address.dataset() {
            request["defaultDataset"] = json!({"projectId": self.address.project(), "datasetId": dataset});
        }
        if let Some(location) = self.address.location() {
            request["location"] = location.into();
        }
        request
    }

    fn queries_path(&self) -> [&str; 3] {
        ["projects", self.address.billing_project(), "queries"]
    }

    /// Prepares a statement in BigQuery without running it.
    ///
    /// # Errors
    /// [`WarehouseError::Refused`] if BigQuery does not classify it as SELECT; [`WarehouseError::Query`] names the
    /// missing filter if a table requires one.
    pub async fn prepare_query(&self, sql: &str) -> Result<Prepared, WarehouseError> {
        if let Some(lacking) = partitions::find_missing_filter(sql, &self.address, &self.known_tables().filters) {
            return Err(WarehouseError::query(lacking.describe_missing()));
        }
        self.dry_run(sql).await.map_err(|error| match error {
            WarehouseError::Query { message } => WarehouseError::Query {
                message: partitions::explain_refusal(&message, &self.known_tables().filters).unwrap_or(message),
            },
            other => other,
        })
    }

    async fn dry_run(&self, sql: &str) -> Result<Prepared, WarehouseError> {
        let mut request = self.build_request(sql);
        request["dryRun"] = true.into();
        let answer = self.rest.post(&self.queries_path(), &request).await;
        let answer = answer.map_err(|failure| failure.in_query(&self.rest.shown, None))?;
        let kind = match answer.get("statementType").and_then(Value::as_str) {
            Some(kind) => kind.to_owned(),
            None => self.fetch_statement_kind(sql).await?,
        };
        if kind != SELECT {
            let kind = kind.replace('_', " ");
            return Err(WarehouseError::Refused { message: format!("BigQuery calls it {kind}, not SELECT") });
        }
        Ok(Prepared { fields: read_fields(&answer)?, bytes: read_number(&answer, "totalBytesProcessed") })
    }

    /// Fetches BigQuery's type of a statement with the other interface, a job that is a dry run, because the response
    /// to a query may lack the type.
    async fn fetch_statement_kind(&self, sql: &str) -> Result<String, WarehouseError> {
        let mut query = self.build_request(sql);
        let location = query.as_object_mut().and_then(|query| query.remove("location"));
        query.as_object_mut().map(|query| (query.remove("formatOptions"), query.remove("labels")));
        let mut job = json!({"configuration": {"query": query}});
        if let Some(location) = location {
            job["jobReference"] = json!({"projectId": self.address.billing_project(), "location": location});
        }
        let answer = self.rest.dry_run(&["projects", self.address.billing_project(), "jobs"], job).await;
        let answer = answer.map_err(|failure| failure.in_query(&self.rest.shown, None))?;
        let kind = answer.pointer("/statistics/query/statementType").and_then(Value::as_str);
        Ok(kind.unwrap_or("a statement of no known kind").to_owned())
    }

    /// Starts a query. A retry with the same `request_id` after a lost response does not start a second query.
    pub async fn start_query(&self, sql: &str, request_id: &str, wanted: Wanted) -> Result<Value, Failure> {
        let mut request = self.build_request(sql);
        request["requestId"] = request_id.into();
        request["maximumBytesBilled"] = wanted.billed_bytes.to_string().into();
        request["jobTimeoutMs"] = (wanted.ends.as_millis().max(1)).to_string().into();
        request["timeoutMs"] = (FIRST.as_millis() as u64).into();
        request["maxResults"] = wanted.page_rows.into();
        self.rest.post(&self.queries_path(), &request).await
    }

    /// Fetches the next response of a query: a page, or the state that it still runs.
    pub async fn next(&self, job: &Job, page: Option<&str>, wanted: Wanted) -> Result<Value, WarehouseError> {
        let mut query = vec![
            ("maxResults", wanted.page_rows.to_string()),
            ("timeoutMs", LATER.as_millis().to_string()),
            ("formatOptions.useInt64Timestamp", "true".to_owned()),
        ];
        query.extend(job.location.clone().map(|location| ("location", location)));
        query.extend(page.map(|page| ("pageToken", page.to_owned())));
        let answer = self.rest.get(&["projects", &job.project, "queries", &job.id], &query).await;
        answer.map_err(|failure| failure.in_query(&self.rest.shown, Some(wanted.billed_bytes)))
    }

    /// Fetches the bytes that a job was billed for; `None` if BigQuery does not report them.
    pub async fn fetch_billed_bytes(&self, job: &Job) -> Option<u64> {
        let mut query = vec![("fields", "statistics.query.totalBytesBilled".to_owned())];
        query.extend(job.location.clone().map(|location| ("location", location)));
        let answer = self.rest.get(&["projects", &job.project, "jobs", &job.id], &query).await.ok()?;
        read_number(answer.pointer("/statistics/query")?, "totalBytesBilled")
    }

    pub async fn stop_job(&self, job: &Job) {
        let query: Vec<_> = job.location.clone().map(|location| ("location", location)).into_iter().collect();
        let stopped = self.rest.stop_job(&["projects", &job.project, "jobs", &job.id, "cancel"], &query).await;
        if let Err(error) = stopped {
            tracing::debug!(?error, "BigQuery could not be told to stop a query");
        }
    }
}

impl Job {
    /// Parses the job reference of a response.
    pub fn from_answer(answer: &Value) -> Option<Self> {
        let reference = answer.get("jobReference")?;
        let text = |name: &str| reference.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self { project: text("projectId")?, id: text("jobId")?, location: text("location") })
    }
}

/// Parses the fields of a result.
pub(super) fn read_fields(answer: &Value) -> Result<Vec<Field>, WarehouseError> {
    let fields = answer.get("schema").and_then(Field::parse_schema);
    fields.ok_or_else(|| WarehouseError::query("BigQuery did not say which columns the result has"))
}

/// Parses a number that is written as text.
pub(super) fn read_number(answer: &Value, name: &str) -> Option<u64> {
    let value = answer.get(name)?;
    value.as_str().map_or_else(|| value.as_u64(), |text| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{LEAST, UNIT, round_billed_bytes};

    #[test]
    fn what_is_billed_is_whole_mebibytes_and_ten_at_least() {
        assert_eq!([0, 1, LEAST, LEAST + 1].map(round_billed_bytes), [0, LEAST, LEAST, LEAST + UNIT]);
        assert!(round_billed_bytes(u64::MAX) >= LEAST, "nothing overflows");
    }
}
