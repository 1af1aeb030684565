//! Active runs.

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

/// Runs at work.
#[derive(Default, Clone)]
pub(crate) struct ActiveRuns {
    runs: Arc<Mutex<HashMap<String, AtWork>>>,
    count: Arc<watch::Sender<usize>>,
}

/// What reaches a run from outside.
struct AtWork {
    cancel: CancellationToken,
    /// What the person chose: a candidate, or to leave the choice.
    said: watch::Sender<Option<Option<u32>>>,
    /// Whether to keep looking, once the person has said so.
    goes_on: watch::Sender<Option<bool>>,
    /// The query that the user is asked about.
    asked: Option<AskedQuery>,
}

/// A query that waits for a user's approval.
pub(crate) struct AskedQuery {
    pub(crate) asks: Asks,
    pub(crate) sql: String,
    pub(crate) sql_sha256: String,
    pub(crate) said: oneshot::Sender<bool>,
}

/// A run at work; over when dropped.
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

/// The person at the window or the terminal, who is shown the run's events and chooses by [`App::choose_reading`].
pub(crate) struct ChannelClarifier(watch::Receiver<Option<Option<u32>>>);

#[async_trait]
impl UserClarifier for ChannelClarifier {
    async fn choose_reading(&self, _: &[Reading]) -> Option<u32> {
        let mut said = self.0.clone();
        // The sender goes with the run, which is then stopped anyway.
        said.wait_for(Option::is_some).await.ok().and_then(|said| *said).flatten()
    }
}

/// The same person, who keeps looking or takes the best so far by [`App::keep_looking`].
pub(crate) struct ChannelOnlooker(watch::Receiver<Option<bool>>);

#[async_trait]
impl Onlooker for ChannelOnlooker {
    async fn keep_looking(&self) -> bool {
        let mut goes_on = self.0.clone();
        let said = goes_on.wait_for(Option::is_some).await.ok().and_then(|said| *said);
        match said {
            Some(goes_on) => goes_on,
            // The sender goes with the run, which is then stopped anyway.
            None => std::future::pending().await,
        }
    }
}

/// What a query is asked for.
#[derive(Clone)]
pub(crate) struct Asks {
    pub(crate) warehouse: String,
    pub(crate) question: String,
    pub(crate) run_id: String,
    pub(crate) author: QueryAuthor,
}

/// The same person, who approves queries by [`App::decide_query`].
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

    /// Takes the query that a run waits with, if it is the one of that hash.
    pub(crate) fn asked_query(&self, run_id: &str, sql_sha256: &str) -> Option<AskedQuery> {
        let mut runs = self.runs.lock();
        let asked = &mut runs.get_mut(run_id)?.asked;
        if asked.as_ref()?.sql_sha256 == sql_sha256 { asked.take() } else { None }
    }

    pub(crate) fn keep_looking(&self, run_id: &str, goes_on: bool) -> bool {
        let runs = self.runs.lock();
        runs.get(run_id).is_some_and(|run| run.goes_on.send(Some(goes_on)).is_ok())
    }

    /// Waits until no run is at work, but not for ever.
    pub(crate) async fn wait_until_idle(&self, patience: Duration) {
        let mut count = self.count.subscribe();
        let _ = tokio::time::timeout(patience, count.wait_for(|count| *count == 0)).await;
    }
}
