//! Questions of our own: about the login, its settings, and what it can see.

use super::http::{Failure, Http};
use super::rows::{Rows, read_rows};
use super::settings::Settings;

impl Http {
    /// What a question of our own gives, with the settings that a login takes where they are known.
    pub async fn query_rows(&self, sql: &str, settings: Option<(&Settings, u64)>) -> Result<Rows, Failure> {
        let settings = settings.map(|(settings, seconds)| settings.of_look(seconds)).unwrap_or_default();
        self.query_rows_with(sql, &settings).await
    }

    /// The same with other settings.
    pub async fn query_rows_with(&self, sql: &str, settings: &[(&'static str, String)]) -> Result<Rows, Failure> {
        let lines = self.send_statement(sql.to_owned(), None, settings).await.map_err(Failure::Connection)?;
        read_rows(lines.map_err(Failure::Server)?).await
    }
}
