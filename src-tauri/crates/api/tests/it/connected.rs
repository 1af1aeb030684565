//! A connection named Shop, saved and changed in the same way as by the form in the window.

use vitrine_api::{App, ConnectionDraft, ConnectionSettings};
use vitrine_domain::AppError;

pub fn draft(address: &str) -> ConnectionDraft {
    ConnectionDraft {
        id: None,
        name: "Shop".to_owned(),
        address: address.to_owned(),
        environment: None,
        schemas: Vec::new(),
        settings: ConnectionSettings::default(),
        password: None,
        remember: false,
    }
}

/// Saves the connection, replacing an existing one.
pub async fn keep(app: &App, address: &str, change: impl FnOnce(&mut ConnectionDraft)) -> Result<(), AppError> {
    let known = app.find_connection("Shop").await.ok();
    let mut draft = ConnectionDraft { id: known.map(|connection| connection.id), ..draft(address) };
    change(&mut draft);
    app.keep_connection(draft).await.map(drop)
}
