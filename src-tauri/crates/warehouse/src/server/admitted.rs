//! Whether a login has worked before.

use crate::WarehouseError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a login that no longer holds from one that never did.
#[derive(Default)]
pub(crate) struct Admitted(AtomicBool);

impl Admitted {
    /// The server let this login in.
    pub(crate) fn mark_admitted(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Why it does not let it in now.
    pub(crate) fn explain_refusal(&self, error: WarehouseError) -> WarehouseError {
        match error {
            WarehouseError::Password { server, refused: true, detail } if self.0.load(Ordering::Acquire) => {
                WarehouseError::SignInAgain { server, detail }
            }
            error => error,
        }
    }
}
