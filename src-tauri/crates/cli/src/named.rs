//! What is named on the command line.

use vitrine_api::App;
use vitrine_domain::AppError;

/// The address of a connection's name; that it was typed is the user's word that it may be opened.
pub(crate) async fn resolve_address(app: &App, connection: &str) -> Result<String, AppError> {
    let address = app.address_of(connection).await?;
    app.confirm_warehouse(&address).await;
    Ok(address)
}

/// Whether both name the same, whatever their capitals.
pub(crate) fn is_same_name(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}
