//! Why a sign-in through the browser came to nothing, told so that a person knows what to do next.

use std::fmt;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{in_english, tr};

/// Why a sign-in through the browser came to nothing. Never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInFault {
    /// This machine gives no port to listen at.
    NoPort {
        /// The operating system's message.
        detail: String,
    },
    /// The person, or an administrator, said no.
    Denied,
    /// An answer that belongs to no sign-in of this program.
    WrongState,
    /// Google's page said that something is wrong.
    Refused {
        /// Google's own words.
        detail: String,
    },
    /// A box was left empty on Google's page.
    NotAllGranted {
        /// The scopes that are lacking.
        lacks: String,
    },
    /// Google gave a token for now, and nothing to ask for later ones with.
    NotLasting,
    /// Google could not be reached with the browser's answer.
    Unreachable {
        /// What went wrong.
        detail: String,
    },
    /// Nobody signed in.
    Late {
        /// The limit.
        minutes: u64,
    },
    /// The person stopped it.
    Cancelled,
}

impl SignInFault {
    fn in_words(&self) -> String {
        match self {
            Self::NoPort { .. } => tr!("No port of this computer could be opened for the browser's answer"),
            Self::Denied => tr!("Google did not grant access: it was denied in the browser"),
            Self::WrongState => tr!("The browser's answer does not belong to this sign-in, so it was not used"),
            Self::Refused { .. } => tr!("Google refused the sign-in"),
            Self::NotAllGranted { .. } => tr!("Google granted only a part of what was asked for"),
            Self::NotLasting => tr!("Google gave no lasting sign-in"),
            Self::Unreachable { .. } => tr!("Google could not be reached to finish the sign-in"),
            Self::Late { minutes } => {
                tr!("Nobody signed in within {minutes} minutes, so the sign-in was given up", minutes)
            }
            Self::Cancelled => tr!("The sign-in was cancelled"),
        }
    }
}

/// In English, in every language: logs read it.
impl fmt::Display for SignInFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

impl std::error::Error for SignInFault {}

impl From<SignInFault> for AppError {
    fn from(fault: SignInFault) -> Self {
        use SignInFault as F;
        let code = if fault == F::Cancelled { ErrorCode::Cancelled } else { ErrorCode::Connection };
        let error = AppError::new(code, fault.in_words());
        let error = match &fault {
            F::Cancelled => error,
            F::NoPort { .. } => {
                error.with_hint(tr!("Free a port, or use gcloud auth application-default login or a key file instead"))
            }
            F::Denied => error.with_hint(tr!(
                "Sign in again and choose Allow; where your company forbids it, ask whoever runs Google Cloud there"
            )),
            F::WrongState | F::Late { .. } => {
                error.with_hint(tr!("Sign in again, and finish it in the tab that opens then"))
            }
            F::Refused { .. } => error.with_hint(tr!(
                "Check client id and secret: docs/connections.md says how to make a client of the kind \"Desktop app\""
            )),
            F::NotAllGranted { .. } => error.with_hint(tr!("Sign in again and tick every box on Google's page")),
            F::NotLasting => error
                .with_hint(tr!("Take Vitrine's access away at myaccount.google.com/connections, then sign in again")),
            F::Unreachable { .. } => {
                error.with_hint(tr!("Check that this computer reaches oauth2.googleapis.com, then sign in again"))
            }
        };
        match fault {
            F::NoPort { detail } | F::Refused { detail } | F::Unreachable { detail } if !detail.is_empty() => {
                error.with_detail(detail)
            }
            F::NotAllGranted { lacks } => error.with_detail(tr!("Not granted: {lacks}", lacks)),
            _ => error,
        }
    }
}
