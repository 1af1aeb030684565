//! Safety layers that protect a warehouse from changes.

use crate::app::App;
use vitrine_domain::{AppError, SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::tr;

impl App {
    /// Returns the safety layers of a connection in their current state, each with its evidence.
    pub async fn safety(&self, warehouse: String) -> Result<Vec<SafetyLayer>, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let mut layers = vec![read_only_proof_layer(&self.allowed_functions(warehouse).await?)];
        if self.requires_approval(&open.uri).await? {
            layers.push(SafetyLayer::new(
                SafetyKind::Approval,
                SafetyState::Holds,
                tr!("A query runs only once a user has approved exactly its text."),
                tr!("The setting of this connection, which Vitrine checks before each query. Anyone who can change the workspace can change it."),
            ));
        }
        match open.warehouse.safety_layers().await {
            Ok(found) => layers.extend(found),
            Err(error) => layers.push(SafetyLayer::new(
                SafetyKind::Engine,
                SafetyState::Unknown,
                tr!("The database did not report its settings."),
                error.to_string(),
            )),
        }
        layers.push(vitrine_warehouse::proof_layer(open.kind));
        Ok(layers)
    }
}

fn read_only_proof_layer(own_functions: &[String]) -> SafetyLayer {
    let says = tr!(
        "Only a statement that is proven to be a single query reaches the database: no writes, no settings, no locks, no files, and only functions that are known to compute values."
    );
    let how = tr!("By construction: an engine accepts nothing else. The tests include 1,900 hostile statements.");
    if own_functions.is_empty() {
        return SafetyLayer::new(SafetyKind::Proof, SafetyState::Holds, says, how);
    }
    let own = tr!("You also allowed {functions}: their effects are not proven.", functions = own_functions.join(", "));
    let says = format!("{says} {own}");
    SafetyLayer::new(SafetyKind::Proof, SafetyState::Partly, says, how)
}
