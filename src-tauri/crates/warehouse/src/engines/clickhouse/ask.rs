//! Vitrine's internal queries about the login, its settings and the tables that it can read.

use super::http::{Failure, Http};
use super::rows::{Rows, read_rows};
use super::settings::Settings;

impl Http {
    /// Returns the rows of an internal query. `settings` are the known settings of the login with a timeout in seconds;
    /// `None` sends no settings.
    pub async fn query_rows(&self, sql: &str, settings: Option<(&Settings, u64)>) -> Result<Rows, Failure> {
        let settings = settings.map(|(settings, seconds)| settings.of_look(seconds)).unwrap_or_default();
        self.query_rows_with(sql, &settings).await
    }

    /// Returns the rows of an internal query that is sent with these settings.
    pub async fn query_rows_with(&self, sql: &str, settings: &[(&'static str, String)]) -> Result<Rows, Failure> {
        let lines = self.send_statement(sql.to_owned(), None, settings).await.map_err(Failure::Connection)?;
        read_rows(lines.map_err(Failure::Server)?).await
    }
}
