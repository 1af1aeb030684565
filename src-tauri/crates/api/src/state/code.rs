//! Active runs of code.

use parking_lot::Mutex;
use std::collections::HashMap;
use tokio_util::sync::CancellationToken;

/// Code at work: one at a time, since each may take gigabytes.
#[derive(Default)]
pub(crate) struct CodeAtWork {
    pub(crate) turn: tokio::sync::Mutex<()>,
    /// What stops it, by its run or saved question.
    tokens: Mutex<HashMap<String, CancellationToken>>,
}

impl CodeAtWork {
    /// Begins for an owner, whose earlier code is stopped.
    pub(crate) fn begin_execution(&self, owner: &str, ending: &CancellationToken) -> CancellationToken {
        let token = ending.child_token();
        if let Some(earlier) = self.lock_tokens().insert(owner.to_owned(), token.clone()) {
            earlier.cancel();
        }
        token
    }

    pub(crate) fn end_execution(&self, token: &CancellationToken) {
        token.cancel();
        self.lock_tokens().retain(|_, token| !token.is_cancelled());
    }

    pub(crate) fn lock_tokens(&self) -> parking_lot::MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.tokens.lock()
    }
}
