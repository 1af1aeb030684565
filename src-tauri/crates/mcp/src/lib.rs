//! A server of the Model Context Protocol (revision 2026-07-28, and earlier ones) over standard input and output: an
//! agent asks questions, reads schemas, runs queries and reads runs, but cannot change data.
//!
//! Only the warehouses that the user named are accessible. Every query needs the same read-only proof as elsewhere,
//! replies follow the egress policy for remote models, and the audit log records the replies to the agent. Standard
//! output is reserved for the protocol.

mod failure;
mod limits;
mod open_results;
mod reply;
mod request;
mod scope;
mod server;
mod session;
mod tools;

pub use limits::Limits;
pub use scope::{Scope, ScopedWarehouse};

use rmcp::ServiceExt;
use rmcp::transport::io::stdio_pipes;
use server::Server;
use session::Session;
use tokio_util::sync::CancellationToken;
use vitrine_api::App;
use vitrine_domain::{AppError, AskSettings, ErrorCode};

/// Serves one client over standard input and output until it closes the connection or `stop` is cancelled.
///
/// # Errors
/// Fails if the client does not use the protocol.
pub async fn serve_client(
    app: App,
    scope: Scope,
    settings: AskSettings,
    limits: Limits,
    stop: CancellationToken,
) -> Result<(), AppError> {
    let session = Session::new(app, scope, settings, limits);
    session.prepare_warehouses();
    let failed = |error: &dyn std::fmt::Display| {
        AppError::new(ErrorCode::Usage, "The client does not speak the Model Context Protocol")
            .with_hint("Start this from an agent's configuration, as the command `vitrine mcp` with its options")
            .with_detail(error)
    };
    let service = Server::new(session).serve_with_ct(stdio_pipes(), stop).await;
    let running = match service {
        Ok(running) => running,
        // The client closed the connection before its first message.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(failed(&error)),
    };
    running.waiting().await.map(drop).map_err(|error| failed(&error))
}
