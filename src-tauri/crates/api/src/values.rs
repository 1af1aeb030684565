//! Searching the value index directly.

use crate::app::App;
use crate::state::work::blocking;
use vitrine_domain::{AppError, ErrorCode, ValueMatch};
use vitrine_values::{IndexSize, SearchOptions, SearchTerm};
use vitrine_words::tr;

impl App {
    /// Waits until the value index is up to date, and says how much it holds.
    pub async fn build_values(&self, uri: &str) -> Result<IndexSize, AppError> {
        self.prepared(uri).await?;
        let open = self.opened(uri).await?;
        let index = open.values().ok_or_else(unavailable)?;
        blocking(move || Ok(index.size()?)).await
    }

    /// Stored values that resemble a term, best first.
    pub async fn search_values(&self, uri: &str, term: String) -> Result<Vec<ValueMatch>, AppError> {
        self.prepared(uri).await?;
        let open = self.opened(uri).await?;
        let index = open.values().ok_or_else(unavailable)?;
        let embedder = self.embedder().await;
        let options = SearchOptions { limit: 20, ..SearchOptions::default() };
        blocking(move || Ok(index.search(&[SearchTerm::new(term)], options, embedder.as_deref())?)).await
    }
}

fn unavailable() -> AppError {
    AppError::new(ErrorCode::Internal, tr!("The value index cannot be opened"))
        .with_hint(tr!("Check the free disk space and the data folder"))
}
