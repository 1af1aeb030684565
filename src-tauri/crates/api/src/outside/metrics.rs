//! Metrics for an external program.

use super::{Outside, OutsideRows};
use crate::metrics::repeated_key_error;
use tokio_util::sync::CancellationToken;
use vitrine_domain::AppError;
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
}
