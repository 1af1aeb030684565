//! `metrics`: lists the metrics of a warehouse, computes some by dimensions, or explains the change of one.

use crate::open_results::OpenResults;
use crate::reply::{MetricReply, MetricsReply, NOTICE, RowsReply};
use crate::request::{EarlierPeriod, ExplainArguments, MetricsArguments};
use crate::session::Session;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::sync::Arc;
use vitrine_api::metric_definitions::{Comparison, MetricQuery};
use vitrine_api::{GroupPair, LeftOut, MetricChange, MetricChangeRequest};
use vitrine_domain::{AppError, ErrorCode};

pub(crate) async fn read_metrics(
    session: &Session,
    arguments: MetricsArguments,
    context: &RequestContext<RoleServer>,
) -> Result<MetricsReply, AppError> {
    let (warehouse, outside) = session.resolve_warehouse(arguments.warehouse.as_deref(), "", context)?;
    let mut reply = MetricsReply { notice: NOTICE, warehouse: warehouse.name.clone(), ..MetricsReply::default() };
    if let Some(explain) = arguments.explain {
        let request = build_change_request(arguments.metrics, arguments.by, arguments.filters, explain)?;
        let mut change = outside.explain_metric_change(&request, context.ct.clone()).await?;
        shorten_change(&mut change, session.limits.bytes as usize);
        let change = serde_json::to_value(change)
            .map_err(|error| AppError::new(ErrorCode::Internal, "The explanation cannot be sent").with_detail(error))?;
        reply.untrusted_change = Some(change);
        return Ok(reply);
    }
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
        ..MetricQuery::default()
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

fn build_change_request(
    metrics: Vec<String>,
    by: Vec<String>,
    filters: Vec<String>,
    explain: ExplainArguments,
) -> Result<MetricChangeRequest, AppError> {
    let [metric] = <[String; 1]>::try_from(metrics).map_err(|_| {
        AppError::new(ErrorCode::Usage, "`explain` needs exactly one metric")
            .with_hint("Name one metric in `metrics`, and two periods or two values in `explain`")
    })?;
    let ExplainArguments { from, to, dimension, before, after, during, members } = explain;
    let between = dimension.map(|dimension| GroupPair { dimension, before, after });
    Ok(MetricChangeRequest { metric, from, to, between, during, by, filters, members })
}

/// Leaves out the dimensions that explain least, until a reply has about this many bytes.
fn shorten_change(change: &mut MetricChange, bytes: usize) {
    while serde_json::to_string(change).is_ok_and(|text| text.len() > bytes)
        && let Some(dimension) = change.dimensions.pop()
    {
        let reason = "It is left out of this reply because of its size; name it in `by`".to_owned();
        change.left_out.push(LeftOut { name: dimension.name, reason });
    }
}
