//! A server of the Model Context Protocol (revision 2026-07-28, and those before it) over standard input and output: an agent asks
//! questions, reads schemas, runs queries and looks at runs, and changes nothing.
//!
//! Only the warehouses that the user named can be reached. Whatever runs passes the same proof as everywhere, what leaves is what
//! a model behind an address may be told, and the audit log says what the agent got. Standard output carries the protocol alone.

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

/// Serves one client over standard input and output until it closes its end, or `stop` says so.
///
/// # Errors
/// When the client does not speak the protocol.
pub async fn serve(
    app: App,
    scope: Scope,
    settings: AskSettings,
    limits: Limits,
    stop: CancellationToken,
) -> Result<(), AppError> {
    let session = Session::new(app, scope, settings, limits);
    session.prepare();
    let failed = |error: &dyn std::fmt::Display| {
        AppError::new(ErrorCode::Usage, "The client does not speak the Model Context Protocol")
            .hint("Start this from an agent's configuration: docs/mcp.md has some")
            .detail(error)
    };
    let service = Server::new(session).serve_with_ct(stdio_pipes(), stop).await;
    let running = match service {
        Ok(running) => running,
        // It went away before it said anything.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(failed(&error)),
    };
    running.waiting().await.map(drop).map_err(|error| failed(&error))
}
