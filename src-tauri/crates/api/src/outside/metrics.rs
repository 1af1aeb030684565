//! Metrics for an external program.

use super::{Outside, OutsideRows};
use crate::metrics::repeated_key_error;
use crate::metrics_change::{MOST_ROWS, run_plan};
use tokio_util::sync::CancellationToken;
use vitrine_domain::AppError;
use vitrine_metric_change::{MetricChange, MetricChangeRequest};
use vitrine_metrics::{AvailableDimension, CompiledQuery, Metric, MetricQuery};

/// The metrics that an external program may query.
#[derive(Debug, Clone)]
pub struct OutsideMetrics {
    /// The definitions; their filters may contain stored values.
    pub metrics: Vec<Metric>,
    /// The dimensions by which any of them can be grouped.
    pub dimensions: Vec<AvailableDimension>,
}

impl Outside {
    /// Returns the metrics of the warehouse.
    ///
    /// # Errors
    /// When the warehouse cannot be opened or its definitions are not valid.
    pub async fn list_metrics(&self) -> Result<OutsideMetrics, AppError> {
        let stored = self.app.metrics(&self.uri, None).await?;
        let dimensions = self.app.metric_dimensions(&self.uri, &stored.file, &[]).await?;
        Ok(OutsideMetrics { metrics: stored.file.metrics, dimensions })
    }

    /// Runs a metric query and returns its SQL and rows, as [`Outside::run_query`] does. Keys are checked first.
    ///
    /// # Errors
    /// When the query cannot be compiled, a join would repeat rows, or the query fails.
    pub async fn query_metrics(
        &self,
        query: &MetricQuery,
        row_limit: u64,
        cancel: CancellationToken,
    ) -> Result<(String, OutsideRows), AppError> {
        let stored = self.app.metrics(&self.uri, None).await?;
        let CompiledQuery { sql, key_checks } = self.app.compile_unchecked(&self.uri, &stored.file, query).await?;
        for check in key_checks {
            if self.run_query(check.sql.as_str(), 1, cancel.clone()).await?.row_count > 0 {
                return Err(repeated_key_error(&check));
            }
        }
        let rows = self.run_query(sql.as_str(), row_limit, cancel).await?;
        Ok((sql.as_str().to_owned(), rows))
    }

    /// Explains the change of a metric, from values that the program may read. Dimensions with masked values are left
    /// out.
    ///
    /// # Errors
    /// When rows are withheld, the request does not fit the definitions, or a query of a total fails.
    pub async fn explain_metric_change(
        &self,
        request: &MetricChangeRequest,
        cancel: CancellationToken,
    ) -> Result<MetricChange, AppError> {
        let stored = self.app.metrics(&self.uri, None).await?;
        let plan = self.app.plan_metric_change(&self.uri, &stored.file, request).await?;
        let read = |sql: String| {
            let (outside, cancel) = (self.clone(), cancel.clone());
            async move { outside.run_query(&sql, MOST_ROWS, cancel).await?.read_all() }
        };
        run_plan(&plan, read, &cancel).await
    }
}
