//! `schema`: returns tables and columns, page by page.

use crate::reply::{NOTICE, SchemaReply};
use crate::request::SchemaArguments;
use crate::session::Session;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use vitrine_domain::{AppError, ErrorCode};

pub(crate) async fn describe_schema(
    session: &Session,
    arguments: SchemaArguments,
    context: &RequestContext<RoleServer>,
) -> Result<SchemaReply, AppError> {
    let (warehouse, outside) = session.resolve_warehouse(arguments.warehouse.as_deref(), "", context)?;
    let (level, parts) = outside.read_schema(&arguments.tables, session.limits.bytes, &context.ct).await?;
    let page = arguments.page.unwrap_or(1).max(1);
    let Some(part) = parts.get(page as usize - 1) else {
        return Err(match parts.len() {
            0 => AppError::new(ErrorCode::NotFound, "No table has such a name")
                .with_hint("Leave `tables` out to see all"),
            pages => AppError::new(ErrorCode::NotFound, format!("There is no page {page}"))
                .with_hint(format!("There are {pages}")),
        });
    };
    outside.told_schema(level, part).await?;
    Ok(SchemaReply {
        notice: NOTICE,
        warehouse: warehouse.name.clone(),
        dialect: serde_json::to_value(outside.dialect().await?).unwrap_or_default(),
        told: level.display_title().to_owned(),
        page,
        pages: parts.len() as u32,
        untrusted_tables: part.tables.clone(),
        untrusted_text: part.text.clone(),
    })
}
