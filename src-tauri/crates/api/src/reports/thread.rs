//! Threads: a question with all its follow-ups.

use crate::app::App;
use std::collections::{BTreeSet, VecDeque};
use vitrine_domain::{AppError, ErrorCode};

/// Maximum number of runs of a thread that are looked up.
const MOST_RUNS: usize = 500;

impl App {
    /// Returns the runs of the thread to which a run belongs, in the order in which they were asked.
    pub(super) async fn thread_runs(&self, run_id: &str) -> Result<Vec<String>, AppError> {
        let mut first = self.run_header(run_id.to_owned()).await?;
        let mut seen = BTreeSet::from([first.run_id.clone()]);
        while let Some(previous) = first.follows.clone().filter(|previous| seen.insert(previous.clone())) {
            match self.run_header(previous).await {
                Ok(header) => first = header,
                // The previous run was deleted, so that the thread starts after it.
                Err(error) if error.code == ErrorCode::NotFound => break,
                Err(error) => return Err(error),
            }
        }
        let mut thread = vec![(first.started_at.clone(), first.run_id.clone())];
        let mut found = BTreeSet::from([first.run_id.clone()]);
        let mut open = VecDeque::from([first.run_id]);
        while let Some(run) = open.pop_front() {
            for next in self.branches(run.clone()).await? {
                let is_follow_up = next.follows.as_deref() == Some(run.as_str());
                if is_follow_up && thread.len() < MOST_RUNS && found.insert(next.run_id.clone()) {
                    thread.push((next.started_at, next.run_id.clone()));
                    open.push_back(next.run_id);
                }
            }
        }
        thread.sort();
        Ok(thread.into_iter().map(|(_, id)| id).collect())
    }

    async fn run_header(&self, run_id: String) -> Result<vitrine_store::RunHeader, AppError> {
        self.with_store(move |store| store.run_header(&run_id)).await
    }
}
