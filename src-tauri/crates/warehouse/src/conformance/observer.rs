//! What the conformance suite needs to know about an engine: expressions with their values, and a second connection to
//! a server.

use crate::engine::Engine;
use crate::{Limits, OpenOptions, ServerAddress, WarehouseError, read_page};
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{CellType, Page};

/// An expression, its expected text and its type family.
pub(crate) type Expression = (&'static str, &'static str, CellType);

/// A second connection, by which the sessions of the same login are observed on the server.
pub(crate) struct Observer {
    /// Runs a text without a read-only proof.
    pub(crate) query: for<'a> fn(ServerAddress, &'a OpenOptions, &'a str) -> ObservedPage<'a>,
    /// Returns the text after SELECT for the sessions of this login that run a query containing this name, without the
    /// observing session.
    pub(crate) sessions: fn(&str) -> String,
    /// The expression that identifies a session, or that ends it.
    pub(crate) session: &'static str,
    /// Ends sessions, if the expression does not end them.
    pub(crate) end_sessions: Option<EndSessions>,
    /// A query of a table or view that only the server's owner may read.
    pub(crate) secrets: &'static str,
}

/// Ends the sessions with these ids.
pub(crate) type EndSessions =
    for<'a> fn(ServerAddress, &'a OpenOptions, Vec<String>) -> BoxFuture<'a, Result<(), WarehouseError>>;

/// The future result of an observer's query.
pub(crate) type ObservedPage<'a> = BoxFuture<'a, Result<Page, WarehouseError>>;

/// Runs a text without a read-only proof on an open engine, and closes its connections.
pub(crate) async fn query_engine(engine: &impl Engine, sql: &str) -> Result<Page, WarehouseError> {
    let batches = engine.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await?;
    let page = read_page(batches, u64::MAX).await;
    engine.close_idle_connections();
    page
}
