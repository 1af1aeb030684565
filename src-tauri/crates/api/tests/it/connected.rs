//! A connection called Shop, kept and changed as the form in the window does.

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

/// Keeps it anew, or in place of the one that is there.
pub async fn keep(app: &App, address: &str, change: impl FnOnce(&mut ConnectionDraft)) -> Result<(), AppError> {
    let known = app.find_connection("Shop").await.ok();
    let mut draft = ConnectionDraft { id: known.map(|connection| connection.id), ..draft(address) };
    change(&mut draft);
    app.keep_connection(draft).await.map(drop)
}
