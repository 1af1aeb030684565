//! Vitrine's internal queries.

use crate::engines::duck::listing::{Rows, as_text};
use crate::engines::postgres::Session;
use tokio_postgres::Error;

/// Returns the rows of an internal query as text.
pub(super) async fn query_rows(session: &Session, question: &str) -> Result<Rows, Error> {
    let answer = session.client.query(&as_text(question), &[]).await?;
    answer.iter().map(|row| (0..row.len()).map(|index| row.try_get(index)).collect()).collect()
}
