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
                tr!("The setting of this connection, which Vitrine looks up for each query. Whoever can change the workspace can change it."),
            ));
        }
        match open.warehouse.safety_layers().await {
            Ok(found) => layers.extend(found),
            Err(error) => layers.push(SafetyLayer::new(
                SafetyKind::Engine,
                SafetyState::Unknown,
                tr!("The database did not tell what it allows."),
                error.to_string(),
            )),
        }
        layers.push(vitrine_warehouse::proof_layer(open.kind));
        Ok(layers)
    }
}

fn read_only_proof_layer(own_functions: &[String]) -> SafetyLayer {
    let says = tr!(
        "Only what is proven to be one query reaches the database: no writes, no settings, no locks, no files, and no functions \
         but those that are known to compute."
    );
    let how = tr!(
        "By construction: nothing else can be handed to an engine. The tests hold 900 hostile statements against it."
    );
    if own_functions.is_empty() {
        return SafetyLayer::new(SafetyKind::Proof, SafetyState::Holds, says, how);
    }
    let own =
        tr!("You also allowed {functions}: nobody has proven what they do.", functions = own_functions.join(", "));
    let says = format!("{says} {own}");
    SafetyLayer::new(SafetyKind::Proof, SafetyState::Partly, says, how)
}
