//! Questions of our own: about the login, its settings, and what it can see.

use super::http::{Failure, Http};
use super::rows::{Rows, read};
use super::settings::Settings;

impl Http {
    /// What a question of our own gives, with the settings that a login takes where they are known.
    pub async fn ask(&self, sql: &str, settings: Option<(&Settings, u64)>) -> Result<Rows, Failure> {
        let settings = settings.map(|(settings, seconds)| settings.of_look(seconds)).unwrap_or_default();
        self.ask_with(sql, &settings).await
    }

    /// The same with other settings.
    pub async fn ask_with(&self, sql: &str, settings: &[(&'static str, String)]) -> Result<Rows, Failure> {
        let lines = self.send(sql.to_owned(), None, settings).await.map_err(Failure::Connection)?;
        read(lines.map_err(Failure::Server)?).await
    }
}
