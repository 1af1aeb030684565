//! Names of connections on the command line.

use vitrine_api::App;
use vitrine_domain::AppError;

/// Returns the address of a connection's name. The argument confirms that the connection may be opened.
pub(crate) async fn resolve_address(app: &App, connection: &str) -> Result<String, AppError> {
    let address = app.address_of(connection).await?;
    app.confirm_warehouse(&address).await;
    Ok(address)
}

/// Returns true if both names are equal, ignoring case.
pub(crate) fn is_same_name(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}
