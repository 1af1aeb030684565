//! Why a sign-in through the browser came to nothing, told so that a person knows what to do next.

use vitrine_domain::{AppError, ErrorCode};

/// Why a sign-in through the browser came to nothing. Never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInFault {
    /// This machine gives no port to listen at.
    #[error("No port of this machine could be opened for the browser's answer")]
    NoPort {
        /// The operating system's message.
        detail: String,
    },
    /// The person, or an administrator, said no.
    #[error("Google did not grant access: it was denied in the browser")]
    Denied,
    /// An answer that belongs to no sign-in of this program.
    #[error("The browser's answer does not belong to this sign-in, so it was not used")]
    WrongState,
    /// Google's page said that something is wrong.
    #[error("Google refused the sign-in")]
    Refused {
        /// Google's own words.
        detail: String,
    },
    /// A box was left empty on Google's page.
    #[error("Google granted only a part of what was asked for")]
    NotAllGranted {
        /// The scopes that are lacking.
        lacks: String,
    },
    /// Google gave a token for now, and nothing to ask for later ones with.
    #[error("Google gave no lasting sign-in")]
    NotLasting,
    /// Google could not be reached with the browser's answer.
    #[error("Google could not be reached to finish the sign-in")]
    Unreachable {
        /// What went wrong.
        detail: String,
    },
    /// Nobody signed in.
    #[error("Nobody signed in within {minutes} minutes, so the sign-in was given up")]
    Late {
        /// The limit.
        minutes: u64,
    },
    /// The person stopped it.
    #[error("The sign-in was cancelled")]
    Cancelled,
}

impl From<SignInFault> for AppError {
    fn from(fault: SignInFault) -> Self {
        use SignInFault as F;
        let code = if fault == F::Cancelled { ErrorCode::Cancelled } else { ErrorCode::Connection };
        let error = AppError::new(code, fault.to_string());
        let error = match &fault {
            F::Cancelled => error,
            F::NoPort { .. } => {
                error.hint("Free a port, or use gcloud auth application-default login or a key file instead")
            }
            F::Denied => error.hint(
                "Sign in again and choose Allow; where your company forbids it, ask whoever runs Google Cloud there",
            ),
            F::WrongState | F::Late { .. } => error.hint("Sign in again, and finish it in the tab that opens then"),
            F::Refused { .. } => error.hint(
                "Check client id and secret: docs/connections.md says how to make a client of the kind \"Desktop app\"",
            ),
            F::NotAllGranted { .. } => error.hint("Sign in again and tick every box on Google's page"),
            F::NotLasting => {
                error.hint("Take Vitrine's access away at myaccount.google.com/connections, then sign in again")
            }
            F::Unreachable { .. } => {
                error.hint("Check that this machine reaches oauth2.googleapis.com, then sign in again")
            }
        };
        match fault {
            F::NoPort { detail } | F::Refused { detail } | F::Unreachable { detail } if !detail.is_empty() => {
                error.detail(detail)
            }
            F::NotAllGranted { lacks } => error.detail(format!("Not granted: {lacks}")),
            _ => error,
        }
    }
}
