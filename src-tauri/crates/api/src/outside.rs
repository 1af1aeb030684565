//! Programs outside that ask for answers, such as agents: they may be told what a model behind an address may be told, and the
//! audit says what each of them got.

mod answer;
mod rows;
mod schema;

pub use answer::{OutsideAnswer, OutsideStage};
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

/// Letters of a receiver's name that are kept. It comes from outside.
const LONGEST_NAME: usize = 80;

/// One warehouse as a program outside may see it.
#[derive(Clone)]
pub struct Outside {
    app: App,
    uri: String,
    receiver: String,
}

/// A warehouse that is open, with what of it may leave.
struct Opened {
    open: Arc<OpenWarehouse>,
    policy: EgressPolicy,
    egress: Egress,
}

impl App {
    /// A warehouse, by its address, for a program outside, by the name that it gives itself.
    pub fn outside_access(&self, warehouse: &str, receiver: &str) -> Outside {
        Outside { app: self.clone(), uri: warehouse.to_owned(), receiver: clean_name(receiver) }
    }

    /// Records that a program outside asked for a warehouse that it may not reach, with the SQL that it wanted to run there.
    /// Nothing is opened.
    pub fn refuse_outside(&self, warehouse: &str, receiver: &str, sql: &str, reason: &AppError) {
        self.create_auditor(&WarehouseUri::redact_address(warehouse), Some(&clean_name(receiver)))
            .record_refusal(sql, reason);
    }
}

impl Outside {
    /// Its address.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Begins to read the profile, by which personal data is known and answers get better.
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

    /// What its SQL is written in.
    ///
    /// # Errors
    /// When the warehouse cannot be opened.
    pub async fn dialect(&self) -> Result<Dialect, AppError> {
        Ok(self.app.ensure_open(&self.uri).await?.declared.dialect)
    }

    /// Begins to work on a question; gives the run's id. The request's warehouse is this one, whatever it says.
    ///
    /// # Errors
    /// As of [`App::ask`].
    pub async fn ask_question(&self, request: AskRequest) -> Result<String, AppError> {
        let request = AskRequest { warehouse: self.uri.clone(), ..request };
        self.app.ask_for(request, Some(self.receiver.clone()), None).await
    }

    fn create_auditor(&self, open: &OpenWarehouse) -> Auditor {
        self.app.create_auditor(&open.uri, Some(&self.receiver))
    }

    /// Opens it, and waits a while for its profile: personal data is known by what it looks like.
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
    /// Why rows stay here, where they do.
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

/// A name without what would break a line or turn it around.
fn clean_name(name: &str) -> String {
    let plain = |c: &char| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let name: String = name.trim().chars().filter(plain).take(LONGEST_NAME).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}
