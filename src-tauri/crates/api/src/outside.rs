//! Access for external programs, such as agents: they may receive the same data as a remote model, and the audit log records each reply.

mod answer;
mod metrics;
mod rows;
mod schema;

pub use answer::{OutsideAnswer, OutsideStage};
pub use metrics::OutsideMetrics;
pub use rows::{OutsidePart, OutsideRows};
pub use schema::SchemaPart;

use crate::app::App;
use crate::audit::Auditor;
use crate::state::setup::Patience;
use crate::state::warehouses::OpenWarehouse;
use crate::types::AskRequest;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_agents::run::egress::Egress;
use vitrine_domain::{AppError, Dialect, EgressLevel, EgressPolicy};
use vitrine_warehouse::WarehouseUri;

/// Maximum number of characters of a receiver's name that are kept; the name is untrusted.
const LONGEST_NAME: usize = 80;

/// Access of an external program to one warehouse.
#[derive(Clone)]
pub struct Outside {
    app: App,
    uri: String,
    receiver: String,
}

/// An open warehouse with its egress policy.
struct Opened {
    open: Arc<OpenWarehouse>,
    policy: EgressPolicy,
    egress: Egress,
}

impl App {
    /// Creates the access of an external program to a warehouse. `receiver` is the name that the program gives itself.
    pub fn outside_access(&self, warehouse: &str, receiver: &str) -> Outside {
        Outside { app: self.clone(), uri: warehouse.to_owned(), receiver: clean_name(receiver) }
    }

    /// Records that an external program requested a warehouse that it may not access, with the SQL that it wanted to run. Nothing is
    /// opened.
    pub fn refuse_outside(&self, warehouse: &str, receiver: &str, sql: &str, reason: &AppError) {
        self.create_auditor(&WarehouseUri::redact_address(warehouse), Some(&clean_name(receiver)))
            .record_refusal(sql, reason);
    }
}

impl Outside {
    /// Returns the full address of the warehouse.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Starts to read the profile, which detects personal data and improves answers.
    ///
    /// # Errors
    /// When the warehouse cannot be opened.
    pub async fn begin_preparation(&self) -> Result<(), AppError> {
        let open = self.app.ensure_open(&self.uri).await?;
        if open.read_ahead {
            self.app.begin_preparation(&open);
        }
        Ok(())
    }

    /// Returns the warehouse's SQL dialect.
    ///
    /// # Errors
    /// When the warehouse cannot be opened.
    pub async fn dialect(&self) -> Result<Dialect, AppError> {
        Ok(self.app.ensure_open(&self.uri).await?.declared.dialect)
    }

    /// Starts a run for a question and returns the run's id. The request's warehouse is replaced by this one.
    ///
    /// # Errors
    /// Same as [`App::ask`].
    pub async fn ask_question(&self, request: AskRequest) -> Result<String, AppError> {
        let request = AskRequest { warehouse: self.uri.clone(), ..request };
        self.app.ask_for(request, Some(self.receiver.clone()), None).await
    }

    fn create_auditor(&self, open: &OpenWarehouse) -> Auditor {
        self.app.create_auditor(&open.uri, Some(&self.receiver))
    }

    /// Opens the warehouse and waits a limited time for its profile, which is needed to detect personal data.
    async fn open_prepared(&self, cancel: &CancellationToken) -> Result<Opened, AppError> {
        let open = self.app.ensure_open(&self.uri).await?;
        if open.read_ahead {
            self.app.begin_preparation(&open);
            open.wait_until_ready(Patience { values: Duration::ZERO, ..self.app.inner.options.patience }, cancel).await;
        }
        let policy = self.app.egress_of(&open.uri).await?;
        let egress = Egress::new(policy.clone(), &open.catalog(), &open.profile());
        Ok(Opened { open, policy, egress })
    }
}

impl Opened {
    /// Returns the reason that rows are withheld; `None` if they are not.
    fn withholding_reason(&self) -> Option<String> {
        (self.policy.level < EgressLevel::Results).then(|| {
            format!(
                "Only {} of this database may be told to programs outside. The rows stay on the machine of the user, who can \
                 see them in Vitrine, and may allow more with: vitrine egress WAREHOUSE --level results",
                self.policy.level.display_title()
            )
        })
    }
}

/// Returns a name without control characters and characters that change the text direction.
fn clean_name(name: &str) -> String {
    let plain = |c: &char| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let name: String = name.trim().chars().filter(plain).take(LONGEST_NAME).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}
