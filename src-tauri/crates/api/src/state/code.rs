//! Active runs of code.

use parking_lot::Mutex;
use std::collections::HashMap;
use tokio_util::sync::CancellationToken;

/// Running code: one execution at a time, because each may use gigabytes of memory.
#[derive(Default)]
pub(crate) struct CodeAtWork {
    pub(crate) turn: tokio::sync::Mutex<()>,
    /// Cancellation tokens, by the id of the run or saved question.
    tokens: Mutex<HashMap<String, CancellationToken>>,
}

impl CodeAtWork {
    /// Starts an execution for an owner and stops the owner's earlier one.
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
