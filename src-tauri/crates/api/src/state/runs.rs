//! Runs that are in progress.

use async_trait::async_trait;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Onlooker, QueryApprover, UserClarifier};
use vitrine_domain::Reading;
use vitrine_sql::ReadOnlySql;
use vitrine_store::QueryAuthor;

/// The active runs, by id.
#[derive(Default, Clone)]
pub(crate) struct ActiveRuns {
    runs: Arc<Mutex<HashMap<String, AtWork>>>,
    count: Arc<watch::Sender<usize>>,
}

/// The channels by which the user controls a run.
struct AtWork {
    cancel: CancellationToken,
    /// The user's choice: a candidate, or `None` inside to leave the choice to the run.
    said: watch::Sender<Option<Option<u32>>>,
    /// The user's decision to continue or not; `None` until it is made.
    goes_on: watch::Sender<Option<bool>>,
    /// The query that waits for the user's approval.
    asked: Option<AskedQuery>,
}

/// A query that waits for a user's approval.
pub(crate) struct AskedQuery {
    pub(crate) asks: Asks,
    pub(crate) sql: String,
    pub(crate) sql_sha256: String,
    pub(crate) said: oneshot::Sender<bool>,
}

/// Registration of an active run, removed on drop.
pub(crate) struct ActiveRun {
    pub(crate) run_id: String,
    runs: Arc<Mutex<HashMap<String, AtWork>>>,
    count: Arc<watch::Sender<usize>>,
}

impl Drop for ActiveRun {
    fn drop(&mut self) {
        self.runs.lock().remove(&self.run_id);
        self.count.send_modify(|count| *count -= 1);
    }
}

/// The user of a window or terminal, who chooses an interpretation by [`App::choose_reading`].
pub(crate) struct ChannelClarifier(watch::Receiver<Option<Option<u32>>>);

#[async_trait]
impl UserClarifier for ChannelClarifier {
    async fn choose_reading(&self, _: &[Reading]) -> Option<u32> {
        let mut said = self.0.clone();
        // The sender is dropped with the run, which is stopped then anyway.
        said.wait_for(Option::is_some).await.ok().and_then(|said| *said).flatten()
    }
}

/// The user of a window or terminal, who continues the run or takes the best result so far by [`App::keep_looking`].
pub(crate) struct ChannelOnlooker(watch::Receiver<Option<bool>>);

#[async_trait]
impl Onlooker for ChannelOnlooker {
    async fn keep_looking(&self) -> bool {
        let mut goes_on = self.0.clone();
        let said = goes_on.wait_for(Option::is_some).await.ok().and_then(|said| *said);
        match said {
            Some(goes_on) => goes_on,
            // The sender is dropped with the run, which is stopped then anyway.
            None => std::future::pending().await,
        }
    }
}

/// The context in which a query is executed.
#[derive(Clone)]
pub(crate) struct Asks {
    pub(crate) warehouse: String,
    pub(crate) question: String,
    pub(crate) run_id: String,
    pub(crate) author: QueryAuthor,
}

/// The user of a window or terminal, who approves queries by [`App::decide_query`].
pub(crate) struct ChannelApprover {
    pub(crate) runs: ActiveRuns,
    pub(crate) asks: Asks,
}

impl QueryApprover for ChannelApprover {
    fn request_approval(&self, sql: &ReadOnlySql, sql_sha256: &str) -> oneshot::Receiver<bool> {
        let (said, heard) = oneshot::channel();
        if let Some(run) = self.runs.runs.lock().get_mut(&self.asks.run_id) {
            run.asked = Some(AskedQuery {
                asks: self.asks.clone(),
                sql: sql.as_str().to_owned(),
                sql_sha256: sql_sha256.to_owned(),
                said,
            });
        }
        heard
    }
}

impl ActiveRuns {
    pub(crate) fn begin_run(
        &self,
        run_id: &str,
        cancel: CancellationToken,
    ) -> (ActiveRun, ChannelClarifier, ChannelOnlooker) {
        let ((said, heard), (goes_on, waited)) = (watch::channel(None), watch::channel(None));
        self.runs.lock().insert(run_id.to_owned(), AtWork { cancel, said, goes_on, asked: None });
        self.count.send_modify(|count| *count += 1);
        let run = ActiveRun { run_id: run_id.to_owned(), runs: Arc::clone(&self.runs), count: Arc::clone(&self.count) };
        (run, ChannelClarifier(heard), ChannelOnlooker(waited))
    }

    pub(crate) fn cancel_token(&self, run_id: &str) -> Option<CancellationToken> {
        self.runs.lock().get(run_id).map(|run| run.cancel.clone())
    }

    pub(crate) fn send_choice(&self, run_id: &str, candidate: Option<u32>) -> bool {
        let runs = self.runs.lock();
        runs.get(run_id).is_some_and(|run| run.said.send(Some(candidate)).is_ok())
    }

    /// Removes and returns the query that a run waits for, if it has that hash.
    pub(crate) fn asked_query(&self, run_id: &str, sql_sha256: &str) -> Option<AskedQuery> {
        let mut runs = self.runs.lock();
        let asked = &mut runs.get_mut(run_id)?.asked;
        if asked.as_ref()?.sql_sha256 == sql_sha256 { asked.take() } else { None }
    }

    pub(crate) fn keep_looking(&self, run_id: &str, goes_on: bool) -> bool {
        let runs = self.runs.lock();
        runs.get(run_id).is_some_and(|run| run.goes_on.send(Some(goes_on)).is_ok())
    }

    /// Waits until no run is active, but no longer than `patience`.
    pub(crate) async fn wait_until_idle(&self, patience: Duration) {
        let mut count = self.count.subscribe();
        let _ = tokio::time::timeout(patience, count.wait_for(|count| *count == 0)).await;
    }
}
