//! Direct search in the value index.

use crate::app::App;
use crate::state::work::run_blocking;
use vitrine_domain::{AppError, ErrorCode, ValueMatch};
use vitrine_values::{IndexSize, SearchOptions, SearchTerm};
use vitrine_words::tr;

impl App {
    /// Waits until the value index is up to date, and returns its size.
    pub async fn build_values(&self, uri: &str) -> Result<IndexSize, AppError> {
        self.wait_until_prepared(uri).await?;
        let open = self.ensure_open(uri).await?;
        let index = open.value_index().ok_or_else(index_unavailable_error)?;
        run_blocking(move || Ok(index.size()?)).await
    }

    /// Returns the stored values that resemble a term, best first.
    pub async fn search_values(&self, uri: &str, term: String) -> Result<Vec<ValueMatch>, AppError> {
        self.wait_until_prepared(uri).await?;
        let open = self.ensure_open(uri).await?;
        let index = open.value_index().ok_or_else(index_unavailable_error)?;
        let embedder = self.load_embedder().await;
        let options = SearchOptions { limit: 20, ..SearchOptions::default() };
        run_blocking(move || Ok(index.search(&[SearchTerm::new(term)], options, embedder.as_deref())?)).await
    }
}

fn index_unavailable_error() -> AppError {
    AppError::new(ErrorCode::Internal, tr!("The value index cannot be opened"))
        .with_hint(tr!("Check the free disk space and the data folder"))
}
