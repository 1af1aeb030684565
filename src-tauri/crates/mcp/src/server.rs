//! The server: its tools, and what it says of itself.

use crate::failure::Failure;
use crate::limits::Limits;
use crate::open_results::OpenResults;
use crate::reply::{AnswerReply, NOTICE, QueryReply, RunsReply, SchemaReply};
use crate::request::{AskArguments, QueryArguments, RunsArguments, SchemaArguments};
use crate::scope::{Scope, ScopedWarehouse};
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, tool, tool_handler, tool_router};
use std::sync::Arc;
use vitrine_api::{App, Outside};
use vitrine_domain::{AppError, AskSettings};

/// Serves one client.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) app: App,
    pub(crate) scope: Arc<Scope>,
    pub(crate) settings: Arc<AskSettings>,
    pub(crate) limits: Limits,
    pub(crate) results: Arc<OpenResults>,
}

impl Server {
    pub(crate) fn new(app: App, scope: Scope, settings: AskSettings, limits: Limits) -> Self {
        Self { app, scope: Arc::new(scope), settings: Arc::new(settings), limits, results: Arc::default() }
    }

    /// Begins to read what is in scope, so that the first call need not wait. What cannot be opened is said when it is used.
    pub(crate) fn prepare(&self) {
        for warehouse in self.scope.all() {
            let outside = self.app.outside(&warehouse.address, "");
            let name = warehouse.name.clone();
            tokio::spawn(async move {
                if let Err(error) = outside.prepare().await {
                    tracing::warn!(warehouse = name, %error, "not opened");
                }
            });
        }
    }

    /// The warehouse that a call means, for who calls; a call for another one is recorded, with its SQL.
    pub(crate) fn warehouse(
        &self,
        name: Option<&str>,
        sql: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(&ScopedWarehouse, Outside), AppError> {
        let receiver = receiver(context);
        let found = self.scope.find(name).inspect_err(|reason| {
            if let Some(name) = name {
                self.app.refuse_outside(name, &receiver, sql, reason);
            }
        })?;
        Ok((found, self.app.outside(&found.address, &receiver)))
    }
}

/// Who calls, by the name that it gives itself.
fn receiver(context: &RequestContext<RoleServer>) -> String {
    let client = context.client_info();
    format!("mcp {}", client.map(|client| format!("{} {}", client.name, client.version)).unwrap_or_default())
}

#[tool_router]
impl Server {
    #[tool(
        name = "ask",
        description = "Answer a question about a warehouse in plain language: writes a read-only SQL query with the user's own \
                       models, checks and runs it, and gives the rows, the SQL, how sure the answer is, and the steps. Takes \
                       seconds to minutes; reports progress and can be cancelled.",
        annotations(
            title = "Ask a question of the data",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn ask(
        &self,
        Parameters(arguments): Parameters<AskArguments>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<AnswerReply>, Failure> {
        Ok(Json(crate::tools::ask::ask(self, arguments, &context).await?))
    }

    #[tool(
        name = "schema",
        description = "Tables, columns, types, keys and, where the user allows it, comments and example values of a warehouse, \
                       page by page. Read it before writing SQL for `query`.",
        annotations(
            title = "Read the schema",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn schema(
        &self,
        Parameters(arguments): Parameters<SchemaArguments>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<SchemaReply>, Failure> {
        Ok(Json(crate::tools::schema::schema(self, arguments, &context).await?))
    }

    #[tool(
        name = "query",
        description = "Run one read-only SQL query and get its rows, page by page. Anything that could change data, lock, read \
                       files or call unknown functions is refused. Aggregate and filter in SQL rather than reading many rows.",
        annotations(
            title = "Run a read-only query",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn query(
        &self,
        Parameters(arguments): Parameters<QueryArguments>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<QueryReply>, Failure> {
        Ok(Json(crate::tools::query::query(self, arguments, &context).await?))
    }

    #[tool(
        name = "runs",
        description = "List questions that were asked of a warehouse, or show one with its answer, its SQL and the steps to it.",
        annotations(
            title = "Look at earlier answers",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn runs(
        &self,
        Parameters(arguments): Parameters<RunsArguments>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<RunsReply>, Failure> {
        Ok(Json(crate::tools::runs::runs(self, arguments, &context).await?))
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let names: Vec<&str> = self.scope.all().iter().map(|warehouse| warehouse.name.as_str()).collect();
        let instructions = format!(
            "Vitrine answers questions about databases and changes nothing in them. Warehouses that can be reached: {}. Use `ask` \
             for a question in words; use `schema`, then `query`, to write SQL yourself. {NOTICE}",
            names.join(", ")
        );
        let mut about = Implementation::new("vitrine", env!("CARGO_PKG_VERSION"));
        about.title = Some("Vitrine".to_owned());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(instructions)
    }
}
