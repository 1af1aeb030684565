//! `metrics`: lists the metrics of a warehouse, or computes some by dimensions.

use crate::open_results::OpenResults;
use crate::reply::{MetricReply, MetricsReply, NOTICE, RowsReply};
use crate::request::{EarlierPeriod, MetricsArguments};
use crate::session::Session;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::sync::Arc;
use vitrine_api::metric_definitions::{Comparison, MetricQuery};
use vitrine_domain::AppError;

pub(crate) async fn read_metrics(
    session: &Session,
    arguments: MetricsArguments,
    context: &RequestContext<RoleServer>,
) -> Result<MetricsReply, AppError> {
    let (warehouse, outside) = session.resolve_warehouse(arguments.warehouse.as_deref(), "", context)?;
    let mut reply = MetricsReply { notice: NOTICE, warehouse: warehouse.name.clone(), ..MetricsReply::default() };
    if arguments.metrics.is_empty() {
        let listed = outside.list_metrics().await?;
        reply.untrusted_metrics = Some(listed.metrics.into_iter().map(MetricReply::from).collect());
        reply.untrusted_dimensions = Some(listed.dimensions.into_iter().map(|dimension| dimension.name).collect());
        return Ok(reply);
    }
    let query = MetricQuery {
        metrics: arguments.metrics,
        by: arguments.by,
        filters: arguments.filters,
        from: arguments.from,
        to: arguments.to,
        compare: arguments.compare.map(|compare| match compare {
            EarlierPeriod::PreviousPeriod => Comparison::PreviousPeriod,
            EarlierPeriod::PreviousYear => Comparison::PreviousYear,
        }),
        share: arguments.share,
        running_total: arguments.running_total,
        order: arguments.order,
        limit: arguments.limit,
    };
    let limits = session.limits;
    let (sql, rows) = outside.query_metrics(&query, limits.query_rows.into(), context.ct.clone()).await?;
    let rows = Arc::new(rows);
    let number = session.results.add_result(Arc::clone(&rows));
    let part = rows.read_part(0, limits.page_rows, limits.bytes)?;
    reply.next_cursor = part.next.map(|row| OpenResults::format_cursor(number, row));
    reply.untrusted_sql = Some(sql);
    reply.result = Some(RowsReply::new(&rows, part));
    Ok(reply)
}
