//! Remembers whether a login has worked before.

use crate::WarehouseError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Distinguishes a login that the server stopped accepting from one that it never accepted.
#[derive(Default)]
pub(crate) struct Admitted(AtomicBool);

impl Admitted {
    /// Records that the server accepted this login.
    pub(crate) fn mark_admitted(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Converts the error of a refused login, depending on whether the login was accepted before.
    pub(crate) fn explain_refusal(&self, error: WarehouseError) -> WarehouseError {
        match error {
            WarehouseError::Password { server, refused: true, detail } if self.0.load(Ordering::Acquire) => {
                WarehouseError::SignInAgain { server, detail }
            }
            error => error,
        }
    }
}
