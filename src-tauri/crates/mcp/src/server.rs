//! The server with its tools and its description for clients.

use crate::failure::Failure;
use crate::reply::{AnswerReply, MetricsReply, NOTICE, QueryReply, RunsReply, SchemaReply};
use crate::request::{AskArguments, MetricsArguments, QueryArguments, RunsArguments, SchemaArguments};
use crate::session::Session;
use crate::tools::{ask, metrics, query, runs, schema};
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, tool, tool_handler, tool_router};
use std::sync::Arc;

/// A server for one client.
#[derive(Clone)]
pub(crate) struct Server(Arc<Session>);

impl Server {
    pub(crate) fn new(session: Session) -> Self {
        Self(Arc::new(session))
    }
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
        Ok(Json(ask::answer_question(&self.0, arguments, &context).await?))
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
        Ok(Json(schema::describe_schema(&self.0, arguments, &context).await?))
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
        Ok(Json(query::run_query(&self.0, arguments, &context).await?))
    }

    #[tool(
        name = "metrics",
        description = "List the metrics of a warehouse (numbers that its users have defined, such as revenue) with the dimensions \
                       that group them, compute some, or explain why one changed. Prefer it to `query` for a number that a metric \
                       defines.",
        annotations(
            title = "Compute agreed metrics",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn metrics(
        &self,
        Parameters(arguments): Parameters<MetricsArguments>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<MetricsReply>, Failure> {
        Ok(Json(metrics::read_metrics(&self.0, arguments, &context).await?))
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
        Ok(Json(runs::read_runs(&self.0, arguments, &context).await?))
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let names: Vec<&str> = self.0.scope.all_warehouses().iter().map(|warehouse| warehouse.name.as_str()).collect();
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
