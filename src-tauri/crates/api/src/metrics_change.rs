//! The change of a metric between two periods or groups, explained by dimensions.

use crate::app::App;
use crate::metrics::repeated_key_error;
use crate::scans::{effective_limits, metering_at};
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::run_blocking;
use crate::types::AskedFor;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, Page, TableName, scan_money};
use vitrine_metric_change::{
    ChangePlan, LeftOut, MOST_VALUES, MetricChange, MetricChangeRequest, plan_change, read_last_day,
};
use vitrine_metrics::{CompiledQuery, MetricsFile};
use vitrine_words::tr;

/// Maximum number of rows that are read for a dimension. One more than is used tells that there are too many.
pub(crate) const MOST_ROWS: u64 = MOST_VALUES as u64 + 1;

/// The queries of an explanation, with their estimated cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricChangeCost {
    /// The queries in the order in which they run.
    pub queries: Vec<String>,
    /// Estimated number of bytes that they read, if the database bills or limits bytes and gives an estimate.
    #[specta(type = Option<f64>)]
    pub bytes: Option<u64>,
    /// Estimated cost in millionths of a US dollar, at the price of the connection.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl App {
    /// Explains the change of a metric of a warehouse's own definitions, until the user stops it.
    ///
    /// # Errors
    /// Same as [`App::explain_metric_change`].
    pub async fn metric_change(&self, uri: String, request: MetricChangeRequest) -> Result<MetricChange, AppError> {
        self.until_stopped((AskedFor::MetricChange, &uri, &request.metric), async |cancel| {
            let stored = self.metrics(&uri, None).await?;
            self.explain_metric_change(&uri, &stored.file, &request, cancel).await
        })
        .await
    }

    /// Returns the queries that [`App::metric_change`] would run, with their estimated cost. Nothing is run or billed.
    ///
    /// # Errors
    /// Same as [`App::estimate_metric_change`].
    pub async fn metric_change_cost(
        &self,
        uri: String,
        request: MetricChangeRequest,
    ) -> Result<MetricChangeCost, AppError> {
        let stored = self.metrics(&uri, None).await?;
        self.estimate_metric_change(&uri, &stored.file, &request).await
    }

    /// Explains the change of a metric. The queries run one after the other, within the limits of the connection.
    ///
    /// # Errors
    /// When the request does not fit the definitions, a join would repeat rows, or a total cannot be read. Dimensions
    /// that fail are listed with the reason.
    pub async fn explain_metric_change(
        &self,
        uri: &str,
        file: &MetricsFile,
        request: &MetricChangeRequest,
        cancel: CancellationToken,
    ) -> Result<MetricChange, AppError> {
        let plan = self.plan_metric_change(uri, file, request).await?;
        let read = |sql: String| {
            let (app, uri, cancel) = (self.clone(), uri.to_owned(), cancel.clone());
            async move { app.query_page(uri, sql, MOST_ROWS, cancel).await }
        };
        run_plan(&plan, read, &cancel).await
    }

    /// Returns the queries of an explanation and their estimated cost. Nothing is run or billed.
    ///
    /// # Errors
    /// When the request does not fit the definitions, or the database refuses a query.
    pub async fn estimate_metric_change(
        &self,
        uri: &str,
        file: &MetricsFile,
        request: &MetricChangeRequest,
    ) -> Result<MetricChangeCost, AppError> {
        let plan = self.plan_metric_change(uri, file, request).await?;
        let queries: Vec<String> = list_queries(&plan);
        let open = self.ensure_open(uri).await?;
        let mut bytes = metering_at(&open.uri).holds_limits().then_some(0);
        for sql in &queries {
            let Some(sum) = bytes else { break };
            let proven = self.prove_read_only(&open, sql.clone()).await?;
            let checked = open.warehouse.check_query(&proven).await?;
            bytes = checked.metered.or(checked.bytes).map(|own: u64| own.saturating_add(sum));
        }
        let price = effective_limits(&open.uri, open.scans.clone()).price;
        let money = bytes.zip(price).map(|(bytes, price)| scan_money(bytes, price));
        Ok(MetricChangeCost { queries, bytes, money })
    }

    /// Plans an explanation. Dimensions with few values come first, as far as the profile knows them.
    pub(crate) async fn plan_metric_change(
        &self,
        uri: &str,
        file: &MetricsFile,
        request: &MetricChangeRequest,
    ) -> Result<ChangePlan, AppError> {
        let open = self.ensure_open(uri).await?;
        let (file, request) = (file.clone(), request.clone());
        run_blocking(move || {
            plan_change(&file, &open.declared, &request, &|table, column| count_values(&open, table, column))
        })
        .await
    }
}

/// Returns the number of distinct values of a column in the profile, if it covers the column.
fn count_values(open: &Arc<OpenWarehouse>, table: &TableName, column: &str) -> Option<u64> {
    let profile = open.profile();
    Some(profile.find_table(table)?.find_column(column)?.distinct)
}

/// Lists the queries of a plan in the order in which they run.
fn list_queries(plan: &ChangePlan) -> Vec<String> {
    let dimensions = plan.dimensions.iter().map(|dimension| &dimension.queries);
    let all = std::iter::once(&plan.totals).chain(plan.last_days.as_ref()).chain(dimensions).flatten();
    let mut queries: Vec<String> = Vec::new();
    for query in all {
        let checks = query.key_checks.iter().map(|check| &check.sql);
        for sql in checks.chain([&query.sql]) {
            if queries.iter().all(|known| known != sql.as_str()) {
                queries.push(sql.as_str().to_owned());
            }
        }
    }
    queries
}

/// Runs the queries of a plan, one after the other, and assembles the report. `read` returns the rows of a query.
///
/// # Errors
/// When a total cannot be read or a join would repeat rows, and when the user stops it.
pub(crate) async fn run_plan<R: Future<Output = Result<Page, AppError>>>(
    plan: &ChangePlan,
    read: impl Fn(String) -> R,
    cancel: &CancellationToken,
) -> Result<MetricChange, AppError> {
    let mut runner = Runner { read, checked: Vec::new(), cancel };
    let pages = runner.read_both(&plan.totals).await?;
    if has_masked_column(&pages) {
        return Err(AppError::new(ErrorCode::Usage, tr!("The values of this metric are masked")));
    }
    let totals = plan.read_totals(pages.each_ref())?;
    let last_days = match &plan.last_days {
        Some(queries) => match runner.read_both(queries).await {
            Ok(pages) => pages.each_ref().map(read_last_day),
            Err(error) if error.code == ErrorCode::Cancelled => return Err(error),
            // Only a note depends on them.
            Err(_) => [None, None],
        },
        None => [None, None],
    };
    let (mut splits, mut left_out) = (Vec::new(), Vec::new());
    for dimension in &plan.dimensions {
        let split = match runner.read_both(&dimension.queries).await {
            Ok(pages) if has_masked_column(&pages) => Err(tr!("Its values are masked")),
            Ok(pages) => plan.split_by(dimension, &totals, pages.each_ref()),
            Err(error) if error.code == ErrorCode::Cancelled => return Err(error),
            Err(error) => Err(error.message),
        };
        match split {
            Ok(split) => splits.push(split),
            Err(reason) => left_out.push(LeftOut { name: dimension.name.clone(), reason }),
        }
    }
    Ok(plan.assemble_report(&totals, splits, left_out, last_days))
}

/// Returns true if a column of a result is masked.
fn has_masked_column(pages: &[Page; 2]) -> bool {
    pages.iter().any(|page| page.columns.iter().any(|column| column.masked))
}

/// Reads the queries of a plan and checks each key once.
struct Runner<'r, F> {
    read: F,
    checked: Vec<String>,
    cancel: &'r CancellationToken,
}

impl<R: Future<Output = Result<Page, AppError>>, F: Fn(String) -> R> Runner<'_, F> {
    async fn read_both(&mut self, queries: &[CompiledQuery; 2]) -> Result<[Page; 2], AppError> {
        let [before, after] = queries;
        Ok([self.read_query(before).await?, self.read_query(after).await?])
    }

    async fn read_query(&mut self, query: &CompiledQuery) -> Result<Page, AppError> {
        for check in &query.key_checks {
            let sql = check.sql.as_str();
            if self.checked.iter().any(|known| known == sql) {
                continue;
            }
            if (self.read)(sql.to_owned()).await?.row_count > 0 {
                return Err(repeated_key_error(check));
            }
            self.checked.push(sql.to_owned());
        }
        if self.cancel.is_cancelled() {
            return Err(AppError::new(ErrorCode::Cancelled, tr!("The explanation was stopped")));
        }
        (self.read)(query.sql.as_str().to_owned()).await
    }
}
