//! State shared by the tools of one server: the scope, the settings of questions, and the client's identity.

use crate::limits::Limits;
use crate::open_results::OpenResults;
use crate::scope::{Scope, ScopedWarehouse};
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use vitrine_api::{App, Outside};
use vitrine_domain::{AppError, AskSettings};

/// The scope, settings and open results of one client.
pub(crate) struct Session {
    pub(crate) app: App,
    pub(crate) scope: Scope,
    pub(crate) settings: AskSettings,
    pub(crate) limits: Limits,
    pub(crate) results: OpenResults,
}

impl Session {
    pub(crate) fn new(app: App, scope: Scope, settings: AskSettings, limits: Limits) -> Self {
        Self { app, scope, settings, limits, results: OpenResults::default() }
    }

    /// Starts to read the warehouses in scope, so that the first call does not wait. Failures are reported when a
    /// warehouse is used.
    pub(crate) fn prepare_warehouses(&self) {
        for warehouse in self.scope.all_warehouses() {
            let outside = self.app.outside_access(&warehouse.address, "");
            let name = warehouse.name.clone();
            tokio::spawn(async move {
                if let Err(error) = outside.begin_preparation().await {
                    tracing::warn!(warehouse = name, %error, "not opened");
                }
            });
        }
    }

    /// Returns the warehouse that a call names, with access on behalf of the client. A call for another warehouse is
    /// recorded with its SQL.
    pub(crate) fn resolve_warehouse(
        &self,
        name: Option<&str>,
        sql: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(&ScopedWarehouse, Outside), AppError> {
        let receiver = client_name(context);
        let found = self.scope.find_warehouse(name).inspect_err(|reason| {
            if let Some(name) = name {
                self.app.refuse_outside(name, &receiver, sql, reason);
            }
        })?;
        Ok((found, self.app.outside_access(&found.address, &receiver)))
    }
}

/// Returns the client's name, as it identifies itself.
fn client_name(context: &RequestContext<RoleServer>) -> String {
    let client = context.client_info();
    format!("mcp {}", client.map(|client| format!("{} {}", client.name, client.version)).unwrap_or_default())
}
