//! SQL that a person edits.

use crate::app::App;
use vitrine_domain::AppError;
use vitrine_sql::ReadOnlySql;

impl App {
    /// The SQL with even line breaks and indents; what cannot be read is given back as it is.
    pub async fn format_sql(&self, sql: String, warehouse: String) -> Result<String, AppError> {
        let open = self.opened(&warehouse).await?;
        Ok(vitrine_sql::format(&sql, open.catalog.dialect))
    }

    /// Proves that the SQL only reads and asks the engine whether it would run; says where not.
    pub async fn check_sql(&self, sql: String, warehouse: String) -> Result<(), AppError> {
        let open = self.opened(&warehouse).await?;
        let sql = ReadOnlySql::parse(&sql, open.catalog.dialect)?;
        open.warehouse.check(&sql).await?;
        Ok(())
    }
}
